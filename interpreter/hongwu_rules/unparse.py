"""Typed expressions and steps back to the text of the language."""

from __future__ import annotations

from collections.abc import Iterable

from . import cards
from .model import Assign, Effect, Ruleset, Step
from .model.ir import (
    Apply,
    Arith,
    Call,
    Compare,
    Const,
    Expr,
    Field,
    Fold,
    IfElse,
    In,
    IsNone,
    ListOf,
    Local,
    Logic,
    Lookup,
    Not,
    OptionRef,
    SlotRef,
    TrickRef,
    Type,
    Whole,
    ZoneRef,
)

# How tightly a form binds; a part that binds less tightly than its place asks for gets brackets.
_CHOICE, _OR, _AND, _NOT, _COMPARE, _SUM, _PRODUCT, _ATOM = range(8)


def unparse(expr: Expr, ruleset: Ruleset | None = None) -> str:
    """An expression as a file would write it. The names of shapes, groups and lines need the ruleset.

    >>> from hongwu_rules.model.ir import BOOL, INT
    >>> five = Const(type=INT, value=5)
    >>> unparse(Not(type=BOOL, of=Compare(type=BOOL, op=">", left=Local(type=INT, name="width"), right=five)))
    'not width > 5'
    """
    return _write(expr, ruleset)[0]


def unparse_step(step: Step, ruleset: Ruleset | None = None) -> str:
    """A step as a file would write it: the action, its ``for`` parts, its ``when``."""
    action = step.action
    if isinstance(action, Assign):
        value = unparse(action.value, ruleset)
        value = f"random({value})" if action.random else value
        text = f"{_indexed(action.slot, action.index, ruleset)} {action.op} {value}"
    else:
        assert isinstance(action, Effect)
        text = f"{action.word}({_listed(action.args, ruleset)})"
    for name, _, source in step.loops:
        text += f" for {name} in {unparse(source, ruleset)}"
    return text if step.when is None else f"{text} when {unparse(step.when, ruleset)}"


def written(kind: Type, value: object, ruleset: Ruleset | None = None) -> str:
    """A value of a type as a file would write it.

    >>> from hongwu_rules.model.ir import BOOL, CARD, RANK
    >>> written(BOOL, True), written(RANK, 12), written(CARD, 18), written(Type("word", words=("low", "high")), 1)
    ('true', 'Q', 'H7', 'high')
    """
    if value is None:
        return "none"
    if isinstance(value, bool) or kind.name == "bool":
        return "true" if value else "false"
    if not isinstance(value, int):
        return str(value)
    if kind.words:
        return kind.words[value]
    match kind.name:
        case "rank":
            return cards.RANK_NAMES[value]
        case "suit":
            return cards.SUITS[value]
        case "colour":
            return cards.COLOURS[value]
        case "card":
            return cards.NAMES[value]
        case "shape" if ruleset is not None:
            return ruleset.shapes.items[value].name
        case "group" if ruleset is not None:
            return group_names(ruleset)[value]
        case "line" if ruleset is not None:
            return [line.name for group in ruleset.order.groups for line in group.lines][value]
        case _:
            return str(value)


def group_names(ruleset: Ruleset) -> list[str]:
    """The groups of an order by number; of a group for each suit, the four suits."""
    return [name for group in ruleset.order.groups for name in (cards.SUITS if group.per_suit else (group.name,))]


def _indexed(name: str, index: Iterable[Expr], ruleset: Ruleset | None) -> str:
    inside = _listed(index, ruleset)
    return f"{name}[{inside}]" if inside else name


def _listed(parts: Iterable[Expr], ruleset: Ruleset | None) -> str:
    return ", ".join(unparse(part, ruleset) for part in parts)


def _write(expr: Expr, ruleset: Ruleset | None) -> tuple[str, int]:
    """The text of an expression and how tightly it binds."""

    def part(inner: Expr, least: int) -> str:
        text, binds = _write(inner, ruleset)
        return text if binds >= least else f"({text})"

    match expr:
        case Const():
            return written(expr.type, expr.value, ruleset), _ATOM
        case OptionRef() | Local() | Whole():
            return expr.name, _ATOM
        case TrickRef():
            return "trick", _ATOM
        case SlotRef() | ZoneRef():
            return _indexed(expr.name, expr.index, ruleset), _ATOM
        case Field():
            return f"{part(expr.of, _ATOM)}.{expr.name}", _ATOM
        case Call():
            return f"{expr.word}({_listed(expr.args, ruleset)})", _ATOM
        case Apply():
            return f"{expr.define}({_listed(expr.args, ruleset)})" if expr.args else expr.define, _ATOM
        case Lookup():
            return f"{expr.table}({_listed(expr.args, ruleset)})", _ATOM
        case ListOf():
            return f"[{_listed(expr.items, ruleset)}]", _ATOM
        case Fold():
            loops = "".join(f" for {loop.name} in {part(loop.source, _OR)}" for loop in expr.loops)
            guard = "" if expr.cond is None else f" if {part(expr.cond, _OR)}"
            return f"{expr.word}({unparse(expr.body, ruleset)}{loops}{guard})", _ATOM
        case Not():
            return f"not {part(expr.of, _NOT)}", _NOT
        case Logic():
            level = _AND if expr.op == "and" else _OR
            return f" {expr.op} ".join(part(inner, level + 1) for inner in expr.parts), level
        case Compare():
            return f"{part(expr.left, _SUM)} {expr.op} {part(expr.right, _SUM)}", _COMPARE
        case In():
            sign = "not in" if expr.negated else "in"
            return f"{part(expr.item, _SUM)} {sign} {part(expr.container, _SUM)}", _COMPARE
        case IsNone():
            return f"{part(expr.of, _SUM)} is {'not ' if expr.negated else ''}none", _COMPARE
        case Arith():
            level = _SUM if expr.op in ("+", "-") else _PRODUCT
            return f"{part(expr.left, level)} {expr.op} {part(expr.right, level + 1)}", level
        case IfElse():
            test, yes, no = part(expr.test, _OR), part(expr.yes, _OR), part(expr.no, _CHOICE)
            return f"{yes} if {test} else {no}", _CHOICE
        case _:
            raise TypeError(f"no form for {type(expr).__name__}")

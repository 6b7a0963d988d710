"""Expressions and values as a rule writer would write them; equal expressions give equal texts."""

from __future__ import annotations

from ..cards import COLOURS, NAMES, RANK_NAMES, SUITS
from ..diagnostics import Text
from ..model import Ruleset
from ..model.ir import (
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
from .ranges import Atom, Values


class Notation:
    """Writes the expressions of one ruleset; each is written once and remembered."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.lines = [line.name for group in ruleset.order.groups for line in group.lines]
        self.groups = [
            f"{group.name}[{suit}]" if suit else group.name
            for group in ruleset.order.groups
            for suit in (SUITS if group.per_suit else ("",))
        ]
        self.shapes = [shape.name for shape in ruleset.shapes.items]
        self.phases = list(ruleset.phases)
        self._known: dict[int, tuple[Expr, str]] = {}

    def value(self, kind: Type, value: Atom) -> str:
        """One value of a type."""
        if value is None:
            return "none"
        if isinstance(value, str):
            return value
        tables = {"line": self.lines, "group": self.groups, "shape": self.shapes, "phase": self.phases}
        names = list(kind.words) or tables.get(kind.name) or _NAMES.get(kind.name)
        if names is not None:
            return names[value] if 0 <= value < len(names) else str(value)
        if kind.name == "bool":
            return "true" if value else "false"
        return RANK_NAMES.get(value, str(value)) if kind.name == "rank" else str(value)

    def values(self, kind: Type, values: Values) -> str:
        """A set of values, as after a name: ``= 3``, ``= a or b``, ``>= 4``, ``4..9``."""
        if values.exact is not None:
            known = sorted(values.exact, key=lambda v: (v is None, isinstance(v, str), v if v is not None else 0))
            if len(known) > 8 and all(isinstance(v, int) for v in known) and kind.name == "int":
                return f"= {known[0]}..{known[-1]}"
            return "= " + " | ".join(self.value(kind, v) for v in known)
        low, high = values.low, values.high
        if low is not None and high is not None:
            return f"= {low}..{high}"
        if low is not None:
            return f">= {low}"
        return f"<= {high}" if high is not None else "= ?"

    def __call__(self, expr: Expr) -> str:
        """The expression as text."""
        found = self._known.get(id(expr))
        if found is None:
            found = self._known[id(expr)] = (expr, self._text(expr))  # the expression is kept alive with its id
        return found[1]

    def _inner(self, expr: Expr) -> str:
        text = self(expr)
        return f"({text})" if isinstance(expr, Logic | Compare | In | IsNone | Arith | IfElse | Not) else text

    def _all(self, exprs: tuple[Expr, ...]) -> str:
        return ", ".join(self(part) for part in exprs)

    def _text(self, expr: Expr) -> str:
        match expr:
            case Const():
                return self.value(expr.type, expr.value)
            case OptionRef() | Local() | Whole():
                return expr.name
            case SlotRef() | ZoneRef():
                return f"{expr.name}[{self._all(expr.index)}]" if expr.index else expr.name
            case TrickRef():
                return "trick"
            case Field():
                return f"{self._inner(expr.of)}.{expr.name}"
            case Call():
                return f"{expr.word}({self._all(expr.args)})"
            case Apply():
                return f"{expr.define}({self._all(expr.args)})" if expr.args else expr.define
            case Lookup():
                return f"{expr.table}({self._all(expr.args)})"
            case Fold():
                loops = " ".join(f"for {loop.name} in {self._inner(loop.source)}" for loop in expr.loops)
                cond = f" if {self(expr.cond)}" if expr.cond is not None else ""
                return f"{expr.word}({self(expr.body)} {loops}{cond})"
            case Not():
                return f"not {self._inner(expr.of)}"
            case Logic():
                return f" {expr.op} ".join(self._part(part) for part in expr.parts)
            case Compare() | Arith():
                return f"{self._inner(expr.left)} {expr.op} {self._inner(expr.right)}"
            case In():
                return f"{self._inner(expr.item)} {'not in' if expr.negated else 'in'} {self._inner(expr.container)}"
            case IsNone():
                return f"{self._inner(expr.of)} is {'not ' if expr.negated else ''}none"
            case IfElse():
                return f"{self._inner(expr.yes)} if {self._inner(expr.test)} else {self._inner(expr.no)}"
            case ListOf():
                return f"[{self._all(expr.items)}]"
            case _:
                return "?"

    def _part(self, part: Expr) -> str:
        """A part of ``and`` or ``or``: comparisons need no brackets there."""
        return f"({self(part)})" if isinstance(part, Logic | IfElse) else self(part)


_NAMES: dict[str, list[str]] = {"suit": list(SUITS), "colour": list(COLOURS), "card": list(NAMES)}


def listed(words: list[str]) -> Text:
    """Names one after the other, as both languages list them."""
    return Text("、".join(words), ", ".join(words))

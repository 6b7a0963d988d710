"""Expressions with the options filled in, defines written out in place, and constants worked out."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import count as counter

from ..model import Define
from ..model.ir import (
    BOOL,
    INT,
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
    Loop,
    Not,
    OptionRef,
    SlotRef,
    Type,
    Whole,
    ZoneRef,
    children,
    walk,
)
from .layout import Layout

Env = Mapping[str, Expr]
_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_ARITH: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
}
_VALUES = frozenset(
    {"bool", "int", "rank", "suit", "colour", "card", "seat", "team", "phase", "shape", "group", "line", "word", "none"}
)
SMALL = 14  # a define of so few nodes is written out where it is used


def locals_of(expr: Expr) -> set[str]:
    """The locals that an expression needs from outside."""
    match expr:
        case Local():
            return {expr.name}
        case Fold():
            found: set[str] = set()
            bound: set[str] = set()
            for loop in expr.loops:
                found |= locals_of(loop.source) - bound
                bound.add(loop.name)
            found |= locals_of(expr.body) - bound
            return found | (locals_of(expr.cond) - bound if expr.cond is not None else set())
        case _:
            return set().union(*(locals_of(part) for part in children(expr)))


def size(expr: Expr) -> int:
    """How many nodes."""
    return len(walk(expr))


class Simplifier:
    """Simplifies the expressions of one ruleset under fixed options."""

    def __init__(self, layout: Layout, options: Mapping[str, int | bool]) -> None:
        self.layout = layout
        self.options = options
        self._fresh = counter(1)
        self._defines: dict[str, Define] = {}

    def define(self, name: str) -> Define:
        """A define with its body simplified."""
        found = self._defines.get(name)
        if found is None:
            raw = self.layout.ruleset.defines[name]
            found = self._defines[name] = replace(raw, body=self(raw.body))
        return found

    def __call__(self, expr: Expr, env: Env | None = None) -> Expr:
        """The simplified expression, with the locals in ``env`` replaced."""
        return self._do(expr, env or {})

    def number(self, expr: Expr | None) -> int:
        """The number that an expression over options is; 0 if there is none."""
        plain = self(expr) if expr is not None else None
        return int(plain.value) if isinstance(plain, Const) and isinstance(plain.value, int) else 0

    def written_out(self, expr: Apply) -> Expr:
        """The body of a define with its arguments in place."""
        define = self.define(expr.define)
        return self._do(define.body, dict(zip((name for name, _ in define.params), expr.args, strict=True)))

    def _do(self, expr: Expr, env: Env) -> Expr:
        match expr:
            case Const():
                return self._const(expr)
            case OptionRef():
                return replace_const(expr, self.options[expr.name])
            case Local():
                return env.get(expr.name, expr)
            case Fold():
                return self._fold(expr, env)
            case SlotRef() | ZoneRef():
                return replace(expr, index=self._all(expr.index, env)) if expr.index else expr
            case Field():
                return self._field(replace(expr, of=self._do(expr.of, env)))
            case Not():
                return self._not(replace(expr, of=self._do(expr.of, env)))
            case IsNone():
                return self._is_none(replace(expr, of=self._do(expr.of, env)))
            case Apply():
                call = replace(expr, args=self._all(expr.args, env))
                define = self.define(call.define)
                simple = all(isinstance(arg, Const | Local) for arg in call.args)
                if size(define.body) <= SMALL and (simple or not any(isinstance(e, Fold) for e in walk(define.body))):
                    return self.written_out(call)
                return call
            case Call():
                return self._call(replace(expr, args=self._all(expr.args, env)))
            case Lookup():
                return replace(expr, args=self._all(expr.args, env))
            case Logic():
                return self._logic(expr, env)
            case Compare():
                return self._compare(replace(expr, left=self._do(expr.left, env), right=self._do(expr.right, env)))
            case Arith():
                return self._arith(replace(expr, left=self._do(expr.left, env), right=self._do(expr.right, env)))
            case In():
                return self._in(replace(expr, item=self._do(expr.item, env), container=self._do(expr.container, env)))
            case IfElse():
                test = self._do(expr.test, env)
                if isinstance(test, Const):
                    return self._do(expr.yes if test.value else expr.no, env)
                return replace(expr, test=test, yes=self._do(expr.yes, env), no=self._do(expr.no, env))
            case ListOf():
                return replace(expr, items=self._all(expr.items, env))
            case _:
                return expr

    def _all(self, exprs: tuple[Expr, ...], env: Env) -> tuple[Expr, ...]:
        return tuple(self._do(part, env) for part in exprs)

    def _const(self, expr: Const) -> Expr:
        """Words and names given as text become their numbers."""
        if not isinstance(expr.value, str):
            return expr
        words: tuple[str, ...] = expr.type.words
        if expr.type.name == "phase":
            words = tuple(self.layout.ruleset.phases)
        elif expr.type.name == "shape":
            words = tuple(shape.name for shape in self.layout.ruleset.shapes.items)
        return replace(expr, value=words.index(expr.value))

    def _fold(self, expr: Fold, env: Env) -> Expr:
        inner = dict(env)
        loops: list[Loop] = []
        for loop in expr.loops:
            name = f"{loop.name.split('·')[0]}·{next(self._fresh)}"
            loops.append(Loop(name, loop.type, self._do(loop.source, inner)))
            inner[loop.name] = Local(type=loop.type, at=expr.at, name=name)
        body = self._do(expr.body, inner)
        cond = self._do(expr.cond, inner) if expr.cond is not None else None
        if isinstance(cond, Const) and cond.value:
            cond = None
        return replace(expr, loops=tuple(loops), body=body, cond=cond)

    def _field(self, expr: Field) -> Expr:
        if expr.of.type.name == "card" and isinstance(expr.of, Const) and isinstance(expr.of.value, int):
            table = {"rank": self.layout.rank, "suit": self.layout.suit, "colour": self.layout.colour}[expr.name]
            return replace_const(expr, table[expr.of.value])
        return expr

    def _not(self, expr: Not) -> Expr:
        if isinstance(expr.of, Const):
            return replace_const(expr, not expr.of.value)
        return expr.of.of if isinstance(expr.of, Not) else expr

    def _is_none(self, expr: IsNone) -> Expr:
        if isinstance(expr.of, Const):
            return replace_const(expr, (expr.of.value is None) != expr.negated)
        return expr

    def _call(self, expr: Call) -> Expr:
        if expr.args and all(isinstance(arg, Const) and isinstance(arg.value, int) for arg in expr.args):
            values = [int(arg.value) for arg in expr.args if isinstance(arg, Const) and arg.value is not None]
            seats = self.layout.seats
            if expr.word == "int":
                return replace_const(expr, values[0])
            if expr.word == "next":
                return replace_const(expr, (values[0] + 1) % seats)
            if expr.word in ("min", "max"):
                return replace_const(expr, min(values) if expr.word == "min" else max(values))
            if expr.word == "points" and expr.args[0].type.name == "card":
                return replace_const(expr, self.layout.points[values[0]])
        return expr

    def _logic(self, expr: Logic, env: Env) -> Expr:
        stop = expr.op == "or"  # the value that settles it
        kept: list[Expr] = []
        for part in expr.parts:
            done = self._do(part, env)
            if isinstance(done, Const):
                if bool(done.value) == stop:
                    kept.append(replace_const(done, stop))
                    break
                continue
            if isinstance(done, Logic) and done.op == expr.op:
                kept.extend(done.parts)
            else:
                kept.append(done)
        if not kept:
            return replace_const(expr, not stop)
        if isinstance(kept[0], Const) or len(kept) == 1:
            return kept[0]
        return replace(expr, parts=tuple(kept))

    def _compare(self, expr: Compare) -> Expr:
        left, right = expr.left, expr.right
        if isinstance(left, Const) and isinstance(right, Const):
            if left.value is None or right.value is None:
                if expr.op in ("==", "!="):
                    return replace_const(expr, expr.op == "!=")
                return expr
            return replace_const(expr, _COMPARE[expr.op](int(left.value), int(right.value)))
        if expr.op in ("==", "!=") and any(isinstance(side, Const) and side.value is None for side in (left, right)):
            return replace_const(expr, expr.op == "!=")
        if expr.op in ("==", "!=") and left == right and isinstance(left, Local) and not left.type.optional:
            return replace_const(expr, expr.op == "==")
        return expr

    def _arith(self, expr: Arith) -> Expr:
        left, right = expr.left, expr.right
        if isinstance(left, Const) and isinstance(right, Const) and left.value is not None and right.value is not None:
            if expr.op in ("//", "%") and not right.value:
                return expr
            return replace_const(expr, _ARITH[expr.op](int(left.value), int(right.value)))
        if isinstance(right, Const) and right.value == 1 and expr.op in ("*", "//"):
            return left
        if isinstance(left, Const) and left.value == 1 and expr.op == "*":
            return right
        if isinstance(right, Const) and right.value == 0 and right.value is not False and expr.op in ("+", "-"):
            return left
        return expr

    def _in(self, expr: In) -> Expr:
        box = expr.container
        if isinstance(box, ListOf) and isinstance(expr.item, Const) and all(isinstance(i, Const) for i in box.items):
            found = expr.item.value is not None and any(
                isinstance(i, Const) and i.value == expr.item.value for i in box.items
            )
            return replace_const(expr, found != expr.negated)
        return expr


def replace_const(expr: Expr, value: int | bool | None) -> Const:
    """A constant in the place of an expression."""
    kind = BOOL if isinstance(value, bool) else expr.type if expr.type.name in _VALUES else INT
    return Const(
        type=kind if value is not None else Type(kind.name, True, kind.of, kind.words), at=expr.at, value=value
    )


def unrolled(layout: Layout, source: Expr) -> list[Expr] | None:
    """The items of a collection that is known beforehand."""
    if isinstance(source, ListOf):
        return list(source.items)
    if isinstance(source, Whole):
        kind = source.type.item or INT
        values = {
            "seats": range(layout.seats),
            "teams": range(layout.teams),
            "suits": range(4),
            "ranks": layout.ranks,
        }.get(source.name)
        return None if values is None else [Const(type=kind, at=source.at, value=v) for v in values]
    if isinstance(source, Call) and len(source.args) == 1 and isinstance(source.args[0], Const):
        seat = source.args[0].value
        if isinstance(seat, int) and source.word in ("others", "seats_from"):
            first = 1 if source.word == "others" else 0
            kind = source.type.item or INT
            return [Const(type=kind, at=source.at, value=(seat + i) % layout.seats) for i in range(first, layout.seats)]
    return None

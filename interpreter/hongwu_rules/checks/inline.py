"""Defines written out where they are used, so that a condition can be looked at as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..model import Define
from ..model.ir import (
    Apply,
    Arith,
    Call,
    Compare,
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
    SlotRef,
    ZoneRef,
    children,
    walk,
)

MOST = 3000  # nodes; a larger expression keeps its defines as they are
Names = Mapping[str, Expr]


class Inliner:
    """Writes out the defines of one ruleset."""

    def __init__(self, defines: Mapping[str, Define]) -> None:
        self.defines = defines
        self._known: dict[int, tuple[Expr, Expr]] = {}
        self._bodies: dict[str, Expr] = {}
        self._open: list[str] = []

    def __call__(self, expr: Expr) -> Expr:
        """The expression without defines (those that need themselves stay)."""
        found = self._known.get(id(expr))
        if found is None:
            found = self._known[id(expr)] = (expr, self._do(expr))
        return found[1]

    def _body(self, name: str) -> Expr | None:
        if name in self._open:
            return None
        found = self._bodies.get(name)
        if found is None:
            self._open.append(name)
            found = self._bodies[name] = self._do(self.defines[name].body)
            self._open.pop()
        return found

    def _do(self, expr: Expr) -> Expr:
        if isinstance(expr, Apply):
            args = tuple(self._do(arg) for arg in expr.args)
            body = self._body(expr.define) if expr.define in self.defines else None
            if body is None or len(walk(body)) > MOST:
                return replace(expr, args=args)
            return put(body, {name: arg for (name, _), arg in zip(self.defines[expr.define].params, args, strict=True)})
        if not any(isinstance(part, Apply) for part in walk(expr)):
            return expr
        return _rebuilt(expr, [self._do(part) for part in children(expr)])


def put(expr: Expr, names: Names) -> Expr:
    """The expression with other expressions in the place of some locals."""
    if not names:
        return expr
    match expr:
        case Local():
            return names.get(expr.name, expr)
        case Fold():
            free = {part.name for value in names.values() for part in walk(value) if isinstance(part, Local)}
            inner = dict(names)
            loops: list[Loop] = []
            for loop in expr.loops:
                source = put(loop.source, inner)
                inner.pop(loop.name, None)
                name = loop.name
                while name in free:
                    name += "'"
                if name != loop.name:
                    inner[loop.name] = Local(type=loop.type, name=name)
                loops.append(Loop(name, loop.type, source))
            cond = put(expr.cond, inner) if expr.cond is not None else None
            return replace(expr, loops=tuple(loops), body=put(expr.body, inner), cond=cond)
    parts = children(expr)
    return _rebuilt(expr, [put(part, names) for part in parts]) if parts else expr


def _rebuilt(expr: Expr, parts: list[Expr]) -> Expr:
    """The same expression over other parts, in the order of ``children``."""
    match expr:
        case SlotRef() | ZoneRef():
            return replace(expr, index=tuple(parts))
        case Field() | Not() | IsNone():
            return replace(expr, of=parts[0])
        case Call() | Apply() | Lookup():
            return replace(expr, args=tuple(parts))
        case Logic():
            return replace(expr, parts=tuple(parts))
        case Compare() | Arith():
            return replace(expr, left=parts[0], right=parts[1])
        case In():
            return replace(expr, item=parts[0], container=parts[1])
        case IfElse():
            return replace(expr, test=parts[0], yes=parts[1], no=parts[2])
        case ListOf():
            return replace(expr, items=tuple(parts))
        case Fold():
            n = len(expr.loops)
            loops = tuple(Loop(loop.name, loop.type, part) for loop, part in zip(expr.loops, parts[:n], strict=True))
            cond = parts[n] if expr.cond is not None else None
            return replace(expr, loops=loops, cond=cond, body=parts[-1])
        case _:
            return expr

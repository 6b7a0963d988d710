"""The conditions on wings: written as functions, and sorted by what they ask, so that few plays need be tried."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ..cards.forms import Rule
from ..cards.order import OrderTable
from ..cards.shapes import ShapeBook
from ..model import Clause
from ..model.ir import BOOL, SHAPE, Call, Const, Expr, Fold, In, Local, Logic, Not, children, walk
from .clauses import parts_of
from .simplify import Simplifier, locals_of

Kind = Literal["body", "cell", "named", "any"]
BY_PLACE = frozenset({"alike", "linked", "step", "group", "line"})  # alike cards answer these alike


@dataclass(frozen=True, slots=True)
class Under:
    """What generated code reads where there is no state: an order, and the memory that it was made for."""

    m: tuple[Any, ...]
    z: tuple[Any, ...]
    of: ShapeBook

    def table(self) -> OrderTable:
        """The order."""
        return self.of.table

    def book(self) -> ShapeBook:
        """The shapes."""
        return self.of


@dataclass(frozen=True, slots=True)
class Asked:
    """One part of a clause about wings, for one shape; ``function`` is the name of its function."""

    number: int
    expr: Expr
    function: str


def asked_of(clause: Clause, shape: int, simplify: Simplifier) -> tuple[Expr, ...]:
    """What a clause asks of one shape, as parts that must all hold; nothing where it does not count."""
    here = {"shape": Const(type=SHAPE, at=clause.that.at, value=shape)}
    that = simplify(clause.that, here)
    if clause.when is not None:
        when = simplify(clause.when, here)
        if isinstance(when, Const) and not when.value:
            return ()
        if not isinstance(when, Const):
            unless = Not(type=BOOL, at=when.at, of=when)
            return tuple(Logic(type=BOOL, at=part.at, op="or", parts=(unless, part)) for part in parts_of(that))
    return tuple(part for part in parts_of(that) if not (isinstance(part, Const) and part.value))


def rule_of(asked: Asked, scope: Mapping[str, Any], m: tuple[Any, ...], z: tuple[Any, ...]) -> Rule:
    """The rule that the shapes go by."""
    function = scope[asked.function]
    under: list[Under] = []  # made once the shapes are

    def holds(book: ShapeBook, body: int, wings: int) -> bool:
        if not under or under[0].of is not book:
            under[:] = [Under(m, z, book)]
        return bool(function(under[0], body, wings))

    kind = kind_of(asked.expr)
    cards = tuple(
        part.item.value
        for part in walk(asked.expr)
        if isinstance(part, In)
        and isinstance(part.item, Const)
        and isinstance(part.item.value, int)
        and _is_wings(part.container)
    )
    return Rule(asked.number, kind, holds, is_plain(asked.expr), cards if kind == "named" else ())


def kind_of(expr: Expr) -> Kind:
    """How much of the wings a condition looks at, see ``Rule``."""
    if "wings" not in locals_of(expr):
        return "body"
    match expr:
        case Logic() if expr.op == "or":
            about = [part for part in expr.parts if "wings" in locals_of(part)]
            if len(about) == 1:
                return kind_of(about[0])
        case Fold() if expr.word == "all":
            if _each_by_itself(expr):
                return "cell"
        case Not() if isinstance(expr.of, Fold) and expr.of.word == "any":
            if _each_by_itself(expr.of):
                return "cell"
    return "named" if _only_names(expr) else "any"


def _is_wings(expr: Expr) -> bool:
    return isinstance(expr, Local) and expr.name == "wings"


def _each_by_itself(fold: Fold) -> bool:
    """Whether a loop over the wings asks about each of them, the body, and the wings alike with it, no more."""
    over = [loop.name for loop in fold.loops if _is_wings(loop.source)]
    if len(over) != 1 or any("wings" in locals_of(loop.source) for loop in fold.loops if not _is_wings(loop.source)):
        return False
    return all(_asks_only_alike(part, over[0]) for part in (fold.body, fold.cond) if part is not None)


def _asks_only_alike(expr: Expr, wing: str) -> bool:
    """Whether the wings are read at most as those alike with one of them."""
    if isinstance(expr, Fold) and expr.word in ("count", "any") and len(expr.loops) == 1 and expr.cond is None:
        loop, body = expr.loops[0], expr.body
        if _is_wings(loop.source) and isinstance(body, Call) and body.word == "alike" and len(body.args) == 2:
            names = {arg.name for arg in body.args if isinstance(arg, Local)}
            return names == {wing, loop.name}
    return not _is_wings(expr) and all(_asks_only_alike(part, wing) for part in children(expr))


def _only_names(expr: Expr) -> bool:
    """Whether the wings are read at most by asking whether a card that is written out is among them."""
    if isinstance(expr, In) and _is_wings(expr.container):
        return isinstance(expr.item, Const)
    return not _is_wings(expr) and all(_only_names(part) for part in children(expr))


def is_plain(expr: Expr) -> bool:
    """Whether alike cards answer alike, but for cards of the wings that are named."""
    if isinstance(expr, Local):
        return False
    if isinstance(expr, Call) and expr.word in (*BY_PLACE, "len"):
        return all(isinstance(arg, Local) or is_plain(arg) for arg in expr.args)
    if isinstance(expr, Fold):
        sources = all(isinstance(loop.source, Local) or is_plain(loop.source) for loop in expr.loops)
        return sources and is_plain(expr.body) and (expr.cond is None or is_plain(expr.cond))
    if isinstance(expr, In) and _is_wings(expr.container):
        return isinstance(expr.item, Const)
    return all(is_plain(part) for part in children(expr))

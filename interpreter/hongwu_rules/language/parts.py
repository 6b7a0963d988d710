"""What every section of a file is read with."""

from __future__ import annotations

from collections.abc import Iterator

from ..model.ir import BOOL, Compare, Const, Expr, IfElse, OptionRef, Type
from ..source.nodes import Entry, Mapping, Node, Scalar
from .expressions import read
from .notation import RESERVED, piece, undress
from .parser import Locals
from .world import World


def entries(node: Node | None) -> Iterator[Entry]:
    """The named entries of a section, without what every mapping may carry."""
    if isinstance(node, Mapping):
        for entry in node:
            if entry.key.value not in RESERVED:
                yield entry


def bare(node: Mapping | None, key: str) -> Node | None:
    """The value under a key, out of its dress; None if it is not there."""
    found = node.get(key) if node is not None else None
    return undress(found).node if found is not None else None


def one_of(world: World, node: Node | None, kind: Type) -> Expr | None:
    """One of the words of a kind that the language has; an option with some of these words may stand for it."""
    inner = undress(node).node if node is not None else None
    option = world.options.get(str(inner.value)) if isinstance(inner, Scalar) else None
    if inner is None or option is None or not option.type.words or not set(option.type.words) <= set(kind.words):
        return expression(world, node, kind, {})
    at, asked = inner.span, OptionRef(type=option.type, at=inner.span, name=option.name)
    *others, last = [Const(type=kind, at=at, value=kind.words.index(word)) for word in option.type.words]
    found: Expr = last
    for number, word in reversed(list(enumerate(others))):
        here = Const(type=option.type, at=at, value=number)
        test = Compare(type=BOOL, at=at, op="==", left=asked, right=here)
        found = IfElse(type=kind, at=at, test=test, yes=word, no=found)
    return found


def expression(world: World, node: Node | None, want: Type | None, names: Locals) -> Expr | None:
    """An expression that may be dressed; None if absent or faulty."""
    if node is None:
        return None
    inner = undress(node).node
    if not isinstance(inner, Scalar):
        world.findings.add("HW103", inner.span, "这里要写一个条件或数值", "an expression is expected here")
        return None
    return read(world, inner, piece(inner), want, names)

"""Typed expressions: what a condition becomes once its names and types are known.

The checker reads this form, the compiler turns it into Python. Values at run time: ``int`` and
``bool`` as themselves; a rank 2..16 (J=11 … A=14, LJ=15, BJ=16); a suit 0..3 (S H D C); a colour
0..1 (black, red); a seat 0..n-1; a word of a kind, or of an option's choices, by its place in the
list; a card by its id; cards packed in an ``int``; None where nothing is set.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from ..diagnostics import NOWHERE, Span
from ..records import Record, record


@dataclass(frozen=True, slots=True)
class Type:
    """``name`` is one of the basic names below, ``word`` (with ``of`` the kind), ``list`` (with
    ``item``) or ``row`` (with ``of`` the table)."""

    name: str
    optional: bool = False  # written with ``?``: may be unset
    of: str = ""
    words: tuple[str, ...] = ()
    item: Type | None = None
    low: int | None = None  # int only: declared bounds
    high: int | None = None
    step: int = 1

    @property
    def sure(self) -> Type:
        """The same type, known to be set."""
        return Type(self.name, False, self.of, self.words, self.item, self.low, self.high, self.step)

    def same(self, other: Type) -> bool:
        """Whether values of both may be compared for equality."""
        return self.name == other.name and self.of == other.of


BOOL, INT, RANK, SUIT, COLOUR = Type("bool"), Type("int"), Type("rank"), Type("suit"), Type("colour")
CARD, CARDS, SEAT, TEAM, PHASE = Type("card"), Type("cards"), Type("seat"), Type("team"), Type("phase")
SHAPE, GROUP, LINE, PLAY, TRICK = Type("shape"), Type("group"), Type("line"), Type("play"), Type("trick")
NONE = Type("none", optional=True)
BASIC = {
    t.name: t for t in (BOOL, INT, RANK, SUIT, COLOUR, CARD, CARDS, SEAT, TEAM, PHASE, SHAPE, GROUP, LINE, PLAY, TRICK)
}


@record(kw_only=True)
class Expr(Record):
    """Any expression."""

    type: Type
    at: Span = NOWHERE


@record()
class Const(Expr):
    """A value that the file writes out. A set of cards is packed by the compiler, not here."""

    value: int | bool | str | None


@record()
class OptionRef(Expr):
    """An option by its name."""

    name: str


@record()
class SlotRef(Expr):
    """A memory slot; ``index`` has one expression for each of its indices."""

    name: str
    index: tuple[Expr, ...] = ()


@record()
class ZoneRef(Expr):
    """The cards of a zone; ``index`` is empty or one seat."""

    name: str
    index: tuple[Expr, ...] = ()


@record()
class Local(Expr):
    """A loop variable, a parameter, or a name the place provides: ``seat viewer picked chosen
    shape card leaver body wings width length play``, or the index of a zone or slot."""

    name: str


@record()
class TrickRef(Expr):
    """The trick on the table."""


@record()
class Whole(Expr):
    """A whole collection: ``seats``, ``teams``, ``suits``, ``ranks`` or ``deck``."""

    name: str


@record()
class Field(Expr):
    """A declared field of a value: ``card.rank``, ``play.seat``, ``trick.winner``, a table's output."""

    of: Expr
    name: str


@record()
class Call(Expr):
    """A word of the vocabulary."""

    word: str
    args: tuple[Expr, ...]


@record()
class Apply(Expr):
    """A word that the file defines."""

    define: str
    args: tuple[Expr, ...]


@record()
class Lookup(Expr):
    """One call of a table; a ``Field`` around it takes the output."""

    table: str
    args: tuple[Expr, ...]


@record()
class Loop(Record):
    """``for name in source``; ``type`` is that of one item."""

    name: str
    type: Type
    source: Expr


@record()
class Fold(Expr):
    """``word(body for … in … if cond)``: any all count sum min max the most cards."""

    word: str
    body: Expr
    loops: tuple[Loop, ...]
    cond: Expr | None = None


@record()
class Not(Expr):
    of: Expr


@record()
class Logic(Expr):
    """``and`` or ``or`` over two or more parts, left to right."""

    op: str
    parts: tuple[Expr, ...]


@record()
class Compare(Expr):
    """``op`` is one of ``== != < <= > >=``. Equality with an unset value is false (``!=`` true)."""

    op: str
    left: Expr
    right: Expr


@record()
class In(Expr):
    """``item in container``: a list of values, cards (is the card among them), a collection."""

    item: Expr
    container: Expr
    negated: bool = False


@record()
class IsNone(Expr):
    of: Expr
    negated: bool = False


@record()
class Arith(Expr):
    """``+ - * // %`` over ints."""

    op: str
    left: Expr
    right: Expr


@record()
class IfElse(Expr):
    test: Expr
    yes: Expr
    no: Expr


@record()
class ListOf(Expr):
    """A list or set of values that the file writes out."""

    items: tuple[Expr, ...]


def _of_fold(fold: Fold) -> tuple[Expr, ...]:
    sources = tuple(loop.source for loop in fold.loops)
    return (*sources, fold.body) if fold.cond is None else (*sources, fold.cond, fold.body)


_PARTS: dict[type[Expr], Callable[[Any], tuple[Expr, ...]]] = {
    SlotRef: attrgetter("index"),
    ZoneRef: attrgetter("index"),
    Field: lambda expr: (expr.of,),
    Not: lambda expr: (expr.of,),
    IsNone: lambda expr: (expr.of,),
    Call: attrgetter("args"),
    Apply: attrgetter("args"),
    Lookup: attrgetter("args"),
    Fold: _of_fold,
    Logic: attrgetter("parts"),
    Compare: attrgetter("left", "right"),
    Arith: attrgetter("left", "right"),
    In: attrgetter("item", "container"),
    IfElse: attrgetter("test", "yes", "no"),
    ListOf: attrgetter("items"),
}


def children(expr: Expr) -> tuple[Expr, ...]:
    """The expressions directly inside one, in reading order."""
    parts = _PARTS.get(type(expr))
    return () if parts is None else parts(expr)


def walk(expr: Expr) -> list[Expr]:
    """An expression and everything inside it, outermost first."""
    found = [expr]
    for part in found:
        found.extend(children(part))
    return found


def source_zone(expr: Expr, pick: ZoneRef | None) -> ZoneRef | None:
    """The zone from which an effect takes the cards of ``expr``: the one that they are chosen from."""
    match expr:
        case Fold() if expr.word == "cards" and isinstance(expr.loops[0].source, ZoneRef):
            return expr.loops[0].source
        case ZoneRef():
            return expr
        case IfElse():
            return source_zone(expr.yes, pick)
        case _:
            return pick

"""What the clauses of a move ask, sorted by what they look at, so that listing moves can use it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Literal

from ..cards.forms import Reading
from ..model import Clause
from .working import Working

Function = Callable[[Working, Any, int, Any], Any]  # g, seat, picked, chosen
Formal = Callable[[Working, int, Reading, Any], bool]  # g, seat, how the play reads, None
ClauseKind = Literal[
    "gate",
    "choice",
    "beats",
    "pointwise",
    "form",
    "at_most",
    "follows_group",
    "follows_sets",
    "follows_runs",
    "opaque",
]
FOLLOWING = frozenset({"follows_group", "follows_sets", "follows_runs"})
NARROWING = FOLLOWING | {"at_most"}


@lru_cache(maxsize=256)
def so_many(number: int) -> Reading:
    """Some cards of which only the number is known."""
    return Reading(-1, 1, number, -1, 0, 0)


@dataclass(frozen=True, slots=True)
class Part:
    """One of the parts of a clause that must all hold.

    ``gate``: does not depend on the move. ``choice``: on what is chosen alone. ``beats``: exactly
    ``beats(picked, trick)``. ``pointwise``: each picked card by itself, those in ``mask(g, seat, 0, None)``
    fit. ``form``: depends on what is picked only through its shape, its group and the number of cards.
    ``at_most``: no more cards of ``mask`` than ``bound(g, seat, so_many(number), None)``. ``follows_…``: exactly the word with the cards picked, the place they are picked from and the trick.
    ``opaque``: anything else. ``formal(g, seat, reading, None)`` is the condition of a ``form``.
    """

    kind: ClauseKind
    holds: Function
    mask: Function | None = None
    bound: Callable[[Working, int, Reading, Any], int] | None = None
    formal: Formal | None = None


@dataclass(frozen=True, slots=True)
class CompiledClause:
    """A clause: broken where ``when`` (None: always) holds and ``that`` does not."""

    clause: Clause
    that: Function
    when: Function | None
    when_gate: bool  # whether ``when`` does not depend on the move
    formal: Formal | None  # the whole clause, where it depends on the pick only as a ``form`` does
    parts: tuple[Part, ...]

    def holds(self, g: Working, seat: int, picked: int, chosen: Any) -> bool:
        """Whether it does not forbid the move."""
        return (self.when is not None and not self.when(g, seat, picked, chosen)) or self.that(g, seat, picked, chosen)


@dataclass(frozen=True, slots=True)
class Asks:
    """``gates`` settle whether there is any move; ``choices`` look at what is chosen alone, ``masks`` say which cards
    may be picked, ``forms`` look at how a play reads; with ``beating`` it must beat the trick; ``narrow`` is
    what the cards picked as a whole must do, ``tests`` what is left. ``guarded``: what is asked where a
    condition holds that does not depend on the move.
    """

    gates: tuple[Function, ...] = ()
    choices: tuple[Function, ...] = ()
    masks: tuple[Function, ...] = ()
    forms: tuple[Formal, ...] = ()
    beating: bool = False
    narrow: tuple[Part, ...] = ()
    tests: tuple[Function, ...] = ()
    guarded: tuple[tuple[Function, Asks], ...] = ()
    settled: dict[int, Asks] = field(default_factory=dict, compare=False, repr=False)  # by which conditions held

    def __add__(self, other: Asks) -> Asks:
        return Asks(
            self.gates + other.gates,
            self.choices + other.choices,
            self.masks + other.masks,
            self.forms + other.forms,
            self.beating or other.beating,
            self.narrow + other.narrow,
            self.tests + other.tests,
            self.guarded + other.guarded,
        )

    def here(self, g: Working, seat: int) -> Asks:
        """What is asked in one state, its conditions settled."""
        bits = bit = 1
        for when, _ in self.guarded:
            bit <<= 1
            if when(g, seat, 0, None):
                bits |= bit
        found = self.settled.get(bits)
        if found is None:
            found = replace(self, guarded=(), settled={})
            for number, (_, more) in enumerate(self.guarded, 1):
                if bits >> number & 1:
                    found += more
            self.settled[bits] = found
        return found


ASKS_NOTHING = Asks()


def asks_of(clauses: tuple[CompiledClause, ...], *, by_shape: bool) -> Asks:
    """What the clauses of a move ask; ``by_shape``: of one that picks plays of some shapes."""
    found = ASKS_NOTHING
    for clause in clauses:
        if clause.when is None:
            found += _asked(clause.parts, by_shape=by_shape)
        elif clause.when_gate:
            found += Asks(guarded=((clause.when, _asked(clause.parts, by_shape=by_shape)),))
        elif by_shape and clause.formal is not None:
            found += Asks(forms=(clause.formal,))
        else:
            found += Asks(tests=(clause.holds,))
    return found


def _asked(parts: tuple[Part, ...], *, by_shape: bool) -> Asks:
    found = Asks()
    for part in parts:
        if part.kind == "gate":
            found += Asks(gates=(part.holds,))
        elif part.kind == "choice":
            found += Asks(choices=(part.holds,))
        elif part.kind == "pointwise" and part.mask is not None:
            found += Asks(masks=(part.mask,))
        elif part.kind == "beats" and by_shape:
            found += Asks(beating=True)
        elif part.formal is not None and by_shape:
            found += Asks(forms=(part.formal,))
        elif part.kind in NARROWING and not by_shape:
            found += Asks(narrow=(part,))
        else:
            found += Asks(tests=(part.holds,))
    return found


__all__ = [
    "ASKS_NOTHING",
    "FOLLOWING",
    "NARROWING",
    "Asks",
    "ClauseKind",
    "CompiledClause",
    "Function",
    "Part",
    "asks_of",
]

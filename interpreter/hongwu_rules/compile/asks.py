"""What the clauses of a move ask, sorted by what they look at, so that listing moves can use it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
    "fixed",
    "alike",
    "at_most",
    "follows_group",
    "follows_sets",
    "follows_runs",
    "opaque",
]
FOLLOWING = frozenset({"follows_group", "follows_sets", "follows_runs"})


@lru_cache(maxsize=256)
def so_many(number: int) -> Reading:
    """Some cards of which only the number is known."""
    return Reading(-1, 1, number, -1, 0, 0)


@dataclass(frozen=True, slots=True)
class Part:
    """One of the parts of a clause that must all hold.

    ``gate``: does not depend on the move. ``choice``: on what is chosen alone. ``beats``: exactly
    ``beats(picked, trick)``. ``pointwise``: each picked card by itself, those in ``mask(g, seat, 0, None)``
    fit. ``form``: depends on what is picked only through its shape, its group and the number of cards;
    ``fixed``: and on nothing else, in any state. ``at_most``: no more cards of ``mask`` than
    ``bound(g, seat, so_many(number), None)``. ``follows_…``: exactly the word with the cards picked, the
    place they are picked from and the trick. ``alike``: exactly that the cards picked are alike;
    ``kinds(g)`` has by card id the mask of those. ``opaque``: anything else, but with a ``mask`` no other
    cards are picked.

    The condition of a ``form`` is ``form(g, seat, reading, None)``, that of one that is fixed ``form(reading)``.
    """

    kind: ClauseKind
    holds: Function
    mask: Function | None = None
    bound: Callable[[Working, int, Reading, Any], int] | None = None
    form: Callable[..., bool] | None = None
    cards: int | None = None  # the mask, where it is always the same
    kinds: Callable[[Working], Sequence[int]] | None = None


@dataclass(frozen=True, slots=True)
class CompiledClause:
    """A clause: broken where ``when`` (None: always) holds and ``that`` does not."""

    clause: Clause
    that: Function
    when: Function | None
    when_gate: bool  # whether ``when`` does not depend on the move
    whole: Part | None  # the whole clause, where it depends on the pick only as a ``form`` does
    parts: tuple[Part, ...]

    def holds(self, g: Working, seat: int, picked: int, chosen: Any) -> bool:
        """Whether it does not forbid the move."""
        return (self.when is not None and not self.when(g, seat, picked, chosen)) or self.that(g, seat, picked, chosen)


@dataclass(frozen=True, slots=True, eq=False)
class Asks:
    """What a move asks, by what it takes to see to it.

    ``shapes``: those that a play may have. ``choices`` look at what is chosen alone, ``masks`` say which cards
    may be picked, ``forms`` look at how a play reads, ``fixed`` also, but at nothing else; with ``beating`` it
    must beat the trick; ``follows`` are the duties of a follower, by kind, ``bounds`` say how many of some cards
    may be picked, with ``alike`` only cards that are alike; ``tests`` is what is left. ``guarded``: what else is
    asked where a condition holds that does not depend on the move, in the order of the bits of
    ``CompiledMove.ready``.
    """

    shapes: frozenset[int] | None = None

    choices: tuple[Function, ...] = ()
    masks: tuple[Function, ...] = ()
    forms: tuple[Formal, ...] = ()
    fixed: tuple[Callable[[Reading], bool], ...] = ()
    beating: bool = False
    follows: Mapping[str, Function] = field(default_factory=dict)
    bounds: tuple[Part, ...] = ()
    alike: Callable[[Working], Sequence[int]] | None = None
    tests: tuple[Function, ...] = ()
    guarded: tuple[Asks, ...] = ()
    settled: dict[int, Asks] = field(default_factory=dict, repr=False)  # by which conditions held
    fits: Callable[[Reading], bool] = field(init=False, repr=False)  # the shape, and what is ``fixed``
    bounded: int = field(init=False, repr=False)  # the cards that ``bounds`` are about, all (-1) where that varies
    owes: tuple[bool, bool] | None = field(init=False, repr=False)  # beside the group led sets, and runs

    def __post_init__(self) -> None:
        shapes, fixed = self.shapes, self.fixed

        def fits(reading: Reading) -> bool:
            return (shapes is None or reading.shape in shapes) and all(test(reading) for test in fixed)

        object.__setattr__(self, "fits", fits)
        bounded = 0
        for part in self.bounds:
            bounded |= -1 if part.cards is None else part.cards
        object.__setattr__(self, "bounded", bounded)
        owes = ("follows_sets" in self.follows, "follows_runs" in self.follows)
        object.__setattr__(self, "owes", owes if "follows_group" in self.follows else None)

    def __add__(self, other: Asks) -> Asks:
        return Asks(
            self.shapes,
            self.choices + other.choices,
            self.masks + other.masks,
            self.forms + other.forms,
            self.fixed + other.fixed,
            self.beating or other.beating,
            {**self.follows, **other.follows},
            self.bounds + other.bounds,
            self.alike or other.alike,
            self.tests + other.tests,
            self.guarded + other.guarded,
        )

    def under(self, bits: int) -> Asks:
        """What is asked where those of ``guarded`` count whose bits are set."""
        found = self.settled.get(bits)
        if found is None:
            found = replace(self, guarded=(), settled={})
            for number, more in enumerate(self.guarded):
                if bits >> number & 1:
                    found += more
            self.settled[bits] = found
        return found


def asks_of(clauses: tuple[CompiledClause, ...], *, shapes: frozenset[int] | None) -> Asks:
    """What the clauses of a move ask; ``shapes``: of one that picks plays, those that these may have."""
    found = Asks(shapes)
    by_shape = shapes is not None
    for clause in clauses:
        if clause.when is None:
            parts = tuple(part for part in clause.parts if part.kind != "choice")  # those are choosable
            found += _asked(parts, by_shape=by_shape)
        elif clause.when_gate:
            found += Asks(guarded=(_asked(clause.parts, by_shape=by_shape),))
        elif by_shape and clause.whole is not None:
            found += _asked((clause.whole,), by_shape=by_shape)
        else:
            found += Asks(tests=(clause.holds,))
    return found


def _asked(parts: tuple[Part, ...], *, by_shape: bool) -> Asks:
    found = Asks()
    for part in parts:
        if part.kind == "gate":
            continue  # it is asked first of all, see ``CompiledMove.ready``
        if part.kind == "choice":
            found += Asks(choices=(part.holds,))
        elif part.kind == "pointwise" and part.mask is not None:
            found += Asks(masks=(part.mask,))
        elif part.kind == "beats" and by_shape:
            found += Asks(beating=True)
        elif part.form is not None and by_shape:
            found += Asks(fixed=(part.form,)) if part.kind == "fixed" else Asks(forms=(part.form,))
        elif part.kind in FOLLOWING and not by_shape:
            found += Asks(follows={part.kind: part.holds})
        elif part.kind == "at_most" and not by_shape:
            found += Asks(bounds=(part,))
        elif part.kinds is not None and not by_shape:
            found += Asks(alike=part.kinds)
        else:
            narrowed = () if part.mask is None or part.kind != "opaque" else (part.mask,)
            found += Asks(masks=narrowed, tests=(part.holds,))
    return found


__all__ = [
    "FOLLOWING",
    "Asks",
    "ClauseKind",
    "CompiledClause",
    "Function",
    "Part",
    "asks_of",
]

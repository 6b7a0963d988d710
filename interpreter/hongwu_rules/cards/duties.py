"""What a follower owes to the shape led: sets alike, and runs of them.

*Sets*: as many sets of each width as were led, if they are held; a set that cannot be had is owed in
smaller ones (three alike as a pair). *Runs*: runs as long as those led; one that cannot be had is owed
in shorter ones, the longest first. Both compare what a play gives with the most that the hand can give.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from .forms import Reading
from .lanes import Lanes, Look

Segments = tuple[tuple[int, ...], ...]  # how many sets on each place of stretches of neighbouring places


class Demand(NamedTuple):
    """What a lead asks for.

    ``sets``: the width of each set led, widest first; single cards ask for nothing. ``runs``: by
    width, the lengths of the runs led, longest first.
    """

    sets: tuple[int, ...]
    runs: tuple[tuple[int, tuple[int, ...]], ...]


@lru_cache(maxsize=1 << 12)
def demand_of(lead: Reading) -> Demand:
    """What the reading of a lead asks for."""
    sets: list[int] = []
    runs: dict[int, list[int]] = {}
    for part in lead.parts or (lead,):
        if part.width > 1:
            sets += [part.width] * part.length
        if part.length > 1:
            runs.setdefault(part.width, []).append(part.length)
    return Demand(
        tuple(sorted(sets, reverse=True)),
        tuple((width, tuple(sorted(runs[width], reverse=True))) for width in sorted(runs, reverse=True)),
    )


class Duties:
    """The duties under one order."""

    def __init__(self, lanes: Lanes) -> None:
        self._lanes = lanes

    def sets(self, cards: int, demand: Demand) -> tuple[int, ...]:
        """The most sets that the cards give towards a demand: how many of each width, widest first."""
        copies = [n for _, _, n in self._lanes.look(cards).cells if n > 1]
        if not demand.sets:
            return ()
        if demand.sets[0] == 2:
            return (min(len(demand.sets), sum([n // 2 for n in copies])),)
        return most_sets(tuple(sorted(copies)), tuple(sorted(demand.sets)), demand.sets[0])

    def runs(self, cards: int, demand: Demand) -> tuple[tuple[int, ...], ...]:
        """The longest runs that the cards give towards a demand: by width led, their lengths."""
        look = self._lanes.look(cards)
        return tuple([longest_runs(segments(look, width), lengths) for width, lengths in demand.runs])

    def follows_sets(self, picked: int, hand: int, demand: Demand) -> bool:
        """Whether ``picked`` gives as many sets as ``hand`` can; both are of the group led."""
        return not demand.sets or picked == hand or self.sets(picked, demand) == self.sets(hand, demand)

    def follows_runs(self, picked: int, hand: int, demand: Demand) -> bool:
        """Whether ``picked`` gives runs as long as ``hand`` can; both are of the group led."""
        return not demand.runs or picked == hand or self.runs(picked, demand) == self.runs(hand, demand)


def segments(look: Look, width: int) -> Segments:
    """How many sets of a width each place has, for every stretch of two or more neighbouring places."""
    bits = look.alike(width)
    if not bits & (bits >> 1):
        return ()
    found: list[tuple[int, ...]] = []
    now: list[int] = []
    before = -2
    for place, _, copies in look.cells:
        number = copies // width
        if not number:
            continue
        if place == before:
            now[-1] += number
            continue
        if place != before + 1:
            if len(now) > 1:
                found.append(tuple(now))
            now = []
        now.append(number)
        before = place
    if len(now) > 1:
        found.append(tuple(now))
    return tuple(found)


@lru_cache(maxsize=1 << 14)
def most_sets(copies: tuple[int, ...], owed: tuple[int, ...], width: int) -> tuple[int, ...]:
    """How many sets of ``width``, then of each smaller width down to 2, can be given at most.

    ``copies`` are those of each kind of card; ``owed`` the widths still owed, of which a set of less
    width takes its part. More sets of a greater width go before all of a smaller one.

    >>> most_sets((3, 3), (3, 3), 3), most_sets((2, 3), (3, 3), 3), most_sets((2, 2, 2), (3, 3), 3)
    ((2, 0), (1, 1), (0, 2))
    """
    if width < 2:
        return ()
    most = min(sum(n // width for n in copies), sum(n // width for n in owed))
    rest = owed
    for _ in range(most):
        rest = _less(rest, min(n for n in rest if n >= width), width)
    return max((most, *most_sets(left, rest, width - 1)) for left in set(_after(copies, width, most)))


def _less(items: tuple[int, ...], item: int, by: int) -> tuple[int, ...]:
    """The sorted items with one of them made smaller."""
    kept = list(items)
    kept.remove(item)
    return tuple(sorted([*kept, item - by]))


def _after(copies: tuple[int, ...], width: int, number: int) -> Iterator[tuple[int, ...]]:
    """What may be left of the copies once so many sets are taken."""
    if not number:
        yield copies
        return
    for item in {n for n in copies if n >= width}:
        yield from _after(_less(copies, item, width), width, number - 1)


@lru_cache(maxsize=1 << 15)
def longest_runs(stretches: Segments, lengths: tuple[int, ...]) -> tuple[int, ...]:
    """The longest runs towards those owed that fit side by side into the stretches.

    >>> longest_runs(((1, 1, 1, 1),), (3, 2)), longest_runs(((1, 2, 1),), (2, 2)), longest_runs((), (3,))
    ((3,), (2, 2), ())
    """
    if not stretches:
        return ()
    return next(pieces for pieces in _pieces(lengths) if _fit(stretches, pieces))


@lru_cache(maxsize=1 << 10)
def _pieces(lengths: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Every way to give runs of two or more towards the lengths owed, the longest first."""
    found: set[tuple[int, ...]] = {()}
    for length in lengths:
        found = {tuple(sorted(have + more, reverse=True)) for have in found for more in _parted(length, length)}
    return tuple(sorted(found, reverse=True))


@lru_cache(maxsize=1 << 10)
def _parted(length: int, most: int) -> tuple[tuple[int, ...], ...]:
    """The runs of at most ``most`` that a run may be broken into; single steps are left out."""
    found: list[tuple[int, ...]] = [()]
    for piece in range(min(length, most), 1, -1):
        found += [(piece, *rest) for rest in _parted(length - piece, piece)]
    return tuple(found)


@lru_cache(maxsize=1 << 15)
def _fit(stretches: Segments, pieces: tuple[int, ...]) -> bool:
    """Whether runs of these lengths fit side by side into the stretches."""
    if not pieces:
        return True
    length = pieces[0]
    for number, stretch in enumerate(stretches):
        for first in range(len(stretch) - length + 1):
            if all(stretch[first : first + length]):
                left = tuple(n - (first <= at < first + length) for at, n in enumerate(stretch))
                rest = (*stretches[:number], *_cut(left), *stretches[number + 1 :])
                if _fit(tuple(sorted(rest)), pieces[1:]):
                    return True
    return False


def _cut(stretch: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The stretch cut where nothing is left; single places are dropped."""
    now: list[int] = []
    for number in (*stretch, 0):
        if number:
            now.append(number)
        else:
            if len(now) > 1:
                yield tuple(now)
            now = []

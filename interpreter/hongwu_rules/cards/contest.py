"""Plays against a lead of several parts: who can be laid out in its parts, and whose layout is higher.

A play lies in the parts of the lead if its cards can be shared out among them: a longer run may serve
as a shorter one, a run as pairs, pairs as single cards; loose pairs never serve as a run. A layout is
what such a play is measured by, as the table agrees: every part, the largest kind, or the highest card.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .forms import Reading
from .lanes import Lanes, runs_of

EVERY_PART, LARGEST_KIND, HIGHEST_CARD = 0, 1, 2
Measure = tuple[int, ...]
Cells = tuple[tuple[int, int, int], ...]


class Contest:
    """Measures plays under one order. ``over`` is one of the ways above; ``later``: the later of equals wins."""

    def __init__(self, lanes: Lanes, *, over: int, later: bool) -> None:
        self._lanes = lanes
        self._over = over
        self.later = later

    def of_lead(self, lead: Reading) -> Measure:
        """The measure of the lead itself."""
        tops = [self._lanes.top(part) for part in lead.parts]
        if self._over == EVERY_PART:
            return tuple(tops)
        if self._over == HIGHEST_CARD:
            return (max(tops),)
        return (max(tops[i] for i in self._largest(lead)),)

    def measure(self, cards: int, lead: Reading, against: Measure | None = None) -> Measure | None:
        """The measure of a play of one group, None if it does not lie in the parts led.

        With ``against``, the measure of the best play of its group so far: None too if it is not higher.
        """
        cells = self._lanes.look(cards).cells
        parts = lead.parts
        if self._over == EVERY_PART:
            return next(self._layouts(cells, parts, against), None)
        found = None
        if self._over == HIGHEST_CARD:
            if next(self._layouts(cells, parts, None), None) is not None:
                found = max(place for place, _, _ in cells)
        else:
            for first in self._largest(lead):
                tried = (parts[first], *parts[:first], *parts[first + 1 :])
                layout = next(self._layouts(cells, tried, None), None)
                if layout is not None and (found is None or layout[0] > found):
                    found = layout[0]
        if found is None or (against is not None and not self._higher(found, against[0])):
            return None
        return (found,)

    def _higher(self, new: int, old: int) -> bool:
        return new >= old if self.later else new > old

    @staticmethod
    def _largest(lead: Reading) -> list[int]:
        """One part of each size of the kind that the lead lists first, which is its largest."""
        kind, sizes, found = lead.parts[0].shape, set(), []
        for number, part in enumerate(lead.parts):
            if part.shape == kind and part[1:3] not in sizes:
                sizes.add(part[1:3])
                found.append(number)
        return found

    def _layouts(self, cells: Cells, parts: Sequence[Reading], against: Measure | None) -> Iterator[Measure]:
        """Layouts of the cards in the parts, those with the highest first parts first.

        With ``against`` every part must be higher than the one in the same place.
        """
        large = [i for i, part in enumerate(parts) if part.width > 1 or part.length > 1]
        small = [i for i, part in enumerate(parts) if part.width == part.length == 1]
        floor = [-1 if against is None else against[i] + (not self.later) for i in range(len(parts))]
        tops = [0] * len(parts)
        # parts of one size are interchangeable: the higher must meet the higher
        order: dict[tuple[int, int], list[int]] = {}
        for i in large:
            order.setdefault(parts[i][1:3], []).append(i)
        sizes = [i for group in order.values() for i in sorted(group, key=lambda i: -floor[i])]
        lone = sorted(small, key=lambda i: -floor[i])

        def lay(at: int, left: Cells) -> Iterator[Measure]:
            if at == len(sizes):
                rest = [place for place, _, copies in reversed(left) for _ in range(copies)]
                if len(rest) == len(lone) and all(p >= floor[i] for p, i in zip(rest, lone, strict=True)):
                    for place, i in zip(rest, lone, strict=True):
                        tops[i] = place
                    yield tuple(tops)
                return
            part = parts[sizes[at]]
            _, width, length = part[:3]
            most = -1
            if at and parts[sizes[at - 1]][1:3] == part[1:3]:
                most = tops[sizes[at - 1]]
            bits = 0
            for place, _, copies in left:
                if copies >= width:
                    bits |= 1 << place
            starts = runs_of(bits, length)
            while starts:
                first = starts.bit_length() - 1
                starts ^= 1 << first
                top = first + length - 1
                if top < floor[sizes[at]]:
                    return
                if most < 0 or top <= most:
                    tops[sizes[at]] = top
                    yield from lay(at + 1, _without(left, first, width=width, length=length))

        return lay(0, cells)


def _without(cells: Cells, first: int, *, width: int, length: int) -> Cells:
    """The cells without a run of sets: at each place from the cell with the fewest cards that has enough."""
    left = list(cells)
    for place in range(first, first + length):
        best = min((i for i, c in enumerate(left) if c[0] == place and c[2] >= width), key=lambda i: left[i][2])
        at, cell, copies = left[best]
        left[best] = (at, cell, copies - width)
    return tuple([cell for cell in left if cell[2]])

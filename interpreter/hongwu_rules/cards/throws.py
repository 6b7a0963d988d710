"""Plays of several parts: how they are read, which a hand can make, and whether others beat a part.

A throw is read greedily: the shapes of its parts in the order in which the file lists them, of each
the longest and then the highest first. Every set of cards of one group that is no other shape reads
as a throw where a single card may be a part; then the number of throws is that of all choices less
the other plays, and neither counting nor drawing needs a list.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from . import SIZE, Packing
from .attached import Checked
from .forms import Plan, Reading, ShapeSpec
from .lanes import Lanes, Look, Pool, longest_run, runs_of
from .order import OrderTable
from .picks import Subsets, lowest

REMEMBERED = 1 << 8  # plans of groups: those of the hands of a few deals


class Part(NamedTuple):
    """A part of a play and its cards."""

    reading: Reading
    cards: int


class _Kind(NamedTuple):
    """A shape as a part: fewest and most steps, widths, and the places that it must keep to, as bits."""

    shape: int
    low: int
    high: int
    widths: range
    inside: int | None
    power: Callable[[int, int], int]


class Throws:
    """One shape made of parts. ``others(held)`` lists the plays of the ordinary shapes, by plans."""

    def __init__(
        self,
        spec: ShapeSpec,
        shapes: Sequence[ShapeSpec],
        lanes: Lanes,
        *,
        classes: Sequence[int],
        others: Callable[[int], Sequence[Plan]],
        members: Callable[[Plan, int], Iterator[int]],
        read: Callable[[int], Reading | None],
    ) -> None:
        self.spec = spec
        self.index = spec.index
        self._lanes = lanes
        self._table: OrderTable = lanes.table
        self._packing: Packing = lanes.packing
        self._classes = classes
        self._others, self._members, self._read = others, members, read
        by_index = {shape.index: shape for shape in shapes}
        kinds = [by_index[i] for i in spec.parts if i in by_index]
        self._kinds = tuple(
            _Kind(
                kind.index,
                *kind.length,
                range(kind.width[1], kind.width[0] - 1, -1),
                lanes.inside(kind.within) if kind.within else None,
                kind.power,
            )
            for kind in kinds
        )
        single = any(kind.width[0] == kind.length[0] == 1 and not kind.within for kind in kinds)
        alone = sum(1 for shape in shapes if shape.parts) == 1
        # whether every choice of cards of one group that is no other shape is a throw
        self.closed = alone and single and spec.count[0] <= 2 and spec.count[1] is None
        self._plans: dict[int, tuple[Plan, ...]] = {}
        self._readings: dict[tuple[int, int], Reading] = {}
        self._singles: dict[tuple[int, int, int, int], Reading] = {}  # parts of one step: shape, width, 1, place
        self._latest: tuple[int, list[tuple[Reading, Sequence[int]]]] = (0, [])

    # -- reading -------------------------------------------------------------------------------

    def split(self, cards: int) -> tuple[Part, ...]:
        """The parts of the cards, which are of one group; none if some card is left over."""
        card_of = self._lanes.card_of
        if card_of is not None:
            return tuple(
                [
                    Part(reading, reading.width * sum([card_of[cell] for cell in cells]))
                    for reading, cells in self._parts(cards)
                ]
            )
        parts, left, mask_of = [], cards, self._lanes.cell_mask
        for reading, cells in self._parts(cards):
            taken = 0
            for cell in cells:
                some = lowest(self._packing, left & mask_of[cell], reading.width)
                left -= some
                taken += some
            parts.append(Part(reading, taken))
        return tuple(parts)

    def _parts(self, cards: int) -> list[tuple[Reading, Sequence[int]]]:
        """The parts, with the cells of each; those of the last cards asked about are known."""
        latest = self._latest
        if latest[0] != cards:
            latest = self._latest = cards, self._part(cards)
        return latest[1]

    def _part(self, cards: int) -> list[tuple[Reading, Sequence[int]]]:
        if self._group_of(cards) < 0:
            return []
        lanes = self._lanes
        look, known = lanes.look(cards), self._singles
        pool, left = Pool(look), sum([copies for _, _, copies in look.cells])
        found: list[tuple[Reading, Sequence[int]]] = []
        for shape, low, high, widths, inside, power in self._kinds:
            for width in widths:
                if width > left:
                    continue
                if high == 1 and inside is None:
                    for place, cell in pool.sets(width):
                        key = shape, width, 1, place
                        reading = known.get(key)
                        if reading is None:
                            reading = known[key] = Reading(shape, width, 1, *lanes.step[place], power(width, 1))
                        found.append((reading, (cell,)))
                        left -= width
                    continue
                while left:
                    bits = pool.alike(width)
                    length, first = longest_run(bits if inside is None else bits & inside, low=low, high=high)
                    if not length:
                        break
                    taken = pool.run(width, first, length)
                    group, top = lanes.step[first + length - 1]
                    found.append((Reading(shape, width, length, group, top, power(width, length)), taken))
                    left -= width * length
        return [] if left else found

    def _group_of(self, cards: int) -> int:
        """The group of all the cards, by that of the first; -1 if they are mixed."""
        table = self._table
        group = table.group[((cards & -cards).bit_length() - 1) // self._packing.width] if cards else -1
        return -1 if group < 0 or cards & ~table.group_mask[group] else group

    def read(self, cards: int) -> Reading | None:
        """The cards as a throw: its width is 1 and its length the number of cards."""
        parts = tuple([reading for reading, _ in self._parts(cards)])
        low, high = self.spec.count
        if not parts or len(parts) < low or (high is not None and len(parts) > high):
            return None
        number = sum([part.width * part.length for part in parts])
        return Reading(self.index, 1, number, parts[0].group, max([part.top for part in parts]), 0, parts)

    def fits(self, cards: int) -> bool:
        """Whether cards that read as no ordinary shape are a throw."""
        if self.closed:
            return self._group_of(cards) >= 0
        return self.read(cards) is not None

    # -- what a hand can throw --------------------------------------------------------------------

    def plans(self, hand: int, groups: Iterable[int]) -> list[Plan]:
        """A plan for each number of cards of each of the groups, given as masks: fewest cards first."""
        found: list[Plan] = []
        for mask in groups:
            held = hand & mask
            if held & (held - 1):
                plans = self._plans.get(held)
                if plans is None:
                    if len(self._plans) >= REMEMBERED:
                        self._plans.clear()
                    plans = self._plans[held] = tuple(self._group_plans(held))
                found.extend(plans)
        return found

    def _group_plans(self, held: int) -> Iterator[Plan]:
        number, group = self._packing.count(held), self._table.group_of(held)
        every = Subsets(held, self._packing, self._classes, 2, number)
        if not self.closed:
            for size in range(2, number + 1):
                checked = Checked((every.of_size(size),), self._is_throw)
                if checked.ways:
                    yield Plan(self._reading(group, size), checked.ways, (checked,))
            return
        skipped: dict[int, list[Plan]] = {}
        for plan in self._others(held):
            shape = plan.reading.shape
            if shape < self.index or not self._is_throw(next(self._members(plan, held))):
                skipped.setdefault(plan.reading.size, []).append(plan)
        for size in range(2, number + 1):
            others = skipped.get(size, ())
            ways = every.of(size) - sum([plan.ways for plan in others])
            if ways:
                yield Plan(self._reading(group, size), ways, (Thrown(every, size, others, ways, held, self._members),))

    def readings(self, group: int) -> list[Reading]:
        """What is known of every throw of a group before it is read."""
        mask, table = self._table.group_mask[group], self._table
        most = sum(table.copies[card] for card in range(SIZE) if self._packing.one[card] & mask)
        return [self._reading(group, size) for size in range(2, most + 1)]

    def _reading(self, group: int, size: int) -> Reading:
        """What a throw of so many cards is known to be before it is read."""
        found = self._readings.get((group, size))
        if found is None:
            found = self._readings[group, size] = Reading(self.index, 1, size, group, 0, 0)
        return found

    def _is_throw(self, cards: int) -> bool:
        reading = self._read(cards)
        return reading is not None and reading.shape == self.index

    # -- against other hands --------------------------------------------------------------------

    def beaten(self, cards: int, hands: Sequence[int]) -> list[Part]:
        """The parts that one of the hands beats: with as many alike, in a run as long or longer, higher."""
        parts = self.split(cards)
        is_beaten = self._beaten_by(hands)
        return [part for part in parts if is_beaten(part.reading)]

    def any_beaten(self, cards: int, hands: Sequence[int]) -> bool:
        """Whether one of the hands beats a part."""
        is_beaten = self._beaten_by(hands)
        return any(is_beaten(reading) for reading, _ in reversed(self._parts(cards)))  # single cards are soon asked

    def _beaten_by(self, hands: Sequence[int]) -> Callable[[Reading], bool]:
        """Asks whether one of the hands beats a part."""
        lanes, looks = self._lanes, list[Look]()

        def is_beaten(reading: Reading) -> bool:
            top = lanes.top(reading)
            if reading.width == reading.length == 1:
                higher = lanes.higher[top]
                return any(hand & higher for hand in hands)
            if not looks:
                mask = self._table.group_mask[reading.group]
                looks.extend([lanes.look(hand & mask) for hand in hands])
            first = top - reading.length + 1
            return any(runs_of(look.alike(reading.width), reading.length) >> (first + 1) for look in looks)

        return is_beaten


class Thrown:
    """All choices of ``size`` cards of a group but those that are another shape."""

    __slots__ = ("_every", "_held", "_listed", "_members", "_size", "_skipped", "ways")

    def __init__(
        self,
        every: Subsets,
        size: int,
        skipped: Sequence[Plan],
        ways: int,
        held: int,
        members: Callable[[Plan, int], Iterator[int]],
    ) -> None:
        self._every, self._size, self._skipped, self._held, self._members = every, size, skipped, held, members
        self.ways = ways
        self._listed: tuple[frozenset[int], list[int]] | None = None

    def _others(self) -> tuple[frozenset[int], list[int]]:
        """The plays left out, and their places among all choices, each less those before it."""
        if self._listed is None:
            others = frozenset(play for plan in self._skipped for play in self._members(plan, self._held))
            places = sorted(self._every.place(play) for play in others)
            self._listed = others, [place - n for n, place in enumerate(places)]
        return self._listed

    def __iter__(self) -> Iterator[int]:
        others = self._others()[0]
        return (cards for cards in self._every.of_size(self._size) if cards not in others)

    def at(self, place: int) -> int:
        """The choice at a place; IndexError outside."""
        if not 0 <= place < self.ways:
            raise IndexError("no such throw")
        return self._every.at_size(place + bisect_right(self._others()[1], place), self._size)

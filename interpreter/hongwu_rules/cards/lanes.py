"""Sets of cards alike and runs of such sets, as places on lanes.

Each step of the order that has cards is a *place*. Neighbours in a run have neighbouring numbers, and
a number is left out where a run must end, so that a run is a stretch of bits. Within a group a higher
place is a higher step. Nothing here depends on which of several suits on one step a card has.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from . import SIZE, Packing
from .forms import Reading
from .order import OrderTable

REMEMBERED = 1 << 11


class Look(NamedTuple):
    """Some cards cell by cell (a cell: cards alike): (place, cell, copies), the lowest place first.

    ``bits[w - 1]`` has a bit for each place with ``w`` alike.
    """

    cells: tuple[tuple[int, int, int], ...]
    bits: tuple[int, ...]

    def alike(self, width: int) -> int:
        """The places with so many alike, as bits."""
        return self.bits[width - 1] if width <= len(self.bits) else 0


class Lanes:
    """The places of one order. ``cell`` is by card id."""

    def __init__(self, table: OrderTable, packing: Packing, cell: Sequence[int]) -> None:
        self.table = table
        self.packing = packing
        self.cell = cell
        self.number: dict[tuple[int, int], int] = {}  # (group, step) → place
        self.step: dict[int, tuple[int, int]] = {}
        place = 0
        for group, masks in enumerate(table.step_mask):
            before = -1
            for step, mask in enumerate(masks):
                if not mask:
                    continue
                if before < 0 or table.neighbour[group][before] != step:
                    place += 1
                self.number[group, step], self.step[place] = place, (group, step)
                place += 1
                before = step
        self.higher = {  # by place: the cards of the group that are on higher ones
            self.number[group, step]: sum(masks[other] for other in range(step + 1, len(masks)))
            for group, masks in enumerate(table.step_mask)
            for step, mask in enumerate(masks)
            if mask
        }
        self.place = tuple(self.number[table.group[c], table.step[c]] if cell[c] >= 0 else -1 for c in range(SIZE))
        of_cell: dict[int, list[int]] = {}
        for card in range(SIZE):
            of_cell.setdefault(cell[card], []).append(card)
        self.cell_mask = {number: packing.mask(cards) for number, cards in of_cell.items()}
        # by cell its card, where no cell has two
        alone = all(len(cards) == 1 for number, cards in of_cell.items() if number >= 0)
        self.card_of = {number: packing.one[cards[0]] for number, cards in of_cell.items()} if alone else None
        self._looks: dict[int, Look] = {}

    def look(self, cards: int) -> Look:
        """What the cards are, cell by cell."""
        found = self._looks.get(cards)
        if found is None:
            if len(self._looks) >= REMEMBERED:
                self._looks.clear()
            found = self._looks[cards] = self._look(cards)
        return found

    def _look(self, cards: int) -> Look:
        cell, place = self.cell, self.place
        cells: list[tuple[int, int, int]]
        if self.card_of is not None:
            cells = [(place[card], cell[card], copies) for card, copies in self.packing.items(cards) if cell[card] >= 0]
        else:
            count: dict[int, int] = {}
            where: dict[int, int] = {}
            for card, copies in self.packing.items(cards):
                number = cell[card]
                if number >= 0:
                    count[number] = count.get(number, 0) + copies
                    where[number] = place[card]
            cells = [(where[number], number, copies) for number, copies in count.items()]
        cells.sort()
        bits: list[int] = []
        for at, _, copies in cells:
            while copies > len(bits):
                bits.append(0)
            bits[0] |= 1 << at
            for width in range(1, copies):
                bits[width] |= 1 << at
        return Look(tuple(cells), tuple(bits))

    def top(self, reading: Reading) -> int:
        """The place of the top step of a reading."""
        return self.number[reading.group, reading.top]

    def inside(self, ranks: Iterable[int]) -> int:
        """The places on which every card of the deck has one of these ranks, as bits."""
        allowed, fit = set(ranks), (1 << (max(self.step, default=0) + 1)) - 1
        for card in range(SIZE):
            if self.place[card] >= 0 and self.table.rank[card] not in allowed:
                fit &= ~(1 << self.place[card])
        return fit


def runs_of(bits: int, length: int) -> int:
    """The places at which a run of ``length`` set bits begins, as bits.

    >>> bin(runs_of(0b110111, 2))
    '0b10011'
    """
    for _ in range(length - 1):
        bits &= bits >> 1
    return bits


def longest_run(bits: int, *, low: int, high: int) -> tuple[int, int]:
    """Length and first place of the longest run, of those the highest; (0, 0) if none has ``low``.

    >>> longest_run(0b110110111, low=2, high=20), longest_run(0b110110111, low=2, high=2)
    ((3, 0), (2, 7))
    """
    length, starts = 0, bits
    while bits and length < high:
        length, starts = length + 1, bits
        bits &= bits >> 1
    return (length, starts.bit_length() - 1) if length >= low and length else (0, 0)


class Pool:
    """Cards of one group from which parts are taken one by one; a part is noted as its cells."""

    __slots__ = ("cells",)

    def __init__(self, look: Look) -> None:
        self.cells = [list(cell) for cell in look.cells]

    def alike(self, width: int) -> int:
        """The places that still have so many alike, as bits."""
        bits = 0
        for place, _, copies in self.cells:
            if copies >= width:
                bits |= 1 << place
        return bits

    def sets(self, width: int) -> list[tuple[int, int]]:
        """Take out all sets of a width, as (place, cell): the highest first."""
        found: list[tuple[int, int]] = []
        for cell in reversed(self.cells):
            number, cell[2] = divmod(cell[2], width)
            found += [(cell[0], cell[1])] * number
        return found

    def run(self, width: int, first: int, length: int) -> list[int]:
        """Take a run out, as its cells: at each place the one with the fewest cards that has enough."""
        taken: list[int] = []
        for place in range(first, first + length):
            best = min([c for c in self.cells if c[0] == place and c[2] >= width], key=lambda c: c[2])
            best[2] -= width
            taken.append(best[1])
        return taken

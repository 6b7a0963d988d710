"""Choosing what goes with a body: so many sets from blocks of cards, counted without being listed.

A block is a few cards that the conditions on wings look at together, mostly the cards alike. What can be
taken of it is listed once for each value that it takes; the number of choices is then a product of
polynomials, and a list or a draw walks along the blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, product
from operator import mul
from typing import NamedTuple

from .picks import Choices

FEW = 512  # choices on one step up to this number are kept as a list
LISTED = 1 << 12  # up to so many choices of wings are made in one go


class Taken(NamedTuple):
    """What can be taken of a block. ``lists`` by number of sets, ``ways`` how many of each, in fields.

    ``whole``: the number of sets that takes all of it, -1 if it cannot all be taken. ``always``: some
    of it belongs to the body.
    """

    ways: int
    lists: tuple[tuple[int, ...], ...]
    whole: int
    always: bool


class Attached:
    """All choices of ``number`` sets from the blocks, those of the body first: then there are few sums to carry along.
    ``bits`` is the width of the fields of ``Taken.ways``."""

    __slots__ = ("_bits", "_blocks", "_number", "_prefix", "ways")

    def __init__(self, blocks: Sequence[Taken], *, number: int, bits: int, ways: int) -> None:
        self._blocks = blocks
        self._number, self._bits, self.ways = number, bits, ways
        self._prefix: list[int] | None = None

    def __iter__(self) -> Iterator[int]:
        return iter(self._listed()) if self.ways <= LISTED else self._walk(len(self._blocks), self._number)

    def _listed(self) -> list[int]:
        """By number of sets the sums so far, block by block; only those that the blocks left can still complete."""
        number, blocks = self._number, self._blocks
        if number == 1 and all(len(block.lists[0]) == 1 for block in blocks):
            none = sum([block.lists[0][0] for block in blocks])
            return [none - lists[0][0] + some for _, lists, _, _ in blocks if len(lists) > 1 for some in lists[1]]
        sums: list[list[int]] = [[0]] + [[]] * number
        after = sum([len(block.lists) - 1 for block in blocks])  # how many sets the blocks left have
        reach = 0  # and those so far
        for _, lists, _, _ in blocks:
            top = len(lists) - 1
            after -= top
            if lists[0] == (0,):  # most blocks: what there is so far stays, and some of this one may be added
                for k in range(min(reach + top, number), max(1, number - after) - 1, -1):
                    more = [base + some for j in range(1, min(k, top) + 1) for base in sums[k - j] for some in lists[j]]
                    sums[k] = sums[k] + more
            else:
                for k in range(min(reach + top, number), max(0, number - after) - 1, -1):
                    sums[k] = [base + some for j in range(min(k, top) + 1) for base in sums[k - j] for some in lists[j]]
            reach = min(reach + top, number)
        return sums[number]

    def _before(self, at: int, number: int) -> int:
        """In how many ways the blocks before ``at`` give so many sets."""
        if self._prefix is None:
            self._prefix = list(accumulate([block.ways for block in self._blocks], mul, initial=1))
        return (self._prefix[at] >> (self._bits * number)) & ((1 << self._bits) - 1)

    def _walk(self, at: int, number: int) -> Iterator[int]:
        if not at:
            yield 0
            return
        for j, some in enumerate(self._blocks[at - 1].lists[: number + 1]):
            if some and self._before(at - 1, number - j):
                for base in self._walk(at - 1, number - j):
                    for more in some:
                        yield base + more

    def at(self, place: int) -> int:
        """The choice at a place of the list; IndexError outside it."""
        if not 0 <= place < self.ways:
            raise IndexError("no such choice of cards")
        cards, number = 0, self._number
        for at in range(len(self._blocks), 0, -1):
            for j, some in enumerate(self._blocks[at - 1].lists[: number + 1]):
                ways = self._before(at - 1, number - j) * len(some)
                if place < ways:
                    place, which = divmod(place, len(some))
                    cards += some[which]
                    number -= j
                    break
                place -= ways
        return cards


class Checked:
    """Those of some choices that pass a test, each once, found by trying them."""

    __slots__ = ("_found", "ways")

    def __init__(self, choices: Sequence[Iterable[int]], test: Callable[[int], bool]) -> None:
        self._found = list(dict.fromkeys(cards for some in choices for cards in some if test(cards)))
        self.ways = len(self._found)

    def __iter__(self) -> Iterator[int]:
        return iter(self._found)

    def at(self, place: int) -> int:
        """The choice at a place of the list."""
        return self._found[place]


def product_of(slots: Sequence[Choices], ways: int) -> Iterator[int]:
    """One choice from each slot, added up; the last slot changes fastest."""
    return map(sum, product(*slots)) if ways <= FEW else _one_by_one(slots)


def _one_by_one(slots: Sequence[Choices]) -> Iterator[int]:
    if len(slots) == 1:
        yield from slots[0]
        return
    for first in slots[0]:
        for rest in _one_by_one(slots[1:]):
            yield first + rest

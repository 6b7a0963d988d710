"""Choosing cards under duties: counted, listed and drawn without trying every set of cards.

The choices come in blocks: some fixed cards, and so many from each of a few pools that share no card.
Where pairs are owed, there is a block for each fitting set of pairs; the rest are single cards, one at
most of each kind that is not in it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from . import Packing
from .duties import Demand, Duties
from .lanes import Lanes
from .picks import Subsets, histogram, lowest, ways_by_size


class Block(NamedTuple):
    """``fixed`` cards, and from each of the pools (cards, number) so many; ``ways`` to choose."""

    fixed: int
    pools: tuple[tuple[int, int], ...]
    ways: int


class Choosing:
    """How cards are chosen from pools: ``classes`` is by card id, equal ones cannot be told apart."""

    def __init__(self, packing: Packing, classes: Sequence[int]) -> None:
        self.packing = packing
        self.classes = classes

    def ways(self, pool: int, number: int) -> int:
        """In how many ways so many cards are chosen."""
        if number < 0:
            return 0
        if number == 0:
            return 1
        ways = ways_by_size(histogram(self.packing, self.classes, pool))
        return ways[number] if number < len(ways) else 0

    def subsets(self, pool: int, number: int) -> Subsets:
        """The choices of so many cards."""
        return Subsets(pool, self.packing, self.classes, number, number)

    def block(self, fixed: int, pools: Iterable[tuple[int, int]]) -> Block:
        """A block with its number of ways."""
        kept = tuple([pool for pool in pools if pool[1]])
        ways = 1
        for pool, number in kept:
            ways *= self.ways(pool, number)
        return Block(fixed, kept, ways)


class Blocks:
    """Choices in blocks, in the order of the blocks."""

    __slots__ = ("_blocks", "_choosing", "_ends")

    def __init__(self, choosing: Choosing, blocks: Iterable[Block]) -> None:
        self._choosing = choosing
        self._blocks = [block for block in blocks if block.ways]
        self._ends = list(accumulate([block.ways for block in self._blocks]))

    def count(self) -> int:
        """How many choices there are."""
        return self._ends[-1] if self._ends else 0

    def __iter__(self) -> Iterator[int]:
        for block in self._blocks:
            yield from self._listed(block.fixed, block.pools)

    def _listed(self, fixed: int, pools: Sequence[tuple[int, int]]) -> Iterator[int]:
        if not pools:
            yield fixed
            return
        choices = self._choosing.subsets(*pools[0])
        if len(pools) == 1:
            for cards in choices:
                yield fixed + cards
            return
        for cards in choices:
            yield from self._listed(fixed + cards, pools[1:])

    def at(self, place: int) -> int:
        """The choice at a place of the list; IndexError outside it."""
        if not 0 <= place < self.count():
            raise IndexError("no such choice of cards")
        number = bisect_right(self._ends, place)
        block = self._blocks[number]
        place -= self._ends[number] - block.ways
        cards = block.fixed
        for pool, size in reversed(block.pools):
            choices = self._choosing.subsets(pool, size)
            place, inner = divmod(place, choices.ways(size))
            cards += choices.at_size(inner, size)
        return cards

    def at_most(self, mask: int, most: int) -> Blocks:
        """Those of the choices that have at most so many cards of a mask."""
        count, choosing = self._choosing.packing.count, self._choosing
        if most >= 0 and not any(
            block.fixed & mask or any(pool & mask for pool, _ in block.pools) for block in self._blocks
        ):
            return self
        found: list[Block] = []
        for block in self._blocks:
            shares: list[tuple[int, tuple[tuple[int, int], ...]]] = [(most - count(block.fixed & mask), ())]
            for pool, size in block.pools:
                inside, outside = pool & mask, pool & ~mask
                held = count(inside)
                shares = [
                    (left - n, (*pools, (inside, n), (outside, size - n)))
                    for left, pools in shares
                    for n in range(min(held, size, left) + 1)
                ]
            found += [choosing.block(block.fixed, pools) for left, pools in shares if left >= 0]
        return Blocks(choosing, found)


def following(
    choosing: Choosing, hand: int, *, free: int, size: int, led: int, owed: Owed | None
) -> tuple[Blocks, bool]:
    """The choices of ``size`` cards that follow the group with the mask ``led``; the duties ask about ``hand``.

    Only cards of ``free`` may go. ``owed``: the sets and runs that must be given too. The answer says
    also whether these are seen to; if not, each choice is still to be tested.
    """
    packing = choosing.packing
    held, given = hand & led, free & led
    number = packing.count(held)
    if number <= size:
        if given != held:
            return Blocks(choosing, ()), True
        return Blocks(choosing, (choosing.block(held, ((free & ~led, size - number),)),)), True
    if owed is None or not owed.asks:
        return Blocks(choosing, (choosing.block(0, ((given, size),)),)), True
    blocks = owed.blocks(choosing, held, given=given, size=size)
    if blocks is None:
        return Blocks(choosing, (choosing.block(0, ((given, size),)),)), False
    return Blocks(choosing, blocks), True


class Owed:
    """Which duties a lead brings."""

    def __init__(self, duties: Duties, lanes: Lanes, demand: Demand, *, sets: bool, runs: bool) -> None:
        self._duties, self._lanes, self._demand = duties, lanes, demand
        self._sets, self._runs = sets and bool(demand.sets), runs and bool(demand.runs)
        self.asks = self._sets or self._runs

    def blocks(self, choosing: Choosing, held: int, *, given: int, size: int) -> list[Block] | None:
        """A block for each choice of sets that fits; None where cards alike can be told apart."""
        packing, lanes, demand = choosing.packing, self._lanes, self._demand
        by_cell: dict[int, set[int]] = {}
        for card, _ in packing.items(given):
            by_cell.setdefault(lanes.cell[card], set()).add(choosing.classes[card])
        if any(len(kinds) > 1 for kinds in by_cell.values()):
            return None
        goal_sets = self._duties.sets(held, demand) if self._sets else ()
        goal_runs = self._duties.runs(held, demand) if self._runs else ()
        least = goal_sets[0] if len(goal_sets) == 1 else 0  # pairs that there must be …
        by_number = len(goal_sets) < 2  # … and where pairs are all that is owed, nothing else counts
        lone, wide = 0, []
        for _, cell, copies in lanes.look(given).cells:
            cards = given & lanes.cell_mask[cell]
            first = lowest(packing, cards, 1)
            lone += first
            if copies > 1:
                wide.append((first, [(n, lowest(packing, cards, n)) for n in range(2, copies + 1)]))
        spare = [0]  # pairs that the kinds from here on have
        for _, levels in reversed(wide):
            spare.append(spare[-1] + levels[-1][0] // 2)
        spare.reverse()
        found: list[tuple[int, int, int]] = []

        def choose(at: int, cards: int, pool: int, left: int, need: int) -> None:
            """Decide for the kinds from ``at`` on how many go, two or more or at most one."""
            if need > spare[at] or 2 * need > left:
                return
            if at == len(wide):
                if (by_number or self._duties.sets(cards, demand) == goal_sets) and (
                    not self._runs or self._duties.runs(cards, demand) == goal_runs
                ):
                    found.append((cards, pool, left))
                return
            first, levels = wide[at]
            for number, some in levels:
                if number <= left:
                    choose(at + 1, cards + some, pool - first, left - number, max(0, need - number // 2))
            choose(at + 1, cards, pool, left, need)

        choose(0, 0, lone, size, least)
        found.sort(key=lambda block: -block[2])
        return [choosing.block(cards, ((pool, left),)) for cards, pool, left in found]

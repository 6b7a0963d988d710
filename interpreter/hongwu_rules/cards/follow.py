"""Choosing cards under duties: counted, listed and drawn without trying every set of cards.

The choices come in blocks: some fixed cards, and so many from each of a few pools that share no card.
Where pairs are owed, there is a block for each fitting set of pairs; the rest are single cards, one at
most of each kind that is not in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from . import Packing
from .duties import Demand, Duties
from .lanes import Lanes
from .picks import Subsets, lowest


class Block(NamedTuple):
    """``fixed`` cards, and one choice from each of the pools, which share no card; ``ways`` to choose."""

    fixed: int
    pools: tuple[Subsets, ...]
    ways: int


class Choosing:
    """How cards are chosen from pools: ``classes`` is by card id, equal ones cannot be told apart."""

    def __init__(self, packing: Packing, classes: Sequence[int]) -> None:
        self.packing = packing
        self.classes = classes

    def block(self, fixed: int, pools: Iterable[tuple[int, int]]) -> Block:
        """The block of fixed cards and so many from each of some pools: (cards, number)."""
        kept, ways = [], 1
        for pool, number in pools:
            if number:
                some = Subsets(pool, self.packing, self.classes, number, number)
                ways *= some.ways(number)
                kept.append(some)
        return Block(fixed, tuple(kept), ways)


class Blocks:
    """Choices in blocks, in the order of the blocks."""

    __slots__ = ("_blocks", "_count")

    def __init__(self, blocks: Iterable[Block]) -> None:
        self._blocks = [block for block in blocks if block.ways]
        self._count = sum([block.ways for block in self._blocks])

    def count(self) -> int:
        """How many choices there are."""
        return self._count

    def __iter__(self) -> Iterator[int]:
        for block in self._blocks:
            yield from _listed(block.fixed, block.pools)

    def at(self, place: int) -> int:
        """The choice at a place of the list; IndexError outside it."""
        if place >= 0:
            for block in self._blocks:
                if place < block.ways:
                    cards = block.fixed
                    for some in reversed(block.pools):
                        place, inner = divmod(place, some.ways(some.low))
                        cards += some.at_size(inner, some.low)
                    return cards
                place -= block.ways
        raise IndexError("no such choice of cards")

    def at_most(self, choosing: Choosing, mask: int, most: int) -> Blocks:
        """Those of the choices that have at most so many cards of a mask."""
        count = choosing.packing.count
        found: list[Block] = []
        for block in self._blocks:
            shares: list[tuple[int, tuple[tuple[int, int], ...]]] = [(most - count(block.fixed & mask), ())]
            for some in block.pools:
                inside, outside = some.held & mask, some.held & ~mask
                held, size = count(inside), some.low
                shares = [
                    (left - n, (*pools, (inside, n), (outside, size - n)))
                    for left, pools in shares
                    for n in range(min(held, size, left) + 1)
                ]
            found += [choosing.block(block.fixed, pools) for left, pools in shares if left >= 0]
        return Blocks(found)


def _listed(fixed: int, pools: Sequence[Subsets]) -> Iterator[int]:
    if not pools:
        yield fixed
        return
    for cards in pools[0]:
        if len(pools) == 1:
            yield fixed + cards
        else:
            yield from _listed(fixed + cards, pools[1:])


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
            return Blocks(()), True
        return Blocks((choosing.block(held, ((free & ~led, size - number),)),)), True
    if owed is None:
        return Blocks((choosing.block(0, ((given, size),)),)), True
    blocks = owed.blocks(choosing, held, given=given, size=size)
    if blocks is None:
        return Blocks((choosing.block(0, ((given, size),)),)), False
    return Blocks(blocks), True


class Owed:
    """Which duties a lead brings; ``asks`` tells whether it brings any."""

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

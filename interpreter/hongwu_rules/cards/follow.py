"""Choosing cards under duties: counted, listed and drawn without trying every set of cards.

The choices come in blocks: some fixed cards, and so many from each of a few pools that share no card.
Where pairs are owed, there is a block for each fitting set of pairs; the rest are single cards, one at
most of each kind that is not in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from . import Packing
from .duties import Demand, Duties
from .lanes import Lanes
from .picks import EACH, Subsets, histogram, lowest, ways_by_size


class Choosing:
    """How cards are chosen from pools: ``classes`` is by card id, equal ones cannot be told apart."""

    def __init__(self, packing: Packing, classes: Sequence[int]) -> None:
        self.packing = packing
        self.classes = classes
        self._low = packing.low if classes is EACH and packing.copies <= 3 else 0  # else single cards are no short cut

    def ways(self, pool: int, number: int) -> int:
        """In how many ways so many cards are chosen from a pool."""
        if number == 1 and self._low:
            return ((pool | pool >> 1) & self._low).bit_count()
        ways = ways_by_size(histogram(self.packing, self.classes, pool))
        return ways[number] if number < len(ways) else 0

    def at(self, pool: int, number: int, place: int) -> int:
        """The choice of so many cards of a pool at a place of ``listed``."""
        if number == 1 and self._low:
            return self.packing.nth(pool, place)
        return Subsets(pool, self.packing, self.classes, number, number).at_size(place, number)

    def listed(self, pool: int, number: int) -> Iterator[int]:
        """The choices of so many cards of a pool."""
        return Subsets(pool, self.packing, self.classes, number, number).of_size(number)


class Block:
    """``fixed`` cards, and from each of a few ``pools``, which share no card, so many: (cards, number); ``ways`` to
    choose."""

    __slots__ = ("_choosing", "fixed", "pools", "ways")

    def __init__(self, choosing: Choosing, fixed: int, pools: tuple[tuple[int, int], ...]) -> None:
        self._choosing = choosing
        self.fixed = fixed
        self.pools = pools
        ways = 1
        for pool, number in pools:
            ways *= choosing.ways(pool, number)
        self.ways = ways

    def __iter__(self) -> Iterator[int]:
        return self._listed(self.fixed, self.pools)

    def _listed(self, fixed: int, pools: Sequence[tuple[int, int]]) -> Iterator[int]:
        if not pools:
            yield fixed
            return
        for cards in self._choosing.listed(*pools[0]):
            if len(pools) == 1:
                yield fixed + cards
            else:
                yield from self._listed(fixed + cards, pools[1:])

    def at(self, place: int) -> int:
        """The choice at a place of the list; IndexError outside it."""
        if place < 0 or place >= self.ways:
            raise IndexError("no such choice of cards")
        cards, pools = self.fixed, self.pools
        if not pools:
            return cards
        choosing = self._choosing
        for pool, number in pools[:0:-1] if len(pools) > 1 else ():
            place, inner = divmod(place, choosing.ways(pool, number))
            cards += choosing.at(pool, number, inner)
        pool, number = pools[0]
        return cards + choosing.at(pool, number, place)

    def at_most(self, mask: int, most: int) -> list[Block]:
        """Those of the choices that have at most so many cards of a mask, in blocks."""
        count = self._choosing.packing.count
        shares: list[tuple[int, tuple[tuple[int, int], ...]]] = [(most - count(self.fixed & mask), ())]
        for pool, size in self.pools:
            inside, outside = pool & mask, pool & ~mask
            held = count(inside)
            shares = [
                (left - n, (*pools, (inside, n), (outside, size - n)))
                for left, pools in shares
                for n in range(min(held, size, left) + 1)
            ]
        return [
            Block(self._choosing, self.fixed, tuple([pool for pool in pools if pool[1]]))
            for left, pools in shares
            if left >= 0
        ]


class Blocks:
    """Choices in several blocks, in the order of the blocks."""

    __slots__ = ("_blocks", "ways")

    def __init__(self, blocks: Iterable[Block]) -> None:
        self._blocks = [block for block in blocks if block.ways]
        self.ways = sum([block.ways for block in self._blocks])

    def __iter__(self) -> Iterator[int]:
        for block in self._blocks:
            yield from block

    def at(self, place: int) -> int:
        """The choice at a place of the list; IndexError outside it."""
        if place >= 0:
            for block in self._blocks:
                if place < block.ways:
                    return block.at(place)
                place -= block.ways
        raise IndexError("no such choice of cards")


def following(
    choosing: Choosing, hand: int, *, free: int, size: int, led: int, owed: Owed | None
) -> tuple[list[Block], bool]:
    """The choices of ``size`` cards that follow the group with the mask ``led``; the duties ask about ``hand``.

    Only cards of ``free`` may go. ``owed``: the sets and runs that must be given too. The answer says
    also whether these are seen to; if not, each choice is still to be tested.
    """
    held, given = hand & led, free & led
    number = choosing.packing.count(held)
    if number <= size:
        if given != held:
            return [], True
        return [Block(choosing, held, ((free & ~led, size - number),) if number < size else ())], True
    if owed is not None:
        blocks = owed.blocks(choosing, held, given=given, size=size)
        if blocks is not None:
            return blocks, True
    return [Block(choosing, 0, ((given, size),))], owed is None


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
        return [Block(choosing, cards, ((pool, left),) if left else ()) for cards, pool, left in found]

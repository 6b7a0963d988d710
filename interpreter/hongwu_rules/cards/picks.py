"""Choosing some cards of any kind from a hand: counted, listed and drawn without trying every set.

Cards of one class cannot be told apart by the rules, so a choice is a number of cards from each
class; it is written with the lowest ids of each class that the hand holds (its canonical member).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Protocol, TypeAlias

from . import Packing


def lowest(packing: Packing, cards: int, number: int) -> int:
    """The first ``number`` cards of ``cards``, by id."""
    taken = 0
    for card, copies in packing.items(cards):
        if number <= 0:
            break
        take = min(copies, number)
        taken += packing.one[card] * take
        number -= take
    return taken


class Lazy(Protocol):
    """Choices that are counted and found without being listed."""

    def count(self) -> int:
        """How many there are."""
        ...

    def __iter__(self) -> Iterator[int]: ...

    def at(self, place: int) -> int:
        """The choice at a place of the list."""
        ...


Choices: TypeAlias = tuple[int, ...] | Lazy


class Subsets:
    """All choices of ``low`` to ``high`` cards of a hand; with ``mask``, of that part of it.

    The order is: fewest cards first, then more cards of the class whose lowest card comes first.

    >>> from hongwu_rules.cards import parse_cards
    >>> pack = Packing(2)
    >>> hand = pack.of(parse_cards("S5 S5 H5 BJ"))
    >>> pairs = Subsets(hand, pack, range(54), 2, 2)
    >>> pairs.count(), [" ".join(pack.names(cards)) for cards in pairs]
    (4, ['S5 S5', 'S5 H5', 'S5 BJ', 'H5 BJ'])
    """

    __slots__ = ("_bits", "_caps", "_masks", "_packing", "_prefixes", "_tails", "high", "low")

    def __init__(
        self, hand: int, packing: Packing, classes: Sequence[int], low: int, high: int, mask: int | None = None
    ) -> None:
        held = hand if mask is None else hand & mask
        members: dict[int, list[tuple[int, int]]] = {}
        for card, copies in packing.items(held):
            members.setdefault(classes[card], []).append((card, copies))
        prefixes: list[tuple[int, ...]] = []  # by class: its lowest 0, 1, 2 … cards
        for cards in members.values():
            sums = [0]
            for card, copies in cards:
                for _ in range(copies):
                    sums.append(sums[-1] + packing.one[card])
            prefixes.append(tuple(sums))
        caps = [0]  # how many cards the classes from here on have
        for prefix in reversed(prefixes):
            caps.append(caps[-1] + len(prefix) - 1)
        caps.reverse()
        self.low, self.high = max(low, 0), min(high, caps[0])
        self._packing = packing
        self._prefixes = prefixes
        self._masks = [packing.mask(card for card, _ in cards) for cards in members.values()]
        self._caps = caps
        # _tails[i]: in how many ways the classes from i on give 0, 1, 2 … cards, one number in fields
        # wide enough for the number of all subsets, so that a product of polynomials is shifts and sums
        self._bits = bits = caps[0] + 1
        keep = (1 << (bits * (max(self.high, 0) + 1))) - 1
        tails = [1]
        for prefix in reversed(prefixes):
            tail = tails[-1]
            tails.append(sum(tail << (bits * n) for n in range(len(prefix))) & keep)
        tails.reverse()
        self._tails = tails

    def _ways(self, first: int, number: int) -> int:
        """In how many ways the classes from ``first`` on give ``number`` cards."""
        bits = self._bits
        return (self._tails[first] >> (bits * number)) & ((1 << bits) - 1)

    def ways(self, size: int) -> int:
        """How many choices have this number of cards, which is at most ``high``."""
        return self._ways(0, size)

    def count(self) -> int:
        """How many choices there are."""
        return sum(self._ways(0, size) for size in range(self.low, self.high + 1))

    def __iter__(self) -> Iterator[int]:
        for size in range(self.low, self.high + 1):
            yield from self.of_size(size)

    def of_size(self, size: int) -> Iterator[int]:
        """The choices of this number of cards, in order."""
        prefixes = self._prefixes
        if all(len(prefix) == 2 for prefix in prefixes):
            return map(sum, combinations([prefix[1] for prefix in prefixes], size))
        return self._of_size(size)

    def _of_size(self, size: int) -> Iterator[int]:
        """As an odometer: fill from the left, then take one back as far right as can be."""
        prefixes, caps = self._prefixes, self._caps
        take = [0] * len(prefixes)
        sums = [0] * (len(prefixes) + 1)
        at, left = 0, size
        while True:
            while left:
                prefix = prefixes[at]
                n = len(prefix) - 1
                if n > left:
                    n = left
                take[at] = n
                sums[at + 1] = sums[at] + prefix[n]
                left -= n
                at += 1
            yield sums[at]
            while True:
                at -= 1
                if at < 0:
                    return
                n = take[at]
                if not n:
                    continue
                left += 1
                if left <= caps[at + 1]:
                    take[at] = n - 1
                    sums[at + 1] = sums[at] + prefixes[at][n - 1]
                    at += 1
                    break
                left += n - 1

    def at(self, place: int) -> int:
        """The choice at ``place`` of the list, without making the list; IndexError outside it."""
        if place >= 0:
            for size in range(self.low, self.high + 1):
                ways = self._ways(0, size)
                if place < ways:
                    return self._walk(place, size)
                place -= ways
        raise IndexError("no such choice of cards")

    def at_size(self, place: int, size: int) -> int:
        """The choice at a place among those of ``size`` cards."""
        return self._walk(place, size)

    def place(self, cards: int) -> int:
        """The place of a choice (a canonical one) among those with as many cards."""
        count, found, left = self._packing.count, 0, self._packing.count(cards)
        for first, (prefix, mask) in enumerate(zip(self._prefixes, self._masks, strict=True)):
            taken = count(cards & mask) if cards & mask else 0
            for n in range(min(len(prefix) - 1, left), taken, -1):
                found += self._ways(first + 1, left - n)
            left -= taken
            if not left:
                break
        return found

    def _walk(self, place: int, left: int) -> int:
        cards = 0
        for first, prefix in enumerate(self._prefixes):
            for n in range(min(len(prefix) - 1, left), -1, -1):
                ways = self._ways(first + 1, left - n)
                if place < ways:
                    cards += prefix[n]
                    left -= n
                    break
                place -= ways
            if not left:
                break
        return cards

    def sample(self, rng: Random) -> int:
        """One choice, each equally likely; IndexError if there is none."""
        return self.at(rng.randrange(self.count() or 1))

    def canonical(self, cards: int) -> int:
        """The member of the list that stands for ``cards``, which are of the same hand."""
        count = self._packing.count
        return sum(
            prefix[count(cards & mask)]
            for prefix, mask in zip(self._prefixes, self._masks, strict=True)
            if cards & mask
        )

"""Choosing some cards of any kind from a hand: counted, listed and drawn without trying every set.

Cards of one class cannot be told apart by the rules, so a choice is a number of cards from each
class; it is written with the lowest ids of each class that the hand holds (its canonical member).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, combinations
from random import Random
from typing import Protocol, TypeAlias

from . import SIZE, Packing

EACH = tuple(range(SIZE))  # classes: every card is one of its own


def lowest(packing: Packing, cards: int, number: int) -> int:
    """The first ``number`` cards of ``cards``, by id."""
    if number == 1:
        return packing.nth(cards, 0)
    taken = 0
    for card, copies in packing.items(cards):
        if number <= 0:
            break
        take = min(copies, number)
        taken += packing.one[card] * take
        number -= take
    return taken


def _members(packing: Packing, classes: Sequence[int], held: int) -> list[list[tuple[int, int]]]:
    """The cards of each class held, as (id, copies)."""
    members: dict[int, list[tuple[int, int]]] = {}
    for card, copies in packing.items(held):
        members.setdefault(classes[card], []).append((card, copies))
    return list(members.values())


def histogram(packing: Packing, classes: Sequence[int], held: int) -> tuple[int, ...]:
    """How many classes have one card, two cards, three … of those held."""
    if classes is EACH and packing.copies <= 3:
        odd, more = held & packing.low, held >> 1 & packing.low  # the two bits of each number of copies
        three = (odd & more).bit_count()
        return odd.bit_count() - three, more.bit_count() - three, three
    sizes = [sum([copies for _, copies in cards]) for cards in _members(packing, classes, held)]
    return tuple([sizes.count(size) for size in range(1, max(sizes, default=0) + 1)])


@lru_cache(maxsize=1 << 14)
def ways_by_size(classes: tuple[int, ...]) -> tuple[int, ...]:
    """In how many ways 0, 1, 2 … cards are chosen from so many classes of one card, of two, of three …

    >>> ways_by_size((2, 1))  # two cards that are alone, and a pair
    (1, 3, 4, 3, 1)
    """
    ways = [1]
    for size, number in enumerate(classes, 1):
        for _ in range(number):
            sums = list(accumulate(ways + [0] * size))
            ways = sums[: size + 1] + [sums[i] - sums[i - size - 1] for i in range(size + 1, len(sums))]
    return tuple(ways)


class Lazy(Protocol):
    """Choices that are counted and found without being listed."""

    @property
    def ways(self) -> int:
        """How many there are."""
        ...

    def __iter__(self) -> Iterator[int]: ...

    def at(self, place: int) -> int:
        """The choice at a place of the list."""
        ...


Choices: TypeAlias = tuple[int, ...] | Lazy


class Alike:
    """All choices of ``low`` to ``high`` cards that are alike: ``kinds`` has by card id the mask of those. They are few.

    >>> from hongwu_rules.cards import parse_cards
    >>> pack = Packing(2)
    >>> hand = pack.of(parse_cards("S7 S7 H7 BJ"))
    >>> [" ".join(pack.names(cards)) for cards in Alike(hand, [pack.mask([card]) for card in EACH], pack, EACH, 1, 2)]
    ['S7', 'H7', 'BJ', 'S7 S7']
    """

    __slots__ = ("_found", "high", "ways")

    def __init__(
        self, hand: int, kinds: Sequence[int], packing: Packing, classes: Sequence[int], low: int, high: int
    ) -> None:
        found = [0] if low <= 0 <= high else []
        rest, width = hand, packing.width
        while rest:
            mask = kinds[((rest & -rest).bit_length() - 1) // width]
            rest &= ~mask
            found += Subsets(hand, packing, classes, max(low, 1), high, mask)
        # as `Subsets` has them: the lowest card tells the kinds apart, and within each the order is right already
        found.sort(key=lambda cards: (packing.count(cards), ((cards & -cards).bit_length() - 1) // width))
        self._found, self.ways, self.high = found, len(found), high

    def __iter__(self) -> Iterator[int]:
        return iter(self._found)

    def at(self, place: int) -> int:
        """The choice at a place of the list."""
        return self._found[place]


class NonEmpty:
    """All choices of one card or more of a hand, for counting and drawing: ``ways`` of them, in the order of a counter
    with a digit for each class.

    >>> from hongwu_rules.cards import parse_cards
    >>> pack = Packing(2)
    >>> some = NonEmpty(pack.of(parse_cards("S7 S7 H7")), pack, EACH)
    >>> some.ways, [" ".join(pack.names(some.at(place))) for place in range(some.ways)]
    (5, ['S7', 'S7 S7', 'H7', 'S7 H7', 'S7 S7 H7'])
    """

    __slots__ = ("_classes", "_held", "_packing", "ways")

    def __init__(self, held: int, packing: Packing, classes: Sequence[int]) -> None:
        self._held, self._packing, self._classes = held, packing, classes
        if classes is EACH and packing.copies <= 3:
            # 2, 3 or 4 numbers of a card of which there are one, two or three, whose fields are 01, 10 and 11
            odd, more = held & packing.low, held >> 1 & packing.low
            three = (odd & more).bit_count()
            self.ways = (3 ** (more.bit_count() - three) << odd.bit_count() + three) - 1
            return
        ways = 1
        for size, number in enumerate(histogram(packing, classes, held), 2):
            ways *= size**number
        self.ways = ways - 1

    def at(self, place: int) -> int:
        """The choice at a place; IndexError outside it."""
        if not 0 <= place < self.ways:
            raise IndexError("no such choice of cards")
        cards, left, packing = 0, place + 1, self._packing
        if self._classes is EACH and packing.copies <= 3:
            held = self._held
            rest = (held | held >> 1) & packing.low
            while left:
                one = rest & -rest
                rest ^= one
                copies = held & 3 * one
                if copies == one:
                    if left & 1:
                        cards += one
                    left >>= 1
                else:
                    left, digit = divmod(left, copies // one + 1)
                    cards += digit * one
            return cards
        for prefix in Subsets(self._held, packing, self._classes, 1, 1).prefixes:
            left, digit = divmod(left, len(prefix))
            cards += prefix[digit]
        return cards


class Subsets:
    """All choices of ``low`` to ``high`` cards of a hand; with ``mask``, of that part of it.

    The order is: fewest cards first, then more cards of the class whose lowest card comes first.

    >>> from hongwu_rules.cards import parse_cards
    >>> pack = Packing(2)
    >>> hand = pack.of(parse_cards("S7 S7 H7 BJ"))
    >>> pairs = Subsets(hand, pack, range(54), 2, 2)
    >>> pairs.ways, [" ".join(pack.names(cards)) for cards in pairs]
    (4, ['S7 S7', 'S7 H7', 'S7 BJ', 'H7 BJ'])
    """

    __slots__ = ("_classes", "_counts", "_histogram", "_masks", "_packing", "_prefixes", "held", "high", "low", "ways")

    def __init__(
        self, hand: int, packing: Packing, classes: Sequence[int], low: int, high: int, mask: int | None = None
    ) -> None:
        self.held = held = hand if mask is None else hand & mask
        self._packing = packing
        self._classes = classes
        self._prefixes: list[tuple[int, ...]] | None = None  # by class: its lowest 0, 1, 2 … cards
        self._masks: list[int] | None = None
        self._histogram = histogram(packing, classes, held)
        self._counts = ways_by_size(self._histogram)
        self.low, self.high = max(low, 0), min(high, len(self._counts) - 1)
        self.ways = sum(self._counts[self.low : self.high + 1])

    @property
    def prefixes(self) -> list[tuple[int, ...]]:
        """By class held, in the order of their lowest cards: its lowest 0, 1, 2 … cards."""
        if self._prefixes is None:
            packing, held = self._packing, self.held
            if self._classes is EACH and packing.copies <= 3:
                self._prefixes = found = []
                rest = (held | held >> 1) & packing.low
                while rest:
                    one = rest & -rest
                    rest ^= one
                    copies = held & 3 * one
                    found.append((0, one) if copies == one else tuple(range(0, copies + 1, one)))
            else:
                one_of = packing.one
                self._prefixes = [
                    tuple(accumulate([one_of[card] for card, copies in cards for _ in range(copies)], initial=0))
                    for cards in _members(packing, self._classes, held)
                ]
        return self._prefixes

    @property
    def masks(self) -> list[int]:
        """By class held, the mask of its cards."""
        if self._masks is None:
            members = _members(self._packing, self._classes, self.held)
            self._masks = [self._packing.mask([card for card, _ in cards]) for cards in members]
        return self._masks

    def of(self, size: int) -> int:
        """How many choices have this number of cards."""
        return self._counts[size] if 0 <= size < len(self._counts) else 0

    def __iter__(self) -> Iterator[int]:
        for size in range(self.low, self.high + 1):
            yield from self.of_size(size)

    def of_size(self, size: int) -> Iterator[int]:
        """The choices of this number of cards, in order."""
        prefixes = self.prefixes
        if all(len(prefix) == 2 for prefix in prefixes):
            return map(sum, combinations([prefix[1] for prefix in prefixes], size))
        return self._of_size(size) if size < len(self._counts) else iter(())

    def _of_size(self, size: int) -> Iterator[int]:
        """As an odometer: fill from the left, then take one back as far right as can be."""
        prefixes = self.prefixes
        caps = list(accumulate([len(prefix) - 1 for prefix in reversed(prefixes)], initial=0))[::-1]
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
                ways = self._counts[size]
                if place < ways:
                    return self.at_size(place, size)
                place -= ways
        raise IndexError("no such choice of cards")

    def at_size(self, place: int, size: int) -> int:
        """The choice at a place among those of ``size`` cards."""
        if size == 1 and self._classes is EACH:
            return self._packing.nth(self.held, place)
        cards, left = 0, size
        after = list(self._histogram)  # of the classes still to come
        prefixes = self.prefixes
        for at, prefix in enumerate(prefixes):
            if left == 1:  # each class has one choice
                return cards + prefixes[at + place][1]
            most = len(prefix) - 1
            after[most - 1] -= 1
            tails = ways_by_size(tuple(after))
            end = len(tails)
            for n in range(min(most, left), -1, -1):
                ways = tails[left - n] if left - n < end else 0
                if place < ways:
                    cards += prefix[n]
                    left -= n
                    break
                place -= ways
            if not left:
                break
        return cards

    def place(self, cards: int) -> int:
        """The place of a choice (a canonical one) among those with as many cards."""
        count, found, left = self._packing.count, 0, self._packing.count(cards)
        after = list(self._histogram)
        for prefix, mask in zip(self.prefixes, self.masks, strict=True):
            taken, most = count(cards & mask) if cards & mask else 0, len(prefix) - 1
            after[most - 1] -= 1
            tails = ways_by_size(tuple(after))
            for n in range(min(most, left), taken, -1):
                found += tails[left - n] if left - n < len(tails) else 0
            left -= taken
            if not left:
                break
        return found

    def sample(self, rng: Random) -> int:
        """One choice, each equally likely; IndexError if there is none."""
        return self.at(rng.randrange(self.ways or 1))

    def canonical(self, cards: int) -> int:
        """The member of the list that stands for ``cards``, which are of the same hand."""
        count = self._packing.count
        return sum(
            prefix[count(cards & mask)] for prefix, mask in zip(self.prefixes, self.masks, strict=True) if cards & mask
        )

"""Cards, and hands as one integer each.

Every card has a fixed number (``id``), the same in every game: suits S H D C, each 2 to A, then
LJ and BJ. A hand, a pile or a set of cards is one ``int`` with a small field per id that holds the
number of copies; the top bit of each field stays free, so that one subtraction tells whether a
hand holds the cards. Hands add and subtract like numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

SUITS = ("S", "H", "D", "C")
BLACK, RED = 0, 1
COLOURS = ("black", "red")
COLOUR_OF_SUIT = (BLACK, RED, RED, BLACK)
RANK_NAMES = {n: str(n) for n in range(2, 11)} | {11: "J", 12: "Q", 13: "K", 14: "A", 15: "LJ", 16: "BJ"}
RANKS = {name: number for number, name in RANK_NAMES.items()}
LJ, BJ = 52, 53
SIZE = 54

NAMES: tuple[str, ...] = (*(f"{s}{RANK_NAMES[r]}" for s in SUITS for r in range(2, 15)), "LJ", "BJ")
IDS: dict[str, int] = {name: number for number, name in enumerate(NAMES)}
RANK_OF: tuple[int, ...] = (*(r for _ in SUITS for r in range(2, 15)), 15, 16)
SUIT_OF: tuple[int | None, ...] = (*(s for s in range(4) for _ in range(13)), None, None)

_SYMBOLS = str.maketrans({"♠": "S", "♥": "H", "♦": "D", "♣": "C"})
_SEPARATORS = re.compile(r"[\s,，、]+")


class CardError(ValueError):
    """A text that names no card; ``word`` is the part that could not be read."""

    def __init__(self, word: str) -> None:
        self.word = word
        super().__init__(f"no card is written {word!r}; cards are like S5, S10, DA, LJ, BJ")


def parse_card(text: str) -> int:
    """The id of a card such as ``"H7"``, ``"♥7"``, ``"S10"`` or ``"BJ"``; CardError otherwise.

    >>> NAMES[parse_card("♥7")]
    'H7'
    """
    word = text.strip().translate(_SYMBOLS).upper()
    try:
        return IDS[word]
    except KeyError:
        raise CardError(text.strip()) from None


def parse_cards(text: str | Iterable[str]) -> list[int]:
    """The ids in a text such as ``"H7 H7 S10"`` (or in a list of card names), in its order.

    >>> parse_cards("H2 LJ")
    [13, 52]
    """
    words = _SEPARATORS.split(text.strip()) if isinstance(text, str) else list(text)
    return [parse_card(word) for word in words if word]


class Packing:
    """How hands of a game with up to ``copies`` equal cards are packed into an int.

    >>> pack = Packing(2)
    >>> hand = pack.of(parse_cards("H7 H7 S10"))
    >>> pack.count(hand), pack.names(hand)
    (3, ['S10', 'H7', 'H7'])
    >>> pack.contains(hand, pack.of(parse_cards("H7 H7 H7")))
    False
    """

    __slots__ = ("copies", "count", "field", "full", "guard", "low", "one", "planes", "width", "worth")

    def __init__(self, copies: int) -> None:
        self.copies = copies
        bits = copies.bit_length()
        self.width = width = bits + 1
        self.one = tuple(1 << (width * i) for i in range(SIZE))
        self.low = sum(self.one)  # the lowest bit of every field
        self.planes = tuple(range(bits))  # shifts of the value bits
        self.worth = tuple((self.low << plane, (1 << plane) - 1) for plane in range(1, bits))  # bits worth so many more
        self.guard = self.low << bits
        self.full = self.guard - self.low  # every value bit
        self.field = (1 << bits) - 1
        twos = self.low << 1

        def count_few(cards: int) -> int:
            return cards.bit_count() + (cards & twos).bit_count()

        # how many cards some are; of at most three of a kind that is the first bit once and the second once more
        self.count: Callable[[int], int] = count_few if copies <= 3 else self._count_many

    def of(self, ids: Iterable[int]) -> int:
        """The hand of these ids."""
        return sum(map(self.one.__getitem__, ids))

    def mask(self, ids: Iterable[int]) -> int:
        """All value bits of the fields of these ids: ``hand & mask`` keeps these cards only."""
        field, one = self.field, self.one
        return sum(one[i] * field for i in set(ids))

    def _count_many(self, cards: int) -> int:
        total = cards.bit_count()
        for bits, more in self.worth:
            total += (cards & bits).bit_count() * more
        return total

    def contains(self, hand: int, cards: int) -> bool:
        """Whether ``hand`` holds all of ``cards``, copies counted."""
        guard = self.guard
        return ((hand | guard) - cards) & guard == guard

    def items(self, cards: int) -> Iterator[tuple[int, int]]:
        """Pairs (id, copies), by id."""
        width, field = self.width, self.field
        while cards:
            card = ((cards & -cards).bit_length() - 1) // width
            copies = (cards >> (card * width)) & field
            yield card, copies
            cards ^= copies << (card * width)

    def nth(self, cards: int, place: int) -> int:
        """One copy of the kind of card at a place, counted from 0 by id; 0 if there are not so many."""
        if self.copies <= 3:
            kinds = (cards | cards >> 1) & self.low
        else:
            kinds = cards
            for plane in self.planes[1:]:
                kinds |= cards >> plane
            kinds &= self.low
        for _ in range(place):
            kinds &= kinds - 1
        return kinds & -kinds

    def ids(self, cards: int) -> list[int]:
        """Every card by id, copies repeated."""
        return [card for card, copies in self.items(cards) for _ in range(copies)]

    def names(self, cards: int) -> list[str]:
        """The names of the cards, in the order of ids."""
        return [NAMES[card] for card in self.ids(cards)]

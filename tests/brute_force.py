"""The tricks of two packs by trying everything: what cards read as, who must follow with what, and what beats what.

It shares nothing with the package, knows cards by their names alone, and is fast enough for hands of ten cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

Part = tuple[int, int]  # pairs in a row (0: a single card), and the place of the highest
RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
SUITS = "SHDC"


@dataclass(frozen=True)
class Order:
    """The group of each card and its place there: neighbours stand one apart, equal cards in one place."""

    at: dict[str, tuple[str, int]]
    ruffs: frozenset[str]

    def group(self, card: str) -> str:
        return self.at[card][0]

    def place(self, card: str) -> int:
        return self.at[card][1]

    def of(self, cards: Iterable[str], group: str) -> list[str]:
        return sorted(card for card in cards if self.group(card) == group)


def built(trump: str | None, high: Sequence[Sequence[str]]) -> Order:
    """Above the trump suit stand some cards, from the lowest up; what has left a suit leaves no hole."""
    gone = {card for step in high for card in step}
    suits = {suit: [suit + rank for rank in RANKS if suit + rank not in gone] for suit in SUITS}
    suited = [] if trump is None else suits.pop(trump)
    at = {card: (suit, place) for suit, cards in suits.items() for place, card in enumerate(cards)}
    steps = [[card] for card in suited] + [list(step) for step in high if step]
    at |= {card: ("trumps", place) for place, step in enumerate(steps) for card in step}
    return Order(at, frozenset(suited))


def sheng_ji(level: str, trump: str | None) -> Order:
    """升级: jokers, level cards and the trump suit."""
    own = [] if trump is None else [trump + level]
    order = built(trump, [[suit + level for suit in SUITS if suit != trump], own, ["LJ"], ["BJ"]])
    return Order(order.at, frozenset(order.of(order.at, "trumps")))


def red_five(level: str, trump: str | None) -> Order:
    """红五 of Taihu: the red five, jokers, two 3s and the level cards are trumps that cannot ruff."""
    others = [suit + level for suit in SUITS if suit != trump]
    if trump is None:
        return built(None, [others, ["LJ"], ["BJ"], ["H5"]])
    same_colour = {"S": "C", "C": "S", "H": "D", "D": "H"}[trump]
    return built(trump, [others, [trump + level], [same_colour + "3"], [trump + "3"], ["LJ"], ["BJ"], ["H5"]])


# ---------------------------------------------------------------- reading


def layouts(order: Order, cards: Sequence[str]) -> Iterator[list[Part]]:
    """Every way to lay cards of one group out in tractors, pairs and singles."""
    if not cards:
        yield []
        return
    low = min(cards, key=lambda card: (order.place(card), card))
    for left, length in [(without(cards, low), 0), *runs(order, cards, low)]:
        for others in layouts(order, left):
            yield [(length, order.place(low) + max(0, length - 1)), *others]


def runs(order: Order, cards: Sequence[str], low: str) -> Iterator[tuple[list[str], int]]:
    """Every run of pairs from a card upward: the cards left, and how many pairs it has."""
    if cards.count(low) == 2:
        left = without(without(cards, low), low)
        yield left, 1
        for card in sorted(set(left)):
            if order.place(card) == order.place(low) + 1:
                yield from ((rest, length + 1) for rest, length in runs(order, left, card))


def without(cards: Sequence[str], card: str) -> list[str]:
    place = cards.index(card)
    return [*cards[:place], *cards[place + 1 :]]


def sizes(layout: Iterable[Part]) -> list[int]:
    return sorted((size for size, _ in layout), reverse=True)


def reading(order: Order, cards: Sequence[str]) -> list[Part]:
    """The longest tractors first, then pairs, then singles."""
    return sorted(max(layouts(order, cards), key=sizes), reverse=True)


# ---------------------------------------------------------------- following


def goes_into(pieces: Sequence[int], led: Sequence[int]) -> bool:
    """Whether runs fit into the tractors led, several into one if they are shorter."""
    return not pieces or any(
        goes_into(pieces[1:], [*led[:i], room - pieces[0], *led[i + 1 :]])
        for i, room in enumerate(led)
        if room >= pieces[0]
    )


def worth(order: Order, cards: Sequence[str], shape: Sequence[int]) -> tuple[int, list[int]]:
    """What cards give towards a lead: pairs, and among these the longest runs towards its tractors."""
    pairs = min(sum(shape), sum(count // 2 for count in Counter(cards).values()))
    tractors = [size for size in shape if size > 1]
    given = {
        some
        for layout in layouts(order, cards)
        for number in range(pairs + 1)
        for some in combinations([size for size in sizes(layout) if size], number)
    }
    return pairs, list(max(some for some in given if goes_into(some, tractors)))


def answers(order: Order, hand: Sequence[str], lead: Sequence[str]) -> set[tuple[str, ...]]:
    """Everything that may be played to a lead; cards sorted by name."""
    group = order.group(lead[0])
    held = order.of(hand, group)
    if len(held) <= len(lead):
        others = [card for card in hand if order.group(card) != group]
        return {tuple(sorted([*held, *free])) for free in combinations(others, len(lead) - len(held))}
    shape = sizes(reading(order, lead))
    found = {play: worth(order, play, shape) for play in combinations(held, len(lead))}
    return {play for play, given in found.items() if given == max(found.values())}


# ---------------------------------------------------------------- throws


def beaten(order: Order, lead: Sequence[str], hands: Iterable[Sequence[str]]) -> list[Part]:
    """The parts of a lead that one of the hands beats in its group."""
    held = [layouts(order, order.of(hand, order.group(lead[0]))) for hand in hands]
    others = {part for found in held for layout in found for part in layout}
    return [part for part in reading(order, lead) if any(o[0] >= part[0] and o[1] > part[1] for o in others)]


# ---------------------------------------------------------------- who wins


def strength(layout: Sequence[Part], compare: str) -> list[int]:
    """The places that count between two plays that lie in one shape, in the order in which they do."""
    if compare == "every_part":
        return [top for _, top in sorted(layout, reverse=True)]
    kind = min(2, max(size for size, _ in layout)) if compare == "largest_kind" else 0
    return [max(top for size, top in layout if size >= kind)]


def winner(order: Order, plays: Sequence[Sequence[str]], compare: str) -> int:
    """What wins a trick. Of all that lies in the shape led a ruff beats the suit; else what counts must be higher."""
    shape, led = sizes(reading(order, plays[0])), order.group(plays[0][0])
    best, ruffed, standing = -1, False, [-1] * len(shape)
    for seat, play in enumerate(plays):
        ruffs = led != "trumps" and order.ruffs.issuperset(play)
        if ruffed > ruffs or (not ruffs and any(order.group(card) != led for card in play)):
            continue
        found = [strength(layout, compare) for layout in layouts(order, play) if sizes(layout) == shape]
        higher = any(all(a > b for a, b in zip(ours, standing, strict=False)) for ours in found)
        if higher or (found and ruffs > ruffed):
            best, ruffed, standing = seat, ruffs, max(found)
    return best

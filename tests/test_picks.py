"""Choosing cards of any kind: counts, order, drawing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice
from math import comb
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from card_games import sub_multisets
from hongwu_rules.cards import IDS, SIZE, Packing, parse_cards
from hongwu_rules.cards.picks import EACH, Alike, NonEmpty, Subsets, lowest

PACK = Packing(2)


def hand_of(text: str) -> int:
    return PACK.of(parse_cards(text))


@st.composite
def choices(draw: st.DrawFn) -> tuple[list[int], Sequence[int], int, int]:
    """A hand of up to nine cards (never three equal), classes, and the numbers to choose."""
    ids = draw(st.lists(st.integers(0, 11), max_size=9).filter(lambda ids: max(Counter(ids).values(), default=0) < 3))
    classes = draw(st.lists(st.integers(0, 4), min_size=SIZE, max_size=SIZE)) if draw(st.booleans()) else EACH
    low, high = draw(st.integers(0, 5)), draw(st.integers(0, 9))
    return ids, classes, low, high


@given(choices())
@settings(deadline=None)
def test_every_choice_once(choice: tuple[list[int], Sequence[int], int, int]) -> None:
    ids, classes, low, high = choice
    subsets = Subsets(PACK.of(ids), PACK, classes, low, high)
    listed = list(subsets)

    def look(cards: list[int]) -> tuple[tuple[int, int], ...]:
        return tuple(sorted(Counter(classes[card] for card in cards).items()))

    fitting = [cards for cards in sub_multisets(ids) if low <= len(cards) <= high]
    looks = [look(PACK.ids(cards)) for cards in listed]
    assert len(set(looks)) == len(looks), "no choice twice"
    assert set(looks) == {look(cards) for cards in fitting}
    assert subsets.ways == len(listed)
    assert [PACK.count(cards) for cards in listed] == sorted(PACK.count(cards) for cards in listed), "fewest first"
    assert [subsets.at(k) for k in range(len(listed))] == listed
    for cards in fitting:
        stands_for = subsets.canonical(PACK.of(cards))
        assert stands_for in listed
        assert look(PACK.ids(stands_for)) == look(cards)
    assert all(PACK.contains(PACK.of(ids), cards) and subsets.canonical(cards) == cards for cards in listed)
    with pytest.raises(IndexError):
        subsets.at(len(listed))
    with pytest.raises(IndexError):
        subsets.at(-1)


def test_equal_cards_are_not_told_apart() -> None:
    # of S5 S5 H5 BJ two cards: S5 S5, and three pairs out of {S5, H5, BJ}
    assert Subsets(hand_of("S5 S5 H5 BJ"), PACK, EACH, 2, 2).ways == 4
    # with one class for all fives: five five, five joker
    fives = [0] * 52 + [1, 1]
    two = Subsets(hand_of("S5 S5 H5 BJ"), PACK, fives, 2, 2)
    assert [PACK.names(cards) for cards in two] == [["S5", "S5"], ["S5", "BJ"]]
    assert two.canonical(hand_of("H5 BJ")) == hand_of("S5 BJ")


def test_burying_eight_of_thirty_three_different_cards() -> None:
    assert Subsets(PACK.of(range(33)), PACK, EACH, 8, 8).ways == comb(33, 8) == 13_884_156


def test_burying_eight_of_thirty_three_with_eight_pairs() -> None:
    # 25 kinds, 8 of them held twice. With p kinds taken twice the other 8 - 2p cards are of different
    # kinds among the 25 - p left: C(25,8) + 8 C(24,6) + 28 C(23,4) + 56 C(22,2) + 70
    # = 1,081,575 + 1,076,768 + 247,940 + 12,936 + 70
    hand = PACK.of([*range(25), *range(8)])
    assert Subsets(hand, PACK, EACH, 8, 8).ways == sum(comb(8, p) * comb(25 - p, 8 - 2 * p) for p in range(5))
    assert Subsets(hand, PACK, EACH, 8, 8).ways == 2_419_289


def test_any_number_of_cards() -> None:
    # every subset: three for each of eight pairs, two for each of seventeen single cards
    hand = PACK.of([*range(25), *range(8)])
    assert Subsets(hand, PACK, EACH, 0, 99).ways == 3**8 * 2**17


def test_only_the_first_members_are_worked_out() -> None:
    subsets = Subsets(PACK.of([*range(54), *range(54)]), PACK, EACH, 27, 27)
    first = [PACK.ids(cards) for cards in islice(subsets, 2)]
    # thirteen kinds twice and the next one once; then the next but one instead
    assert first[0] == sorted([*range(13), *range(14)])
    assert first[1] == sorted([*range(13), *range(13), 14])
    assert subsets.at(subsets.ways - 1) == PACK.of([*range(40, 54), *range(41, 54)]), "the last in the list"


def test_part_of_a_hand() -> None:
    spades = PACK.mask(range(13))
    subsets = Subsets(hand_of("S2 S3 S3 H4 H5"), PACK, EACH, 2, 2, mask=spades)
    assert [PACK.names(cards) for cards in subsets] == [["S2", "S3"], ["S3", "S3"]]


@pytest.mark.parametrize(("low", "high", "count"), [(4, 4, 0), (3, 2, 0), (0, 0, 1), (-2, -1, 0), (3, 9, 1)])
def test_odd_bounds(low: int, high: int, count: int) -> None:
    subsets = Subsets(hand_of("S2 S3 S4"), PACK, EACH, low, high)
    assert subsets.ways == count == len(list(subsets))


def test_no_cards() -> None:
    assert list(Subsets(0, PACK, EACH, 0, 3)) == [0]
    assert list(Subsets(0, PACK, EACH, 1, 3)) == []
    with pytest.raises(IndexError):
        Subsets(0, PACK, EACH, 1, 3).sample(Random(1))


def test_drawing_is_even_and_repeats() -> None:
    subsets = Subsets(hand_of("S2 S2 S3 S4 S4"), PACK, EACH, 2, 3)
    # two cards: S2 S2, S4 S4 and three mixed; three cards: the same five by what stays behind
    assert subsets.ways == 10
    drawn = Counter(subsets.sample(Random(seed)) for seed in range(2000))
    assert set(drawn) == set(subsets)
    assert all(140 <= times <= 260 for times in drawn.values()), "200 each, four and a half deviations either way"
    assert [subsets.sample(Random(5)) for _ in range(3)] == [subsets.sample(Random(5))] * 3


def test_lowest_cards() -> None:
    hand = hand_of("S2 S2 H3 BJ")
    assert PACK.names(lowest(PACK, hand, 3)) == ["S2", "S2", "H3"]
    assert lowest(PACK, hand, 9) == hand
    assert lowest(PACK, hand, 0) == 0
    assert lowest(PACK, 0, 2) == 0
    assert IDS["S2"] == 0


@given(st.randoms(use_true_random=False), st.integers(0, 3), st.integers(0, 3))
def test_alike_is_what_a_filter_leaves(rng: Random, low: int, more: int) -> None:
    """Kinds of several classes, and classes of several cards, in any order."""
    pack = Packing(rng.choice((1, 2, 3, 4)))
    class_of = [rng.randrange(8) if card < 12 else card for card in range(54)]
    kind_of = [number // 2 if number < 8 else number for number in class_of]  # a class is of one kind
    kinds = [pack.mask([other for other in range(54) if kind_of[other] == kind_of[card]]) for card in range(54)]
    classes = [class_of.index(number) for number in class_of]
    hand = sum(pack.one[card] * rng.randint(0, pack.copies) for card in rng.sample(range(16), 6))
    some = Alike(hand, kinds, pack, classes, low, low + more)
    wanted = [
        cards
        for cards in Subsets(hand, pack, classes, low, low + more)
        if len({kind_of[card] for card in pack.ids(cards)}) <= 1
    ]
    assert list(some) == wanted and [some.at(place) for place in range(some.ways)] == list(some)


@given(st.randoms(use_true_random=False))
def test_every_choice_of_one_card_or_more(rng: Random) -> None:
    pack = Packing(rng.choice((1, 2, 3, 4)))
    classes = rng.choice((EACH, tuple(card // 2 for card in range(54))))
    hand = sum(pack.one[card] * rng.randint(0, pack.copies) for card in rng.sample(range(54), 5))
    some = NonEmpty(hand, pack, classes)
    drawn = [some.at(place) for place in range(some.ways)]
    assert len(drawn) < 40_000 and sorted(drawn) == sorted(Subsets(hand, pack, classes, 1, pack.count(hand)))
    with pytest.raises(IndexError):
        some.at(some.ways)

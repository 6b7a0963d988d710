"""Who wins a trick whose lead has several parts, and what cannot change that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import pairwise, permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hongwu_rules.cards import IDS, NAMES, parse_cards
from trick_games import Table, levels

EVERY_PART, LARGEST_KIND, HIGHEST_CARD = 0, 1, 2


@cache
def table(compare: int, ties: int = 0, level: str = "2", trump: str = "S") -> Table:
    return Table(levels(compare=compare, ties=ties), level=level, trump=trump)


@pytest.mark.parametrize(
    ("plays", "winners"),  # by every part, by the largest kind, by the highest card
    [
        # spades are trumps; a ruff that fits beats the throw, whatever its cards
        (["HA HK HK", "S3 S4 S4"], (1, 1, 1)),
        (["HA HK HK", "S3 S4 S5"], (0, 0, 0)),  # no pair in it
        (["HA HK HK", "H2 BJ BJ"], (1, 1, 1)),  # all trumps: level card and jokers
        (["HA HK HK", "H9 BJ BJ"], (0, 0, 0)),  # not all trumps
        # a run may serve as pairs, pairs as single cards; loose pairs never as a run
        (["HA HA HK HK HJ", "S3 S3 S4 S4 S5"], (1, 1, 1)),
        (["HA HA HJ HJ H9", "S3 S3 S4 S4 S5"], (1, 1, 1)),
        (["HA HA HK HK HJ", "S3 S3 S5 S5 S6"], (0, 0, 0)),
        (["HA HJ", "S3 S3"], (1, 1, 1)),
        (["HA HA HK HK HQ HQ H9", "S3 S3 S4 S4 S5 S5 S6"], (1, 1, 1)),
        (["HA HA HK HK H9 H8", "S3 S3 S4 S4 S5 S5"], (1, 1, 1)),  # a longer run as a shorter one
        # ruffs against each other
        (["HA HK HK", "S3 S4 S4", "S5 S6 S6"], (2, 2, 2)),
        (["HA HK HK", "S7 S4 S4", "S5 S6 S6"], (1, 2, 1)),  # the pair is higher, the single card lower
        (["HA HK HK", "S7 S6 S6", "S8 S5 S5"], (1, 1, 2)),
        (["HA HK HK", "S7 S6 S6", "S7 S6 S6"], (1, 1, 1)),  # equal: the earlier
        (["HA HK HK", "S7 S6 S6", "S8 S6 S6"], (1, 1, 2)),  # equal in one part is not higher in every part
        # the best way to lie in the parts counts: the lowest run, and two high single cards
        (["HA HA HK HK H9 H8", "S4 S4 S5 S5 S6 S7", "S7 S7 S8 S8 S9 S9"], (2, 2, 2)),
        # the throw of trumps against trumps
        (["SA SK", "BJ LJ"], (1, 1, 1)),
        (["BJ SK", "SA SQ"], (0, 0, 0)),
    ],
)
def test_by_hand(plays: list[str], winners: tuple[int, int, int]) -> None:
    assert tuple(table(compare).winner(plays) for compare in (0, 1, 2)) == winners


def test_the_largest_kind_is_the_run_of_any_length() -> None:
    """A run of three and one of two were thrown: the higher of the two runs counts."""
    lead = "HA HA HK HK HQ HQ H8 H8 H7 H7"
    one = "S3 S3 S4 S4 S5 S5 S10 S10 SJ SJ"
    two = "S4 S4 S5 S5 S6 S6 S8 S8 S9 S9"
    assert table(LARGEST_KIND).winner([lead, one, two]) == 1
    assert table(LARGEST_KIND).winner([lead, two, one]) == 2


def test_the_later_of_equals_may_win() -> None:
    for compare in (EVERY_PART, LARGEST_KIND, HIGHEST_CARD):
        assert table(compare, 1).winner(["HA HK HK", "S7 S6 S6", "S7 S6 S6"]) == 2
    assert table(EVERY_PART, 1).winner(["HA", "HK", "HA"]) == 2
    assert table(EVERY_PART, 0).winner(["HA", "HK", "HA"]) == 0


@pytest.mark.parametrize(
    ("plays", "winner"),
    [
        (["H3 H5 H5 H6 H9 HK", "S4 S6 S6 S7 S10 SA"], 1),  # the example that the rules print
        (["H3 H5 H5 H6 H9 HK", "S4 S6 S7 S8 S10 SA"], 0),
        (["H3 H3 H4 H4", "S3 S3 S4 S4"], 1),
        (["H3 H3 H4 H4", "S3 S3 S5 S5"], 0),
        (["H3 H3 H4 H4", "S9 S9 SJ SJ", "S3 S3 S4 S4"], 2),
    ],
)
def test_a_ruff_must_match(plays: list[str], winner: int) -> None:
    assert table(EVERY_PART).winner(plays) == winner


# ---------------------------------------------------------------- the same, by trying everything


def layouts(at: Table, cards: Sequence[int], sizes: Sequence[tuple[int, int]]) -> set[tuple[int, ...]]:
    """The top steps of every way to share cards out among parts of these sizes (width, length)."""
    order = at.book.table
    found = set()
    for some in set(permutations(cards)):
        tops, first = [], 0
        for width, length in sizes:
            taken = some[first : first + width * length]
            first += width * length
            sets = [taken[i : i + width] for i in range(0, len(taken), width)]
            steps = [order.step[one[0]] for one in sets]
            links = order.neighbour[order.group[taken[0]]]
            if any(len(set(one)) > 1 for one in sets) or any(links[a] != b for a, b in pairwise(steps)):
                break
            tops.append(steps[-1])
        else:
            found.add(tuple(tops))
    return found


def draw(rng: Random, cards: Sequence[str], number: int) -> list[str]:
    start = rng.randrange(max(1, len(cards) - 3))
    deck = [c for c in cards[start : start + 4] for _ in range(2)]
    return rng.sample(deck, number)


TRUMPS = [NAMES[c] for c in parse_cards("S3 S5 S6 S7 S8 S9 SJ SQ SK SA D4 H4 C4 S4 LJ BJ")]
HEARTS = [NAMES[c] for c in parse_cards("H2 H3 H5 H6 H7 H8 H9 H10 HJ HQ HK HA")]


@settings(max_examples=120, deadline=None)
@given(rng=st.randoms(use_true_random=False), compare=st.integers(0, 2))
def test_any_two_ruffs(rng: Random, compare: int) -> None:
    at = table(compare, 0, "4", "S")
    number = rng.randint(2, 6)
    plays = [draw(rng, HEARTS, number), draw(rng, TRUMPS, number), draw(rng, TRUMPS, number)]
    reading = at.book.read(at.cards(plays[0]))
    assert reading is not None
    if not reading.parts:
        return
    parts = reading.parts
    sizes = [(p.width, p.length) for p in parts]
    best, standing = 0, None
    for seat in (1, 2):
        ways = layouts(at, [IDS[c] for c in plays[seat]], sizes)
        measures = {measure(at, compare, way, reading.parts) for way in ways}
        higher = {m for m in measures if standing is None or all(a > b for a, b in zip(m, standing, strict=True))}
        if higher:
            best = seat
            # among those that win the one with the highest first parts stands, parts of one size in falling order
            standing = max(m for m in higher if compare or falling(m, sizes))
    assert at.winner(plays) == best


def measure(at: Table, compare: int, tops: tuple[int, ...], parts: Sequence[object]) -> tuple[int, ...]:
    if compare == EVERY_PART:
        return tops
    if compare == HIGHEST_CARD:
        return (max(tops),)
    kind = parts[0].shape  # type: ignore[attr-defined]
    return (max(t for t, p in zip(tops, parts, strict=True) if p.shape == kind),)  # type: ignore[attr-defined]


def falling(tops: Sequence[int], sizes: Sequence[tuple[int, int]]) -> bool:
    return all(
        a >= b
        for i, (a, one) in enumerate(zip(tops, sizes, strict=True))
        for b, two in list(zip(tops, sizes, strict=True))[i + 1 :]
        if one == two
    )


# ---------------------------------------------------------------- what does not matter


@settings(max_examples=150, deadline=None)
@given(rng=st.randoms(use_true_random=False), compare=st.integers(0, 2))
def test_seats_suits_and_the_order_of_cards_do_not_matter(rng: Random, compare: int) -> None:
    """Spades are trumps, level 4: the other suits may change places, and with them the fours."""
    at = table(compare, 0, "4", "S")
    number = rng.randint(1, 6)
    plays = [draw(rng, rng.choice([HEARTS, TRUMPS]), number) for _ in range(4)]
    winner = at.winner(plays)
    suits = list("HDC")
    rng.shuffle(suits)
    turn = dict(zip("HDC", suits, strict=True))
    turned = [[c if c in ("LJ", "BJ") else turn.get(c[0], c[0]) + c[1:] for c in play] for play in plays]
    for play in turned:
        rng.shuffle(play)
    assert at.winner(turned) == winner
    trick = None
    seats = [(i + 1) % 4 for i in range(4)]
    for seat, cards in zip(seats, turned, strict=True):
        trick = at.game.play(at.g, trick, seat, at.cards(cards))
    assert trick is not None and trick.winner == seats[winner]


@settings(max_examples=80, deadline=None)
@given(rng=st.randoms(use_true_random=False))
def test_a_throw_stands_or_fails_in_every_suit_alike(rng: Random) -> None:
    at = table(EVERY_PART, 0, "4", "S")
    near = [c for c in TRUMPS if c[0] != "S" or c in ("S4", "SA", "SK")]
    deck = [c for c in near for _ in range(2)]
    some = rng.sample(deck, 12)
    thrown, hands = some[:6], [some[6:9], some[9:], []]
    sizes = []
    for turn in ("HDC", "DCH", "CDH"):
        change = dict(zip("HDC", turn, strict=True))
        swap = [c if c in ("LJ", "BJ") else change.get(c[0], c[0]) + c[1:] for c in thrown]
        for seat, hand in enumerate(hands, 1):
            at.hand(seat, [c if c in ("LJ", "BJ") else change.get(c[0], c[0]) + c[1:] for c in hand])
        beaten = at.word("beaten", at.g, at.cards(swap))
        parts = [len(at.pack.ids(cards)) for cards in at.word("parts", at.book, at.cards(swap))]
        sizes.append((at.pack.count(beaten), parts))
        order = at.book.table
        sizes[-1] += (Counter(order.step[c] for c in at.pack.ids(beaten)),)  # type: ignore[operator]
    assert sizes[0] == sizes[1] == sizes[2]
    assert all(NAMES[c] in near for c in at.pack.ids(at.cards(thrown)))

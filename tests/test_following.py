"""What a follower owes, and the legal answers to a lead: counted, listed and drawn exactly."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import brute_force
from hongwu_rules.cards import IDS, NAMES, SUITS, parse_cards
from hongwu_rules.cards.duties import demand_of
from hongwu_rules.compile.program import Program
from hongwu_rules.play import positions
from hongwu_rules.play.legal import LegalMoves
from hongwu_rules.play.state import Position, State
from trick_games import Table, levels

THREE = [
    ("  tractor: {alike: 2, run: 2..", "  trio: {alike: 3}\n  tractor: {alike: 2..3, run: 2.."),
    ("parts: tractor pair single", "parts: tractor trio pair single"),
    ("shapes: single pair tractor throw", "shapes: single pair trio tractor throw"),
]


@cache
def game(packs: int) -> Program:
    return levels(packs=packs, changes=THREE if packs > 2 else ())


@cache
def table(packs: int, level: str, trump: str) -> Table:
    return Table(game(packs), level=level, trump=trump)


def answers(cards: Sequence[int], number: int) -> set[tuple[int, ...]]:
    return {tuple(sorted(some)) for some in combinations(cards, number)}


def situation(at: Table, rng: Random, *, most: int, lead: int) -> tuple[list[int], list[int]]:
    """A hand rich in sets of one group, and a lead of that group."""
    order = at.book.table
    group = rng.choice([g for g, mask in enumerate(order.group_mask) if mask])
    packs = at.pack.copies
    near = [c for c in range(54) if order.group[c] == group]
    window = sorted(near, key=lambda c: order.step[c])
    start = rng.randrange(max(1, len(window) - 5))
    window = window[start : start + 7]
    deck = [c for c in window for _ in range(packs)]
    hand = rng.sample(deck, min(len(deck), rng.randint(1, most)))
    hand += rng.sample([c for c in range(54) if order.group[c] != group], rng.randint(0, 3))
    led = rng.sample([c for c in near for _ in range(packs)], 1)
    for _ in range(50):
        first = rng.randrange(len(near))
        some = [c for c in near[first : first + 4] for _ in range(packs)]
        led = rng.sample(some, min(len(some), rng.randint(1, lead)))
        if rng.random() < 0.5:
            led = [c for c in set(led) for _ in range(2)][:lead]
        if len(led) <= len(hand):
            break
    return hand, led[: len(hand)]


LEVELS = [("2", "S"), ("4", "S"), ("A", "H"), ("7", "none")]


@pytest.mark.parametrize(("level", "trump"), LEVELS)
@settings(max_examples=60, deadline=None)
@given(rng=st.randoms(use_true_random=False))
def test_duties_say_what_the_rules_say(level: str, trump: str, rng: Random) -> None:
    """A play is legal exactly if no other play of the hand gives more pairs, or with as many longer runs."""
    at = table(2, level, trump)
    hand, led = ([NAMES[c] for c in cards] for cards in situation(at, rng, most=9, lead=6))
    packed = at.hand(1, hand)
    at.lead(led)
    legal = brute_force.answers(brute_force.sheng_ji(level, None if trump == "none" else trump), hand, led)
    for some in {tuple(sorted(some)) for some in combinations(hand, len(led))}:
        assert (not at.broken(1, at.cards(some))) is (some in legal), some
        assert at.pack.contains(packed, at.cards(some))


# ---------------------------------------------------------------- the list of legal answers


def follow(at: Table, hand: Sequence[int], led: Sequence[int]) -> State:
    """Seat 1 is to answer a lead; hand and lead may hold a card more often together than the deck does."""
    at.hand(1, [NAMES[c] for c in hand])
    at.lead([NAMES[c] for c in led])
    g = at.g
    number = at.game.numbers["follow"]
    place = Position(number, 1, tuple(g.m), tuple(g.z), g.trick, 0, at.game.unmeasured, g.chance)
    return State(at.game, place, (), None, g.chance)


@pytest.mark.parametrize("packs", [2, 3])
@pytest.mark.parametrize(("level", "trump"), LEVELS)
@settings(max_examples=25, deadline=None)
@given(rng=st.randoms(use_true_random=False))
def test_every_legal_answer_once(packs: int, level: str, trump: str, rng: Random) -> None:
    at = table(packs, level, trump)
    hand, led = situation(at, rng, most=9, lead=7)
    state = follow(at, hand, led)
    legal = {at.pack.of(some) for some in answers(hand, len(led)) if not at.broken(1, at.pack.of(some))}
    assert legal, "some play is always legal"
    moves = LegalMoves(state)
    (offer,) = moves.offers
    assert not offer.tests, "counted without trying"
    listed = [picked for picked, _ in offer.candidates()]
    assert len(listed) == len(set(listed)) == offer.size == moves.count()
    assert set(listed) == legal
    assert [offer.at(place)[0] for place in range(offer.size)] == listed
    drawn = moves.sample(rng)
    assert drawn.packed(at.pack) in legal and drawn in moves


def test_counts_by_hand() -> None:
    """Level 2, spades are trumps; hearts are led."""
    at = table(2, "2", "S")

    def count(hand: str, lead: str) -> int | None:
        ids = [[IDS[c] for c in text.split()] for text in (hand, lead)]
        return LegalMoves(follow(at, ids[0], ids[1])).count()

    assert count("H3 H4 H5 S9 C9", "HK") == 3  # any heart
    assert count("S9 C9 C9 D3", "HK") == 3  # none: anything, C9 once
    assert count("H3 S9 C9 D3", "HK HK") == 3  # the heart and one of three
    assert count("H3 H3 H5 H5 H9", "HK HK") == 2  # a pair for a pair
    assert count("H3 H5 H9 HJ", "HK HK") == 6  # no pair: two of four
    assert count("H3 H3 H5 H9 HJ", "HK HK HQ") == 3  # the pair, and one more
    assert count("H3 H3 H4 H4 H9 H9 HK HK", "H5 H5 H6 H6") == 1  # the run
    # two pairs of three, none linked: C(3, 2)
    assert count("H3 H3 H5 H5 H9 H9 HJ HQ", "H7 H7 H8 H8") == 3
    # one pair only, with two of the three single hearts
    assert count("H3 H3 H5 H9 HQ", "H7 H7 H8 H8") == 3
    # three pairs led as loose ones ask for pairs, never for a run: C(4, 3)
    assert count("H3 H3 H4 H4 H5 H5 H9 H9", "H7 H7 H10 H10 HK HK") == 4
    # a run of three led: a run of two is the longest held, and one of the two other pairs goes with it
    assert count("H3 H3 H4 H4 H9 H9 HK HK HA", "H5 H5 H6 H6 H7 H7") == 2


def test_a_bound_on_some_cards_is_counted() -> None:
    """At most so many cards of a kind: the rest of the hand makes millions of answers."""
    changed = levels(
        changes=[
            (
                "          follow_pairs:",
                "          keep: {that: count(c == H5 for c in picked) <= max(0, len(picked) - count(c != H5 for c in hand[seat])), "
                "zh: 留着, en: keep it}\n          follow_pairs:",
            )
        ]
    )
    at = Table(changed, level="2", trump="S")
    hand = parse_cards("H5 H5 C3 C3 C4 C9 D3")
    led = parse_cards("SA SA SK")
    state = follow(at, hand, led)
    (offer,) = LegalMoves(state).offers
    assert not offer.tests
    listed = [at.pack.names(picked) for picked, _ in offer.candidates()]
    # without H5: C3 C3 and one of three; or three of C3 C4 C9 D3
    assert len(listed) == 3 + 4 and not any("H5" in cards for cards in listed)
    short = parse_cards("H5 H5 C3")
    state = follow(at, short, led[:2])
    assert [at.pack.names(picked) for picked, _ in LegalMoves(state).offers[0].candidates()] == [["H5", "C3"]]


def test_leads_are_counted_with_a_rule_on_throws() -> None:
    """A clause about the shape and the group leaves whole plans out, so that nothing is tried card by card."""
    changed = levels(
        changes=[
            (
                "        do:\n          - show(picked)",
                "        require:\n          plain: {that: group(picked) != trumps, when: shape == throw, zh: 只甩副牌, en: plain suits only}\n"
                "        do:\n          - show(picked)",
            )
        ]
    )
    at = Table(changed, level="2", trump="S")
    hand = "SA SA SK HA HK HQ"
    given = {"phase": "lead", "seat": 0, "memory": {"level": "2", "trump": "S"}, "zones": {"hand": {0: hand}}}
    moves = LegalMoves(positions.position(at.game, given))
    assert not moves.offers[0].tests
    # trumps: A, A A, K and no throw; hearts: any of the three
    assert moves.count() == 3 + 7
    assert all(moves.sample(Random(n)) in moves for n in range(20))


# ---------------------------------------------------------------- what does not matter


@settings(max_examples=60, deadline=None)
@given(rng=st.randoms(use_true_random=False))
def test_suits_that_are_alike_may_change_places(rng: Random) -> None:
    """With spades as trumps the other suits may be exchanged: the duties answer alike."""
    at = table(2, "4", "S")
    hand, led = situation(at, rng, most=9, lead=6)
    others = SUITS[1:]
    mixed = list(others)
    rng.shuffle(mixed)
    names = dict(zip(others, mixed, strict=True))

    def turn(card: int) -> int:
        name = NAMES[card]
        return IDS[name if name in ("LJ", "BJ") else names.get(name[0], name[0]) + name[1:]]

    for some in list(answers(hand, len(led)))[:40]:
        found = []
        for change in (int, turn):
            at.hand(1, [NAMES[change(c)] for c in hand])
            at.lead([NAMES[change(c)] for c in led])
            found.append(at.broken(1, at.pack.of(change(c) for c in some)))
        assert found[0] == found[1]


def test_wider_sets_are_owed_too() -> None:
    """Three packs: a trio for a trio, else a pair; a run of trios for a run of trios."""
    at = table(3, "2", "S")

    def legal(hand: str, lead: str) -> set[str]:
        at.hand(1, hand)
        at.lead(lead)
        ids = [IDS[c] for c in hand.split()]
        plays = answers(ids, len(lead.split()))
        return {" ".join(NAMES[c] for c in play) for play in plays if not at.broken(1, at.pack.of(play))}

    assert legal("H3 H3 H3 H5 H5 H9", "HK HK HK") == {"H3 H3 H3"}
    assert legal("H3 H3 H5 H5 H9", "HK HK HK") == {"H3 H3 H5", "H3 H3 H9", "H3 H5 H5", "H5 H5 H9"}
    assert legal("H3 H5 H9 HJ", "HK HK HK") == {"H3 H5 H9", "H3 H5 HJ", "H3 H9 HJ", "H5 H9 HJ"}
    assert legal("H3 H3 H3 H4 H4 H4 H9 H9 H9", "H6 H6 H6 H7 H7 H7") == {"H3 H3 H3 H4 H4 H4"}
    assert legal("H3 H3 H3 H5 H5", "HK HK") == {"H3 H3", "H5 H5"}


def test_what_a_lead_asks_for() -> None:
    at = table(2, "2", "S")
    reading = at.book.read(at.cards("H3 H3 H4 H4 H5 H5 H7 H7 H8 H8 HJ HJ HK"))
    assert reading is not None
    assert demand_of(reading).sets == (2,) * 6
    assert demand_of(reading).runs == ((2, (3, 2)),)

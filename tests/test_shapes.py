"""Shapes: what cards read as, what a hand can play, and what beats what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice
from math import comb
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from card_games import Cardgame, levels, of_shape, sixty, sub_multisets
from hongwu_rules.cards import IDS, RANK_OF, SIZE, chunks, parse_cards, shapes
from hongwu_rules.cards.shapes import Reading, ShapeBook, ShapeSpec, beats


def no_power(width: int, length: int) -> int:
    return 0


def width_power(width: int, length: int) -> int:
    return width


def with_bombs() -> Cardgame:
    game = sixty()
    game.shapes = [ShapeSpec(name="bomb", index=0, width=(4, 7), power=width_power)] + [
        ShapeSpec(name=s.name, index=s.index + 1, width=s.width, length=s.length, within=s.within) for s in game.shapes
    ]
    return game


GAMES: dict[str, Cardgame] = {
    "sixty": sixty(),
    "bombs": with_bombs(),
    "level 7, hearts": levels(7, 1),
    "level A, spades": levels(14, 0),
    "level 2, no trump": levels(2, None),
    "no gaps": levels(5, 2, close_over=lambda card: False, across_lines=False),
}
BOOKS = {name: game.book() for name, game in GAMES.items()}


def check(game: Cardgame, book: ShapeBook, ids: Sequence[int]) -> None:
    """Everything a book says about a hand, against trying every set of its cards."""
    pack, hand = game.packing, game.packing.of(ids)
    expected: dict[object, Reading] = {}
    for cards in sub_multisets(ids):
        reading = game.plain_read(cards)
        assert book.read(pack.of(cards)) == reading
        if reading is not None:
            expected[game.plain_look(cards)] = reading
    plans = book.plans(hand)
    found: list[object] = []
    for plan in plans:
        members = list(book.members(plan, hand))
        assert len(members) == plan.ways > 0
        assert [plan.at(k) for k in range(plan.ways)] == members
        for play in members:
            assert pack.contains(hand, play)
            assert book.read(play) == plan.reading
            assert book.canonical(play, hand) == play
            found.append(game.plain_look(pack.ids(play)))
    assert len(set(found)) == len(found), "no play twice"
    assert set(found) == set(expected)
    assert list(book.plays(hand)) == [cards for plan in plans for cards in book.members(plan, hand)]
    assert book.count(hand) == len(expected)
    sizes = [plan.reading.size for plan in plans]
    assert sizes == sorted(sizes), "fewest cards first"
    for cards in sub_multisets(ids):
        if game.plain_read(cards) is not None:
            same = book.canonical(pack.of(cards), hand)
            assert game.plain_look(pack.ids(same)) == game.plain_look(cards)
    for reading in {*expected.values(), *book.readings[:: max(1, len(book.readings) // 7)]}:
        higher = {look for look, other in expected.items() if plain_beats(other, reading)}
        assert {game.plain_look(pack.ids(c)) for c in book.plays(hand, None, reading)} == higher
        assert book.can_beat(hand, reading) is bool(higher)
        fits = of_shape(0, 2)
        kept = {look for look in higher if fits(expected[look])}
        assert bool(book.plans(hand, fits, reading)) is bool(kept)
        assert book.count(hand, fits, reading) == len(kept)


def plain_beats(new: Reading, old: Reading) -> bool:
    if new.power > old.power:
        return True
    same = (new.shape, new.width, new.length, new.group) == (old.shape, old.width, old.length, old.group)
    return same and new.top > old.top


SEEDS = st.integers(0, 2**32 - 1)


def some_hand(game: Cardgame, seed: int) -> list[int]:
    """Up to nine cards: most alike by twos or threes on some places next to each other, and a few of any kind.

    Drawn from a seed rather than piece by piece, so that most hands have sets and runs in them.
    """
    rng = Random(seed)
    places = [cards for group in game.plain_places for _, _, cards in group if cards]
    first, number = rng.randrange(len(places)), rng.randint(1, 5)
    ids: list[int] = []
    for cards in places[first : first + number]:
        width = rng.choice([1, 1, 2, 2, 3])
        pool = [card for card in cards for _ in range(game.cards[card])]
        ids += [rng.choice(cards)] * width if rng.random() < 0.5 else rng.sample(pool, min(width, len(pool)))
    rng.shuffle(ids)
    ids = ids[:8] + rng.choices(sorted(game.cards), k=rng.randint(0, 2))
    return sorted((Counter(game.cards) & Counter(ids[:9])).elements())


@pytest.mark.parametrize("name", GAMES)
@given(seed=SEEDS)
@settings(deadline=None, max_examples=60)
def test_against_every_set_of_cards(name: str, seed: int) -> None:
    check(GAMES[name], BOOKS[name], some_hand(GAMES[name], seed))


def made_up(seed: int) -> Cardgame:
    """A game of few ranks, one to three packs, an odd line, and odd shapes in any order."""
    rng = Random(seed)
    ranks = rng.sample([3, 4, 5, 6, 7], 5)
    deck = {c: rng.randint(1, 3) for c in range(SIZE) if RANK_OF[c] in ranks and rng.random() < 0.8}
    deck[IDS["S3"]] = 2
    alias = {IDS["H9"]: IDS["H5"]} if rng.random() < 0.5 else {}
    deck |= dict.fromkeys(alias, 1)
    odd = set(rng.sample(sorted(deck), rng.randint(0, 4)))
    stays = rng.random() * 0.6
    closing = {c for c in range(SIZE) if rng.random() > stays}

    def span(most: int) -> tuple[int, int]:
        low = rng.randint(1, most)
        return low, low + rng.randint(0, 3)

    shapes = [
        ShapeSpec(
            name=f"s{index}",
            index=index,
            width=span(2),
            length=span(3),
            within=frozenset(rng.sample(ranks, rng.randint(2, 4))) if rng.random() < 0.4 else frozenset(),
            power=width_power if rng.random() < 0.25 else no_power,
        )
        for index in range(rng.randint(2, 5))
    ]
    return Cardgame(
        cards=deck,
        groups=[
            ("odd", False, [("odd", lambda c: c in odd, ()), ("fours", lambda c: RANK_OF[c] == 4 and c % 2 == 0, ())]),
            ("rest", rng.random() < 0.4, [("low", lambda c: c % 5 > 0, tuple(ranks)), ("last", None, tuple(ranks))]),
        ],
        shapes=shapes,
        alike_by=rng.choice(["step", "card"]),
        alias=alias,
        classes=rng.choice([range(SIZE), RANK_OF, [c % 3 for c in range(SIZE)]]),
        close_over=lambda card: card in closing,
        across_lines=rng.random() < 0.5,
    )


@given(seed=SEEDS)
@settings(deadline=None, max_examples=250)
def test_games_made_up(seed: int) -> None:
    game = made_up(seed)
    check(game, game.book(), some_hand(game, seed + 1))


def hand_of(game: Cardgame, text: str) -> int:
    return game.packing.of(parse_cards(text))


def test_one_card_that_can_be_told_apart() -> None:
    """The marked ten is not the other tens, so each set and run with a ten comes with and without it."""
    game, book = GAMES["sixty"], BOOKS["sixty"]
    hand = hand_of(game, "S10 S10 H9 SJ SQ DK CA")
    # singles: two tens (S10, H9) and J Q K A; pairs: S10 S10, S10 H9; triple: one
    sets = 6 + 2 + 1
    # 10 J Q K and 10 J Q K A with either ten; J Q K A
    straights = 2 + 2 + 1
    assert book.count(hand) == sets + straights == 14
    assert book.count(hand, of_shape(1)) == straights
    assert book.count(hand, of_shape(2)) == 0


def test_the_whole_deck_of_sixty() -> None:
    game, book = GAMES["sixty"], BOOKS["sixty"]
    deck = game.packing.of(c for c, n in game.cards.items() for _ in range(n))
    # sets: special five, BJ, LJ twice each: 6; fives: 6; 2 A K Q J: 7 each; tens: 7 with the marked one, 7 without
    assert book.count(deck, of_shape(0)) == 6 + 6 + 35 + 14
    # straights: 10-K two ways, J-A, 10-A two ways
    assert book.count(deck, of_shape(1)) == 5
    # runs, for each width 2..7: 10-Q and 10-K and 10-A two ways; J-K, Q-A, J-A
    assert book.count(deck, of_shape(2)) == 6 * 9


def test_off_suit_level_cards_are_one_step_of_several_kinds() -> None:
    """Level 7, trump hearts: S7 and D7 are equal, but a pair is two of the same."""
    game, book = GAMES["level 7, hearts"], BOOKS["level 7, hearts"]
    hand = hand_of(game, "HA HA S7 S7 D7 D7 C7 H7 H7")
    # singles: HA, S7, D7, C7, H7; pairs: HA, S7, D7, H7
    # runs: HA+S7, HA+D7, S7+H7, D7+H7, and HA to H7 through S7 or through D7
    assert book.count(hand, of_shape(0)) == 5
    assert book.count(hand, of_shape(1)) == 4
    assert book.count(hand, of_shape(2)) == 6
    assert book.read(hand_of(game, "S7 D7")) is None
    assert book.read(hand_of(game, "S7 S7 D7 D7")) is None
    assert book.read(hand_of(game, "S7 D7 LJ LJ BJ BJ")) is None, "two level cards that differ begin no run"
    assert book.read(hand_of(game, "HA HA S7 D7 H7 H7")) is None, "nor are they part of one"
    assert book.alike(IDS["S7"], IDS["S7"])
    assert not book.alike(IDS["S7"], IDS["D7"])


def test_a_card_that_counts_as_another_pairs_with_it() -> None:
    """Pairs of identical cards, where a nine counts as the five of its suit: three fives of hearts in all."""
    game = Cardgame(
        cards={IDS["H5"]: 2, IDS["H9"]: 1, IDS["S5"]: 2},
        alias={IDS["H9"]: IDS["H5"]},
        alike_by="card",
        groups=[("all", False, [("rest", None, (5,))])],
        shapes=[ShapeSpec(name="set", index=0, width=(1, 3))],
    )
    hand = hand_of(game, "H5 H5 H9 S5 S5")
    check(game, game.book(), game.packing.ids(hand))
    # one card: H5, H9, S5; two alike: H5 H5, H5 H9, S5 S5; three alike: H5 H5 H9
    assert game.book().count(hand) == 7


def test_no_play_is_read_twice() -> None:
    """Bombs stand before sets in the file: four alike are a bomb and never a set as well."""
    game, book = GAMES["bombs"], BOOKS["bombs"]
    hand = hand_of(game, "SK SK DK DK S2")
    # K: 1 2 3 alike, 2: 1 alike; four kings are the bomb
    assert [(p.reading.shape, p.reading.width) for p in book.plans(hand)] == [(1, 1), (1, 1), (1, 2), (1, 3), (0, 4)]


def test_weakest_first() -> None:
    game, book = GAMES["sixty"], BOOKS["sixty"]
    hand = hand_of(game, "H5 LJ S5 C2 D10 S10")
    assert [" ".join(game.packing.names(cards)) for cards in book.plays(hand)] == [
        *["S10", "C2", "S5", "LJ", "H5", "S10 D10"],
    ]
    trumps = GAMES["level 7, hearts"]
    hand = hand_of(trumps, "SA H2 D3 C3")
    # plain suits come before trumps, whatever the rank
    assert [trumps.packing.names(c)[0] for c in BOOKS["level 7, hearts"].plays(hand)] == ["D3", "C3", "SA", "H2"]


def test_power_beats_across_shapes() -> None:
    four, five = Reading(0, 4, 1, 0, 3, 4), Reading(0, 5, 1, 0, 0, 5)
    single, higher, other = Reading(1, 1, 1, 0, 3, 0), Reading(1, 1, 1, 0, 4, 0), Reading(1, 1, 1, 2, 5, 0)
    assert beats(four, single)
    assert beats(five, four)
    assert not beats(four, five)
    assert beats(higher, single)
    assert not beats(single, single), "equal does not beat"
    assert not beats(other, single), "another group"
    assert not beats(single, four)


def test_what_is_no_play() -> None:
    game, book = GAMES["sixty"], BOOKS["sixty"]
    for text in ["", "H5 S5", "BJ LJ", "SJ SQ SK", "S2 SA SK SQ", "S10 S10 SJ SJ", "S9", "S10 S10 SJ SQ SQ"]:
        assert book.read(hand_of(game, text)) is None
    assert book.read(hand_of(game, "S10 H9 SJ DJ CQ CQ")) == Reading(2, 2, 3, 0, 2, 0)
    eight = hand_of(game, "S10 S10 H10 H9 D10 D10 C10 C10")
    assert book.read(eight) is None, "a set has seven at most"
    with pytest.raises(IndexError):
        book.plans(eight)[0].at(99)


def test_a_step_with_very_many_cards_stays_lazy() -> None:
    """All cards equal in strength: C(54, 20) sets of twenty are counted and reached, not listed."""
    game = Cardgame(
        cards=dict.fromkeys(range(SIZE), 1),
        groups=[("all", False, [("all", None, ())])],
        shapes=[ShapeSpec(name="heap", index=0, width=(20, 20))],
    )
    book, deck = game.book(), game.packing.of(range(SIZE))
    (plan,) = book.plans(deck)
    assert plan.ways == comb(54, 20)
    assert list(islice(book.members(plan, deck), 1)) == [game.packing.of(range(20))]
    assert plan.at(0) == game.packing.of(range(20))
    assert plan.at(plan.ways - 1) == game.packing.of(range(34, 54))
    assert book.read(game.packing.of(range(7, 27))) == plan.reading


def test_a_long_run_of_many_choices_stays_lazy() -> None:
    """Twelve singles in a row with four suits each that can be told apart: 4 to the 12th."""
    game = Cardgame(
        cards=dict.fromkeys(range(52), 1),
        groups=[("all", False, [("all", None, tuple(range(14, 2, -1)))])],
        shapes=[ShapeSpec(name="straight", index=0, width=(1, 1), length=(12, 12))],
    )
    book, deck = game.book(), game.packing.of(range(52))
    (plan,) = book.plans(deck)
    assert plan.ways == 4**12
    first = next(book.members(plan, deck))
    assert first == plan.at(0) == game.packing.of(range(1, 13))
    second = list(islice(book.members(plan, deck), 2))[1]
    assert second == plan.at(1)
    assert game.table().unplaced == tuple(IDS[f"{s}2"] for s in "SHDC")


def test_forgetting_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The memories are bounded: with room for two values every answer is as before."""
    game, book = sixty(), BOOKS["sixty"]
    monkeypatch.setattr(chunks, "REMEMBERED", 2)
    monkeypatch.setattr(shapes, "READ", 2)
    monkeypatch.setattr(shapes, "RUNS", 2)
    small = game.book()
    for text in ["S10 S10 SJ SQ SK", "S10 H9 DK DK D2", "BJ BJ H5 S5", "S10 S10 SJ SQ SK"]:
        hand = hand_of(game, text)
        assert list(small.plays(hand)) == list(book.plays(hand))
        assert [small.read(c) for c in small.plays(hand)] == [book.read(c) for c in book.plays(hand)]
        assert all(small.can_beat(hand, r) is book.can_beat(hand, r) for r in book.readings)

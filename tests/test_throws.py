"""Plays of several parts: how they are read, counted, listed and drawn, and when one stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import groupby
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from card_games import Cardgame, levels, of_shape, sixty, sub_multisets
from compile_games import named
from hongwu_rules.cards import IDS, parse_cards
from hongwu_rules.cards.shapes import Reading, ShapeBook, ShapeSpec
from trick_games import Table
from trick_games import levels as game_of_levels

PARTS = (2, 1, 0)
RANKS = ("2", "3", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")  # all but the fours


def with_throws(game: Cardgame, *, count: tuple[int, int | None] = (2, None)) -> Cardgame:
    """The game with single, pair, tractor and throw; ``shapes`` keeps what the plain reading knows."""
    game.shapes = [
        ShapeSpec(name="single", index=0, width=(1, 1)),
        ShapeSpec(name="pair", index=1, width=(2, 2)),
        ShapeSpec(name="tractor", index=2, width=(2, 2), length=(2, 20)),
        ShapeSpec(name="throw", index=3, width=(1, 1), parts=PARTS, count=count),
    ]
    return game


def three_packs() -> Cardgame:
    game = levels(4, 0)
    game.cards = dict.fromkeys(game.cards, 3)
    game.__post_init__()
    game.shapes = [
        ShapeSpec(name="single", index=0, width=(1, 1)),
        ShapeSpec(name="pair", index=1, width=(2, 2)),
        ShapeSpec(name="trio", index=2, width=(3, 3)),
        ShapeSpec(name="run", index=3, width=(2, 3), length=(2, 20)),
        ShapeSpec(name="throw", index=4, width=(1, 1), parts=(3, 2, 1, 0), count=(2, None)),
    ]
    return game


GAMES: dict[str, Cardgame] = {
    "level 4, spades": with_throws(levels(4, 0)),
    "level A, hearts": with_throws(levels(14, 1)),
    "no trump": with_throws(levels(2, None)),
    "no gaps": with_throws(levels(5, 2, close_over=lambda card: False, across_lines=False)),
    "alike by step": with_throws(sixty()),
    "at most three parts": with_throws(levels(7, 1), count=(2, 3)),
    "three packs": three_packs(),
}
BOOKS = {name: game.book() for name, game in GAMES.items()}


def plain_parts(game: Cardgame, ids: Sequence[int]) -> list[tuple[int, int, int, int]]:
    """The parts (shape, width, length, top), by trying every set of the cards for each: longest, widest, highest."""
    throw = next(shape for shape in game.shapes if shape.parts)
    left, found = Counter(ids), []
    forms = [s for s in game.shapes if not s.parts]
    for index in throw.parts:
        shape = next(s for s in forms if s.index == index)
        while True:
            game.shapes = [shape]
            best = None
            for cards in sub_multisets(list(left.elements())):
                reading = game.plain_read(cards)
                if reading is not None:
                    key = (reading.width, reading.length, reading.top)
                    # of several kinds on one step the one with the fewest cards, then the first
                    spare = sorted(left[c] - n for c, n in Counter(cards).items())
                    if best is None or (key, [-n for n in spare], sorted(cards, reverse=True)) > best[0]:
                        best = ((key, [-n for n in spare], sorted(cards, reverse=True)), cards, reading)
            game.shapes = [*forms, throw]
            if best is None:
                break
            left -= Counter(best[1])
            found.append((index, *best[0][0]))
    return found


def plain(game: Cardgame, ids: Sequence[int]) -> tuple[int, tuple[int, ...]] | None:
    """The shape of some cards, and for a throw the number of parts."""
    forms = [s for s in game.shapes if not s.parts]
    throw = next(s for s in game.shapes if s.parts)
    game.shapes = forms
    reading = game.plain_read(ids)
    game.shapes = [*forms, throw]
    if reading is not None:
        return reading.shape, ()
    if not ids or len({game.plain_where[card][0] if card in game.plain_where else -1 for card in ids}) != 1:
        return None
    parts = plain_parts(game, ids)
    low, high = throw.count
    if len(parts) < low or (high is not None and len(parts) > high):
        return None
    return throw.index, tuple(number for part in parts for number in part)


def check(game: Cardgame, book: ShapeBook, ids: Sequence[int]) -> None:
    """All that the book says about throws of a hand, against every set of its cards."""
    pack, hand = game.packing, game.packing.of(ids)
    expected: dict[object, int] = {}
    for cards in sub_multisets(ids):
        reading, want = book.read(pack.of(cards)), plain(game, cards)
        assert (reading is None) is (want is None)
        assert book.shape(pack.of(cards)) == (reading.shape if reading is not None else None)
        if reading is not None and want is not None:
            assert reading.shape == want[0]
            parts = tuple(n for p in reading.parts for n in (p.shape, p.width, p.length, p.top))
            assert parts == want[1]
            assert sum(p.cards for p in book.parts(pack.of(cards))) == pack.of(cards)
            expected[game.plain_look(cards)] = reading.shape
    found = []
    plans = book.plans(hand)
    for plan in plans:
        members = list(book.members(plan, hand))
        assert len(members) == plan.ways > 0
        assert [plan.at(k) for k in range(plan.ways)] == members
        for play in members:
            assert book.canonical(play, hand) == play
            assert expected[game.plain_look(pack.ids(play))] == plan.reading.shape
            found.append(game.plain_look(pack.ids(play)))
    assert len(set(found)) == len(found) == len(expected)
    assert book.count(hand) == len(expected)
    sizes = [plan.reading.width * plan.reading.length for plan in plans]
    assert sizes == sorted(sizes), "fewest cards first"
    throw = next(s.index for s in game.shapes if s.parts)
    only = book.plans(hand, of_shape(throw))
    assert sum(p.ways for p in only) == sum(1 for shape in expected.values() if shape == throw)
    for fits in (None, of_shape(throw), of_shape(*{s.index for s in game.shapes} - {throw}), bound_to_group(0)):
        drawn = [plan.at(k) for plan in book.lots(hand, fits) for k in range(plan.ways)]
        assert len(set(drawn)) == len(drawn)
        assert set(drawn) == {play for plan in plans if fits is None or fits(plan.reading) for play in plan.plays()}


def bound_to_group(group: int) -> Callable[[Reading], bool]:
    """Plays of one group alone."""
    return lambda reading: reading.group == group


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_every_throw_of_a_hand_once(name: str, data: st.DataObject) -> None:
    game = GAMES[name]
    rng = data.draw(st.randoms(use_true_random=False))
    groups = sorted({group for group, _ in game.plain_where.values()})
    group = rng.choice(groups)
    near = [c for c, (g, _) in game.plain_where.items() if g == group for _ in range(game.cards[c])]
    deck = [c for c in game.cards for _ in range(game.cards[c])]
    ids = rng.sample(near, min(5, len(near)))
    rest = list((Counter(deck) - Counter(ids)).elements())
    check(game, BOOKS[name], ids + rng.sample(rest, 2))


@pytest.mark.parametrize(
    ("cards", "parts"),
    [
        # level 4, spades: a run goes through the step of the off-suit fours by either of them
        ("SA SA H4 H4 C4 C4 S4 S4", "tractor 3, pair"),
        ("SA SA C4 C4 BJ BJ", "tractor 2, pair"),
        ("H4 H4 C4 C4", "pair, pair"),
        ("H3 H5 H5 H6 H6 H9", "tractor 2, single, single"),  # 3 and 5 are neighbours at level 4
        ("H3 H3 H5 H5 H6 H9 H10", "tractor 2, single, single, single"),
        ("SK SK H4 H4 D4", "pair, pair, single"),
    ],
)
def test_readings_by_hand(cards: str, parts: str) -> None:
    game, book = GAMES["level 4, spades"], BOOKS["level 4, spades"]
    reading = book.read(game.packing.of(parse_cards(cards)))
    assert reading is not None
    names = [("tractor " + str(p.length)) if p.length > 1 else ("single", "pair")[p.width - 1] for p in reading.parts]
    assert ", ".join(names) == parts


def test_counts_by_hand() -> None:
    """Level 4, spades are trumps."""
    game, book = GAMES["level 4, spades"], BOOKS["level 4, spades"]

    def count(cards: str) -> int:
        return book.count(game.packing.of(parse_cards(cards)))

    # any cards of one plain suit are a play: the product of copies + 1, less one for no card
    assert count("HA HA HK HQ") == 3 * 2 * 2 - 1
    assert count("HA HA HK HK HQ HQ H9 H9") == 3**4 - 1
    # two suits, each by itself
    assert count("HA HA HK CA C9 C8") == (3 * 2 - 1) + (2 * 2 * 2 - 1)
    # all 27 cards of one suit but the fours, twice: 12 ranks
    assert count(" ".join(f"H{r} H{r}" for r in RANKS)) == 3**12 - 1
    # throws alone: HA HA HK: A+K, AA+K. Singles A, K and the pair are no throws.
    hand = game.packing.of(parse_cards("HA HA HK"))
    assert sum(plan.ways for plan in book.plans(hand, of_shape(3))) == 2


def test_drawing_from_millions() -> None:
    """A hand of 33 cards has over half a million throws; a few are drawn, none listed."""
    game, book = GAMES["level 4, spades"], BOOKS["level 4, spades"]
    cards = parse_cards(" ".join(f"H{r} H{r}" for r in RANKS) + " CA C9 C8 SA SK BJ")
    hand, rng = game.packing.of(cards), Random(3)
    plans = book.plans(hand, of_shape(3))
    assert sum(plan.ways for plan in plans) > 500_000
    for plan in rng.sample(plans, 12):
        play = plan.at(rng.randrange(plan.ways))
        assert game.packing.contains(hand, play)
        reading = book.read(play)
        assert reading is not None and reading.shape == 3
        assert game.packing.count(play) == plan.reading.length


# ---------------------------------------------------------------- when a throw stands, and what is led instead


def test_the_run_through_either_of_two_suits() -> None:
    """The throw that an engine in wide use lets stand, whatever the suits are called."""
    for mine, theirs in (("C", "H"), ("H", "C"), ("D", "C"), ("C", "D")):
        at = Table(game_of_levels(), level="4", trump="S")
        at.hand(2, f"{theirs}4 {theirs}4 S4 S4")
        thrown = at.cards(f"SA SA {mine}4 {mine}4 BJ BJ")
        assert at.word("beaten", at.g, thrown) == at.cards(f"SA SA {mine}4 {mine}4")


@pytest.mark.parametrize(
    ("thrown", "others", "beaten"),
    [
        ("HA HK HK", ["HQ HQ", "CA", ""], ""),
        ("HA HQ HQ", ["HK", "HK", ""], ""),  # one card each makes no pair
        ("HA HQ HQ", ["", "HK HK", ""], "HQ HQ"),
        ("HA HJ", ["HQ HQ", "", ""], "HJ"),  # a single is beaten by a card of a pair too
        ("HA HQ", ["SA BJ", "", ""], ""),  # what could ruff does not matter
        ("HA HQ", ["HQ", "HQ", ""], ""),  # equal does not beat
        ("H10 H10 HJ HJ HA", ["HQ HQ HK HK", "", ""], "H10 H10 HJ HJ"),
        ("H10 H10 HJ HJ HA", ["HJ HJ HQ HQ HK HK", "", ""], "H10 H10 HJ HJ"),  # a longer run does it too
        ("H10 H10 HJ HJ HA", ["HQ HQ HA", "", ""], ""),
        ("HA HA", ["", "", ""], ""),  # no throw
        ("H3", ["H4", "H5", "H6"], ""),
    ],
)
def test_what_is_beaten(thrown: str, others: list[str], beaten: str) -> None:
    at = Table(game_of_levels(), level="2", trump="S")
    for seat, hand in enumerate(others, 1):
        at.hand(seat, hand)
    at.hand(0, "HA HA HK HK")  # one's own better cards do not matter
    assert at.word("beaten", at.g, at.cards(thrown)) == at.cards(beaten)


@pytest.mark.parametrize(
    ("order", "source", "forced"),
    [
        ("[single pair, tractor]", 0, "H7 H7"),  # the lowest of single cards and pairs
        ("[single, pair, tractor]", 0, "H9"),
        ("[tractor, pair, single]", 0, "H3 H3 H4 H4"),
        ("[pair single tractor]", 0, "H7 H7"),  # one step is shorter than two
        ("[single pair, tractor]", 1, "H9"),  # of those beaten alone
        ("[tractor, pair, single]", 1, "H9"),
        ("single", 0, "H9"),
    ],
)
def test_what_is_led_instead(order: str, source: int, forced: str) -> None:
    at = Table(game_of_levels(changes=[("[single pair, tractor]", order)], take_from=source), level="2", trump="S")
    at.hand(1, "HA H10")
    thrown = at.cards("H3 H3 H4 H4 H7 H7 H9 HJ")
    assert at.word("forced", at.g, thrown) == at.cards(forced)
    at.hand(1, "H2")
    assert at.word("forced", at.g, at.cards("H3 H3")) == at.cards("H3 H3"), "no throw, nothing else to lead"


def test_without_an_order_of_kinds_the_smallest_is_led() -> None:
    game = game_of_levels(changes=[("  forced: [single pair, tractor]\n", "")])
    at = Table(game, level="2", trump="S")
    assert at.word("forced", at.g, at.cards("H3 H3 H4 H4 H7 H7 HJ")) == at.cards("HJ")


def test_a_failed_throw_in_play() -> None:
    from hongwu_rules.play import machine, positions
    from hongwu_rules.play.judge import judge
    from hongwu_rules.play.move import Move

    game = game_of_levels()
    hands = {0: "HA HK HK H3", 1: "HQ H5 H6 H7", 2: "C3 C4 C5 C6", 3: "D3 D4 D5 D6"}
    given = {"phase": "lead", "seat": 0, "memory": {"trump": "S", "leader": 0}, "zones": {"hand": hands}}
    state = positions.position(game, given)
    thrown = Move("play", cards=("HA", "HK", "HK", "H3"))
    assert judge(state, thrown).ok
    after = machine.advance(state, named(state, "play"), thrown.packed(game.layout.pack) or 0)
    trick = after.position.trick
    assert trick is not None and game.layout.pack.names(trick.lead.cards) == ["H3"]
    assert after.position.m[game.layout.slots["failed"].base] == 1
    held = after.position.z[game.layout.zones["hand"].base]
    assert game.layout.pack.names(held) == ["HK", "HK", "HA"]


def test_parts_as_cards() -> None:
    at = Table(game_of_levels(), level="2", trump="S")
    found = at.word("parts", at.book, at.cards("H3 H3 H4 H4 H7 H7 HJ"))
    assert [at.pack.names(cards) for cards in found] == [["H3", "H3", "H4", "H4"], ["H7", "H7"], ["HJ"]]
    assert [at.pack.names(cards) for cards in at.word("parts", at.book, at.cards("H3 H3"))] == [["H3", "H3"]]
    assert at.word("parts", at.book, at.cards("H3 C3")) == ()


def test_reading_is_the_same_in_every_suit() -> None:
    """Cards of a plain suit read alike in each plain suit."""
    game, book = GAMES["level 4, spades"], BOOKS["level 4, spades"]
    rng = Random(8)
    for _ in range(200):
        ranks = rng.choices(RANKS, k=rng.randint(1, 8))
        ranks = [r for r, same in groupby(sorted(ranks)) for _ in list(same)[:2]]
        found = []
        for suit in "HDC":
            reading = book.read(game.packing.of(IDS[suit + rank] for rank in ranks))
            assert reading is not None
            found.append([Reading(*part[:3], 0, *part[4:]) for part in reading.parts or (reading,)])
        assert found[0] == found[1] == found[2]

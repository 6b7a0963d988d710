"""Who leads a trick, and who follows the group led."""

from __future__ import annotations

import pytest

from card_games import levels
from hongwu_rules.cards import Packing, parse_cards
from hongwu_rules.cards.shapes import Reading
from hongwu_rules.cards.tricks import Play, Trick, follows_group, higher

GAME = levels(7, 1)  # hearts and the sevens are trumps (group 0)
BOOK = GAME.book()


def play(seat: int, text: str) -> Play:
    cards = GAME.packing.of(parse_cards(text))
    return Play(seat, cards, BOOK.read(cards), BOOK.table.group_of(cards))


def trick_of(*texts: str) -> Trick:
    """The trick of these plays by seats 0, 1, 2 …; only cards of the group led and trumps compete."""
    trick = Trick.start(play(0, texts[0]))
    for seat, text in enumerate(texts[1:], 1):
        answer = play(seat, text)
        trick = trick.add(answer, competes=answer.group in (trick.led, 0))
    return trick


@pytest.mark.parametrize(
    ("plays", "winner"),
    [
        (["S5", "S9", "SK", "SQ"], 2),
        (["S5", "DA", "S6", "CA"], 2),  # other suits never win
        (["S5", "SK", "SK", "S2"], 1),  # equal: the first
        (["SA", "H2", "S3", "H3"], 3),  # a ruff, and a higher one
        (["SA", "H3", "S3", "H2"], 1),
        (["SA", "H3", "SK", "S2"], 1),  # the suit led does not come back over a ruff
        (["S7", "D7", "H7", "LJ"], 3),
        (["S7", "D7", "HA", "C7"], 0),  # level cards of other suits are equal
        (["S5 S5", "S9 S10", "SK SK", "SA SQ"], 2),  # two singles do not beat a pair
        (["S5 S5", "H2 H3", "S6 S8", "HA HK"], 0),  # nor do two trumps
        (["S5 S5", "H2 H2", "S6 S6", "H3 H3"], 3),
        (["S5 S5 S6 S6", "H2 H2 H4 H4", "S8 S8 S9 S9", "H9 H9 HJ HJ"], 2),  # 2 2 4 4 is no run
        (["S5 S5 S6 S6", "S6 S6 S8 S8", "H2 H2 H3 H3", "SA SA SK SK"], 2),
        (["S5 D5", "S9 S9", "HA HA", "BJ BJ"], 0),  # nothing answers what is no shape
    ],
)
def test_the_best_play(plays: list[str], winner: int) -> None:
    trick = trick_of(*plays)
    assert trick.winner == winner
    assert trick.best_play is trick.plays[winner]
    assert (trick.lead.seat, trick.last.seat, len(trick.plays)) == (0, 3, 4)


def test_a_play_that_may_not_compete_never_wins() -> None:
    """A ruff with the little joker that the rules of the ruff forbid leaves the lead where it was."""
    trick = Trick.start(play(0, "SA")).add(play(1, "LJ"), competes=False)
    assert trick.winner == 0
    assert trick.add(play(2, "H2"), competes=True).winner == 2


def test_another_size_never_beats() -> None:
    single, pair = play(0, "S5"), play(1, "S9 S9")
    assert not higher(pair, single, single)
    assert not higher(play(1, "H9 H9"), single, single), "nor does a pair of trumps ruff one card"
    assert not higher(play(1, "SA"), pair, pair)


def test_tricks_do_not_change() -> None:
    first = trick_of("S5")
    second = first.add(play(1, "S6"), competes=True)
    assert (len(first.plays), first.winner, second.winner) == (1, 0, 1)
    assert first.led == second.led == 1


def test_more_power_beats_everything_of_less() -> None:
    pair = Play(0, 0, Reading(0, 2, 1, 0, 5, 0), 0)
    bomb = Play(1, 0, Reading(1, 4, 1, 0, 2, 4), 0)
    same = Play(2, 0, Reading(1, 4, 1, 0, 2, 4), 0)
    over = Play(3, 0, Reading(1, 4, 1, 0, 3, 4), 0)
    longer = Play(4, 0, Reading(1, 5, 1, 1, 0, 5), 1)
    trick = Trick.start(pair)
    for answer, winner in [(bomb, 1), (same, 1), (over, 3), (bomb, 3), (longer, 4), (pair, 4)]:
        trick = trick.add(answer, competes=True)
        assert trick.winner == winner


def test_ruffs_of_two_groups() -> None:
    """The group that stands earlier in the order is the stronger."""
    lead = Play(0, 0, Reading(0, 1, 1, 2, 9, 0), 2)
    weak = Play(1, 0, Reading(0, 1, 1, 1, 9, 0), 1)
    strong = Play(2, 0, Reading(0, 1, 1, 0, 1, 0), 0)
    assert higher(weak, lead, lead)
    assert higher(strong, weak, lead)
    assert not higher(weak, strong, lead)


@pytest.mark.parametrize(
    ("picked", "follows"),
    [
        ("S5 S6", True),
        ("S5 H6", False),  # a second spade is in the hand
        ("S5 S6 S8", True),  # all three that the hand has
        ("S5 S6 S8 H6", True),  # more are asked than the hand has: all of them, and one other
        ("S5 S6 H6 H8", False),
        ("H6", False),
    ],
)
def test_following(picked: str, follows: bool) -> None:
    pack = Packing(2)
    hand = pack.of(parse_cards("S5 S6 S8 H6 H8 DA"))
    assert follows_group(pack.of(parse_cards(picked)), hand, pack.mask(range(13)), pack) is follows


def test_following_with_nothing_of_the_group() -> None:
    pack = Packing(2)
    hand = pack.of(parse_cards("H6 H8"))
    assert follows_group(pack.of(parse_cards("H8")), hand, pack.mask(range(13)), pack)

"""Where cards stand and which steps are neighbours."""

from __future__ import annotations

from itertools import pairwise

import pytest

from card_games import Cardgame, levels, sixty
from hongwu_rules.cards import BJ, IDS, LJ, NAMES, RANK_OF, SIZE, parse_cards
from hongwu_rules.cards.order import OrderTable


def neighbours(table: OrderTable, low: str, high: str) -> bool:
    """Whether ``high`` stands on the step right above ``low`` for a run."""
    a, b = IDS[low], IDS[high]
    return table.group[a] == table.group[b] and table.next_step(table.group[a], table.step[a]) == table.step[b]


def test_a_card_stands_on_the_first_line_that_fits() -> None:
    table = sixty().table()
    # ten places: special, BJ, LJ, then 5 2 A K Q J 10; 0 is the weakest
    assert [table.step[card] for card in parse_cards("H5 BJ LJ S5 S2 SA SK SQ SJ S10")] == [
        9,
        8,
        7,
        6,
        5,
        4,
        3,
        2,
        1,
        0,
    ]
    assert [table.line_names[table.line[IDS[c]]] for c in ("H5", "BJ", "LJ", "D5")] == [
        "special",
        "big",
        "little",
        "rest",
    ]
    assert table.step[IDS["H9"]] == 0, "the marked card counts as a ten"
    assert table.kind[IDS["H9"]] == IDS["H10"]
    assert (table.group[IDS["S9"]], table.step[IDS["S9"]], table.line[IDS["S9"]]) == (-1, -1, -1)
    assert table.unplaced == ()


def test_masks_keep_the_cards_they_name() -> None:
    game = sixty()
    table, pack = game.table(), game.packing
    hand = pack.of(parse_cards("H5 H5 S5 D5 H9 S10 C10 LJ"))
    assert pack.names(hand & table.step_mask[0][0]) == ["S10", "H9", "C10"]
    assert pack.names(hand & table.line_mask[table.line_names.index("special")]) == ["H5", "H5"]
    assert hand & table.group_mask[0] == hand
    # above the plain fives: LJ, BJ and the special five
    assert pack.names(hand & table.above[IDS["S5"]]) == ["H5", "H5", "LJ"]
    assert table.above[IDS["H5"]] == 0
    assert table.above[IDS["S9"]] == 0, "a card outside the order is below nothing"


def test_a_group_for_each_suit_takes_four_numbers() -> None:
    table = levels(7, 1).table()
    assert table.group_names == ("trumps", "plain", "plain", "plain", "plain")
    assert table.group_suits == (None, 0, 1, 2, 3)
    assert table.group_tiers == (0, 1, 1, 1, 1)
    assert [table.group[IDS[c]] for c in ("S2", "H2", "D2", "C2", "S7", "BJ")] == [1, 0, 3, 4, 0, 0]
    assert table.group_mask[2] == 0, "hearts are trumps"
    assert table.step[IDS["S9"]] == table.step[IDS["C9"]], "the same rank has the same number in each suit"


def test_group_of_cards() -> None:
    game = levels(7, 1)
    table, pack = game.table(), game.packing
    assert table.group_of(pack.of([IDS["S7"], BJ, IDS["H2"]])) == 0
    assert table.group_of(pack.of([IDS["S2"], IDS["S3"]])) == 1
    assert table.group_of(pack.of([IDS["S2"], IDS["D2"]])) == -1
    assert table.group_of(0) == -1


@pytest.mark.parametrize(
    ("level", "trump", "low", "high", "linked"),
    [
        (7, 1, "S6", "S8", True),  # the level rank has left spades; 6 6 8 8 closes up
        (7, 1, "H6", "H8", True),  # and among trumps
        (7, 1, "HA", "S7", True),  # A of trumps, then a level card of another suit
        (7, 1, "S7", "H7", True),
        (7, 1, "S7", "D7", False),  # equal, so not neighbours
        (7, 1, "H7", "LJ", True),
        (7, 1, "LJ", "BJ", True),
        (7, 1, "SA", "S7", False),  # a plain card and a trump
        (14, 1, "HK", "SA", True),  # at level A the chain goes on below it at K
        (2, 1, "S3", "S4", True),
        (7, None, "S7", "LJ", True),  # no trump suit: nobody stands on the line of its level card
        (7, None, "S7", "D7", False),
    ],
)
def test_chain_of_trumps(level: int, trump: int | None, low: str, high: str, linked: bool) -> None:
    table = levels(level, trump).table()
    assert neighbours(table, low, high) is linked
    assert table.linked(IDS[low], IDS[high]) is linked
    assert table.linked(IDS[high], IDS[low]) is linked


def test_gaps_are_apart_from_the_chain() -> None:
    """Without closing up, 6 6 8 8 is no run at level 7; K and a level ace are still neighbours at level A."""
    no_gaps = levels(7, 1, close_over=lambda card: False).table()
    assert not neighbours(no_gaps, "S6", "S8")
    assert not neighbours(no_gaps, "H6", "H8")
    assert neighbours(no_gaps, "HA", "S7")
    assert neighbours(levels(14, 1, close_over=lambda card: False).table(), "HK", "SA")


def test_gaps_of_one_card_only() -> None:
    """Level 5: every suit has a gap at 5, and only the one for the five of hearts closes."""
    table = levels(5, 0, close_over=lambda card: card == IDS["H5"]).table()
    assert neighbours(table, "H4", "H6")
    assert not neighbours(table, "D4", "D6")
    assert not neighbours(table, "S4", "S6")


def test_lines_apart() -> None:
    table = levels(7, 1, across_lines=False).table()
    assert not neighbours(table, "HA", "S7")
    assert not neighbours(table, "LJ", "BJ")
    assert neighbours(table, "H6", "H8")


def test_several_cards_missing_on_a_step_must_all_be_allowed() -> None:
    """All 4s of a short deck are missing: 3 and 5 are neighbours only if each of the four 4s may be stepped over."""

    def short(*allowed: str) -> OrderTable:
        return Cardgame(
            cards={c: 1 for c in range(SIZE) if RANK_OF[c] in (3, 5)},
            groups=[("all", False, [("rest", None, (5, 4, 3))])],
            shapes=[],
            close_over=lambda card: NAMES[card] in allowed,
        ).table()

    assert not neighbours(short("S4", "H4", "D4"), "S3", "S5")
    assert neighbours(short("S4", "H4", "D4", "C4"), "S3", "S5")


def test_a_rank_no_card_of_the_line_can_have_is_a_gap_too() -> None:
    def without_fours(*, close: bool) -> OrderTable:
        return Cardgame(
            cards={c: 1 for c in range(SIZE) if RANK_OF[c] in (3, 4, 5)},
            groups=[
                ("fours", False, [("four", lambda c: RANK_OF[c] == 4, ())]),
                ("rest", False, [("rest", None, (5, 4, 3))]),
            ],
            shapes=[],
            close_over=lambda card: close,
        ).table()

    assert neighbours(without_fours(close=True), "S3", "S5")
    assert not neighbours(without_fours(close=False), "S3", "S5")


def test_cards_without_a_line_are_named() -> None:
    game = Cardgame(
        cards={IDS["S3"]: 1, IDS["S4"]: 1, LJ: 1},
        groups=[("suits", True, [("plain", None, (3,))])],
        shapes=[],
    )
    table = game.table()
    assert table.unplaced == (IDS["S4"], LJ)
    assert table.copies[LJ] == 0


@pytest.mark.parametrize("level", [2, 3, 10, 14])
@pytest.mark.parametrize("trump", [0, 2, None])
def test_neighbours_agree_with_looking_at_every_place(level: int, trump: int | None) -> None:
    for across in (False, True):
        game = levels(level, trump, close_over=lambda card: card % 3 > 0, across_lines=across)
        table = game.table()
        for group, places in enumerate(game.plain_places):
            for step, (_, _, cards) in enumerate(places):
                assert all((table.group[c], table.step[c]) == (group, step) for c in cards)
            stand = [s for s, place in enumerate(places) if place[2]]
            for low, high in pairwise(stand):
                expected = high if game.plain_chain(group, low, high) else None
                assert table.next_step(group, low) == expected
            if stand:
                assert table.next_step(group, stand[-1]) is None

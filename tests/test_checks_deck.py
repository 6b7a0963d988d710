"""The deck: each card one place in the order, all cards dealt, teams."""

from __future__ import annotations

import pytest

from checks_bench import SHED, Report, changed

ORDER = "    big: card == BJ\n    little: card == LJ\n    rest: true by A K Q J 10 9\n"


@pytest.mark.parametrize(
    ("order", "card", "line"),
    [
        (
            "    big: card == BJ\n    little: card == LJ\n    rest: true by A K Q J 10\n",
            "S9",
            "rest: true by A K Q J 10",
        ),
        ("    big: card == BJ\n    rest: true by A K Q J 10 9\n", "LJ", "rest: true by A K Q J 10 9"),
        ("    big: card == BJ\n    little: card == LJ\n    red: card.colour == red by A K Q J 10 9\n", "S9", "order:"),
    ],
)
def test_a_card_without_a_place(order: str, card: str, line: str) -> None:
    report = changed((ORDER, order))
    found = report.one("HW202")
    assert card in found.message.en.split()
    assert line == report.line(found) or line == "order:"


def test_a_place_that_depends_on_memory() -> None:
    report = changed(
        (
            ORDER,
            "    big: card.rank in {BJ, LJ}\n    now: card.suit == trump by A K Q J 10 9\n    side: card.suit != trump and trump is not none by A K Q J 10 9\n",
        ),
        ("    caller: seat?\n", "    caller: seat?\n    trump: suit?\n"),
        ("      - leader = random(seats)\n", "      - leader = random(seats)\n      - trump = nth(stock, 1).suit\n"),
    )
    found = report.get("HW202")
    assert found.witness is not None and "trump = none" in found.witness.en


def test_a_place_in_every_setting_of_memory() -> None:
    report = changed(
        (
            ORDER,
            "    big: card.rank in {BJ, LJ}\n    now: card.suit == trump by A K Q J 10 9\n    side: card.suit != trump by A K Q J 10 9\n",
        ),
        ("    caller: seat?\n", "    caller: seat?\n    trump: suit?\n"),
        ("      - leader = random(seats)\n", "      - leader = random(seats)\n      - trump = nth(stock, 1).suit\n"),
    )
    assert not report.items


def test_a_rank_twice_on_a_line() -> None:
    found = changed((ORDER, ORDER.replace("Q J 10", "Q J Q 10"))).one("HW203")
    assert found.message.en.startswith("Q stands twice")


def test_a_line_whose_cards_are_taken_before() -> None:
    report = changed((ORDER, "    rest: true by BJ LJ A K Q J 10 9\n    big: card == BJ\n"))
    found = report.one("HW203")
    assert report.line(found) == "big: card == BJ"
    assert report.lines[found.related[0].span.line - 1].strip().startswith("rest:")


def test_a_rank_that_is_not_in_the_deck() -> None:
    report = changed((ORDER, ORDER.replace("10 9", "10 9 8")))
    found = report.one("HW206")
    assert report.line(found).startswith("rest:")


def test_a_line_that_no_card_fits() -> None:
    found = changed(
        (ORDER, ORDER.replace("    little", "    eights: card.rank == 9 and card.suit == H\n    little"))
    ).one("HW206")
    assert "eights" in found.message.en


def test_a_card_that_counts_as_another_stands_with_it() -> None:
    report = changed(
        ("  packs: 1\n", "  packs: 1\n  swap: {H10: H9}\n  counts_as: {H9: H10}\n"),
        (" and card != H9", " or card == H9"),
    )
    assert not report.items


def test_more_cards_than_there_are() -> None:
    report = changed(("deal(stock, hand, 8)", "deal(stock, hand, 9)"))
    found = report.one("HW601")
    assert found.witness is not None and found.witness.en == "3 x 9 = 27 > 25"
    assert report.line(found) == "- deal(stock, hand, 9)"
    assert found.help[0].en == "25 cards for 3 seats are 8 each and 1 over"
    assert {report.lines[r.span.line - 1].split(":")[0].strip() for r in found.related} == {"packs", "keep"}


def test_cards_that_nobody_gets() -> None:
    found = changed(("      - move(top(stock), gone)\n", "")).one("HW601")
    assert "nothing takes the other 1" in found.message.en


@pytest.mark.parametrize("number", ["unit", "9 if must_beat else 8", "7 + unit"])
def test_a_deal_that_only_some_options_allow(number: str) -> None:
    found = changed(("deal(stock, hand, 8)", f"deal(stock, hand, {number})")).get("HW601")
    assert "some options" in found.message.en


def test_a_deal_by_options_that_always_fits() -> None:
    report = changed(
        ("deal(stock, hand, 8)", "deal(stock, hand, 8 if must_beat else 7)"),
        ("move(top(stock), gone)", "move(stock, gone)"),
    )
    assert "HW601" not in report.codes


def test_two_deals_add_up() -> None:
    report = changed(("- deal(stock, hand, 8)", "- deal(stock, hand, 5)\n      - deal(stock, hand, 3)"))
    assert not report.items
    assert any("25 cards deal out: 3 x 5 + 3 x 3, 1 left over" in text.en for text in report.proofs.proved)


def test_a_partner_without_teams() -> None:
    report = changed(("    first: next(leader)", "    first: partner(leader)"))
    found = report.one("HW603")
    assert report.line(found) == "first: partner(leader)"


def test_partners_in_teams_of_two() -> None:
    game = (
        SHED.replace("seats: {count: 3}", "seats: {count: 4, teams: [[0, 2], [1, 3]]}")
        .replace("hand, 8", "hand, 6")
        .replace("first: next(leader)", "first: partner(leader)")
    )
    game = (
        game.replace("0..3", "0..4")
        .replace("place[s] = 3", "place[s] = 4")
        .replace("1..3", "1..4")
        .replace("last: {place: 3, each: -1}", "last: {place: 3.., each: 0}")
        .replace("middle: {place: 2, each: -1}", "middle: {place: 2, each: -2}")
    )
    try:
        report = Report(game)
    except AssertionError:
        report = Report(game.replace("[[0, 2], [1, 3]]", "{a: 0 2, b: 1 3}"))
    assert not [item for item in report.items if item.code == "HW603"]


# -------------------------------------------------------------------- HW601, HW317: where the cards come from
def test_cards_that_nobody_has_put_there() -> None:
    report = changed(("      - shuffle(stock)\n", ""))
    found = report.get("HW601")
    assert 'there are no cards in "stock" here' in found.message.en
    assert report.line(found) == "- deal(stock, hand, 8)"


def test_a_pile_that_is_filled_too_late_on_one_way_only() -> None:
    """The stock is shuffled on the way through `give`, which not every deal takes: it may hold cards."""
    late = ("          - move(picked, extra)\n", "          - move(extra, gone)\n          - move(picked, extra)\n")
    assert not changed(late).items  # what the last one gave
    never = ("          - move(picked, extra)\n", "          - move(extra, gone)\n")
    assert "HW601" in changed(never).codes


def test_deals_that_no_phase_begins() -> None:
    found = changed(("    begins: deal\n", "")).get("HW317")
    assert "no phase says `begins: deal`" in found.message.en
    assert found.witness is not None and found.witness.en.startswith("deal -> auction -> ")


def test_one_deal_alone_need_not_begin() -> None:
    once = ("      - over when deals >= deals_wanted\n      - deal\n", "      - over\n")
    assert "HW317" not in changed(("    begins: deal\n", ""), once).codes

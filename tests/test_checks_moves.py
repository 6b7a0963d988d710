"""What comes of a move (HW310), waits for moves that cannot be made (HW311), rows twice and odd steps (HW504, HW508)."""

from __future__ import annotations

import pytest

from checks_bench import changed

DECLINE = "      decline: {quiet: true}\n    next:\n      - give"
ASK = "      - give when caller is not none"


def test_cards_that_stay_where_they_are() -> None:
    found = changed(("        do:\n          - move(picked, extra)\n", "")).get("HW310")
    assert "asks for cards" in found.message.en and found.witness is not None


def test_a_choice_that_nothing_knows_of() -> None:
    idle = "      name:\n        choose: suit\n"
    found = changed((DECLINE, idle + DECLINE)).one("HW310")
    assert "asks for a choice" in found.message.en


def test_a_clause_is_use_enough_beside_other_steps() -> None:
    """Who proves to hold a ten gets a place: the cards are looked at, and something comes of it."""
    prove = (
        "      prove:\n        pick: hand[seat]\n        count: 1\n"
        "        require:\n          ten: {that: H10 in picked, zh: 要十, en: A ten}\n"
    )
    assert "HW310" in changed((DECLINE, prove + DECLINE)).codes
    assert "HW310" not in changed((DECLINE, prove + "        do:\n          - place[seat] = 1\n" + DECLINE)).codes


def test_two_moves_that_come_to_the_same() -> None:
    found = changed((DECLINE, "      wait: {quiet: true}\n" + DECLINE)).one("HW310")
    assert found.witness is not None and 'after "wait" and after "decline"' in found.witness.en
    assert len(found.related) == 1


def test_a_loud_move_beside_a_decline_has_the_others_asked_again() -> None:
    answer = "      decline:\n        quiet: true\n        require:\n          must:"
    assert "HW310" not in changed((answer, "      knock: {}\n" + answer)).codes
    assert "HW310" in changed((answer, "      knock: {quiet: true}\n" + answer)).codes
    # in a round that asks once there is no again
    assert "HW310" in changed((DECLINE, "      knock: {}\n" + DECLINE)).codes


def test_a_move_that_is_asked_for_is_no_idle_move() -> None:
    report = changed((DECLINE, "      wait: {quiet: true}\n" + DECLINE), (ASK, "      - lead when made(wait)\n" + ASK))
    assert not {"HW310", "HW311"} & set(report.codes)


def test_a_wait_for_a_move_of_another_round() -> None:
    found = changed(
        ("      - settle when over_now\n      - answer", "      - settle when over_now or made(bid)\n      - answer")
    ).one("HW311")
    assert found.witness is not None and found.witness.en == "asked here: lead, which offers play"


def test_a_phase_that_goes_by_itself_asks_about_those_before_it() -> None:
    """`clear` comes after `answer`, which offers no bid; `settle` comes after rounds of play only."""
    away = "      - move(trick, gone)\n    next: lead"
    assert changed((away, "      - move(trick, gone)\n    next:\n      - settle when made(bid)\n      - lead")).get(
        "HW311"
    )
    sound = changed((away, "      - move(trick, gone)\n    next:\n      - settle when made(decline)\n      - lead"))
    assert "HW311" not in sound.codes


def test_a_wait_inside_a_definition_is_judged_where_it_is_used() -> None:
    report = changed(
        ("  stake: unit", "  bidden: made(bid)\n  stake: unit"),
        (ASK, "      - give when bidden and caller is not none"),
        ("      - settle when over_now\n      - answer", "      - settle when over_now or bidden\n      - answer"),
    )
    assert report.codes.count("HW311") == 1
    assert report.line(report.get("HW311")) == "bidden: made(bid)"


# ---------------------------------------------------------------- rows
def table(rows: str, hit: str = "unique") -> tuple[str, str]:
    return (
        "tables:\n",
        f"tables:\n  left:\n    given: {{cards: 0..8}}\n    gives: {{loss: 0}}\n    hit: {hit}\n    rows:\n{rows}",
    )


USE = ("      - deals += 1\n", "      - score[s] -= left(len(hand[s])).loss for s in seats\n      - deals += 1\n")


def rows(*losses: int) -> str:
    """Rows of two numbers of cards each, the last with all above."""
    last = len(losses) - 1
    return "".join(
        f"      r{i}: {{cards: {2 * i}..{'' if i == last else 2 * i + 1}, loss: {loss}}}\n"
        for i, loss in enumerate(losses)
    )


@pytest.mark.parametrize("losses", [(0, 1, 2, 3), (3, 2, 1, 0), (0, 1, 1, 2), (2, 1, 1, 2), (0, 5, 5, 0), (1, 0, 1, 0)])
def test_ways_up_and_down_that_are_no_slip(losses: tuple[int, ...]) -> None:
    assert "HW508" not in changed(table(rows(*losses)), USE).codes


@pytest.mark.parametrize(
    ("losses", "told"),
    [
        ((0, 2, 1, 3), "cards = 2..3: 2; cards = 4..5: 1"),
        ((9, 4, 5, 1), "cards = 2..3: 4; cards = 4..5: 5"),
        ((0, 1, 2, 1), "cards = 4..5: 2; cards = 6..8: 1"),
    ],
)
def test_one_step_the_other_way(losses: tuple[int, ...], told: str) -> None:
    found = changed(table(rows(*losses)), USE).one("HW508")
    assert found.witness is not None and found.witness.en == told


def test_three_rows_are_no_trend() -> None:
    assert "HW508" not in changed(table(rows(0, 2, 1)), USE).codes


def test_a_row_twice_in_a_table_that_takes_the_first() -> None:
    report = changed(
        (
            "      low: {called: low, times: 2}\n",
            "      low: {called: low, times: 2}\n      two: {called: low, times: 2}\n",
        )
    )
    assert report.codes == ["HW504"]


def test_a_row_twice_in_a_table_that_adds_up() -> None:
    twice = "      a: {cards: 1, loss: 1}\n      b: {cards: 2.., loss: 1}\n      c: {cards: 1, loss: 1}\n"
    found = changed(table(twice, "collect"), USE).one("HW504")
    assert "added up" in found.message.en
    assert (
        "HW504"
        not in changed(table(twice.replace("c: {cards: 1, loss: 1}", "c: {cards: 1, loss: 2}"), "collect"), USE).codes
    )

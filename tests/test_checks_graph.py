"""The phases as a graph: reached, able to end, every loop stopping."""

from __future__ import annotations

import subprocess
import sys

import pytest

from checks_bench import SHED, Report, changed, replaced

MEASURE_CLEAR = "  clear:\n    measure: sum(len(hand[s]) for s in seats)\n"
MEASURE_ANSWER = "    stop: over_now\n    measure: sum(len(hand[s]) for s in seats)\n"


def english(report: Report) -> str:
    return "\n".join(text.en for text in report.proofs.proved)


def test_the_sound_game_is_clean_and_says_what_was_shown() -> None:
    report = Report(SHED)
    assert not report.items
    assert "8 phases, all reachable, all can end" in english(report)
    assert "every loop within a deal has a measure (2 proved, 0 checked in play)" in english(report)
    assert all(text.zh and text.en for text in (*report.proofs.proved, *report.proofs.not_proved))


def test_a_phase_that_nobody_reaches() -> None:
    found = changed(("  over: {final: true}", "  lost:\n    next: over\n  over: {final: true}")).one("HW301")
    assert found.witness is not None and "no phase" in found.witness.en


def test_a_guard_that_never_holds_is_named_as_what_blocks() -> None:
    report = changed(("- give when caller is not none", "- give when called == low and called == high"))
    assert report.codes == ["HW404", "HW301"]
    found = report.get("HW301")
    assert found.witness is not None and "called == low and called == high" in found.witness.en
    assert report.line(found) == "give:"


def test_a_ring_of_lost_phases_is_said_once() -> None:
    ring = "  lost:\n    next:\n      - found when deals > 2\n      - over\n  found:\n    next: lost\n  over: {final: true}"
    report = changed(("  over: {final: true}", ring))
    assert report.codes.count("HW301") == 1
    assert report.line(report.get("HW301")) == "lost:"


def test_a_phase_without_a_way_out_and_nothing_that_follows_from_it() -> None:
    found = changed(("      - move(trick, gone)\n    next: lead", "      - move(trick, gone)")).one("HW303")
    assert "clear" in found.message.en


def test_no_way_to_the_end() -> None:
    report = changed(("      - over when deals >= deals_wanted\n", ""))
    found = report.get("HW305")
    assert "HW301" not in report.codes
    assert found.witness is not None and found.witness.en.startswith("deal -> ")


def test_a_ring_that_cannot_be_left() -> None:
    report = changed(
        ("- over when deals >= deals_wanted\n      - deal", "- over when deals >= deals_wanted\n      - pause"),
        ("  over: {final: true}", "  pause:\n    next: wait\n  wait:\n    next: pause\n  over: {final: true}"),
    )
    found = report.get("HW305")
    assert found.witness is not None and found.witness.en.endswith("settle -> pause -> wait -> pause")


def test_no_final_phase_at_all() -> None:
    report = changed(("  over: {final: true}", "  over: {next: deal}"))
    assert "no phase says final" in report.get("HW305").message.en


def test_after_an_open_way() -> None:
    report = changed(("- settle when over_now\n      - answer", "- answer\n      - settle when over_now"))
    found = report.one("HW308")
    assert report.line(found) == "- settle when over_now"
    assert report.line(type(found)("", found.message, found.related[0].span)) == "- answer"


def test_a_way_implied_by_an_earlier_one() -> None:
    report = changed(
        (
            "- over when deals >= deals_wanted\n",
            "- over when deals >= 2\n      - deal when deals == 5\n      - over when deals >= deals_wanted\n",
        )
    )
    found = report.one("HW308")
    assert report.line(found) == "- deal when deals == 5"
    assert found.witness is not None and "deals >= 2" in found.witness.en


def test_ways_that_only_overlap_are_fine() -> None:
    assert not changed(
        ("- over when deals >= deals_wanted\n", "- over when deals >= 2\n      - over when deals >= deals_wanted\n")
    ).items


def test_the_last_way_has_a_condition() -> None:
    report = changed(
        (
            "      - over when deals >= deals_wanted\n      - deal\n",
            "      - over when deals > 5\n      - deal when deals < 5\n",
        )
    )
    found = report.one("HW309")
    assert report.line(found) == "- deal when deals < 5"
    assert found.witness is not None and "deals = 5" in found.witness.en


def test_conditions_that_cover_everything_still_want_an_open_way() -> None:
    found = changed(
        (
            "      - over when deals >= deals_wanted\n      - deal\n",
            "      - over when deals > 5\n      - deal when deals <= 5\n",
        )
    ).one("HW309")
    assert "cover everything" in found.help[0].en


def test_automatic_phases_in_a_circle() -> None:
    report = changed(
        (
            "    next:\n      - settle when over_now\n      - clear\n",
            "    next:\n      - settle when over_now\n      - think\n",
        ),
        (
            "  settle:\n    do:",
            "  think:\n    next:\n      - clear when out == 0\n      - ponder\n  ponder:\n    next: think\n  settle:\n    do:",
        ),
    )
    found = report.one("HW312")
    assert found.witness is not None and found.witness.en == "think -> ponder -> think"


def test_a_countdown_is_a_proof() -> None:
    report = changed(
        (
            "  give:\n    seat: caller",
            "  turn:\n    measure: 4 - turned\n    do:\n      - turned += 1\n    next:\n      - give when turned == 4\n      - turn\n  give:\n    seat: caller",
        ),
        ("- give when caller is not none", "- turn when caller is not none"),
        ("    out: 0..3 = 0", "    turned: int = 0\n    out: 0..3 = 0"),
    )
    assert not report.items
    assert "3 proved, 0 checked in play" in english(report)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("- turned += 1", "- turned += 1 when called == high"),
        ("- give when turned == 4", "- give when turned == 5"),
        ("measure: 4 - turned", "measure: 4 - out - turned"),
    ],
)
def test_a_countdown_that_may_stand_still_is_no_proof(old: str, new: str) -> None:
    turn = "  turn:\n    measure: 4 - turned\n    do:\n      - turned += 1\n    next:\n      - give when turned == 4\n      - turn\n".replace(
        old, new
    )
    report = changed(
        ("  give:\n    seat: caller", turn + "  give:\n    seat: caller"),
        ("- give when caller is not none", "- turn when caller is not none"),
        ("    out: 0..3 = 0", "    turned: int = 0\n    out: 0..3 = 0"),
    )
    assert not report.items
    assert any('measure of "turn"' in text.en for text in report.proofs.not_proved)


def test_a_pile_that_is_drawn_down() -> None:
    report = changed(
        (
            "- move(top(stock), gone)\n      - leader = random(seats)\n    next: auction",
            "- leader = random(seats)\n    next: draw",
        ),
        (
            "  auction:\n    round",
            "  draw:\n    measure: len(stock)\n    do:\n      - move(top(stock), gone)\n    next:\n      - draw when len(stock) > 0\n      - auction\n  auction:\n    round",
        ),
    )
    assert not report.items
    assert "3 proved" in english(report)


def test_a_loop_of_choices_without_a_measure() -> None:
    report = changed(
        (
            "  give:\n    seat: caller",
            "  ask:\n    seat: caller\n    moves:\n      more: {}\n      enough:\n        do:\n          - out = 0\n    next:\n      - ask when out > 0\n      - give\n  give:\n    seat: caller",
        ),
        ("- give when caller is not none", "- ask when caller is not none"),
    )
    found = report.one("HW313")
    assert found.witness is not None and found.witness.en == "ask -> ask"


def test_cards_that_leave_the_hands_end_a_loop_without_a_measure() -> None:
    assert not changed((MEASURE_CLEAR, "  clear:\n"), (MEASURE_ANSWER, "    stop: over_now\n")).items


def test_cards_that_come_back_do_not() -> None:
    report = changed(
        (MEASURE_CLEAR, "  clear:\n"),
        (MEASURE_ANSWER, "    stop: over_now\n"),
        ("- move(trick, gone)", "- move(trick, hand[leader])"),
    )
    found = report.one("HW313")
    assert found.witness is not None and "clear" in found.witness.en


def test_a_measure_that_is_not_shown_to_fall_is_checked_in_play() -> None:
    report = changed((MEASURE_CLEAR, "  clear:\n    measure: len(hand[leader])\n"))
    assert not report.items
    assert "1 proved, 1 checked in play" in english(report)


def test_a_round_that_asks_again_for_ever() -> None:
    report = changed(
        (
            "    round: once\n    first: leader\n    stop: called == high",
            "    round: until_quiet\n    first: leader\n    stop: called == high",
        ),
        ("that: chosen > called", "that: chosen != called"),
    )
    found = report.one("HW313")
    assert report.line(found) == "auction:"


@pytest.mark.parametrize(
    ("measure", "clause", "said"),
    [
        ("3 - out", "", True),  # a bid changes nothing that is counted
        ("sum(len(hand[s]) for s in seats)", "", True),  # nor does it move a card
        ("int(called == none_yet)", "", False),
        ("int(caller is none)", "", False),
        (
            "int(caller is none)",
            "          twice: {that: caller is not none, zh: 再叫, en: again}\n",
            True,
        ),  # set before, and after
        (
            "len(others(caller)) if caller is not none else 3",
            "          twice: {that: caller is not none, zh: 再叫, en: again}\n",
            False,
        ),
    ],
)
def test_a_measure_that_stands_still_in_a_round(measure: str, clause: str, said: bool) -> None:
    report = changed(
        ("    round: once\n", f"    round: until_quiet\n    measure: {measure}\n"),
        ("        require:\n          higher", f"        require:\n{clause}          higher"),
    )
    found = [item for item in report.items if item.code == "HW313"]
    assert [item.message.en for item in found] == said * [
        'the measure of "auction" does not fall with "bid": the move changes nothing that it counts'
    ]


def test_a_measure_that_stands_still_in_a_loop() -> None:
    report = changed((MEASURE_CLEAR, "  clear:\n    measure: 9 - deals\n"))
    found = report.one("HW313")
    assert "stays as it is all the way round" in found.message.en
    assert found.witness is not None and found.witness.en == "lead -> answer -> clear -> lead"


@pytest.mark.parametrize(
    ("ruleset", "old"),
    [
        ("zhejiang", "closed: {do: closed = true, cite: Z14}"),
        ("zhejiang", "closed: {do: closed = true, cite: Z13}"),
        ("wangjiang", "standing: {do: standing = strength(picked), cite: WA7}"),
    ],
)
def test_a_call_that_could_be_made_again_and_again(ruleset: str, old: str) -> None:
    assert replaced(ruleset, old, "again: {do: show(picked)}") == ["HW313"]


def test_a_rising_bid_ends_by_itself() -> None:
    assert not changed(("    round: once\n", "    round: until_quiet\n")).items


def test_a_round_of_plays_ends_by_itself() -> None:
    assert not changed((MEASURE_ANSWER, "    stop: over_now\n")).items


def test_networkx_is_loaded_by_the_graph_alone() -> None:
    code = "import sys, hongwu_rules.checks; sys.exit('networkx' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

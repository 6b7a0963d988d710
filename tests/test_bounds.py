"""Numbers stay within bounds: those that grow in play, and the ranges that a file writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from compile_games import CLIMB, TRUMPS, program
from hongwu_rules.errors import RulesFault
from hongwu_rules.loading import Report, check
from hongwu_rules.play import machine, views

DO = "      - leader = the"
GROWS = "      - wins[s] = wins[s] * wins[s] * wins[s] + 3 for s in seats\n"


def test_a_number_that_grows_without_end_is_a_fault_with_its_place() -> None:
    # 0, 3, 30, 27 003, then 1.97e13; its cube is beyond 10^18
    machine.start(program(CLIMB.replace(DO, GROWS * 4 + DO)))
    text = CLIMB.replace(DO, GROWS * 5 + DO)
    with pytest.raises(RulesFault) as caught:
        machine.start(program(text))
    assert caught.value.code == "HW904" and "wins" in caught.value.text.zh and "10^18" in caught.value.text.en
    assert caught.value.place.line == text.splitlines().index(GROWS.rstrip()) + 5


def test_a_range_open_to_one_side_has_an_end_there_as_well() -> None:
    text = CLIMB.replace("step_bound: 0..4 = 0", "step_bound: 2.. = 2")
    text = text.replace(DO, "      - step_bound = step_bound * step_bound\n" * 6 + DO)  # 2^64 > 10^18
    with pytest.raises(RulesFault) as caught:
        machine.start(program(text))
    assert caught.value.code == "HW904" and "18446744073709551616" in caught.value.text.en


def test_a_number_too_long_to_be_written_can_be_told() -> None:
    thirty = "  big(seat): " + " * ".join(["wins[seat]"] * 30) + "\n"
    power = " * ".join(["big(s)"] * 30)
    text = CLIMB.replace("define:\n", "define:\n" + thirty)
    text = text.replace(
        DO, f"      - wins[s] = 1000000000 for s in seats\n      - wins[s] = {power} for s in seats\n{DO}"
    )
    with pytest.raises(RulesFault) as caught:
        machine.start(program(text))
    assert "10^8100" in caught.value.text.en and len(caught.value.text.zh) < 50


def test_what_a_match_is_worth_stays_within_bounds() -> None:
    text = CLIMB.replace("returns: wins[seat]", "returns: (wins[seat] + 10) * 1000000000 * 100000000")
    text = text.replace("    seat: leader\n    timeout", "    final: true\n  other:\n    seat: leader\n    timeout")
    state = machine.start(program(text))
    assert views.returns(state) == [10**18] * 3
    more = text.replace("wins[seat] + 10)", "wins[seat] + 11)")
    with pytest.raises(RulesFault) as caught:
        views.returns(machine.start(program(more)))
    assert caught.value.code == "HW904" and "returns" in caught.value.text.en


def test_a_level_goes_up_by_any_number_at_once() -> None:
    text = TRUMPS.replace(
        "      - shuffle(stock)",
        "      - level[s] = up(level[s], 1000000000 * 1000000000) for s in seats\n      - shuffle(stock)",
        1,
    )
    state = machine.start(program(text))
    place = state.program.layout.slots["level"]
    assert [state.m[place.at(seat)] for seat in range(4)] == [10] * 4  # the first stop


# ---------------------------------------------------------------- numbers that a file writes

RULESETS = Path(__file__).parent.parent / "rulesets"
MARK = "▸"


def found(
    folder: Path, game: str, old: str, new: str
) -> tuple[list[tuple[str, int, int]], list[tuple[int, int]], Report]:
    """What the check finds in a copy of a game with one text replaced, and where ``▸`` is in the new text."""
    text = (RULESETS / f"{game}.yaml").read_text(encoding="utf-8")
    assert text.count(old) == 1, old
    text = text.replace(old, new)
    marks = [(number, line.index(MARK) + 1) for number, line in enumerate(text.split("\n"), 1) if MARK in line]
    (folder / "game.yaml").write_text(text.replace(MARK, ""), encoding="utf-8")
    report = check(folder / "game.yaml")
    return [(one.code, one.span.line, one.span.column) for one in report.diagnostics], marks, report


FAULTS = {
    "a count": ("anhui", "count: {is: 1..8, cite: T18 M12}", "count: {is: ▸8..1, cite: T18 M12}", "upside down|write 1..8"),
    "a choice": ("zhejiang", "choose: {is: 70..240 step 5,", "choose: {is: ▸240..70 step 5,", "upside down|write 70..240"),
    "memory": ("dalian", "deals: {is: int = 0,", "deals: {is: ▸99..0 = 0,", "upside down|write 0..99"),
    "a key of a row": ("wangjiang", "above:     {x: 205..,", "above:     {x: ▸300..205,", "upside down|write 205..300"),
    "an input of a table": ("dalian", "given: {place: 1..4}", "given: {place: ▸4..1}", "upside down|write 1..4"),
    "an option": ("dalian", "base:         {default: 1, range: 1..1000", "base:         {default: 1, range: ▸1000..1", "upside down|write 1..1000"),
    "a start": ("dalian", "deals: {is: int = 0,", "deals: {is: 0..99 = ▸100,", "starts as 100"),
    "a start below": ("dalian", "deals: {is: int = 0,", "deals: {is: 1.. = ▸0,", "starts as 0"),
    "a start that is an option": ("dalian", "deals: {is: int = 0,", "deals: {is: 0..99 = ▸base,", "starts as 1000"),
    "more cards than there are": ("anhui", "count: {is: 1..8, cite: T18 M12}", "count: {is: ▸109, cite: T18 M12}", "at least 109 cards|has 108"),
    "a division by zero": ("shengji", "(x - win_points) // level_points ", "(x - win_points) // level_points // ▸0 ", "divisor is always 0"),
    "a rest by nothing": ("shengji", "(x - win_points) // level_points ", "(x - win_points) % (▸level_points - level_points) ", "divisor is always 0"),
    "folds in folds": (
        "anhui",
        "x - 200) // 40 * int(above_200)",
        "▸x - 200) // 40 * int(above_200) + count(a == b and c == d for a in deck for b in deck for c in deck for d in deck)",
        "up to 136,048,896 items|look through some cards",
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_number_that_cannot_be_is_one_finding_where_it_stands(fault: str, tmp_path: Path) -> None:
    game, old, new, said = FAULTS[fault]
    got, marks, report = found(tmp_path, game, old, new)
    assert len(got) == 1, got
    code, line, column = got[0]
    assert (code, line) == ("HW005" if fault.startswith("folds") else "HW105", marks[0][0])
    assert code == "HW005" or column == marks[0][1]
    one = report.diagnostics[0]
    told = "\n".join([one.message.en, *(text.en for text in one.help)])
    assert all(part in told for part in said.split("|")), told


def test_what_may_be_zero_is_no_finding(tmp_path: Path) -> None:
    old = "(x - win_points) // level_points "
    got, _, _ = found(tmp_path, "shengji", old, "(x - win_points) // (level_points + (win_points - level_points) * 0) ")
    assert got == []

"""Numbers stay within bounds: those that grow in play, and the ranges that a file writes."""

from __future__ import annotations

import pytest

from compile_games import CLIMB, TRUMPS, program
from hongwu_rules.errors import RulesFault
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

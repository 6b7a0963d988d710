"""Which steps play runs through, counted by hand."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from hongwu_rules.coverage import Coverage, kept_out
from hongwu_rules.footsteps import Footsteps, step_names
from hongwu_rules.game import load, rulesets
from hongwu_rules.play.move import Move

BAD = Path(__file__).parent / "bad"


def test_names() -> None:
    """By label, else by number; shared acts stand where they are used; what follows every move is `then`."""
    assert step_names(load(BAD / "base.yaml").ruleset) == [
        "deal.shuffle",
        "deal.ten_each",
        "deal.leader",
        "bid.double.1",
        "lead.play.1",
        "answer.play.1",
        "clear.leader",
        "clear.away",
        "settle.pay",
        "settle.count",
    ]
    names = step_names(load("dalian").ruleset)
    assert [name for name in names if name.startswith("answer.play")] == [f"answer.play.{i}" for i in (1, 2, 3)]


def test_a_deal_counted_by_hand() -> None:
    """A deal, a double, a lead with ten of one rank left elsewhere, an answer declined: the table is cleared."""
    coverage = Coverage(load(BAD / "base.yaml"))
    state = coverage.start(seed=1)
    state = coverage.apply(state, Move("double"))
    assert state.phase == "lead"
    state = coverage.apply(state, next(move for move in state.legal_moves() if len(move.cards) == 1))
    assert state.phase == "answer"
    state = coverage.apply(state, Move("decline"))
    assert state.phase == "lead"
    done = coverage.counts()["steps"]
    assert done == {
        "deal.shuffle": 1,
        "deal.ten_each": 1,
        "deal.leader": 1,
        "bid.double.1": 1,
        "lead.play.1": 1,
        "answer.play.1": 0,
        "clear.leader": 1,
        "clear.away": 1,
        "settle.pay": 0,
        "settle.count": 0,
    }


def test_a_condition_that_does_not_hold_is_no_step_done() -> None:
    """A player with cards left is not out; one who plays his last is."""
    rules = load("dalian")
    given = {"phase": "lead", "seat": 0, "memory": {"leader": 0}}
    for hand, out in (("SK SQ", 0), ("SK", 1)):
        coverage = Coverage(rules)
        state = rules.position(given | {"zones": {"hand": {0: hand, 1: "SJ S10", 2: "HJ H10", 3: "DJ D10"}}})
        coverage.apply(state, next(move for move in state.legal_moves() if move.cards == ("SK",)))
        done = coverage.counts()["steps"]
        assert [done[f"lead.play.{i}"] for i in (1, 2, 3)] == [1, out, out]


def test_steps_that_the_options_rule_out() -> None:
    assert "settle.captured_back" in kept_out(load("anhui"))["steps"]
    assert "settle.captured_back" not in kept_out(load("anhui", options={"symmetric_fifty": True}))["steps"]


@pytest.mark.parametrize("name", rulesets())
def test_every_step_is_found_in_the_generated_module(name: str) -> None:
    """But for those that the options rule out, which no other option brings back one by one."""
    rules = load(name)
    steps = Footsteps(rules.program)
    assert steps.names == step_names(rules.ruleset)
    assert set(steps.dropped) <= set(kept_out(rules)["steps"])
    assert len(steps.dropped) < len(steps.names) / 5


def test_who_watched_before_watches_again() -> None:
    steps = Footsteps(load("dalian").program)
    before = sys.gettrace()
    with steps.watched():
        assert sys.gettrace() is not before
    assert sys.gettrace() is before
    with pytest.raises(ValueError, match="inside"), steps.watched():
        raise ValueError("inside")
    assert sys.gettrace() is before

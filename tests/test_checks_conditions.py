"""Conditions: constant ones, contradictions, things said twice, unused names, values that are possible at all."""

from __future__ import annotations

import operator
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checks_bench import SHED, changed
from hongwu_rules.checks import define_cycles
from hongwu_rules.checks.ranges import MAYBE, Values, few, of, span


# -------------------------------------------------------------------- HW403
@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        (
            "- over when deals >= deals_wanted",
            "- over when deals >= 0",
            "- over when deals >= 0",
        ),  # a count never falls below 0
        (
            "place[s] = 3 for s in seats when place[s] == 0",
            "place[s] = 3 for s in seats when place[s] > 3",
            "- place[s] = 3 for s in seats when place[s] > 3",
        ),
        ("that: chosen > called", "that: chosen >= none_yet", "that: chosen >= none_yet"),
        ("stop: called == high", "stop: called > high", "stop: called > high"),
        ("when: must_beat", "when: unit > 10", "when: unit > 10"),
        (
            "random(seats)",
            "the(s for s in seats if any(c.rank == 3 for c in hand[s]))",
            "- leader = the(s for s in seats if any(c.rank == 3 for c in hand[s]))",
        ),
        (
            "in_play(seat): not empty(hand[seat])",
            "in_play(seat): len(hand[seat]) <= 25",
            "in_play(seat): len(hand[seat]) <= 25",
        ),
        (
            "in_play(seat): not empty(hand[seat])",
            "in_play(seat): not empty(hand[seat]) or 1 < 2",
            "in_play(seat): not empty(hand[seat]) or 1 < 2",
        ),
        (
            "out == 1 if end_on == first else",
            "out == 1 if unit < 20 else",
            "over_now: out == 1 if unit < 20 else out == 2",
        ),
    ],
)
def test_a_condition_that_never_changes(old: str, new: str, line: str) -> None:
    report = changed((old, new))
    found = report.get("HW403")
    assert report.codes.count("HW403") == 1
    assert report.line(found) == line


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("when: must_beat", "when: unit > 9"),
        ("when: must_beat", "when: must_beat and end_on == second"),
        ("- over when deals >= deals_wanted", "- over when deals >= 1"),
        ("that: chosen > called", "that: chosen > called or chosen == high"),
        ("in_play(seat): not empty(hand[seat])", "in_play(seat): len(hand[seat]) < 25"),
        ("random(seats)", "the(s for s in seats if any(c.rank == 9 for c in hand[s]))"),
        ("stop: called == high", "stop: called == high and unit != 4"),
    ],
)
def test_a_condition_that_can_turn_out_both_ways(old: str, new: str) -> None:
    assert "HW403" not in changed((old, new)).codes
    assert "HW404" not in changed((old, new)).codes


def test_a_constant_definition_is_said_once() -> None:
    report = changed(("over_now: out == 1 if end_on == first else out == 2", "over_now: out == 9"))
    assert report.codes.count("HW403") == 1
    assert report.line(report.get("HW403")) == "over_now: out == 9"


def test_values_that_hang_together_are_seen_together() -> None:
    report = changed(
        (
            "when caller is not none\n      - deals",
            "when caller is not none or not (unit > 3) or unit > 3\n      - deals",
        )
    )
    assert report.get("HW403").span.line


# -------------------------------------------------------------------- HW404
def test_two_parts_that_exclude_each_other() -> None:
    found = changed(("stop: called == high", "stop: called == high and called == low")).get("HW404")
    assert "cannot both hold" in found.message.en
    assert found.witness is not None


def test_three_parts_that_exclude_each_other_only_together() -> None:
    found = changed(("stop: called == high", "stop: called >= low and called <= low and called != low")).get("HW404")
    assert "cannot" in found.message.en


@pytest.mark.parametrize(
    ("new", "named"),
    [
        ("called == high and called != none_yet", "called != none_yet"),
        ("called == high or called >= low", "called == high"),
        ("called == high and called == high", "called == high"),
    ],
)
def test_a_part_that_says_nothing_new(new: str, named: str) -> None:
    found = changed(("stop: called == high", f"stop: {new}")).get("HW404")
    assert f'"{named}" says nothing new' in found.message.en


def test_a_test_for_being_set_is_never_too_much() -> None:
    assert not changed(
        (
            "- score[caller] -= points_of",
            "- score[caller] += 0 when caller is not none and caller == leader\n      - score[caller] -= points_of",
        )
    ).items


# -------------------------------------------------------------------- HW405, HW406
@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("  unit: {default", "  spare: {default: true, zh: 多, en: more}\n  unit: {default", '"spare"'),
        ("  stake: unit", "  spare: unit * 2\n  stake: unit", '"spare"'),
        ("    out: 0..3 = 0", "    spare: int = 0\n    out: 0..3 = 0", '"spare"'),
        ("  pair: {alike: 2}", "  pair: {alike: 2}\n  three: {alike: 3}", '"three"'),
        ("  gone: seen by all", "  gone: seen by all\n  side: seen by all", '"side"'),
        (
            "  points_of:\n",
            "  spare:\n    given: {a: 1..1}\n    gives: {b: 0}\n    rows: {one: {a: 1, b: 1}}\n  points_of:\n",
            '"spare"',
        ),
        ("    gives: {loss: ", "    gives: {spare: 0, loss: ", '"spare" of the table "points_of"'),
    ],
)
def test_what_nothing_uses(old: str, new: str, what: str) -> None:
    assert what in changed((old, new)).one("HW405").message.en


def test_memory_that_is_only_written() -> None:
    report = changed(
        ("    out: 0..3 = 0", "    spare: int = 0\n    out: 0..3 = 0"),
        ("- deals += 1", "- deals += 1\n      - spare += 2"),
    )
    found = report.one("HW405")
    assert report.lines[found.related[0].span.line - 1].strip() == "- spare += 2"


def test_a_definition_used_only_by_an_unused_one() -> None:
    report = changed(("  stake: unit", "  spare: unit * 2\n  spare_too: spare + 1\n  stake: unit"))
    assert report.codes == ["HW405", "HW405"]


def test_rings_of_definitions() -> None:
    assert define_cycles({"a": ["a"]}) == [["a", "a"]]
    assert define_cycles({"a": ["b", "c"], "b": ["c"], "c": []}) == []
    assert define_cycles({"a": ["b"], "b": ["a"], "c": ["d"], "d": ["c", "a"]}) == [["a", "b", "a"], ["c", "d", "c"]]
    deep = {str(n): [str(n + 1)] for n in range(5000)} | {"5000": ["0"]}
    assert len(define_cycles(deep)[0]) == 5002


# -------------------------------------------------------------------- HW407
def test_a_phase_without_a_fallback() -> None:
    report = changed(
        (
            "        count: 1\n",
            "        count: 1\n        require:\n          picture:\n            that: all(c.rank in {J, Q, K} for c in picked)\n            zh: 人头\n            en: Pictures only\n",
        )
    )
    found = report.one("HW407")
    assert report.line(found) == "give:"
    assert found.witness is not None and "no card fits" in found.witness.en


@pytest.mark.parametrize(
    "that",
    [
        "all(c.rank in {J, Q, K} for c in picked) or not any(c.rank in {J, Q, K} for c in hand[seat])",
        "not any(c.rank == A for c in picked) or all(c.rank == A for c in hand[seat])",
    ],
)
def test_a_duty_that_yields_is_no_trap(that: str) -> None:
    assert not changed(
        (
            "        count: 1\n",
            f"        count: 1\n        require:\n          picture:\n            that: {that}\n            zh: 人头\n            en: Pictures first\n",
        )
    ).items


def test_a_move_without_clauses_is_a_fallback() -> None:
    assert not changed(
        (
            "        count: 1\n        do:\n          - move(picked, extra)\n",
            "        count: 1\n        require:\n          picture:\n            that: all(c.rank in {J, Q, K} for c in picked)\n            zh: 人头\n            en: Pictures only\n        do:\n          - move(picked, extra)\n      keep: {}\n",
        )
    ).items


def test_a_bid_that_nobody_can_top() -> None:
    report = changed(
        ("      decline: {quiet: true}\n", ""),
        ("    stop: called == high\n", ""),
        ("    timeout: decline\n    moves:\n      bid", "    timeout: bid\n    moves:\n      bid"),
    )
    found = report.one("HW407")
    assert found.witness is not None and "called = high" in found.witness.en


def test_a_bid_that_stops_at_the_top_needs_no_decline() -> None:
    assert not changed(
        ("      decline: {quiet: true}\n", ""),
        ("    timeout: decline\n    moves:\n      bid", "    timeout: bid\n    moves:\n      bid"),
    ).items


def test_who_can_beat_must_and_who_cannot_may_decline() -> None:
    report = changed(
        ("            when: must_beat\n", ""),
        ("  must_beat: {default: false, zh: 有大必出, en: who can beat must}\n", ""),
    )
    assert not report.items
    assert any("in 4 of 4 phases" in text.en for text in report.proofs.proved)


def test_where_it_cannot_be_told_it_is_not_a_finding() -> None:
    report = changed(("            that: not can_beat(hand[seat], trick)", "            that: len(hand[seat]) > 2"))
    assert not report.items
    assert any('legal move in "answer"' in text.en for text in report.proofs.not_proved)


# -------------------------------------------------------------------- the values behind it
SETS = st.one_of(
    st.frozensets(st.integers(-9, 9), min_size=1, max_size=4).map(lambda s: of(s)),
    st.tuples(st.integers(-9, 9), st.integers(0, 200), st.integers(1, 6)).map(
        lambda t: span(t[0], t[0] + t[1] * t[2], step=t[2])
    ),
    st.tuples(st.integers(-9, 9), st.integers(1, 6)).map(lambda t: span(t[0], None, step=t[1])),
    st.tuples(st.integers(-9, 9), st.integers(1, 6)).map(lambda t: span(None, t[0], step=t[1], base=t[0])),
)


def members(values: Values) -> list[int]:
    if values.exact is not None:
        return [v for v in values.exact if isinstance(v, int)]
    low, high = values.low, values.high
    start = low if low is not None else (high or 0) - 40 * values.step
    found = [start + values.step * n for n in range(80)]
    return [v for v in found if values.holds(v)]


ATOMS = st.frozensets(st.sampled_from([None, True, False, 0, 1, 2, 3, 9, "a", "b"]), max_size=5)
ORDERED = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


@given(ATOMS, ATOMS)
def test_comparing_sets_is_comparing_all_their_pairs(
    one: frozenset[int | str | None], two: frozenset[int | str | None]
) -> None:
    def holds(op: str, a: int | str | None, b: int | str | None) -> bool:
        if op in ("==", "!="):
            return (a is not None and a == b) is (op == "==")
        return isinstance(a, int) and isinstance(b, int) and ORDERED[op](a, b)

    for op in ("==", "!=", *ORDERED):
        assert Values(one).compare(op, Values(two)) == of(holds(op, a, b) for a in one for b in two), op


@given(SETS, SETS)
def test_what_is_worked_out_covers_every_case(one: Values, two: Values) -> None:
    numbers: dict[str, tuple[Values, Callable[[int, int], int]]] = {
        "+": (one.plus(two), operator.add),
        "-": (one.plus(two.negative()), operator.sub),
        "*": (one.times(two), operator.mul),
        "//": (one.divided(two, rest=False), lambda a, b: a // b if b else 0),
        "%": (one.divided(two, rest=True), lambda a, b: a % b if b else 0),
    }
    tests = {
        "==": operator.eq,
        "!=": operator.ne,
        "<": operator.lt,
        "<=": operator.le,
        ">": operator.gt,
        ">=": operator.ge,
    }
    compared = {op: one.compare(op, two) for op in tests}
    joined = one.join(two)
    for a in members(one)[:12]:
        assert joined.holds(a)
        for b in members(two)[:12]:
            for op, (found, do) in numbers.items():
                assert b == 0 or found.holds(do(a, b)), (op, a, b, found)
            for op, test in tests.items():
                assert compared[op].holds(test(a, b)), (op, a, b)


@given(SETS, st.integers(-20, 20), st.integers(0, 30))
def test_a_part_of_a_range_has_just_its_members(values: Values, low: int, width: int) -> None:
    part = values.meet(low, low + width)
    for value in range(low - 3, low + width + 4):
        assert part.holds(value) == (values.holds(value) and low <= value <= low + width)


def test_equality_with_what_is_not_set_is_false() -> None:
    assert few(None).compare("==", few(None)).truth is False
    assert few(None).compare("!=", few(3)).truth is True
    assert few(None, 3).compare("==", few(3)) == MAYBE


def test_the_game_itself_is_not_at_fault() -> None:
    assert not changed(("name: shed", "name: shed_too")).items
    assert SHED.count("when") > 5

"""Tables: gaps, overlaps, dead rows, rows that cannot happen, sums."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from checks_bench import SHED, Report, changed
from hongwu_rules.checks.boxes import Box, left_over, merged, size

SCORES = """\
hongwu: 1
name: scores
title: {zh: 分, en: Scores}
options:
  more: {default: false, zh: 多, en: more}
seats: {count: 2}
deck: {packs: 1, keep: card.rank == 5, points: {5: 5}}
order: {all: {rest: true}}
shapes:
  alike_by: card
  single: {alike: 1}
zones:
  stock: seen by nobody
  hand[seat]: seen by viewer == seat
  won[seat]: seen by all
memory:
  match:
    score[seat]: int = 0
  deal:
    x: int = 0
start: deal
phases:
  deal:
    begins: deal
    do:
      - shuffle(stock)
      - deal(stock, hand, 2)
      - move(hand[s], won[s]) for s in seats
      - x = sum(points(won[s]) for s in seats)
      - score[s] += steps(x, more).up for s in seats
    next: over
  over: {final: true}
tables:
  steps:
    given: {x: 0..40 step 5, late: bool}
    gives: {up: 0}
    rows:
      low: {x: ..0, up: 1}
      held: {x: 5..15, up: 2}
      open: {x: 20..35, up: 3}
      high: {x: 40.., up: 4 + x // 40}
returns: score[seat]
"""


def test_rows_that_cover_everything_once_in_steps_of_five() -> None:
    report = Report(SCORES)
    assert not report.items
    assert any("4 rows cover all 18 results once" in text.en for text in report.proofs.proved)


def test_a_missing_row_is_named_where_it_belongs() -> None:
    report = changed(("      middle: {place: 2, each: -1}\n", ""))
    found = report.one("HW501")
    assert report.line(found) == "last: {place: 3, each: -1}"
    assert found.witness is not None and found.witness.en == "not covered: place = 2"
    assert report.lines[found.related[0].span.line - 1].strip().startswith("best:")


def test_the_last_row_missing_is_named_at_the_row_before() -> None:
    report = changed(("      last: {place: 3, each: -1}\n", ""))
    assert report.line(report.one("HW501")).startswith("middle:")


def test_a_gap_in_the_second_input_names_both() -> None:
    found = changed(
        ("early: true, loss: 2", "early: false, loss: 3"),
        ("      dear_late: {called: high, early: false, loss: 3}\n", ""),
    ).one("HW501")
    assert found.witness is not None and found.witness.en == "not covered: called = high, early = true"


def test_a_gap_between_two_ranges() -> None:
    report = changed(("x: 20..35, up: 3", "x: 25..35, up: 3"), game=SCORES)
    found = report.one("HW501")
    assert found.witness is not None and found.witness.en == "not covered: x = 20"
    assert report.line(found).startswith("open:")
    assert report.lines[found.related[0].span.line - 1].strip().startswith("held:")


def test_a_gap_where_the_value_never_comes_is_none() -> None:
    twice = ("x = sum(points(won[s]) for s in seats)", "x = 2 * sum(points(won[s]) for s in seats)")  # 0 10 20 …
    assert changed(("x: 20..35, up: 3", "x: 20..30, up: 3"), twice, game=SCORES).codes == []
    assert changed(("x: 20..35, up: 3", "x: 25..35, up: 3"), twice, game=SCORES).codes == ["HW501"]


def test_a_row_between_the_steps_cannot_happen() -> None:
    found = changed(("      high: {x", "      odd: {x: 17, up: 9}\n      high: {x"), game=SCORES).one("HW506")
    assert found.witness is not None and found.witness.en == "x can only be 0..40 step 5"


def test_two_rows_for_one_place() -> None:
    report = changed(("last: {place: 3, each: -1}", "last: {place: 2, each: -3}"))
    assert sorted(report.codes) == ["HW501", "HW505"]
    found = report.get("HW505")
    assert report.line(found).startswith("last:")
    assert found.witness is not None and found.witness.en == "place = 2"
    assert report.lines[found.related[0].span.line - 1].strip().startswith("middle:")


def test_the_same_row_twice() -> None:
    report = changed(
        ("      last: {place: 3, each: -1}\n", "      last: {place: 3, each: -1}\n      again: {place: 3, each: -1}\n")
    )
    assert "alike" in report.one("HW504").message.en


def test_ranges_that_overlap() -> None:
    report = changed(("middle: {place: 2, each: -1}", "middle: {place: 2..3, each: -1}"))
    found = report.one("HW502")
    assert report.line(found).startswith("last:")
    assert found.witness is not None and found.witness.en == "place = 3"


def test_a_dead_row_of_a_table_that_takes_the_first() -> None:
    report = changed(("      rest: {times: 1}\n", "      rest: {times: 1}\n      never: {called: low, times: 5}\n"))
    found = report.one("HW503")
    assert report.line(found).startswith("never:")
    assert '"low"' in found.message.en


def test_overlaps_are_the_point_of_first() -> None:
    assert not Report(SHED).items


def test_a_table_that_collects_may_overlap_and_leave_gaps() -> None:
    assert not changed(
        ("    gives: {loss: 0}\n", "    gives: {loss: 0}\n    hit: collect\n"),
        ("      dear_late: {called: high, early: false, loss: 3}\n", ""),
    ).items


def test_a_row_outside_the_domain() -> None:
    report = changed(
        ("      last: {place: 3, each: -1}\n", "      last: {place: 3, each: -1}\n      extra: {place: 7, each: 0}\n")
    )
    found = report.one("HW506")
    assert report.line(found).startswith("extra:")
    assert found.witness is not None and found.witness.en == "place can only be 1..3"


def test_a_row_that_the_rules_never_ask_for() -> None:
    report = changed(("stake * pay(place[s]).each", "stake * pay(1 if place[s] == 1 else 3).each"))
    found = report.get("HW506")
    assert report.line(found).startswith("middle:")


def test_payments_that_do_not_add_up() -> None:
    report = changed(("last: {place: 3, each: -1}", "last: {place: 3, each: -2}"))
    found = report.one("HW507")
    assert report.line(found) == "pay:"
    assert found.witness is not None and found.witness.en == "2 + (-1) + (-2) = -1"


def test_payments_by_formula_add_up_for_every_option() -> None:
    assert not changed(("best: {place: 1, each: 2}", "best: {place: 1, each: place + 1}")).items
    report = changed(("best: {place: 1, each: 2}", "best: {place: 1, each: 1 + unit}"))
    assert not report.items
    assert any("sums to zero" in text.en for text in report.proofs.not_proved)


def test_a_table_too_big_is_not_proved_rather_than_slow() -> None:
    inputs = ", ".join(f"i{n}: 0..1000000" for n in range(6))
    rows = "".join(
        f"      r{n}: {{{', '.join(f'i{k}: {n * (k + 3)}..{n * (k + 3) + 900000}' for k in range(6))}, t: {n}}}\n"
        for n in range(120)
    )
    table = f"  big:\n    given: {{{inputs}}}\n    gives: {{t: 0}}\n    hit: first\n    rows:\n{rows}"
    args = ", ".join(["deals"] * 6)
    report = changed(
        ("  points_of:\n", table + "  points_of:\n"),
        ("- deals += 1", f"- deals += 1\n      - score[s] += big({args}).t for s in seats"),
    )
    assert any('"big" is too big' in text.en for text in report.proofs.not_proved) or "HW501" in report.codes


BOXES = st.lists(
    st.tuples(*[st.tuples(st.integers(0, 4), st.integers(0, 4)).map(lambda p: (min(p), max(p)))] * 2), max_size=5
)


def points(boxes: list[Box]) -> set[tuple[int, ...]]:
    return {p for box in boxes for p in product(*(range(a, b + 1) for a, b in box))}


@given(BOXES, BOXES)
def test_boxes_are_subtracted_point_by_point(whole: list[Box], cuts: list[Box]) -> None:
    for one in whole:
        left = left_over([one], cuts)
        assert points(left) == points([one]) - points(cuts)
        assert size(left) == len(points(left))  # no point twice
        assert points(merged(left)) == points(left)
        assert len(merged(left)) <= len(left)

"""How people write things, and what they are told to write."""

from __future__ import annotations

from pathlib import Path

import pytest

from hongwu_rules.diagnostics import Diagnostic, Span, Text
from hongwu_rules.diagnostics.causes import causes
from hongwu_rules.diagnostics.slips import card_meant, mended, range_meant, slips_in, truth
from hongwu_rules.loading import check
from hongwu_rules.overlay.library import Library


@pytest.mark.parametrize(
    ("written", "right"),
    [
        ("a × 3", "a * 3"),
        ("a ≥ 3", "a >= 3"),
        ("a => 3", "a >= 3"),
        ("a =< 3", "a <= 3"),
        ("a <> 3", "a != 3"),
        ("a && b || !c", "a and b or not c"),
        ("a 并且 b 或者 不 c", "a and b or not c"),
        ("3 如果 a 否则 1", "3 if a else 1"),
        ("H5 不在 picked", "H5 not in picked"),
        ("no H5 in picked", "H5 not in picked"),
        ("picked not contains H5", "H5 not in picked"),
        ("picked contains H5", "H5 in picked"),
        ("all(c.rank != K for c picked)", "all(c.rank != K for c in picked)"),
        ("3分", "3"),
        ("500 分 + 8张", "500 + 8"),
        ("3 x base", "3 * base"),
        ("5H in picked", "H5 in picked"),
        ("♥5 in picked or 10♠ in picked", "H5 in picked or S10 in picked"),
    ],
)
def test_an_expression_put_right(written: str, right: str) -> None:
    assert mended(written, slips_in(written)) == right


@pytest.mark.parametrize(
    "text", ["a >= 3 and not b", "x % 3 == 0", "H5 not in picked", "sum(points(c) for c in won[s])"]
)
def test_what_is_right_has_no_slip(text: str) -> None:
    assert slips_in(text) == []


@pytest.mark.parametrize(
    ("written", "right"),
    [("80~115", "80..115"), ("80-115", "80..115"), ("80...115", "80..115"), ("0到10", "0..10"), ("40..75", None), ("x-3", None)],
)  # fmt: skip
def test_a_range(written: str, right: str | None) -> None:
    assert range_meant(written) == right


@pytest.mark.parametrize(
    ("written", "right"), [("h5", "H5"), ("5h", "H5"), ("红桃10", "H10"), ("小王", "LJ"), ("R5", None), ("five", None)]
)
def test_a_card(written: str, right: str | None) -> None:
    assert card_meant(written) == right


def test_a_truth() -> None:
    assert [truth(word) for word in ("YES", "是", "off", "否", "free", 1)] == [
        "true",
        "true",
        "false",
        "false",
        None,
        None,
    ]


def test_a_line_with_a_faulty_text_has_one_finding() -> None:
    here, below = Span("a.yaml", 4, 2, 4, 5), Span("a.yaml", 5, 2, 5, 5)
    found = [Diagnostic(code, Text("", ""), at) for code, at in (("HW101", here), ("HW004", here), ("HW101", below))]
    assert causes(found) == found[1:]


def test_a_name_that_is_gone_is_told_once() -> None:
    spans = [Span("a.yaml", line, 2, line, 5) for line in range(1, 8)]
    found = causes([Diagnostic("HW401", Text("无", "no"), at) for at in spans])
    assert [item.span.line for item in found] == [1]
    assert [one.span.line for one in found[0].related] == [2, 3, 4]
    assert found[0].help[-1].en.startswith("3 more")


def test_no_second_finding_where_the_choice_itself_is_faulty() -> None:
    name = "phases.bid.moves.double"
    text = f"hongwu: 1\nname: house\ntitle: {{zh: 家规, en: House rules}}\nextends: base.yaml\n{name}.choose: 1 to 9\n"
    text += f"{name}.require.high: {{that: chosen > 3, zh: 大, en: high}}\n"
    found = check_text(text)
    assert [(item.code, item.span.line) for item in found] == [("HW401", 5)]
    assert found[0].help[0].en == "write 1..9"


def check_text(text: str) -> list[Diagnostic]:
    base = Path(__file__).parent / "bad" / "base.yaml"
    library = Library(texts={"house.yaml": text.encode(), "base.yaml": base.read_bytes()})
    return check("house.yaml", library=library).diagnostics

"""Ways on from a phase, in each of the forms in which a file may write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from hongwu_rules.loading import check

GAME = Path(__file__).parent.parent / "rulesets" / "dalian.yaml"
OLD = "next: {is: lead, cite: D12}"
HOUSE = "hongwu: 1\nname: house\ntitle: {zh: 家规, en: House rules}\nextends: dalian\n"


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


def changed(new: str) -> str:
    text = GAME.read_text(encoding="utf-8")
    assert text.count(OLD) == 1
    Path("game.yaml").write_text(text.replace(OLD, new), encoding="utf-8")
    return "game.yaml"


@pytest.mark.parametrize(
    ("new", "cite"),
    [
        ("next: lead", ()),
        ("next: [lead]", ()),
        ("next: {is: lead, cite: D12}", ("D12",)),
        ("next: {is: [lead], cite: D12}", ("D12",)),
        ("next: [{is: lead, cite: D12}]", ("D12",)),
        ("next: {is: [{is: lead, cite: D5}], cite: D12}", ("D5",)),
    ],
)
def test_a_way_and_a_list_of_ways_may_be_dressed(new: str, cite: tuple[str, ...]) -> None:
    report = check(changed(new))
    assert report.diagnostics == [] and report.ruleset is not None
    assert [(way.to, way.cite) for way in report.ruleset.phases["clear"].next] == [("lead", cite)]


def test_a_fault_inside_a_dressed_list_is_found_in_it() -> None:
    path = changed("next: {is: [laed], cite: D12}")
    assert [one.code for one in check(path).diagnostics] == ["HW302"]


def test_a_house_rule_lays_a_list_over_a_dressed_way() -> None:
    Path("house.yaml").write_text(HOUSE + "phases.clear.next: [deal_end when base == 200, lead]\n", encoding="utf-8")
    report = check("house.yaml")
    assert report.errors == [] and report.ruleset is not None
    ways = report.ruleset.phases["clear"].next
    assert [(way.to, way.when is not None) for way in ways] == [("deal_end", True), ("lead", False)]

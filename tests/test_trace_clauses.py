"""The tool that traces clauses: it finds what is not carried by a line, or not noticed by a scenario."""

from __future__ import annotations

import re
import sys
from dataclasses import fields
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tools"))

import mutations  # noqa: E402
import trace_clauses  # noqa: E402
from hongwu_rules.game import load  # noqa: E402
from hongwu_rules.overlay.library import Library, bundled_folder  # noqa: E402


@pytest.fixture(scope="module")
def tracer() -> trace_clauses.Tracer:
    return trace_clauses.Tracer("dalian")


@pytest.fixture(scope="module")
def file(tracer: trace_clauses.Tracer) -> mutations.Text:
    return tracer.files["dalian.yaml"]


def test_clauses_of_a_page() -> None:
    page = "# Clauses\n- **D1** one\n  more of **D9**\n| **D2** | two |\n- **D3**、**D4** both\n"
    page += "## What states no rule\n- **D4** advice\n"
    assert trace_clauses.clauses_of(page) == {"D1": False, "D2": False, "D3": False, "D4": True}


@pytest.mark.parametrize("clause", ["D1", "D11", "D18", "D28", "DA18", "M33"])
def test_a_traced_clause(tracer: trace_clauses.Tracer, clause: str) -> None:
    found = tracer.trace(clause, may_lack=False)
    assert found.good and found.mutant is not None and found.failed, str(found)
    assert "⇒" in str(found)


def test_a_clause_that_nothing_cites(tracer: trace_clauses.Tracer) -> None:
    assert not tracer.trace("D99", may_lack=False).good
    assert "NOT CITED" in str(tracer.trace("D99", may_lack=False))
    assert tracer.trace("D99", may_lack=True).good


def test_a_clause_without_a_scenario(tracer: trace_clauses.Tracer) -> None:
    kept = tracer.scenarios
    tracer.scenarios = [one for one in kept if "DA18" not in one.cite]
    try:
        found = tracer.trace("DA18", may_lack=False)
    finally:
        tracer.scenarios = kept
    assert not found.good and "NO SCENARIO" in str(found)


def test_a_clause_that_no_scenario_notices(tracer: trace_clauses.Tracer) -> None:
    """A scenario that cites a clause, but looks at something else."""
    kept = tracer.scenarios
    other = next(one for one in kept if "D2" in one.cite)
    tracer.scenarios = [type(other)(other.file, ("DA18",), other.about, other.given, other.cases)]
    try:
        found = tracer.trace("DA18", may_lack=False)
    finally:
        tracer.scenarios = kept
    assert not found.good and found.loaded > 0 and "NOT NOTICED" in str(found)


def test_the_unchanged_text_notices_nothing(tracer: trace_clauses.Tracer, file: mutations.Text) -> None:
    same = mutations.Mutant(1, "nothing", "", file.text)
    found = trace_clauses.Traced("D1", False)
    assert tracer.notices(file, same, tracer.scenarios[:20], found) == "" and found.loaded == 1


def test_mutants_change_one_place(file: mutations.Text) -> None:
    cited = next(one for one in file.cited() if "D8" in one.cite and (one.entry and one.entry.key.value) == "rest")
    found = list(file.mutants(cited))
    assert {"number ± 1", "swap neighbours", "drop word", "negate condition", "swap name", "drop entry"} <= {
        one.operator for one in found
    }
    for mutant in found:
        assert mutant.text != file.text
        changed = [
            i for i, (a, b) in enumerate(zip(file.text.splitlines(), mutant.text.splitlines(), strict=False)) if a != b
        ]
        assert mutant.operator in ("drop entry", "swap neighbours") or changed == [mutant.line - 1], mutant.change


@pytest.mark.parametrize(
    ("text", "operator", "new"),
    [
        ("out == 3", "number ± 1", "out == 4"),
        ("out == 3", "flip comparison", "out != 3"),
        ("settle when decided", "negate condition", "settle when not (decided)"),
        ("settle when decided", "drop condition", "settle"),
        ("settle when decided", "swap name", "clear when decided"),
        ("5 2 A", "swap neighbours", "2 5 A"),
        ("5 2 A", "drop word", "5 2"),
        ("true by 5 2 A", "swap neighbours", "true by 2 5 A"),
        ("4..7", "number ± 1", "4..8"),
        ("card == H5", "swap name", "card == S5"),
        ("a and b", "another joint", "a or b"),
        ("seen by viewer == seat", "negate condition", "seen by all"),
        ("trick.winner", "swap name", "trick.led"),
    ],
)
def test_operators(text: str, operator: str, new: str) -> None:
    pools = {"settle": ("clear",), "H5": ("S5",)}
    assert (operator, new) in list(mutations.variants(text, pools))


@pytest.mark.parametrize(
    ("word", "others"),
    [
        ("last", {"first"}),
        ("first", {"last", "unique", "collect"}),
        ("largest_kind", {"every_part", "highest_card"}),
        ("thrown", {"beaten"}),
        ("until_out", {"once", "until_quiet"}),
        ("step", {"card"}),
        ("counter_clockwise", {"clockwise"}),
        ("collect", {"unique", "first"}),
    ],
)
def test_a_choice_of_the_language_is_swapped_for_the_others(word: str, others: set[str], file: mutations.Text) -> None:
    assert others <= set(mutations.name_pools(file.ruleset)[word])
    assert {new for operator, new in mutations.variants(word, file.pools) if operator == "swap name"} >= others


def test_a_mutant_that_permits_less_does_not_load(tracer: trace_clauses.Tracer, file: mutations.Text) -> None:
    """A scenario sets an option to a value that the mutant does not permit any more."""
    scenario = next(one for one in tracer.scenarios if one.given.options)
    name = next(iter(scenario.given.options))
    option = file.ruleset.options[name]
    assert option.span.line
    given = type(scenario.given)(**{**fields_of(scenario.given), "options": {name: "no such value"}})
    changed = type(scenario)(**{**fields_of(scenario), "given": given})
    same = mutations.Mutant(1, "nothing", "", file.text)
    assert tracer.notices(file, same, [changed], trace_clauses.Traced("D1", False)) == ""


def fields_of(value: Any) -> dict[str, Any]:
    return {one.name: getattr(value, one.name) for one in fields(value)}


def test_a_dropped_entry_still_reads(file: mutations.Text) -> None:
    cited = next(one for one in file.cited() if one.entry is not None and one.entry.key.value == "beat")
    dropped = next(one for one in file.mutants(cited) if one.operator == "drop entry")
    assert "beats(picked, trick)" not in dropped.text
    text = dropped.text.replace("        require:\n      decline:", "      decline:")
    load("dalian", library=Library(bundled_folder(), texts={"dalian.yaml": text.encode()}))


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert trace_clauses.main(["dalian", "D2", "DA5"]) == 0
    said = capsys.readouterr().out
    assert "D2 " in said and "states no rule" in said and "dalian: 0 not traced" in said
    assert trace_clauses.main(["dalian", "X1"]) == 2


# ---------------------------------------------------------------- the table alone


def test_the_table_of_every_ruleset_is_whole(capsys: pytest.CaptureFixture[str]) -> None:
    """Each clause with its lines and scenarios, in seconds: nothing is changed and no scenario is run."""
    assert trace_clauses.main(["--table"]) == 0
    said = capsys.readouterr().out
    row = next(line for line in said.splitlines() if line.startswith("D11 "))
    assert "D11_higher_in_turn" in row and "NO SCENARIO" not in said and "NOT CITED" not in said
    text = (ROOT / "rulesets" / "dalian.yaml").read_text(encoding="utf-8").splitlines()
    for line in map(int, re.findall(r"\d+", row.partition("|")[0].removeprefix("D11"))):
        deeper = text[line:]  # what belongs to the entry: its own line and those further in
        inside = takewhile(lambda one: indent(one) > indent(text[line - 1]), deeper)
        assert any("D11" in one for one in (text[line - 1], *inside)), line


def indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def test_a_row_without_a_line_or_a_scenario_is_no_good() -> None:
    lacking = trace_clauses.Traced("D99", False, ["3"], [])
    assert not lacking.in_table and "NO SCENARIO" in lacking.row
    assert not trace_clauses.Traced("D99", False, [], ["D99_x"]).in_table
    assert trace_clauses.Traced("D99", True).in_table and "states no rule" in trace_clauses.Traced("D99", True).row


def test_a_ruleset_that_changes_another_answers_for_its_own_file_only(capsys: pytest.CaptureFixture[str]) -> None:
    tracer = trace_clauses.Tracer("zhejiang_partners")
    assert list(tracer.files) == ["zhejiang_partners.yaml"] and tracer.extends
    assert trace_clauses.main(["zhejiang_partners", "--table"]) == 0
    rows = capsys.readouterr().out.splitlines()[:-1]
    assert {row.split()[0] for row in rows} == tracer.cited()
    assert not trace_clauses.Tracer("anhui").extends  # its base is no game

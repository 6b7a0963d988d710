"""The scenario runner: what it reads, what it refuses, and that it notices a rule that is not kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from hongwu_rules.diagnostics import Findings
from hongwu_rules.scenarios import Result, Runner, ScenarioError, find_scenarios, read_scenario, run

ROOT = Path(__file__).parents[1]
HEAD = "cite: X1 X2\nabout: {zh: 试, en: a try}\n"
GIVEN = """given:
  ruleset: hearts
  phase: follow
  seat: 1
  memory: {leader: 0, score: {2: 7}}
  trick: [{seat: 0, cards: S9}]
  zones: {hand: {0: HA, 1: S3 D4, 2: D5 D6, 3: SK C3}}
"""


def outcome(tmp_path: Path, cases: str, *, given: str = GIVEN) -> list[Result]:
    """The results of some cases, with the hearts game of tests/ok beside the file."""
    (tmp_path / "hearts.yaml").write_text(
        (ROOT / "tests" / "ok" / "hearts.yaml").read_text(encoding="utf-8"), encoding="utf-8"
    )
    path = tmp_path / "scenario" / "one.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(
        HEAD + given.replace("ruleset: hearts", "ruleset: ../hearts.yaml") + "cases:\n" + cases, encoding="utf-8"
    )
    return run([path])


def only(tmp_path: Path, case: str) -> Result:
    (result,) = outcome(tmp_path, f"  - {case}\n")
    return result


@pytest.mark.parametrize(
    "folder", sorted(path for path in (ROOT / "tests" / "rules").iterdir() if path.is_dir()), ids=lambda path: path.name
)
def test_the_scenarios_of_the_project(folder: Path) -> None:
    results = run([folder])
    assert results and [result.text.en for result in results if not result.ok] == []


@pytest.mark.parametrize(
    "case",
    [
        "{try: play S3, legal: true}",
        "{try: play D4, illegal: follow_suit}",
        "{try: play D4, illegal: [follow_suit]}",
        "{try: play D4, illegal: true}",
        "{try: play SA, illegal: not_held}",
        "{do: [], then: {phase: follow, seat: 1, over: false, count: 1, moves: [play], returns: null}}",
        "{do: [play S3, timeout], then: {seat: 3, events: [play 1 S3, timeout 2, play 2 D5]}}",
        "{do: [play S3, play D5, play SK], then: {phase: lead, seat: 3, zones: {won: {3: S9 SK D5 S3}, hand: {1: D4}}}}",
        "{do: [play S3, play D5, play SK], then: {memory: {leader: 3, broken: false, score: {2: 7, 0: 0}}}}",
        "{do: [], then: {sees: {1: {seat: 1, memory: {leader: 0}, zones: {hand: {1: {count: 2, cards: D4 S3}, 0: {count: 1}}}}}}}",
        "{do: [], then: {sees: {onlooker: {zones: {hand: {1: {count: 2}}}}}}}",
    ],
)
def test_cases_that_hold(tmp_path: Path, case: str) -> None:
    result = only(tmp_path, case)
    assert result.ok, result.text.en
    assert result.cite == ("X1", "X2")


@pytest.mark.parametrize(
    ("case", "expected", "came"),
    [
        ("{try: play D4, legal: true}", "legal", "illegal by follow_suit"),
        ("{try: play S3, illegal: follow_suit}", "illegal by follow_suit", "legal"),
        ("{try: play D4, illegal: two_of_clubs}", "illegal by two_of_clubs", "illegal by follow_suit"),
        (
            "{do: [play D4], then: {seat: 2}}",
            "step 1, play D4, to be legal",
            "illegal by follow_suit (in follow, seat 1)",
        ),
        ("{do: [play S3], then: {seat: 3, phase: lead}}", "seat 3; phase lead", "seat 2; phase follow"),
        ("{do: [play S3], then: {count: 1}}", "count 1", "count 2"),
        ("{do: [play S3], then: {moves: [play, decline]}}", "moves [decline, play]", "moves [play]"),
        ("{do: [play S3], then: {memory: {score: {2: 8}}}}", "score[2] = 8", "score[2] = 7"),
        ("{do: [play S3], then: {memory: {trump: S}}}", "memory.trump", "there is no such memory"),
        ("{do: [play S3], then: {zones: {hand: {1: S3}}}}", "hand[1]: S3", "hand[1]: D4"),
        ("{do: [play S3], then: {zones: {kitty: S3}}}", "zones.kitty", "there is no such zone"),
        (
            "{do: [play S3], then: {sees: {1: {zones: {hand: {2: {count: 2, cards: D5 D6}}}}}}}",
            "view(1).zones.hand.2 to show cards, count",
            "count",
        ),
        ("{do: [play S3], then: {sees: {1: {over: true}}}}", "view(1).over true", "view(1).over false"),
        ("{do: [], then: {sees: {1: {memory: {leader: unseen}}}}}", "view(1).memory.leader to be unseen", "0"),
        ("{do: [], then: {sees: {1: {memory: {leeder: unseen}}}}}", "view(1).memory.leeder", "there is no such memory"),
        ("{do: [leave 2], then: {over: true}}", "what then says", "this game has no rule for a player who leaves"),
    ],
)
def test_cases_that_fail_say_what_came(tmp_path: Path, case: str, expected: str, came: str) -> None:
    result = only(tmp_path, case)
    assert not result.ok
    assert (result.expected.en, result.came.en) == (expected, came)
    assert result.line == 11  # the case, counted in the file
    assert result.text.en.startswith(f"{result.path}:11 (")
    assert result.text.zh.startswith(f"{result.path}:11（") and "应当" in result.text.zh


def test_events_must_come_in_their_order(tmp_path: Path) -> None:
    good = only(tmp_path, "{do: [play S3, play D5], then: {events: [play 1 S3, play 2 D5]}}")
    assert good.ok
    bad = only(tmp_path, "{do: [play S3, play D5], then: {events: [play 2 D5, play 1 S3]}}")
    assert bad.expected.en == "the event play 1 S3 (after play 2 D5)"


def test_a_whole_match_starts_from_a_seed_or_from_dealt_cards(tmp_path: Path) -> None:
    given = "given: {ruleset: hearts, seed: 3, options: {match_deals: 1}}\n"
    (result,) = outcome(
        tmp_path,
        "  - {do: [], then: {phase: lead, over: false, events: [phase deal, shuffle, deal, phase lead]}}\n",
        given=given,
    )
    assert result.ok, result.text.en


def test_a_position_that_does_not_fit(tmp_path: Path) -> None:
    (result,) = outcome(
        tmp_path, "  - {try: play S3, legal: true}\n", given=GIVEN.replace("phase: follow", "phase: folow")
    )
    assert not result.ok and result.line == 4 and "given cannot be used" in result.came.en


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        (HEAD + GIVEN + "case: []\n", "HW101", 10),
        (HEAD + GIVEN, "HW102", 1),
        (HEAD + "given: {}\ncases: []\n", "HW102", 4),
        ("given: {}\ncases: [{try: play S3, legal: true}]\n", "HW102", 1),
        (HEAD + "given: {phaze: lead}\ncases: [{try: play S3, legal: true}]\n", "HW101", 3),
        (HEAD + "given: {zones: {hand: {0: S3 X9}}}\ncases: [{try: play S3, legal: true}]\n", "HW201", 3),
        (HEAD + "given: {zones: {hand: {a: S3}}}\ncases: [{try: play S3, legal: true}]\n", "HW103", 3),
        (HEAD + "given: {trick: [{seat: 0, card: S3}]}\ncases: [{try: play S3, legal: true}]\n", "HW101", 3),
        (HEAD + "given: {seed: many}\ncases: [{try: play S3, legal: true}]\n", "HW103", 3),
        (HEAD + "given: {}\ncases: [{try: play X9 S3, legal: true}]\n", "HW103", 4),
        (HEAD + "given: {}\ncases: [{try: play S3}]\n", "HW102", 4),
        (HEAD + "given: {}\ncases: [{try: play S3, do: [], legal: true}]\n", "HW102", 4),
        (HEAD + "given: {}\ncases: [{do: [play S3]}]\n", "HW102", 4),
        (HEAD + "given: {}\ncases: [{do: [play S3], then: {seats: 3}}]\n", "HW101", 4),
        (HEAD + "given: {}\ncases: [{do: [play S3], then: {memory: 3}}]\n", "HW103", 4),
        (HEAD + "given: {}\ncases:\n\t- {try: play S3, legal: true}\n", "HW001", 5),
        (HEAD + "given: {}\ngiven: {}\ncases: [{try: play S3, legal: true}]\n", "HW002", 4),
    ],
)
def test_faults_in_a_scenario_have_a_place(tmp_path: Path, text: str, code: str, line: int) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ScenarioError) as caught:
        run([path])
    assert (code, line) in [(found.code, found.span.line) for found in caught.value.diagnostics]
    assert all(found.span.file == str(path) for found in caught.value.diagnostics)


def test_nothing_found_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError) as caught:
        run([tmp_path])
    assert caught.value.diagnostics[0].code == "HW-io"
    with pytest.raises(ScenarioError):
        run([tmp_path / "missing.yaml"])


def test_a_ruleset_that_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError) as caught:
        outcome(tmp_path, "  - {try: play S3, legal: true}\n", given="given: {ruleset: no_such_game}\n")
    assert caught.value.diagnostics[0].span.line == 3
    with pytest.raises(ScenarioError):
        outcome(tmp_path, "  - {try: play S3, legal: true}\n", given=GIVEN + "  options: {no_such_option: 1}\n")


def test_another_copy_of_the_ruleset_can_be_tried(tmp_path: Path) -> None:
    text = (ROOT / "tests" / "ok" / "hearts.yaml").read_text(encoding="utf-8")
    path = tmp_path / "lax.yaml"
    path.write_text(text.replace("require:\n          follow_suit:", "require:\n          is_free:"), encoding="utf-8")
    results = run([ROOT / "tests" / "rules" / "hearts"], path)
    assert any("illegal by is_free" in result.came.en for result in results)


def test_a_ruleset_is_loaded_once_for_each_setting() -> None:
    runner = Runner()
    scenarios = find_scenarios([ROOT / "tests" / "rules" / "dalian"], Findings())
    plain = [scenario for scenario in scenarios if not scenario.given.options]
    for scenario in plain[:3]:
        runner.run(scenario)
    assert len(runner.loaded) == 1


def test_reading_keeps_the_words() -> None:
    findings = Findings()
    text = HEAD + GIVEN + "cases:\n  - {do: [play S3, timeout, leave 2], then: {seat: 1}}\n"
    scenario = read_scenario("x.yaml", text.encode(), findings, ruleset="folder")
    assert scenario is not None and not findings
    assert scenario.given.ruleset == "hearts" and scenario.cite == ("X1", "X2") and scenario.about.zh == "试"
    assert [str(step) for step in scenario.cases[0].done] == ["play S3", "timeout", "leave 2"]
    assert scenario.cases[0].name == "do play S3, timeout, leave 2"

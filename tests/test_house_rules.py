"""The bundled house rules: short, clean, listed, described, each with an effect that a scenario shows; and in pairs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

import hongwu_rules as hw
from hongwu_rules.cli import main
from hongwu_rules.compile.build import compile_ruleset
from hongwu_rules.diagnostics import Diagnostic, Findings
from hongwu_rules.diagnostics.codes import severity
from hongwu_rules.loading import Report, check
from hongwu_rules.overlay.layers import Loaded, load_tree
from hongwu_rules.overlay.library import bundled_folder
from hongwu_rules.overlay.patches import Path as Keys
from hongwu_rules.overlay.patches import find_entry, walk_leaves
from hongwu_rules.scenarios import Runner, Scenario, find_scenarios
from hongwu_rules.source.nodes import Mapping, Node, plain
from random_play import match

ROOT = Path(__file__).parents[1]
HOUSE = ROOT / "rulesets" / "house"
NAMES = sorted(path.stem for path in HOUSE.glob("*.yaml"))
PARENTS = {
    name: re.findall(r"^extends: (\w+)$", (HOUSE / f"{name}.yaml").read_text(encoding="utf-8"), re.M)[0]
    for name in NAMES
}
PAIRS = [pair for pair in combinations(NAMES, 2) if PARENTS[pair[0]] == PARENTS[pair[1]]]
# What cannot be had together: what the dealer may call is said in one way by the one, in another by the other.
AT_ODDS = {("anhui_call_aces", "anhui_call_no_points"): "phases.call.moves.call.require.two_to_ten.that"}
MOST_LINES = 12


def file(name: str) -> str:
    return f"house/{name}.yaml"


@cache
def report(parent: str, *overlays: str) -> Report:
    return check(parent, overlays=[file(name) for name in overlays])


# ------------------------------------------------------------------ each alone


def test_there_are_twelve_and_for_several_games() -> None:
    assert len(NAMES) >= 12
    assert len(set(PARENTS.values())) >= 6


@pytest.mark.parametrize("name", NAMES)
def test_it_is_short(name: str) -> None:
    lines = [line for line in (HOUSE / f"{name}.yaml").read_text(encoding="utf-8").splitlines() if line.strip()]
    assert len(lines) <= MOST_LINES
    assert re.search(r"# (家规 \d+|另一种四十张（EA1）)", lines[1]), "say which house rule it is, beside the name"


@pytest.mark.parametrize("name", NAMES)
def test_it_is_clean_and_plays(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["check", file(name), "--play", "6", "--deals", "1", "--format", "json"])
    answer = json.loads(capsys.readouterr().out)
    assert (status, answer["diagnostics"]) == (0, [])


@pytest.mark.parametrize("name", NAMES)
def test_it_is_listed(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", PARENTS[name], "--format", "json"]) == 0
    (found,) = [one for one in json.loads(capsys.readouterr().out)["house_rules"] if one["name"] == name]
    assert re.search(r"[\u4e00-\u9fff]", found["zh"]) and re.search("[a-z]", found["en"])


def test_the_reference_describes_each() -> None:
    page = (ROOT / "rulesets" / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \| [^|]+ · [^|]+ \|$", page, re.M)
    assert [name for name, _, _ in rows] == NAMES
    assert all(re.search(r"[\u4e00-\u9fff]", zh) and not re.search(r"[\u4e00-\u9fff]", en) for _, zh, en in rows)


# ------------------------------------------------------------------ what they touch


@cache
def tree(name: str) -> Loaded:
    """A ruleset with all that it extends, as one tree."""
    loaded = load_tree(name, findings=Findings(), bundled=bundled_folder())
    assert loaded is not None
    return loaded


def parts(name: str) -> set[str]:
    """The parts of the language that a house rule touches."""
    below, own = tree(PARENTS[name]).root, tree(file(name))
    old, new = walk_leaves(below), walk_leaves(own.root)
    changed = [keys for keys, node in new.items() if keys not in old or plain(old[keys]) != plain(node)]
    found = {part for keys in changed for part, fits in PARTS.items() if fits(keys, _has(below, keys))}
    gone = [item.path for item in own.removed if item.span.file == file(name)]
    return found | {"a clause removed" for keys in gone if "require" in keys[-2:-1]}


def _has(tree: Node, keys: Keys) -> int:
    """How many of the keys of a path the parent has."""
    for number, key in enumerate(keys):
        entry = find_entry(tree, key) if isinstance(tree, Mapping) else None
        if entry is None:
            return number
        tree = entry.value
    return len(keys)


def _clause(keys: Keys) -> Keys:
    return keys[: keys.index("require") + 2] if "require" in keys else ()


PARTS: dict[str, Callable[[Keys, int], bool]] = {
    "an option": lambda keys, had: keys[0] == "options",
    "a clause added": lambda keys, had: bool(_clause(keys)) and had < len(_clause(keys)),
    "a clause changed": lambda keys, had: bool(_clause(keys)) and had >= len(_clause(keys)),
    "an order line": lambda keys, had: keys[0] == "order" and had < 3,
    "a shape": lambda keys, had: keys[0] == "shapes",
    "a table row": lambda keys, had: keys[0] == "tables" and "rows" in keys,
    "a phase": lambda keys, had: keys[0] == "phases" and had < 2,
    "the deck": lambda keys, had: keys[0] == "deck",
    "what is seen": lambda keys, had: keys[0] == "zones",
    "the scoring": lambda keys, had: keys[0] == "tables" or (keys[-1] == "do" and "settle" in keys),
    "the end of a match": lambda keys, had: keys[:2] == ("leave", "next"),
}


def test_between_them_they_touch_every_part_of_the_language() -> None:
    touched = {part: [name for name in NAMES if part in parts(name)] for part in [*PARTS, "a clause removed"]}
    assert all(touched.values()), touched


# ------------------------------------------------------------------ what they do


@cache
def scenarios() -> tuple[Scenario, ...]:
    """The scenarios that lay a house rule over their game."""
    files = [
        path for path in (ROOT / "tests" / "rules").rglob("*.yaml") if "  with: " in path.read_text(encoding="utf-8")
    ]
    return tuple(find_scenarios(sorted(files), Findings()))


def of(name: str) -> list[Scenario]:
    return [one for one in scenarios() if any(Path(overlay).stem == name for overlay in one.given.overlays)]


def unfit(came: str) -> bool:
    """Whether a position could not even be set up, which shows nothing; that a card is in no deck shows a deck."""
    return "cannot be used" in came and "the deck has not so many" not in came


@pytest.mark.parametrize("name", NAMES)
def test_a_scenario_shows_what_it_does(name: str) -> None:
    runner, differs = Runner(), []
    for scenario in of(name):
        assert [result.text.en for result in runner.run(scenario) if not result.ok] == []
        others = tuple(overlay for overlay in scenario.given.overlays if Path(overlay).stem != name)
        without = runner.run(replace(scenario, given=replace(scenario.given, overlays=others, ruleset=PARENTS[name])))
        differs += [result for result in without if not result.ok and not unfit(result.came.en)]
    assert differs, "no scenario comes out otherwise without this house rule"


# ------------------------------------------------------------------ in pairs


def places(found: Iterable[Diagnostic]) -> set[tuple[str, str, str]]:
    return {(one.code, one.span.file, one.related[0].span.file if one.related else "") for one in found}


@pytest.mark.parametrize("pair", PAIRS, ids="+".join)
def test_two_go_together_or_are_refused_with_both_places(pair: tuple[str, str]) -> None:
    one, two = pair
    found = report(PARENTS[one], one, two)
    if pair not in AT_ODDS:
        assert [item.message.en for item in found.diagnostics if severity(item.code) != "info"] == []
        assert found.ruleset is not None and found.sources is not None
        rules = hw.Rules(compile_ruleset(found.ruleset, found.settings), found.sources)
        for state in match(rules, Random(7), deals=1):
            assert state.over or state.seat is not None
        return
    assert places(found.errors) == {("HW705", file(two), file(one))}
    assert places(report(PARENTS[one], two, one).errors) == {("HW705", file(one), file(two))}
    assert any(AT_ODDS[pair] in item.message.en for item in found.errors)


def test_a_house_rule_of_the_game_below_fits_the_game_above() -> None:
    for name in [name for name in NAMES if PARENTS[name] == "wangjiang"]:
        assert report("zhejiang_partners", name).errors == []


# ------------------------------------------------------------------ everywhere alike

GOOD = ("zhejiang_bands", "zhejiang_leave")
BAD = ("anhui_call_aces", "anhui_call_no_points")
WITH = {pair: [word for name in pair for word in ("--with", file(name))] for pair in (GOOD, BAD)}


@pytest.mark.parametrize(
    "command", [["check"], ["list"], ["simulate", "--deals", "2"], ["show"]], ids=lambda words: words[0]
)
def test_every_command_lays_two_on_top_or_refuses_them(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command, "zhejiang", *WITH[GOOD], "--lang", "en"]) == 0
    assert "HW705" not in capsys.readouterr().out
    assert main([*command, "anhui", *WITH[BAD], "--lang", "en"]) == 1
    said = "".join(capsys.readouterr())
    assert 'HW705] two house rules disagree about "phases.call.moves.call.require.two_to_ten.that"' in said
    assert f"--> {file(BAD[1])}:6:9" in said and f"::: {file(BAD[0])}:6:9" in said


def test_python_lays_two_on_top_or_refuses_them() -> None:
    rules = hw.load("zhejiang", overlays=[file(name) for name in GOOD])
    assert rules.name == "zhejiang"
    assert rules.start(seed=1).leave(2).returns == [0, 0, -30, 0]
    with pytest.raises(hw.RulesetError) as caught:
        hw.load("anhui", overlays=[file(name) for name in BAD])
    assert places(caught.value.diagnostics) == {("HW705", file(BAD[1]), file(BAD[0]))}
    assert (caught.value.diagnostics[0].span.line, caught.value.diagnostics[0].related[0].span.line) == (6, 6)

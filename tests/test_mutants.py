"""The tool that makes mutants: its operators, what it says of each mutant, and the explanations it reads."""

from __future__ import annotations

import json
import sys
from itertools import zip_longest
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tools"))

import behaviour  # noqa: E402
import mutants  # noqa: E402
import operators  # noqa: E402
import places  # noqa: E402
import survivors  # noqa: E402
from hongwu_rules.game import load, rulesets  # noqa: E402
from hongwu_rules.overlay.library import Library, bundled_folder  # noqa: E402
from mutations import Mutant, Text  # noqa: E402

DEALS = 6


@pytest.fixture(scope="module")
def game() -> mutants.Game:
    found = mutants.Game("dalian", deals=DEALS)
    found.record()
    return found


@pytest.fixture(scope="module")
def file(game: mutants.Game) -> places.File:
    return game.files["dalian.yaml"]


def made(file: places.File, operator: str, change: str) -> tuple[places.Place, Mutant]:
    """The mutant of this operator whose change begins so."""
    return next((place, m) for place, m in operators.mutants_of(file, operator) if m.change.startswith(change))


# -------------------------------------------------------------------- operators
@pytest.mark.parametrize("operator", operators.OPERATORS)
def test_an_operator_changes_one_place_and_leaves_yaml(file: places.File, operator: str) -> None:
    found = list(operators.mutants_of(file, operator))
    assert found, operator
    lines = file.text.text.splitlines()
    for _, mutant in found[:: max(1, len(found) // 40)]:
        assert mutant.operator == operator
        assert mutant.text != file.text.text
        yaml.compose(mutant.text)
        same = [a == b for a, b in zip_longest(lines, mutant.text.splitlines())]
        # Only lines from that of the mutant on change, or its neighbour's where two are swapped.
        assert same.index(False) + 1 >= mutant.line - 1, mutant.change


@pytest.mark.parametrize(
    ("operator", "change", "old", "new"),
    [
        ("misspell a name", "out → otu in out == 3", "is: out == 3 if", "is: otu == 3 if"),
        ("misspell a name", "phases: →", "\nphases:\n", "\nphaess:\n"),
        ("drop a required key", "seats.count", "seats: {count: 4, direction", "seats: {direction"),
        ("double a key", "packs", "  packs: 2\n", "  packs: 2\n  packs: 2\n"),
        ("give a value of another type", "packs: 2", "packs: 2", "packs: [7]"),
        ("drop the last transition of a phase", "deal: the last of 2", "      - bid\n\n", "\n"),
        ("± one step", "0..4 = 0 → 0..5 = 0", "0..4 = 0", "0..5 = 0"),
        ("flip a comparison", "card == H5 → card != H5", "is: card == H5", "is: card != H5"),
        ("negate a condition", "card == LJ", "is: card == LJ", "is: not (card == LJ)"),
        ("negate a condition", "seen by viewer == seat", "viewer == seat", "not (viewer == seat)"),
        ("drop an order line", "big_joker", "    big_joker:    {is: card == BJ, cite: D8 DA16}\n", ""),
        ("retarget a transition", "bid →", "", ""),
        ("drop an optional key", "shapes.straight.within", "within: A..10, ", ""),
    ],
)
def test_what_an_operator_writes(file: places.File, operator: str, change: str, old: str, new: str) -> None:
    _, mutant = made(file, operator, change)
    if old:
        assert mutant.text == file.text.text.replace(old, new, 1)


def test_neighbours_are_swapped_in_an_order(file: places.File) -> None:
    _, mutant = made(file, "swap neighbours", "big_joker little_joker")
    assert mutant.text.index("little_joker:") < mutant.text.index("big_joker:")
    assert load("dalian", library=Library(bundled_folder(), texts={"dalian.yaml": mutant.text.encode()}))


def test_a_lonely_entry_takes_its_section_along() -> None:
    file = mutants.Game("zhejiang_partners", deals=1).files["zhejiang_partners.yaml"]
    by_path = {place.path: place for place in file.places}
    text = file.cut(by_path["options", "gaps"])
    assert text is not None and "gaps" not in text and "pairs_double" in text
    alone = places.File(
        Text("a.yaml", "hongwu: 1\nname: a\ntitle: {zh: 甲, en: a}\nphases:\n  lead:\n    seat: 0\n", file.text.ruleset)
    )
    place = next(one for one in alone.places if one.key == "seat")
    assert alone.cut(place) == "hongwu: 1\nname: a\ntitle: {zh: 甲, en: a}\n"


def test_a_misspelt_name_is_no_other_name() -> None:
    assert operators.misspelt("dealer", []) == "deaelr"
    assert operators.misspelt("s", ["ss"]) == "sss"
    assert operators.misspelt("deal", ["dela"]) not in ("deal", "dela")


def test_what_is_only_patched_is_no_definition(game: mutants.Game) -> None:
    anhui = load("anhui")
    texts = [Text(name, data.decode("utf-8-sig"), anhui.ruleset) for name, data in anhui.sources.texts.items()]
    file = places.File(texts[0], texts[1:], texts[1:])
    dropped = {mutant.change for _, mutant in operators.mutants_of(file, "drop a definition that is used")}
    assert "advisor" in dropped and "gaps" not in dropped
    assert "bury" not in {mutant.change for _, mutant in operators.mutants_of(file, "drop a phase")}


# -------------------------------------------------------------------- behaviour
def test_the_same_rules_behave_the_same(game: mutants.Game) -> None:
    assert sum(len(match.steps) for match in game.matches) > DEALS
    assert behaviour.difference(load("dalian"), game.matches) == ""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("range: 1..1000, cite: A9", "range: 1..1000, cite: A10"),  # a citation is no behaviour
        ("range: 0..1000, cite: A8", "range: 0..1001, cite: A8"),
    ],
)
def test_what_is_no_rule_is_no_behaviour(game: mutants.Game, old: str, new: str) -> None:
    text = game.texts["dalian.yaml"].replace(old, new, 1)
    changed = load("dalian", library=Library(bundled_folder(), texts={"dalian.yaml": text.encode()}))
    assert behaviour.difference(changed, game.matches) == ""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("score[seat]: {is: int = 0", "score[seat]: {is: int = 1"),
        ("zh: 必须比前面叫得高", "zh: 要叫得高"),  # a verdict's wording
        ("gone: {is: seen by all", "gone: {is: seen by nobody"),
        ("stop: {is: contract == beyond", "stop: {is: contract == sky"),
        ("true by 5 2 A K", "true by 2 5 A K"),
    ],
)
def test_other_rules_behave_otherwise(game: mutants.Game, old: str, new: str) -> None:
    text = game.texts["dalian.yaml"].replace(old, new, 1)
    assert text != game.texts["dalian.yaml"]
    changed = load("dalian", library=Library(bundled_folder(), texts={"dalian.yaml": text.encode()}))
    assert behaviour.difference(changed, game.matches).startswith("match ")


# -------------------------------------------------------------------- a mutant's fate
@pytest.mark.parametrize(
    ("operator", "change", "by"),
    [
        ("drop a phase", "lead", "check"),
        ("drop a table row", "", "check"),
        ("negate a condition", "not in_play(dealer) and not caught", "scenarios"),
        ("± one step", "0..1000 → 0..1001", "same"),
    ],
)
def test_who_notices(game: mutants.Game, file: places.File, operator: str, change: str, by: str) -> None:
    place, mutant = made(file, operator, change)
    found = game.tried(file, place, mutant)
    assert found.by == by, found
    assert found.text == file.text.text.splitlines()[found.line - 1].strip()


def test_without_scenarios_nothing_notices(game: mutants.Game, file: places.File) -> None:
    place, mutant = made(file, "negate a condition", "not in_play(dealer) and not caught")
    kept, game.scenarios = game.scenarios, []
    try:
        assert game.tried(file, place, mutant).by == "nothing"
    finally:
        game.scenarios = kept


def test_what_goes_on_for_ever_is_late() -> None:
    def forever() -> None:
        while True:
            pass

    with pytest.raises(mutants.Late):
        mutants.within(0.05, forever)
    assert mutants.within(5, lambda: 7) == 7


def test_shared_files_are_mutated_through_one_game_at_each_place() -> None:
    games = mutants.extending("base/climbing.yaml")
    assert games and set(games) <= set(rulesets())
    assert "zhejiang_partners" not in mutants.extending("base/sheng_ji.yaml")  # it extends a game
    assert len(mutants.extending("base/sheng_ji.yaml")) > 1


# -------------------------------------------------------------------- the table
def found(ruleset: str, operator: str, by: str) -> mutants.Found:
    check, scenario = ["HW302"] if by == "check" else [], "x:1" if by == "scenarios" else ""
    changes = "" if by == "same" else "match 0, step 1"
    return mutants.Found("k", "s", ruleset, "a.yaml", 1, operator, "t", "c", check, scenario, changes, 0.1)


def test_bars() -> None:
    good = [found("a", "drop a phase", "check")] * 99 + [found("a", "± one step", "scenarios")] * 99
    assert mutants.table(good)[1] == []
    assert mutants.table([*good, *[found("b", "± one step", "same")] * 9])[1] == []
    missed = mutants.table([*good, *[found("b", "± one step", "nothing")] * 2])[1]
    assert missed == ["b: 0.0% noticed by check or scenarios, not 98%"]
    missed = mutants.table([*good, *[found("a", "drop a table row", "scenarios")] * 4])[1]
    assert missed == ["drop a table row: 0.0% noticed by check, not 80%"]
    assert "structural mutants" in mutants.table([*good, *[found("a", "drop a phase", "scenarios")] * 9])[1][0]


# -------------------------------------------------------------------- survivors
def test_every_explanation_is_up_to_date() -> None:
    explained = survivors.read()
    for name in {one.ruleset for one in explained}:
        assert survivors.stale(name, mutants.Game(name, deals=1).files, explained) == []


def test_an_explanation_goes_out_of_date(game: mutants.Game, file: places.File) -> None:
    _, mutant = made(file, "± one step", "0..1000 → 0..1001")
    line = file.text.text.splitlines()[mutant.line - 1].strip()
    good = survivors.Survivor("dalian", "dalian.yaml", "± one step", line, mutant.change, "no table plays so long")
    assert survivors.stale("dalian", game.files, [good]) == []
    assert survivors.stale("anhui", game.files, [good]) == []
    for name, value, said in [
        ("text", "match_deals: 12", "has no line"),
        ("change", "0..1000 → 0..7", "does not make"),
        ("operator", "± two steps", "there is no"),
        ("file", "other.yaml", "there is no"),
    ]:
        bad = survivors.Survivor(**{**{k: getattr(good, k) for k in survivors.Survivor.__slots__}, name: value})
        assert said in survivors.stale("dalian", game.files, [bad])[0]
    result = mutants.Found(
        "k", "s", "dalian", "dalian.yaml", mutant.line, "± one step", line, mutant.change, [], "", "x", 0
    )
    assert survivors.explains([good], result)
    assert not survivors.explains([], result)


def test_an_explanation_needs_all_its_parts(tmp_path: Path) -> None:
    path = tmp_path / "survivors.yaml"
    path.write_text("- {ruleset: dalian, file: dalian.yaml}\n")
    with pytest.raises(ValueError, match="an entry needs"):
        survivors.read(path)


# -------------------------------------------------------------------- the command
def test_the_command_goes_on_where_it_was_broken_off(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results = tmp_path / "results.jsonl"
    words = ["--ruleset", "doudizhu", "--operator", "drop a clause", "--deals", "4", "--jobs", "1"]
    words += ["--nice", "0", "--results", str(results), "--each", "2"]
    mutants.main(words)
    first = results.read_text().splitlines()
    assert len(first) == 2 and {json.loads(line)["operator"] for line in first} == {"drop a clause"}
    results.write_text(first[0] + "\n" + first[1][:40])  # cut off while it was written
    capsys.readouterr()
    mutants.main(words)
    assert len(results.read_text().splitlines()) == 3
    said = capsys.readouterr().out
    assert "drop a clause" in said and "doudizhu" in said
    mutants.main([*words, "--only-table"])
    assert capsys.readouterr().out == said
    assert mutants.main(["--ruleset", "none"]) == 2
    assert mutants.main(["--operator", "none"]) == 2

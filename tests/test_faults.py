"""The faults that people make, each put into a copy of a real game: the right line and column, in words for players.

Each fault replaces an exact text of the ruleset; where the finding must stand is marked by ``▸`` in the new text, so a
line added above changes nothing here, and a text that is gone fails the test.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from hongwu_rules.cli import main
from hongwu_rules.diagnostics import render
from hongwu_rules.loading import check

GAME = Path(__file__).parent.parent / "rulesets" / "dalian.yaml"
MARK = "▸"


@dataclass(frozen=True, slots=True)
class Fault:
    """Texts to replace, the codes that must stand at the marks, and what each language must say."""

    codes: str
    changes: tuple[tuple[str, str], ...]
    zh: tuple[str, ...]
    en: tuple[str, ...]


def fault(codes: str, *changes: tuple[str, str], zh: str, en: str) -> Fault:
    return Fault(codes, changes, tuple(zh.split("|")), tuple(en.split("|")))


FAULTS = {
    "a misspelt phase in next": fault(
        "HW302",
        ("next: {is: lead, cite: D10 M36}", "next: {is: ▸laed, cite: D10 M36}"),
        zh="laed|是不是“lead”",
        en='unknown phase "laed"|did you mean "lead"',
    ),
    "a misspelt phase in a list of ways": fault(
        "HW302",
        ("- {is: settle when decided, cite: D17", "- {is: ▸settel when decided, cite: D17"),
        zh="settel|是不是“settle”",
        en='unknown phase "settel"|did you mean "settle"',
    ),
    "a phase that nobody reaches": fault(
        "HW301",
        ("  over: {final: true,", "  ▸pause: {zh: 歇一歇, en: a pause, next: deal}\n\n  over: {final: true,"),
        zh="永远走不到|没有一个阶段的 next 通到这里",
        en='nothing leads to the phase "pause"|no phase has it in its next',
    ),
    "the only way to a phase is gone": fault(
        "HW301",
        ("      - {is: settle_eights when eights_win and any(eight(s) for s in seats), cite: D4 D26 M36}\n", ""),
        ("  settle_eights:  ", "  ▸settle_eights:  "),
        zh="“settle_eights”永远走不到",
        en='nothing leads to the phase "settle_eights"',
    ),
    "the last way out is gone: only a condition is left": fault(
        "HW309",
        ("      - {is: deal, cite: M36}\n", ""),
        ("- {is: over when deals == match_deals,", "- {is: ▸over when deals == match_deals,"),
        zh="去路都带条件|deals = |不带 when",
        en="every way out|deals = |without `when`",
    ),
    "the last way out is gone: other phases hang on it": fault(
        "HW309 HW301",
        ("eight(s) for s in seats), cite: D4 D26 M36}\n      - bid\n", "eight(s) for s in seats), cite: D4 D26 M36}\n"),
        ("- {is: settle_eights when", "- {is: ▸settle_eights when"),
        ("\n  bid:\n    zh: 叫牌", "\n  ▸bid:\n    zh: 叫牌"),
        zh="去路都带条件|“bid”永远走不到",
        en="every way out",
    ),
    "the last way out is gone: there was no other": fault(
        "HW303",
        (
            '      away: {do: "move(trick, gone)", cite: D12}\n    next: {is: lead, cite: D12}\n',
            '      away: {do: "move(trick, gone)", cite: D12}\n',
        ),
        ("  clear:  ", "  ▸clear:  "),
        zh="阶段“clear”没有出路|写 next",
        en='the phase "clear" has no way out|write next',
    ),
    "a table without its third row": fault(
        "HW501",
        ("      third:  {place: 3, pay: -1, cite: D27 DA11}\n", ""),
        ("last:   {place: 4,", "last:   {place: ▸4,"),
        zh="缺了行|place = 3",
        en="has no row|place = 3",
    ),
    "two rows for one place that disagree": fault(
        "HW505",
        ("      last:   {place: 4,", "      again:  {place: ▸3, pay: 0}\n      last:   {place: 4,"),
        zh="“third”和“again”|结果不同|place = 3",
        en='"third" and "again"|different results|place = 3',
    ),
    "two rows for one place that agree": fault(
        "HW504",
        ("      last:   {place: 4,", "      again:  {place: ▸3, pay: -1}\n      last:   {place: 4,"),
        zh="“third”和“again”|一模一样",
        en='"third" and "again"|are alike',
    ),
    "a row that covers another": fault(
        "HW502",
        ("third:  {place: 3, pay: -1,", "third:  {place: 3..4, pay: -1,"),
        ("last:   {place: 4,", "last:   {place: ▸4,"),
        zh="“third”和“last”|place = 4",
        en='"third" and "last"|place = 4',
    ),
    "sixteen cards each": fault(
        "HW601",
        ("do: deal(stock, hand, 15)", "do: ▸deal(stock, hand, 16)"),
        zh="牌不够发：要64张，只有60张|4 x 16 = 64 > 60",
        en="64 wanted, 60 in the deck|4 x 16 = 64 > 60",
    ),
    "fourteen cards each": fault(
        "HW601",
        ("do: deal(stock, hand, 15)", "do: ▸deal(stock, hand, 14)"),
        zh="56张|60张|剩下4张",
        en="56 dealt, 60 in the deck",
    ),
    "a misspelt name in a condition": fault(
        "HW401",
        ("in_play(seat): not empty(hand[seat])", "in_play(seat): not empty(▸hnad[seat])"),
        zh="不认识“hnad”|是不是“hand”",
        en='unknown name "hnad"|did you mean "hand"',
    ),
    "a misspelt word of the game in a condition": fault(
        "HW401",
        ("is: hands_decide and beatable", "is: hands_decide and ▸beateble"),
        zh="不认识“beateble”|是不是“beatable”",
        en='unknown name "beateble"|did you mean "beatable"',
    ),
    "a misspelt field": fault(
        "HW401",
        ("is: contract >= sky and trick.winner != dealer", "is: contract >= sky and trick.▸winer != dealer"),
        zh="winer|是不是“winner”",
        en='winer|did you mean "winner"',
    ),
    "a bid compared with a number": fault(
        "HW402",
        ("that: chosen > contract", "that: ▸chosen > 2"),
        zh="“contract”的词和数不能相比|free、solo、sky、beyond",
        en='a word of "contract" and a number cannot be compared|free, solo, sky, beyond',
    ),
    "a seat compared with a place": fault(
        "HW402",
        ("is: over when deals == match_deals", "is: over when ▸deals == leader"),
        zh="数和座位不能相比",
        en="a number and a seat cannot be compared",
    ),
    "a number where a condition belongs": fault(
        "HW402",
        ("stop: {is: contract == beyond, cite: DA18}", "stop: {is: ▸out, cite: DA18}"),
        zh="要条件（是或否），写的却是数|> 0",
        en="a condition (yes or no) is expected here, not a number|> 0",
    ),
    "a condition always false": fault(
        "HW403",
        ("stop: {is: contract == beyond, cite: DA18}", "stop: {is: ▸contract < free, cite: DA18}"),
        zh="“contract < free”永远不成立",
        en='"contract < free" is always false',
    ),
    "a way never taken": fault(
        "HW403 HW301",
        ("- {is: over when deals == match_deals, cite: A8}", "- {is: over when ▸deals < 0, cite: A8}"),
        ("\n  over: {final: true,", "\n  ▸over: {final: true,"),
        zh="“deals < 0”永远不成立|deals >= 0",
        en='"deals < 0" is always false|deals >= 0',
    ),
    "a condition at odds with itself": fault(
        "HW404",
        ("is: settle when last_word and out > 0", "is: settle when last_word and ▸out > 3 and out < 2"),
        zh="不可能同时成立",
        en="cannot both hold",
    ),
    "a key twice": fault(
        "HW002",
        ("first: {is: leader, cite: D9}", "first: {is: leader, cite: D9}\n    ▸first: {is: leader, cite: D9}"),
        zh="first",
        en="`first` is given twice",
    ),
    "a tab": fault(
        "HW001",
        ("\n    zh: 叫牌\n    en: bidding", "\n▸\tzh: 叫牌\n    en: bidding"),
        zh="制表符（Tab",
        en="tab",
    ),
    "a tab after the colon": fault(
        "HW001",
        ("packs: 2\n", "packs:▸\t2\n"),
        zh="制表符（Tab",
        en="tab",
    ),
    "a full-width colon": fault(
        "HW004",
        ("\n    zh: 叫牌\n    en: bidding", "\n    zh▸：叫牌\n    en: bidding"),
        zh="全角冒号",
        en="full-width colon",
    ),
    "a full-width colon over a section": fault(
        "HW004",
        ("\ntables:\n", "\ntables▸：\n"),
        zh="全角冒号",
        en="full-width colon",
    ),
    "a full-width comma in a condition": fault(
        "HW004",
        ("that: beats(picked, trick)", "that: beats(picked▸，trick)"),
        zh="全角逗号",
        en="full-width comma",
    ),
    "a card that is not in the deck": fault(
        "HW201",
        ("red_five:     {is: card == H5,", "red_five:     {is: card == ▸H6,"),
        zh="这副牌里没有 H6",
        en="H6 is not in this deck",
    ),
    "a card that does not exist": fault(
        "HW201",
        ("leader = the(s for s in seats if H9 in", "leader = the(s for s in seats if ▸H19 in"),
        zh="没有“H19”这张牌",
        en='no card "H19"',
    ),
    "a card left out of the order": fault(
        "HW202",
        ("rest:         {is: true by 5 2 A K Q J 10,", "▸rest:         {is: true by 5 2 A K J 10,"),
        zh="SQ HQ DQ CQ|在一行里写上 Q",
        en="SQ HQ DQ CQ|put Q on a line",
    ),
    "the joker left out of the order": fault(
        "HW202",
        ("    little_joker: {is: card == LJ, cite: D8 DA16}\n", ""),
        ("rest:         {is: true by", "▸rest:         {is: true by"),
        zh="LJ|在一行里写上 LJ",
        en="LJ has no place|put LJ on a line",
    ),
    "the end of a run left out of the order": fault(
        "HW202",
        ("rest:         {is: true by 5 2 A K Q J 10,", "▸rest:         {is: true by 5 2 K Q J 10,"),
        zh="SA HA DA CA",
        en="SA HA DA CA",
    ),
    "a condition in braces": fault(
        "HW009",
        ("      - {is: clear when hands_decide, cite: D17 DA8}", "      - {if: ▸beats(a, b), to: clear}"),
        zh="花括号|单独写一行",
        en="{...}|line of its own",
    ),
    "a condition in braces, with the right key": fault(
        "HW009",
        (
            "{is: clear when hands_decide, cite: D17 DA8}",
            "{is: ▸clear when hands_decide and max(out, 1) == 1, cite: D17 DA8}",
        ),
        zh="花括号|单独写一行",
        en="{...}|line of its own",
    ),
    "a bracket first": fault(
        "HW009",
        ("that: chosen != beyond", "that: ▸[sky, beyond] == chosen"),
        zh="加上引号|引号",
        en="quote",
    ),
    "an operator first": fault(
        "HW001",
        ("that: chosen > contract", "that: ▸> contract"),
        zh="不能以“>”开头|拿什么来比",
        en="cannot begin with `>`|write what is compared before it",
    ),
}


def faulty(one: Fault, game: Path = GAME) -> tuple[str, list[tuple[int, int]]]:
    """The copy with the fault, and where its findings must stand."""
    text = game.read_text(encoding="utf-8")
    for old, new in one.changes:
        assert text.count(old) == 1, f"{text.count(old)} times in the ruleset: {old!r}"
        text = text.replace(old, new)
    lines, marks = [], []
    for number, line in enumerate(text.split("\n"), 1):
        while MARK in line:
            marks.append((number, line.index(MARK) + 1))
            line = line.replace(MARK, "", 1)
        lines.append(line)
    return "\n".join(lines), marks


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


def texts(path: str, overlays: tuple[str, ...] = ()) -> dict[str, str]:
    """The findings as people read them, in both languages."""
    report = check(path, overlays=overlays)
    lines = {name: file.lines for name, file in report.files.items()}
    result = render.Result((render.Checked(path, tuple(report.files), tuple(report.diagnostics)),), lines)
    return {lang: render.findings(result, "text", lang) for lang in ("zh", "en")}


def found_by_command(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[tuple[str, int, int, str]]:
    """File, line, column and code of every finding of the command, which must end with 1."""
    assert main(["check", *arguments, "--format", "json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["ok"] is False
    return [(one["file"], one["line"], one["column"], one["code"]) for one in data["diagnostics"]]


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_found_where_it_is_and_nowhere_else(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    one = FAULTS[name]
    text, marks = faulty(one)
    Path("game.yaml").write_text(text, encoding="utf-8")
    found = found_by_command(capsys, "game.yaml")
    assert [(line, column) for _, line, column, _ in found] == marks
    assert sorted(code for *_, code in found) == sorted(one.codes.split())


@pytest.mark.parametrize("name", FAULTS)
def test_a_player_understands_it_in_both_languages(name: str) -> None:
    one = FAULTS[name]
    text, _ = faulty(one)
    Path("game.yaml").write_text(text, encoding="utf-8")
    said = texts("game.yaml")
    for word in one.zh:
        assert word in said["zh"]
    for word in one.en:
        assert word in said["en"]
    for lang in said.values():
        assert "Traceback" not in lang
        assert "HW999" not in lang


def test_the_copy_without_a_fault_is_clean(capsys: pytest.CaptureFixture[str]) -> None:
    Path("game.yaml").write_text(GAME.read_text(encoding="utf-8"), encoding="utf-8")
    assert main(["check", "game.yaml"]) == 0
    assert capsys.readouterr().out.startswith("ok  game.yaml")


# ------------------------------------------------------------------ house rules

HEAD = "hongwu: 1\nname: house\ntitle: {zh: 家规, en: House rules}\nextends: dalian\n"


@pytest.mark.parametrize(
    ("text", "place", "code", "zh", "en"),
    [
        ("phases:\n  bdi:\n    timeout: decline\n", (6, 3), "HW702", "没有“bdi”可改|是不是 `bid`", 'no "bdi" to change|did you mean `bid`'),
        ("options:\n  bsae: {default: 5}\n", (6, 3), "HW702", "没有“bsae”可改|是不是 `base`", 'no "bsae" to change|did you mean `base`'),
        ("remove: [phases.lead.timeuot]\n", (5, 10), "HW702", "没有这一项|phases.lead.timeout", "nothing of that name|phases.lead.timeout"),
        ("options:\n  base: {default: 1}\n", (4, 10), "HW702", "什么也没有改", "changes nothing"),
        ("phases:\n  lead: {timeuot: play}\n", (6, 10), "HW101", "没有“timeuot”|是不是 `timeout`", '"timeuot"|did you mean `timeout`'),
        ("tables:\n  by_place: 3\n", (6, 13), "HW703", "带键的一节", "a section with keys"),
    ],
)  # fmt: skip
def test_a_house_rule_that_overrides_nothing(
    text: str, place: tuple[int, int], code: str, zh: str, en: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("house.yaml").write_text(HEAD + text, encoding="utf-8")
    assert found_by_command(capsys, "house.yaml") == [("house.yaml", *place, code)]
    assert found_by_command(capsys, "dalian", "--with", "house.yaml") == [("house.yaml", *place, code)]
    said = texts("house.yaml")
    for word in zh.split("|"):
        assert word in said["zh"]
    for word in en.split("|"):
        assert word in said["en"]


def test_a_ring_of_extends_is_printed_and_found_at_the_line_that_closes_it(capsys: pytest.CaptureFixture[str]) -> None:
    for one, other in (("a", "b"), ("b", "c"), ("c", "a")):
        Path(f"{one}.yaml").write_text(HEAD.replace("dalian", f"{other}.yaml"), encoding="utf-8")
    assert found_by_command(capsys, "a.yaml") == [("c.yaml", 4, 10, "HW701")]
    said = texts("a.yaml")
    assert "绕成一圈：a.yaml → b.yaml → c.yaml → a.yaml" in said["zh"]
    assert "in a ring: a.yaml → b.yaml → c.yaml → a.yaml" in said["en"]
    Path("self.yaml").write_text(HEAD.replace("dalian", "self.yaml"), encoding="utf-8")
    assert found_by_command(capsys, "self.yaml") == [("self.yaml", 4, 10, "HW701")]


# ------------------------------------------------------------------ the real command


@pytest.mark.parametrize(
    "name", ["a misspelt phase in next", "a tab", "a table without its third row", "a condition in braces"]
)
def test_the_installed_command_ends_with_1_and_names_the_line(name: str) -> None:
    text, marks = faulty(FAULTS[name])
    Path("game.yaml").write_text(text, encoding="utf-8")
    for lang, word in (("zh", "错误[HW"), ("en", "error[HW")):
        done = subprocess.run(
            [sys.executable, "-m", "hongwu_rules", "check", "game.yaml", "--lang", lang],
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 1
        assert done.stderr == b""
        out = done.stdout.decode()
        assert word in out
        assert f"game.yaml:{marks[0][0]}:{marks[0][1]}" in out

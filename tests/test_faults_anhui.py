"""The faults that people make in a game of tricks and promotions, each in a copy of a real one: the right line, for players.

As in ``test_faults``: a fault replaces an exact text of the ruleset, ``▸`` marks where the finding must stand.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import hongwu_rules as hw
from hongwu_rules.cli import main
from hongwu_rules.show import show
from test_faults import FAULTS as OTHER_GAME
from test_faults import fault, faulty, found_by_command, texts

GAME = Path(__file__).parent.parent / "rulesets" / "anhui.yaml"

FAULTS = {
    # ---------------------------------------------------------------- phases
    "a misspelt phase in next": fault(
        "HW302",
        ("next: {is: call, cite: T38 M17}", "next: {is: ▸cal, cite: T38 M17}"),
        zh="没有阶段“cal”|是不是“call”",
        en='unknown phase "cal"|did you mean "call"',
    ),
    "a phase that nobody reaches": fault(
        "HW301",
        ("  lead:\n    moves:\n      play:\n        require:\n          red", "  ▸pause: {zh: 歇一歇, en: a pause, next: lead}\n\n  lead:\n    moves:\n      play:\n        require:\n          red"),
        zh="阶段“pause”永远走不到",
        en='nothing leads to the phase "pause"',
    ),
    "the last way out is gone: only conditions are left": fault(
        "HW309",
        ("      - {is: deal, cite: M17 T14}\n", ""),
        ("- {is: over when deals == match_deals, cite: A8 T8}", "- {is: ▸over when deals == match_deals, cite: A8 T8}"),
        zh="去路都带条件|不带 when",
        en="every way out|without `when`",
    ),
    "there is no way out": fault(
        "HW702",
        ("    moves: name\n    next: bury\n", "    moves: name\n"),
        ("  naming_late:\n", "  ▸naming_late:\n"),
        zh="“naming_late”|又缺了 next",
        en='"naming_late"|it lacks `next`',
    ),
    # ---------------------------------------------------------------- the table of promotions
    "the row of 40 to 75 begins at 45": fault(
        "HW501",
        ("held:     {x: 40..75, ", "held:     {x: ▸45..75, "),
        zh="缺了行|x = 40",
        en="has no row|x = 40",
    ),
    "the row of 40 to 75 begins at 35": fault(
        "HW502",
        ("held:     {x: 40..75, ", "held:     {x: ▸35..75, "),
        zh="“low”|“held”|x = 35",
        en='the rows "low" and "held"|both fit|x = 35',
    ),
    "a row is gone": fault(
        "HW501",
        ("      nobody:   {x: 80..115,  cite: TA2}\n", ""),
        ("one:      {x: 120..155,", "one:      {x: ▸120..155,"),
        zh="缺了行|x = 80..115",
        en="has no row|x = 80..115",
    ),
    "a row twice": fault(
        "HW504",
        ("      two:      {x: 160", "      again:    {x: ▸120..155, others: 1}\n      two:      {x: 160"),
        zh="“one”和“again”|一模一样",
        en='"one" and "again"|are alike',
    ),
    "a row that the points never come to": fault(
        "HW506",
        ("      two:      {x: 160", "      never:    {x: ▸156..159, others: 1}\n      two:      {x: 160"),
        zh="“never”",
        en='"never"',
    ),
    # ---------------------------------------------------------------- cards and the ladder
    "a stop that is not on the ladder": fault(
        "HW604",
        ("  stops: 10 K\n", "  stops: 10 ▸5\n"),
        zh="“5”不在",
        en='the stop "5" is not a step of the ladder',
    ),
    "a step twice on the ladder": fault(
        "HW604",
        ("steps: 2 4 6 7 8 9 10 J Q K A", "steps: 2 4 6 7 8 9 10 J Q K ▸K A"),
        zh="“K”",
        en='"K"',
    ),
    "too many cards dealt": fault(
        "HW601",
        ('do: "deal(stock, hand, 25)"', 'do: ▸"deal(stock, hand, 28)"'),
        zh="牌不够发：要112张，只有108张|4 x 28 = 112 > 108",
        en="112 wanted, 108 in the deck|4 x 28 = 112 > 108",
    ),
    "a card that does not exist": fault(
        "HW201",
        ("red_five:       {is: card == H5,", "red_five:       {is: card == ▸H15,"),
        zh="没有“H15”这张牌",
        en='no card "H15"',
    ),
    "a rank left out of the plain suits": fault(
        "HW202",
        ("plain[suit]:      {is: A K Q J 10", "plain[suit]:      {is: ▸A K J 10"),
        zh="SQ HQ DQ CQ|在一行里写上 Q",
        en="SQ HQ DQ CQ|put Q on a line",
    ),
    "a joker left out of the order": fault(
        "HW202 HW203",
        ("    little_joker:   {is: card == LJ, cite: T22}\n", "    ▸little_joker:   {is: card == BJ, cite: T22}\n"),
        ("plain[suit]:      {is: A K", "plain[suit]:      {is: ▸A K"),
        zh="LJ|在一行里写上 LJ",
        en="LJ has no place|put LJ on a line",
    ),
    "a part that is no shape": fault(
        "HW401",
        ("throw: {parts: tractor pair single,", "throw: {parts: ▸tractr pair single,"),
        zh="tractr|是不是“tractor”",
        en='tractr|did you mean "tractor"',
    ),
    # ---------------------------------------------------------------- conditions
    "colour(trump) before there is a trump": fault(
        "HW408",
        ("that: all(c.rank == level[seat] for c in picked)", "that: all(c.rank == level[seat] and c.colour == colour(▸trump) for c in picked)"),
        zh="阶段“reveal”|“trump”|first_deal -> deal -> reveal|trump is not none",
        en='in the phase "reveal", "trump" is read and may not be set yet|first_deal -> deal -> reveal|trump is not none',
    ),
    "a definition that names itself": fault(
        "HW406",
        ("    is: seat == dealer or seat == friend\n", "    is: seat == dealer or dealer_side(seat)\n"),
        ("  dealer_side(seat):  ", "  ▸dealer_side(seat):  "),
        zh="dealer_side → dealer_side",
        en='"dealer_side" comes back to itself: dealer_side → dealer_side',
    ),
    "two definitions that name each other": fault(
        "HW406",
        ("  held: promotion(x).dealer_side > 0", "  ▸held: promotion(x).dealer_side > 0 and not risen\n  risen: not held"),
        zh="held → risen → held",
        en="held → risen → held",
    ),
    "a misspelt name in a condition": fault(
        "HW401",
        ("when: not dealer_side(leader)\n        before: open\n        cite: T5", "when: not dealer_side(▸laeder)\n        before: open\n        cite: T5"),
        zh="不认识“laeder”|是不是“leader”",
        en='unknown name "laeder"|did you mean "leader"',
    ),
    "a misspelt field": fault(
        "HW401",
        ("do: friend = trick.last.seat", "do: friend = trick.last.▸saet"),
        zh="saet|是不是“seat”",
        en='saet|did you mean "seat"',
    ),
    "a level compared with a number": fault(
        "HW402",
        ("that: chosen.rank != level_rank", "that: ▸chosen != level_rank"),
        zh="不能相比",
        en="cannot be compared",
    ),
    "a condition always false": fault(
        "HW403",
        ("- {is: over when champion is not none,", "- {is: over when ▸turned > 8,"),
        zh="永远不成立|turned = 0..8",
        en="is always false|turned = 0..8",
    ),
    "a condition in braces": fault(
        "HW009",
        ("      - {is: deal, cite: M17 T14}", "      - {is: ▸over when max(deals, match_deals) == 1, cite: A8}\n      - {is: deal, cite: M17 T14}"),
        zh="花括号|单独写一行",
        en="{...}|line of its own",
    ),
    # ---------------------------------------------------------------- who sees what
    "the leader sees the kitty": fault(
        "HW410",
        ("# ------------------------------------------------------------ 记住什么", "zones:\n  kitty: seen by ▸viewer == leader or kitty_open\n\n# ------------------------------------------------------------ 记住什么"),
        zh="“kitty”|没拿过这些牌|只让拿过的人看",
        en='"kitty"|without having held them|let only those see it who held the cards',
    ),
    "everybody sees the kitty": fault(
        "HW405 HW410",  # and what opened it is of no use any more
        ("# ------------------------------------------------------------ 记住什么", "zones:\n  kitty: seen by ▸all\n\n# ------------------------------------------------------------ 记住什么"),
        zh="“kitty”|每个人就看得见|到这里才亮给大家",
        en='everybody sees the cards of "kitty"|only here are they shown to all',
    ),
    "the hand of the player opposite is open": fault(
        "HW410",
        ("# ------------------------------------------------------------ 记住什么", "zones:\n  hand[seat]: seen by viewer == seat or ▸seat == next(next(viewer))\n\n# ------------------------------------------------------------ 记住什么"),
        zh="“hand[seat]”",
        en='"hand[seat]"',
    ),
    "all hands are open": fault(
        "HW410",
        ("# ------------------------------------------------------------ 记住什么", "zones:\n  hand[seat]: seen by ▸all\n\n# ------------------------------------------------------------ 记住什么"),
        zh="每个人",
        en="everybody",
    ),
    # ---------------------------------------------------------------- YAML
    "a key twice": fault(
        "HW002",
        ("    timeout: decline\n    moves:\n      show:", "    timeout: decline\n    ▸timeout: show\n    moves:\n      show:"),
        zh="timeout",
        en="`timeout` is given twice",
    ),
    "a tab": fault("HW001", ("\n    zh: 叫朋友", "\n▸\tzh: 叫朋友"), zh="制表符（Tab", en="tab"),
    "a full-width colon": fault(
        "HW004", ("\n    zh: 叫朋友", "\n    zh▸：叫朋友"), zh="全角冒号", en="full-width colon"
    ),
    "a full-width comma in a condition": fault(
        "HW004",
        ("chosen.rank in [2, 4, 5,", "chosen.rank in [2▸，4, 5,"),
        zh="全角逗号",
        en="full-width comma",
    ),
}  # fmt: skip


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_found_where_it_is_and_nowhere_else(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    one = FAULTS[name]
    text, marks = faulty(one, GAME)
    Path("game.yaml").write_text(text, encoding="utf-8")
    found = found_by_command(capsys, "game.yaml")
    assert [(line, column) for file, line, column, _ in found if file == "game.yaml"] == marks
    assert sorted(code for *_, code in found) == sorted(one.codes.split())
    said = texts("game.yaml")
    for lang, words in (("zh", one.zh), ("en", one.en)):
        for word in words:
            assert word in said[lang]
        assert "HW999" not in said[lang]


HEAD = "hongwu: 1\nname: house\ntitle: {zh: 家规, en: House rules}\nextends: anhui\n"


@pytest.mark.parametrize(
    ("text", "place", "code", "zh", "en"),
    [
        ("ladder: {stops: 5 10}\n", (5, 17), "HW604", "“5”不在", 'the stop "5" is not a step'),
        ("options:\n  rotten_level: {default: 5}\n", (6, 3), "HW702", "是不是 `rotten_levels`", "did you mean `rotten_levels`"),
        ("phases:\n  reveel: {timeout: show}\n", (6, 3), "HW702", "是不是 `reveal`", "did you mean `reveal`"),
        ("tables:\n  promotion:\n    rows:\n      held: {x: 45..75}\n", (8, 17), "HW501", "x = 40", "x = 40"),
        ("zones:\n  kitty: seen by viewer == leader or kitty_open\n", (6, 18), "HW410", "“kitty”", "the leader sees the cards"),
        ("define:\n  held: not held\n", (6, 3), "HW406", "held → held", "held → held"),
    ],
)  # fmt: skip
def test_a_house_rule_with_a_fault(
    text: str, place: tuple[int, int], code: str, zh: str, en: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("house.yaml").write_text(HEAD + text, encoding="utf-8")
    assert found_by_command(capsys, "house.yaml") == [("house.yaml", *place, code)]
    assert found_by_command(capsys, "anhui", "--with", "house.yaml") == [("house.yaml", *place, code)]
    said = texts("house.yaml")
    assert zh in said["zh"] and en in said["en"]


def test_who_sees_what_is_printed_and_changes_with_it(capsys: pytest.CaptureFixture[str]) -> None:
    old = hw.load("anhui")
    Path("house.yaml").write_text(HEAD + "zones:\n  kitty: seen by viewer == dealer\n", encoding="utf-8")
    new = hw.load("anhui", overlays=["house.yaml"])
    for lang, line in (
        ("zh", "kitty：庄家，或当 kitty_open 时人人可见"),
        ("en", "kitty: the dealer, or everybody when kitty_open"),
    ):
        assert line in show(old, lang)
        assert line not in show(new, lang)
    assert "kitty: the dealer; " in show(new, "en")


def test_the_copy_without_a_fault_is_clean(capsys: pytest.CaptureFixture[str]) -> None:
    Path("game.yaml").write_text(GAME.read_text(encoding="utf-8"), encoding="utf-8")
    assert main(["check", "game.yaml"]) == 0
    assert capsys.readouterr().out.startswith("ok  game.yaml")


def test_the_faults_of_the_other_game_that_a_trick_game_can_have_are_here() -> None:
    """By what they are about; what only a game of climbing has (bids, places) is left out."""
    kinds = {"phase", "way out", "row", "card", "name", "false", "twice", "tab", "colon", "comma", "braces"}
    for kind in kinds:
        assert any(kind in name for name in OTHER_GAME) and any(kind in name for name in FAULTS), kind

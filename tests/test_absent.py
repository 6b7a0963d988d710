"""The faults that this language rules out: each reason is tried, and `explain` gives it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from hongwu_rules import load
from hongwu_rules.cli import main
from hongwu_rules.diagnostics.absent import ABSENT, find_absent
from hongwu_rules.diagnostics.codes import CODES
from hongwu_rules.diagnostics.width import width
from hongwu_rules.loading import check

BASE = (Path(__file__).parent / "bad" / "base.yaml").read_text(encoding="utf-8")
# The nearest that one can come to each fault: the change to a sound game, and what it is told instead.
ATTEMPTS = {
    "HW204": ("      rest: true by K Q J 10\n", "      rest: true by K Q J 10 K\n", {"HW203"}),
    "HW205": ("      rest: true by K Q J 10\n", "      rest: true by K Q J\n", {"HW202"}),
    "HW207": (
        "    rest: true by K Q J 10\n",
        "    rest: true by K Q J 10\n  spades:\n    again: card.suit == S by K Q\n",
        {"HW203"},
    ),
    "HW304": ("start: deal\n", "start: deal\nstart: bid\n", {"HW002"}),
    "HW306": ("  over: {final: true,", "  over: {final: true, next: deal,", {"HW106"}),
    "HW307": (
        "      - settle when done\n      - answer\n",
        "      - settle when done\n      - over when done\n      - answer\n",
        {"HW308"},
    ),
    "HW314": ("    seat: next(leader)\n", "    seat: 2\n", {"HW402"}),
    "HW509": ("    hit: first\n", "    hit: sum\n", {"HW104"}),
}


@pytest.mark.parametrize("code", ATTEMPTS)
def test_the_nearest_that_one_can_come_to_it_is_another_fault(code: str, tmp_path: Path) -> None:
    old, new, instead = ATTEMPTS[code]
    assert old.strip(" ") in BASE or old in BASE
    path = tmp_path / "game.yaml"
    path.write_text(BASE.replace(old.lstrip(" "), new.lstrip(" "), 1), encoding="utf-8")
    assert {item.code for item in check(path).diagnostics} == instead
    assert instead <= set(ABSENT[code].see)


def test_of_equal_cards_one_always_wins(tmp_path: Path) -> None:
    """HW208: two packs, and nothing said about equal cards: the check is clean, and the first one wins."""
    path = tmp_path / "game.yaml"
    text = BASE.replace("packs: 1", "packs: 2").replace("the(s for s in seats if DA in hand[s])", "random(seats)")
    text = text.replace("deal(stock, hand, 10)", "deal(stock, hand, 20)")
    path.write_text(text, encoding="utf-8")
    assert [item.code for item in check(path).diagnostics] == []
    state = load(path).position(
        {"phase": "answer", "seat": 1, "memory": {"leader": 0}, "trick": [{"seat": 0, "cards": ["HK"]}],
         "zones": {"hand": {0: ["DK"], 1: ["SK", "CA"]}}}
    )  # fmt: skip
    assert not state.judge({"move": "play", "cards": ["SK"]}).ok
    assert state.judge({"move": "play", "cards": ["CA"]}).ok


def test_none_of_them_is_ever_given() -> None:
    assert not set(ABSENT) & set(CODES)
    assert set(ABSENT) == set(ATTEMPTS) | {"HW208"}
    for absent in ABSENT.values():
        assert set(absent.see) <= set(CODES)


@pytest.mark.parametrize("code", ABSENT)
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_explain_says_why(code: str, lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    for word in (code, code[2:], ABSENT[code].name):
        assert main(["explain", word, "--lang", lang]) == 0
        text = capsys.readouterr().out
        assert text.startswith(f"{code} {ABSENT[code].name}")
        assert ABSENT[code].title.in_(lang) in text
        assert all(f"hongwu-rules explain {other}" in text for other in ABSENT[code].see)
        assert all(width(line) <= 100 for line in text.splitlines())
    assert bool(re.search("[\u4e00-\u9fff]", text)) is (lang == "zh")
    assert main(["explain", code, "--lang", lang, "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["severity"] is None and data["page"] == text


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_explain_without_a_code_lists_them_all(lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "--lang", lang]) == 0
    lines = capsys.readouterr().out.splitlines()
    for code, title in {code: one.title for code, one in (CODES | ABSENT).items()}.items():
        assert len([line for line in lines if line.startswith(f"  {code} ") and line.endswith(title.in_(lang))]) == 1, (
            code
        )
    assert main(["explain", "--lang", lang, "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [one["code"] for one in data] == [*CODES, *ABSENT]


def test_find_absent() -> None:
    assert find_absent("[hw304]") is ABSENT["HW304"]
    assert find_absent("HW302") is None

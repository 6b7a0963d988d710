"""Every code has faulty files: each gives the findings written down beside it, no more and no fewer.

``NAME.yaml`` is the file, ``NAME.expect`` what must be found, written by hand: ``line:column CODE`` (with the file in
front where it is another one), after remarks ``# with: OVERLAY`` and ``# play: MATCHES``. ``NAME.zh.txt`` and
``NAME.en.txt`` are what a player reads; ``python tests/test_bad.py`` writes them anew, to be read before they are kept.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from hongwu_rules.diagnostics import render
from hongwu_rules.diagnostics.codes import CODES
from hongwu_rules.game import load
from hongwu_rules.loading import check
from hongwu_rules.trials import play_matches

FOLDER = Path(__file__).parent / "bad"
NAMES = sorted(path.stem for path in FOLDER.glob("*.expect"))
# What is no finding about rules.
NOT_IN_A_FILE = {"HW999", "HW-io", "HW-use"}
# These say by an example when, how or what: "wit" in the list of checks.
WITNESSED = {
    "HW202",
    "HW301",
    "HW305",
    "HW309",
    "HW310",
    "HW311",
    "HW312",
    "HW313",
    "HW315",
    "HW317",
    "HW404",
    "HW407",
    "HW408",
    "HW411",
    "HW501",
    "HW502",
    "HW505",
    "HW507",
    "HW508",
    "HW601",
    "HW901",
    "HW902",
    "HW903",
    "HW904",
    "HW905",
    "HW906",
}


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)


def expected(name: str) -> tuple[dict[str, str], list[str]]:
    """The remarks and the findings of the expectation beside a file."""
    lines = (FOLDER / f"{name}.expect").read_text(encoding="utf-8").splitlines()
    remarks = dict(re.findall(r"(?m)^# (\w+): (.*)$", "\n".join(lines)))
    return remarks, [line for line in lines if not line.startswith("#")]


@cache
def result(name: str) -> render.Result:
    """What a check of the file comes to."""
    remarks, _ = expected(name)
    main, overlays = f"{name}.yaml", remarks.get("with", "").split()
    report = check(main, overlays=overlays)
    found = list(report.diagnostics)
    if "play" in remarks and report.ruleset is not None:
        found += play_matches(load(main, overlays=overlays), int(remarks["play"]), 12, 0)[0]
    lines = {file: one.lines for file, one in report.files.items()}
    return render.Result((render.Checked(main, tuple(report.files), tuple(found)),), lines)


def places(name: str) -> list[str]:
    """What was found, in the notation of the expectations."""
    items = result(name).diagnostics
    return [
        ("" if d.span.file == f"{name}.yaml" else f"{d.span.file}:") + f"{d.span.line}:{d.span.column} {d.code}"
        for d in items
    ]


def shown(name: str, lang: str) -> str:
    """The findings as the command prints them."""
    return render.findings(result(name), "text", lang)


def codes(name: str) -> set[str]:
    return {line.split()[-1] for line in expected(name)[1]}


def test_every_code_has_a_faulty_file() -> None:
    assert set().union(*map(codes, NAMES)) == set(CODES) - NOT_IN_A_FILE
    for code in set(CODES) - NOT_IN_A_FILE:
        assert any(name.startswith(code) and code in codes(name) for name in NAMES), code


def test_every_file_of_the_folder_has_its_use() -> None:
    used = {"base.yaml", *(f"{name}{end}" for name in NAMES for end in (".yaml", ".expect", ".zh.txt", ".en.txt"))}
    used |= {overlay for name in NAMES for overlay in expected(name)[0].get("with", "").split()}
    used |= set(re.findall(r"(?m)^extends: (\w+\.yaml)$", "\n".join(map(faulty_text, NAMES))))
    assert {path.name for path in FOLDER.iterdir()} <= used


def faulty_text(name: str) -> str:
    return (FOLDER / f"{name}.yaml").read_bytes().decode(errors="replace")


def test_the_game_below_the_faults_is_sound() -> None:
    report = check("base.yaml")
    assert report.diagnostics == []
    assert report.not_proved == []
    assert play_matches(load("base.yaml"), 20, 12, 0)[0] == []


@pytest.mark.parametrize("name", NAMES)
def test_the_findings_are_those_intended(name: str) -> None:
    assert places(name) == expected(name)[1]


@pytest.mark.parametrize("name", NAMES)
def test_the_words_are_those_read_and_kept(name: str) -> None:
    texts = {lang: shown(name, lang) for lang in ("zh", "en")}
    for lang, text in texts.items():
        assert text == (FOLDER / f"{name}.{lang}.txt").read_text(encoding="utf-8")
    assert texts["zh"] != texts["en"]


@pytest.mark.parametrize("name", NAMES)
def test_every_sentence_exists_in_both_languages(name: str) -> None:
    for item in result(name).diagnostics:
        for text in sentences(item):
            assert text.zh
            assert text.en
        assert item.message.zh != item.message.en
        assert item.help, "no next step"
        assert re.search("[\u4e00-\u9fff]", item.message.zh)
        quoted = r"`[^`]*`|\"[^\"]*\""  # what the file itself says may be Chinese
        assert not re.search("[\u3000-\uffef]", re.sub(quoted, "", item.message.en))
        if item.code in WITNESSED:
            assert item.witness, item


def sentences(item: render.Diagnostic) -> Iterator[render.Text]:
    yield item.message
    yield from item.help
    yield from (one.text for one in item.related)
    if item.witness:
        yield item.witness


def main() -> None:
    """Write the texts anew."""
    os.chdir(FOLDER)
    for name in NAMES:
        for lang in ("zh", "en"):
            (FOLDER / f"{name}.{lang}.txt").write_text(shown(name, lang), encoding="utf-8")
        if places(name) != expected(name)[1]:
            sys.stdout.write(f"{name}: found {places(name)}, expected {expected(name)[1]}\n")


if __name__ == "__main__":
    main()

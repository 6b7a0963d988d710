"""The pages of the codes: complete, in both languages, and every example does what its page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hongwu_rules.cli import main
from hongwu_rules.diagnostics.codes import CODES, find_code, severity
from hongwu_rules.diagnostics.explain import FOLDER, page, read_page
from hongwu_rules.diagnostics.width import width
from hongwu_rules.loading import check

TRIED = sorted(code for code in CODES if any(one.whole for one in read_page(code).faulty))


def found_in(texts: list[str], folder: Path) -> set[str]:
    """The codes that the files of an example give; several files are house rules laid over one game."""
    paths = [folder / f"{number}.yaml" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    if len(paths) == 1:
        report = check(str(paths[0]), options={}, overlays=[])
    else:
        game = re.findall(r"(?m)^extends: (\w+)", texts[0])[0]
        report = check(game, options={}, overlays=[str(path) for path in paths])
    return {item.code for item in report.diagnostics}


def test_there_is_a_page_for_each_code_and_no_other() -> None:
    assert {path.stem for path in FOLDER.glob("*.md")} == set(CODES)


@pytest.mark.parametrize("code", CODES)
def test_a_page_is_whole_in_both_languages(code: str) -> None:
    stored = read_page(code)
    assert (FOLDER / f"{code}.md").read_text(encoding="utf-8").startswith(f"# {code} {CODES[code].name}\n")
    assert len(stored.zh) > 20
    assert len(stored.en) > 40
    assert len(stored.zh.split("\n\n")) == len(stored.en.split("\n\n"))
    assert len(stored.faulty) == len(stored.repaired)
    for lang in ("zh", "en"):
        text = page(code, lang)
        assert CODES[code].title.in_(lang) in text
        assert "**" not in text
        prose = [line for line in text.splitlines() if not line.startswith("    ")]
        assert all(width(line) <= 100 for line in prose)


def test_most_codes_have_an_example_that_is_tried() -> None:
    assert len(TRIED) >= 45


@pytest.mark.parametrize("code", TRIED)
def test_the_faulty_example_gives_its_code(code: str, tmp_path: Path) -> None:
    assert code in found_in([one.text for one in read_page(code).faulty], tmp_path)


@pytest.mark.parametrize("code", TRIED)
def test_the_repaired_example_is_clean(code: str, tmp_path: Path) -> None:
    codes = found_in([one.text for one in read_page(code).repaired], tmp_path)
    assert not {one for one in codes if severity(one) != "hint"}


@pytest.mark.parametrize("word", ["HW302", "hw302", "302", " [HW302] ", "unknown-phase"])
def test_a_code_is_found_however_it_is_written(word: str) -> None:
    found = find_code(word)
    assert found is not None
    assert found.code == "HW302"


def test_explain_prints_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "hw302", "--lang", "en"]) == 0
    english = capsys.readouterr().out
    assert main(["explain", "hw302", "--lang", "zh"]) == 0
    chinese = capsys.readouterr().out
    assert "next: puase" in english
    assert "next: puase" in chinese
    assert "阶段" in chinese
    assert "Why it matters" in english
    assert "Why it matters" not in chinese


@pytest.mark.parametrize(
    ("word", "near"), [("HW320", "HW302"), ("HW3021", "HW302"), ("unknwon-phase", "unknown-phase")]
)
def test_an_unknown_code_is_refused_with_the_nearest(word: str, near: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", word, "--lang", "en"]) == 2
    assert near in capsys.readouterr().err

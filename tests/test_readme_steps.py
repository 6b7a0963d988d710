"""The README's steps to a house rule of one's own, done as it says: every file written, every command run and its answer compared.

``python tests/test_readme_steps.py`` writes what `simulate` answers anew, in both languages: read the difference, and the sentences
below the blocks, which repeat some of the numbers.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from hongwu_rules.cli import main

PATH = Path(__file__).parents[1] / "README.md"
README = PATH.read_text(encoding="utf-8")
HEADINGS = {"en": "A house rule of your own", "zh": "写一条自己的家规"}
STEPS = ["new", "yaml", "check", "yaml", "check", "simulate"]


def section(lang: str) -> str:
    """The part of the README under its heading."""
    return README.split(f"\n## {HEADINGS[lang]}\n")[1].split("\n## ")[0]


def steps(lang: str) -> list[tuple[str, str]]:
    """The blocks of the section in order: what they are (``yaml``, or the command), and what they say."""
    return re.findall(r"(?ms)^```(?:console\n\$ hongwu-rules (\w+)(?= )|yaml$)(.*?)^```$", section(lang))


def same(shown: str, answer: str, *, exact: bool) -> bool:
    """Whether the README shows this answer: ``…`` stands for what it leaves out, any time is as good as another.

    If it is not ``exact``, so are line numbers: they move when the game gets another setting.
    """
    for pattern in (r"\d+\.\d+(?= s\b| 秒)", *(() if exact else (r"\d+",))):
        shown, answer = (re.sub(pattern, "N", text) for text in (shown, answer))
    return re.fullmatch(re.escape(shown.strip()).replace("…", ".*"), answer.strip(), re.DOTALL) is not None


def answers(lang: str) -> Iterator[tuple[str, str, str, int]]:
    """Each command of the section run in turn, in the current folder: what it is, what is shown, its answer, its status."""
    fresh = ""
    for command, text in steps(lang):
        if not command:  # the end of the file that `new` has written
            fresh = fresh or Path("ours.yaml").read_text(encoding="utf-8")
            Path("ours.yaml").write_text(fresh + text, encoding="utf-8")
            continue
        words, shown = text.split("\n", 1)
        with contextlib.redirect_stdout(io.StringIO()) as answer:
            status = main([command, *shlex.split(words)])
        yield command, shown, answer.getvalue(), status


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_each_step_does_what_the_readme_shows(lang: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HONGWU_LANG", lang)
    assert [command or "yaml" for command, _ in steps(lang)] == STEPS
    statuses = []
    for command, shown, answer, status in answers(lang):
        assert same(shown, answer, exact=command != "check"), answer
        statuses.append(status)
    assert statuses == [0, 1, 0, 0]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_commands_in_its_sentences_run(lang: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = steps(lang)[3][1]
    Path("ours.yaml").write_text(f"hongwu: 1\nname: ours\nextends: anhui\n{text}", encoding="utf-8")
    commands = re.findall(r"`hongwu-rules ([^`]+)`", section(lang))
    assert [command.split()[0] for command in commands] == ["list", "check"]
    for command in commands:
        assert main(shlex.split(command)) == 0
    assert main(["check", "anhui", *shlex.split(re.findall(r"`(--set [^`]+)`", section(lang))[0])]) == 0


def test_both_languages_take_the_same_steps() -> None:
    files = [[text for command, text in steps(lang) if not command] for lang in ("en", "zh")]
    commands = [[text.split("\n", 1)[0] for command, text in steps(lang) if command] for lang in ("en", "zh")]
    assert files[0] == files[1] and commands[0] == commands[1]
    # The rules are what the sentences say: 80 points and the red five, in the game and in its words.
    assert files[0][0] == files[0][1].replace("picked", "pciked")


def rewrite() -> None:
    """Write the answers of `simulate` anew; the sentence below each block repeats some of its numbers."""
    text, home = README, Path.cwd()
    for lang in HEADINGS:
        os.environ["HONGWU_LANG"] = lang
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            for command, shown, answer, _ in answers(lang):
                if command == "simulate":
                    assert text.count(shown) == 1
                    text = text.replace(shown, answer)
            os.chdir(home)
    PATH.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    rewrite()

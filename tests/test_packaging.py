"""What is installed, what the README promises, and that every example in a docstring runs."""

from __future__ import annotations

import doctest
import importlib
import importlib.metadata
import os
import pkgutil
import re
from pathlib import Path

import pytest

import hongwu_rules
from hongwu_rules.cli import main
from hongwu_rules.overlay.library import bundled_folder

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = Path(hongwu_rules.__file__).parent
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages([str(PACKAGE)], "hongwu_rules.")
    if not module.name.endswith("__main__")
)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_docstrings_run(name: str) -> None:
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0


def test_the_examples_of_the_readme_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False, encoding="utf-8")
    assert failed == 0
    assert tried >= 10


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_broken_line_of_the_readme_is_answered_so(
    lang: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = (bundled_folder() / "dalian.yaml").read_text(encoding="utf-8")
    before, after = re.split(r"(?m)^(?=  clear:)", text)
    Path("mine.yaml").write_text(
        before + re.sub(r"(?m)^    next: .*$", "    next: laed", after, count=1), encoding="utf-8"
    )
    assert main(["check", "mine.yaml", "--lang", lang]) == 1
    shown = re.findall(
        r"(?ms)^\$ hongwu-rules check mine\.yaml.*?\n(.*?)^```", (ROOT / "README.md").read_text(encoding="utf-8")
    )
    expected = shown[lang == "zh"]

    def without_time(answer: str) -> str:
        return re.sub(r"\d+\.\d+(?= s\b| 秒)", "N", answer)

    assert without_time(capsys.readouterr().out) == without_time(expected)


def test_what_is_installed_is_complete() -> None:
    assert (PACKAGE / "py.typed").exists()
    assert (PACKAGE / "diagnostics" / "pages" / "HW302.md").exists()
    shipped = bundled_folder()
    in_tree = {path.relative_to(ROOT / "rulesets").as_posix() for path in (ROOT / "rulesets").rglob("*.yaml")}
    assert {path.relative_to(shipped).as_posix() for path in shipped.rglob("*.yaml")} == in_tree
    if "site-packages" in PACKAGE.parts:
        assert shipped.is_relative_to(PACKAGE)


def test_the_installed_command_and_version() -> None:
    metadata = importlib.metadata.distribution("hongwu-rules")
    commands = {entry.name: entry.value for entry in metadata.entry_points if entry.group == "console_scripts"}
    assert commands == {"hongwu-rules": "hongwu_rules.__main__:main"}
    assert f"## {metadata.version}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_two_commands_of_the_readme() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"(?ms)^```sh\n(.*?)\n```", text)
    assert commands[0].endswith("hongwu-rules check anhui.yaml")
    assert "venv" in commands[0]
    assert commands[1] == "./.ci/run"
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


def test_the_readme_has_two_parts_of_equal_standing() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    english, chinese = text.split("\n# ")[0], text.split("\n# ")[1]
    assert len(re.findall(r"(?m)^## ", english)) == len(re.findall(r"(?m)^## ", chinese))
    assert re.findall(r"(?ms)^```sh\n(.*?)```", english)[:2] == re.findall(r"(?ms)^```sh\n(.*?)```", chinese)[:2]


def test_the_readme_describes_every_key_of_a_view() -> None:
    state = hongwu_rules.load("dalian", options={"match_deals": 1}).start(seed=1)
    keys = set(state.view(state.seat))
    while not state.over:
        state = state.timeout()
    keys |= set(state.view(0))
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for heading in ("key", "键"):
        table = text.split(f"\n| {heading} | |\n")[1].split("\n\n")[0]
        assert set(re.findall(r"`(\w+)`", " ".join(row.split("|")[1] for row in table.splitlines()))) == keys


def test_nothing_but_these_stands_at_the_top() -> None:
    expected = {
        "pyproject.toml",
        "README.md",
        "rulesets",
        "interpreter",
        "tests",
        "tools",
        "seeds",
        "LICENSE",
        "CHANGELOG.md",
    }
    assert expected <= {path.name for path in ROOT.iterdir()}

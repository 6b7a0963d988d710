"""A folder of small rulesets for the tests of `extends` and overlays."""

from __future__ import annotations

from pathlib import Path

import pytest

from hongwu_rules.diagnostics import Diagnostic, Findings
from hongwu_rules.overlay.layers import Loaded, load_tree
from hongwu_rules.source.nodes import Mapping, Node

BASE = """\
hongwu: 1
name: base
title: {zh: 底, en: base}
options:
  stake: {default: 1, range: 1..9, zh: 底分, en: stake}
order:
  all:
    top: card == H5
    rest: true by A K Q
memory:
  match:
    score[seat]: int = 0
  deal:
    out: int = 0
moves:
  call:
    pick: hand[seat]
    require:
      one:
        that: len(picked) == 1
        zh: 一张
        en: one card
      level:
        that: picked
        zh: 级牌
        en: a level card
phases:
  bury:
    do:
      - shuffle(stock)
    next: play
  play:
    seat: 0
    moves: {call: {like: call, quiet: true}}
    then:
      count: score[s] += 1 for s in seats when s == 0
      add: {do: out += 1, when: out < 3, cite: D2}
      win: out = 2
    next: [over when out == 3, play]
  over: {final: true}
returns: 0
"""


class Table:
    """A folder with files, and what loading one of them says."""

    def __init__(self, folder: Path, bundled: Path) -> None:
        self.folder, self.bundled = folder, bundled
        self.found: list[Diagnostic] = []
        self.loaded: Loaded | None = None

    def write(self, **files: str) -> None:
        for name, text in files.items():
            path = Path(name.replace("__", "/") + ".yaml")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def load(self, main: str, *overlays: str) -> Mapping:
        findings = Findings()
        self.loaded = load_tree(main, findings=findings, overlays=overlays, bundled=self.bundled)
        self.found = findings.items
        assert self.loaded is not None
        return self.loaded.root

    def places(self) -> list[tuple[str, str, int, int]]:
        return [(item.code, item.span.file, item.span.line, item.span.column) for item in self.found]

    def helps(self) -> list[str]:
        return [text.en for item in self.found for text in item.help]


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    bundled = tmp_path / "shipped"
    (bundled / "base").mkdir(parents=True)
    (bundled / "house").mkdir()
    (bundled / "game.yaml").write_text("hongwu: 1\nname: game\ntables: {}\n")
    (bundled / "base" / "shared.yaml").write_text("hongwu: 1\nabstract: true\nseats: {count: 4}\n")
    (bundled / "house" / "rule.yaml").write_text("hongwu: 1\nname: rule\nextends: game\nseats: {count: 5}\n")
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    made = Table(work, bundled)
    made.write(base=BASE)
    return made


def at(tree: Node, *path: str) -> Node:
    for name in path:
        assert isinstance(tree, Mapping)
        found = tree.get(name)
        assert found is not None, f"{name} is missing"
        tree = found
    return tree


def keys(tree: Node) -> list[object]:
    assert isinstance(tree, Mapping)
    return [entry.key.value for entry in tree]

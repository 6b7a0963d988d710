"""The reference for rule writers says what the program does: every key, every word, examples that pass."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hongwu_rules.diagnostics import Findings
from hongwu_rules.language.words import COLLECTIONS, EFFECTS, FIELDS, FOLDS, WORDS, Word
from hongwu_rules.loading import check
from hongwu_rules.model.fields import Section
from hongwu_rules.model.sections import KEYS, SECTIONS, field_of
from hongwu_rules.overlay.patches import section_of
from hongwu_rules.scenarios import reading, run
from hongwu_rules.source.nodes import Mapping, Node, Sequence, plain
from hongwu_rules.source.reader import parse

PAGE = Path(__file__).parents[1] / "rulesets" / "README.md"
TEXT = PAGE.read_text(encoding="utf-8")
ROW = re.compile(r"^\| `([^`]+)`[^|]*\| ([^|]*(?:\\\|[^|]*)*) \| ([^|]*(?:\\\|[^|]*)*) \|$")
BLOCKS = re.findall(r"^```yaml\n(.*?)^```", TEXT, re.M | re.S)
COMPLETE = [block for block in BLOCKS if block.startswith("hongwu:")]
FRAGMENTS = [block for block in BLOCKS if block.startswith("# 片段 · fragment\n")]
SCENARIOS = [block for block in BLOCKS if block.startswith("# 场景 · scenario\n")]


def tables() -> dict[str, dict[str, tuple[str, str]]]:
    """The tables of the page by heading: first cell → Chinese, English."""
    found: dict[str, dict[str, tuple[str, str]]] = {}
    name = ""
    for line in TEXT.splitlines():
        if line.startswith("#"):
            heading = re.fullmatch(r"#### `([^`]+)`", line)
            name = heading.group(1) if heading else ""
        elif name and (row := ROW.match(line)):
            assert row.group(1) not in found.setdefault(name, {}), f"{name}: {row.group(1)} twice"
            found[name][row.group(1)] = (row.group(2).strip(), row.group(3).strip())
    return found


TABLES = tables()


def signature(name: str, word: Word) -> str:
    """A word as the page writes it: ``count(…cards) → int``."""
    params = ", ".join(("…" + p[1:] if p.startswith("*") else p).replace(" ", "/") for p in word.params)
    return f"{name}({params})" + (f" → {word.result}" if word.result else "")


@pytest.mark.parametrize("section", sorted(KEYS))
def test_every_key_is_described(section: str) -> None:
    assert set(TABLES.get(section, {})) == set(KEYS[section])


def test_no_table_describes_what_is_not_there() -> None:
    words = {"folds", "collections", "words", "effects", "fields"}
    assert set(TABLES) - set(KEYS) == words | {"scenario", "given (scenario)", "case", "then"}


def test_every_word_is_described() -> None:
    assert set(TABLES["folds"]) == set(FOLDS)
    assert set(TABLES["collections"]) == set(COLLECTIONS)
    assert set(TABLES["words"]) == {signature(name, word) for name, word in WORDS.items()}
    assert set(TABLES["effects"]) == {signature(name, word) for name, word in EFFECTS.items()}
    assert set(TABLES["fields"]) == {f"{kind}.{name}" for kind, names in FIELDS.items() for name in names}


def test_the_keys_of_a_scenario_are_described() -> None:
    assert set(TABLES["scenario"]) == set(reading.TOP)
    assert set(TABLES["given (scenario)"]) == set(reading.GIVEN)
    assert set(TABLES["case"]) == set(reading.CASE)
    assert set(TABLES["then"]) == set(reading.THEN)


def test_both_languages_stand_side_by_side() -> None:
    for name, rows in TABLES.items():
        for key, (zh, en) in rows.items():
            assert re.search(r"[一-鿿]", zh), f"{name}.{key} lacks Chinese"
            assert re.search(r"[a-z]", en), f"{name}.{key} lacks English"
            assert not re.search(r"[一-鿿]", en), f"{name}.{key} has Chinese in the English column"


def test_every_example_is_of_a_known_kind() -> None:
    assert len(COMPLETE) >= 2 and len(FRAGMENTS) >= 10 and len(SCENARIOS) == 1
    assert len(COMPLETE) + len(FRAGMENTS) + len(SCENARIOS) == len(BLOCKS)


@pytest.mark.parametrize("text", COMPLETE, ids=lambda text: text.split("name: ")[1].split()[0])
def test_complete_examples_are_clean(text: str, tmp_path: Path) -> None:
    path = tmp_path / "example.yaml"
    path.write_text(text, encoding="utf-8")
    assert [(d.code, d.span.line, d.message.en) for d in check(path).diagnostics] == []


@pytest.mark.parametrize("text", FRAGMENTS, ids=lambda text: text.splitlines()[1].rstrip(":"))
def test_fragments_have_known_keys(text: str) -> None:
    findings = Findings()
    _, root = parse("fragment.yaml", text.encode(), findings)
    assert root is not None and not findings.items
    unknown: list[str] = []

    def walk(node: Node, section: Section | None) -> None:
        if isinstance(node, Mapping) and section is not None:
            for entry in node:
                found = field_of(section, str(entry.key.value))
                if found is None:
                    if section.name != "row":
                        unknown.append(f"{section.name}.{entry.key.value}")
                    continue
                walk(entry.value, section_of(entry.value, found))
        elif isinstance(node, Sequence):
            for item in node.items:
                walk(item, None)

    walk(root, SECTIONS["ruleset"])
    assert not unknown, plain(root)


def test_the_scenario_runs(tmp_path: Path) -> None:
    path = tmp_path / "example.yaml"
    path.write_text(SCENARIOS[0], encoding="utf-8")
    results = run([path])
    assert results and [result.text.en for result in results if not result.ok] == []

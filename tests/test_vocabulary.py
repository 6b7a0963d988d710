"""Every word and key of the language serves a game outside the 升级 family, or is listed here with the reason."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hongwu_rules.diagnostics import Findings
from hongwu_rules.language.words import COLLECTIONS, EFFECTS, FIELDS, FOLDS, WORDS
from hongwu_rules.loading import check
from hongwu_rules.model import Effect, ir
from hongwu_rules.model.fields import Section
from hongwu_rules.model.sections import KEYS, SECTIONS, field_of
from hongwu_rules.overlay.patches import section_of
from hongwu_rules.source import nodes
from hongwu_rules.source.reader import parse

ROOT = Path(__file__).parents[1]
GAMES = sorted((ROOT / "tests" / "ok").glob("*.yaml"))

# Keys that these games have no use for, and a file that uses each.
ELSEWHERE = {
    "ruleset.source": "rulesets/doudizhu.yaml",  # these games have no source document
    "any.remove": "rulesets/house/shengji_loose_tractors.yaml",  # these games are written from what they need
}
# Words and keys that at most one of these games uses, and that need no example.
PLAIN = {"source", "remove", "before", "after", "zh", "en"}
PLAIN |= {"min", "max", "colour", "pairs", "position", "seat", "for", "do", "next", "when", "require", "unique"}


def inside(value: Any) -> Iterator[Any]:
    """Every part of a model."""
    yield value
    if is_dataclass(value):
        for each in fields(value):
            yield from inside(getattr(value, each.name))
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from inside(each)
    elif isinstance(value, tuple | list):
        for each in value:
            yield from inside(each)


@cache
def words_of(path: Path) -> frozenset[str]:
    """The words that a game uses, as kind and name."""
    found: set[str] = set()
    for part in inside(check(path).ruleset):
        match part:
            case ir.Call():
                found.add(f"word {part.word}")
            case ir.Fold():
                found.add(f"fold {part.word}")
            case ir.Whole():
                found.add(f"collection {part.name}")
            case ir.Field():
                found.add(f"field {part.of.type.name}.{part.name}")
            case Effect():
                found.add(f"effect {part.word}")
    return frozenset(found)


def written(path: Path) -> set[str]:
    """The keys of a file, ``section.key``, and ``section.key: word`` where a key has words of its own to choose from."""
    found: set[str] = set()
    _, root = parse(str(path), path.read_bytes(), Findings())
    assert root is not None
    choices = root.get("options")

    def walk(node: nodes.Node, section: Section | None) -> None:
        if isinstance(node, nodes.Mapping) and section is not None:
            for entry in node:
                key = str(entry.key.value)
                at = next((name for name in (section.name, "any", "entry") if key in KEYS.get(name, {})), section.name)
                under = field_of(section, key)
                if under is None:
                    continue
                found.add(f"{at}.{key}")
                for word in under.choices:
                    if word in says(entry.value):
                        found.add(f"{at}.{key}: {word}")
                walk(entry.value, section_of(entry.value, under))
                if isinstance(entry.value, nodes.Sequence) and under.items is not None:
                    for item in entry.value.items:
                        walk(item, section_of(item, under.items))

    def says(node: nodes.Node) -> set[str]:
        """The words of a value, and those of an option that it names."""
        value = nodes.plain(node)
        value = value.get("is") if isinstance(value, dict) else value
        plain = nodes.plain(choices) if choices is not None else {}
        option = plain.get(value, {}) if isinstance(value, str) else {}
        return {*str(value).split(), *option.get("choices", {})}

    walk(root, SECTIONS["ruleset"])
    return found


@cache
def keys_of(path: Path) -> frozenset[str]:
    """The keys that a game uses, in its own file and in those that it extends."""
    files = [ROOT / "rulesets" / name for name in check(path).files]  # a file of the tests has its whole path
    return frozenset(key for each in files for key in written(each))


EVERY_WORD = [
    *(f"word {name}" for name in WORDS),
    *(f"fold {name}" for name in FOLDS),
    *(f"collection {name}" for name in COLLECTIONS),
    *(f"effect {name}" for name in EFFECTS),
    *(f"field {kind}.{name}" for kind, names in FIELDS.items() for name in names),
]
EVERY_KEY = [f"{section}.{key}" for section, names in KEYS.items() for key in names]
EVERY_CHOICE = [
    f"{section.name}.{key}: {word}"
    for section in SECTIONS.values()
    for key, under in section.fields.items()
    for word in under.choices
]


def rare() -> set[str]:
    """What at most one of the games uses, by its bare name; but for what needs no example."""
    numbers: Counter[str] = Counter()
    for path in GAMES:
        numbers.update(words_of(path) | keys_of(path))
    seldom = {each.split(": ")[-1] for each in (*EVERY_WORD, *EVERY_KEY, *EVERY_CHOICE) if numbers[each] <= 1}
    return {re.split(r"[ .]", each)[-1] for each in seldom} - PLAIN


def test_the_reference_names_another_game_for_what_is_rare() -> None:
    page = (ROOT / "rulesets" / "README.md").read_text(encoding="utf-8")
    rows = page.split("## 别的玩法怎么用")[1].split("\n## ")[0].splitlines()
    named = {word for row in rows for word in re.findall(r"`(\w+)`", row.split("|")[1] if row.count("|") > 3 else "")}
    known = {re.split(r"[ .]|: ", each)[-1] for each in (*EVERY_WORD, *EVERY_KEY, *EVERY_CHOICE)}
    assert rare() - named == set() and named - known == set()


def test_every_word_is_used_outside_the_family() -> None:
    assert [word for word in EVERY_WORD if not any(word in words_of(path) for path in GAMES)] == []


def test_every_key_is_used_outside_the_family() -> None:
    assert [key for key in EVERY_KEY if not any(key in keys_of(path) for path in GAMES)] == list(ELSEWHERE)


def test_every_choice_is_used_outside_the_family() -> None:
    assert [choice for choice in EVERY_CHOICE if not any(choice in keys_of(path) for path in GAMES)] == []


@pytest.mark.parametrize("key", ELSEWHERE)
def test_what_is_excused_is_used_where_it_says(key: str) -> None:
    assert key in written(ROOT / ELSEWHERE[key])

"""Every word and key of the language serves a game outside the 升级 family, or is listed here with the reason."""

from __future__ import annotations

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
def words() -> frozenset[str]:
    """The words that the games use, as kind and name."""
    found: set[str] = set()
    for path in GAMES:
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
def keys() -> frozenset[str]:
    """The keys that the games use, in their own files and in those that they extend."""
    files = {ROOT / "rulesets" / name for path in GAMES for name in check(path).files}  # a game has its whole path
    return frozenset(key for path in files for key in written(path))


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


def test_every_word_is_used_outside_the_family() -> None:
    assert [word for word in EVERY_WORD if word not in words()] == []


def test_every_key_is_used_outside_the_family() -> None:
    assert [key for key in EVERY_KEY if key not in keys()] == list(ELSEWHERE)


def test_every_choice_is_used_outside_the_family() -> None:
    assert [choice for choice in EVERY_CHOICE if choice not in keys()] == []


@pytest.mark.parametrize("key", ELSEWHERE)
def test_what_is_excused_is_used_where_it_says(key: str) -> None:
    assert key in written(ROOT / ELSEWHERE[key])

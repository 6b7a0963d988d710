"""What a key of a ruleset file is, and what a section: the words in which `sections` describes the layout."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from ..diagnostics import Text
from ..source import nodes


@dataclass(frozen=True, slots=True)
class Field:
    """What may stand under one key."""

    about: Text
    accepts: frozenset[str]  # "text", "int", "bool", "list", "map"
    section: str = ""  # the section that a mapping here is
    items: Field | None = None  # what a list here holds
    required: bool = False
    filled: bool = False  # an empty mapping or list is a fault
    dress: bool = False  # the value may be written {is: …, cite: …}
    choices: tuple[str, ...] = ()
    or_option: bool = False  # an option's name, or an expression over options, may stand for a choice
    low: int | None = None
    high: int | None = None
    form: str = ""  # how a text must look


@dataclass(frozen=True, slots=True)
class Section:
    """A kind of mapping: keys with a meaning of their own, and perhaps entries that the file names."""

    name: str
    about: Text
    fields: Mapping[str, Field] = field(default_factory=dict)
    names: str = ""  # the pattern of the names of entries; "" where there are none
    entry: Field | None = None
    label: bool = False  # an entry itself: may say before / after which sibling it stands


# How the names of entries look.
_WORD = r"[^\W\d]\w*"
NAME_PATTERNS: Final[dict[str, tuple[re.Pattern[str], Text]]] = {
    "word": (re.compile(_WORD), Text("NAME", "NAME")),
    "zone": (re.compile(rf"{_WORD}(\[\s*seat\s*\])?"), Text("NAME 或 NAME[seat]", "NAME or NAME[seat]")),
    "slot": (
        re.compile(rf"{_WORD}(\[\s*(seat|team)\s*(,\s*(seat|team)\s*)?\])?"),
        Text("NAME、NAME[seat]、NAME[team] 或 NAME[seat, seat]", "NAME, NAME[seat], NAME[team] or NAME[seat, seat]"),
    ),
    "define": (
        re.compile(rf"{_WORD}(\(\s*{_WORD}(\s*,\s*{_WORD})*\s*\))?"),
        Text("NAME 或 NAME(seat)", "NAME or NAME(seat)"),
    ),
    "group": (re.compile(rf"{_WORD}(\[\s*suit\s*\])?"), Text("NAME 或 NAME[suit]", "NAME or NAME[suit]")),
    "card": (re.compile(r"\S+"), Text("牌或点数", "a card or a rank")),
}

# Words of the expressions: nothing can be called so.
TAKEN: Final = frozenset({"and", "or", "not", "in", "is", "if", "else", "for", "when", "true", "false", "none"})


def base_name(key: object) -> str:
    """A key without its index or parameters: ``score[seat]`` is ``score``."""
    text = str(key)
    return (re.split(r"[\[(]", text, maxsplit=1)[0] if "[" in text or "(" in text else text).strip()


def is_dressed(node: nodes.Node) -> bool:
    """Whether a mapping only dresses a value: ``{is: …, cite: …}``."""
    return isinstance(node, nodes.Mapping) and "is" in node


SCALAR = ("text", "int", "bool")


def value(zh: str, en: str, *accepts: str, **more: object) -> Field:
    """What may stand under a key: its meaning, and the kinds of value."""
    return Field(Text(zh, en), frozenset(accepts), **more)  # type: ignore[arg-type]


def rule(zh: str, en: str, **more: object) -> Field:
    """A one-line expression, perhaps dressed."""
    return value(zh, en, *SCALAR, dress=True, **more)


def section(zh: str, en: str, name: str, **more: object) -> Field:
    """A key with a section under it."""
    return value(zh, en, "map", section=name, **more)


def texts(*, required: bool = False) -> dict[str, Field]:
    """The wording in both languages."""
    return {
        "zh": value("中文的说法", "its wording in Chinese", "text", required=required),
        "en": value("英文的说法", "its wording in English", "text", required=required),
    }


def container(name: str, zh: str, en: str, names: str, entry: Field, **fields: Field) -> Section:
    """A section whose entries bear names of the writer's own."""
    return Section(name, Text(zh, en), fields, names, entry)

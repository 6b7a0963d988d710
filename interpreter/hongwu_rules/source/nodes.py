"""A YAML file as plain data that still knows where each key and value stands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..diagnostics import Span
from ..records import Record, record

Plain = str | int | float | bool | None


@record()
class Scalar(Record):
    """One value. ``value`` is what it reads as, ``text`` how it is written (quotes taken off)."""

    value: Plain
    span: Span
    text: str = ""
    style: str = "plain"  # "plain", "quoted" or "block"


@record()
class Sequence(Record):
    """A list."""

    items: tuple[Node, ...]
    span: Span
    flow: bool = False


@record()
class Entry(Record):
    """One ``key: value`` of a mapping."""

    key: Scalar
    value: Node


@record()
class Mapping(Record):
    """A mapping; keys are strings or ints, in file order."""

    entries: tuple[Entry, ...]
    span: Span
    flow: bool = False

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __contains__(self, name: object) -> bool:
        return any(entry.key.value == name for entry in self.entries)

    def entry(self, name: str) -> Entry | None:
        """The entry with this key, or None."""
        for entry in self.entries:
            if entry.key.value == name:
                return entry
        return None

    def get(self, name: str) -> Node | None:
        """The value under this key, or None."""
        found = self.entry(name)
        return found.value if found else None


Node = Scalar | Sequence | Mapping


def titled(section: Node | None, word: str) -> str | None:
    """The entry that people read as ``word``: its name, where somebody wrote its title."""
    for entry in section if isinstance(section, Mapping) else ():
        for key in ("zh", "en"):
            title = entry.value.get(key) if isinstance(entry.value, Mapping) else None
            if isinstance(title, Scalar) and title.value == word:
                return str(entry.key.value)
    return None


def plain(node: Node) -> Any:
    """The bare Python data of a node, as a YAML loader would give it."""
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    return {entry.key.value: plain(entry.value) for entry in node.entries}

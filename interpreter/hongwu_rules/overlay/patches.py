"""What an overlay says, taken apart: the values it sets, the paths it removes, the steps it changes."""

from __future__ import annotations

import re
from dataclasses import replace

from ..diagnostics import Span, Text
from ..model.fields import Field, Section, base_name, is_dressed
from ..model.sections import SECTIONS, field_of
from ..source.nodes import Entry, Mapping, Node, Scalar, Sequence

Path = tuple[str, ...]
ROOT = SECTIONS["ruleset"]
IDENTITY = frozenset({"hongwu", "name", "title", "source", "extends", "abstract"})  # what makes a file itself
STEP = SECTIONS["step"]


def with_entry(tree: Mapping, name: str, entry: Entry | None) -> Mapping:
    """A copy of a mapping with one entry replaced, added (None: left out)."""
    entries = [item for item in tree if item.key.value != name]
    if entry is not None:
        at = next((i for i, item in enumerate(tree) if item.key.value == name), len(entries))
        entries.insert(at, entry)
    return Mapping(tuple(entries), tree.span, tree.flow)


def is_removal(section: Section | None, entry: Entry) -> bool:
    """Whether an entry is a ``remove:`` order; where entries have free names, only a list is one."""
    if section is None or entry.key.value != "remove":
        return False
    return isinstance(entry.value, Sequence) or (section.entry is None and isinstance(entry.value, Scalar))


def section_of(node: Node, found: Field | None) -> Section | None:
    """The section that a mapping is, standing where ``found`` says."""
    if found is None or not isinstance(node, Mapping):
        return None
    if found.dress and is_dressed(node):
        return SECTIONS["dress"]
    return SECTIONS.get(found.section)


def find_entry(tree: Mapping, name: str) -> Entry | None:
    """The entry with this name; its index or parameters may be left out."""
    exact = next((entry for entry in tree if str(entry.key.value) == name), None)
    return exact or next((entry for entry in tree if base_name(entry.key.value) == base_name(name)), None)


def with_value(tree: Mapping, name: str, value: Node) -> Mapping:
    """A copy of a mapping with another value under a key that it has."""
    return Mapping(
        tuple(replace(e, value=value) if str(e.key.value) == name else e for e in tree), tree.span, tree.flow
    )


def placed_by(node: Node, key: str, found: Field | None) -> Scalar | None:
    """The ``before`` or ``after`` of a labelled entry; an empty text where it is none."""
    section = section_of(node, found)
    if isinstance(node, Mapping) and section is None and found is not None and found.dress:
        section = SECTIONS["dress"]
    value = node.get(key) if isinstance(node, Mapping) and section is not None and section.label else None
    if value is None or isinstance(value, Scalar):
        return value
    return Scalar("", first_line(value.span))


def did_you_mean(word: str | None) -> tuple[Text, ...]:
    """The hint with the nearest known word, if there is one."""
    return (Text(f"是不是 `{word}`？", f"did you mean `{word}`?"),) if word else ()


def removals(order: Entry) -> list[Scalar]:
    """The paths of a ``remove:`` entry; what is no text is left to the check of the file's shape."""
    if isinstance(order.value, Sequence):
        return [
            item
            for item in order.value.items
            if isinstance(item, Scalar) and isinstance(item.value, str) and item.value.strip()
        ]
    if not isinstance(order.value, Scalar) or not isinstance(order.value.value, str):
        return []
    node = order.value
    words = list(re.finditer(r"[^\s,]+", order.value.value))
    return [
        node if len(words) == 1 else Scalar(word.group(), part_of(node, *word.span()), word.group()) for word in words
    ]


def split_path(text: str) -> list[str]:
    """``memory.deal.score[seat]`` in its parts."""
    return [part.strip() for part in text.strip().split(".")]


def part_of(scalar: Scalar, start: int, end: int) -> Span:
    """The span of a piece of a scalar; of all of it, if it is not written in one unquoted piece."""
    span = scalar.span
    simple = (
        scalar.style == "plain"
        and span.line == span.end_line
        and span.end_column - span.column == len(str(scalar.value))
    )
    return span.inside(start, end) if simple else span


def first_line(span: Span) -> Span:
    """A span that underlines no more than the line it begins on."""
    return span if span.line == span.end_line else Span(span.file, span.line, span.column, span.line, span.column + 1)


def as_step(node: Node) -> Node:
    """A step written as text taken apart into ``{do, for, when}``; anything else as it is."""
    if not isinstance(node, Scalar) or not isinstance(node.value, str):
        return node
    text, entries = node.value, []
    when = _outside(text, " when ")
    loop = _outside(text, " for ")
    ends = [at for at in (loop, when) if at >= 0]
    for key, start, end in (
        ("do", 0, min(ends, default=len(text))),
        ("for", loop + 5, when if when > loop else len(text))
        if loop >= 0 and (when < 0 or loop < when)
        else ("", 0, 0),
        ("when", when + 6, len(text)) if when >= 0 else ("", 0, 0),
    ):
        if key:
            piece = text[start:end]
            start += len(piece) - len(piece.lstrip())
            span = part_of(node, start, start + len(piece.strip()))
            entries.append(Entry(Scalar(key, span, key), Scalar(piece.strip(), span, piece.strip())))
    return Mapping(tuple(entries), node.span, flow=True)


def _outside(text: str, word: str) -> int:
    """Where a word first stands outside brackets and quotes, or -1."""
    depth, quote = 0, ""
    for i, char in enumerate(text):
        if quote or char in "'\"":
            quote = "" if char == quote else quote or char
        elif char in "([{)]}":
            depth += 1 if char in "([{" else -1
        elif depth == 0 and text.startswith(word, i):
            return i
    return -1


def walk_leaves(
    tree: Node, found: Field | None = None, section: Section | None = ROOT, path: Path = ()
) -> dict[Path, Node]:
    """Every single value that an overlay sets, by its path; removals and what makes a file itself left out."""
    if not isinstance(tree, Mapping):
        if found is not None and found.section == "step":
            return walk_leaves(as_step(tree), None, STEP, path) if isinstance(tree, Scalar) else {path: tree}
        return {(*path, "is"): tree} if found is not None and found.dress else {path: tree}
    leaves: dict[Path, Node] = {}
    for entry in tree:
        key = str(entry.key.value)
        if is_removal(section, entry) or (section is ROOT and key in IDENTITY):
            continue
        inner = field_of(section, key) if section is not None else None
        leaves |= walk_leaves(entry.value, inner, section_of(entry.value, inner), (*path, base_name(key)))
    return leaves


def walk_removals(tree: Node, section: Section | None = ROOT, path: Path = ()) -> dict[Path, Scalar]:
    """Every path that an overlay removes."""
    paths: dict[Path, Scalar] = {}
    if isinstance(tree, Mapping):
        for entry in tree:
            if is_removal(section, entry):
                paths |= {(*path, *map(base_name, split_path(str(item.value)))): item for item in removals(entry)}
            else:
                inner = field_of(section, str(entry.key.value)) if section is not None else None
                paths |= walk_removals(entry.value, section_of(entry.value, inner), (*path, base_name(entry.key.value)))
    return paths

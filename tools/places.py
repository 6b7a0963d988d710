"""The places of a ruleset file where something can be changed, and the changes of text that operators are made of."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hongwu_rules.language.words import FIELDS, WORDS
from hongwu_rules.model.fields import Field, Section, base_name
from hongwu_rules.model.sections import ANYWHERE, LABELLED, SECTIONS, field_of
from hongwu_rules.overlay.patches import section_of
from hongwu_rules.source.nodes import Entry, Mapping, Node, Scalar, Sequence
from mutations import Text

Path = tuple[str, ...]

# What says who the file is, or is meant for people.
IDENTITY = frozenset({"hongwu", "name", "title", "source", "cite", "zh", "en"})
KEYWORDS = frozenset(
    {"and", "or", "not", "in", "is", "if", "else", "for", "when", "by", "seen", "counted", "true", "false", "none"}
    | {"step"}
)
# Sections whose entries define something, and those whose entries other lines call by name.
DEFINING = frozenset({"options", "kinds", "zones", "slots", "define", "shapes", "acts", "tables", "order"})
NAMING = DEFINING | {"choices", "kind", "lines", "phases", "given"}
TOKEN = re.compile(r"[^\W\d]\w*")
_MOVE_NAMES = re.compile(r"made\((\w+)")


@dataclass(frozen=True, slots=True)
class Place:
    """A value somewhere in a file: an entry of a mapping or an item of a list."""

    path: Path  # names without index or parameters; items of lists by their number
    node: Node
    entry: Entry | None  # None: an item of a list
    found: Field | None  # what the layout of the language says of the value
    section: Section | None  # of the mapping that the entry stands in
    above: Place | None
    inside: Mapping | Sequence

    @property
    def key(self) -> str:
        """The key of an entry; of an item that of its list."""
        if self.entry is not None:
            return str(self.entry.key.value)
        return self.above.key if self.above is not None else ""

    @property
    def line(self) -> int:
        """Where it begins."""
        return (self.entry.key.span if self.entry is not None else self.node.span).line

    @property
    def rule(self) -> str:
        """The key that a value answers to, whether it is dressed (``{is: …}``) or not."""
        return self.above.key if self.key == "is" and self.above is not None else self.key

    @property
    def named_in(self) -> str:
        """The section that the entry which this value belongs to stands in."""
        place = self.above if self.key == "is" and self.above is not None else self
        return place.section.name if place.section is not None else ""

    def cites(self) -> frozenset[str]:
        """The clauses that the part cites, or the nearest part around it that cites any."""
        place: Place | None = self
        while place is not None:
            for node in (place.node, place.inside):
                cite = node.get("cite") if isinstance(node, Mapping) else None
                if isinstance(cite, Scalar):
                    return frozenset(str(cite.value).replace(",", " ").split())
            place = place.above
        return frozenset()


class File:
    """One file of a ruleset, with what the other files of the ruleset say about it."""

    def __init__(self, text: Text, below: Iterable[Text] = (), others: Iterable[Text] = ()) -> None:
        self.text = text
        self.places = list(places(text.root))
        self.patched = {place.path for one in below for place in places(one.root)}  # what this file only changes
        self.changed = {place.path for one in others for place in places(one.root)}
        every = [place for one in (text, *others) for place in places(one.root)]
        self.uses = Counter(token for place in every for token in _tokens(place))
        self.moves = Counter(token for place in every for token in _move_tokens(place))
        self.defines = {name: define.body.type.name for name, define in text.ruleset.defines.items()}
        self.known = {
            *text.pools,
            *self.uses,
            *WORDS,
            *KEYWORDS,
            *(name for fields in FIELDS.values() for name in fields),
        }

    def refers(self, place: Place, name: str) -> bool:
        """Whether a key means something to another line: a word of the language, or a name that is used."""
        section = place.section
        if section is None:
            return False
        if name in section.fields or name in ANYWHERE or (section.label and name in LABELLED):
            return True
        if section.entry is None or place.path in self.patched or place.path in self.changed:
            return True
        if section.name == "moves":
            return self.moves[name] > 0
        return section.names == "card" or (section.name in NAMING and self.uses[name] > 0)

    # ------------------------------------------------------------------ editing

    def bounds(self, part: Entry | Node) -> tuple[int, int]:
        """Where an entry or an item begins and ends in the text."""
        if isinstance(part, Entry):
            return self.text.offsets(part.key.span)[0], max(
                self.text.offsets(part.value.span)[1], self.text.offsets(part.key.span)[1]
            )
        return self.text.offsets(part.span)

    def put(self, start: int, end: int, new: str) -> str:
        """The text with a piece replaced."""
        return self.text.text[:start] + new + self.text.text[end:]

    def siblings(self, place: Place) -> list[tuple[int, int]]:
        """Where the entries or items of the same mapping or list stand."""
        inside = place.inside
        return [self.bounds(one) for one in (inside.entries if isinstance(inside, Mapping) else inside.items)]

    def cut(self, place: Place) -> str | None:
        """The text without an entry or item; what would be left empty goes too."""
        spans = self.siblings(place)
        if len(spans) == 1:
            return self.cut(place.above) if place.above is not None else None
        start, end = self.bounds(place.entry or place.node)
        at = spans.index((start, end))
        if at + 1 < len(spans):
            return self.put(start, spans[at + 1][0], "")
        return self.put(spans[at - 1][1], end, "")

    def doubled(self, place: Place) -> str:
        """The text with an entry written twice."""
        start, end = self.bounds(place.entry or place.node)
        line = self.text.text.rfind("\n", 0, start) + 1
        indent = " " * (start - line)
        joint = ", " if place.inside.flow else "\n" + indent
        return self.put(end, end, joint + self.text.text[start:end])

    def swapped(self, one: Place, two: Place) -> str:
        """The text with two neighbours in the other order."""
        (start, end), (first, last) = self.bounds(one.entry or one.node), self.bounds(two.entry or two.node)
        text = self.text.text
        return text[:start] + text[first:last] + text[end:first] + text[start:end] + text[last:]

    def written(self, scalar: Scalar, new: str) -> str:
        """The text with another value in place of a scalar."""
        start, end = self.text.offsets(scalar.span)
        plain = scalar.style == "plain" and re.search(r"^[^\w(-]|^-(?!\d)|[{}\[\],]|: | #|:$", new) is None
        return self.put(start, end, new if plain else json.dumps(new, ensure_ascii=False))


def places(root: Mapping) -> Iterator[Place]:
    """Every value of a file, in file order."""

    def walk(
        node: Node, section: Section | None, found: Field | None, path: Path, above: Place | None
    ) -> Iterator[Place]:
        if isinstance(node, Mapping):
            for entry in node:
                key = str(entry.key.value)
                inner = field_of(section, key) if section is not None else None
                if section is not None and section.name == "dress" and key == "is" and above is not None:
                    inner = above.found  # the value that is dressed
                place = Place((*path, base_name(key)), entry.value, entry, inner, section, above, node)
                yield place
                yield from walk(entry.value, section_of(entry.value, inner), inner, place.path, place)
        elif isinstance(node, Sequence):
            inner = found.items if found is not None else None
            for number, item in enumerate(node.items):
                place = Place((*path, str(number)), item, None, inner, None, above, node)
                yield place
                yield from walk(item, section_of(item, inner), inner, place.path, place)

    yield from walk(root, SECTIONS["ruleset"], None, (), None)


def _tokens(place: Place) -> list[str]:
    """The names in a value, if it is no wording."""
    if place.key in IDENTITY or not isinstance(place.node, Scalar):
        return []
    return TOKEN.findall(str(place.node.value))


def _move_tokens(place: Place) -> list[str]:
    """The names of moves in a value."""
    if not isinstance(place.node, Scalar):
        return []
    if place.rule in ("timeout", "like", "moves"):
        return TOKEN.findall(str(place.node.value))
    return _MOVE_NAMES.findall(str(place.node.value))

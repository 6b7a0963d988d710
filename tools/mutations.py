"""Small changes to the text of a ruleset: the value operators, each applied once at one place.

± one step, flipped comparison, negated condition, another joint (``and``/``or``, ``any``/``all``, ``+``/``-``),
swapped neighbours, dropped words, another name of the same kind, retargeted transition, dropped condition, dropped
entry.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from hongwu_rules import cards
from hongwu_rules.diagnostics import Findings, Span
from hongwu_rules.language.words import FIELDS, WORDS
from hongwu_rules.model import Ruleset
from hongwu_rules.model.sections import SECTIONS
from hongwu_rules.source.nodes import Entry, Mapping, Node, Scalar, Sequence
from hongwu_rules.source.reader import parse

SILENT = frozenset({"zh", "en", "cite", "title", "name", "source", "hongwu", "extends", "before", "after", "remove"})
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?!\w)|(?<=\.\.)\d+(?!\w)")
_NAME = re.compile(r"(?<![\w.])[^\W\d]\w*")
_FIELD = re.compile(r"(?<=\w\.)[a-z]+|(?<=\)\.)[a-z]+")
_FLIPS = {"==": "!=", "!=": "==", "<=": ">", ">=": "<", "<": ">=", ">": "<="}
_SIGN = re.compile(r"==|!=|<=|>=|(?<![-+*<>=!])[<>](?!=)")
_JOINTS = {
    " and ": " or ",
    " or ": " and ",
    " + ": " - ",
    " - ": " + ",
    " += ": " -= ",
    " -= ": " += ",
    " not in ": " in ",
    " in {": " not in {",
    " in [": " not in [",
    " is not none": " is none",
    " is none": " is not none",
}
_WORDS = (
    ("any", "all"),
    ("min", "max"),
    ("sum", "max"),
    ("up", "down"),
    ("true", "false"),
    ("all", "nobody"),
    ("next", "partner"),
    ("others", "seats_from"),
)


@dataclass(frozen=True, slots=True)
class Mutant:
    """A changed text, and what was changed: ``line`` of the file, the operator, before and after."""

    line: int
    operator: str
    change: str
    text: str


@dataclass(frozen=True, slots=True)
class Cited:
    """An entry or a list item that cites clauses. ``inside`` is the mapping or list that holds it."""

    cite: tuple[str, ...]
    node: Node
    entry: Entry | None
    inside: Mapping | Sequence
    span: Span


@dataclass(slots=True)
class Text:
    """A file of rules with the places of its nodes, and the names that its ruleset knows."""

    name: str
    text: str
    ruleset: Ruleset
    root: Mapping = field(init=False)
    starts: list[int] = field(init=False)
    pools: dict[str, tuple[str, ...]] = field(init=False)

    def __post_init__(self) -> None:
        findings = Findings()
        _, root = parse(self.name, self.text.encode(), findings)
        assert root is not None, findings.items
        self.root = root
        self.starts = [0]
        for line in self.text.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.pools = name_pools(self.ruleset)

    # ------------------------------------------------------------------ places

    def offsets(self, span: Span) -> tuple[int, int]:
        """Where a span begins and ends in the text."""
        return self.starts[span.line - 1] + span.column - 1, self.starts[span.end_line - 1] + span.end_column - 1

    def cited(self) -> list[Cited]:
        """Everything that cites, in file order."""
        found: list[Cited] = []

        def walk(node: Node, entry: Entry | None, inside: Mapping | Sequence) -> None:
            if isinstance(node, Mapping):
                cite = node.get("cite")
                if isinstance(cite, Scalar):
                    span = entry.key.span if entry is not None else node.span
                    found.append(Cited(tuple(str(cite.value).replace(",", " ").split()), node, entry, inside, span))
                for part in node:
                    walk(part.value, part, node)
            elif isinstance(node, Sequence):
                for item in node.items:
                    walk(item, None, node)

        for entry in self.root:
            walk(entry.value, entry, self.root)
        return found

    # ------------------------------------------------------------------ mutants

    def mutants(self, cited: Cited) -> Iterator[Mutant]:
        """Every value operator applied to one cited part, the most telling ones first."""
        scalars = list(own_scalars(cited.node))
        for scalar in scalars:
            yield from self.of_scalar(scalar)
        yield from self.dropped(cited)
        yield from self.swapped(cited)

    def of_scalar(self, scalar: Scalar) -> Iterator[Mutant]:
        """A value with one change in it."""
        text = "true" if scalar.value is True else "false" if scalar.value is False else str(scalar.value)
        seen = {text}
        for operator, new in variants(text, self.pools):
            if new not in seen and new.strip():
                seen.add(new)
                start, end = self.offsets(scalar.span)
                plain = re.fullmatch(r"-?\d+|true|false", new) is not None and scalar.style == "plain"
                written = new if plain else json.dumps(new, ensure_ascii=False)
                yield Mutant(
                    scalar.span.line, operator, f"{text} → {new}", self.text[:start] + written + self.text[end:]
                )

    def block(self, cited: Cited) -> tuple[int, int] | None:
        """The whole lines that an entry or item takes, if it has them to itself."""
        node = cited.node
        first = (cited.entry.key.span if cited.entry is not None else node.span).line
        last = node.span.end_line
        start, end = self.starts[first - 1], self.starts[min(last, len(self.starts) - 1)]
        lead = self.text[start : self.offsets(cited.entry.key.span if cited.entry is not None else node.span)[0]]
        alone = lead.strip() in ("", "-") and (cited.entry is None) == (lead.strip() == "-")
        return (start, end) if alone else None

    def dropped(self, cited: Cited) -> Iterator[Mutant]:
        """The file without the cited entry."""
        found = self.block(cited)
        if found is not None:
            start, end = found
            what = str(cited.entry.key.value) if cited.entry is not None else "item"
            yield Mutant(cited.span.line, "drop entry", what, self.text[:start] + self.text[end:])

    def swapped(self, cited: Cited) -> Iterator[Mutant]:
        """Neighbouring entries inside the cited mapping, or the cited entry and its neighbours, in the other order."""
        groups: list[list[tuple[int, int]]] = []
        own = self.block(cited)
        if isinstance(cited.node, Mapping) and not any(e.key.value in ("is", "do", "that") for e in cited.node):
            groups.append([b for e in cited.node if e.key.value not in SILENT and (b := self.lines_of(e))])
        if isinstance(cited.inside, Mapping):
            groups.append([b for e in cited.inside if (b := self.lines_of(e))])
        for group in groups:
            for (start, end), (first, last) in pairwise(group):
                if (
                    group is groups[-1]
                    and isinstance(cited.inside, Mapping)
                    and own not in ((start, end), (first, last))
                ):
                    continue
                if end <= first:
                    moved = self.text[first:last] + self.text[end:first] + self.text[start:end]
                    what = self.text[first:last].strip().splitlines()[0]
                    yield Mutant(cited.span.line, "swap neighbours", what, self.text[:start] + moved + self.text[last:])

    def lines_of(self, entry: Entry) -> tuple[int, int] | None:
        return self.block(Cited((), entry.value, entry, Mapping((), entry.key.span), entry.key.span))


def own_scalars(node: Node) -> Iterator[Scalar]:
    """The values that belong to a cited part itself: wordings and parts that cite for themselves are left out."""
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Sequence):
        for item in node.items:
            if not (isinstance(item, Mapping) and "cite" in item):
                yield from own_scalars(item)
    else:
        for entry in node:
            if entry.key.value not in SILENT and not (isinstance(entry.value, Mapping) and "cite" in entry.value):
                yield from own_scalars(entry.value)


def name_pools(ruleset: Ruleset) -> dict[str, tuple[str, ...]]:
    """For each name the others that might stand in its place."""
    groups: list[list[str]] = [list(ruleset.phases)]
    groups += [list(kind.words) for kind in ruleset.kinds.values()]
    groups += [list(option.type.words) for option in ruleset.options.values() if option.type.words]
    groups += [[name for name, zone in ruleset.zones.items() if zone.per_seat == flag] for flag in (True, False)]
    by_type: dict[tuple[str, str, int], list[str]] = {}
    for slot in ruleset.memory.values():
        by_type.setdefault((slot.type.name, slot.type.of, len(slot.index)), []).append(slot.name)
    for option in ruleset.options.values():
        by_type.setdefault((option.type.name, option.type.of, 0), []).append(option.name)
    for define in ruleset.defines.values():
        if not define.params:
            by_type.setdefault((define.body.type.name, define.body.type.of, 0), []).append(define.name)
    groups += by_type.values()
    groups.append([define.name for define in ruleset.defines.values() if define.params])
    groups.append([shape.name for shape in ruleset.shapes.items])
    groups.append([name for phase in ruleset.phases.values() for name in phase.moves])
    groups.append([line.name for group in ruleset.order.groups for line in group.lines])
    ranks = [
        name for number, name in cards.RANK_NAMES.items() if any(cards.RANK_OF[c] == number for c in ruleset.deck.cards)
    ]
    groups += [ranks, list(cards.SUITS), list(cards.COLOURS), ["seat", "leaver", "s", "viewer"]]
    groups += [list(group) for group in _WORDS]
    groups += [list(found.choices) for section in SECTIONS.values() for found in section.fields.values()]
    signatures: dict[tuple[tuple[str, ...], str], list[str]] = {}
    for name, word in WORDS.items():
        signatures.setdefault((word.params, word.result), []).append(name)
    groups += signatures.values()
    groups.append([cards.NAMES[card] for card in ruleset.deck.cards])
    pools: dict[str, dict[str, None]] = {}
    for group in groups:
        for name in group:
            pools.setdefault(name, {}).update(dict.fromkeys(other for other in _near(group, name) if other != name))
    return {name: tuple(others) for name, others in pools.items()}


def _near(group: list[str], name: str, most: int = 6) -> list[str]:
    """The members of a group around a name."""
    unique = list(dict.fromkeys(group))
    at = unique.index(name)
    return sorted(unique, key=lambda other: abs(unique.index(other) - at))[: most + 1]


def variants(text: str, pools: dict[str, tuple[str, ...]]) -> Iterator[tuple[str, str]]:
    """A value with one operator applied, as (operator, new text)."""
    for found in _NUMBER.finditer(text):
        for step in (1, -1):
            new = str(int(found.group()) + step)
            yield "number ± 1", text[: found.start()] + new + text[found.end() :]
    for found in _SIGN.finditer(text):
        yield "flip comparison", text[: found.start()] + _FLIPS[found.group()] + text[found.end() :]
    for found in re.finditer(r"(?:seen|counted) by (?!all|nobody)(.*?)(?= counted by |$)", text):
        for new in ("all", "nobody", f"not ({found.group(1)})"):
            yield "negate condition", text[: found.start(1)] + new + text[found.end(1) :]
    head, mark, guard = text.partition(" when ")
    if mark:
        yield "negate condition", f"{head} when not ({guard})"
        yield "drop condition", head
    elif " by " in text:
        cond, _, ranks = text.partition(" by ")
        yield "negate condition", f"not ({cond}) by {ranks}"
    elif not re.search(r"(?<![=<>!])=(?!=)", text):
        yield "negate condition", f"not ({text})"
    for joint, other in _JOINTS.items():
        for found in re.finditer(re.escape(joint), text):
            yield "another joint", text[: found.start()] + other + text[found.end() :]
    for found in re.finditer(r"(?<!\w)not (?!in |none)", text):
        yield "negate condition", text[: found.start()] + text[found.end() :]
    for found in _FIELD.finditer(text):
        for fields in FIELDS.values():
            for other in fields:
                if found.group() in fields and other != found.group():
                    yield "swap name", text[: found.start()] + other + text[found.end() :]
    yield from of_words(text)
    for found in _NAME.finditer(text):
        for other in pools.get(found.group(), ()):
            yield "swap name", text[: found.start()] + other + text[found.end() :]


def of_words(text: str) -> Iterator[tuple[str, str]]:
    """A row of words (ranks, shapes, moves): neighbours swapped, one dropped."""
    head, mark, tail = text.rpartition(" by ")
    words = (tail if mark else text).split()
    if len(words) < 2 or not all(re.fullmatch(r"\w+", word) for word in words):
        return
    for i in range(len(words) - 1):
        yield "swap neighbours", head + mark + " ".join([*words[:i], words[i + 1], words[i], *words[i + 2 :]])
    for i in range(len(words)):
        yield "drop word", head + mark + " ".join([*words[:i], *words[i + 1 :]])

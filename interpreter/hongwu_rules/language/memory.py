"""Zones and memory: where cards lie, what is remembered, and who sees it."""

from __future__ import annotations

from dataclasses import replace

from ..diagnostics import Span, Text
from ..diagnostics.nearest import nearest
from ..diagnostics.slips import range_meant
from ..model import Slot, Zone
from ..model.ir import BOOL, INT, SEAT, TEAM, Const, Expr, Type
from ..source.nodes import Mapping, Node, Scalar, Sequence
from .expressions import read
from .grammar import Piece, cut, find_outside, trim
from .notation import bounds_of, name_of, piece, undress
from .parser import Locals
from .parts import entries
from .world import World

ORDERED_WORDS = {"shuffle", "top", "nth"}


def declare_zones(world: World, node: Node | None) -> None:
    """Make the names of the zones known."""
    for entry in entries(node):
        name = name_of(entry.key)
        if name is not None:
            world.zones[name.name] = name.bracket == "["
            world.places[name.name] = entry.key.span


def read_zones(world: World, node: Node | None, ordered: set[str]) -> dict[str, Zone]:
    """``zones``: who sees the cards of each, and who knows how many there are."""
    out: dict[str, Zone] = {}
    for entry in entries(node):
        name, dress = name_of(entry.key), undress(entry.value)
        if name is None or not isinstance(dress.node, Scalar):
            continue
        names: dict[str, Type] = {"viewer": replace(SEAT, optional=True)}
        if name.bracket:
            names["seat"] = SEAT
        seen, counted = cut(piece(dress.node), "counted by")
        inner = seen.text.removeprefix("seen by ")
        if inner == seen.text:
            world.findings.add(
                "HW103",
                dress.node.span,
                "写明谁看得见，如 seen by all 或 seen by viewer == seat",
                'say who sees it, as in "seen by all" or "seen by viewer == seat"',
            )
            continue
        who = visibility(world, dress.node, trim(inner, seen.start + len(seen.text) - len(inner)), names)
        many = visibility(world, dress.node, counted, names) if counted is not None else None
        if who is not None:
            out[name.name] = Zone(
                name=name.name,
                per_seat=name.bracket == "[",
                seen=who,
                counted=many,
                ordered=name.name in ordered,
                text=dress.text,
                span=entry.key.span,
                cite=dress.cite,
            )
    return out


def visibility(world: World, scalar: Scalar, part: Piece, names: Locals) -> Expr | None:
    """``all``, ``nobody`` or a condition over ``viewer``."""
    if part.text in ("all", "nobody"):
        return Const(
            type=BOOL, at=world.locate(scalar, part.start, part.start + len(part.text)), value=part.text == "all"
        )
    return read(world, scalar, part, BOOL, names)


def memory_type(world: World, text: str, at: Span) -> Type | None:
    """The type of a slot: a basic type, a kind, ``TYPE?``, or a range of ints."""
    if ".." in text:
        spread = bounds_of(world, Scalar(text, at))
        return replace(INT, low=spread.low, high=spread.high, step=spread.step) if spread else None
    return world.basic(text)


def slot_parts(scalar: Scalar) -> tuple[Piece, Piece | None, Piece | None]:
    """``TYPE = START seen by COND`` in its three parts."""
    head, seen = cut(piece(scalar), "seen by")
    at = find_outside(head.text, "=")
    if at < 0:
        return head, None, seen
    return trim(head.text[:at], head.start), trim(head.text[at + 1 :], head.start + at + 1), seen


def declare_memory(world: World, node: Node | None) -> None:
    """Make the names and types of memory known."""
    for part in entries(node):
        for entry in entries(part.value):
            name, dress = name_of(entry.key), undress(entry.value)
            if name is None or not isinstance(dress.node, Scalar):
                continue
            text, _, _ = slot_parts(dress.node)
            at = world.locate(dress.node, text.start, text.start + len(text.text))
            kind = memory_type(world, text.text, at)
            if kind is None:
                world.faulty.add(name.name)
                near = range_meant(text.text) or nearest(
                    text.text.rstrip("?"),
                    ["bool", "int", "rank", "suit", "card", "cards", "seat", "team", *world.kinds],
                )
                hint = (Text(f"是不是“{near}”？", f'did you mean "{near}"?'),) if near else ()
                world.findings.add(
                    "HW401", at, f"没有“{text.text}”这个类型", f'there is no type "{text.text}"', help=hint
                )
                continue
            if any(index not in ("seat", "team") for index in name.parts):
                world.findings.add("HW103", entry.key.span, "下标只能是 seat 或 team", "an index is seat or team")
                continue
            if name.name in world.slots:
                world.findings.add(
                    "HW002",
                    entry.key.span,
                    f"“{name.name}”在 match 和 deal 里都有",
                    f'"{name.name}" stands under both match and deal',
                )
                continue
            world.slots[name.name] = (name.parts, kind)
            world.places[name.name] = entry.key.span


def read_memory(world: World, node: Node | None) -> dict[str, Slot]:
    """``memory``: what is remembered for a match or for a deal."""
    out: dict[str, Slot] = {}
    for part in entries(node):
        for entry in entries(part.value):
            name, dress = name_of(entry.key), undress(entry.value)
            if name is None or name.name not in world.slots or not isinstance(dress.node, Scalar):
                continue
            index, kind = world.slots[name.name]
            _, start, seen = slot_parts(dress.node)
            first = read(world, dress.node, start, kind, {}) if start is not None else None
            if start is None and not kind.optional and kind.name != "cards":
                world.findings.add(
                    "HW102",
                    dress.node.span,
                    "写明开始时的值，如 int = 0，或写 ? 表示可以未定",
                    "give a start value, as in int = 0, or write ? for may be unset",
                )
            names: dict[str, Type] = {"viewer": replace(SEAT, optional=True)}
            for i, what in enumerate(index):
                names[what if len(index) == 1 else f"{what}{i + 1}"] = SEAT if what == "seat" else TEAM
            who = visibility(world, dress.node, seen, names) if seen is not None else None
            out[name.name] = Slot(
                name=name.name,
                lifetime="match" if part.key.value == "match" else "deal",
                index=index,
                type=kind,
                start=first,
                seen=who,
                text=dress.text or Text(name.name, name.name),
                span=entry.key.span,
                cite=dress.cite,
            )
    return out


def ordered_zones(node: Node) -> set[str]:
    """The zones whose order matters: those that a step shuffles, or that anything takes the n-th card of."""
    found: set[str] = set()
    stack: list[Node] = [node]
    while stack:
        here = stack.pop()
        if isinstance(here, Mapping):
            stack += [entry.value for entry in here]
        elif isinstance(here, Sequence):
            stack += here.items
        elif isinstance(here.value, str) and "(" in here.value:
            for word in ORDERED_WORDS:
                for part in here.value.split(f"{word}(")[1:]:
                    found.add(part.split(")")[0].split(",")[0].split("[")[0].strip())
    return found

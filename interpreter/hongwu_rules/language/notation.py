"""Small texts inside values: ranges, rank lists, names with an index, and entries in a dress."""

from __future__ import annotations

import re
from typing import NamedTuple

from .. import cards
from ..diagnostics import Span, Text
from ..source.nodes import Mapping, Node, Scalar
from .grammar import Piece
from .world import World, normal

RANGE = re.compile(r"^(-?\d{1,18})?\s*\.\.\s*(-?\d{1,18})?(?:\s+step\s+(\d{1,18}))?$")
KEY = re.compile(r"^\s*([^\W\d]\w*)\s*(?:([\[(])\s*(.*?)\s*[\])])?\s*$")
RESERVED = frozenset({"cite"})  # after merging, the only key that every mapping may carry


class Dress(NamedTuple):
    """An entry without its dress ``{is: …, cite: …, zh: …, en: …}``."""

    node: Node
    cite: tuple[str, ...] = ()
    text: Text | None = None
    outer: Mapping | None = None


def undress(node: Node) -> Dress:
    """The rule itself and what it carries."""
    if isinstance(node, Mapping) and (inner := node.get("is")) is not None:
        return Dress(inner, cites(node), wording(node), node)
    return Dress(node)


def cites(node: Node | None) -> tuple[str, ...]:
    """The clauses that a mapping cites."""
    found = node.get("cite") if isinstance(node, Mapping) else None
    if isinstance(found, Scalar) and found.value is not None:
        return tuple(str(found.value).replace(",", " ").split())
    if found is not None and not isinstance(found, Scalar | Mapping):
        return tuple(str(item.value) for item in found.items if isinstance(item, Scalar))
    return ()


def wording(node: Node | None, default: str | None = None) -> Text | None:
    """The ``zh`` and ``en`` of a mapping; each falls back to the other, both to ``default``."""
    zh, en = (text_of(node.get(key)) if isinstance(node, Mapping) else None for key in ("zh", "en"))
    if zh is None and en is None:
        return Text(default, default) if default is not None else None
    return Text(zh or en or "", en or zh or "")


def text_of(node: Node | None) -> str | None:
    """The text of a scalar, or None."""
    return str(node.value) if isinstance(node, Scalar) and node.value is not None else None


def piece(scalar: Scalar) -> Piece:
    """The text of a scalar as an expression sees it."""
    if isinstance(scalar.value, bool):
        return Piece("true" if scalar.value else "false", 0)
    if scalar.value is None:
        return Piece("", 0)
    text = str(scalar.value)
    left = len(text) - len(text.lstrip())
    return Piece(text.strip(), left)


def flag(node: Node | None) -> bool:
    """A plain true or false of the file."""
    return isinstance(node, Scalar) and node.value is True


class Range(NamedTuple):
    """``low..high step n``; None where open."""

    low: int | None
    high: int | None
    step: int = 1


def range_of(scalar: Scalar) -> Range | None:
    """The range that a scalar writes: ``3``, ``1..7``, ``3..``, ``..0``, ``70..240 step 5``."""
    if isinstance(scalar.value, int) and not isinstance(scalar.value, bool):
        return Range(scalar.value, scalar.value)
    text = str(scalar.value).strip()
    if re.fullmatch(r"-?\d+", text):
        return Range(int(text), int(text))
    found = RANGE.match(text)
    if not found or len(text) > 60:
        return None
    low, high, step = found.groups()
    return Range(int(low) if low else None, int(high) if high else None, int(step or 1) or 1)


def bounds_of(world: World, scalar: Scalar, at: Span | None = None) -> Range | None:
    """As `range_of`; one that is upside down is noted, and read as it was meant, so that nothing follows from it."""
    found = range_of(scalar)
    if found is None or found.low is None or found.high is None or found.low <= found.high:
        return found
    said, hint = upside_down(str(scalar.value).strip(), found.low, found.high)
    world.findings.add("HW105", at or scalar.span, *said, help=(hint,))
    return Range(found.high, found.low, found.step)


def upside_down(text: str, low: int, high: int) -> tuple[Text, Text]:
    """What is wrong with a range that ends before it begins, and what to write."""
    return (
        Text(f"范围“{text}”反了，里面什么也没有", f'the range "{text}" is upside down and holds nothing'),
        Text(f"写 {high}..{low}", f"write {high}..{low}"),
    )


class Name(NamedTuple):
    """A key such as ``score[seat]`` or ``side(seat1, seat2)``."""

    name: str
    bracket: str  # "", "[" or "("
    parts: tuple[str, ...]


def name_of(key: Scalar) -> Name | None:
    """The name and index of a key; None if it is no name."""
    found = KEY.match(normal(str(key.value)))
    if not found:
        return None
    name, bracket, inside = found.groups()
    parts = tuple(part.strip() for part in inside.split(",") if part.strip()) if inside else ()
    return Name(name, bracket or "", parts)


def words(scalar: Scalar) -> list[Piece]:
    """The blank-separated words of a scalar with their offsets."""
    text = str(scalar.value) if scalar.value is not None else ""
    return [Piece(found.group(), found.start()) for found in re.finditer(r"[^\s,]+", text)]


def rank_spans(world: World, scalar: Scalar, part: Piece) -> tuple[Span, ...]:
    """Where each rank of ``A K Q J 10`` is written."""
    found = re.finditer(r"[^\s,]+", part.text)
    return tuple(world.locate(scalar, part.start + one.start(), part.start + one.end()) for one in found)


def rank_list(world: World, scalar: Scalar, part: Piece) -> tuple[int, ...] | None:
    """``A K Q J 10``: ranks, strongest first; None after noting a word that is no rank."""
    ranks: list[int] = []
    for found in re.finditer(r"[^\s,]+", part.text):
        rank = cards.RANKS.get(normal(found.group()).upper())
        if rank is None:
            at = world.locate(scalar, part.start + found.start(), part.start + found.end())
            world.findings.add(
                "HW201",
                at,
                f"没有“{found.group()}”这个点数",
                f'there is no rank "{found.group()}"',
                help=(Text("点数写作 2 到 10、J、Q、K、A、LJ、BJ", "ranks are 2 to 10, J, Q, K, A, LJ, BJ"),),
            )
            return None
        ranks.append(rank)
    return tuple(ranks)

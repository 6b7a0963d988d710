"""Values as JSON and back."""

from __future__ import annotations

from typing import Any

from .. import cards
from ..diagnostics import Text
from ..errors import PositionError, quoted
from ..model.ir import Type
from .layout import Layout


def names_of(layout: Layout, kind: Type) -> tuple[str, ...] | None:
    """The words by which values of a type are written, by number; None for what has no words."""
    match kind.name:
        case "word":
            return kind.words
        case "phase":
            return tuple(layout.ruleset.phases)
        case "shape":
            return tuple(shape.name for shape in layout.ruleset.shapes.items)
        case "suit":
            return cards.SUITS
        case "colour":
            return cards.COLOURS
        case "card":
            return cards.NAMES
        case "group":
            found: list[str] = []
            for group in layout.ruleset.order.groups:
                found += [f"{group.name}[{s}]" for s in cards.SUITS] if group.per_suit else [group.name]
            return tuple(found)
        case "line":
            return tuple(line.name for group in layout.ruleset.order.groups for line in group.lines)
        case _:
            return None


def encode(layout: Layout, kind: Type, value: Any) -> Any:
    """A value as JSON."""
    if value is None:
        return None
    if kind.name == "word":
        return kind.words[value]
    if kind.name == "cards":
        return layout.pack.names(value)
    if kind.name == "rank":
        return cards.RANK_NAMES[value]
    if kind.name == "bool":
        return bool(value)
    names = names_of(layout, kind)
    return names[value] if names is not None else value


def decode(layout: Layout, kind: Type, value: Any) -> Any:
    """The value that a JSON form stands for; PositionError if it is none of this type."""
    if value is None:
        if kind.optional:
            return None
        raise _wrong(kind, value)
    match kind.name:
        case "cards":
            try:
                ids = cards.parse_cards(value)
            except (cards.CardError, TypeError, AttributeError):
                raise _wrong(kind, value) from None
            if any(ids.count(card) > layout.ruleset.deck.cards.get(card, 0) for card in set(ids)):
                some = " ".join(cards.NAMES[card] for card in ids[:20])
                raise PositionError(Text(f"牌里没有这么多：{some}", f"the deck has not so many of these: {some}"))
            return layout.pack.of(ids)
        case "rank":
            rank = quoted(value).strip("'").upper()
            if rank in cards.RANKS:
                return cards.RANKS[rank]
        case "card":
            try:
                return cards.parse_card(value)
            except (cards.CardError, AttributeError):
                raise _wrong(kind, value) from None
        case "bool":
            if isinstance(value, bool):
                return value
        case "seat" | "team":
            most = layout.seats if kind.name == "seat" else layout.teams
            if _is_int(value) and 0 <= value < most:
                return value
        case "int":
            if _is_int(value) and (kind.low is None or value >= kind.low) and (kind.high is None or value <= kind.high):
                return value
        case _:
            names = names_of(layout, kind)
            if names is not None and value in names:
                return names.index(value)
    raise _wrong(kind, value)


_BITS = 4096  # of a number: more could not be written down again


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value.bit_length() <= _BITS


def _wrong(kind: Type, value: Any) -> PositionError:
    what = kind.of or kind.name
    return PositionError(Text(f"{quoted(value)} 不是一个 {what}", f"{quoted(value)} is no {what}"))

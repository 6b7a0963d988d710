"""The words about leads of several parts: what a follower owes, what fails, what is led instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..cards.duties import demand_of
from ..cards.forms import Reading
from ..cards.shapes import ShapeBook
from ..cards.throws import Part
from ..cards.tricks import Trick
from ..model import Ruleset
from ..model.ir import Expr, ZoneRef
from . import faults
from .layout import Layout
from .working import Working


def hands_of(ruleset: Ruleset) -> str | None:
    """The zone of every seat that plays of several parts are picked from; None if there is none."""
    made = {shape.name for shape in ruleset.shapes.items if shape.parts}
    moves = [move for phase in ruleset.phases.values() for move in phase.moves.values()]
    for move in sorted(moves, key=lambda move: not made & set(move.shapes)):
        if isinstance(move.pick, ZoneRef) and ruleset.zones[move.pick.name].per_seat:
            return move.pick.name
    return None


def throwing(layout: Layout, number: Callable[[Expr | None], int]) -> dict[str, Any]:
    """The words as functions of generated code. ``number`` works out an expression over options."""
    ruleset, pack = layout.ruleset, layout.pack
    name = hands_of(ruleset)
    hands = layout.zones[name] if name is not None else None
    any_part = number(ruleset.trick.forced_from) == 0
    shapes = {shape.name: index for index, shape in enumerate(ruleset.shapes.items)}
    order: dict[int, int] = {}  # shape → how soon a part of it is led
    usual = [(part,) for shape in ruleset.shapes.items for part in reversed(shape.parts)]
    for place, names in enumerate(ruleset.trick.forced or usual):
        for name_of_shape in names:
            order.setdefault(shapes[name_of_shape], place)

    def follows_sets(picked: int, hand: int, trick: Trick | None, book: ShapeBook) -> bool:
        owed = _owed(picked, hand, trick, book)
        return owed is None or book.duties.follows_sets(owed[0], owed[1], demand_of(owed[2]))

    def follows_runs(picked: int, hand: int, trick: Trick | None, book: ShapeBook) -> bool:
        owed = _owed(picked, hand, trick, book)
        return owed is None or book.duties.follows_runs(owed[0], owed[1], demand_of(owed[2]))

    def _owed(picked: int, hand: int, trick: Trick | None, book: ShapeBook) -> tuple[int, int, Reading] | None:
        """The cards of the group led that are played and held, and the lead; None where nothing is owed."""
        if trick is None:
            raise faults.unset("桌上还没有牌", "there is no trick on the table")
        lead = trick.plays[0].reading
        if lead is None or (lead.width == 1 and not lead.parts and lead.length == 1):
            return None
        mask = book.table.group_mask[lead.group]
        held = hand & mask
        if pack.count(held) <= pack.count(picked):
            return None  # all of it must go
        return picked & mask, held, lead

    # by question what was asked last, and the answer: a throw is asked about repeatedly
    lately: dict[Callable[..., Any], tuple[Any, Any]] = {}

    def against_hands(ask: Callable[..., Any], g: Working, cards: int) -> Any:
        """What a question about a throw gives with the hands of all other seats."""
        if hands is None:
            return ask(g.book(), cards, ())
        asked = cards, g.book(), g.z[hands.base : hands.base + hands.size]
        latest = lately.get(ask)
        if latest is None or latest[0] != asked:
            found = [hand for seat, hand in enumerate(asked[2]) if seat != g.seat]
            if hands.zone.ordered:
                found = [pack.of(hand) for hand in found]
            latest = lately[ask] = asked, ask(asked[1], cards, found)
        return latest[1]

    def any_beaten(g: Working, cards: int) -> bool:
        return bool(against_hands(ShapeBook.any_beaten, g, cards))

    def beaten_parts(g: Working, cards: int) -> list[Part]:
        found: list[Part] = against_hands(ShapeBook.beaten, g, cards)
        return found

    def beaten(g: Working, cards: int) -> int:
        return sum([part.cards for part in beaten_parts(g, cards)])

    def forced(g: Working, cards: int) -> int:
        parts = g.book().parts(cards)
        if len(parts) > 1 and not any_part:
            parts = tuple(beaten_parts(g, cards))
        if not parts:
            return cards

        def soonest(part: Part) -> tuple[int, int, int, int]:
            reading = part.reading
            return order.get(reading.shape, len(order)), reading.length, reading.top, reading.width

        return min(parts, key=soonest).cards

    def parts(book: ShapeBook, cards: int) -> tuple[int, ...]:
        return tuple([part.cards for part in book.parts(cards)])

    return {
        "any_beaten": any_beaten,
        "beaten": beaten,
        "follows_runs": follows_runs,
        "follows_sets": follows_sets,
        "forced": forced,
        "parts": parts,
    }


__all__ = ["hands_of", "throwing"]

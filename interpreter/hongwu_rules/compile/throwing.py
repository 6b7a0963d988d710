"""The words about leads of several parts: what a follower owes, what fails, what is led instead."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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


class Throw:
    """A throw that was asked about: the cards, the shapes, the hands then, whose it is, the hands of the others, and
    whether one of them beats a part, once that is known."""

    __slots__ = ("book", "cards", "fails", "held", "others", "seat")

    def __init__(self, cards: int, book: ShapeBook, held: Sequence[Any], seat: int | None, others: list[int]) -> None:
        self.cards, self.book, self.held, self.seat, self.others = cards, book, held, seat, others
        self.fails: bool | None = None


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

    first, last = (hands.base, hands.base + hands.size) if hands is not None else (0, 0)
    latest: list[Throw] = []

    def throw_of(g: Working, book: ShapeBook, cards: int) -> Throw:
        """The throw; the one asked about last is kept, as each is asked about repeatedly."""
        known = latest[0] if latest else None
        held = g.z[first:last]
        if (
            known is not None
            and known.cards == cards
            and known.book is book
            and known.held == held
            and known.seat == g.seat
        ):
            return known
        found = [hand for seat, hand in enumerate(held) if seat != g.seat]
        if hands is not None and hands.zone.ordered:
            found = [pack.of(hand) for hand in found]
        made = Throw(cards, book, held, g.seat, found)
        latest[:] = [made]
        return made

    def any_beaten(g: Working, cards: int) -> bool:
        book = (g.order or g.program.order_of(g))[1]
        reading = book.read(cards)
        if reading is None or not reading.parts:
            return False
        throw = throw_of(g, book, cards)
        if throw.fails is None:
            throw.fails = book.any_beaten(cards, throw.others)
        return throw.fails

    def beaten_parts(g: Working, cards: int) -> list[Part]:
        book = g.book()
        return book.beaten(cards, throw_of(g, book, cards).others)

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

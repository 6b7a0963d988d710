"""What generated functions work on: the lists of a step in progress, or the tuples of a state."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import TYPE_CHECKING, Any

from ..cards.order import OrderTable
from ..cards.shapes import ShapeBook
from ..cards.tricks import Trick

if TYPE_CHECKING:
    from .chance import Chance
    from .program import Program

Event = tuple[Any, ...]


class Working:
    """Memory, zones, trick and events. ``rows`` notes the table rows that a step in progress applies."""

    __slots__ = ("chance", "e", "m", "made", "program", "rows", "seat", "trick", "z")

    def __init__(
        self,
        program: Program,
        m: MutableSequence[Any] | Sequence[Any],
        z: MutableSequence[Any] | Sequence[Any],
        trick: Trick | None,
        chance: Chance,
        seat: int | None = None,
    ) -> None:
        self.program = program
        self.m: Any = m
        self.z: Any = z
        self.trick = trick
        self.chance = chance
        self.seat = seat  # who is to act, or is acting
        self.made = 0  # the moves made in this round of which the file asks, as bits
        self.e: list[Event] = []
        self.rows: dict[Event, None] | None = None

    def table(self) -> OrderTable:
        """The order under the present memory."""
        return self.program.order_of(self)[0]

    def book(self) -> ShapeBook:
        """The shapes under the present memory."""
        return self.program.order_of(self)[1]

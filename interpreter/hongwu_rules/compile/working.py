"""What generated functions work on: the lists of a step in progress, or the tuples of a state."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import TYPE_CHECKING, Any

from ..cards.order import OrderTable
from ..cards.shapes import ShapeBook
from ..cards.tricks import Trick

if TYPE_CHECKING:
    from .chance import Chance
    from .program import Order, Program

Event = tuple[Any, ...]


class Working:
    """Memory, zones, trick and events, and where play stands: phase, seat, round.

    ``m`` and ``z`` are by place. ``waiting`` has the bits of the seats that an open round does not ask again (else
    None), ``made`` those of the moves made in an open round of which the file asks, ``measures`` the last value of
    each measure in this deal. ``rows`` notes the table rows that a step in progress applies. ``order`` is the
    present order with its shapes, once something asked for it.
    """

    __slots__ = (
        "chance",
        "e",
        "m",
        "made",
        "measures",
        "order",
        "phase",
        "program",
        "rows",
        "seat",
        "trick",
        "waiting",
        "z",
    )

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
        self.phase = program.start
        self.seat = seat  # who is to act, or is acting
        self.waiting: int | None = None
        self.made = 0
        self.measures: tuple[int | None, ...] = ()
        self.e: Any = []
        self.rows: dict[Event, None] | None = None
        self.order: Order | None = None

    def table(self) -> OrderTable:
        """The order under the present memory."""
        return (self.order or self.program.order_of(self))[0]

    def book(self) -> ShapeBook:
        """The shapes under the present memory."""
        return (self.order or self.program.order_of(self))[1]

"""A compiled ruleset: what the machine runs, and how its values are written down."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from ..cards.order import OrderTable
from ..cards.shapes import ShapeBook
from ..cards.tricks import Trick
from ..diagnostics import NOWHERE, Span
from ..errors import RulesFault
from ..model import Move as MoveModel
from ..model import Phase as PhaseModel
from ..model import Ruleset
from ..model.ir import Type
from . import faults
from .asks import Asks, CompiledClause, Function
from .layout import Layout
from .values import decode, encode
from .working import Working

if TYPE_CHECKING:
    from collections.abc import Iterator

Sight = Callable[[Working], int]
Order = tuple[OrderTable, ShapeBook]


@dataclass(frozen=True, slots=True, eq=False)
class CompiledMove:
    """A move. ``zone(g, seat, 0, None)`` is the place picked from, ``held`` the cards there, ``low`` and ``high`` bound
    the number of cards; ``ready(g, seat)`` is None where a clause forbids the move whatever is picked and chosen, else
    which guarded clauses count, as bits, and these cards and bounds (None: not bounded). ``choices`` gives everything that may be chosen, ``choosable`` what of it passes the clauses that
    always ask about it alone. ``legal`` says whether the move may be made, ``step`` makes it and gives the phase to go on
    with, -1 where a seat of this one is to act."""

    model: MoveModel
    index: int
    name: str
    quiet: bool
    zone: Function | None
    held: Function | None
    ready: Callable[[Working, int], tuple[int, int, int | None, int | None] | None]
    low: Function | None
    high: Function | None
    shapes: frozenset[int] | None
    choices: Function | None
    choosable: Function | None
    choice_type: Type | None
    clauses: tuple[CompiledClause, ...]
    legal: Function
    asks: Asks
    step: Callable[[Working, int, int, Any], int]
    pick_at: Span  # where the file says what is picked …
    choose_at: Span  # … and what is chosen
    plain: bool  # whether it picks and chooses nothing and no clause forbids it
    bit: int = 0  # noted when it is made, where the file asks for that


@dataclass(frozen=True, slots=True)
class CompiledPhase:
    """A phase. ``enter`` enters it and gives the phase to go on with, -1 where a seat is to act or all is over;
    ``seat(g, None, 0, None)`` is who acts in a phase of one seat."""

    model: PhaseModel
    index: int
    name: str
    kind: Literal["auto", "seat", "round", "final"]
    seat: Function | None
    moves: Mapping[str, CompiledMove]
    enter: Callable[[Working], int]


@dataclass(frozen=True)
class Program:
    """A ruleset under fixed options. Two programs are equal if their digests are."""

    digest: str
    ruleset: Ruleset = field(compare=False, repr=False)
    options: Mapping[str, int | bool] = field(compare=False, repr=False)
    layout: Layout = field(compare=False, repr=False)
    source: str = field(compare=False, repr=False)  # the generated module
    spans: tuple[Span, ...] = field(compare=False, repr=False)  # the place of each of its lines
    filename: str = field(compare=False, repr=False)
    phases: tuple[CompiledPhase, ...] = field(compare=False, repr=False)
    numbers: Mapping[str, int] = field(compare=False, repr=False)  # phase name → number
    direction: int = field(compare=False, repr=False)  # 0 clockwise, 1 counter-clockwise
    start: int = field(compare=False, repr=False)
    unmeasured: tuple[None, ...] = field(compare=False, repr=False)  # for each phase with a measure
    start_match: Callable[[Working], None] = field(compare=False, repr=False)
    start_deal: Callable[[Working], None] = field(compare=False, repr=False)
    returns: Callable[[Working, int], int] | None = field(compare=False, repr=False)
    leave: Callable[[Working, int], None] | None = field(compare=False, repr=False)
    leave_to: int = field(compare=False, repr=False)
    add_play: Callable[[Working, int, int], None] = field(compare=False, repr=False)  # g, seat, cards: to the trick
    see_slot: tuple[Sight, ...] = field(compare=False, repr=False)
    see_zone: tuple[Sight, ...] = field(compare=False, repr=False)
    count_zone: tuple[Sight, ...] = field(compare=False, repr=False)
    classes: tuple[int, ...] = field(compare=False, repr=False)  # by card id: the lowest id of its class
    order_lasts: bool = field(compare=False, repr=False)  # until memory changes that it reads
    order_key: Callable[[Working], tuple[Any, ...]] = field(compare=False, repr=False)
    make_order: Callable[[Working], Order] = field(compare=False, repr=False)
    orders: dict[tuple[Any, ...], Order] = field(compare=False, repr=False)  # made so far
    kept: dict[Any, Any] = field(compare=False, repr=False)  # what play worked out once for all states

    def order_of(self, g: Working) -> Order:
        """The order and the shapes under the memory of ``g``."""
        key = self.order_key(g)
        found = self.orders.get(key)
        if found is None:
            if len(self.orders) >= 256:
                self.orders.clear()
            found = self.orders[key] = self.make_order(g)
        if self.order_lasts:
            g.order = found
        return found

    def fault(self, error: Exception) -> RulesFault:
        """What an error of a generated function means, with the place of the line of the ruleset."""
        place = NOWHERE
        for frame, line in traceback.walk_tb(error.__traceback__):
            if (
                frame.f_code.co_filename == self.filename
                and line <= len(self.spans)
                and self.spans[line - 1] != NOWHERE
            ):
                place = self.spans[line - 1]
        if isinstance(error, RulesFault):
            return error if error.place != NOWHERE else RulesFault(error.code, error.text, place)
        if isinstance(error, ZeroDivisionError):
            return RulesFault("HW906", faults.NO_ZERO, place)
        if isinstance(error, IndexError | ValueError | KeyError):
            return RulesFault("HW906", faults.NONE_FITS, place)
        return RulesFault("HW408", faults.UNSET, place)

    def play(self, g: Working, trick: Trick | None, seat: int, cards: int) -> Trick:
        """The trick after one more play, wherever its cards come from; ``g`` is left with it on the table."""
        g.trick = trick
        self.add_play(g, seat, cards)
        assert g.trick is not None
        return g.trick

    def encode(self, kind: Type, value: Any) -> Any:
        """A value as JSON: cards by name, words by their word, ranks and suits as written."""
        return encode(self.layout, kind, value)

    def decode(self, kind: Type, value: Any) -> Any:
        """The value of a JSON form; PositionError if it is none."""
        return decode(self.layout, kind, value)

    def slot_name(self, place: int) -> str:
        """``score[0]`` for a memory place."""
        found, key = self.layout.slot_at[place]
        return found.slot.name + (f"[{', '.join(map(str, key))}]" if key else "")

    def zone_name(self, place: int) -> str:
        """``hand[0]`` for a zone place, ``trick`` for the trick."""
        if place < 0:
            return "trick"
        zone, seat = self.layout.zone_at[place]
        return zone.name if seat is None else f"{zone.name}[{seat}]"

    def audit(self, g: Working) -> None:
        """A card is never in two places and none is lost; AssertionError otherwise. Nothing may be hidden."""
        pack, total = self.layout.pack, 0
        for place, held in enumerate(g.z):
            total += pack.of(held) if self.layout.zone_at[place][0].ordered else held
        total += sum(play.cards for play in g.trick.plays) if g.trick is not None else 0
        if total not in (0, self.layout.deck):
            raise AssertionError(f"cards lost or doubled: {pack.names(total)}")

    def rows(self) -> Iterator[tuple[str, str]]:
        """Every row of every table, as (table, row)."""
        for table in self.ruleset.tables.values():
            for row in table.rows:
                yield table.name, row.name

    def __reduce__(self) -> tuple[Any, ...]:
        from .build import compile_again

        return compile_again, (self.ruleset, dict(self.options), self.digest)


__all__ = ["CompiledMove", "CompiledPhase", "Program"]

"""A ruleset as frozen values, each with the place it was written at.

This is the whole of what a file says, names and types settled; nothing here runs. The reading of
a file makes it, the checker proves things about it, the compiler turns it into a program.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from ..diagnostics import NOWHERE, Span, Text
from ..records import Record, record
from .ir import Expr, Type


@record()
class Cited(Record):
    """What every part of a file may carry."""

    span: Span = NOWHERE
    cite: tuple[str, ...] = ()


@record(kw_only=True)
class Option(Cited):
    """A setting. ``domain`` lists every value if there are few, else the ends of the range."""

    name: str
    type: Type  # bool, int with bounds, or word with its choices
    default: int | bool  # a word by its place in type.words
    text: Text
    choices: tuple[Text, ...] = ()  # the wording of each choice, for words


@record(kw_only=True)
class Kind(Cited):
    """An ordered list of words, lowest first."""

    name: str
    words: tuple[str, ...]
    texts: tuple[Text, ...]


@record(kw_only=True)
class Seats(Cited):
    """Seats are numbered in the order of play. ``teams[seat]`` is empty where nobody has a partner."""

    count: int
    direction: Expr | None = None  # a constant or an option: 0 clockwise, 1 counter_clockwise
    teams: tuple[int, ...] = ()


@record(kw_only=True)
class Deck(Cited):
    """``cards`` maps a card id to its copies. ``alias[id]`` is the card that it counts as."""

    packs: int
    cards: Mapping[int, int]
    alias: Mapping[int, int] = field(default_factory=dict)
    points: Mapping[int, int] = field(default_factory=dict)  # card id → points
    total: int | None = None  # what the file says they add up to
    total_span: Span = NOWHERE
    changed_span: Span | None = None  # where another file than that of `total` changes what the points come from
    packs_span: Span = NOWHERE
    keep_span: Span = NOWHERE


@record(kw_only=True)
class Zone(Cited):
    """Where cards lie. ``seen`` and ``counted`` read the locals ``viewer`` and, if per seat, ``seat``."""

    name: str
    per_seat: bool
    seen: Expr
    counted: Expr | None  # None: everybody knows how many
    ordered: bool  # a pile whose order matters (shuffle, top, nth)
    text: Text | None = None  # its wording, if the file gives one


@record(kw_only=True)
class Slot(Cited):
    """One piece of memory. ``index`` holds "seat" or "team" for each of its indices."""

    name: str
    lifetime: Literal["match", "deal"]
    index: tuple[str, ...]
    type: Type
    start: Expr | None  # None: unset, or no cards
    seen: Expr | None  # None: by all. Locals: viewer, and seat (seat1, seat2 with two indices)
    text: Text


@record(kw_only=True)
class Define(Cited):
    """A named expression. A parameter is named by its type, with a digit where two are alike."""

    name: str
    params: tuple[tuple[str, Type], ...]
    body: Expr


@record(kw_only=True)
class Ladder(Cited):
    """The steps of a promotion, lowest first, and those at which it halts."""

    steps: tuple[int, ...]  # ranks
    stops: tuple[int, ...] = ()


@record(kw_only=True)
class Line(Cited):
    """One line of an order: the cards (local ``card``) for which ``that`` holds, strongest rank first."""

    name: str
    that: Expr | None  # None: every card left
    ranks: tuple[int, ...] = ()  # empty: all on one step
    rank_spans: tuple[Span, ...] = ()  # where each of them is written


@record(kw_only=True)
class Group(Cited):
    """A group of cards that follow each other. ``per_suit``: one such group for each suit."""

    name: str
    per_suit: bool
    lines: tuple[Line, ...]


@record(kw_only=True)
class Order(Cited):
    """Strongest group, line and step first; a card stands on the first line that fits it."""

    groups: tuple[Group, ...]
    close_over: Expr | None = None  # local card: may a run step over this missing card
    across_lines: Expr | None = None


@record(kw_only=True)
class Wings(Cited):
    """Cards attached to a shape: for each set of its body ``each`` sets of ``width`` alike."""

    width: int
    each: int = 1
    distinct: Expr | None = None  # reads options only: no two of these sets are alike


@record(kw_only=True)
class Shape(Cited):
    """``width`` cards alike on each of ``length`` neighbouring steps, perhaps with ``wings``.

    Or ``count`` parts of other shapes; or exactly these ``cards``.
    """

    name: str
    text: Text
    width: tuple[int, int]
    length: tuple[int, int] = (1, 1)
    within: tuple[int, ...] = ()  # ranks a run may touch; empty: any
    power: Expr | None = None  # locals width, length: a play beats every shape of less power
    when: Expr | None = None  # reads options only
    parts: tuple[str, ...] = ()  # names of other shapes, in the order in which a play is read into them
    count: tuple[int, int | None] = (2, None)  # fewest and most parts
    wings: Wings | None = None
    cards: tuple[int, ...] = ()  # card ids, copies repeated


@record(kw_only=True)
class Clause(Cited):
    """One named reason why a move may be illegal, or why cards are no such shape."""

    name: str
    that: Expr
    when: Expr | None
    text: Text


@record(kw_only=True)
class Shapes(Cited):
    """All shapes in reading order. ``require``: what holds for wings; locals ``body``, ``wings``, ``shape``."""

    alike_by: Literal["card", "step"]
    items: tuple[Shape, ...]
    require: tuple[Clause, ...] = ()


@record(kw_only=True)
class TrickRules(Cited):
    """``ruff`` reads the local ``play``: may it compete outside the group that was led.

    The other expressions read options only. ``over_ruff``: what a play of several parts is measured by (0 every
    part, 1 the largest kind, 2 the highest card). ``equal``: which of equals wins (0 first, 1 last). ``forced``:
    the shapes of parts, in the order in which one is led instead of a failed throw; those of one entry
    count alike. ``forced_from``: 0 any part thrown, 1 a part that is beaten.
    """

    ruff: Expr | None = None
    text: Text | None = None  # what the ruff asks for, in words
    over_ruff: Expr | None = None
    equal: Expr | None = None
    forced: tuple[tuple[str, ...], ...] = ()
    forced_from: Expr | None = None


@record(kw_only=True)
class Assign(Cited):
    """``slot[index] op value``; ``op`` is ``= += -= *=``. ``random``: value is a list to draw from."""

    slot: str
    index: tuple[Expr, ...]
    op: str
    value: Expr
    random: bool = False


@record(kw_only=True)
class Effect(Cited):
    """``shuffle deal move play show`` with its arguments. A zone argument is a ``ZoneRef``."""

    word: str
    args: tuple[Expr, ...]


@record(kw_only=True)
class Step(Cited):
    """One action, perhaps repeated and guarded. Acts are already written out in place."""

    name: str  # the label, or ""
    action: Assign | Effect
    loops: tuple[tuple[str, Type, Expr], ...] = ()
    when: Expr | None = None


@record(kw_only=True)
class Move(Cited):
    """What a seat may do: at most one pick of cards and one choice, the clauses, the steps."""

    name: str
    text: Text
    pick: ZoneRefLike | None = None
    count: tuple[Expr, Expr] | None = None  # fewest and most cards
    shapes: tuple[str, ...] = ()  # shapes the pick must read as; empty: any cards
    choose: Expr | None = None  # a Whole, or a ListOf: what is chosen from
    quiet: bool = False
    require: tuple[Clause, ...] = ()
    do: tuple[Step, ...] = ()


ZoneRefLike = Expr  # a ZoneRef; named so that a reader sees what ``pick`` holds


@record(kw_only=True)
class Transition(Cited):
    """Where play goes; ``when`` None is the way that is always open."""

    to: str
    when: Expr | None


@record(kw_only=True)
class Phase(Cited):
    """A state of the machine.

    ``kind``: ``auto`` runs ``do``; ``seat`` asks one seat; ``round`` asks seats in turn; ``final`` ends.
    """

    name: str
    text: Text
    kind: Literal["auto", "seat", "round", "final"]
    begins_deal: bool = False
    seat: Expr | None = None
    round: Expr | None = None  # 0 once, 1 until_quiet, 2 until_out; reads options only
    first: Expr | None = None
    who: Expr | None = None  # local seat
    stop: Expr | None = None
    measure: Expr | None = None
    moves: Mapping[str, Move] = field(default_factory=dict)
    then: tuple[Step, ...] = ()
    do: tuple[Step, ...] = ()
    next: tuple[Transition, ...] = ()
    timeout: tuple[str, ...] = ()


@record(kw_only=True)
class Row(Cited):
    """One row of a table. A key left out matches anything. ``gives`` cells may be formulas that read
    the inputs as locals; outputs left out have the table's default."""

    name: str
    keys: Mapping[str, Cell]
    gives: Mapping[str, Expr]


@record()
class Cell(Record):
    """What a key accepts: inclusive ranges of ints (None: open), for words and bools their numbers."""

    ranges: tuple[tuple[int | None, int | None], ...]
    span: Span = NOWHERE


@record(kw_only=True)
class Table(Cited):
    """A settlement. ``given``: name → type (with its bounds and step, or words)."""

    name: str
    given: Mapping[str, Type]
    gives: Mapping[str, int]  # output → default
    hit: Literal["unique", "first", "collect"]
    rows: tuple[Row, ...]
    sums_to_zero: str = ""  # this output, added over the whole domain of the table, is 0


@record(kw_only=True)
class Leave(Cited):
    """What happens when a seat (local ``leaver``) goes; ``to`` is the phase after."""

    do: tuple[Step, ...]
    to: str


@record(kw_only=True)
class Ruleset(Cited):
    """Everything a file says."""

    name: str
    title: Text
    source: str
    abstract: bool
    options: Mapping[str, Option]
    kinds: Mapping[str, Kind]
    seats: Seats
    deck: Deck
    zones: Mapping[str, Zone]
    memory: Mapping[str, Slot]
    defines: Mapping[str, Define]
    order: Order
    shapes: Shapes
    trick: TrickRules
    start: str
    phases: Mapping[str, Phase]
    tables: Mapping[str, Table]
    returns: Expr | None  # local seat
    leave: Leave | None
    ladder: Ladder | None = None

"""A state of play: a value. Nothing that follows changes it."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Iterable
from typing import Any, NamedTuple

from ..cards.tricks import Trick
from ..compile.chance import Chance
from ..compile.hidden import HIDDEN, Hidden
from ..compile.program import Program
from ..compile.working import Event, Working
from ..diagnostics import Text
from ..errors import DamagedState

__all__ = ["HIDDEN", "Chance", "Entry", "Hidden", "Log", "Position", "State", "entries", "logged", "opened", "sealed"]


class Entry(NamedTuple):
    """One line of a log: what a seat did. ``kind`` is ``move``, ``timeout`` or ``leave``, ``chosen`` as JSON has it.

    A log that begins with a ``position`` does not tell how play came there, so that nothing can replay it.
    """

    kind: str
    seat: int
    move: str = ""
    picked: int = 0
    chosen: Any = None


# A log is linked backwards, its last line and the log before it, so that many states share what they have in common.
# A line is an Entry, or what becomes one: kind, seat, the compiled move, the cards picked and the value chosen.
Log = tuple[tuple[Any, ...], Any]
_new = object.__new__


class Position(NamedTuple):
    """Everything that what follows depends on: the fields of ``Working`` that last."""

    phase: int
    seat: int | None
    m: tuple[Any, ...]
    z: tuple[Any, ...]
    trick: Trick | None
    waiting: int | None
    measures: tuple[int | None, ...]
    chance: Chance
    made: int = 0


class State(Working):
    """A position of a program, how it came about (``log``), and what the last step did (``events``).

    What compiled functions read of a state lies in it. A step works on a ``fork``; after it nothing changes
    that. ``origin`` is the seed, and the deals, that
    the match began with. States compare and hash by program and position. ``found`` is the move that was last found
    legal here, and how the machine takes it: who draws or judges a move mostly makes it next.
    """

    __slots__ = ("found", "log", "origin")

    def __init__(
        self, program: Program, at: Position, events: tuple[Event, ...], log: Log | None, origin: Chance
    ) -> None:
        self.program = program
        self.phase, self.seat, self.m, self.z, self.trick, self.waiting, self.measures, self.chance, self.made = at
        self.e, self.rows, self.order, self.log, self.origin = events, None, None, log, origin
        self.found: tuple[object, tuple[Any, int, Any]] | None = None

    def fork(self) -> State:
        """A copy that a step may change; how it came about is still to be noted."""
        run = _new(State)
        run.program = self.program
        run.phase = self.phase
        run.seat = self.seat
        run.m = [*self.m]
        run.z = [*self.z]
        run.trick = self.trick
        run.waiting = self.waiting
        run.measures = self.measures
        run.chance = self.chance
        run.made = self.made
        run.e = []
        run.rows = None
        run.order = self.order
        run.origin = self.origin
        run.found = None
        return run

    @property
    def events(self) -> tuple[Event, ...]:
        """What the last step did."""
        return tuple(self.e)

    @property
    def position(self) -> Position:
        """Where play stands, as one value."""
        m, z = tuple(self.m), tuple(self.z)
        return Position(self.phase, self.seat, m, z, self.trick, self.waiting, self.measures, self.chance, self.made)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self.program == other.program and self.position == other.position

    def __hash__(self) -> int:
        return hash((self.program, self.position))

    def __repr__(self) -> str:
        return f"<State {self.position}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.program, self.position, self.events, entries(self), self.origin)


SET_UP = (Entry("position", -1), None)  # the log of a position that was described


def entries(state: State) -> list[Entry]:
    """The lines of the log of a state, oldest first."""
    found: list[Entry] = []
    program, log = state.program, state.log
    while log is not None:
        line, log = log
        if not isinstance(line, Entry):
            kind, seat, made, picked, chosen = line
            choice = None if made.choice_type is None else program.encode(made.choice_type, chosen)
            line = Entry(kind, seat, made.name, picked, choice)
        found.append(line)
    return found[::-1]


def logged(lines: Iterable[Entry]) -> Log | None:
    """The log with these lines."""
    log: Log | None = None
    for entry in lines:
        log = (entry, log)
    return log


def _restore(
    program: Program, position: Position, events: tuple[Event, ...], lines: list[Entry], origin: Chance
) -> State:
    return State(program, position, events, logged(lines), origin)


def sealed(value: object) -> tuple[bytes, bytes]:
    """A value pickled, and a sum that tells whether it was damaged: pickle itself would take a changed number."""
    data = pickle.dumps(value)
    return data, hashlib.sha256(data).digest()[:8]


def opened(data: object, seal: object) -> Any:
    """The value that was sealed; DamagedState if it is not as it was."""
    if not isinstance(data, bytes) or hashlib.sha256(data).digest()[:8] != seal:
        raise DamagedState(Text("保存的内容被改过或不完整", "what was saved was changed or cut off"))
    return pickle.loads(data)

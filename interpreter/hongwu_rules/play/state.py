"""A state of play: a value. Nothing that follows changes it."""

from __future__ import annotations

import hashlib
import pickle
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..cards.tricks import Trick
from ..compile.chance import Chance
from ..compile.hidden import HIDDEN, Hidden
from ..compile.program import Program
from ..compile.working import Event, Working
from ..diagnostics import Text
from ..errors import DamagedState

__all__ = ["HIDDEN", "Chance", "Entry", "Hidden", "Log", "Position", "State", "entries", "opened", "sealed"]


class Entry(NamedTuple):
    """One line of a log: what a seat did. ``kind`` is ``move``, ``timeout`` or ``leave``, ``chosen`` as JSON has it."""

    kind: str
    seat: int
    move: str = ""
    picked: int = 0
    chosen: Any = None


class Log(NamedTuple):
    """A log as a list linked backwards, so that many states share what they have in common."""

    entry: Entry
    before: Log | None


class Position(NamedTuple):
    """Everything that what follows depends on.

    ``m`` and ``z`` are the memory and the zones by place, ``waiting`` the bits of the seats that an open
    round does not ask again (else None), ``measures`` the last value of each measure in this deal, ``made`` the
    moves made in an open round, as bits, of which the file asks whether they were made.
    """

    phase: int
    seat: int | None
    m: tuple[Any, ...]
    z: tuple[Any, ...]
    trick: Trick | None
    waiting: int | None
    measures: tuple[int | None, ...]
    chance: Chance
    made: int = 0


@dataclass(frozen=True, slots=True)
class State:
    """A position of a program, how it came about (``log``), and what the last step did (``events``)."""

    program: Program
    position: Position
    events: tuple[Event, ...] = field(compare=False, repr=False)
    log: Log | None = field(compare=False, repr=False)
    origin: Chance = field(compare=False, repr=False)  # the seed and the deals that the match began with
    _working: Working | None = field(default=None, init=False, compare=False, repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.program, self.position, self.events, entries(self.log), self.origin)

    def working(self) -> Working:
        """What compiled functions read of this state; they change nothing of it, so it is made once."""
        g = self._working
        if g is None:
            at = self.position
            g = Working(self.program, at.m, at.z, at.trick, at.chance, at.seat)
            g.made = at.made
            self.reads(g)
        return g

    def reads(self, g: Working) -> None:
        """Keep what compiled functions read of this state."""
        object.__setattr__(self, "_working", g)


def entries(log: Log | None) -> list[Entry]:
    """The lines of a log, oldest first."""
    found: list[Entry] = []
    while log is not None:
        found.append(log.entry)
        log = log.before
    return found[::-1]


def logged(lines: list[Entry]) -> Log | None:
    """The log with these lines."""
    log: Log | None = None
    for entry in lines:
        log = Log(entry, log)
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

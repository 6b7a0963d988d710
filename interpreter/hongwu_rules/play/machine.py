"""The step: a judged move is applied, and play goes on until a seat must act or the match is over.

What a move does and what a phase does when it is entered are functions of the program; here they are
called one after another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..compile import faults
from ..compile.chance import Chance, given_deals
from ..compile.program import CompiledMove, Program
from ..diagnostics import Text
from ..errors import NotExpected, RulesFault
from .state import Entry, Position, State

LIMIT = 100_000  # automatic phases in one step
NOBODY = Text("没有人要行动", "nobody is to act")
_TROUBLE = (TypeError, AttributeError, IndexError, KeyError, ValueError, ZeroDivisionError, RulesFault)


def start(program: Program, *, seed: int = 0, deals: Sequence[Sequence[int] | Mapping[Any, Any]] = ()) -> State:
    """The first state of a match. ``deals`` are given cards for its first deals (card ids, top first)."""
    origin = Chance(seed, 0, given_deals(program.layout, deals) if deals else ())
    run = _blank(program).fork()
    run.chance = run.origin = origin
    try:
        program.start_match(run)
        program.start_deal(run)
        run.e.append(("phase", program.start, -1, -1))
        _go_on(run, program.start)
    except _TROUBLE as error:
        raise program.fault(error) from error
    run.log = None
    return run


def _blank(program: Program) -> State:
    """A state with nothing in it."""
    found: State | None = program.kept.get(State)
    if found is None:
        memory, chance = (None,) * len(program.layout.slot_at), Chance(0)
        at = Position(program.start, None, memory, program.layout.empty, None, None, program.unmeasured, chance)
        found = program.kept[State] = State(program, at, (), None, chance)
    return found


def advance(state: State, made: CompiledMove, picked: int = 0, chosen: Any = None, *, timeout: bool = False) -> State:
    """The state after a legal move of the seat that must act; it is not judged here.

    ``timeout`` notes that the clock chose it.
    """
    seat = state.seat
    if seat is None:
        raise NotExpected(NOBODY)
    run = state.fork()
    if timeout:
        run.e.append(("timeout", seat))
    try:
        number = made.step(run, seat, picked, chosen)
        if number >= 0:  # mostly one phase is all there is
            number = state.program.phases[number].enter(run)
            if number >= 0:
                _go_on(run, number)
    except _TROUBLE as error:
        raise state.program.fault(error) from error
    run.log = ("timeout" if timeout else "move", seat, made, picked, chosen), state.log
    return run


def leave(state: State, seat: int) -> State:
    """The state after a player has gone for good, as the ruleset says."""
    program = state.program
    if program.leave is None:
        raise NotExpected(Text("这种玩法没有写有人离开怎么办", "this game has no rule for a player who leaves"))
    if state.seat is None:
        raise NotExpected(NOBODY)
    run = state.fork()
    run.e.append(("leave", seat))
    run.waiting = None
    try:
        program.leave(run, seat)
        run.e.append(("phase", program.leave_to, -1, -1))
        _go_on(run, program.leave_to)
    except _TROUBLE as error:
        raise program.fault(error) from error
    run.log = Entry("leave", seat), state.log
    return run


def _go_on(run: State, number: int) -> None:
    """Enter a phase, and run on until a seat must act or the match is over."""
    phases = run.program.phases
    for _ in range(LIMIT):
        number = phases[number].enter(run)
        if number < 0:
            return
    raise RulesFault("HW902", faults.TOO_LONG, phases[number].model.span)


__all__ = ["LIMIT", "NOBODY", "advance", "leave", "start"]

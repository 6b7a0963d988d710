"""The step: a judged move is applied, and play goes on until a seat must act or the match is over.

The order is fixed: event, the move's ``do``, the phase's ``then``; in a round, whom to ask next; the
first ``next`` whose condition holds; automatic phases run on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..compile import faults
from ..compile.chance import Chance, given_deals
from ..compile.program import CompiledPhase, Program
from ..compile.working import Working
from ..diagnostics import NOWHERE, Span, Text
from ..errors import NotExpected, RulesFault
from .state import Entry, Log, Position, State

LIMIT = 100_000  # automatic phases in one step
_TROUBLE = (TypeError, AttributeError, IndexError, KeyError, ValueError, ZeroDivisionError, RulesFault)


class _Run(Working):
    """A step in progress: besides what functions see, where play stands."""

    __slots__ = ("measures", "phase", "waiting")

    def __init__(self, program: Program, at: Position) -> None:
        self.program = program
        self.phase, self.seat, m, z, self.trick, self.waiting, self.measures, self.chance, self.made = at
        self.m, self.z, self.e, self.rows = list(m), list(z), [], None

    def state(self, log: Log | None, origin: Chance) -> State:
        """The state reached. Nothing changes here any more, so that functions may go on reading it."""
        self.m, self.z = m, z = tuple(self.m), tuple(self.z)
        at = Position(self.phase, self.seat, m, z, self.trick, self.waiting, self.measures, self.chance, self.made)
        state = State(self.program, at, tuple(self.e), log, origin)
        state.reads(self)
        return state


def start(program: Program, *, seed: int = 0, deals: Iterable[Sequence[int] | Mapping[Any, Any]] = ()) -> State:
    """The first state of a match. ``deals`` are given cards for its first deals (card ids, top first)."""
    layout = program.layout
    origin = Chance(seed, 0, given_deals(layout, deals))
    memory, measures = (None,) * len(layout.slot_at), (None,) * program.measures
    at = Position(program.start, None, memory, layout.empty, None, None, measures, origin)
    run = _Run(program, at)
    try:
        program.start_match(run)
        program.start_deal(run)
        _enter(run, program.start)
    except _TROUBLE as error:
        raise program.fault(error) from error
    return run.state(None, origin)


def advance(state: State, move: str, picked: int = 0, chosen: Any = None, *, timeout: bool = False) -> State:
    """The state after a legal move of the seat that must act; it is not judged here.

    ``timeout`` notes that the clock chose it.
    """
    program, at = state.program, state.position
    seat, phase = at.seat, program.phases[at.phase]
    if seat is None:
        raise NotExpected(Text("没有人要行动", "nobody is to act"))
    made = phase.moves[move]
    run = _Run(program, at)
    events = run.e
    try:
        if timeout:
            events.append(("timeout", seat))
        seen = 0
        if picked and made.zone is not None:
            seen = program.see_zone[made.zone(run, seat, picked, chosen)](run)
        events.append(("made", phase.index, made.index, seat, picked, chosen, seen))
        run.made |= made.bit
        if made.do is not None:
            made.do(run, seat, picked, chosen)
        if phase.then is not None:
            phase.then(run, seat, picked, chosen)
        if phase.kind != "round" or not _goes_on(run, phase, seat, quiet=made.quiet):
            run.waiting = None
            assert phase.next is not None
            way = phase.next(run, seat, picked, chosen)
            _enter(run, phase.targets[way], phase.index, way)
    except _TROUBLE as error:
        raise program.fault(error) from error
    choice = program.encode(made.choice_type, chosen) if made.choice_type is not None else None
    entry = Entry("timeout" if timeout else "move", seat, move, picked, choice)
    return run.state(Log(entry, state.log), state.origin)


def leave(state: State, seat: int) -> State:
    """The state after a player has gone for good, as the ruleset says."""
    program = state.program
    if program.leave is None or state.position.seat is None:
        raise NotExpected(Text("这种玩法没有写有人离开怎么办", "this game has no rule for a player who leaves"))
    run = _Run(program, state.position)
    run.e.append(("leave", seat))
    run.waiting = None
    try:
        program.leave(run, seat)
        _enter(run, program.leave_to)
    except _TROUBLE as error:
        raise program.fault(error) from error
    return run.state(Log(Entry("leave", seat), state.log), state.origin)


def _goes_on(run: _Run, phase: CompiledPhase, seat: int, *, quiet: bool) -> bool:
    """After a move of a round: note it, and find whom to ask next. False when the round is over."""
    waiting = run.waiting or 0
    if quiet or phase.mode == 0:
        waiting |= 1 << seat
    elif phase.mode == 1:
        waiting = 0
    if phase.measure is not None and not quiet:
        _measure(run, phase)
    run.waiting = waiting
    if phase.stop is not None and phase.stop(run, seat, 0, None):
        return False
    return _ask(run, phase, seat + 1, waiting)


def _ask(run: _Run, phase: CompiledPhase, first: int, waiting: int) -> bool:
    """Ask the first seat from ``first`` on that is still to be asked. False if there is none."""
    n, who = run.program.layout.seats, phase.who
    for seat in range(first, first + n):
        if seat >= n:
            seat -= n
        if not waiting >> seat & 1 and (who is None or who(run, seat, 0, None)):
            run.seat = seat
            return True
    return False


def _measure(run: _Run, phase: CompiledPhase) -> None:
    """A measure must fall each time it is taken within a deal."""
    assert phase.measure is not None
    value, last = phase.measure(run, run.seat, 0, None), run.measures[phase.measure_index]
    if last is not None and value >= last:
        raise faults.measure_stuck(phase.name, last, value, _measured_at(phase))
    if value < 0:
        raise faults.measure_negative(phase.name, value, _measured_at(phase))
    place = phase.measure_index
    run.measures = (*run.measures[:place], value, *run.measures[place + 1 :])


def _measured_at(phase: CompiledPhase) -> Span:
    """Where the measure of a phase is written."""
    measure = phase.model.measure
    return measure.at if measure is not None and measure.at != NOWHERE else phase.model.span


def _enter(run: _Run, number: int, last: int = -1, way: int = -1) -> None:
    """Enter a phase, by a way out of the ``last`` one, and run on until a seat must act or the match is over."""
    program, events = run.program, run.e
    phases = program.phases
    for _ in range(LIMIT):
        phase = phases[number]
        events.append(("phase", number, last, way))
        run.phase, run.seat = number, None
        if phase.kind != "auto":
            run.made = 0
        if phase.begins_deal:
            program.start_deal(run)
            run.trick = None
            run.measures = (None,) * program.measures
        if phase.measure is not None:
            _measure(run, phase)
        if phase.do is not None:
            phase.do(run, None, 0, None)
        kind = phase.kind
        if kind == "seat":
            assert phase.seat is not None
            seat = phase.seat(run, None, 0, None)
            if seat is None:
                raise faults.unset(f"阶段“{phase.name}”不知道该谁行动", f'nobody is set to act in "{phase.name}"')
            run.seat = seat
            return
        if kind == "final":
            return
        if kind == "round" and not (phase.stop is not None and phase.stop(run, None, 0, None)):
            first = phase.first(run, None, 0, None) if phase.first is not None else 0
            if first is None:
                raise faults.unset(
                    f"阶段“{phase.name}”不知道从谁问起", f'nobody is set to be asked first in "{phase.name}"'
                )
            if _ask(run, phase, first, 0):
                run.waiting = 0
                return
            run.seat = None
        assert phase.next is not None
        last, way = number, phase.next(run, None, 0, None)
        number = phase.targets[way]
    raise RulesFault("HW902", faults.TOO_LONG, program.phases[number].model.span)


__all__ = ["LIMIT", "advance", "leave", "start"]

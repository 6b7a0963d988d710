"""HW313 again: a measure that stands still, since nothing that it counts changes on the way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..diagnostics import Related, Text
from ..model import Assign, Effect, Move, Phase, Step
from ..model.ir import Call, Expr, Fold, IsNone, Local, SlotRef, TrickRef, ZoneRef, children, walk
from .context import Context
from .facts import NONE_KNOWN, Facts, Reader
from .sites import phase_steps


def check_still(context: Context, rings: Iterable[list[str]]) -> None:
    """Look at the loud moves of each round with a measure, and at each loop (of ``rings``) through such a phase.

    A measure is taken again after each loud move of its round and each time its phase is entered.
    """
    phases = context.ruleset.phases
    reader = Reader(context.ruleset.defines, context.evaluator.notation)
    for phase in phases.values():
        counted = _counted(context, phase)
        if counted is None or phase.kind != "round":
            continue
        for move in phase.moves.values():
            if not move.quiet and _still(context, reader, counted, [*move.do, *phase.then], _before(reader, move)):
                _move(context, phase, move)
    for ring in rings:
        steps = [step for name in ring for step in phase_steps(phases[name])]
        for name in ring:
            counted = _counted(context, phases[name])
            if counted is not None and _still(context, reader, counted, steps, NONE_KNOWN):
                _ring(context, phases[name], ring)


def _counted(context: Context, phase: Phase) -> Expr | None:
    """What a phase measures, if steps alone change it."""
    if phase.measure is None:
        return None
    measure = context.evaluator.inline(phase.measure)
    parts = walk(measure)
    bound = {loop.name for part in parts if isinstance(part, Fold) for loop in part.loops}
    if any(isinstance(part, Local) and part.name not in bound for part in parts):
        return None  # it asks who is asked
    if any(isinstance(part, TrickRef) or (isinstance(part, Call) and part.word == "made") for part in parts):
        return None
    return measure


def _before(reader: Reader, move: Move) -> Facts:
    """What is surely set when a move is made."""
    return NONE_KNOWN.union(*(reader.tells(clause.that, holds=True) for clause in move.require if clause.when is None))


def _still(context: Context, reader: Reader, measure: Expr, steps: list[Step], facts: Facts) -> bool:
    """Whether these steps leave a measure as it is."""
    moved = any(isinstance(step.action, Effect) and step.action.word != "show" for step in steps)
    if moved and any(isinstance(part, ZoneRef) for part in walk(measure)):
        return False
    changed: dict[str, bool] = {}  # slots that get a value; whether they are set before and after
    for step in steps:
        action = step.action
        if isinstance(action, Assign):
            sure = action.op == "=" and not action.index and (action.random or reader.surely(action.value, facts))
            changed[action.slot] = changed.get(action.slot, action.slot in facts) and sure
    return all(changed.get(slot, True) and (asked or slot not in changed) for slot, asked in _reads(measure))


def _reads(expr: Expr) -> Iterator[tuple[str, bool]]:
    """The slots that a measure reads, and whether it only asks if they are set."""
    if isinstance(expr, IsNone) and isinstance(expr.of, SlotRef) and not expr.of.index:
        yield expr.of.name, True
        return
    if isinstance(expr, SlotRef):
        yield expr.name, False
    for part in children(expr):
        yield from _reads(part)


def _move(context: Context, phase: Phase, move: Move) -> None:
    context.findings.add(
        "HW313",
        move.span,
        f"阶段“{phase.name}”的 measure 不会因为“{move.name}”变小：它数的东西，这个动作一样也不改",
        f'the measure of "{phase.name}" does not fall with "{move.name}": the move changes nothing that it counts',
        related=(Related(Text("measure 在这个阶段", "the measure of this phase"), phase.span),),
        witness=Text(f"{move.name}，{move.name}……", f"{move.name}, {move.name} …"),
        help=(
            Text(
                f"在“{move.name}”里写一步，记下 measure 数的东西；或改 measure",
                f'write a step in "{move.name}" that changes what the measure counts, or another measure',
            ),
        ),
    )


def _ring(context: Context, phase: Phase, ring: list[str]) -> None:
    shown = " -> ".join([*ring, ring[0]])
    context.findings.add(
        "HW313",
        phase.span,
        f"阶段“{phase.name}”的 measure 绕一圈也不变：它数的东西，没有一步改它",
        f'the measure of "{phase.name}" stays as it is all the way round: no step changes what it counts',
        witness=Text(shown, shown),
        help=(
            Text(
                "在圈里写一步改它数的东西；或改 measure",
                "write a step on the way round that changes what it counts, or another measure",
            ),
        ),
    )

"""Why a loop ends: cards that leave the hands, or a number that only goes one way."""

from __future__ import annotations

from collections.abc import Iterable

from ..model import Assign, Effect, Move, Phase, Step
from ..model.ir import (
    Arith,
    Call,
    Compare,
    Const,
    Expr,
    Fold,
    IfElse,
    IsNone,
    Local,
    Logic,
    Not,
    OptionRef,
    SlotRef,
    Whole,
    ZoneRef,
)
from .context import Context
from .sites import phase_steps

# Words whose answer is at least one of the cards they are given.
SOME_OF = frozenset({"forced"})


def spends(context: Context, move: Move) -> str | None:
    """The zone out of which every use of this move takes at least one card for good; None if not sure."""
    if not isinstance(move.pick, ZoneRef):
        return None
    if not move.shapes:
        low = context.evaluator.values(move.count[0]).ends[0] if move.count is not None else None
        if low is None or low < 1:
            return None
    zone = move.pick.name
    for step in move.do:
        action = step.action
        if step.when is not None or step.loops or not isinstance(action, Effect) or not action.args:
            continue
        away = action.word == "play" or (
            action.word == "move" and isinstance(action.args[1], ZoneRef) and action.args[1].name != zone
        )
        if away and _some_picked(action.args[0]):
            return zone
    return None


def _some_picked(expr: Expr) -> bool:
    """Whether an expression is some of the cards picked, at least one."""
    if isinstance(expr, Local):
        return expr.name == "picked"
    if isinstance(expr, IfElse):
        return _some_picked(expr.yes) and _some_picked(expr.no)
    return isinstance(expr, Call) and expr.word in SOME_OF and _some_picked(expr.args[0])


def refills(phases: Iterable[Phase], zone: str) -> bool:
    """Whether some step of these phases puts cards into the zone."""
    for phase in phases:
        for step in phase_steps(phase):
            action = step.action
            if isinstance(action, Effect) and any(
                isinstance(arg, ZoneRef) and arg.name == zone for arg in action.args[1:2]
            ):
                return True
            if isinstance(action, Effect) and action.word == "shuffle":
                return True
    return False


def spending_phase(context: Context, phase: Phase) -> str | None:
    """The zone from which this phase always takes a card: it asks one seat, and every move spends."""
    if phase.kind != "seat" or not phase.moves:
        return None
    zones = {spends(context, move) for move in phase.moves.values()}
    return zones.pop() if len(zones) == 1 else None


def counts_hands(expr: Expr) -> str | None:
    """The zone whose cards an expression counts, over all seats: ``sum(len(hand[s]) for s in seats)``."""
    if isinstance(expr, Fold) and expr.word == "sum" and expr.cond is None and len(expr.loops) == 1:
        loop = expr.loops[0]
        body = expr.body
        everybody = (isinstance(loop.source, Whole) and loop.source.name == "seats") or (
            isinstance(loop.source, Call) and loop.source.word == "seats_from"
        )
        if everybody and isinstance(body, Call) and body.word == "len" and isinstance(body.args[0], ZoneRef):
            zone = body.args[0]
            if len(zone.index) == 1 and isinstance(zone.index[0], Local) and zone.index[0].name == loop.name:
                return zone.name
    if isinstance(expr, Call) and expr.word == "len" and isinstance(expr.args[0], ZoneRef) and not expr.args[0].index:
        return expr.args[0].name
    return None


def countdown(context: Context, phase: Phase, expr: Expr) -> bool:
    """Whether ``LIMIT - slot`` surely falls in this automatic phase and never passes 0.

    The phase adds to the slot each time, nothing else in a deal does, and it goes on another way as soon
    as the slot is the limit.
    """
    if not (isinstance(expr, Arith) and expr.op == "-" and isinstance(expr.right, SlotRef) and not expr.right.index):
        return False
    limit, slot = expr.left, expr.right.name
    if not isinstance(limit, Const | OptionRef):
        return False
    start = context.ruleset.memory[slot].start
    begins = context.evaluator.values(start).ends[1] if start is not None else None
    floor = context.evaluator.values(limit).ends[0]
    if begins is None or floor is None or begins >= floor:
        return False
    for other in context.ruleset.phases.values():
        for step in phase_steps(other):
            if _changes(step, slot) and (
                other is not phase or step.when is not None or step.loops or not _adds_one(step)
            ):
                return False
    adds = [step for step in phase.do if _changes(step, slot)]
    if len(adds) != 1:
        return False
    notation = context.evaluator.notation
    wanted = {(notation(expr.right), op, notation(limit)) for op in ("==", ">=")}
    for way in phase.next:
        parts = way.when.parts if isinstance(way.when, Logic) and way.when.op == "or" else (way.when,)
        for part in parts:
            if isinstance(part, Compare) and (notation(part.left), part.op, notation(part.right)) in wanted:
                return way.to != phase.name
    return False


def _changes(step: Step, slot: str) -> bool:
    return isinstance(step.action, Assign) and step.action.slot == slot


def _adds_one(step: Step) -> bool:
    action = step.action
    return (
        isinstance(action, Assign) and action.op == "+=" and isinstance(action.value, Const) and action.value.value == 1
    )


def rising(context: Context, phase: Phase) -> bool:
    """Whether every loud move of a round is a higher choice than the one before, out of a limited list.

    Such a move has a clause ``chosen > SLOT`` and writes ``SLOT = chosen``.
    """
    loud = [move for move in phase.moves.values() if not move.quiet]
    if not loud:
        return True
    slots: set[str] = set()
    for move in loud:
        slot = _overcalls(context, move)
        if slot is None:
            return False
        slots.add(slot)
    writes = [step for step in phase_steps(phase) if isinstance(step.action, Assign) and step.action.slot in slots]
    return len(slots) == 1 and len(writes) == len(loud)


def drained(phase: Phase, expr: Expr) -> bool:
    """Whether ``len(pile)`` surely falls in an automatic phase that takes a card off the pile and comes
    back to itself only while the pile has cards."""
    if not (
        isinstance(expr, Call) and expr.word == "len" and isinstance(expr.args[0], ZoneRef) and not expr.args[0].index
    ):
        return False
    pile = expr.args[0].name
    taken = [step for step in phase.do if _takes_from(step, pile)]
    if not taken or refills([phase], pile):
        return False
    back = [way for way in phase.next if way.to == phase.name]
    return all(way.when is not None and any(_holds_cards(part, pile) for part in _every(way.when)) for way in back)


def _takes_from(step: Step, pile: str) -> bool:
    action = step.action
    if step.when is not None or step.loops or not isinstance(action, Effect) or action.word != "move":
        return False
    source = action.args[0]
    return (
        isinstance(source, Call)
        and source.word == "top"
        and isinstance(source.args[0], ZoneRef)
        and source.args[0].name == pile
    )


def _holds_cards(part: Expr, pile: str) -> bool:
    """``len(pile) > 3`` or ``not empty(pile)``."""
    if isinstance(part, Not) and isinstance(part.of, Call) and part.of.word == "empty":
        return isinstance(part.of.args[0], ZoneRef) and part.of.args[0].name == pile
    for low, high in _higher(part):
        counted = (
            isinstance(high, Call)
            and high.word == "len"
            and isinstance(high.args[0], ZoneRef)
            and high.args[0].name == pile
        )
        if counted and isinstance(low, Const) and isinstance(low.value, int) and low.value >= 0:
            return True
    return False


def overcall_left(context: Context, phase: Phase, expr: Expr) -> bool:
    """``LIMIT - SLOT`` in a round whose every loud move raises the slot."""
    if not (
        isinstance(expr, Arith)
        and expr.op == "-"
        and isinstance(expr.left, Const | OptionRef)
        and isinstance(expr.right, SlotRef)
    ):
        return False
    low = context.evaluator.values(expr).ends[0]
    loud = [move for move in phase.moves.values() if not move.quiet]
    return (
        low is not None
        and low >= 0
        and rising(context, phase)
        and all(_overcalls(context, m) == expr.right.name for m in loud)
    )


def limited(context: Context, move: Move) -> bool:
    """Whether a move by itself cannot go on for ever: it spends cards, or is a higher choice each time."""
    return spends(context, move) is not None or _overcalls(context, move) is not None


def _overcalls(context: Context, move: Move) -> str | None:
    if move.choose is None:
        return None
    for clause in move.require:
        if clause.when is not None:
            continue
        for part in _every(context.evaluator.inline(clause.that)):
            for low, high in _higher(part):
                if (
                    isinstance(high, Local)
                    and high.name == "chosen"
                    and isinstance(low, SlotRef)
                    and not low.index
                    and _writes(move, low.name)
                ):
                    return low.name
    return None


def _every(expr: Expr) -> list[Expr]:
    """The parts that all hold when a clause holds; ``S is none or chosen > S`` counts as its comparison."""
    if isinstance(expr, Logic) and expr.op == "and":
        return [part for inner in expr.parts for part in _every(inner)]
    if isinstance(expr, Logic) and len(expr.parts) == 2:
        first, second = expr.parts
        return [second] if isinstance(first, IsNone) and not first.negated and isinstance(second, Compare) else [expr]
    return [expr]


def _higher(expr: Expr) -> list[tuple[Expr, Expr]]:
    if isinstance(expr, Compare) and expr.op == ">":
        return [(expr.right, expr.left)]
    return [(expr.left, expr.right)] if isinstance(expr, Compare) and expr.op == "<" else []


def _writes(move: Move, slot: str) -> bool:
    for step in move.do:
        action = step.action
        if (
            isinstance(action, Assign)
            and action.slot == slot
            and action.op == "="
            and step.when is None
            and not step.loops
        ):
            return isinstance(action.value, Local) and action.value.name == "chosen"
    return False


def round_ends(context: Context, phase: Phase) -> bool:
    """Whether a round that asks again surely ends by itself."""
    loud = [move for move in phase.moves.values() if not move.quiet]
    zones = {spends(context, move) for move in loud}
    if len(zones) == 1 and (zone := zones.pop()) is not None and not refills([phase], zone):
        return True
    return rising(context, phase)

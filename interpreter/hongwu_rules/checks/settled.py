"""HW403 again, along the phases: a question whether a slot is set, where it cannot have been set on any way."""

from __future__ import annotations

from operator import or_

from ..diagnostics import NOWHERE, Related, Span, Text
from ..model import Assign, Move, Phase, Step
from ..model.ir import Apply, Compare, Const, Expr, In, IsNone, Logic, Not, SlotRef, walk
from .along import along
from .context import Context
from .sites import all_steps

Set = frozenset[str]  # the slots that may be set


def check_settled(context: Context) -> None:
    """Follow the phases with the slots that may be set, and look at the conditions passed."""
    if context.ruleset.start in context.ruleset.phases:
        _MaySet(context).run()


class _MaySet:
    def __init__(self, context: Context) -> None:
        self.context = context
        self.ruleset = context.ruleset
        given = {step.action.slot for step in all_steps(self.ruleset) if isinstance(step.action, Assign)}
        slots = [slot for slot in self.ruleset.memory.values() if slot.type.optional and not slot.index]
        self.slots = {slot.name: slot for slot in slots if slot.start is None and slot.name in given}
        self.entry: dict[str, Set] = {}
        self.seen: dict[Span, tuple[Expr, str, set[bool | None]]] = {}  # conditions, a phase, how they came out

    def run(self) -> None:
        if not self.slots:
            return
        leave = self.ruleset.leave
        self.entry[self.ruleset.start] = frozenset()
        if leave is not None and leave.to in self.ruleset.phases:
            self.entry[leave.to] = frozenset(self.slots)
        along(self.ruleset.phases, self.entry, self.through, or_)
        self.seen.clear()
        for name in self.entry:
            self.through(self.ruleset.phases[name])
        for expr, phase, came in self.seen.values():
            if len(came) == 1 and (truth := next(iter(came))) is not None and self.context.joint.constant(expr) is None:
                self.report(expr, phase, truth=truth)

    # ---------------------------------------------------------------- following
    def through(self, phase: Phase) -> list[tuple[str, Set]]:
        may = self.entry[phase.name]
        if phase.begins_deal:
            may = frozenset(name for name in may if self.slots[name].lifetime == "match")
        for step in phase.do:
            may = self.step(phase, step, may)
        while phase.moves:
            if phase.stop is not None:
                self.asked(phase, phase.stop, may)
            ends = [self.move(phase, move, may) for move in phase.moves.values()]
            again = may.union(*ends) if phase.kind == "round" else frozenset().union(*ends)
            if phase.kind != "round" or again == may:
                may = again
                break
            may = again
        found: list[tuple[str, Set]] = []
        for way in phase.next:
            truth = None if way.when is None else self.asked(phase, way.when, may)
            if truth is not False:
                found.append((way.to, may))
            if way.when is None or truth:
                break
        return found

    def move(self, phase: Phase, move: Move, may: Set) -> Set:
        """What may be set after a move; as before, if it cannot be made."""
        for clause in move.require:
            on = True if clause.when is None else self.asked(phase, clause.when, may)
            if on is not False and self.asked(phase, clause.that, may) is False and on:
                return may
        for step in (*move.do, *phase.then):
            may = self.step(phase, step, may)
        return may

    def step(self, phase: Phase, step: Step, may: Set) -> Set:
        truth = None if step.when is None else self.asked(phase, step.when, may)
        action = step.action
        if truth is False or not isinstance(action, Assign) or action.slot not in self.slots:
            return may
        if isinstance(action.value, Const) and action.value.value is None:
            return may if step.when is not None and not truth else may - {action.slot}
        return may | {action.slot}

    # ---------------------------------------------------------------- conditions
    def asked(self, phase: Phase, expr: Expr, may: Set) -> bool | None:
        """How a condition comes out, noted with the place where it is written."""
        truth = self.truth(expr, may)
        if expr.at != NOWHERE:
            self.seen.setdefault(expr.at, (expr, phase.name, set()))[2].add(truth)
        return truth

    def truth(self, expr: Expr, may: Set) -> bool | None:
        """What is sure of a condition while these slots may be set and no others are."""
        match expr:
            case Not():
                found = self.truth(expr.of, may)
                return None if found is None else not found
            case Logic():
                parts = {self.truth(part, may) for part in expr.parts}
                strong = expr.op == "or"
                return strong if strong in parts else None if None in parts else not strong
            case IsNone():
                return not expr.negated if self.unset(expr.of, may) else None
            case Compare() if expr.op in ("==", "!="):
                # Two unset values are not equal either.
                return expr.op == "!=" if self.unset(expr.left, may) or self.unset(expr.right, may) else None
            case In():
                return expr.negated if self.unset(expr.item, may) else None
            case Apply() if not expr.args and expr.define in self.ruleset.defines:
                return self.truth(self.ruleset.defines[expr.define].body, may)
        return None

    def unset(self, expr: Expr, may: Set) -> bool:
        return isinstance(expr, SlotRef) and expr.name in self.slots and expr.name not in may

    # ---------------------------------------------------------------- reporting
    def report(self, expr: Expr, phase: str, *, truth: bool) -> None:
        inside = walk(self.context.evaluator.inline(expr))
        may = self.entry.get(phase, frozenset())
        names = [part.name for part in inside if isinstance(part, SlotRef) and part.name in self.slots]
        name = next((name for name in names if name not in may), names[0])
        slot = self.slots[name]
        zh, en = ("总是成立", "always holds") if truth else ("永远不成立", "never holds")
        self.context.findings.add(
            "HW403",
            expr.at,
            f"这里“{self.context.evaluator.notation(expr)}”{zh}：走到这里以前，没有一步能给“{name}”值",
            f'"{self.context.evaluator.notation(expr)}" {en} here: before this, no step can have set "{name}"',
            related=(Related(Text(f"“{name}”在这里声明", f'"{name}" is declared here'), slot.span),),
            help=(
                Text(
                    f"在这以前该定的地方写一步 {name} = …，或删去这个条件",
                    f"write a step {name} = … where it is settled before this, or drop the condition",
                ),
            ),
        )

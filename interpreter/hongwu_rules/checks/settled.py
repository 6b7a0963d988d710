"""HW403 and HW408 again, along the phases: what is asked of a slot, or taken by its number, where it has only the value
that it starts with, since no step on any way can have changed it.
"""

from __future__ import annotations

from operator import or_

from ..diagnostics import NOWHERE, Related, Span, Text
from ..model import Assign, Move, Phase, Step
from ..model.ir import Apply, Call, Compare, Const, Expr, In, IsNone, Logic, Not, SlotRef, walk
from .along import along
from .context import Context
from .evaluate import Env
from .ranges import few
from .sites import all_steps

Set = frozenset[str]  # the slots that may be set, or have another value than they start with


def check_settled(context: Context) -> None:
    """Follow the phases with the slots that may be set, and look at the conditions passed and the cards counted off."""
    if context.ruleset.start in context.ruleset.phases:
        _MaySet(context).run()


class _MaySet:
    def __init__(self, context: Context) -> None:
        self.context = context
        self.ruleset = context.ruleset
        given = {step.action.slot for step in all_steps(self.ruleset) if isinstance(step.action, Assign)}
        slots = [slot for slot in self.ruleset.memory.values() if not slot.index and slot.name in given]
        self.slots = {slot.name: slot for slot in slots if slot.start is None or isinstance(slot.start, Const)}
        self.entry: dict[str, Set] = {}
        self.seen: dict[Span, tuple[Expr, str, set[bool | None]]] = {}  # conditions, a phase, how they came out
        self.counted: dict[Span, tuple[Call, bool]] = {}  # uses of nth; whether their number was always below 1
        self._parts: dict[int, tuple[Expr, Set, list[Call]]] = {}

    def run(self) -> None:
        if not self.slots:
            return
        leave = self.ruleset.leave
        self.entry[self.ruleset.start] = frozenset()
        if leave is not None and leave.to in self.ruleset.phases:
            self.entry[leave.to] = frozenset(self.slots)
        along(self.ruleset.phases, self.entry, self.through, or_)
        self.seen.clear()
        self.counted.clear()
        for name in self.entry:
            self.through(self.ruleset.phases[name])
        for expr, phase, came in self.seen.values():
            if len(came) == 1 and (truth := next(iter(came))) is not None and self.context.joint.constant(expr) is None:
                self.report(expr, phase, truth=truth)
        for call, below in self.counted.values():
            if below:
                self.no_card(call)

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
        if truth is not False:
            for expr in (action.value,) if isinstance(action, Assign) else action.args:
                self.count(expr, may)
        if truth is False or not isinstance(action, Assign) or action.slot not in self.slots:
            return may
        if isinstance(action.value, Const) and action.value.value is None:
            return may if step.when is not None and not truth else may - {action.slot}
        return may | {action.slot}

    # ---------------------------------------------------------------- conditions
    def asked(self, phase: Phase, expr: Expr, may: Set) -> bool | None:
        """How a condition comes out, noted with the place where it is written."""
        self.count(expr, may)
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
                if self.unset(expr.left, may) or self.unset(expr.right, may):
                    return expr.op == "!="
                return self.evaluated(expr, may)
            case In():
                return expr.negated if self.unset(expr.item, may) else None
            case Apply() if not expr.args and expr.define in self.ruleset.defines:
                return self.truth(self.ruleset.defines[expr.define].body, may)
        return self.evaluated(expr, may)

    def evaluated(self, expr: Expr, may: Set) -> bool | None:
        known = self.known(expr, may)
        return self.context.evaluator.values(self.context.evaluator.inline(expr), known).truth if known else None

    def known(self, expr: Expr, may: Set) -> Env:
        """The slots in an expression that still have their start value."""
        starts = {name: self.slots[name].start for name in self.parts(expr)[0] - may}
        return {name: few(start.value) for name, start in starts.items() if isinstance(start, Const)}

    def parts(self, expr: Expr) -> tuple[Set, list[Call]]:
        """The slots in an expression, and where it takes a card by its number."""
        found = self._parts.get(id(expr))
        if found is None:
            inside = walk(self.context.evaluator.inline(expr))
            names = frozenset(part.name for part in inside if isinstance(part, SlotRef) and part.name in self.slots)
            nths = [part for part in inside if isinstance(part, Call) and part.word == "nth"]
            found = self._parts[id(expr)] = (expr, names, nths)
        return found[1], found[2]

    def count(self, expr: Expr, may: Set) -> None:
        """Note whether the numbers by which cards are taken from a pile are surely below 1."""
        for call in self.parts(expr)[1]:
            high = self.context.evaluator.values(call.args[1], self.known(call.args[1], may)).ends[1]
            before = self.counted.get(call.at, (call, True))[1]
            self.counted[call.at] = call, before and high is not None and high < 1

    def unset(self, expr: Expr, may: Set) -> bool:
        slot = self.slots.get(expr.name) if isinstance(expr, SlotRef) else None
        return slot is not None and slot.start is None and slot.name not in may

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

    def no_card(self, call: Call) -> None:
        notation = self.context.evaluator.notation
        text, number = notation(call), notation(call.args[1])
        self.context.findings.add(
            "HW408",
            call.at,
            f"“{text}”这里取不到牌：第几张从1数起，“{number}”这时不到1",
            f'"{text}" is no card here: cards are counted from 1, and "{number}" is less at this time',
            witness=Text(f"{number} < 1", f"{number} < 1"),
            help=(Text(f"在这以前先给“{number}”一个值", f'give "{number}" a value before this'),),
        )

"""HW408: a value read before it is set, followed along the phases."""

from __future__ import annotations

from operator import and_

from ..diagnostics import NOWHERE, Related, Span, Text
from ..model import Assign, Effect, Move, Phase, Step
from ..model.ir import Expr, Local, SlotRef, TrickRef, Whole
from .along import along
from .context import Context
from .facts import NONE_KNOWN, TRICK, Facts, Need, Reader, without
from .sites import all_steps


def check_unset(context: Context) -> None:
    """Follow every way through the phases and look at what is read on it."""
    _Flow(context).run()


class _Flow:
    def __init__(self, context: Context) -> None:
        self.context = context
        self.ruleset = context.ruleset
        self.reader = Reader(self.ruleset.defines, context.evaluator.notation, self.order_needs)
        self.order: list[Need] | None = None
        self.entry: dict[str, Facts] = {}
        self.assumed: dict[str, Facts] = {}  # named already: taken as set from that phase on
        self.reporting = False
        self.reported: set[tuple[str, Span]] = set()
        self.phase = ""

    def order_needs(self) -> list[Need]:
        """What the lines of the order read."""
        if self.order is None:
            self.order = []
            lines = [line for group in self.ruleset.order.groups for line in group.lines]
            found = [
                need for line in lines if line.that is not None for need in self.reader.needs(line.that, NONE_KNOWN)
            ]
            self.order = list({need.key: need for need in found}.values())
        return self.order

    def run(self) -> None:
        before = len(self.context.findings.items)
        if self.ruleset.start not in self.ruleset.phases:
            return
        self.follow()
        for name in list(self.entry):
            self.reporting = True
            self.through(self.ruleset.phases[name])
            self.reporting = False
            if name in self.assumed:
                self.follow()
        self.reporting = True
        self.standing()
        slots = [slot for slot in self.ruleset.memory.values() if slot.type.optional]
        if len(self.context.findings.items) == before and (slots or any(self.uses_trick())):
            self.context.proved.append(Text("每个值都先定后用", "every value is set before it is read"))

    def follow(self) -> None:
        """What is set on entering each phase, whichever way play came; phases in the order of play."""
        start = self.ruleset.start
        self.entry = {}
        self.entry[start] = frozenset(
            slot.name
            for slot in self.ruleset.memory.values()
            if slot.type.optional and not slot.index and slot.start is not None
        )
        along(self.ruleset.phases, self.entry, self.through, and_)

    def uses_trick(self) -> list[bool]:
        return [isinstance(step.action, Effect) and step.action.word == "play" for step in all_steps(self.ruleset)]

    def standing(self) -> None:
        """What may be read at any time: who sees what; and at the end: what a match is worth."""
        self.phase = ""
        for zone in self.ruleset.zones.values():
            for expr in (zone.seen, zone.counted):
                if expr is not None:
                    self.look(expr, NONE_KNOWN)
        for slot in self.ruleset.memory.values():
            if slot.seen is not None:
                self.look(slot.seen, NONE_KNOWN)
        if self.ruleset.returns is not None:
            ends = [facts for name, facts in self.entry.items() if self.ruleset.phases[name].kind == "final"]
            self.look(self.ruleset.returns, ends[0].intersection(*ends[1:]) if ends else NONE_KNOWN)
        if self.ruleset.leave is not None:
            facts = NONE_KNOWN
            for step in self.ruleset.leave.do:
                facts = self.step(step, facts)

    # ---------------------------------------------------------------- one phase
    def through(self, phase: Phase) -> list[tuple[str, Facts]]:
        """Where play goes from a phase, and what is set on the way there."""
        self.phase = phase.name
        facts = self.entry[phase.name] | self.assumed.get(phase.name, NONE_KNOWN)
        if phase.begins_deal:
            facts = self.new_deal(facts) | self.assumed.get(phase.name, NONE_KNOWN)
        if phase.measure is not None:
            self.look(phase.measure, facts)
        for step in phase.do:
            facts = self.step(step, facts)
        if phase.kind == "seat":
            facts = self.asked(phase, facts)
        elif phase.kind == "round":
            facts = self.round(phase, facts)
        found: list[tuple[str, Facts]] = []
        for way in phase.next:
            if way.when is None:
                found.append((way.to, _plain(facts)))
                break
            self.look(way.when, facts)
            if self.context.joint.constant(way.when) is not False:
                found.append((way.to, _plain(facts | self.reader.tells(way.when, holds=True))))
            facts |= self.reader.tells(way.when, holds=False)
        if self.ruleset.leave is not None and phase.kind in ("seat", "round"):
            found.append((self.ruleset.leave.to, NONE_KNOWN))
        return found

    def new_deal(self, facts: Facts) -> Facts:
        for slot in self.ruleset.memory.values():
            if slot.lifetime == "deal" and slot.type.optional:
                facts = without(facts, slot.name)
                if slot.start is not None and not slot.index:
                    facts |= {slot.name}
        return facts - {TRICK}

    def asked(self, phase: Phase, facts: Facts) -> Facts:
        """One seat is asked: whatever it does."""
        if phase.seat is not None:
            self.look(phase.seat, facts)
        ends = [self.move(phase, move, facts) for move in phase.moves.values()]
        return ends[0].intersection(*ends[1:]) if ends else facts

    def round(self, phase: Phase, facts: Facts) -> Facts:
        """Seats are asked in turn: what was set before and is not unset by any move stays set."""
        if phase.first is not None:
            self.look(phase.first, facts)
        reporting, self.reporting = self.reporting, False
        while True:
            ends = [self.move(phase, move, self.asking(phase, facts)) for move in phase.moves.values()]
            again = facts.intersection(*ends)
            if again == facts:
                break
            facts = again
        self.reporting = reporting
        if phase.stop is not None:
            self.look(phase.stop, facts)
        inside = facts
        if phase.stop is not None:
            inside |= self.reader.tells(phase.stop, holds=False)
        if phase.who is not None:
            self.look(phase.who, inside)
        for move in phase.moves.values():
            self.move(phase, move, self.asking(phase, facts))
        return facts

    def asking(self, phase: Phase, facts: Facts) -> Facts:
        """What is known when a seat of a round is asked."""
        if phase.stop is not None:
            facts |= self.reader.tells(phase.stop, holds=False)
        return facts | self.reader.tells(phase.who, holds=True) if phase.who is not None else facts

    def move(self, phase: Phase, move: Move, facts: Facts) -> Facts:
        for expr in (move.pick, *(move.count or ()), move.choose):
            if expr is not None:
                self.look(expr, facts)
        if move.shapes:
            self.report_all(self.reader.ordered(move.span, facts), facts)
        for clause in move.require:
            inside = facts
            if clause.when is not None:
                self.look(clause.when, facts)
                inside = facts | self.reader.tells(clause.when, holds=True)
            self.look(clause.that, inside)
        for clause in move.require:  # every clause held, or the move was not made
            if clause.when is None:
                facts |= self.reader.tells(clause.that, holds=True)
        for step in (*move.do, *phase.then):
            facts = self.step(step, facts)
        return facts

    # ---------------------------------------------------------------- one step
    def step(self, step: Step, facts: Facts) -> Facts:
        before = facts
        for _, _, source in step.loops:
            self.look(source, facts)
        if step.when is not None:
            self.look(step.when, facts)
            facts |= self.reader.tells(step.when, holds=True)
        after = (
            self.assign(step, step.action, facts)
            if isinstance(step.action, Assign)
            else self.effect(step.action, facts)
        )
        if step.when is not None:
            after &= before | self.reader.tells(step.when, holds=False)
        if step.loops and not all(_everybody(source) for _, _, source in step.loops):
            after &= before
        return after

    def assign(self, step: Step, action: Assign, facts: Facts) -> Facts:
        for part in action.index:
            self.look(part, facts)
        slot = self.ruleset.memory.get(action.slot)
        if slot is None:
            return facts
        target = SlotRef(type=slot.type, at=action.span, name=action.slot, index=action.index)
        self.look(action.value, facts, equal=slot.type.optional and action.op == "=")
        if not slot.type.optional:
            return facts
        if action.op != "=":
            self.look(target, facts)
            return facts
        if not action.random and not self.reader.surely(action.value, facts):
            return without(facts, action.slot)
        if not action.index:
            return without(facts, action.slot) | {action.slot}
        loops = {name for name, _, source in step.loops if _everybody(source)}
        each = [part.name for part in action.index if isinstance(part, Local)]
        if step.when is None and len(each) == len(action.index) and set(each) <= loops and len(set(each)) == len(each):
            return facts | {f"{action.slot}[*]"}
        return facts

    def effect(self, action: Effect, facts: Facts) -> Facts:
        for arg in action.args:
            self.look(arg, facts)
        if action.word == "play":
            self.report_all(self.reader.ordered(action.span, facts), facts)
            return facts | {TRICK}
        if action.word == "shuffle" or (action.args and isinstance(action.args[0], TrickRef)):
            return facts - {TRICK}
        return facts

    # ---------------------------------------------------------------- reporting
    def look(self, expr: Expr, facts: Facts, *, equal: bool = False) -> None:
        if self.reporting:
            self.report_all(self.reader.needs(expr, facts, equal=equal), facts, expr)

    def report_all(self, needs: list[Need], facts: Facts, expr: Expr | None = None) -> None:
        for need in needs if self.reporting else ():
            assumed = self.assumed.get(self.phase, NONE_KNOWN)
            if (need.key, need.span) not in self.reported and need.key not in assumed:
                self.reported.add((need.key, need.span))
                self.report(need, expr)
                self.assumed[self.phase] = assumed | {need.key}

    def report(self, need: Need, expr: Expr | None) -> None:
        phase = self.ruleset.phases.get(self.phase)
        where = Text(f"在阶段“{self.phase}”，", f'in the phase "{self.phase}", ') if phase else Text("", "")
        related: list[Related] = []
        if need.through and expr is not None and expr.at != NOWHERE:
            names = " -> ".join(need.through)
            related.append(Related(Text(f"经过 {names} 用到它", f"used here, through {names}"), expr.at))
        if phase is not None:
            related.append(Related(Text("这时在这个阶段", "play is in this phase"), phase.span))
        if need.key == TRICK:
            zh, en = "桌上可能还没有牌，就读了这一轮的牌", "the trick is read while there may be none on the table"
            help_ = Text("先出牌再读；或先问 not empty(trick)", "read it after a play, or ask first: not empty(trick)")
            witness = self.way(need)
        else:
            name = need.key.split("[")[0]
            slot = self.ruleset.memory.get(name)
            if slot is not None and slot.span != NOWHERE:
                related.append(
                    Related(
                        Text(f"“{name}”在这里声明，可以未定", f'"{name}" is declared here and may be unset'), slot.span
                    )
                )
            zh, en = f"“{need.key}”可能还没定，就读了它", f'"{need.key}" is read and may not be set yet'
            help_ = Text(
                f"先给它值；或先问 {need.key} is not none",
                f"give it a value first, or ask first: {need.key} is not none",
            )
            witness = self.way(need)
        span = need.span if need.span != NOWHERE else (phase.span if phase else NOWHERE)
        self.context.findings.add(
            "HW408", span, where.zh + zh, where.en + en, related=tuple(related), witness=witness, help=(help_,)
        )

    def way(self, need: Need) -> Text | None:
        """A way to this phase on which nothing sets the value."""
        if self.phase not in self.ruleset.phases:
            return None
        start = self.ruleset.start
        paths = {start: [start]}
        waiting = [start]
        while waiting:
            name = waiting.pop(0)
            for way in self.ruleset.phases[name].next:
                if way.to in paths or need.key in self.entry.get(way.to, NONE_KNOWN):
                    continue
                if way.to in self.ruleset.phases:
                    paths[way.to] = [*paths[name], way.to]
                    waiting.append(way.to)
        shown = " -> ".join(paths[self.phase]) if self.phase in paths else self.phase
        return Text(f"这样走到时它还没定：{shown}", f"not set on this way: {shown}")


def _plain(facts: Facts) -> Facts:
    """What is still meant in another phase: nothing about a loop variable or a seat of this one."""
    return frozenset(fact for fact in facts if "[" not in fact or fact.endswith("[*]"))


def _everybody(source: Expr) -> bool:
    """Whether a loop goes over every seat, so at least once."""
    return isinstance(source, Whole) and source.name == "seats"

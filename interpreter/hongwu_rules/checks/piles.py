"""HW601 again: cards taken from where none can be. HW317: the cards are dealt again, and no phase begins a deal."""

from __future__ import annotations

from operator import or_

from ..diagnostics import Related, Text
from ..model import Assign, Effect, Phase, Step
from ..model.ir import Expr, ZoneRef, walk
from .along import along
from .context import Context
from .graph import drawn, knots
from .sites import all_steps, phase_steps

Filled = frozenset[str]  # the zones that may hold cards


def check_piles(context: Context) -> None:
    """Follow the phases with the zones that may hold cards; then look at what comes round with a new deal."""
    if context.ruleset.start in context.ruleset.phases:
        _Piles(context).run()
        _begun(context)


class _Piles:
    def __init__(self, context: Context) -> None:
        self.context = context
        self.phases = context.ruleset.phases
        self.entry: dict[str, Filled] = {}
        self.empty: dict[str, Step] = {}  # zones from which cards are taken while there are none, and the first step

    def run(self) -> None:
        leave = self.context.ruleset.leave
        self.entry[self.context.ruleset.start] = frozenset()
        if leave is not None and leave.to in self.phases:
            self.entry[leave.to] = frozenset(self.context.ruleset.zones)
        along(self.phases, self.entry, self.through, or_)
        self.empty.clear()
        for name in self.entry:
            self.through(self.phases[name])
        for zone, step in self.empty.items():
            self.report(zone, step)

    def through(self, phase: Phase) -> list[tuple[str, Filled]]:
        filled = self.entry[phase.name]
        for step in phase.do:
            filled = self.step(step, filled)
        while phase.moves:
            ends = [self.moved(phase, name, filled) for name in phase.moves]
            again = filled.union(*ends)
            if again == filled:
                break
            filled = again
        return [(way.to, filled) for way in phase.next]

    def moved(self, phase: Phase, name: str, filled: Filled) -> Filled:
        for step in (*phase.moves[name].do, *phase.then):
            filled = self.step(step, filled)
        return filled

    def step(self, step: Step, filled: Filled) -> Filled:
        action = step.action
        if not isinstance(action, Effect) or action.word not in ("shuffle", "deal", "move"):
            return filled
        target = action.args[0 if action.word == "shuffle" else 1]
        if action.word != "shuffle":
            source = self.zones(action.args[0])
            if source and not source & filled:
                self.empty.setdefault(min(source), step)
                return filled
        return filled | {target.name} if isinstance(target, ZoneRef) else filled

    def zones(self, expr: Expr) -> set[str]:
        return {part.name for part in walk(self.context.evaluator.inline(expr)) if isinstance(part, ZoneRef)}

    def report(self, zone: str, step: Step) -> None:
        self.context.findings.add(
            "HW601",
            step.span,
            f"这时“{zone}”里没有牌：走到这里以前，没有一步把牌放进去",
            f'there are no cards in "{zone}" here: no step before this puts any there',
            related=(
                Related(
                    Text(f"“{zone}”在这里声明", f'"{zone}" is declared here'), self.context.ruleset.zones[zone].span
                ),
            ),
            witness=Text(f"{zone}：0张", f"{zone}: 0 cards"),
            help=(Text(f"在这以前洗牌：shuffle({zone})", f"shuffle the cards before this: shuffle({zone})"),),
        )


def _begun(context: Context) -> None:
    """HW317."""
    phases = context.ruleset.phases
    given = {step.action.slot for step in all_steps(context.ruleset) if isinstance(step.action, Assign)}
    slots = [slot for slot in context.ruleset.memory.values() if slot.lifetime == "deal" and slot.name in given]
    if not slots or any(phase.begins_deal for phase in phases.values()):
        return
    for ring in knots(drawn(phases), phases):
        first = next((name for name in ring if any(map(_shuffles, phase_steps(phases[name])))), None)
        if first is None:
            continue
        shown = " -> ".join([*ring, ring[0]])
        context.findings.add(
            "HW317",
            phases[first].span,
            "一次次重新洗牌，却没有一个阶段写 begins: deal：每局的记忆不会从头来",
            "the cards are shuffled again and again, and no phase says `begins: deal`: what is remembered for a deal "
            "never starts anew",
            related=(Related(Text(f"“{slots[0].name}”每局一记", f'"{slots[0].name}" is for a deal'), slots[0].span),),
            witness=Text(shown, shown),
            help=(
                Text(
                    f"在“{first}”里写 begins: deal；一整场都记的，写在 memory 的 match 下",
                    f'write begins: deal in "{first}"; what is kept for the match stands under match',
                ),
            ),
        )
        return


def _shuffles(step: Step) -> bool:
    return isinstance(step.action, Effect) and step.action.word == "shuffle"

"""HW411: cards are played while nothing has said, on some way there, what their order depends on.

A slot that starts unset may be meant to be unset: no trump is a trump, too. But something must have decided so. What
is known along the phases: slots that are set, slots that were given a value (be it none), and what follows from what:
``caller>trump`` says that trump was given wherever the caller is set. Conditions of the ways count as well, as long as
nothing that they read has changed: a phase left out under one is made up for by another under the same one.
"""

from __future__ import annotations

from operator import and_

from ..diagnostics import Related, Text
from ..model import Assign, Effect, Move, Phase, Slot, Step
from ..model.ir import Apply, Expr, IsNone, Logic, Not, SlotRef, TrickRef, ZoneRef, walk
from .along import along
from .context import Context
from .facts import Facts, Reader

_NONE: Facts = frozenset()


def check_given(context: Context) -> None:
    """Follow every way through the phases to where cards are played."""
    slots = context.ruleset.memory
    read = [
        part.name
        for group in context.ruleset.order.groups
        for line in group.lines
        if line.that is not None
        for part in walk(context.evaluator.inline(line.that))
        if isinstance(part, SlotRef) and part.name in slots
    ]
    targets = [slots[name] for name in dict.fromkeys(read) if _unset_at_first(slots[name])]
    if targets and context.ruleset.start in context.ruleset.phases:
        _Given(context, targets).run()


def _unset_at_first(slot: Slot) -> bool:
    return slot.lifetime == "deal" and slot.type.optional and slot.start is None and not slot.index


class _Given:
    def __init__(self, context: Context, targets: list[Slot]) -> None:
        self.context = context
        self.phases = context.ruleset.phases
        self.targets = [slot.name for slot in targets]
        self.reader = Reader(context.ruleset.defines, context.evaluator.notation)
        self.slots = {slot.name for slot in context.ruleset.memory.values() if _unset_at_first(slot)}
        self.conditions: dict[str, set[str]] = {}  # those of the ways, with the slots that they read
        for phase in self.phases.values():
            for way in phase.next:
                if way.when is not None:
                    self.literals(way.when, holds=True)
                    self.literals(way.when, holds=False)
        self.entry: dict[str, Facts] = {}
        self.played: dict[str, Phase] = {}  # what was not given when cards were played, and the first such phase

    def run(self) -> None:
        start = self.context.ruleset.start
        self.entry[start] = self.new_deal()
        along(self.phases, self.entry, self.through, and_)
        self.played.clear()  # what seemed to be given before every way was followed
        for name in self.entry:
            self.through(self.phases[name])
        for slot, phase in self.played.items():
            self.report(slot, phase)

    # ---------------------------------------------------------------- what is known
    def new_deal(self) -> Facts:
        """Nothing is set: whatever may follow from a slot's being set, follows."""
        return frozenset(f"{slot}>{target}" for slot in self.slots for target in self.targets)

    def closed(self, facts: Facts) -> Facts:
        """The facts with what follows from them."""
        found = set(facts)
        for target in self.targets:
            given = f"given {target}"
            if given in found or any(fact in found for fact in self.causes(found, target)):
                found.add(given)
                found.update(f"{slot}>{target}" for slot in self.slots)
                found.update(f"{sign}{text}>{target}" for text in self.conditions for sign in "+-")
        return frozenset(found)

    def causes(self, facts: set[str], target: str) -> list[str]:
        end = f">{target}"
        return [fact[: -len(end)] for fact in facts if fact.endswith(end)]

    def told(self, expr: Expr, facts: Facts, *, holds: bool) -> Facts:
        """What a condition tells: slots that are set or unset, and that it holds."""
        if isinstance(expr, Logic) and (expr.op == "and") != holds:
            left = [part for part in expr.parts if not self.known(part, facts, holds=not holds)]
            # One of these is so; where each would do, so does the whole. None of them: it cannot come out so here.
            each = [self.closed(facts | self.told(part, facts, holds=holds)) for part in left]
            given = [target for target in self.targets if all(f"given {target}" in found for found in each)]
            alone = self.told(left[0], facts, holds=holds) if len(left) == 1 else _NONE
            return alone | frozenset(f"given {target}" for target in given)
        found = set(self.reader.tells(expr, holds=holds)) & self.slots
        for slot in self.unset(expr, holds=holds):
            found |= {f"{slot}>{target}" for target in self.targets}  # it is not set: all follows
        for literal, opposite in self.literals(expr, holds=holds):
            found.add(literal)
            found |= {f"{opposite}>{target}" for target in self.targets}
        return frozenset(found)

    def known(self, expr: Expr, facts: Facts, *, holds: bool) -> bool:
        """Whether a condition is known to hold (or to fail)."""
        found = self.literals(expr, holds=holds)
        return bool(found) and all(literal in facts for literal, _ in found)

    def unset(self, expr: Expr, *, holds: bool) -> set[str]:
        """The slots that are surely unset if a condition holds (or fails)."""
        match expr:
            case Not():
                return self.unset(expr.of, holds=not holds)
            case Logic() if (expr.op == "and") == holds:
                return set().union(*(self.unset(part, holds=holds) for part in expr.parts))
            case IsNone() if expr.negated != holds and isinstance(expr.of, SlotRef):
                return {expr.of.name} & self.slots
            case Apply() if not expr.args and expr.define in self.context.ruleset.defines:
                return self.unset(self.context.ruleset.defines[expr.define].body, holds=holds)
        return set()

    def literals(self, expr: Expr, *, holds: bool) -> set[tuple[str, str]]:
        """Conditions on options and memory, each with its opposite: ``+throws == all`` and ``-throws == all``."""
        match expr:
            case Not():
                return self.literals(expr.of, holds=not holds)
            case Logic() if (expr.op == "and") == holds:
                return set().union(*(self.literals(part, holds=holds) for part in expr.parts))
        parts = walk(self.context.evaluator.inline(expr))
        if any(isinstance(part, ZoneRef | TrickRef) for part in parts):
            return set()
        text = self.context.evaluator.notation(expr)
        self.conditions[text] = {part.name for part in parts if isinstance(part, SlotRef)}
        return {(f"+{text}", f"-{text}") if holds else (f"-{text}", f"+{text}")}

    # ---------------------------------------------------------------- one phase
    def through(self, phase: Phase) -> list[tuple[str, Facts]]:
        facts = self.closed(self.entry[phase.name])
        if phase.begins_deal:
            facts = self.new_deal()
        for step in phase.do:
            facts = self.step(phase, step, facts)
        if phase.moves:
            facts = self.asked(phase, facts)
        found: list[tuple[str, Facts]] = []
        for way in phase.next:
            if way.when is None:
                found.append((way.to, self.closed(facts)))
                break
            if self.context.joint.constant(way.when) is not False:
                found.append((way.to, self.closed(facts | self.told(way.when, facts, holds=True))))
            facts = self.closed(facts | self.told(way.when, facts, holds=False))
        return found

    def asked(self, phase: Phase, facts: Facts) -> Facts:
        """Whatever is done; in a round perhaps nothing, and perhaps several things."""
        if phase.kind == "seat":
            ends = [self.move(phase, move, facts) for move in phase.moves.values()]
            return ends[0].intersection(*ends[1:])
        while True:
            again = facts.intersection(*(self.move(phase, move, facts) for move in phase.moves.values()))
            if again == facts:
                return facts
            facts = again

    def move(self, phase: Phase, move: Move, facts: Facts) -> Facts:
        for clause in move.require:
            if clause.when is None:
                facts = self.closed(facts | self.told(clause.that, facts, holds=True))
        for step in (*move.do, *phase.then):
            facts = self.step(phase, step, facts)
        return facts

    def step(self, phase: Phase, step: Step, facts: Facts) -> Facts:
        action = step.action
        if isinstance(action, Effect):
            if action.word == "play":
                for target in self.targets:
                    if f"given {target}" not in facts:
                        self.played.setdefault(target, phase)
            return facts
        after = self.assigned(action, facts)
        return facts & after if step.when is not None else after

    def assigned(self, action: Assign, facts: Facts) -> Facts:
        """After a slot got a value: what followed from its being set follows no more, unless it holds anyway."""
        changed = {action.slot}
        changed |= {f"{sign}{text}" for text, read in self.conditions.items() if action.slot in read for sign in "+-"}
        open_ = [target for target in self.targets if f"given {target}" not in facts and target != action.slot]
        found = facts - changed - {f"{one}>{target}" for one in changed for target in open_}
        if action.slot in self.targets:
            found |= {f"given {action.slot}"}
        if action.slot in self.slots and (action.random or self.reader.surely(action.value, facts)):
            found |= {action.slot}
        return self.closed(found)

    # ---------------------------------------------------------------- reporting
    def report(self, name: str, phase: Phase) -> None:
        slot = self.context.ruleset.memory[name]
        shown = " -> ".join(self.way(name, phase.name))
        self.context.findings.add(
            "HW411",
            phase.span,
            f"在阶段“{phase.name}”出牌时，牌的大小要看“{name}”，可是有一条路走来谁也没有给它值",
            f'cards are played in the phase "{phase.name}", their order depends on "{name}", and there is a way on which '
            "nothing has given it a value",
            related=(Related(Text(f"“{name}”在这里声明", f'"{name}" is declared here'), slot.span),),
            witness=Text(f"没给值就走到：{shown}", f"without a value on this way: {shown}"),
            help=(
                Text(
                    f"在这条路上给“{name}”一个值；本来就没有时写 {name} = none",
                    f'give "{name}" a value on this way; where there is none by the rules, write {name} = none',
                ),
            ),
        )

    def way(self, slot: str, phase: str) -> list[str]:
        """A way to a phase on which the slot is not given."""
        start = self.context.ruleset.start
        paths, waiting = {start: [start]}, [start]
        while waiting and phase not in paths:
            name = waiting.pop(0)
            for to, facts in self.through(self.phases[name]):
                if to in self.phases and to not in paths and f"given {slot}" not in facts:
                    paths[to] = [*paths[name], to]
                    waiting.append(to)
        return paths.get(phase, [phase])

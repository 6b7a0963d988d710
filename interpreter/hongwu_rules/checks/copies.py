"""HW413: a slot that is the same as another one wherever it is read, followed along the phases."""

from __future__ import annotations

from collections.abc import Iterable
from operator import and_

from ..diagnostics import Related, Text
from ..model import Assign, Move, Phase, Slot, Step
from ..model.ir import Const, Expr, SlotRef, TrickRef, ZoneRef, walk
from .along import along
from .context import Context
from .sites import all_sites, all_steps

Same = frozenset[tuple[str, str]]  # pairs of equal slots, and (slot, "= text") for a value just given
_PLAIN = frozenset({"bool", "int", "cards"})  # that these are equal says little


def check_copies(context: Context) -> None:
    """Follow every way through the phases with the slots that are equal, and look at what is read on it."""
    if context.ruleset.start in context.ruleset.phases:
        _Copies(context).run()


class _Copies:
    def __init__(self, context: Context) -> None:
        self.context = context
        self.ruleset = context.ruleset
        memory = self.ruleset.memory.values()
        self.slots = {slot.name: slot for slot in memory if not slot.index and slot.type.name not in _PLAIN}
        self.twins = [
            (one.name, two.name)
            for number, one in enumerate(self.slots.values())
            for two in list(self.slots.values())[number + 1 :]
            if (one.type.name, one.type.of) == (two.type.name, two.type.of)
        ]
        self.entry: dict[str, Same] = {}
        self.same: dict[str, set[str]] = {}  # what each slot was equal to whenever it was read
        self.texts: dict[str, tuple[frozenset[str], bool]] = {}  # what a value reads: slots, and whether cards
        self._read: dict[int, tuple[Expr, frozenset[str]]] = {}

    def run(self) -> None:
        if not self.twins:
            return
        self.entry[self.ruleset.start] = self.begun(self.slots.values(), frozenset())
        along(self.ruleset.phases, self.entry, self.through, and_)
        self.same.clear()  # what seemed equal before every way was followed
        for name in self.entry:
            self.through(self.ruleset.phases[name])
        for site in all_sites(self.ruleset):
            if site.role == "order" or (not site.phase and site.role == "value"):
                self.look(site.expr, frozenset())  # read at any time
        found: dict[str, str] = {}
        for one, two in self.twins:
            if one in self.same.get(two, ()):
                found.setdefault(two, one)
            elif two in self.same.get(one, ()):
                found.setdefault(one, two)
        for name, other in found.items():
            self.report(name, other)

    def begun(self, slots: Iterable[Slot], same: Same) -> Same:
        """These slots have their start value again."""
        names = {slot.name for slot in slots}
        kept = {pair for pair in same if not names & set(pair)}
        return frozenset(kept | {(a, b) for a, b in self.twins if {a, b} <= names and self.start(a) == self.start(b)})

    def start(self, name: str) -> str:
        start = self.slots[name].start
        return "" if start is None else self.context.evaluator.notation(start)

    # ---------------------------------------------------------------- following
    def through(self, phase: Phase) -> list[tuple[str, Same]]:
        same = self.entry[phase.name]
        if phase.begins_deal:
            same = self.begun((slot for slot in self.slots.values() if slot.lifetime == "deal"), same)
        self.look(phase.measure, same)
        same = self.steps(phase.do, same)
        self.look(phase.seat, same)
        self.look(phase.first, same)
        while phase.moves:
            again = self.moved(phase, same)
            if phase.kind == "seat" or again & same == same:
                same = again if phase.kind == "seat" else same
                break
            same &= again
        for way in phase.next:
            self.look(way.when, same)
        if phase.kind == "final":
            self.look(self.ruleset.returns, same)
        ways = [(way.to, same) for way in phase.next]
        if self.ruleset.leave is not None and phase.kind in ("seat", "round"):
            ways.append((self.ruleset.leave.to, frozenset()))
        return ways

    def moved(self, phase: Phase, same: Same) -> Same:
        """What is equal after any move."""
        for expr in (phase.stop, phase.who, phase.measure):
            self.look(expr, same)
        ends = [self.move(phase, move, same) for move in phase.moves.values()]
        return ends[0].intersection(*ends[1:])

    def move(self, phase: Phase, move: Move, same: Same) -> Same:
        for expr in (move.pick, *(move.count or ()), move.choose):
            self.look(expr, same)
        for clause in move.require:
            self.look(clause.that, same)
            self.look(clause.when, same)
        return self.steps((*move.do, *phase.then), same)

    def steps(self, steps: Iterable[Step], same: Same) -> Same:
        for step in steps:
            before = same
            for expr in (*(source for _, _, source in step.loops), step.when):
                self.look(expr, same)
            action = step.action
            if isinstance(action, Assign):
                for expr in (*action.index, action.value):
                    self.look(expr, same)
                same = self.assigned(step, action, same)
            else:
                for expr in action.args:
                    self.look(expr, same)
                same = self.without(same, cards=action.word != "show")
            if step.when is not None:
                same &= before
        return frozenset(pair for pair in same if pair[1] in self.slots)

    def assigned(self, step: Step, action: Assign, same: Same) -> Same:
        name = action.slot
        after = self.without(same, slot=name)
        if name not in self.slots or action.op != "=" or action.random or step.loops:
            return after
        if isinstance(action.value, SlotRef) and not action.value.index:
            equal = {action.value.name} | self.equal(action.value.name, same)
        else:
            text = f"= {self.context.evaluator.notation(action.value)}"
            parts = walk(self.context.evaluator.inline(action.value))
            read = frozenset(part.name for part in parts if isinstance(part, SlotRef))
            self.texts[text] = read, any(isinstance(part, ZoneRef | TrickRef) for part in parts)
            equal = {text, *(one for one, two in after if two == text)} if name not in read else set()
        return after | {pair for other in equal - {name} for pair in ((name, other), (other, name)) if self.known(pair)}

    def known(self, pair: tuple[str, str]) -> bool:
        return pair in self.twins or (pair[0] in self.slots and pair[1] in self.texts)

    def without(self, same: Same, *, slot: str = "", cards: bool = False) -> Same:
        """What is still equal once a slot has another value, or cards have moved."""
        lost = {text for text, (slots, zones) in self.texts.items() if slot in slots or (cards and zones)}
        if not lost and slot not in self.slots:
            return same
        return frozenset(pair for pair in same if slot not in pair and pair[1] not in lost)

    def equal(self, name: str, same: Same) -> set[str]:
        """What is equal to a slot."""
        return {two for one, two in same if one == name} | {one for one, two in same if two == name}

    # ---------------------------------------------------------------- what is read
    def look(self, expr: Expr | None, same: Same) -> None:
        if expr is None or isinstance(expr, Const):
            return
        for name in self.read(expr):
            equal = self.equal(name, same)
            self.same[name] = self.same[name] & equal if name in self.same else equal

    def read(self, expr: Expr) -> frozenset[str]:
        found = self._read.get(id(expr))
        if found is None:
            parts = walk(self.context.evaluator.inline(expr))
            names = frozenset(part.name for part in parts if isinstance(part, SlotRef) and part.name in self.slots)
            found = self._read[id(expr)] = (expr, names)
        return found[1]

    # ---------------------------------------------------------------- reporting
    def report(self, name: str, other: str) -> None:
        slot, twin = self.slots[name], self.slots[other]
        steps = [
            step for step in all_steps(self.ruleset) if isinstance(step.action, Assign) and step.action.slot == name
        ]
        given = tuple(Related(Text("这里给它值", "it is given a value here"), step.span) for step in steps[:1])
        self.context.findings.add(
            "HW413",
            slot.span,
            f"“{name}”总是和“{other}”一样：读它的地方，两个从来没有不同",
            f'"{name}" is always the same as "{other}": wherever it is read, the two never differ',
            related=(Related(Text(f"“{other}”在这里声明", f'"{other}" is declared here'), twin.span), *given),
            help=(
                Text(
                    f"在两者该不同的地方写一步 {name} = …；本来就一样的，只留“{other}”",
                    f'write a step {name} = … where the two are to differ; if they never do, keep "{other}" alone',
                ),
            ),
        )

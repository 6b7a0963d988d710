"""Yes-or-no memory that surely holds, or surely does not, while a phase asks: what a phase has opened, for one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..model import Assign, Phase, Ruleset, Slot, Step
from ..model.ir import Const
from .along import along

Switches = dict[str, bool]  # by the name of the slot; what is not in it may be either


def switches(ruleset: Ruleset) -> Mapping[str, Switches]:
    """For each phase that play can come to, the slots of one ``bool`` whose value is sure when it asks a seat."""
    return _Flow(ruleset).asked


class _Flow:
    """What is sure on entering each phase, whichever way play came."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        slots = ruleset.memory.values()
        self.slots: dict[str, Slot] = {one.name: one for one in slots if one.type.name == "bool" and not one.index}
        self.asked: dict[str, Switches] = {}
        entry: dict[str, Switches] = {ruleset.start: self.started({}, *self.slots)}
        along(ruleset.phases, entry, lambda phase: self.through(phase, entry[phase.name]), _both)

    def started(self, known: Switches, *names: str) -> Switches:
        """These slots have their start value again."""
        rest = {name: value for name, value in known.items() if name not in names}
        starts = {name: start for name in names if isinstance(start := self.slots[name].start, Const)}
        return rest | {name: bool(start.value) for name, start in starts.items()}

    def through(self, phase: Phase, known: Switches) -> list[tuple[str, Switches]]:
        """Where play goes from a phase, and what is sure then."""
        if phase.begins_deal:
            known = self.started(known, *(slot.name for slot in self.slots.values() if slot.lifetime == "deal"))
        known = self.after(phase.do, known)
        ways: list[tuple[str, Switches]] = []
        if phase.kind in ("seat", "round"):
            done = self.moved(phase, known)
            while (
                phase.kind == "round" and (both := _both(known, done)) != known
            ):  # somebody is asked after others moved
                known = both
                done = self.moved(phase, known)
            self.asked[phase.name] = known
            known = done if phase.kind == "seat" else _both(known, done)
            if self.ruleset.leave is not None:
                ways.append((self.ruleset.leave.to, self.after(self.ruleset.leave.do, self.asked[phase.name])))
        return [*ways, *((way.to, known) for way in phase.next)]

    def moved(self, phase: Phase, known: Switches) -> Switches:
        """What is sure after one move of a phase, whichever it was."""
        after = [self.after((*move.do, *phase.then), known) for move in phase.moves.values()]
        return _both(*after) if after else known

    def after(self, steps: Iterable[Step], known: Switches) -> Switches:
        for step in steps:
            action = step.action
            if not isinstance(action, Assign) or action.slot not in self.slots:
                continue
            rest = {name: value for name, value in known.items() if name != action.slot}
            if action.op == "=" and not action.random and isinstance(action.value, Const):
                value = bool(action.value.value)
                if known.get(action.slot) == value or (step.when is None and not step.loops):
                    rest[action.slot] = value
            known = rest
        return known


def _both(first: Switches, *others: Switches) -> Switches:
    """What is sure in every one of these."""
    return {name: value for name, value in first.items() if all(other.get(name) == value for other in others)}

"""Where a trick may lie on the table while a phase asks a seat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..diagnostics import Span
from ..model import Effect, Phase, Ruleset, Step
from .along import along

Laid = Span | None  # the step that put cards on the table


def laid(ruleset: Ruleset) -> Mapping[str, Span]:
    """The phases that ask somebody while a trick may lie there, each with a step that laid it."""
    entry: dict[str, Laid] = {ruleset.start: None}
    asked: dict[str, Span] = {}

    def through(phase: Phase) -> list[tuple[str, Laid]]:
        known = _after(phase.do, None if phase.begins_deal else entry[phase.name])
        ways: list[tuple[str, Laid]] = []
        if phase.moves:
            moved = [_after((*move.do, *phase.then), known) for move in phase.moves.values()]
            if phase.kind == "round":  # somebody is asked after others moved
                known = _either(known, *moved)
                moved.append(known)
            if known is not None:
                asked[phase.name] = known
            if ruleset.leave is not None:
                ways.append((ruleset.leave.to, _after(ruleset.leave.do, known)))
            known = _either(*moved)
        return [*ways, *((way.to, known) for way in phase.next)]

    along(ruleset.phases, entry, through, _either)
    return asked


def _after(steps: Iterable[Step], known: Laid) -> Laid:
    for step in steps:
        action = step.action
        if not isinstance(action, Effect):
            continue
        if action.word == "play":
            known = action.span
        elif action.word == "move" and action.args[0].type.name == "trick" and step.when is None:
            known = None
    return known


def _either(*several: Laid) -> Laid:
    return next((one for one in several if one is not None), None)


__all__ = ["laid"]

"""Which steps of a ruleset play runs through: the generated module is watched line by line while a move is applied."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any

from .compile.program import Program
from .model import Phase, Ruleset, Step

_Trace = Callable[[FrameType, str, Any], Any]


def phase_steps(phase: Phase) -> dict[str, list[tuple[str, Step]]]:
    """The steps of a phase with their names, by where they stand: ``""`` its own, and by move, with what follows it.

    A step is named by its label, or by its number: ``settle.pay``, ``answer.play.2``, ``answer.then.1``.
    """
    after = _named(f"{phase.name}.then", phase.then)
    found = {move.name: _named(f"{phase.name}.{move.name}", move.do) + after for move in phase.moves.values()}
    return {"": _named(phase.name, phase.do)} | found


def _named(where: str, steps: tuple[Step, ...]) -> list[tuple[str, Step]]:
    return [(f"{where}.{step.name or number}", step) for number, step in enumerate(steps, 1)]


def step_names(ruleset: Ruleset) -> list[str]:
    """Every step, in the order of the phases; those of ``leave`` at the end."""
    named = [pair for phase in ruleset.phases.values() for steps in phase_steps(phase).values() for pair in steps]
    named += _named("leave", ruleset.leave.do) if ruleset.leave is not None else []
    return list(dict.fromkeys(name for name, _ in named))


class Footsteps:
    """Counts the steps that are done while play runs under ``with footsteps.watched():``.

    A step is done when the last of its lines in the generated module is: those before it are its condition and its
    loop. ``dropped`` are those that the module does not have, because the options rule them out.
    """

    def __init__(self, program: Program) -> None:
        self._file = program.filename
        self._ends: dict[int, list[str]] = {}
        self._hits: Counter[int] = Counter()
        self.names = step_names(program.ruleset)
        source = program.source.splitlines()
        found: set[str] = set()
        for phase in program.phases:
            steps = phase_steps(phase.model)
            codes: dict[str, Any] = {"": phase.enter, **{name: move.step for name, move in phase.moves.items()}}
            for name, function in codes.items():
                found |= self._locate(program, source, _code(function), steps[name])
        if program.leave is not None and program.ruleset.leave is not None:
            steps_of_leave = _named("leave", program.ruleset.leave.do)
            found |= self._locate(program, source, _code(program.leave), steps_of_leave)
        self.dropped = [name for name in self.names if name not in found]

    def _locate(self, program: Program, source: list[str], code: CodeType, steps: list[tuple[str, Step]]) -> set[str]:
        """Note the last line of each step of a function; the names of those that are there."""
        line, found = code.co_firstlineno, set()
        end = next((n for n in range(line, len(source)) if source[n].startswith("def ")), len(source))
        for name, step in steps:
            first = next((n for n in range(line, end) if program.spans[n] == step.span), None)
            if first is None:
                continue
            last = first
            while last + 1 < end and program.spans[last + 1] == step.span:
                last += 1
            self._ends.setdefault(last + 1, []).append(name)
            found.add(name)
            line = last + 1
        return found

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Watch what runs inside."""
        before = sys.gettrace()
        sys.settrace(self._call)
        try:
            yield
        finally:
            sys.settrace(before)

    def _call(self, frame: FrameType, _event: str, _arg: object) -> _Trace | None:
        return self._line if frame.f_code.co_filename == self._file else None

    def _line(self, frame: FrameType, event: str, _arg: object) -> _Trace:
        if event == "line":
            self._hits[frame.f_lineno] += 1
        return self._line

    def counts(self) -> Counter[str]:
        """How often each step was done."""
        found: Counter[str] = Counter(dict.fromkeys(self.names, 0))
        for line, names in self._ends.items():
            found.update(dict.fromkeys(names, self._hits[line]))
        return found


def _code(function: Any) -> CodeType:
    code: CodeType = function.__code__
    return code

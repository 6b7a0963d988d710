"""A generated module while it is written: its lines, each with the place of the ruleset it came from."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ..diagnostics import NOWHERE, Span

_MEMORY, _ZONES, _EVENTS = re.compile(r"\bm\["), re.compile(r"\bz\["), re.compile(r"\be\.")


@dataclass(slots=True)
class Module:
    """``spans[i]`` is the place of line ``i + 1``."""

    lines: list[str] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)

    def line(self, text: str, at: Span = NOWHERE) -> None:
        """One line."""
        self.lines.append(text)
        self.spans.append(at)

    def function(self, name: str, params: str, body: list[tuple[str, Span]], about: str = "") -> None:
        """A function; what it reads of ``g`` more than once gets a name of its own."""
        self.line("")
        self.line(f"def {name}({params}):" + (f"  # {about}" if about else ""))
        text = "\n".join(code for code, _ in body)
        hoisted = [
            f"    {short} = g.{short}"
            for short, used in (("m", _MEMORY), ("z", _ZONES), ("e", _EVENTS))
            if used.search(text)
        ]
        for code in hoisted:
            self.line(code)
        for code, at in body:
            self.line("    " + code, at)

    def expression(self, name: str, params: str, code: str, at: Span, about: str = "") -> None:
        """A function that gives the value of one expression."""
        self.function(name, params, [(f"return {code}", at)], about)

    @property
    def text(self) -> str:
        """The module."""
        return "\n".join(self.lines) + "\n"

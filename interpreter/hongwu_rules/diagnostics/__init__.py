"""What the checker says: a place, a finding, and the two languages of every sentence."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class Text(NamedTuple):
    """One sentence in both languages.

    >>> Text("你好", "hello").en
    'hello'
    """

    zh: str
    en: str

    def in_(self, language: str) -> str:
        """The sentence in ``"zh"`` or ``"en"``."""
        return self.zh if language == "zh" else self.en


class Span(NamedTuple):
    """A piece of a source file; lines and columns count from 1, columns in code points."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def inside(self, start: int, end: int) -> Span:
        """The part from ``start`` to ``end``, offsets on the first line of this span."""
        return Span(self.file, self.line, self.column + start, self.line, self.column + end)


NOWHERE = Span("", 0, 0, 0, 0)


class Related(NamedTuple):
    """Another place that belongs to a finding, and why."""

    text: Text
    span: Span


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding about a ruleset: a value, never raised."""

    code: str  # "HW302"
    message: Text
    span: Span
    related: tuple[Related, ...] = ()
    witness: Text | None = None  # a value, a hand, a path that shows it
    help: tuple[Text, ...] = ()  # next steps, the best first

    @property
    def order(self) -> tuple[str, int, int, str]:
        """The key by which findings are sorted: file, place, code."""
        return (self.span.file, self.span.line, self.span.column, self.code)


class RulesetError(Exception):
    """A ruleset cannot be used; ``diagnostics`` says why, each with its place."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        self.diagnostics = diagnostics
        first = diagnostics[0] if diagnostics else None
        place = f"{first.span.file}:{first.span.line}:{first.span.column}: " if first else ""
        what = f"{first.code} {first.message.en}" if first else "the ruleset cannot be used"
        more = f" (and {len(diagnostics) - 1} more)" if len(diagnostics) > 1 else ""
        super().__init__(f"{place}{what}{more}")

    def __reduce__(self) -> tuple[type[RulesetError], tuple[list[Diagnostic]]]:
        return type(self), (self.diagnostics,)  # it crosses from one process to another


@dataclass(slots=True)
class Findings:
    """A collector that the stages of a check write into."""

    items: list[Diagnostic] = field(default_factory=list)

    def add(
        self,
        code: str,
        span: Span,
        zh: str,
        en: str,
        *,
        related: tuple[Related, ...] = (),
        witness: Text | None = None,
        help: tuple[Text, ...] = (),
    ) -> None:
        """Note one finding; the same one at the same place is noted once (an act is read at every use)."""
        found = Diagnostic(code, Text(zh, en), span, related, witness, help)
        if found not in self.items[-20:]:
            self.items.append(found)

    def __bool__(self) -> bool:
        return bool(self.items)

"""What the scanners of raw text share: reporting, repairing, and the small steps past blanks and quotes."""

from __future__ import annotations

import re
from typing import NamedTuple

from ..diagnostics import Findings, Related, Text
from .say import SAY, Say
from .text import (
    BREAKS_ELSEWHERE,
    COLONS,
    LOOKALIKE,
    MASK,
    MAX_DEPTH,
    MAX_FINDINGS,
    MAX_NODES,
    ODD_SPACES,
    TEXT_KEYS,
    Places,
    describe,
    meant,
)

BLANKS = re.compile("[ \t]*")
PROPERTY = re.compile(r"[^ \t\r\n,\[\]{}]+")
DOUBLE = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.S)
SINGLE = re.compile(r"'[^']*(?:''[^']*)*'")
WORD = r"[^\W\d][\w.\-]*(?:\[[\w, ]*\])?(?:\([\w, ]*\))?"
NO_SPACE = re.compile(rf"({WORD}):(?!//)(?=[^ \t\r\n:])")
WIDE_COLON = re.compile(rf"([\w.\-]+(?:\[[\w, ]*\])?(?:\([\w, ]*\))?)[ {ODD_SPACES}]*([{COLONS}])")
ODD_AFTER_COLON = re.compile(rf"({WORD}):([{ODD_SPACES}])")
SPECIAL = re.compile(f"[{BREAKS_ELSEWHERE}\ufeff]")
CLOSER = {"[": "]", "{": "}", "(": ")"}
CANNOT_START = "%@`|>"


class Suspect(NamedTuple):
    """A place that YAML will stumble over, and what to say if it does."""

    start: int
    end: int
    say: Say
    related: tuple[Related, ...] = ()


class ScanBase:
    """One run over one text; see source_scan."""

    def __init__(self, places: Places, text: str, findings: Findings) -> None:
        self.places, self.text, self.findings = places, text, findings
        self.size = len(text)
        self.comments: list[tuple[int, int]] = []
        self.edits: dict[int, tuple[int, str]] = {}
        self.suspects: list[Suspect] = []
        self.stop = False  # too broken to be read on
        self._nodes = 0
        self._stack: list[tuple[int, str]] = []  # columns of open mappings "m" and sequences "s"
        self._budget = 50_000  # steps of looking for the end of cut expressions
        self._tabs = 0

    def _report(
        self, code: str, start: int, end: int, say: Say, related: tuple[Related, ...] = (), **words: object
    ) -> None:
        if len(self.findings.items) < MAX_FINDINGS:
            text = say.text(**words)
            span = self.places.span(start, end)
            self.findings.add(code, span, text.zh, text.en, related=related, help=say.hints(**words))

    def _suspect(self, start: int, end: int, say: Say, other: int | None = None) -> None:
        related = self._compare(other) if other is not None else ()
        if len(self.suspects) < MAX_FINDINGS:
            self.suspects.append(Suspect(start, end, say, related))

    def _compare(self, other: int) -> tuple[Related, ...]:
        span = self.places.span(other, self.places.line_end(other))
        return (Related(Text("对照这一行", "compare with this line"), span),)

    def _mask(self, start: int, end: int, chars: str) -> None:
        for i in range(start, end):
            if self.text[i] in chars:
                self.edits[i] = (1, MASK[self.text[i]])

    def _count(self, at: int) -> bool:
        self._nodes += 1
        if self._nodes > MAX_NODES and not self.stop:
            self._report("HW005", at, at + 1, SAY["many"], limit=f"{MAX_NODES:,}")
            self.stop = True
        return self.stop

    def _next_line(self, end: int) -> int:
        row = self.places.row(end) + 1
        return self.places.starts[row] if row < len(self.places.starts) else self.size

    def _column(self, offset: int) -> int:
        return offset - self.places.starts[self.places.row(offset)]

    def _tab(self, start: int, end: int, say: Say) -> None:
        self._tabs += 1
        if self._tabs == 1:
            self._report("HW001", start, end, say)

    def _blanks(self, start: int, end: int, *, say: Say | None = None) -> int:
        """Past blanks; a tab among them is reported if ``say`` is given, and becomes a space."""
        found = BLANKS.match(self.text, start, end)
        stop = found.end() if found else start
        at = self.text.find("\t", start, stop)
        if at >= 0:
            if say and stop < end and self.text[stop] != "#":
                self._tab(at, at + 1, say)
            self._untab(start, stop)
        return stop

    def _untab(self, start: int, end: int) -> None:
        at = self.text.find("\t", start, end)
        while at >= 0:
            self.edits.setdefault(at, (1, " "))
            at = self.text.find("\t", at + 1, end)

    def _too_deep(self, at: int) -> None:
        self._report("HW005", at, at + 1, SAY["nesting"], limit=MAX_DEPTH)
        self.stop = True

    def _comment(self, start: int, end: int) -> None:
        self.comments.append((start, end))

    def _lookalikes(self, start: int, end: int, key: str | None, *, inert: tuple[str, ...] = ()) -> None:
        """Report the lookalikes of one unquoted value (one finding), and put in what was meant; ``inert`` signs as text."""
        if key in TEXT_KEYS:
            return
        found = [m.start() for m in LOOKALIKE.finditer(self.text, start, end)]
        found = [i for i in found if i not in self.edits and not self._joined_emoji(i)]
        if key == "extends":  # a file may be called so
            found = [i for i in found if not meant(self.text[i]).strip()]
        if not found:
            return
        first = found[0]
        char, plain = self.text[first], meant(self.text[first])
        more = tuple(Related(Text("这里也是", "here too"), self.places.span(i, i + 1)) for i in found[1:4])
        zh, en = describe(char)
        say = SAY["lookalike" if plain.strip() else "odd_space" if plain else "invisible"]
        self._report("HW004", first, first + 1, say, more, zh=zh, en=en, meant=plain)
        for i in found:
            repair = meant(self.text[i])
            colon_to_be = repair == ":" and self.text[i + 1 : i + 2] in ("", " ", "\t", "\r", "\n")
            if not colon_to_be:
                self.edits[i] = (1, MASK[repair] if repair in inert else repair)

    def _joined_emoji(self, i: int) -> bool:
        return self.text[i] == "\u200d" and self.text[i + 1 : i + 2] >= "\u2190"

    def _quoted(self, i: int) -> int | None:
        """The end of a quoted text; None (and a finding) when the quote is never closed."""
        found = (DOUBLE if self.text[i] == '"' else SINGLE).match(self.text, i)
        if found:
            return found.end()
        self._report("HW001", i, i + 1, SAY["quote_open"])
        self.stop = True
        return None

    def _cannot_start(self, i: int, char: str) -> None:
        self._report("HW001", i, i + 1, SAY["cannot_start"], char=char)
        self.edits[i] = (1, MASK[char])

"""A look at the raw text before YAML reads it: slips of typing that YAML would misread or explain badly.

The scanner follows YAML's own rules for comments, quotes, brackets and indentation closely enough to know where a
comment or a text begins. What it can repair without doubt (a full-width colon, an expression cut by flow style) it
reports once and repairs for the reader behind it, so that one slip gives one finding. Slips that break the structure
are kept as suspects: they are reported only if YAML then really fails.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ..diagnostics import Findings
from .base import BLANKS, CANNOT_START, NO_SPACE, ODD_AFTER_COLON, PROPERTY, SPECIAL, WIDE_COLON
from .flow import FlowScanner
from .say import SAY
from .text import MASK, MAX_DEPTH, ODD_SPACES, TEXT_KEYS, WORDINGS, Places, describe

_LEAD = re.compile(f"[ \t{ODD_SPACES}]*")
_PLAIN_END = re.compile(r":(?=[ \t]|\Z)|[ \t]#")
_BLOCK_HEADER = re.compile(r"[|>](?:[+-]?([1-9])?|([1-9])[+-])[ \t]*(?:[ \t]#[^\r\n]*)?(?=[\r\n]|\Z)")


class _Pending(NamedTuple):
    """A key or a dash whose value is still to come."""

    column: int
    key: str | None
    of_key: bool


class Scanner(FlowScanner):
    """One run over one text. Afterwards: ``comments``, ``edits`` (repairs), ``suspects`` and ``stop``."""

    def __init__(self, places: Places, text: str, findings: Findings) -> None:
        super().__init__(places, text, findings)
        self._pos = 0
        self._pending: _Pending | None = None
        self._open: tuple[int, str | None, int] | None = None  # a plain value that may go on: parent column, key, start
        self._content = False
        self._rows: dict[int, int] = {}  # column of an open mapping or list -> where it began

    def run(self) -> Scanner:
        """Scan everything."""
        while self._pos < self.size and not self.stop:
            self._line()
        for found in SPECIAL.finditer(self.text):
            self.edits.setdefault(found.start(), (1, MASK[found[0]]))
        return self

    # -- block style
    def _line(self) -> None:
        text, start = self.text, self._pos
        end = self.places.line_end(start)
        self._pos = self._next_line(end)
        found = _LEAD.match(text, start, end)
        i = found.end() if found else start
        lead = text[start:i]
        odd = next((k for k in range(start, i) if text[k] in ODD_SPACES), None) if not lead.isascii() else None
        if odd is not None:
            zh, en = describe(text[odd])
            self._report("HW004", odd, odd + 1, SAY["odd_indent"], zh=zh, en=en)
            self.stop = i < end
            self.edits.update((k, (1, " ")) for k in range(start, i) if text[k] in ODD_SPACES)
        self._untab(start, i)
        if i == end:
            return
        if text[i] == "#":
            self._comment(i, end)
            self._open = None
            return
        if "\t" in lead:
            at = text.index("\t", start)
            more = len(re.findall(r"(?:\n|\r) *\t[ \t]*[^ \t\r\n#]", text[end:]))
            self._report("HW001", at, at + 1, SAY["tabs" if more else "tab"], more=more)
            self.stop = True
        if self.stop:
            return
        if i == start and self._marker(start, end):
            return
        self._block(i, i - start, end)

    def _marker(self, start: int, end: int) -> bool:
        """A directive or a document marker at the left edge; whether the line is done with."""
        text = self.text
        if text[start] == "%" and not self._content:
            self._report("HW006", start, end, SAY["directive"])
            self.edits[start] = (1, "#")
            self._untab(start, end)
            return True
        if text.startswith(("---", "..."), start) and text[start + 3 : min(start + 4, end)] in ("", " ", "\t"):
            self._stack.clear()
            self._rows.clear()
            self._pending = self._open = None
            self._content = False
            i = self._blanks(start + 3, end)
            if i < end:
                self._value(i, end, -1, None)
            return True
        return False

    def _block(self, i: int, column: int, end: int) -> None:
        text, stack = self.text, self._stack
        pending, self._pending = self._pending, None
        if self._open is not None and column > self._open[0]:
            self._continue(i, end)
            return
        self._open = None
        dash = self._is_dash(i, end)
        left = None
        while stack and stack[-1][0] > column:
            left = stack.pop()
        if stack and stack[-1] == (column, "s") and not dash and (column, "m") in stack[-2:-1]:
            stack.pop()
        parent, key, fresh = -1, None, not self._content
        if pending and (column > pending.column or (dash and pending.of_key and column == pending.column)):
            parent, key, fresh = pending.column, pending.key, True
        elif stack:
            above, kind = stack[-1]
            other = self._rows.get(above)
            if above < column:
                self._suspect(i, end, SAY["between" if left else "deep"], other)
            elif kind == "m" and dash:
                self._suspect(i, end, SAY["dash"], other)
            elif kind == "s" and not dash:
                self._suspect(i, end, SAY["no_dash"], other)
            parent = above
        elif self._content:
            self._suspect(i, end, SAY["between"])
        self._content = True
        while self._is_dash(i, end) and not self.stop:
            column = self._column(i)
            self._push(column, "s", i)
            parent, key, fresh = column, None, True
            i = self._blanks(i + 1, end, say=SAY["tab_after_dash"])
            if i == end or text[i] == "#":
                self._finish(i, end)
                self._pending = _Pending(column, None, False)
                return
        if not self.stop:
            self._entry(i, end, parent, key, fresh)

    def _is_dash(self, i: int, end: int) -> bool:
        return i < end and self.text[i] == "-" and (i + 1 == end or self.text[i + 1] in " \t")

    def _push(self, column: int, kind: str, at: int) -> None:
        self._rows[column] = at
        if not self._stack or self._stack[-1] != (column, kind):
            self._stack.append((column, kind))
            if len(self._stack) > MAX_DEPTH:
                self._too_deep(at)
        self._count(at)

    def _continue(self, i: int, end: int) -> None:
        """One more line of a plain value."""
        assert self._open is not None
        _, key, start = self._open
        if self._is_dash(i, end) and key not in TEXT_KEYS:
            self._report("HW001", i, i + 1, SAY["joined"], self._compare(start))
        found = _PLAIN_END.search(self.text, i, end)
        stop = found.start() if found else end
        self._lookalikes(i, stop, key)
        self._untab(i, stop)
        if found and found[0] == ":":
            if self._open[0] < 0:
                self._suspect(start, self.places.line_end(start), SAY["no_colon"])
            else:
                self._suspect(i, end, SAY["nested"], start)
            self._open = None
            stop = found.end()
        elif found:
            self._open = None
        self._finish(stop, end, quiet=True)

    def _entry(self, i: int, end: int, parent: int, key: str | None, fresh: bool) -> None:
        """What stands at the place of a key: ``key: value``, or a value that is allowed here if ``fresh``."""
        text = self.text
        char = text[i]
        if char == "?" and (i + 1 == end or text[i + 1] in " \t"):
            self._report("HW006", i, i + 1, SAY["complex_key"])
            self.stop = True
            return
        if self._is_colon(i):
            self._report("HW006", i, i + 1, SAY["null_key"])
            self.stop = True
            return
        if char in "\"'":
            stop = self._quoted(i)
            if stop is None:
                return
            colon = self._blanks(stop, self.places.line_end(stop))
            if self._is_colon(colon):
                self._key(i, stop, colon, text[i + 1 : stop - 1])
                return
        elif char not in "[{&*!|>":
            found = _PLAIN_END.search(text, i, end)
            if found and found[0] == ":":
                stop = found.start()
                close = NO_SPACE.match(text, i, stop)
                if close and text[close.end()] in "[{\"'" and self._repair_key(i, stop, end):
                    return
                kept = len(text[i:stop].rstrip(" \t"))
                wide = WIDE_COLON.match(text, i, stop)
                if wide and text[wide.end() : stop].strip(" \t"):  # `甲：乙: 丙`
                    self._wide_colon(wide, end)
                    return
                self._lookalikes(i, i + kept, None)
                self._untab(i, stop)
                self._key(i, i + kept, stop, text[i : i + kept])
                return
            if self._repair_key(i, found.start() if found else end, end):
                return
            if not fresh:
                self._suspect(i, found.start() if found else end, SAY["no_colon"])
        self._value(i, end, parent, key)

    def _is_colon(self, i: int) -> bool:
        return self.text[i : i + 1] == ":" and self.text[i + 1 : i + 2] in ("", " ", "\t", "\r", "\n")

    def _repair_key(self, i: int, stop: int, end: int) -> bool:
        """A line without `: ` that clearly was to be ``key: value``: report, repair, and read on behind it."""
        wide = WIDE_COLON.match(self.text, i, stop)
        if wide:
            self._wide_colon(wide, end)
            return True
        odd = ODD_AFTER_COLON.match(self.text, i, stop)
        if odd:
            zh, en = describe(odd[2])
            self._report("HW004", odd.start(2), odd.end(2), SAY["odd_space"], zh=zh, en=en)
            self.edits[odd.start(2)] = (1, " ")
            self._key(i, odd.end(1), odd.end(1), odd[1], behind=odd.end(2))
            return True
        close = NO_SPACE.match(self.text, i, stop)
        if close:
            at = close.end(1)
            self._report("HW001", at, at + 1, SAY["no_space"], key=close[1])
            self.edits[at] = (1, ": ")
            self._key(i, at, at, close[1])
            return True
        return False

    def _wide_colon(self, wide: re.Match[str], end: int) -> None:
        at = wide.start(2)
        self._report("HW004", at, at + 1, SAY["wide_colon"], char=wide[2], key=wide[1])
        spaced = at + 1 == end or self.text[at + 1] in " \t"
        self.edits[at] = (1, ":" if spaced else ": ")
        self._key(wide.start(1), wide.end(1), at, wide[1])

    def _key(self, start: int, stop: int, colon: int, key: str, *, behind: int | None = None) -> None:
        text = self.text
        self._count(start)
        column = self._column(start)
        self._push(column, "m", start)
        if stop - start > 1024:
            self._report("HW001", start, start + 1, SAY["long_key"])
            self.stop = True
        if self.stop:
            return
        end = self.places.line_end(colon)
        i = self._blanks(colon + 1 if behind is None else behind, end, say=SAY["tab_after_colon"])
        if i == end or text[i] == "#":
            if i < end and key in WORDINGS:
                self._report("HW001", i, end, SAY["hash"], key=key)
            self._finish(i, end)
            self._pending = _Pending(column, key, True)
            return
        if self._is_dash(i, end):
            self._cannot_start(i, "-")
            self._plain(i, end, column, key)
            return
        self._value(i, end, column, key, after_key=True)

    def _value(self, i: int, end: int, parent: int, key: str | None, *, after_key: bool = False) -> None:
        text = self.text
        while i < end and text[i] in "&!":  # reported from the events
            if self._count(i):
                return
            found = PROPERTY.match(text, i, end)
            i = self._blanks(found.end() if found else i + 1, end)
        if i >= end or text[i] == "#":
            self._finish(i, end)
            self._pending = _Pending(parent, key, after_key)
            return
        char = text[i]
        if char in "\"'":
            stop = self._quoted(i)
            if stop is not None:
                self._count(i)
                end = self.places.line_end(stop)
                rest = self._blanks(stop, end)
                if rest < end and not (text[rest] == "#" and rest > stop):
                    self._after_quote(i, stop, rest, end, parent, key)
                else:
                    self._finish(rest, end)
        elif char in "[{":
            self._flow(i, parent, key)
        elif char == "*":
            found = PROPERTY.match(text, i, end)
            self._finish(found.end() if found else i + 1, end, quiet=True)
        elif char in CANNOT_START:
            if char in "|>" and _BLOCK_HEADER.match(text, i):
                self._block_scalar(i, end, parent, key)
            else:
                self._cannot_start(i, char)
                self._plain(i, end, parent, key)
        else:
            self._plain(i, end, parent, key)

    def _plain(self, i: int, end: int, parent: int, key: str | None) -> None:
        """A plain value in block style; a second `: ` in it is a slip, which is reported and masked."""
        if self._count(i):
            return
        start, said = i, False
        found = _PLAIN_END.search(self.text, i, end)
        while found and found[0] == ":":
            if key is not None:
                if not said:
                    self._report("HW001", found.start(), found.end(), SAY["two_colons"], key=key)
                    said = True
                self.edits[found.start()] = (1, MASK[":"])
            found = _PLAIN_END.search(self.text, found.end(), end)
        stop = found.start() if found else end
        self._lookalikes(start, stop, key)
        self._untab(start, stop)
        self._open = None if found else (parent, key, start)
        self._finish(stop, end, quiet=True)

    def _after_quote(self, i: int, stop: int, rest: int, end: int, parent: int, key: str | None) -> None:
        """Something stands behind a closing quote."""
        if self.places.row(i) != self.places.row(stop):
            self._report("HW001", i, i + 1, SAY["quote_open"])
            self.stop = True
            return
        self._report("HW001", rest, end, SAY["after_quote"])
        self.edits[i] = (1, MASK[self.text[i]])
        self._plain(i, end, parent, key)

    def _finish(self, i: int, end: int, *, quiet: bool = False) -> None:
        """The rest of a line behind a value: nothing or a comment."""
        j = self._blanks(i, end)
        if j < end and self.text[j] == "#":
            self._comment(j, end)
            self._open = None
        elif j < end and not quiet:
            self._suspect(j, end, SAY["rest"])
        self._pos = self._next_line(end)

    def _block_scalar(self, i: int, end: int, parent: int, key: str | None) -> None:
        """``>-`` and ``|``: the more deeply indented lines below."""
        if self._count(i):
            return
        text, places = self.text, self.places
        hash_at = text.find("#", i, end)
        if hash_at >= 0:
            self._comment(hash_at, end)
        self._untab(i, end)
        header = _BLOCK_HEADER.match(text, i)
        digit = (header[1] or header[2]) if header else None
        indent = max(parent, 0) + int(digit) if digit else None
        at, first = self._next_line(end), None
        while at < self.size:
            stop = places.line_end(at)
            inner = at
            while inner < stop and text[inner] == " ":
                inner += 1
            blank = BLANKS.match(text, inner, stop)
            if blank and blank.end() == stop:
                self._untab(at, stop)
            else:
                wanted = indent if indent is not None else parent + 1
                if inner - at < wanted:
                    if text[inner] == "\t":
                        self._report("HW001", inner, inner + 1, SAY["tab"], more=0)
                        self.stop = True
                    break
                indent = inner - at if indent is None else indent
                first = inner if first is None else first
                self._lookalikes(inner, stop, key)
            at = self._next_line(stop)
            if at <= stop:
                at = self.size
        if first is None and not self.stop:
            self._report("HW001", i, end if hash_at < 0 else hash_at, SAY["empty_block"], char=text[i])
        self._pos = at

    def _flow(self, i: int, parent: int, key: str | None) -> None:
        """A bracketed value in block style, with what stands behind it."""
        saved = len(self.findings.items), dict(self.edits) if len(self.edits) < 500 else None, len(self.comments)
        stop = self._brackets(i)
        if stop is None or self.stop:
            return
        end = self.places.line_end(stop)
        rest = self._blanks(stop, end)
        if rest == end or (self.text[rest] == "#" and rest > stop):
            self._finish(rest, end)
        elif self.text[rest] == ":":
            self._suspect(i, stop, SAY["complex_key"])
            self._finish(rest, end, quiet=True)
        elif self.text[rest] in "]}":
            self._report("HW001", rest, rest + 1, SAY["extra_closer"], char=self.text[rest])
            self.stop = True
        elif self.places.row(i) == self.places.row(stop) and saved[1] is not None:
            del self.findings.items[saved[0] :]
            self.edits = saved[1]
            del self.comments[saved[2] :]
            found = _PLAIN_END.search(self.text, rest, end)
            tail = found.start() if found else end
            self._report("HW009", i, i + len(self.text[i:tail].rstrip(" \t")), SAY["bracket_first"], char=self.text[i])
            self._mask(i, i + 1, "[{")
            self._plain(i, end, parent, key)
        else:
            self._suspect(rest, end, SAY["after_bracket"])
            self._finish(rest, end, quiet=True)

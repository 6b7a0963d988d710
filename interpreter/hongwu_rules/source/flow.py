"""Scanning bracketed values: what YAML's flow style would cut or misread."""

from __future__ import annotations

import re

from ..diagnostics import Related, Text
from .base import BLANKS, CANNOT_START, CLOSER, NO_SPACE, ODD_AFTER_COLON, PROPERTY, WIDE_COLON, ScanBase
from .say import SAY
from .text import LOOKALIKE, MASK, MAX_DEPTH, TEXT_KEYS, describe

_SPACE = re.compile("[ \t\r\n]*")
_FLOW_END = re.compile(r":(?=[ \t\r\n,\[\]{}]|\Z)|[,\[\]{}]|[ \t]#|[\r\n]")
_WIDE_COMMA_KEY = re.compile(r"[，、﹐](?=[ \u3000]*[\w.\-]+\Z)")
_TWO_WORDS = re.compile(r"[^ ]+ ([^\W\d]\w*)\Z")
_INERT = (",", "[", "]", "{", "}")
_EXTENT = re.compile(r"[()\[\]{},]|:(?=[ \t\r\n])|[ \t]#")


class _Level:
    """One open bracket."""

    __slots__ = ("at_key", "cut", "key", "opener")

    def __init__(self, opener: int, mapping: bool) -> None:
        self.opener = opener
        self.at_key = mapping
        self.key: str | None = None
        self.cut: tuple[int, int] | None = None  # a text value that ended here, and the comma behind it


class FlowScanner(ScanBase):
    """The part of the scanner for ``[...]`` and ``{...}``."""

    def _brackets(self, i: int) -> int | None:
        """From an opening bracket to behind its closing one; None when there is none."""
        text = self.text
        levels = [_Level(i, text[i] == "{")]
        self._count(i)
        i += 1
        while not self.stop:
            i = self._flow_space(i)
            if i >= self.size:
                self._unclosed(levels)
                return None
            level, char = levels[-1], text[i]
            if char == "#" and text[i - 1] in " \t\r\n":
                end = self.places.line_end(i)
                self._comment(i, end)
                i = end
            elif char in "[{":
                if len(levels) + len(self._stack) >= MAX_DEPTH:
                    self._too_deep(i)
                self._count(i)
                levels.append(_Level(i, char == "{"))
                i += 1
            elif char in "]}":
                if CLOSER[text[level.opener]] != char:
                    self._say_unclosed(level.opener, i)
                    return None
                levels.pop()
                i += 1
                if not levels:
                    return i
                i = self._flow_rest(level.opener, i, levels[-1])
            elif char == ",":
                if level.cut and level.cut[1] < 0:
                    level.cut = (level.cut[0], i)
                level.at_key, level.key = text[level.opener] == "{", level.key if level.cut else None
                i += 1
            elif char == ":" and (text[i + 1 : i + 2] in " \t\r\n,[]{}" or text[i - 1] in "\"'"):
                level.at_key = False
                level.cut = None
                if text[i + 1 : i + 2] not in ("", " ", "\t", "\r", "\n"):
                    self.edits.setdefault(i, (1, ": "))  # the C parser wants a space here
                i = self._blanks(i + 1, self.places.line_end(i), say=SAY["tab_after_colon"])
            elif char == "?" and text[i + 1 : i + 2] in " \t\r\n":
                self._report("HW006", i, i + 1, SAY["complex_key"])
                self.stop = True
            else:
                i = self._flow_scalar(i, level)
        return None

    def _flow_space(self, i: int) -> int:
        found = _SPACE.match(self.text, i)
        stop = found.end() if found else i
        at = self.text.find("\t", i, stop)
        if at >= 0:
            row = self.places.starts[self.places.row(stop)]
            lead = self.text.find("\t", max(row, i), stop)
            if row > i and lead >= 0 and stop < self.size and self.text[stop] != "#":
                self._tab(lead, lead + 1, SAY["tab"])
            self._untab(i, stop)
        return stop

    def _unclosed(self, levels: list[_Level]) -> None:
        rows = [self.places.row(level.opener) for level in levels]
        at = [level for level, row in zip(levels, rows, strict=True) if row == rows[0]][-1].opener
        self._say_unclosed(at)

    def _say_unclosed(self, at: int, closer: int | None = None) -> None:
        """An opening bracket without its partner, unless a full-width one was found behind it."""
        self.stop = True
        row = self.places.row(at) + 1
        if any(item.code == "HW004" and item.span.line >= row for item in self.findings.items):
            return
        related: tuple[Related, ...] = ()
        if closer is not None:
            related = (Related(Text("遇到这个括号", "before this bracket"), self.places.span(closer, closer + 1)),)
        char = self.text[at]
        line = self.places.line_end(at)
        hidden = next((start for start, end in self.comments if at < start and end == line), None)
        if hidden is not None and CLOSER[char] in self.text[hidden:line]:
            related = (Related(Text("从这里起成了注释", "a comment from here on"), self.places.span(hidden, line)),)
            self._report("HW001", at, at + 1, SAY["hidden_closer"], related, char=char, close=CLOSER[char])
            return
        self._report("HW001", at, at + 1, SAY["unclosed"], related, char=char, close=CLOSER[char])

    def _flow_scalar(self, i: int, level: _Level) -> int:
        text = self.text
        char = text[i]
        if self._count(i):
            return i
        if char in "&!*":
            found = PROPERTY.match(text, i)
            return found.end() if found else i + 1
        if char in "\"'":
            stop = self._quoted(i)
            if stop is None:
                return i
            if level.at_key:
                level.key = text[i + 1 : stop - 1]
            level.cut = None
            return self._flow_rest(i, stop, level)
        if char in CANNOT_START or (char == "-" and text[i + 1 : i + 2] in " \t\r\n,[]{}"):
            self._cannot_start(i, char)
        return self._flow_plain(i, level)

    def _flow_rest(self, start: int, stop: int, level: _Level) -> int:
        """Behind a quoted text or an inner bracket; whatever else stands there shows an expression."""
        text = self.text
        rest = self._blanks(stop, self.places.line_end(stop))
        if rest >= self.size or text[rest] in ",]}:\r\n" or (text[rest] == "#" and rest > stop):
            return stop
        end = self._extent(start)
        if end is None or end <= rest:
            self._suspect(rest, rest + 1, SAY["after_bracket"])
            return rest + 1 if text[rest] in "[{" else rest
        quote = text[start] in "\"'"
        self._report("HW009", start, end, SAY["flow_quote" if quote else "flow_cut"])
        self._mask(start, end, ",[]{}?" + text[start])
        return end

    def _flow_plain(self, i: int, level: _Level) -> int:
        """A plain scalar in flow style; an expression that its commas or brackets would cut is put together."""
        text, start = self.text, i
        while True:
            found = _FLOW_END.search(text, i)
            stop = found.start() if found else self.size
            if not found or found[0] not in ("\r", "\n"):
                break
            i = self._flow_space(stop)
            if i >= self.size or text[i] == "#" or (text[i] in ",[]{}" and text[i] not in "[{"):
                break
        self._untab(start, stop)
        if text.find("?", start, stop) >= 0:  # without libyaml a plain scalar would end here
            self._mask(start, stop, "?")
        mark = text[stop : stop + 1]
        words = text[start:stop].rstrip(" \t\r\n")
        text_value = not level.at_key and level.key in TEXT_KEYS
        if mark in ("[", "{") or (mark in (",", "]", "}") and words.count("(") > words.count(")")):
            end = self._extent(start)
            if end is not None and end > stop:
                self._report("HW009", start, end, SAY["flow_text" if text_value else "flow_cut"])
                self._mask(start, end, ",[]{}?")
                self._lookalikes(start, end, level.key if not level.at_key else None)
                if level.at_key:
                    level.key = text[start:end]
                elif text_value:
                    level.cut = (start, -1)
                return end
            if mark in ("[", "{"):
                self._suspect(start, stop + 1, SAY["before_bracket"])
        if level.at_key and mark != ":":
            behind = self._flow_repair(start, stop, level)
            if behind is not None:
                return behind
            if level.cut and level.cut[1] >= 0 and mark in (",", "}"):
                begin, comma = level.cut
                self._report("HW009", begin, start + len(words), SAY["flow_text"])
                self._mask(comma, comma + 1, ",")
                level.at_key, level.cut = False, (begin, -1)
                return stop
        if mark == ":" and ("\n" in words.replace("\r", "\n") or (not level.at_key and self._begins_line(start))):
            return self._flow_broken_line(start, words, level)
        if mark == ":" and not level.at_key and text[level.opener] == "{":
            return self._flow_colon(start, stop, words, level)
        split = text[level.opener] == "[" and "(" not in words
        self._lookalikes(start, start + len(words), None if level.at_key else level.key, inert=_INERT[split:])
        if level.at_key:
            level.key = words
            level.cut = None
        elif text_value:
            level.cut = (start, -1)
        return stop

    def _begins_line(self, at: int) -> bool:
        """Whether nothing but blanks stands before a place on its line."""
        return not self.text[self.places.starts[self.places.row(at)] : at].strip(" \t")

    def _flow_broken_line(self, start: int, words: str, level: _Level) -> int:
        """A key behind a line break without a comma: the comma is missing, or the bracket was to end above."""
        self.stop = True
        at = start + len(words) - len(words.replace("\r", "\n").rpartition("\n")[2].lstrip(" \t"))
        row = self.places.starts[self.places.row(level.opener)]
        indent = BLANKS.match(self.text, row)
        if indent and self._column(at) <= indent.end() - row:
            self._say_unclosed(level.opener, at)
        else:
            self._report("HW001", at, start + len(words), SAY["no_comma"], key=self.text[at : start + len(words)])
        return at

    def _flow_colon(self, start: int, colon: int, words: str, level: _Level) -> int:
        """A second colon behind one key: a comma is missing or full-width, or the value needs quotes."""
        comma = _WIDE_COMMA_KEY.search(words)
        if comma:
            at = start + comma.start()
            zh, en = describe(comma[0][0])
            self._report("HW004", at, at + 1, SAY["lookalike"], zh=zh, en=en, meant=",")
            self.edits[at] = (1, ",")
            level.at_key, level.cut = True, None
            return at + 1
        prose = level.key in TEXT_KEYS
        if not prose and LOOKALIKE.search(words):
            self._lookalikes(start, start + len(words), None)
            self.stop = True
            return colon
        two = None if prose else _TWO_WORDS.match(words)
        if two:
            at = start + two.start(1)
            self._report("HW001", at, at + len(two[1]), SAY["no_comma"], key=two[1])
            self.edits[at - 1] = (1, ",")
            level.at_key, level.key = False, two[1]
            return colon
        self._report("HW001", colon, colon + 1, SAY["two_colons"], key=level.key)
        self.edits[colon] = (1, MASK[":"])
        return colon + 1

    def _flow_repair(self, start: int, stop: int, level: _Level) -> int | None:
        """An entry without `: ` that clearly was to be ``key: value``: report, repair, and read on behind it."""
        text = self.text
        for pattern, say in ((WIDE_COLON, "wide_colon"), (NO_SPACE, "no_space"), (ODD_AFTER_COLON, "odd_space")):
            found = pattern.match(text, start, stop)
            if not found:
                continue
            at = found.start(2) if say != "no_space" else found.end(1)
            if say == "odd_space":
                zh, en = describe(text[at])
                self._report("HW004", at, at + 1, SAY[say], zh=zh, en=en)
                self.edits[at] = (1, " ")
            else:
                code = "HW004" if say == "wide_colon" else "HW001"
                self._report(code, at, at + 1, SAY[say], char=text[at], key=found[1])
                self.edits[at] = (1, ": ")
            level.key, level.at_key, level.cut = found[1], False, None
            return at + 1
        return None

    def _extent(self, start: int) -> int | None:
        """Where the expression that begins here ends, its brackets counted; None if they do not match."""
        waiting: list[str] = []
        limit = min(self.size, start + 1000)
        self._budget -= 50
        if self._budget < 0:
            return None
        for found in _EXTENT.finditer(self.text, start, limit):
            self._budget -= 1
            char, at = found[0], found.start()
            if self._budget < 0 or "#" in char:
                return None
            if char in CLOSER:
                waiting.append(CLOSER[char])
            elif char in ")]}":
                if not waiting:
                    return None if char == ")" else start + len(self.text[start:at].rstrip(" \t\r\n"))
                if waiting.pop() != char:
                    return None
            elif not waiting:
                return start + len(self.text[start:at].rstrip(" \t\r\n"))
        return None

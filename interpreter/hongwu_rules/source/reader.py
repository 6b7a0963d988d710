"""Bytes of a ruleset to a tree of plain data in which every key and value knows its place.

The only module that imports yaml. It reads the event stream of the C parser and builds the tree itself, without
recursion: positions of every use stay known, depth and size are bounded on the way, and scalars are read by YAML 1.2's
rules (``no``, ``on``, ``1:2`` and ``010`` are text), whatever PyYAML's own defaults are.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from ..diagnostics import Findings, Related, Span, Text
from .base import Suspect
from .files import SourceIOError, Suppression, read_file, suppressions
from .nodes import Entry, Mapping, Node, Plain, Scalar, Sequence
from .say import SAY, Say
from .scan import Scanner
from .text import (
    MAX_BYTES,
    MAX_DEPTH,
    MAX_FINDINGS,
    MAX_LINES,
    MAX_NODES,
    TEXT_KEYS,
    UNMASK,
    Places,
    SourceFile,
    decode,
    locate,
)

__all__ = ["MAX_BYTES", "SourceFile", "SourceIOError", "Suppression", "locate", "parse", "read_file", "suppressions"]

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # a build of PyYAML without libyaml has only the second

_INT = re.compile(r"[-+]?(?:0|[1-9][0-9]*)\Z")
MAX_SHARED = 10  # parts of what an alias may stand for; it is refused in any case
_FLOAT = re.compile(r"[-+]?(?:0|[1-9][0-9]*)\.[0-9]+\Z")
_WORDS: dict[str, Plain] = {"": None, "~": None} | dict.fromkeys(("null", "Null", "NULL"), None)
_WORDS |= dict.fromkeys(("true", "True", "TRUE"), True) | dict.fromkeys(("false", "False", "FALSE"), False)
_TRAPS: tuple[tuple[re.Pattern[str], Text], ...] = (
    (re.compile(r"(?:yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF|[yYnN])\Z"), Text("真或假", "true or false")),
    (re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?\Z"), Text("六十进制的数", "a number in base 60")),
    (re.compile(r"[-+]?0o?[0-7_]+\Z"), Text("八进制的数", "a number in base 8")),
    (re.compile(r"[-+]?0(?:x[0-9A-Fa-f_]+|b[01_]+)\Z"), Text("十六进制或二进制的数", "a number in base 16 or 2")),
    (re.compile(r"[-+]?[0-9][0-9_]*(?:\.[0-9_]*)?\Z|[-+]?\.[0-9][0-9_]*\Z"), Text("另一个数", "a number")),
    (re.compile(r"[-+]?(?:[0-9][0-9_]*)?\.?[0-9_]+[eE][-+]?[0-9]+\Z"), Text("带指数的数", "a number with an exponent")),
    (re.compile(r"[-+]?\.(?:inf|Inf|INF)\Z|\.(?:nan|NaN|NAN)\Z"), Text("无穷大或非数", "infinity or not-a-number")),
    (re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt ].*)?\Z"), Text("日期", "a date")),
)
_MAY_TRAP = re.compile(r"[-+.0-9]|(?:[yn]|yes|no|on|off)\Z", re.I)
_PROPERTY = re.compile(r"[^ \t\r\n,\[\]{}]+")


def parse(name: str, data: bytes, findings: Findings) -> tuple[SourceFile, Mapping | None]:
    """Read a file of rules. Findings go to ``findings``; the tree is None when the file is too broken for one.

    Pure, and never raises, whatever the bytes.

    >>> findings = Findings()
    >>> file, root = parse("my.yaml", b"deck: {packs: 2}", findings)
    >>> root.entries[0].value.entries[0].value.span
    Span(file='my.yaml', line=1, column=15, end_line=1, end_column=16)
    """
    own = Findings()
    file, usable = decode(name, data, own)
    root = _read(file, own) if usable else None
    findings.items += own.items[:MAX_FINDINGS]
    return file, root


def _read(file: SourceFile, findings: Findings) -> Mapping | None:
    if len(file.lines) > MAX_LINES:
        say = SAY["lines"].text(count=f"{len(file.lines):,}", limit=f"{MAX_LINES:,}")
        at = Span(file.name, MAX_LINES, 1, MAX_LINES, 1)
        findings.add("HW005", at, *say, help=SAY["lines"].hints())
        return None
    places = Places(file.name, file.text)
    scan = Scanner(places, file.text, findings).run()
    if scan.stop:
        return None
    reader = _Reader(file.text, places, scan, findings)
    return reader.read()


@dataclass(slots=True)
class _Frame:
    """A collection while its parts arrive."""

    start: int
    flow: bool
    mapping: bool
    keep: bool = True  # False: the collection stands where only a key may
    end: int = 0
    items: list[Node] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    key: Scalar | None = None
    drop: bool = False  # the value to come belongs to an entry that was refused
    wants_key: bool = True
    seen: dict[str, Scalar] = field(default_factory=dict)
    anchor: str | None = None


class _Reader:
    def __init__(self, text: str, places: Places, scan: Scanner, findings: Findings) -> None:
        self.text, self.places, self.findings = text, places, findings
        self.suspects = scan.suspects
        self.earlier = tuple(findings.items)  # what YAML says may be a consequence of these
        self.masked = bool(scan.edits)
        self.stop = False
        self.frames: list[_Frame] = []
        self.root: Node | None = None
        self.root_span = Span(places.name, 1, 1, 1, 1)
        self.documents = self.nodes = 0
        self.anchored: dict[str, Node] = {}  # what a refused alias meant, as far as it is flat
        self.feed, self._feed_at, self._text_at = _apply(text, scan.edits)

    # -- places
    def at(self, index: int) -> int:
        """An offset of what YAML reads as an offset of the file."""
        if not self._feed_at:
            return index
        k = bisect_right(self._feed_at, index) - 1
        return index if k < 0 else self._text_at[k] + index - self._feed_at[k]

    def report(self, code: str, span: Span, say: Say, related: tuple[Related, ...] = (), **words: object) -> None:
        if len(self.findings.items) < MAX_FINDINGS:
            text = say.text(**words)
            self.findings.add(code, span, text.zh, text.en, related=related, help=say.hints(**words))

    # -- the whole file
    def read(self) -> Mapping | None:
        broken = bool(self.earlier)
        loader = LOADER(self.feed)
        try:
            for event in _events(loader):
                self.event(event)
                if self.stop:
                    return None
        except (yaml.YAMLError, ValueError) as error:
            self.syntax(error)
            return None
        finally:
            loader.dispose()
        if isinstance(self.root, Mapping):
            return self.root
        if self.root is None or (isinstance(self.root, Scalar) and self.root.value is None):
            if not broken:
                self.report("HW007", Span(self.places.name, 1, 1, 1, 1), SAY["empty"])
        elif not broken:
            say = SAY["root_list" if isinstance(self.root, Sequence) else "root_text"]
            self.report("HW007", self.root.span, say)
        return None

    def syntax(self, error: Exception) -> None:
        """One finding for the error that ended YAML's reading, in our own words."""
        mark = getattr(error, "problem_mark", None)
        context = getattr(error, "context_mark", None)
        at = self.at(mark.index) if mark else self.places.size
        row = self.places.row(at)
        for item in self.earlier:
            if item.span.line <= row + 1 and (item.code == "HW004" or item.span.line >= row - 1):
                return  # most likely a consequence
        known = [one for one in self.suspects if self.places.row(one.start) <= row]
        if known:
            near = [one for one in known if self.places.row(one.start) >= row - 2]
            best: Suspect = near[0] if near else known[-1]
            end = min(best.end, self.places.line_end(best.start))
            self.report("HW001", self.places.span(best.start, end), best.say, best.related)
            return
        problem = str(getattr(error, "problem", ""))
        start = self.at(context.index) if context else at
        if "document start" in problem:
            self.report("HW007", self.places.span(at, at + 1), SAY["two_documents"])
        elif "escape" in problem:
            if self.text[at - 1 : at] == "\\" and self.text[at : at + 1] != "\\":
                at -= 1  # one of the two loaders points behind the backslash
            self.report("HW001", self.places.span(at, at + 1), SAY["escape"])
        elif self.text[start : start + 1] in ("[", "{"):
            here = Related(Text("括号从这里开始", "the bracket opens here"), self.places.span(start, start + 1))
            self.report("HW001", self.places.span(at, at + 1), SAY["syntax_flow"], (here,))
        else:
            at = min(at, len(self.text.rstrip()))
            self.report("HW001", self.places.span(at, min(at + 1, self.places.line_end(at))), SAY["syntax"])

    # -- events
    def event(self, event: Any) -> None:
        kind = type(event)
        if kind is yaml.ScalarEvent:
            self.scalar(event)
        elif kind in (yaml.MappingStartEvent, yaml.SequenceStartEvent):
            self.open(event)
        elif kind in (yaml.MappingEndEvent, yaml.SequenceEndEvent):
            self.close(event)
        elif kind is yaml.AliasEvent:
            span = self.places.span(self.at(event.start_mark.index), self.at(event.end_mark.index))
            self.report("HW006", span, SAY["alias"], what="*" + str(event.anchor).translate(UNMASK))
            if self.count(span):
                meant = self.anchored.get(str(event.anchor))
                self.nodes += MAX_SHARED  # so that many aliases of one thing count
                self.put(meant or Scalar(None, span), self.at(event.end_mark.index), refused=meant is None)
        elif kind is yaml.DocumentStartEvent:
            self.documents += 1
            if self.documents == 2:
                start = self.at(event.start_mark.index)
                self.report("HW007", self.places.span(start, start + 3), SAY["two_documents"])
                self.stop = True

    def count(self, span: Span) -> bool:
        self.nodes += 1
        if self.nodes > MAX_NODES and not self.stop:
            self.report("HW005", span, SAY["many"], limit=f"{MAX_NODES:,}")
            self.stop = True
        return not self.stop

    def start_of(self, event: Any) -> int:
        """Where a node begins, behind its tag and anchor; these are reported."""
        start = self.at(event.start_mark.index)
        while self.text[start : start + 1] in ("&", "!"):
            found = _PROPERTY.match(self.text, start)
            stop = found.end() if found else start + 1
            say = SAY["tag" if self.text[start] == "!" else "anchor"]
            self.report("HW006", self.places.span(start, stop), say, what=self.text[start:stop])
            start = stop
            while self.text[start : start + 1] in (" ", "\t", "\r", "\n"):
                start += 1
        return start

    def open(self, event: Any) -> None:
        start = self.start_of(event) if event.tag or event.anchor else self.at(event.start_mark.index)
        span = self.places.span(start, start + 1)
        if len(self.frames) >= MAX_DEPTH:
            self.report("HW005", span, SAY["nesting"], limit=MAX_DEPTH)
            self.stop = True
            return
        if not self.count(span):
            return
        frame = _Frame(start, bool(event.flow_style), isinstance(event, yaml.MappingStartEvent), end=start)
        frame.anchor = event.anchor
        if self.frames and self.frames[-1].mapping and self.frames[-1].wants_key:
            self.report("HW006", span, SAY["complex_key"])
            frame.keep = False
        self.frames.append(frame)

    def close(self, event: Any) -> None:
        frame = self.frames.pop()
        end = self.at(event.end_mark.index) if frame.flow else frame.end
        span = self.places.span(frame.start, end)
        node: Node
        if frame.mapping:
            node = Mapping(tuple(frame.entries), span, frame.flow)
        else:
            node = Sequence(tuple(frame.items), span, frame.flow)
        parts = [entry.value for entry in frame.entries] if frame.mapping else frame.items
        if frame.anchor and len(parts) <= MAX_SHARED and all(isinstance(part, Scalar) for part in parts):
            self.anchored[frame.anchor] = node
        self.put(node, end, refused=not frame.keep)

    def scalar(self, event: Any) -> None:
        start, end = self.at(event.start_mark.index), self.at(event.end_mark.index)
        dressed = event.tag or event.anchor
        if dressed:
            start = min(self.start_of(event), end)
        value: str = event.value.translate(UNMASK) if self.masked else event.value
        style = {"'": "quoted", '"': "quoted", "|": "block", ">": "block"}.get(event.style or "", "plain")
        if style == "block":
            start, end = self.block(start, end)
        span = self.places.span(start, end)
        if not self.count(span):
            return
        if style != "plain":
            self.put(Scalar(value, span, value, style), end)
            return
        if not value and not dressed:
            span = self.of_nothing(start, span)
        text = value if dressed else self.text[start:end]
        node = Scalar(self.resolve(value, span), span, text, style)
        if event.anchor:
            self.anchored[event.anchor] = node
        self.put(node, end)

    def of_nothing(self, start: int, span: Span) -> Span:
        """A value that is not there: the place of its key, or of its dash."""
        if self.frames and self.frames[-1].mapping and not self.frames[-1].wants_key:
            key = self.frames[-1].key
            return key.span if key else span
        if start and self.text[start - 1] in "-:":
            return self.places.span(start - 1, start)
        return span

    def block(self, start: int, end: int) -> tuple[int, int]:
        """The lines of a block scalar, from the first character that is not blank to the last."""
        head = self.places.line_end(start)
        body = self.text[head:end]
        last = head + len(body.rstrip(" \t\r\n"))
        first = head + len(body) - len(body.lstrip(" \t\r\n"))
        return (first, last) if last > head else (start, head)

    def resolve(self, value: str, span: Span) -> Plain:
        """What a plain scalar means in YAML 1.2, decimal numbers only."""
        if value in _WORDS:
            return _WORDS[value]
        if value[0] in "-+.0123456789":
            if _INT.match(value):
                if len(value) > 40:
                    self.report("HW005", span, SAY["digits"], count=len(value.lstrip("+-")))
                    self.stop = True
                    return 0
                return int(value)
            if _FLOAT.match(value) and len(value) <= 40:
                return float(value)
        return value

    # -- nodes into their collections
    def put(self, node: Node, end: int, *, refused: bool = False) -> None:
        if not self.frames:
            if self.documents <= 1:
                self.root = node
            return
        frame = self.frames[-1]
        frame.end = max(frame.end, end)
        if not frame.mapping:
            if not refused:
                self.traps(node, None)
                frame.items.append(node)
        elif frame.wants_key:
            frame.wants_key = False
            frame.drop = True
            frame.key = node if isinstance(node, Scalar) else None
            if not refused and isinstance(node, Scalar):
                self.key(frame, node)
        else:
            frame.wants_key = True
            if not frame.drop and not refused and frame.key is not None:
                self.traps(node, frame.key.value)
                frame.entries.append(Entry(frame.key, node))

    def key(self, frame: _Frame, key: Scalar) -> None:
        if key.value is None:
            self.report("HW006", key.span, SAY["null_key"])
            return
        if key.style == "plain" and key.value == "<<":
            self.report("HW006", key.span, SAY["merge"])
            return
        self.traps(key, None, is_key=True)
        if isinstance(key.value, bool | float):  # a key is a name or a whole number
            key = Scalar(key.text, key.span, key.text, key.style)
        name = str(key.value)
        name = name if name.isascii() else unicodedata.normalize("NFKC", name)
        before = frame.seen.setdefault(name, key)
        if before is not key:
            first = (Related(Text("第一次在这里", "first given here"), before.span),)
            same = before.text == key.text
            self.report(
                "HW002", key.span, SAY["twice" if same else "twice_alike"], first, key=key.text, other=before.text
            )
            return
        frame.key, frame.drop = key, False

    def traps(self, node: Node, key: object, *, is_key: bool = False) -> None:
        """HW003: plain words that readers of other YAML versions take for a number, a date or yes/no."""
        if not isinstance(node, Scalar) or node.style != "plain" or not isinstance(node.value, str) or key in TEXT_KEYS:
            return
        value = node.value
        if not _MAY_TRAP.match(value) or len(value) > 40 or (is_key and len(value) == 1):
            return
        for pattern, reading in _TRAPS:
            if pattern.match(value):
                self.report("HW003", node.span, SAY["trap"], value=value, zh=reading.zh, en=reading.en)
                return


def _events(loader: Any) -> Iterator[Any]:
    while loader.check_event():
        yield loader.get_event()


def _apply(text: str, edits: dict[int, tuple[int, str]]) -> tuple[str, list[int], list[int]]:
    """The repaired text, and the offsets (repaired, original) behind each repair that changed the length."""
    parts: list[str] = []
    feed_at: list[int] = []
    text_at: list[int] = []
    done = size = 0
    for at in sorted(edits):
        length, new = edits[at]
        if at < done:
            continue
        parts += (text[done:at], new)
        size += at - done + len(new)
        done = at + length
        if len(new) != length:
            feed_at.append(size)
            text_at.append(done)
    parts.append(text[done:])
    return "".join(parts), feed_at, text_at

"""One finding as a block of text: what, where, the lines it is about with carets, and what to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from . import Diagnostic, Span, Text
from .codes import severity
from .width import shown, width

WIDEST = 110  # columns of a source line that an excerpt shows
_BEFORE = 40  # of these, kept left of the place when a long line is cut

_COLOURS = {"error": "31", "warning": "33", "hint": "36", "place": "34", "good": "32"}
_KINDS = {"error": Text("错误", "error"), "warning": Text("警告", "warning"), "hint": Text("提示", "hint")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Paint:
    """Colours for a terminal, or none, and the characters that it can show."""

    on: bool
    encoding: str = "utf-8"

    def shown(self, text: str) -> str:
        """A piece of a source line as this output can show it."""
        return shown(text, self.encoding)

    def sentence(self, text: str) -> str:
        """A sentence that may quote a file: line by line, every character visible."""
        return "\n".join(shown(line, self.encoding) for line in text.split("\n"))

    def _wrap(self, codes: str, text: str) -> str:
        return f"\x1b[{codes}m{text}\x1b[0m" if self.on and text else text

    def severity(self, kind: str, text: str, *, bold: bool = True) -> str:
        return self._wrap(("1;" if bold else "") + _COLOURS[kind], text)

    def place(self, text: str) -> str:
        return self._wrap("1;" + _COLOURS["place"], text)

    def good(self, text: str) -> str:
        return self._wrap("1;" + _COLOURS["good"], text)

    def bold(self, text: str) -> str:
        return self._wrap("1", text)


PLAIN = Paint(on=False)


@dataclass(frozen=True, slots=True)
class _Mark:
    span: Span
    sign: str  # "^" for the finding itself, "-" for what belongs to it
    label: str


def _window(line: str, marks: Sequence[_Mark], paint: Paint) -> tuple[int, int]:
    """Which part of a line is shown: all of it, or the surroundings of the first mark."""
    if len(line) <= WIDEST and width(paint.shown(line)) <= WIDEST + 40:
        return 0, len(line)
    first = min(mark.span.column for mark in marks) - 1
    start = max(0, first - _BEFORE)
    end, columns = start, 0
    while end < len(line) and columns < WIDEST:
        columns += max(width(paint.shown(line[end])), 1)
        end += 1
    return start, end


def _under(line: str, mark: _Mark, start: int, end: int, paint: Paint) -> tuple[int, int]:
    """Where the carets of a mark stand below the shown part of its line: columns to skip, columns to draw."""
    left = min(max(mark.span.column - 1, start), end)
    right = mark.span.end_column - 1 if mark.span.end_line == mark.span.line else len(line.rstrip())
    right = min(max(right, left), end)
    return width(paint.shown(line[start:left])), max(width(paint.shown(line[left:right])), 1)


def _source(lines: Sequence[str], marks: list[_Mark], gutter: int, paint: Paint, colour: str) -> list[str]:
    """The lines that the marks are on, in order, each with its marks below it."""
    out = []
    bar = paint.place(" " * gutter + " |")
    previous = None
    for number in sorted({mark.span.line for mark in marks}):
        if not 1 <= number <= len(lines):
            continue
        line = lines[number - 1]
        here = [mark for mark in marks if mark.span.line == number]
        start, end = _window(line, here, paint)
        if previous is not None and number == previous + 2:
            between = lines[number - 2]
            text = paint.shown(between if len(between) <= WIDEST else between[:WIDEST] + "…").rstrip()
            out.append(f"{paint.place(f'{number - 1:>{gutter}} |')} {text}".rstrip())
        elif previous is not None and number > previous + 1:
            out.append("...")
        lead, tail = paint.shown("…" * (start > 0)), paint.shown("…" * (end < len(line)))
        out.append(
            f"{paint.place(f'{number:>{gutter}} |')} {lead}{paint.shown(line[start:end]).rstrip()}{tail}".rstrip()
        )
        for mark in sorted(here, key=lambda one: (one.sign != "^", one.span.column)):
            skip, draw = _under(line, mark, start, end, paint)
            signs = mark.sign * draw + (f" {mark.label}" if mark.label else "")
            painted = paint.severity(colour, signs) if mark.sign == "^" else paint.place(signs)
            out.append(f"{bar} {' ' * (len(lead) + skip)}{painted}")
        previous = number
    return out


def _notes(item: Diagnostic, lang: str) -> list[str]:
    notes = []
    if item.witness:
        notes.append(Text("依据：", "shown by: ").in_(lang) + item.witness.in_(lang))
    notes.extend(text.in_(lang) for text in item.help)
    if item.code.startswith("HW") and item.code[2:].isdigit():
        notes.append(Text("详见：", "more: ").in_(lang) + f"hongwu-rules explain {item.code}")
    return notes


def block(item: Diagnostic, sources: Mapping[str, Sequence[str]], lang: str, *, paint: Paint = PLAIN) -> str:
    """A finding with its lines of source, without a line end.

    >>> span = Span("a.yaml", 1, 7, 1, 13)
    >>> print(block(Diagnostic("HW302", Text("没有这个阶段", "unknown phase"), span), {"a.yaml": ["next: settel"]}, "en"))
    error[HW302] unknown phase
      --> a.yaml:1:7
        |
      1 | next: settel
        |       ^^^^^^
        |
        = more: hongwu-rules explain HW302
    """
    kind = severity(item.code)
    head = paint.severity(kind, f"{_KINDS[kind].in_(lang)}[{item.code}]")
    out = [f"{head} {paint.bold(paint.sentence(item.message.in_(lang)))}"]
    by_file: dict[str, list[_Mark]] = {}
    if item.span.file:
        by_file[item.span.file] = [_Mark(item.span, "^", "")] if item.span.line else []
    for related in item.related:
        label = related.text.in_(lang).replace("\n", " ")
        if related.span.line:
            by_file.setdefault(related.span.file, []).append(_Mark(related.span, "-", label))
    highest = max((mark.span.line for marks in by_file.values() for mark in marks), default=0)
    gutter = max(len(str(highest)), 2) + 1
    bar = paint.place(" " * gutter + " |")
    drawn = False
    for index, (name, marks) in enumerate(by_file.items()):
        place = marks[0].span if marks else None
        where = f"{name}:{place.line}:{place.column}" if place else name
        out.append(f"{paint.place(' ' * (gutter - 1) + ('-->' if index == 0 and item.span.file else ':::'))} {where}")
        rows = _source(sources[name], marks, gutter, paint, kind) if name in sources else []
        if rows:
            out.extend(([bar] if index == 0 else []) + rows)
            drawn = True
        elif marks:  # the file is not at hand: its labels are still worth reading
            out.extend(f"{bar} {mark.span.line}:{mark.span.column} {mark.label}" for mark in marks if mark.label)
    if drawn:
        out.append(bar)
    indent = " " * (gutter + 1)
    for note in _notes(item, lang):
        first, *rest = note.splitlines() or [""]
        out.append(f"{indent}{paint.place('=')} {paint.sentence(first)}")
        out.extend(f"{indent}  {paint.sentence(line)}" for line in rest)
    return "\n".join(line.rstrip() for line in out)

"""Findings as text for people, and as the formats that programs read.

Every format is a function from a `Result` to one string. Nothing here prints, asks the clock or looks at
the terminal: the command line does, and says so in the arguments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from . import Diagnostic, Text
from .codes import CODES, severity
from .excerpt import PLAIN, Paint, block
from .reports import github, json_report, junit, sarif
from .width import wrap

COLUMNS = 110  # of a summary
MOST = 100  # findings shown in one answer; the rest are counted

_PLURALS = {
    "error": (Text("个错误", "error"), Text("个错误", "errors")),
    "warning": (Text("个警告", "warning"), Text("个警告", "warnings")),
    "hint": (Text("个提示", "hint"), Text("个提示", "hints")),
}


@dataclass(frozen=True, slots=True)
class Checked:
    """What came of one ruleset: its name as asked for, the files it is made of, and what was shown of it."""

    name: str
    files: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    proved: tuple[Text, ...] = ()
    not_proved: tuple[Text, ...] = ()
    checks: int = 0
    note: Text | None = None  # where the file was found, if that is not what was asked for
    remarks: tuple[Text, ...] = ()  # what else there is to say on success
    played: Mapping[str, Any] | None = None  # what random play came to, as plain data


@dataclass(frozen=True, slots=True)
class Result:
    """What came of the whole command. ``lines`` maps a file to its lines, for the excerpts."""

    checked: tuple[Checked, ...]
    lines: Mapping[str, Sequence[str]] = field(default_factory=dict)
    seconds: float = 0.0
    version: str = ""

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """All findings, each once, by file and place."""
        return sort([item for one in self.checked for item in one.diagnostics])

    @property
    def files(self) -> list[str]:
        """All files read, in the order met."""
        return list(dict.fromkeys(name for one in self.checked for name in one.files))


def sort(diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Findings by file and place, without repetitions (two rulesets may share a faulty parent)."""
    return sorted(dict.fromkeys(diagnostics), key=lambda item: item.order)


def tally(diagnostics: Sequence[Diagnostic], lang: str) -> str:
    """How many of each severity.

    >>> from hongwu_rules.diagnostics import NOWHERE
    >>> tally([Diagnostic("HW302", Text("", ""), NOWHERE), Diagnostic("HW301", Text("", ""), NOWHERE)], "en")
    '1 error, 1 warning'
    """
    parts = []
    for kind, (one, many) in _PLURALS.items():
        count = sum(severity(item.code) == kind for item in diagnostics)
        if count:
            parts.append(f"{count} {(one if count == 1 else many).in_(lang)}")
    return ("、" if lang == "zh" else ", ").join(parts)


def summary(one: Checked, lang: str, *, seconds: float = 0.0, paint: Paint = PLAIN) -> str:
    """The last line about one ruleset: what was found, or what was proved; and what could not be."""
    lines = []
    if one.note:
        lines.append(one.note.in_(lang))
    found = sort(one.diagnostics)
    if any(severity(item.code) != "hint" for item in found):
        more = len(one.files) - 1
        others = Text(f"（连同所依的 {more} 个文件）", f" (+{more} file{'s' * (more > 1)} it extends)").in_(lang)
        where = Text(f"{one.name}：{tally(found, 'zh')}", f"{tally(found, 'en')} in {one.name}").in_(lang)
        line = paint.bold(where) + (others if more > 0 else "")
        took = Text(f"用时 {seconds:.2f} 秒", f"{seconds:.2f} s").in_(lang)
        if one.checks:
            took = Text(f"检查 {one.checks} 项，{took}", f"{one.checks} checks, {took}").in_(lang)
        lines.append(line + Text("，", " - ").in_(lang) + took)
        return "\n".join(lines)
    stop, semicolon = ("：", "；") if lang == "zh" else (": ", "; ")
    proved = semicolon.join(text.in_(lang) for text in one.proved)
    first, *rest = wrap(f"ok  {one.name}" + (stop + proved if proved else ""), COLUMNS)
    lines += [paint.good("ok") + "  " + first.removeprefix("ok").lstrip(), *(f"    {line}" for line in rest)]
    if found:
        lines.append("    " + tally(found, lang))
    lines.extend(f"    {Text('未能证明：', 'not proved: ').in_(lang)}{text.in_(lang)}" for text in one.not_proved)
    for remark in one.remarks:
        first, *rest = wrap(remark.in_(lang), COLUMNS - 4)
        lines += [f"    {first}", *(f"        {line}" for line in rest)]
    return "\n".join(lines)


def _left_out(count: int, lang: str) -> str:
    return Text(f"……另有 {count} 条没有列出", f"... and {count} more not shown").in_(lang)


def _endings(result: Result, lang: str, *, paint: Paint = PLAIN) -> str:
    lines = [summary(one, lang, seconds=result.seconds, paint=paint) for one in result.checked if one.name]
    return "".join(line + "\n" for line in lines)


def findings(result: Result, kind: str, lang: str, *, paint: Paint = PLAIN) -> str:
    """The findings alone, without a summary, in one of the formats for people: text, short or github."""
    found = result.diagnostics
    if kind == "github":
        return github(found, lang)
    if kind == "short":
        lines = [paint.severity(severity(item.code), short_line(item, lang), bold=False) for item in found[:MOST]]
    else:
        lines = [block(item, result.lines, lang, paint=paint) + "\n" for item in found[:MOST]]
    if len(found) > MOST:
        lines.append(_left_out(len(found) - MOST, lang) + ("" if kind == "short" else "\n"))
    return "".join(line + "\n" for line in lines)


def text(result: Result, lang: str, *, paint: Paint = PLAIN) -> str:
    """Each finding with the lines it is about, then the summary."""
    return findings(result, "text", lang, paint=paint) + _endings(result, lang, paint=paint)


def short_line(item: Diagnostic, lang: str) -> str:
    """One finding on one line.

    >>> from hongwu_rules.diagnostics import Span
    >>> help = (Text("是不是 settle", 'did you mean "settle"?'),)
    >>> found = Diagnostic("HW302", Text("没有", 'unknown phase "settel"'), Span("a.yaml", 41, 15, 41, 21), help=help)
    >>> short_line(found, "en")
    'a.yaml:41:15: error HW302 unknown-phase: unknown phase "settel" (did you mean "settle"?)'
    """
    place = f"{item.span.file}:{item.span.line}:{item.span.column}: " if item.span.line else ""
    if not place and item.span.file:
        place = f"{item.span.file}: "
    kind, name = severity(item.code), CODES[item.code].name if item.code in CODES else ""
    hint = f" ({item.help[0].in_(lang)})" if item.help else ""
    return " ".join(f"{place}{kind} {item.code} {name}: {item.message.in_(lang)}{hint}".split("\n"))


def short(result: Result, lang: str, *, paint: Paint = PLAIN) -> str:
    """One line for each finding, then the summary."""
    return findings(result, "short", lang, paint=paint) + _endings(result, lang, paint=paint)


def _json(result: Result, lang: str, *, paint: Paint = PLAIN) -> str:
    many = len(result.checked) > 1
    stop = "：" if lang == "zh" else ": "

    def named(one: Checked, text: Text) -> str:
        return (one.name + stop if many else "") + text.in_(lang)

    return json_report(
        result.diagnostics,
        result.files,
        lang,
        proved=[named(one, item) for one in result.checked for item in one.proved],
        not_proved=[named(one, item) for one in result.checked for item in one.not_proved],
        played=[{"ruleset": one.name, **one.played} for one in result.checked if one.played is not None],
        most=MOST,
    )


def _github(result: Result, lang: str, *, paint: Paint = PLAIN) -> str:
    return findings(result, "github", lang) + _endings(result, lang)


def _sarif(result: Result, lang: str, *, paint: Paint = PLAIN) -> str:
    return sarif(result.diagnostics[:MOST], result.lines, lang, version=result.version)


def _junit(result: Result, lang: str, *, paint: Paint = PLAIN) -> str:
    suites = [(one.name, sort(one.diagnostics)[:MOST]) for one in result.checked]
    return junit(suites, lang, seconds=result.seconds)


class Format(Protocol):
    """How a result is written down; ``paint`` matters to the formats for people only."""

    def __call__(self, result: Result, lang: str, *, paint: Paint = PLAIN) -> str: ...


FORMATS: dict[str, Format] = {
    "text": text,
    "short": short,
    "json": _json,
    "sarif": _sarif,
    "github": _github,
    "junit": _junit,
}

"""The formats that programs read: JSON, GitHub annotations, SARIF and JUnit."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from . import Diagnostic, Span, Text
from .codes import CODES, severity
from .width import utf16_column

_ANNOTATIONS = 10  # GitHub shows this many errors and this many warnings of one step
_GITHUB = {"error": "error", "warning": "warning", "hint": "notice"}
_SARIF = {"error": "error", "warning": "warning", "hint": "note"}


def _name(code: str) -> str:
    return CODES[code].name if code in CODES else ""


def _place(span: Span) -> dict[str, Any]:
    known = span.line > 0
    return {
        "file": span.file or None,
        "line": span.line if known else None,
        "column": span.column if known else None,
        "end_line": span.end_line if known else None,
        "end_column": span.end_column if known else None,
    }


def as_data(item: Diagnostic, lang: str) -> dict[str, Any]:
    """One finding as plain data; lines and columns from 1, columns in code points.

    >>> as_data(Diagnostic("HW302", Text("", "no such phase"), Span("a.yaml", 4, 2, 4, 5)), "en")["line"]
    4
    """
    return {
        "code": item.code,
        "name": _name(item.code),
        "severity": severity(item.code),
        "message": item.message.in_(lang),
        **_place(item.span),
        "related": [{"message": one.text.in_(lang), **_place(one.span)} for one in item.related],
        "witness": item.witness.in_(lang) if item.witness else None,
        "help": [text.in_(lang) for text in item.help],
    }


def json_report(
    diagnostics: Sequence[Diagnostic],
    files: Sequence[str],
    lang: str,
    *,
    proved: Sequence[str] = (),
    not_proved: Sequence[str] = (),
    played: Sequence[Mapping[str, Any]] = (),
    most: int = 100,
) -> str:
    """One JSON object about a whole command; ``played`` is in it only where matches were played."""
    data = {
        "ok": all(severity(item.code) == "hint" for item in diagnostics),
        "files": list(files),
        "diagnostics": [as_data(item, lang) for item in diagnostics[:most]],
        "left_out": max(len(diagnostics) - most, 0),
        "proved": list(proved),
        "not_proved": list(not_proved),
    } | ({"played": list(played)} if played else {})
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _message(item: Diagnostic, lang: str) -> str:
    """Message, witness and help as one text of several lines."""
    lines = [item.message.in_(lang)]
    if item.witness:
        lines.append(Text("依据：", "shown by: ").in_(lang) + item.witness.in_(lang))
    lines.extend(text.in_(lang) for text in item.help)
    return "\n".join(lines)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def github(diagnostics: Sequence[Diagnostic], lang: str) -> str:
    """Workflow commands: errors first, no more than GitHub shows, then how many were left out."""
    lines: list[str] = []
    left_out = 0
    for kind in ("error", "warning", "hint"):
        found = [item for item in diagnostics if severity(item.code) == kind]
        left_out += max(len(found) - _ANNOTATIONS, 0)
        for item in found[:_ANNOTATIONS]:
            where = {"file": item.span.file} if item.span.file else {}
            if item.span.line:
                where |= {"line": str(item.span.line), "col": str(item.span.column)}
                where |= {"endLine": str(item.span.end_line), "endColumn": str(item.span.end_column)}
            where["title"] = f"{item.code} {_name(item.code)}".strip()
            properties = ",".join(f"{key}={_property(value)}" for key, value in where.items())
            lines.append(f"::{_GITHUB[kind]} {properties}::{_data(_message(item, lang))}")
    if left_out:
        lines.append(
            "::notice::" + Text(f"另有 {left_out} 条没有列出", f"{left_out} more findings not shown").in_(lang)
        )
    return "".join(line + "\n" for line in lines)


def _location(span: Span, lines: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": span.file.replace("\\", "/")}}
    if span.line:
        texts = lines.get(span.file, ())

        def column(line: int, column: int) -> int:
            return utf16_column(texts[line - 1], column) if 0 < line <= len(texts) else column

        physical["region"] = {
            "startLine": span.line,
            "startColumn": max(column(span.line, span.column), 1),
            "endLine": max(span.end_line, span.line),
            "endColumn": max(column(span.end_line, span.end_column), 1),
        }
    return {"physicalLocation": physical}


def sarif(
    diagnostics: Sequence[Diagnostic], lines: Mapping[str, Sequence[str]], lang: str, *, version: str = ""
) -> str:
    """SARIF 2.1.0, columns in UTF-16 units."""
    codes = sorted({item.code for item in diagnostics})
    rules = [
        {
            "id": code,
            "name": _name(code),
            "shortDescription": {"text": CODES[code].title.in_(lang) if code in CODES else code},
            "defaultConfiguration": {"level": _SARIF[severity(code)]},
        }
        for code in codes
    ]
    results = []
    for item in diagnostics:
        result: dict[str, Any] = {
            "ruleId": item.code,
            "ruleIndex": codes.index(item.code),
            "level": _SARIF[severity(item.code)],
            "message": {"text": _message(item, lang)},
            "locations": [_location(item.span, lines)] if item.span.file else [],
        }
        related = [
            {**_location(one.span, lines), "message": {"text": one.text.in_(lang)}}
            for one in item.related
            if one.span.file
        ]
        if related:
            result["relatedLocations"] = related
        results.append(result)
    driver = {"name": "hongwu-rules", "version": version, "rules": rules}
    run = {"tool": {"driver": driver}, "columnKind": "utf16CodeUnits", "results": results}
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    return json.dumps({"$schema": schema, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=1) + "\n"


def _xml(text: str) -> str:
    """Text for XML: characters that XML cannot hold become U+FFFD."""
    allowed = "".join(
        char
        if char in "\t\n\r" or 0x20 <= ord(char) < 0xD800 or 0xE000 <= ord(char) not in (0xFFFE, 0xFFFF)
        else "\ufffd"
        for char in text
    )
    for char, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("\n", "&#10;")):
        allowed = allowed.replace(char, entity)
    return allowed


def junit(suites: Sequence[tuple[str, Sequence[Diagnostic]]], lang: str, *, seconds: float = 0.0) -> str:
    """JUnit XML: a suite for each ruleset, a failed case for each finding, one good case where there is none."""
    out = ['<?xml version="1.0" encoding="UTF-8"?>']
    bad = sum(severity(item.code) != "hint" for _, items in suites for item in items)
    total = sum(max(len(items), 1) for _, items in suites)
    out.append(f'<testsuites name="hongwu-rules" tests="{total}" failures="{bad}" time="{seconds:.3f}">')
    for name, items in suites:
        failures = sum(severity(item.code) != "hint" for item in items)
        out.append(f' <testsuite name="{_xml(name)}" tests="{max(len(items), 1)}" failures="{failures}" errors="0">')
        if not items:
            out.append(f'  <testcase classname="{_xml(name)}" name="check"/>')
        for item in items:
            title = _xml(f"{item.code} {_name(item.code)} {item.span.file}:{item.span.line}:{item.span.column}")
            case = f'  <testcase classname="{_xml(name)}" name="{title}"'
            if severity(item.code) == "hint":
                out.append(case + "/>")
                continue
            message, body = _xml(item.message.in_(lang)), _xml(_message(item, lang))
            out.append(f'{case}><failure type="{item.code}" message="{message}">{body}</failure></testcase>')
        out.append(" </testsuite>")
    out.append("</testsuites>")
    return "\n".join(out) + "\n"

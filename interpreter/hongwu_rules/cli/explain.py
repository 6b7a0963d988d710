"""``hongwu-rules explain [CODE]``."""

from __future__ import annotations

import argparse

from ..diagnostics import Text
from ..diagnostics.absent import ABSENT, Absent, find_absent
from ..diagnostics.codes import CODES, Code, find_code
from ..diagnostics.explain import absent_page, contents, page
from ..diagnostics.nearest import nearest
from .arguments import UsageError
from .session import Session


def run(args: argparse.Namespace, session: Session) -> int:
    """Print the page of a code; without one, the list of all codes."""
    if args.code is None:
        return _contents(session)
    code, absent = find_code(args.code), find_absent(args.code)
    if code is not None:
        title, text, kind = code.title, page(code.code, session.lang), code.severity
    elif absent is not None:
        title, text, kind = absent.title, absent_page(absent, session.lang), None
    else:
        near = _by_number(args.code) or nearest(args.code, [one.name for one in CODES.values()])
        steps = [Text(f"是不是 {near} ？", f"did you mean {near}?")] if near else []
        steps.append(Text("全部代码：hongwu-rules explain", "all codes: hongwu-rules explain"))
        raise UsageError(Text(f"没有 {args.code} 这个代码", f"there is no code {args.code}"), *steps)
    found = code or absent
    assert found is not None
    if session.for_programs:
        session.data(_data(found, kind, title, session.lang) | {"page": text})
    else:
        session.out.write(text)
    return 0


def _contents(session: Session) -> int:
    if session.for_programs:
        known = [_data(code, code.severity, code.title, session.lang) for code in CODES.values()]
        session.data(known + [_data(absent, None, absent.title, session.lang) for absent in ABSENT.values()])
    else:
        session.out.write(contents(session.lang))
    return 0


def _data(found: Code | Absent, kind: str | None, title: Text, lang: str) -> dict[str, str | None]:
    """A code as plain data; ``severity`` is null for one that is never given."""
    return {"code": found.code, "name": found.name, "severity": kind, "title": title.in_(lang)}


def _by_number(word: str) -> str | None:
    """The code most like the digits in a word: the same digits mixed up, then the same beginning.

    >>> _by_number("HW320"), _by_number("3021"), _by_number("x")
    ('HW302', 'HW302', None)
    """
    digits = "".join(char for char in word if char.isascii() and char.isdigit())[:6]
    if not digits:
        return None

    def likeness(code: str) -> tuple[bool, int, int]:
        number = code[2:]
        same = next(
            (n for n, (a, b) in enumerate(zip(number, digits, strict=False)) if a != b), min(len(number), len(digits))
        )
        return sorted(number) == sorted(digits), same, -abs(int(number) - int(digits))

    return max((code for code in CODES if code[2:].isdigit()), key=likeness)

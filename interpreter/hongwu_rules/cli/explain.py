"""``hongwu-rules explain CODE``."""

from __future__ import annotations

import argparse

from ..diagnostics import Text
from ..diagnostics.codes import CODES, find_code
from ..diagnostics.explain import page
from ..diagnostics.nearest import nearest
from .arguments import UsageError
from .session import Session


def run(args: argparse.Namespace, session: Session) -> int:
    """Print the page of a code."""
    code = find_code(args.code)
    if code is None:
        near = _by_number(args.code) or nearest(args.code, [one.name for one in CODES.values()])
        steps = [Text(f"是不是 {near} ？", f"did you mean {near}?")] if near else []
        raise UsageError(Text(f"没有 {args.code} 这个代码", f"there is no code {args.code}"), *steps)
    text = page(code.code, session.lang)
    if session.for_programs:
        data = {
            "code": code.code,
            "name": code.name,
            "severity": code.severity,
            "title": code.title.in_(session.lang),
            "page": text,
        }
        session.data(data)
    else:
        session.out.write(text)
    return 0


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

"""One slip, one finding: what follows from another finding is left out, and what is said many times is said once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from . import Diagnostic, Related, Text

# What is wrong with the text of a line decides how the rest of it is read: the earlier in this list, the nearer the cause.
_RAW = ("HW004", "HW006", "HW009", "HW001")
_SAID_ONCE = frozenset({"HW401", "HW706"})  # a name that is gone: once, with the other places
_TRUTH = frozenset({"write true", "write false"})
_SHOWN = 3


def causes(items: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The findings without those that another one explains, in the same order.

    >>> from hongwu_rules.diagnostics import Span
    >>> at = Span("a.yaml", 4, 2, 4, 5)
    >>> found = [Diagnostic(code, Text("", ""), at) for code in ("HW004", "HW101")]
    >>> [item.code for item in causes(found)]
    ['HW004']
    """
    return _once([item for item in items if not any(_explains(other, item) for other in items)])


def _explains(cause: Diagnostic, item: Diagnostic) -> bool:
    """Whether one finding is likely to be a consequence of the other."""
    if cause is item or cause.span.file != item.span.file or cause.span.line != item.span.line or not item.span.line:
        return False
    if item.code == "HW003":  # how others read `yes` does not matter where it is to be `true`
        return cause.span == item.span and any(text.en in _TRUTH for text in cause.help)
    if cause.code not in _RAW:
        return False
    if item.code in _RAW:
        return _RAW.index(cause.code) < _RAW.index(item.code)
    return item.code >= "HW101"


def _once(items: list[Diagnostic]) -> list[Diagnostic]:
    """Findings about one name brought together in the first of them."""
    out: list[Diagnostic] = []
    groups: dict[tuple[str, Text], list[Diagnostic]] = {}
    for item in items:
        group = groups.setdefault((item.code, item.message), []) if item.code in _SAID_ONCE else []
        group.append(item)
        if len(group) == 1:
            out.append(item)
    return [_with_others(item, groups.get((item.code, item.message), [item])[1:]) for item in out]


def _with_others(first: Diagnostic, others: list[Diagnostic]) -> Diagnostic:
    if not others:
        return first
    places = tuple(Related(Text("这里也是", "here too"), item.span) for item in others[:_SHOWN])
    left = len(others) - _SHOWN
    more = (Text(f"另有 {left} 处一样", f"{left} more places like these"),) if left > 0 else ()
    return replace(first, related=(*first.related, *places), help=(*first.help, *more))

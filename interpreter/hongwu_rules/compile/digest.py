"""A name for a ruleset with its options that changes whenever the rules do."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass

from ..diagnostics import Span
from ..model import Ruleset

_LEFT_OUT = frozenset({"span", "at", "cite", "packs_span", "keep_span"})  # where it stands, not what it says
_FIELDS: dict[type, tuple[str, ...]] = {}


def digest_of(ruleset: Ruleset, options: Mapping[str, int | bool]) -> str:
    """Sixteen hexadecimal digits over everything the rules say; places in files do not count."""
    out: list[str] = []
    _spell(ruleset, out)
    _spell(dict(sorted(options.items())), out)
    return hashlib.sha256("\x1f".join(out).encode()).hexdigest()[:16]


def _spell(value: object, out: list[str]) -> None:
    kind = type(value)
    if kind is str or kind is int or kind is bool or value is None:
        out.append(repr(value))
    elif kind is Span:
        return
    elif isinstance(value, Mapping):
        out.append("{")
        for key, item in value.items():
            out.append(repr(key))
            _spell(item, out)
        out.append("}")
    elif isinstance(value, tuple | list):
        out.append("[")
        for item in value:
            _spell(item, out)
        out.append("]")
    else:
        names = _FIELDS.get(kind)
        if names is None:
            assert is_dataclass(value), kind
            names = _FIELDS[kind] = tuple(f.name for f in fields(value) if f.name not in _LEFT_OUT)
        out.append(kind.__name__)
        for name in names:
            _spell(getattr(value, name), out)
        out.append(")")

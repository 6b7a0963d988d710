"""Keys that are paths: ``phases.lead.next: bid`` says the same as three keys, one inside the other."""

from __future__ import annotations

import re
from dataclasses import replace

from ..diagnostics import Findings, Related, Text
from ..model.fields import base_name
from ..source.nodes import Entry, Mapping, Node, Scalar
from .patches import first_line, part_of

_PART = re.compile(r"[^.]+")


def spread(tree: Mapping, findings: Findings) -> Mapping:
    """What a file says with every path among its keys written out; each part keeps its place.

    Two entries that say something about one thing become one; where both set it, the second is a finding.
    """
    entries = [
        replace(entry, value=spread(entry.value, findings)) if isinstance(entry.value, Mapping) else entry
        for entry in tree
    ]
    if not any(_is_path(entry.key) for entry in entries):
        return replace(tree, entries=tuple(entries))
    tree = replace(tree, entries=())
    for entry in entries:
        tree = _put(tree, _written_out(entry), findings)
    return tree


def _is_path(key: Scalar) -> bool:
    return isinstance(key.value, str) and "." in key.value and all(part.strip() for part in key.value.split("."))


def _written_out(entry: Entry) -> Entry:
    """``a.b: VALUE`` as ``a: {b: VALUE}``."""
    key = entry.key
    if not _is_path(key):
        return entry
    top, value = entry, entry.value
    for part in reversed(list(_PART.finditer(str(key.value)))):
        name = part.group().strip()
        start = part.start() + len(part.group()) - len(part.group().lstrip())
        scalar = Scalar(name, part_of(key, start, start + len(name)), name, key.style)
        top = Entry(scalar, value)
        value = Mapping((top,), scalar.span, flow=True)
    return top


def _put(tree: Mapping, new: Entry, findings: Findings) -> Mapping:
    """A mapping with one more entry, or with more inside an entry that it has."""
    old = next((entry for entry in tree if base_name(entry.key.value) == base_name(new.key.value)), None)
    if old is None:
        return replace(tree, entries=(*tree.entries, new))
    value: Node = old.value
    if isinstance(value, Mapping) and isinstance(new.value, Mapping):
        for entry in new.value:
            value = _put(value, entry, findings)
    else:
        name = str(new.key.value)
        findings.add(
            "HW002", new.key.span, f"“{name}”在这里又写了一次", f"`{name}` is given twice here",
            related=(Related(Text("第一次在这里", "first given here"), first_line(old.key.span)),),
            help=(Text("留一个，删一个", "keep one of the two"),),
        )  # fmt: skip
    return replace(tree, entries=tuple(replace(old, value=value) if entry is old else entry for entry in tree))

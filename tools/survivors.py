"""The mutants that nothing notices, with the reason of each: ``survivors.yaml``.

An entry names its ruleset, file and operator, the text of the line, the change, and why nothing notices it. It holds
while the line says what it said and the operator still makes that change of it; after that it is out of date.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import yaml

from operators import OPERATORS, mutants_of
from places import File

FILE = Path(__file__).resolve().parent / "survivors.yaml"


class Noticed(Protocol):
    """What a result says of its mutant."""

    @property
    def ruleset(self) -> str: ...
    @property
    def file(self) -> str: ...
    @property
    def operator(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def change(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Survivor:
    """One explanation. ``text`` is the line without its indentation."""

    ruleset: str
    file: str
    operator: str
    text: str
    change: str
    why: str


def read(path: Path = FILE) -> list[Survivor]:
    """All explanations; ValueError for an entry that lacks something."""
    found = []
    for entry in yaml.safe_load(path.read_text(encoding="utf-8")) or []:
        if not isinstance(entry, dict) or set(entry) != set(Survivor.__slots__) or not all(entry.values()):
            raise ValueError(f"{path.name}: an entry needs {', '.join(Survivor.__slots__)}: {entry}")
        found.append(Survivor(**{key: str(value).strip() for key, value in entry.items()}))
    return found


def explains(explained: Iterable[Survivor], one: Noticed) -> bool:
    """Whether a mutant is among those explained."""
    what = (one.ruleset, one.file, one.operator, one.text, one.change)
    return any((s.ruleset, s.file, s.operator, s.text, s.change) == what for s in explained)


def stale(ruleset: str, files: Mapping[str, File], explained: Iterable[Survivor]) -> list[str]:
    """What is out of date among the explanations of one ruleset."""
    found = []
    for one in explained:
        if one.ruleset != ruleset:
            continue
        file = files.get(one.file)
        lines = [line.strip() for line in file.text.text.splitlines()] if file is not None else []
        if file is None or one.operator not in OPERATORS:
            found.append(f"{ruleset}: there is no {one.file if file is None else one.operator}")
        elif one.text not in lines:
            found.append(f"{one.file} has no line {one.text!r} any more")
        elif not any(
            m.change == one.change and lines[m.line - 1] == one.text for _, m in mutants_of(file, one.operator)
        ):
            found.append(f"{one.file}: {one.operator} does not make {one.change!r} of {one.text!r} any more")
    return found

"""From the words of the command line to files: a path, a folder, a bundled name, or the standard input."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..diagnostics import Diagnostic, Span, Text
from ..diagnostics.nearest import nearest

SUFFIXES = (".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class Target:
    """A ruleset to work on: ``where`` is a path, a bundled name, or ``-``."""

    where: str
    bundled: bool = False


def trouble(zh: str, en: str, file: str, *help: Text) -> Diagnostic:
    """A file that is of no use."""
    return Diagnostic("HW-io", Text(zh, en), Span(file, 0, 0, 0, 0), help=help)


def is_bundled(name: str, bundled: Sequence[str]) -> bool:
    """Whether this is the name of a bundled ruleset, with or without its ending."""
    return name in bundled or name.removesuffix(".yaml") in bundled


def _missing(name: str, bundled: Sequence[str]) -> Diagnostic:
    path = Path(name)
    try:
        beside = sorted(str(path.parent / entry.name) for entry in path.parent.iterdir() if entry.suffix in SUFFIXES)
    except OSError:
        beside = []
    near = nearest(path.name, [Path(one).name for one in beside] + [f"{one}.yaml" for one in bundled])
    if near is None:
        near = nearest(path.stem, bundled)
    steps = []
    if near is not None:
        full = next((one for one in beside if Path(one).name == near), near)
        steps.append(Text(f"是不是 {full} ？", f"did you mean {full}?"))
    if bundled:
        names = " ".join(bundled)
        steps.append(Text(f"自带的规则有：{names}", f"bundled rulesets: {names}"))
    return trouble(
        f"没有 {name} 这个文件，也没有叫这个名字的自带规则",
        f"no file and no bundled ruleset is called {name}",
        name,
        *steps,
    )


def _folder(path: Path) -> list[Target] | Diagnostic:
    try:
        found = sorted(str(entry) for entry in path.iterdir() if entry.suffix in SUFFIXES and entry.is_file())
    except OSError as error:
        return trouble(
            f"打不开文件夹 {path}（{error.strerror}）", f"cannot open the folder {path} ({error.strerror})", str(path)
        )
    if not found:
        return trouble(f"文件夹 {path} 里没有 .yaml 文件", f"no .yaml file in the folder {path}", str(path))
    return [Target(one) for one in found]


def find(arguments: Sequence[str], bundled: Sequence[str]) -> tuple[list[Target], list[Diagnostic]]:
    """What the arguments stand for, each file once, and what is wrong with the others.

    >>> find(["mine.yaml", "mine"], ["mine"])[0]
    [Target(where='mine', bundled=True)]
    """
    targets: dict[str, Target] = {}
    problems: list[Diagnostic] = []
    for argument in arguments:
        if argument == "-":
            targets.setdefault("-", Target("-"))
            continue
        found = _find_one(argument, bundled)
        if isinstance(found, Diagnostic):
            problems.append(found)
            continue
        for target in found:
            key = f"bundled {target.where}" if target.bundled else os.path.realpath(target.where)
            targets.setdefault(key, target)
    return list(targets.values()), problems


def _find_one(argument: str, bundled: Sequence[str]) -> list[Target] | Diagnostic:
    path = Path(argument)
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:
        if is_bundled(argument, bundled):
            return [Target(argument.removesuffix(".yaml"), bundled=True)]
        if isinstance(error, (FileNotFoundError, NotADirectoryError)):
            return _missing(argument, bundled)
        why = getattr(error, "strerror", None) or str(error)
        return trouble(f"打不开 {argument}（{why}）", f"cannot open {argument} ({why})", argument)
    if stat.S_ISDIR(mode):
        if is_bundled(argument, bundled):  # a folder that happens to bear the name of a game
            return [Target(argument.removesuffix(".yaml"), bundled=True)]
        return _folder(path)
    if not stat.S_ISREG(mode):
        return trouble(f"{argument} 不是普通文件", f"{argument} is not a regular file", argument)
    return [Target(argument)]

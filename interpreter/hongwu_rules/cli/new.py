"""``hongwu-rules new FILE --extends RULESET``: an overlay to start a house rule from."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from ..diagnostics import Diagnostic, Findings, Text
from ..diagnostics.steps import with_steps
from ..model.fields import TAKEN
from ..unparse import written
from .rules import load, setting, settings, values
from .session import Session
from .targets import SUFFIXES

if TYPE_CHECKING:
    from ..game import Rules

_NOT_TEXT = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}


def run(args: argparse.Namespace, session: Session) -> int:
    """Write the file, unless there is one already."""
    chosen = settings(args.set)
    rules = load(args.extends, chosen, [])
    path, parent = Path(args.file), args.extends
    if args.file == "-":
        session.out.write(overlay(rules, parent, "my_rules", changed=chosen))
        return 0
    if Path(parent).exists() and not Path(parent).is_absolute():
        parent = _beside(Path(parent), path)
    if path.suffix not in SUFFIXES:
        path = path.with_name(f"{path.name}.yaml")
    text = overlay(rules, parent, _name(path.stem), changed=chosen)
    if faults := _faults(path, text):
        return session.refuse(faults, {path.as_posix(): text.splitlines()})
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        return session.refuse_one(
            "HW-io",
            Text(f"{path} 已经有了，没有改动它", f"{path} exists already; it was left as it is"),
            file=str(path),
        )
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        return session.refuse_one(
            "HW-io", Text(f"写不了 {path}（{why}）", f"cannot write {path} ({why})"), file=str(path)
        )
    if session.for_programs:
        session.data({"ok": True, "file": str(path)})
        return 0
    session.say(f"写好了 {path}", f"wrote {path}")
    if not chosen:
        session.say("它还什么都没有改：去掉想改的行前面的 #", "it changes nothing yet: take away the # of a line")
    session.say(f"然后检查：hongwu-rules check {path}", f"then check it: hongwu-rules check {path}")
    return 0


def _faults(path: Path, text: str) -> list[Diagnostic]:
    """Why a file with this text could not be used where it is to stand."""
    from ..overlay.layers import load_tree
    from ..overlay.library import Library, bundled_folder

    findings, shown = Findings(), path.as_posix()
    load_tree(shown, findings=findings, library=Library(bundled_folder(), texts={shown: text.encode()}))
    return [item for item in with_steps(findings.items) if item.code == "HW701"]


def _name(stem: str) -> str:
    """A name for the ruleset from the name of its file."""
    name = re.sub(r"\W+", "_", stem).strip("_")
    good = name and not name[0].isdigit() and name.lower() not in _NOT_TEXT | TAKEN
    return name if good else f"house_{name}".rstrip("_")


def _beside(parent: Path, child: Path) -> str:
    """How a file names its parent: relative to its own folder."""
    import os

    return Path(os.path.relpath(parent, child.parent)).as_posix()


def overlay(rules: Rules, parent: str, name: str, *, changed: Collection[str] = ()) -> str:
    """The text of a new overlay: the settings ``changed`` from those of ``rules``, all others as comments."""
    title = rules.title
    lines = [
        f"# {title['zh']}的家规。把想改的行前面的 # 去掉，改成你们的打法。",
        f"# House rules for {title['en']}. Take away the # of a line to change it.",
        "# 检查 · to check:  hongwu-rules check (FILE)",
        f"# 选项 · settings:  hongwu-rules list {parent}",
        "hongwu: 1",
        f"name: {name}",
        f"title: {{zh: {quoted(title['zh'] + '（家规）')}, en: {quoted(title['en'] + ', house rules')}}}",
        f"extends: {_plain(parent)}",
        "",
    ]
    for one in rules.ruleset.options.values():
        value = setting(rules, one) if one.name in changed else written(one.type, one.default)
        about = f"# {values(one.type)}  {one.text.zh} · {one.text.en}"
        lines.append(f"{'' if one.name in changed else '# '}options.{one.name}.default: {value}  {about}")
    lines += [""] if rules.ruleset.options else []
    lines += [
        "# 规矩、动作、阶段、表的行也都可以改：用点连起一层层的键，只写要改的部分；不要的写在 remove 里。",
        "# Clauses, moves, phases and rows of tables can be changed too: write the keys that lead there, joined by",
        "# dots, and only what differs; what is not wanted goes into remove.",
        "# tables.TABLE.rows.ROW.OUTPUT: 1",
        "# remove: [phases.NAME.moves.MOVE.require.CLAUSE]",
    ]
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    """A name as one YAML scalar on a line of its own: in quotes where some reader could take it for something else."""
    as_it_is = re.fullmatch(r"[\w./][\w ./()-]*", text) and not re.match(r"[\d.+-]+$|0[xo]", text)
    return text if as_it_is and text.lower() not in _NOT_TEXT else json.dumps(text, ensure_ascii=False)


def quoted(text: str) -> str:
    """A text as one YAML scalar inside braces."""
    plain = re.fullmatch(r"[\w（）]([\w（） '()/.-]*[\w（）)])?", text) and not re.match(r"[\d.+-]", text)
    return text if plain else json.dumps(text, ensure_ascii=False)

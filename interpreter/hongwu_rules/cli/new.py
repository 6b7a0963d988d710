"""``hongwu-rules new FILE --extends RULESET``: an overlay to start a house rule from."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from ..diagnostics import Text
from ..unparse import written
from .rules import load, setting, settings, values
from .session import Session

if TYPE_CHECKING:
    from ..game import Rules


def run(args: argparse.Namespace, session: Session) -> int:
    """Write the file, unless there is one already."""
    chosen = settings(args.set)
    rules = load(args.extends, chosen, [])
    path = Path(args.file)
    parent = args.extends
    if args.file == "-":
        session.out.write(overlay(rules, parent, "my_rules", changed=chosen))
        return 0
    if Path(parent).exists() and not Path(parent).is_absolute():
        parent = _beside(Path(parent), path)
    text = overlay(rules, parent, _name(path.stem), changed=chosen)
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


def _name(stem: str) -> str:
    """A name for the ruleset from the name of its file."""
    name = re.sub(r"\W+", "_", stem).strip("_")
    return name if name and not name[0].isdigit() else f"house_{name}".rstrip("_")


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
        f"extends: {parent}",
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


def quoted(text: str) -> str:
    """A text as one YAML scalar inside braces."""
    plain = re.fullmatch(r"[\w（）]([\w（） '()/.-]*[\w（）)])?", text) and not re.match(r"[\d.+-]", text)
    return text if plain else json.dumps(text, ensure_ascii=False)

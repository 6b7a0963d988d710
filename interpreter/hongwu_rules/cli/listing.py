"""``hongwu-rules list``: the bundled rulesets, or what can be set and changed in one of them."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ..diagnostics import Findings, Text
from ..diagnostics.width import width
from ..unparse import written
from .rules import load, setting, settings, values
from .session import Session

if TYPE_CHECKING:
    from ..game import Rules


def run(args: argparse.Namespace, session: Session) -> int:
    """Print the list."""
    if args.ruleset is None:
        return _all(session)
    return _one(load(args.ruleset, settings(args.set), args.overlays), session)


def _all(session: Session) -> int:
    from ..game import load as load_rules
    from ..game import rulesets

    names = rulesets()
    titles = {name: load_rules(name).title for name in names}
    if session.for_programs:
        data = [{"name": name, "title": dict(titles[name])} for name in names]
        session.data(data)
        return 0
    _columns([[name, titles[name][session.lang]] for name in names], session)
    return 0


def _one(rules: Rules, session: Session) -> int:
    houses = _houses(rules)
    options: list[dict[str, Any]] = [
        {
            "name": one.name,
            "value": setting(rules, one),
            "default": written(one.type, one.default),
            "values": values(one.type),
            "zh": one.text.zh,
            "en": one.text.en,
            "choices": {
                word: {"zh": text.zh, "en": text.en} for word, text in zip(one.type.words, one.choices, strict=True)
            },
            "cite": list(one.cite),
        }
        for one in rules.ruleset.options.values()
    ]
    if session.for_programs:
        data = {
            "name": rules.name,
            "title": dict(rules.title),
            "options": options,
            "house_rules": [{"name": name, "zh": title.zh, "en": title.en} for name, title in houses],
        }
        session.data(data)
        return 0
    session.out.line(f"{rules.name}  {rules.title[session.lang]}")
    session.out.line()
    session.say("选项（--set 名字=值）：", "options (--set NAME=VALUE):")
    rows = []
    for one in options:
        cite = f"  [{' '.join(one['cite'])}]" if one["cite"] else ""
        rows.append([f"  {one['name']} = {one['value']}", f"({one['values']})", one[session.lang] + cite])
        rows += [["", "", f"  {word}: {texts[session.lang]}"] for word, texts in one["choices"].items()]
    _columns(rows, session)
    session.out.line()
    if houses:
        session.say("家规（--with 名字）：", "house rules (--with NAME):")
        _columns([[f"  {name}", title.in_(session.lang)] for name, title in houses], session)
    else:
        session.say("没有自带的家规；写一份：hongwu-rules new", "no bundled house rules; write one: hongwu-rules new")
    return 0


def _houses(rules: Rules) -> list[tuple[str, Text]]:
    """The bundled house rules that can be laid over this ruleset, each with its title."""
    from ..overlay.library import Library, Place, bundled_folder
    from ..source.nodes import plain
    from ..source.reader import parse, read_file

    library = Library(bundled_folder())
    made_of = {library.named(name).identity for name in rules.sources.texts}
    found = []
    for path in sorted((bundled_folder() / "house").glob("*.yaml")):
        root = parse(path.name, read_file(path), Findings())[1]
        data = plain(root) if root is not None else {}
        own = library.named(f"house/{path.name}")
        below = library.parent(str(data.get("extends", "")), own)
        if isinstance(below, Place) and below.identity in made_of and own.identity not in made_of:
            title = data.get("title", {})
            found.append((path.stem, Text(str(title.get("zh", "")), str(title.get("en", "")))))
    return found


def _columns(rows: list[list[str]], session: Session) -> None:
    """Print rows with every column as wide as its widest cell."""
    count = max((len(row) for row in rows), default=0)
    widths = [max((width(row[i]) for row in rows if len(row) > i), default=0) for i in range(count)]
    for row in rows:
        cells = [cell + " " * (widths[i] - width(cell)) for i, cell in enumerate(row)]
        session.out.line("  ".join(cells).rstrip())

"""The next step for each kind of finding, where the finding itself names none that is closer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from . import Diagnostic, Text

NEXT: dict[str, Text] = {
    "HW001": Text("看看这一行和上一行的缩进和标点", "look at the indent and the signs of this line and of the one before"),
    "HW005": Text("写短些：给其中一部分在 define 里起个名字", "make it shorter: give a part of it a name under define"),
    "HW101": Text("改成认识的键，或删去这一行", "write a key that is known, or remove the line"),
    "HW102": Text("补上缺的键", "add the key that is missing"),
    "HW103": Text("照 rulesets/README.md 里这个键的样子写", "write it as the reference (rulesets/README.md) shows this key"),
    "HW104": Text("从列出的词里选一个", "choose one of the words listed"),
    "HW105": Text("改成范围里的数", "write a number inside the range"),
    "HW106": Text("两个里去掉一个", "take one of the two away"),
    "HW201": Text("换成牌里有的牌，或在 deck 的 keep 里把它留下", "name a card of the deck, or keep this one in it (keep, under deck)"),
    "HW309": Text("再写一条不带 when 的去路放在最后", "add a last way without `when`"),
    "HW401": Text("照别处写过的名字改，或先声明它", "write it as it is written elsewhere, or declare it first"),
    "HW402": Text("换一个种类相合的值；一个词要什么、给什么见 rulesets/README.md", "use a value of the kind that is wanted; the reference (rulesets/README.md) tells what a word takes and gives"),
    "HW405": Text("用上它，或把它删去", "use it, or remove it"),
    "HW406": Text("断开这一圈：让其中一个不再用到下一个", "break the circle: let one of them do without the next"),
    "HW408": Text("先给它值，或先问它定了没有（is none）", "set it first, or ask first whether it is set (is none)"),
    "HW603": Text("把各队的座位一个个写出来，或不分队", "list the seats of each team, or play without teams"),
    "HW702": Text("看看所依的规则里它叫什么：hongwu-rules show", "see how the ruleset below calls it: hongwu-rules show"),
    "HW903": Text("给这种情形添一行，或放宽相邻一行", "add a row for this case, or widen the row next to it"),
    "HW904": Text("放宽写明的范围，或改动给它值的那一步", "widen the declared range, or change the step that sets it"),
    "HW905": Text("measure 换成每走一圈都变小的数，如手里的牌数", "take a measure that falls each time round, such as the cards in hand"),
    "HW906": Text("给这一步加上条件（when），做不成时就不做", "give the step a condition (when), so that it is left out where it cannot be done"),
}  # fmt: skip


def with_steps(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The findings, each with a next step if one is known for its code."""
    return [
        item if item.help or item.code not in NEXT else replace(item, help=(NEXT[item.code],)) for item in diagnostics
    ]

"""What types are called in messages, and which value may stand where."""

from __future__ import annotations

import ast

from ..diagnostics import Text
from ..model.ir import BASIC, Type

OPS: dict[type[ast.AST], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "//",
    ast.Mod: "%",
}

NAMES = {
    "bool": Text("条件（是或否）", "a condition (yes or no)"),
    "int": Text("数", "a number"),
    "rank": Text("点数", "a rank"),
    "suit": Text("花色", "a suit"),
    "colour": Text("红黑", "a colour"),
    "card": Text("一张牌", "a card"),
    "cards": Text("一组牌", "a set of cards"),
    "seat": Text("座位", "a seat"),
    "team": Text("队", "a team"),
    "phase": Text("阶段", "a phase"),
    "shape": Text("牌型", "a shape"),
    "group": Text("门", "a group of the order"),
    "line": Text("大小表的一行", "a line of the order"),
    "play": Text("一手出牌", "a play"),
    "trick": Text("一轮牌", "a trick"),
    "list": Text("一列值", "a list"),
    "none": Text("未定", "nothing"),
    "zone": Text("放牌的地方", "a zone"),
    "hands": Text("每家一份的牌", "a zone of every seat"),
}


def type_name(kind: Type) -> Text:
    """A type in words."""
    if kind.name == "word":
        return Text(f"“{kind.of}”的词", f'a word of "{kind.of}"')
    if kind.name == "row":
        return Text(f"表“{kind.of}”的一行", f'a row of the table "{kind.of}"')
    if kind.name == "list" and kind.item is not None:
        inner = type_name(kind.item)
        return Text(f"一列{inner.zh}", f"a list of {inner.en.removeprefix('a ')}s")
    return NAMES.get(kind.name, Text(kind.name, kind.name))


def comparable(one: Type, two: Type) -> tuple[Text, ...]:
    """What could have been meant where two values cannot be compared."""
    for kind in (one, two):
        if kind.name == "word":
            words = kind.words[:8]
            return (Text("可以写：" + "、".join(words), "it can be: " + ", ".join(words)),)
    if {one.name, two.name} == {"suit", "int"}:
        return (Text("花色写 S、H、D、C；比点数用 card.rank", "suits are S, H, D, C; for ranks use card.rank"),)
    return ()


def item_type(kind: Type) -> Type | None:
    """The type of one item of a collection, or None."""
    if kind.name == "cards":
        return BASIC["card"]
    return kind.item if kind.name == "list" else None


def accepts(want: Type, got: Type) -> bool:
    """Whether a value of type ``got`` may stand where ``want`` is needed."""
    if want.name == "hands":
        return got.name == "cards"
    if got.name == "none":
        return want.optional
    if want.name == "list" and got.name == "list":
        return want.item is None or got.item is None or want.item.same(got.item)
    return want.same(got)

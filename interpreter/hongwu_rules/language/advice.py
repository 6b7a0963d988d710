"""The next steps that findings about expressions name, and what a name means that stands in the wrong place."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import NamedTuple

from ..diagnostics import Text
from ..diagnostics.slips import card_meant
from ..model.ir import Type
from .words import EFFECTS, WORDS
from .world import World


def write(text: object) -> Text:
    """The hint to write just this."""
    return Text(f"写 {text}", f"write {text}")


EXAMPLE = Text(
    "条件写成 points(picked) >= 40 and H7 not in picked 这样",
    "a condition looks like points(picked) >= 40 and H7 not in picked",
)
PART = Text(
    "写整数；要几成就先乘后整除，如 x * 50 // 100",
    "write a whole number; for a part of something multiply, then divide, as in x * 50 // 100",
)
STEP = Text("例如 leader = next(leader) 或 show(picked)", "for instance leader = next(leader) or show(picked)")
WHOLE = Text("规则里的数都是整数", "every number here is a whole number")
# Names that exist in some places only: where, and what to do elsewhere.
_LOCALS = {
    "picked": (
        Text("只有选牌的动作（pick）里才有 picked", "only a move that picks cards has `picked`"),
        Text("在这个动作里写 pick: hand[seat]，或不用 picked", "let the move pick: hand[seat], or do without `picked`"),
    ),
    "chosen": (
        Text("只有让人选的动作（choose）里才有 chosen", "only a move with `choose` has `chosen`"),
        Text("在这个动作里写 choose，或不用 chosen", "give the move a `choose`, or do without `chosen`"),
    ),
    "shape": (
        Text("只有写了 shapes 的动作里才有 shape", "only a move with `shapes` has `shape`"),
        Text("在这个动作里写 shapes，或不用 shape", "give the move its `shapes`, or do without `shape`"),
    ),
    "seat": (
        Text("这里没有问哪一家，没有 seat", "no seat is asked here, so there is no `seat`"),
        Text("写明是谁，如 for s in seats", "say whose, as in for s in seats"),
    ),
    "card": (
        Text("只有 order 和 deck 的条件里才有 card", "only conditions of the order and the deck have `card`"),
        Text("用 for 起个名字，如 any(c == H7 for c in picked)", "name one, as in any(c == H7 for c in picked)"),
    ),
    "viewer": (
        Text("只有 seen by 后面才有 viewer", "only what follows `seen by` has `viewer`"),
        Text("用 seat，或写明是谁", "use `seat`, or say whose"),
    ),
    "leaver": (
        Text("只有 leave 里才有 leaver", "only `leave` has `leaver`"),
        Text("用 seat，或写明是谁", "use `seat`, or say whose"),
    ),
}
_SIGNS: dict[type[ast.AST], Text] = {
    ast.Div: Text("整除写 //", "division is //, rounding down"),
    ast.BitAnd: write("and"),
    ast.BitOr: write("or"),
    ast.Invert: write("not"),
}


def fold_of(name: str) -> Text:
    """How a word that goes over a collection is written."""
    what = {"any": "c == H7", "all": "c != H7", "count": "c == H7", "cards": "c", "the": "c"}.get(name, "points(c)")
    example = f"{name}({what} for c in picked)"
    return Text(f"例如 {example}", f"for instance {example}")


def other_form(node: ast.AST) -> Text:
    """What to write for a form that Python has and the rules language has not."""
    sign = getattr(node, "op", None)
    return next((way for kind, way in _SIGNS.items() if isinstance(sign, kind)), EXAMPLE)


def call_of(world: World, name: str) -> Text:
    """How a word, a define or a table is called."""
    if name in world.tables:
        parts = list(world.tables[name].given)
    elif name in world.defines:
        sign = world.define_of(name)
        parts = [part for part, _ in sign.params] if sign is not None else []
    else:
        word = WORDS.get(name) or EFFECTS.get(name)
        parts = [part.split()[0].lstrip("*") for part in word.params] if word is not None else ["… for … in …"]
    return write(f"{name}({', '.join(parts)})" if parts else name)


class Misplaced(NamedTuple):
    """A name that means something, but not here, or not so written."""

    code: str
    text: Text
    help: Text


def misplaced(world: World, name: str, names: Mapping[str, Type]) -> Misplaced | None:
    """What is to be said of a name that stands for nothing where it is used; None if it means nothing anywhere."""
    card = card_meant(name)
    if card is not None:
        return Misplaced("HW201", Text(f"“{name}”这张牌不这样写", f'a card is not written "{name}"'), write(card))
    near = next((local for local, kind in names.items() if kind.name == name), None)
    if near is not None:
        text = Text(f"这里没有“{name}”这个名字", f'there is no "{name}" here')
        return Misplaced("HW401", text, Text(f"这里的叫“{near}”", f'the one here is called "{near}"'))
    if name in _LOCALS:
        return Misplaced("HW401", *_LOCALS[name])
    if name in world.groups:
        text, ask = (
            Text(f"“{name}”是一门牌，这里不能用", f'"{name}" is a group of cards and has no place here'),
            "group",
        )
    elif name in world.lines:
        text, ask = Text(f"“{name}”是大小表的一行", f'"{name}" is a line of the order and has no place here'), "line"
    elif name in world.moves:
        ways = Text(f"问有没有人做过：made({name})", f"ask whether somebody made it: made({name})")
        return Misplaced("HW401", Text(f"“{name}”是一个动作", f'"{name}" is a move and has no value'), ways)
    else:
        return None
    one = next((local for local, kind in names.items() if kind.name == "card"), "card")
    example = f"{ask}({one}) == {name}"
    return Misplaced("HW401", text, Text(f"用 {ask} 来问，如 {example}", f"ask by {ask}, as in {example}"))

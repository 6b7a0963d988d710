"""The next steps that findings about expressions name, and what a name means that stands in the wrong place."""

from __future__ import annotations

import ast

from ..diagnostics import Text
from .words import EFFECTS, WORDS
from .world import World


def write(text: str) -> Text:
    """The hint to write just this."""
    return Text(f"写 {text}", f"write {text}")


EXAMPLE = Text(
    "条件写成 points(picked) >= 40 and H5 not in picked 这样",
    "a condition looks like points(picked) >= 40 and H5 not in picked",
)
FOLD = Text("例如 sum(points(c) for c in picked)", "for instance sum(points(c) for c in picked)")
PART = Text(
    "写整数；要几成就先乘后整除，如 x * 50 // 100",
    "write a whole number; for a part of something multiply, then divide, as in x * 50 // 100",
)
STEP = Text("例如 dealer = next(dealer) 或 show(picked)", "for instance dealer = next(dealer) or show(picked)")
WHOLE = Text("规则里的数都是整数", "every number here is a whole number")
_SIGNS: dict[type[ast.AST], Text] = {
    ast.Div: Text("整除写 //", "division is //, rounding down"),
    ast.BitAnd: write("and"),
    ast.BitOr: write("or"),
    ast.Invert: write("not"),
}


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

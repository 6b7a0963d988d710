"""What a clause asks, so far as listing moves can use it."""

from __future__ import annotations

import re

from ..model.ir import (
    BOOL,
    Apply,
    Call,
    Compare,
    Const,
    Expr,
    Field,
    Fold,
    In,
    Local,
    Logic,
    Lookup,
    Not,
    SlotRef,
    TrickRef,
    Whole,
    ZoneRef,
    children,
    walk,
)
from .expressions import Names, Writer
from .simplify import locals_of

ABOUT_MOVE = frozenset({"picked", "chosen", "shape"})
FOLLOWS = frozenset({"follows_group", "follows_sets", "follows_runs"})


def parts_of(expr: Expr) -> tuple[Expr, ...]:
    """The parts that must all hold."""
    return expr.parts if isinstance(expr, Logic) and expr.op == "and" else (expr,)


def is_gate(expr: Expr) -> bool:
    """Whether an expression does not depend on the move."""
    return not locals_of(expr) & ABOUT_MOVE


def is_choice(expr: Expr) -> bool:
    """Whether an expression depends on what is chosen, and on nothing else of the move."""
    return locals_of(expr) & ABOUT_MOVE == {"chosen"}


def is_beats(expr: Expr) -> bool:
    """Whether an expression is just ``beats(picked, trick)``."""
    return (
        isinstance(expr, Call)
        and expr.word == "beats"
        and isinstance(expr.args[0], Local)
        and expr.args[0].name == "picked"
        and isinstance(expr.args[1], TrickRef)
    )


def is_follows(expr: Expr, pick: ZoneRef | None) -> bool:
    """Whether an expression is a follow duty about the cards picked and the whole place they come from."""
    if not isinstance(expr, Call) or expr.word not in FOLLOWS or not isinstance(expr.args[2], TrickRef):
        return False
    held = expr.args[1]
    return (
        _picked(expr.args[0])
        and isinstance(held, ZoneRef)
        and pick is not None
        and held.name == pick.name
        and [_index(part) for part in held.index] == [_index(part) for part in pick.index]
        and all(_index(part) is not None for part in held.index)
    )


def _index(expr: Expr) -> object:
    return (
        expr.name
        if isinstance(expr, Local) and expr.name == "seat"
        else expr.value
        if isinstance(expr, Const)
        else None
    )


def is_formal(expr: Expr) -> bool:
    """Whether an expression depends on the pick at most through its shape, its group and the number of cards."""
    if _of_form(expr):
        return True
    if isinstance(expr, Local) and expr.name in ("picked", "chosen"):
        return False
    return all(is_formal(part) for part in children(expr))


def is_fixed(expr: Expr) -> bool:
    """Whether a formal expression reads nothing but the form of the pick, so that every state answers it alike."""
    if _of_form(expr):
        return True
    if isinstance(expr, SlotRef | ZoneRef | TrickRef | Whole | Call | Apply | Lookup | Field | Fold):
        return False
    return expr.name == "shape" if isinstance(expr, Local) else all(is_fixed(part) for part in children(expr))


def _of_form(expr: Expr) -> bool:
    """Whether an expression is the group or the number of the cards picked."""
    return isinstance(expr, Call) and expr.word in ("group", "len") and _picked(expr.args[0])


def at_most(writer: Writer, expr: Expr, names: Names) -> tuple[str, Expr] | None:
    """Source of a mask, and a bound: ``count(P(c) for c in picked) <= N``, where N needs only the number picked."""
    if not isinstance(expr, Compare) or expr.op != "<=" or not isinstance(expr.left, Fold):
        return None
    fold = expr.left
    if fold.word != "count" or len(fold.loops) != 1 or not _picked(fold.loops[0].source) or fold.cond is not None:
        return None
    if "shape" in locals_of(expr.right) or not is_formal(expr.right) or locals_of(fold.body) & ABOUT_MOVE:
        return None
    if any(isinstance(part, Call) and part.word == "group" and _picked(part.args[0]) for part in walk(expr.right)):
        return None
    mask = writer.masks.of(writer.simplify(fold.body), fold.loops[0].name, names)
    return None if mask is None else (writer.masks.code(mask), expr.right)


def _picked(expr: Expr) -> bool:
    return isinstance(expr, Local) and expr.name == "picked"


def pointwise(writer: Writer, expr: Expr, names: Names) -> str | None:
    """Source of the mask of cards that may be picked, if the expression asks each card by itself."""
    masks = writer.masks
    match expr:
        case Fold() if expr.word in ("all", "any") and len(expr.loops) == 1 and _picked(expr.loops[0].source):
            return None if expr.word == "any" else _each(writer, expr, names)
        case Not() if isinstance(expr.of, Fold) and expr.of.word == "any":
            fold = expr.of
            if len(fold.loops) == 1 and _picked(fold.loops[0].source):
                no: Expr = Not(type=BOOL, at=expr.at, of=fold.body)
                every = Fold(type=BOOL, at=expr.at, word="all", body=no, loops=fold.loops, cond=fold.cond)
                return _each(writer, every, names)
            return None
        case Not() if isinstance(expr.of, In) and not expr.of.negated:
            inner = expr.of
            return pointwise(
                writer, In(type=BOOL, at=expr.at, item=inner.item, container=inner.container, negated=True), names
            )
        case In() if expr.negated and _picked(expr.container) and is_gate(expr.item):
            if isinstance(expr.item, Const) and isinstance(expr.item.value, int):
                return masks.code(masks.inverse(writer.layout.pack.mask((expr.item.value,))))
            return masks.code(masks.inverse(f"card_mask.get({writer.value(expr.item, names)}, 0)"))
        case Logic() if expr.op == "or":
            gates = [part for part in expr.parts if is_gate(part)]
            rest = [part for part in expr.parts if not is_gate(part)]
            if len(rest) != 1 or not gates:
                return None
            mask = pointwise(writer, rest[0], names)
            if mask is None:
                return None
            test = " or ".join(writer.test(part, names) for part in gates)
            return f"({masks.code(masks.full)} if {test} else {mask})"
        case _:
            return None


def narrowing(writer: Writer, expr: Expr, names: Names) -> str | None:
    """Source of a mask that every pick for which the expression holds keeps to; None if none is known.

    It is worked out in every state, also where the expression would not look at it: it reads nothing that may fail.
    """
    mask = pointwise(writer, expr, names)
    if mask is not None:
        return mask if set(_APPLIED.findall(mask)) <= {"get", "m"} else None
    if not isinstance(expr, Logic):
        return None
    parts = [narrowing(writer, part, names) for part in expr.parts]
    known = [part for part in parts if part is not None]
    if not known or (expr.op == "or" and len(known) < len(parts)):
        return None
    return f"({(' | ' if expr.op == 'or' else ' & ').join(known)})"


def is_alike(expr: Expr) -> bool:
    """Whether an expression asks exactly that the cards picked are alike."""
    return isinstance(expr, Call) and expr.word == "alike" and len(expr.args) == 1 and _picked(expr.args[0])


def _each(writer: Writer, fold: Fold, names: Names) -> str | None:
    """The mask of ``all(P(c) for c in picked if Q(c))``."""
    loop = fold.loops[0]
    asked = fold.body
    if fold.cond is not None:
        asked = Logic(type=BOOL, at=fold.at, op="or", parts=(Not(type=BOOL, at=fold.at, of=fold.cond), fold.body))
    if locals_of(asked) & ABOUT_MOVE:
        return None
    mask = writer.masks.of(writer.simplify(asked), loop.name, names)
    return None if mask is None else writer.masks.code(mask)


_APPLIED = re.compile(r"(\w+)[(\[]")  # what is called, or read by place
__all__ = [
    "at_most",
    "is_alike",
    "is_beats",
    "is_choice",
    "is_fixed",
    "is_follows",
    "is_formal",
    "is_gate",
    "narrowing",
    "parts_of",
    "pointwise",
]

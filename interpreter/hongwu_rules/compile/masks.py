"""Conditions on one card as sets of cards: a loop over a hand becomes one bit operation.

A condition that asks only about a card, its rank, suit, colour, line or group, joined by ``and``,
``or`` and ``not``, is the same as a mask of all cards that fit. A mask known beforehand is an int,
one that depends on the state is Python source. Parts that do not ask about the card switch the
rest on or off, and are looked at first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import cards
from ..model.ir import Apply, Call, Compare, Const, Expr, Field, IfElse, In, ListOf, Local, Logic, Not, walk
from .simplify import locals_of

if TYPE_CHECKING:
    from .expressions import Names, Writer

Mask = int | str  # known, or source
_DYNAMIC = {"rank": "rank_mask", "suit": "suit_mask", "colour": "colour_mask"}


class Masks:
    """Makes masks for one writer."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.pack = writer.layout.pack
        self.full = self.pack.full

    def of(self, expr: Expr, var: str, names: Names) -> Mask | None:
        """The mask of the cards ``var`` for which ``expr`` holds; None if it is no such condition."""
        if isinstance(expr, Const):
            return self.full if expr.value else 0
        if var not in locals_of(expr):
            return f"({self.code(self.full)} if {self.writer.test(expr, names)} else 0)"
        known = self.known(expr, var)
        if known is not None:
            return known
        match expr:
            case Not():
                inner = self.of(expr.of, var, names)
                return None if inner is None else self.inverse(inner)
            case Logic():
                return self.logic(expr, var, names)
            case IfElse() if var not in locals_of(expr.test):
                yes, no = self.of(expr.yes, var, names), self.of(expr.no, var, names)
                if yes is None or no is None:
                    return None
                return f"({self.code(yes)} if {self.writer.test(expr.test, names)} else {self.code(no)})"
            case Apply():
                return self.of(self.writer.simplify.written_out(expr), var, names)
            case Compare() if expr.op in ("==", "!="):
                found = self.equality(expr, var, names)
                return found if found is None or expr.op == "==" else self.inverse(found)
            case Call() if expr.word == "alike" and len(expr.args) == 2 and self.writer.table is not None:
                for one, other in (expr.args, expr.args[::-1]):
                    if _is(one, var) and var not in locals_of(other):
                        return f"alike_mask[{self.writer.value(other, names)}]"
            case In():
                found = self.membership(expr, var, names)
                return found if found is None or not expr.negated else self.inverse(found)
        return None

    def code(self, mask: Mask) -> str:
        """A mask as source."""
        return mask if isinstance(mask, str) else self.writer.mask_name(mask)

    def inverse(self, mask: Mask) -> Mask:
        """All other cards."""
        return self.full ^ mask if isinstance(mask, int) else f"({self.code(self.full)} ^ {mask})"

    def known(self, expr: Expr, var: str) -> int | None:
        """The mask of a condition that depends on the card alone."""
        if locals_of(expr) != {var}:
            return None
        order_known = self.writer.table is not None
        for part in walk(expr):
            if not isinstance(part, Const | Local | Field | Compare | In | ListOf | Logic | Not | IfElse | Call):
                return None
            if isinstance(part, Field) and part.of.type.name != "card":
                return None
            if (
                isinstance(part, Call)
                and part.word not in ("points", "suit", "colour", "int", "position")
                and not (order_known and part.word in ("group", "line", "alike", "linked"))
            ):
                return None
        return self.pack.mask(card for card in range(cards.SIZE) if self.writer.ask(expr, var, card))

    def logic(self, expr: Logic, var: str, names: Names) -> Mask | None:
        switches = [part for part in expr.parts if var not in locals_of(part)]
        masks = [self.of(part, var, names) for part in expr.parts if var in locals_of(part)]
        both = expr.op == "and"
        fixed: int | None = None
        codes: list[str] = []
        for mask in masks:
            if mask is None:
                return None
            if isinstance(mask, str):
                codes.append(mask)
            else:
                fixed = mask if fixed is None else fixed & mask if both else fixed | mask
        if fixed is not None and not codes and not switches:
            return fixed
        if fixed is not None and fixed != (self.full if both else 0):
            codes.append(self.code(fixed))
        joined = codes[0] if len(codes) == 1 else f"({(' & ' if both else ' | ').join(codes)})"
        if not switches:
            return joined
        test = " and ".join(self.writer.test(part, names) for part in switches)
        if both:
            return f"({joined} if {test} else 0)"
        test = " or ".join(self.writer.test(part, names) for part in switches)
        return f"({self.code(self.full)} if {test} else {joined})"

    def equality(self, expr: Compare, var: str, names: Names) -> Mask | None:
        for card_side, other in ((expr.left, expr.right), (expr.right, expr.left)):
            if var in locals_of(other):
                continue
            value = self.writer.value(other, names)
            match card_side:
                case Local() if card_side.name == var:
                    return f"card_mask.get({value}, 0)"
                case Field() if _is(card_side.of, var):
                    return f"{_DYNAMIC[card_side.name]}.get({value}, 0)"
                case Call() if card_side.word in ("group", "line") and _is(card_side.args[0], var):
                    if other.type.optional:
                        return None
                    return f"{self.writer.table_code()}.{card_side.word}_mask[{value}]"
                case Call() if card_side.word in ("suit", "colour") and _is(card_side.args[0], var):
                    return f"{_DYNAMIC[card_side.word]}.get({value}, 0)"
        return None

    def membership(self, expr: In, var: str, names: Names) -> Mask | None:
        box = expr.container
        if var in locals_of(box):
            return None
        if isinstance(box, ListOf):
            masks = [
                self.equality(Compare(type=expr.type, at=expr.at, op="==", left=expr.item, right=i), var, names)
                for i in box.items
            ]
            if any(mask is None for mask in masks):
                return None
            return f"({' | '.join(self.code(mask) for mask in masks if mask is not None)})"
        if box.type.name == "cards" and _is(expr.item, var):
            return f"spread({self.writer.value(box, names)})"
        return None


def _is(expr: Expr, var: str) -> bool:
    """Whether an expression is the card asked about."""
    return isinstance(expr, Local) and expr.name == var

"""The value of an expression that depends on one card and the options alone (the deck, static words)."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping

from .. import cards
from ..model.ir import Arith, Compare, Const, Expr, Field, IfElse, In, IsNone, ListOf, Local, Logic, Not, OptionRef

Value = int | bool | str | None
OPERATORS: dict[str, Callable[[int, int], int | bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
}


class NotStatic(Exception):
    """The expression reads something that only play can know."""


def evaluate(expr: Expr, options: Mapping[str, int | bool], names: Mapping[str, Value]) -> Value:
    """The value, with ``names`` for the locals (a card by its id); NotStatic if it cannot be known."""
    match expr:
        case Const():
            return expr.value
        case OptionRef():
            return options[expr.name]
        case Local() if expr.name in names:
            return names[expr.name]
        case Field() if expr.of.type.name == "card":
            return card_field(evaluate(expr.of, options, names), expr.name)
        case Not():
            return not evaluate(expr.of, options, names)
        case Logic():
            values = (bool(evaluate(part, options, names)) for part in expr.parts)
            return all(values) if expr.op == "and" else any(values)
        case Compare() | Arith():
            left, right = evaluate(expr.left, options, names), evaluate(expr.right, options, names)
            if left is None or right is None:
                return expr.op == "!="
            return OPERATORS[expr.op](int(left), int(right))
        case In() if isinstance(expr.container, ListOf):
            item = evaluate(expr.item, options, names)
            return (item in [evaluate(e, options, names) for e in expr.container.items]) != expr.negated
        case IsNone():
            return (evaluate(expr.of, options, names) is None) != expr.negated
        case IfElse():
            return evaluate(expr.yes if evaluate(expr.test, options, names) else expr.no, options, names)
        case _:
            raise NotStatic


def card_field(card: Value, name: str) -> Value:
    """The rank, suit or colour of a card by its id."""
    if not isinstance(card, int):
        return None
    if name == "rank":
        return cards.RANK_OF[card]
    suit = cards.SUIT_OF[card]
    return suit if name == "suit" or suit is None else cards.COLOUR_OF_SUIT[suit]

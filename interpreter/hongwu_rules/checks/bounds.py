"""Numbers that cannot be: starts outside their range, more cards than there are, a divisor of zero, endless folds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod

from ..diagnostics import Span, Text
from ..language.evaluate import evaluate
from ..model import Assign, Move
from ..model.ir import Apply, Arith, Const, Expr, Fold, ListOf, OptionRef, Type, children, walk
from .context import Context
from .sites import all_sites, all_steps, place

MOST = 20_000_000  # items that one expression may go through
SETTINGS = 2000  # combinations of options that are tried


def check_bounds(context: Context) -> None:
    """HW105 and HW005."""
    _starts(context)
    _counts(context)
    _divisors(context)
    _Work(context).check()


def _starts(context: Context) -> None:
    for slot in context.ruleset.memory.values():
        low, high = slot.type.low, slot.type.high
        if slot.type.name != "int" or slot.start is None or low is high is None:
            continue
        first, last = context.evaluator.values(slot.start).ends
        value = next((end for end in (first, last) if end is not None and not _within(end, low, high)), None)
        if value is not None:
            span = f"{'' if low is None else low}..{'' if high is None else high}"
            context.findings.add(
                "HW105",
                place(slot.start, slot.span),
                f"“{slot.name}”开始时是 {value}，不在 {span} 里",
                f'"{slot.name}" starts as {value}, which is not in {span}',
            )


def _within(value: int, low: int | None, high: int | None) -> bool:
    return (low is None or low <= value) and (high is None or value <= high)


def _moves(context: Context) -> Iterator[Move]:
    for phase in context.ruleset.phases.values():
        yield from phase.moves.values()


def _counts(context: Context) -> None:
    size = context.evaluator.deck_size
    for move in _moves(context):
        least = move.count[0] if move.count is not None else None
        if least is None or not size:
            continue
        low, _ = context.evaluator.values(least).ends
        if low is not None and low > size:
            context.findings.add(
                "HW105",
                place(least, move.span),
                f"“{move.name}”至少要 {low} 张牌，整副牌只有 {size} 张",
                f'"{move.name}" takes at least {low} cards, and the whole deck has {size}',
                help=(Text(f"写不超过 {size} 的数", f"write a number up to {size}"),),
            )


def _divisors(context: Context) -> None:
    for site in all_sites(context.ruleset):
        for part in walk(site.expr):
            if isinstance(part, Arith) and part.op in ("//", "%") and _always_zero(context, part.right):
                context.findings.add(
                    "HW105",
                    place(part.right, site.span),
                    f"{site.where.zh}：除数总是 0",
                    f"{site.where.en}: the divisor is always 0",
                    help=(Text("除以别的数，或去掉这个除法", "divide by another number, or do without the division"),),
                )


def _always_zero(context: Context, divisor: Expr) -> bool:
    """Whether a divisor is zero whatever the options and the state are."""
    inner = context.evaluator.inline(divisor)
    if context.evaluator.values(inner).exact == frozenset({0}):
        return True
    parts = walk(inner)
    if any(not isinstance(part, Const | OptionRef | Arith) for part in parts):
        return False
    names = list(dict.fromkeys(part.name for part in parts if isinstance(part, OptionRef)))
    domains = [_every(context.ruleset.options[name].type) for name in names]
    if not names or prod(map(len, domains)) > SETTINGS:
        return False
    try:
        return not any(evaluate(inner, dict(zip(names, values, strict=True)), {}) for values in product(*domains))
    except ZeroDivisionError:  # the divisor divides by zero itself, which is found there
        return False


def _every(kind: Type) -> range:
    """Every value of the type of an option."""
    if kind.words or kind.name == "bool":
        return range(len(kind.words) or 2)
    return range(kind.low or 0, (kind.high or 0) + 1, kind.step)


class _Work:
    """How many items an expression goes through at most: folds inside folds multiply."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.bodies: dict[str, int] = {}

    def check(self) -> None:
        for site in all_sites(self.context.ruleset):
            self.note(self.of(site.expr), place(site.expr, site.span))
        for step in all_steps(self.context.ruleset):
            action = step.action
            parts = (*action.index, action.value) if isinstance(action, Assign) else action.args
            inner = sum(map(self.of, parts)) + (self.of(step.when) if step.when is not None else 0)
            if step.loops:
                self.note(prod(self.size(source) for _, _, source in step.loops) * max(inner, 1), step.span)

    def note(self, work: int, span: Span) -> None:
        if work > MOST:
            self.context.findings.add(
                "HW005",
                span,
                f"这里一层套一层，最多要看 {work:,} 项，超过 {MOST:,}，打起来会停住不动",
                f"loops inside loops look at up to {work:,} items here, more than {MOST:,}: play would stand still",
                help=(
                    Text(
                        "少套几层，或者只在几张牌里找，不在整副牌（deck）里找",
                        "nest fewer of them, or look through some cards instead of the whole deck",
                    ),
                ),
            )

    def of(self, expr: Expr) -> int:
        """The work of an expression: 1 for each item that it looks at."""
        if isinstance(expr, Apply):
            return self.body(expr.define) + sum(map(self.of, expr.args))
        if isinstance(expr, Fold):
            inner = self.of(expr.body) + (self.of(expr.cond) if expr.cond is not None else 0)
            sources = sum(self.of(loop.source) for loop in expr.loops)
            return sources + prod(self.size(loop.source) for loop in expr.loops) * max(inner, 1)
        return sum(map(self.of, children(expr)))

    def body(self, define: str) -> int:
        if define not in self.bodies:
            self.bodies[define] = 0  # one that needs itself is another finding
            self.bodies[define] = self.of(self.context.ruleset.defines[define].body)
        return self.bodies[define]

    def size(self, source: Expr) -> int:
        """How many items a collection has at most."""
        if isinstance(source, ListOf):
            return len(source.items)
        kind = source.type.item.name if source.type.item is not None else "card"
        seats = self.context.ruleset.seats
        return {"seat": seats.count, "team": seats.count, "suit": 4, "rank": 15, "play": seats.count}.get(
            kind, self.context.evaluator.deck_size
        )

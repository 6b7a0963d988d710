"""What an expression may be, whatever the options, the memory and the cards are.

Everything unknown is over-estimated, so what is said to be sure is sure. Values that occur more than
once and hang together are told apart one level up, in ``joint``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from math import gcd

from .. import cards
from ..model import Assign, Ruleset, Step, Table
from ..model.ir import (
    Apply,
    Arith,
    Call,
    Compare,
    Const,
    Expr,
    Field,
    Fold,
    IfElse,
    In,
    IsNone,
    ListOf,
    Logic,
    Lookup,
    Not,
    OptionRef,
    SlotRef,
    Type,
    Whole,
)
from .inline import Inliner
from .notation import Notation
from .ranges import ANY, EMPTY, MAYBE, NO, YES, Values, few, of, span
from .sites import all_steps

Env = Mapping[str, Values]
NOTHING: Env = {}
_ROUNDS = 4  # passes over the assignments before a growing number is taken to grow for ever


class Evaluator:
    """Evaluates the expressions of one ruleset. ``slots`` has what each piece of memory may become."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.notation = Notation(ruleset)
        self.inline = Inliner(ruleset.defines)
        self.deck_size = sum(ruleset.deck.cards.values())
        self.slots: dict[str, Values] = {}
        self._domains: dict[str, Values] = {}
        self._reach()

    # ---------------------------------------------------------------- what a type can hold
    def domain(self, kind: Type) -> Values:
        """Every value of a type."""
        found = self._basic(kind)
        return found.join(few(None)) if kind.optional and not found.may_unset else found

    def _basic(self, kind: Type) -> Values:
        if kind.name == "int":
            return span(kind.low, kind.high, step=kind.step, base=kind.low)
        if kind.words:
            low = 0 if kind.low is None else kind.low
            return of(range(low, len(kind.words) if kind.high is None else kind.high + 1))
        found = self._domains.get(kind.name)
        if found is None:
            found = self._domains[kind.name] = self._named(kind.name)
        return found

    def _named(self, name: str) -> Values:
        ruleset = self.ruleset
        sizes = {
            "suit": 4,
            "colour": 2,
            "seat": ruleset.seats.count,
            "team": max(ruleset.seats.teams, default=0) + 1,
            "line": len(self.notation.lines),
            "group": len(self.notation.groups),
            "shape": len(self.notation.shapes),
            "phase": len(self.notation.phases),
        }
        if name in sizes:
            return of(range(sizes[name]))
        if name == "bool":
            return MAYBE
        if name == "rank":
            return of(range(2, 17))
        return of(ruleset.deck.cards) if name == "card" else ANY

    # ---------------------------------------------------------------- expressions
    def values(self, expr: Expr, env: Env = NOTHING) -> Values:
        """What ``expr`` may be; ``env`` has what is known of some of its parts, by their text."""
        match expr:
            case Const():
                return few(expr.value)
            case Logic():
                return self._logic(expr, env)
            case Compare():
                return self.values(expr.left, env).compare(expr.op, self.values(expr.right, env))
            case Not():
                return self.values(expr.of, env).opposite()
        if env:
            known = env.get(self.notation(expr))
            if known is not None:
                return known
        match expr:
            case OptionRef():
                return self.domain(self.ruleset.options[expr.name].type)
            case SlotRef():
                return self.slots.get(expr.name) or self.domain(expr.type)
            case In():
                return self._in(expr, env)
            case IsNone():
                return self._is_none(expr, env)
            case Arith():
                return self._arith(expr, env)
            case IfElse():
                test = self.values(expr.test, env).truth
                if test is None:
                    return self.values(expr.yes, env).join(self.values(expr.no, env))
                return self.values(expr.yes if test else expr.no, env)
            case Field():
                return self._field(expr, env)
            case Call():
                return self._call(expr, env)
            case Fold():
                return self._fold(expr)
            case Apply():
                written = self.inline(expr)
                return self.domain(expr.type) if isinstance(written, Apply) else self.values(written, env)
            case _:
                return self.domain(expr.type)

    def _logic(self, expr: Logic, env: Env) -> Values:
        stop = expr.op == "or"
        sure = True
        for part in expr.parts:
            truth = self.values(part, env).truth
            if truth is stop:
                return YES if stop else NO
            sure = sure and truth is not None
        return (NO if stop else YES) if sure else MAYBE

    def _in(self, expr: In, env: Env) -> Values:
        if not isinstance(expr.container, ListOf):
            return MAYBE
        item = self.values(expr.item, env)
        truths = [item.compare("==", self.values(part, env)).truth for part in expr.container.items]
        whole = reduce(Values.join, (self.values(part, env) for part in expr.container.items), EMPTY)
        inside = (
            item.exact is not None and whole.exact is not None and None not in item.exact and item.exact <= whole.exact
        )
        fixed = all(isinstance(part, Const) for part in expr.container.items)
        if any(truths) or (inside and fixed):
            found = YES
        else:
            found = NO if all(truth is False for truth in truths) else MAYBE
        return found.opposite() if expr.negated else found

    def _is_none(self, expr: IsNone, env: Env) -> Values:
        value = self.values(expr.of, env)
        if not value.may_unset:
            found = NO
        else:
            found = YES if value.exact == frozenset({None}) else MAYBE
        return found.opposite() if expr.negated else found

    def _arith(self, expr: Arith, env: Env) -> Values:
        left, right = self.values(expr.left, env).sure(), self.values(expr.right, env).sure()
        if expr.op == "+":
            return left.plus(right)
        if expr.op == "-":
            return left.plus(right.negative())
        return left.times(right) if expr.op == "*" else left.divided(right, rest=expr.op == "%")

    def _field(self, expr: Field, env: Env) -> Values:
        if expr.of.type.name == "card":
            card = self.values(expr.of, env)
            if card.exact is not None:
                return of(self.card_field(c, expr.name) for c in card.exact if isinstance(c, int))
        if isinstance(expr.of, Lookup):
            return self._output(self.ruleset.tables[expr.of.table], expr.name)
        return self.domain(expr.type)

    def card_field(self, card: int, name: str) -> int | None:
        """The rank, suit or colour of a card, after counting as another."""
        card = self.ruleset.deck.alias.get(card, card)
        if name == "rank":
            return cards.RANK_OF[card]
        suit = cards.SUIT_OF[card]
        return suit if name == "suit" or suit is None else cards.COLOUR_OF_SUIT[suit]

    def _output(self, table: Table, name: str) -> Values:
        if table.hit == "collect":
            return span(None, None)
        default = few(table.gives.get(name, 0))
        cells = (self.values(row.gives[name]) if name in row.gives else default for row in table.rows)
        return reduce(Values.join, cells, EMPTY) if table.rows else default

    def _call(self, expr: Call, env: Env) -> Values:
        if expr.word == "len":
            return span(0, self.most(expr.args[0]))
        if expr.word == "points":
            return self._points(expr)
        if expr.word == "int":
            return (
                of(int(bool(v)) if v is not None else None for v in self.values(expr.args[0], env).exact or (0, 1))
                if (expr.args[0].type.name == "bool")
                else self.values(expr.args[0], env)
            )
        if expr.word in ("min", "max") and expr.args:
            found = [self.values(arg, env).sure() for arg in expr.args]
            if all(value.exact is not None and len(value.exact) == 1 for value in found):
                pick = min if expr.word == "min" else max
                return few(pick(value.ends[0] or 0 for value in found))
            return _extreme(found, largest=expr.word == "max")
        if expr.word in ("position", "pairs"):
            return span(0, self.most(expr.args[-1]))
        return self.domain(expr.type)

    def _points(self, expr: Call) -> Values:
        points = self.ruleset.deck.points
        if not points:
            return few(0)
        if expr.args[0].type.name == "card":
            return of({points.get(card, 0) for card in self.ruleset.deck.cards})
        total = sum(points.get(card, 0) * copies for card, copies in self.ruleset.deck.cards.items())
        return span(0, total, step=gcd(*points.values()) or 1)

    def most(self, source: Expr) -> int | None:
        """The most items that a collection can have; None where there is no bound."""
        match source:
            case ListOf():
                return len(source.items)
            case Whole():
                values = self._basic(source.type.item).exact if source.type.item is not None else None
                return len(values) if values is not None else self.deck_size
            case Call() if source.word in ("others", "opponents"):
                return self.ruleset.seats.count - 1
            case Call() if source.word == "seats_from":
                return self.ruleset.seats.count
        return self.deck_size if source.type.name == "cards" else None

    def _fold(self, expr: Fold) -> Values:
        body = self.values(expr.body)
        cond = self.values(expr.cond).truth if expr.cond is not None else True
        sizes = [self.most(loop.source) for loop in expr.loops]
        most: int | None = 1
        for size in sizes:
            most = None if most is None or size is None else most * size
        if expr.word in ("any", "all"):
            if cond is False or body.truth is (expr.word == "all"):
                return YES if expr.word == "all" else NO
            return MAYBE
        if expr.word == "count":
            return span(0, 0 if body.truth is False or cond is False else most)
        if expr.word == "sum":
            total = body.sure().times(span(0, most))
            step, base = body.grid
            return total if base or step < 2 else span(*total.ends, step=step, base=0)
        if expr.word in ("min", "max"):
            return body.sure()
        return self.domain(expr.type.sure)

    # ---------------------------------------------------------------- what memory may become
    def _reach(self) -> None:
        """Follow every assignment, in whatever order, until nothing new comes up."""
        for name, slot in self.ruleset.memory.items():
            start = self.values(slot.start) if slot.start is not None else few(None)
            self.slots[name] = ANY if slot.type.name == "cards" else start
        steps = [
            step
            for step in all_steps(self.ruleset)
            if isinstance(step.action, Assign) and step.action.slot in self.slots
        ]
        for turn in range(2 * _ROUNDS):
            before = dict(self.slots)
            for step in steps:
                self._assigned(step)
            if self.slots == before:
                return
            if turn >= _ROUNDS:
                self._widen(before)
        for name in self.slots:  # did not settle: anything its type allows
            self.slots[name] = self.domain(self.ruleset.memory[name].type)

    def _assigned(self, step: Step) -> None:
        action = step.action
        assert isinstance(action, Assign)
        slot = self.ruleset.memory[action.slot]
        if slot.type.name == "cards":
            return
        value = self.values(action.value)
        if action.random:
            value = (
                self.domain(action.value.type.item) if action.value.type.item is not None else self.domain(slot.type)
            )
        old = self.slots[action.slot]
        if action.op == "+=":
            value = old.sure().plus(value.sure())
        elif action.op == "-=":
            value = old.sure().plus(value.sure().negative())
        elif action.op == "*=":
            value = old.sure().times(value.sure())
        if slot.type.name == "int":
            value = value.meet(slot.type.low, slot.type.high)
        self.slots[action.slot] = old.join(value)

    def _widen(self, before: dict[str, Values]) -> None:
        for name, now in self.slots.items():
            old, kind = before[name], self.ruleset.memory[name].type
            if now == old or kind.name != "int":
                continue
            (a, b), (c, d) = old.ends, now.ends
            step, base = now.grid
            low = kind.low if c != a else c
            high = kind.high if d != b else d
            self.slots[name] = span(low, high, step=step or 1, base=base, unset=now.may_unset)


def _extreme(found: list[Values], *, largest: bool) -> Values:
    """The range of the smallest or the largest of some numbers."""
    lows, highs = [value.ends[0] for value in found], [value.ends[1] for value in found]
    if largest:
        low = max((end for end in lows if end is not None), default=None)
        high = None if None in highs else max(end for end in highs if end is not None)
    else:
        low = None if None in lows else min(end for end in lows if end is not None)
        high = min((end for end in highs if end is not None), default=None)
    return span(low, high)

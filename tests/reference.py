"""Typed expressions evaluated the slow and obvious way, to compare the compiled ones with."""

from __future__ import annotations

import operator
from typing import Any

from hongwu_rules import cards
from hongwu_rules.compile.program import Program
from hongwu_rules.compile.working import Working
from hongwu_rules.model.ir import (
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
    Local,
    Logic,
    Not,
    OptionRef,
    SlotRef,
    TrickRef,
    Whole,
    ZoneRef,
)

OPS: dict[str, Any] = {
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


class Reference:
    """Cards are lists of ids here, in order."""

    def __init__(self, program: Program, g: Working) -> None:
        self.program, self.g, self.layout = program, g, program.layout

    def __call__(self, expr: Expr, names: dict[str, Any]) -> Any:
        match expr:
            case Const():
                return expr.value
            case OptionRef():
                return self.program.options[expr.name]
            case Local():
                return names[expr.name]
            case SlotRef():
                value = self.g.m[self.layout.slots[expr.name].at(*[self(i, names) for i in expr.index])]
                return self.layout.pack.ids(value) if expr.type.name == "cards" else value
            case ZoneRef():
                place = self.layout.zones[expr.name].base + (self(expr.index[0], names) if expr.index else 0)
                held = self.g.z[place]
                return list(held) if isinstance(held, tuple) else self.layout.pack.ids(held)
            case TrickRef():
                return self.g.trick
            case Whole():
                return {"seats": [0, 1, 2, 3], "suits": [0, 1, 2, 3], "deck": list(self.layout.deck_ids)}[expr.name]
            case Field():
                return self.field(self(expr.of, names), expr)
            case Call():
                return self.call(expr, [self(arg, names) for arg in expr.args])
            case Apply():
                define = self.program.ruleset.defines[expr.define]
                values = [self(arg, names) for arg in expr.args]
                return self(define.body, dict(zip((name for name, _ in define.params), values, strict=True)))
            case Fold():
                return self.fold(expr, names)
            case Not():
                return not self(expr.of, names)
            case Logic():
                for part in expr.parts:
                    if bool(self(part, names)) == (expr.op == "or"):
                        return expr.op == "or"
                return expr.op == "and"
            case Compare():
                left, right = self(expr.left, names), self(expr.right, names)
                if expr.op in ("==", "!="):
                    same = left is not None and right is not None and left == right
                    return same == (expr.op == "==")
                return OPS[expr.op](left, right)
            case Arith():
                return OPS[expr.op](self(expr.left, names), self(expr.right, names))
            case In():
                item = self(expr.item, names)
                return (item is not None and item in self(expr.container, names)) != expr.negated
            case IsNone():
                return (self(expr.of, names) is None) != expr.negated
            case IfElse():
                return self(expr.yes if self(expr.test, names) else expr.no, names)
            case ListOf():
                return [self(item, names) for item in expr.items]
        raise AssertionError(expr)

    def fold(self, expr: Fold, names: dict[str, Any]) -> Any:
        cases: list[dict[str, Any]] = [dict(names)]
        for loop in expr.loops:
            cases = [case | {loop.name: item} for case in cases for item in self(loop.source, case)]
        cases = [case for case in cases if expr.cond is None or self(expr.cond, case)]
        if expr.word == "most":
            return max(cases, key=lambda case: self(expr.body, case))[expr.loops[0].name]
        values = [self(expr.body, case) for case in cases]
        plain: dict[str, Any] = {"any": any, "all": all, "sum": sum, "min": min, "max": max, "cards": sorted}
        if expr.word == "count":
            return sum(map(bool, values))
        return values[0] if expr.word == "the" else plain[expr.word](values)

    def field(self, of: Any, expr: Field) -> Any:
        table = self.g.table()
        match expr.name:
            case "rank":
                return self.layout.rank[of]
            case "suit":
                return self.layout.suit[of]
            case "colour":
                return self.layout.colour[of]
            case "winner" | "lead" | "last":
                return getattr(of, expr.name)
            case "plays" | "seat":
                return getattr(of, expr.name)
            case "led":
                return table.group_of(of.plays[0].cards)
            case "cards":
                return self.layout.pack.ids(of.cards)
        raise AssertionError(expr.name)

    def call(self, expr: Call, args: list[Any]) -> Any:
        table, kind = self.g.table(), expr.args[0].type.name
        match expr.word:
            case "len":
                return len(args[0])
            case "empty":
                return not args[0]
            case "int":
                return int(args[0])
            case "min" | "max":
                return min(args) if expr.word == "min" else max(args)
            case "points":
                of = self.program.ruleset.deck.points
                return sum(of.get(c, 0) for c in (args[0] if kind == "cards" else [args[0]]))
            case "pairs":
                return sum(args[0].count(c) // 2 for c in set(args[0]))
            case "suit":
                suits = {self.layout.suit[c] for c in (args[0] if kind == "cards" else [args[0]])}
                return suits.pop() if len(suits) == 1 else None
            case "colour":
                return cards.COLOUR_OF_SUIT[args[0]] if kind == "suit" else self.layout.colour[args[0]]
            case "nth":
                return args[0][args[1] - 1] if 0 < args[1] <= len(args[0]) else None
            case "top":
                return args[0][:1]
            case "position":
                return args[1].index(args[0]) + 1 if args[0] is not None and args[0] in args[1] else 0
            case "next":
                return (args[0] + 1) % 4
            case "others":
                return [(args[0] + i) % 4 for i in (1, 2, 3)]
            case "seats_from":
                return [(args[0] + i) % 4 for i in range(4)]
            case "partner":
                return (args[0] + 2) % 4
            case "team":
                return args[0] % 2
            case "opponents":
                return [s for s in ((args[0] + i) % 4 for i in range(4)) if s % 2 != args[0] % 2]
            case "group":
                return table.group[args[0]]
            case "line":
                return table.line[args[0]]
            case "step":
                if kind == "card":
                    return table.step[args[0]]
                assert self.program.ruleset.ladder is not None
                return self.program.ruleset.ladder.steps.index(args[0])
            case "alike":
                return len({*args} if kind == "card" else {*args[0]}) <= 1
            case "linked":
                return table.linked(args[0], args[1])
        raise AssertionError(expr.word)

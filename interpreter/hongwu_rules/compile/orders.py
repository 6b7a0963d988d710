"""The order and the shapes of a ruleset: built once, or for each set of values that they depend on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .. import cards
from ..cards.forms import Attach, Rule
from ..cards.order import OrderTable, build_order
from ..cards.shapes import ShapeBook, ShapeSpec
from ..diagnostics import NOWHERE
from ..model import Wings
from ..model.ir import Apply, Const, Expr, SlotRef, ZoneRef, children, walk
from .expressions import Names, Writer
from .layout import Layout
from .simplify import Simplifier, locals_of
from .source import Module
from .wings import Asked, asked_of, rule_of
from .working import Working


class OrderMaker:
    """Writes the functions that an order needs, and builds orders with them."""

    def __init__(
        self, layout: Layout, simplify: Simplifier, writer: Writer, module: Module, classes: tuple[int, ...]
    ) -> None:
        self.layout = layout
        self.simplify = simplify
        self.writer = writer
        self.module = module
        self.classes = classes
        self.order = layout.ruleset.order
        self.lines: dict[int, str] = {}  # id of a line → its function
        self.reads: list[Expr] = []
        self.lasts = False
        self.asked: dict[str, list[Asked]] = {}  # by shape, what must hold for its wings

    def write(self) -> None:
        """Functions for the lines, for closing runs, for power, and for the key of an order."""
        for group in self.order.groups:
            for line in group.lines:
                if line.that is not None:
                    self.lines[id(line)] = self.predicate(
                        self.writer.name("line", group.name, line.name), line.that, {"card": "card"}
                    )
        if self.order.close_over is not None:
            self.predicate("close_over", self.order.close_over, {"card": "card"})
        if self.order.across_lines is not None:
            self.predicate("across_lines", self.order.across_lines, {})
        for shape in self.layout.ruleset.shapes.items:
            if shape.power is not None:
                code = self.writer.value(self.simplify(shape.power), {"width": "width", "length": "length"})
                self.module.expression(
                    self.writer.name("power", shape.name), "width, length", code, shape.power.at, shape.name
                )
        self.write_rules()
        # an order is kept until memory changes that it reads; one that reads cards is looked up each time
        parts = [part for expr in self.reads for part in walk(expr)]
        self.lasts = not any(isinstance(part, ZoneRef) for part in parts)
        self.writer.order_slots = frozenset(part.name for part in parts if isinstance(part, SlotRef))
        keys = list(dict.fromkeys(self.key(expr) for expr in self.reads))
        self.module.expression("order_key", "g", f"({''.join(f'{key}, ' for key in keys)})", NOWHERE)

    def write_rules(self) -> None:
        """Functions for what must hold for the wings of each shape."""
        shapes = self.layout.ruleset.shapes
        for index, shape in enumerate(shapes.items):
            for number, clause in enumerate(shapes.require if shape.wings is not None else ()):
                for part, expr in enumerate(asked_of(clause, index, self.simplify)):
                    name = self.writer.name("wings", shape.name, clause.name, str(part))
                    self.predicate(name, expr, {"body": "body", "wings": "wings"})
                    self.asked.setdefault(shape.name, []).append(Asked(number, expr, name))

    def attach(self, wings: Wings | None) -> Attach | None:
        """Wings under the options."""
        if wings is None:
            return None
        return Attach(wings.width, wings.each, bool(self.simplify.number(wings.distinct)))

    def rules(self, name: str, scope: Mapping[str, Any], g: Working | None) -> tuple[Rule, ...]:
        """What must hold for the wings of a shape, under the memory of ``g``."""
        m, z = (tuple(g.m), tuple(g.z)) if g is not None else ((), ())
        return tuple(rule_of(asked, scope, m, z) for asked in self.asked.get(name, ()))

    def predicate(self, name: str, expr: Expr, names: Names) -> str:
        plain = self.simplify(expr)
        self.collect(plain, frozenset())
        params = "".join(f", {local}" for local in names)
        self.module.expression(name, f"g{params}", self.writer.test(plain, names), expr.at)
        return name

    def collect(self, expr: Expr, inside: frozenset[str]) -> None:
        """Everything of the state that an expression reads; what only serves as an index is part of what it finds."""
        if isinstance(expr, SlotRef | ZoneRef):
            self.reads.append(expr)
            if all(not locals_of(index) for index in expr.index):
                return
        elif isinstance(expr, Apply) and expr.define not in inside:
            self.collect(self.simplify.define(expr.define).body, inside | {expr.define})
        for part in children(expr):
            self.collect(part, inside)

    def key(self, expr: Expr) -> str:
        """Source of what is read, whole where the index is not known beforehand, None where it is unset."""
        assert isinstance(expr, SlotRef | ZoneRef)
        if isinstance(expr, ZoneRef):
            zone = self.layout.zones[expr.name]
            return f"tuple(z[{zone.base}:{zone.base + zone.size}])"
        slot = self.layout.slots[expr.name]
        if any(locals_of(index) or not isinstance(index, Const | SlotRef) or locals_of(index) for index in expr.index):
            return f"tuple(m[{slot.base}:{slot.base + slot.size}])"
        guards = [f"{self.writer.value(index, {})} is not None" for index in expr.index if not isinstance(index, Const)]
        found = f"m[{self.writer.slot_place(expr.name, expr.index, {})}]"
        return f"({found} if {' and '.join(guards)} else None)" if guards else found

    # ---------------------------------------------------------------- building
    def fixed(self, scope: Mapping[str, Any]) -> tuple[OrderTable, ShapeBook] | None:
        """The order, if no state changes it."""
        return self.build(scope, None) if not self.reads else None

    def maker(self, scope: Mapping[str, Any]) -> Callable[[Working], tuple[OrderTable, ShapeBook]]:
        """What builds the order of a state."""
        return lambda g: self.build(scope, g)

    def build(self, scope: Mapping[str, Any], g: Working | None) -> tuple[OrderTable, ShapeBook]:
        layout, ruleset = self.layout, self.layout.ruleset
        close = scope.get("close_over")
        across = scope.get("across_lines")
        table = build_order(
            self.order,
            deck=ruleset.deck,
            packing=layout.pack,
            ranks=layout.rank,
            suits=layout.suit,
            holds=lambda line, card: bool(scope[self.lines[id(line)]](g, card)),
            close_over=lambda card: close is not None and bool(close(g, card)),
            across_lines=across is not None and bool(across(g)),
        )
        specs = []
        numbers = {shape.name: number for number, shape in enumerate(ruleset.shapes.items)}
        trick = ruleset.trick
        for index, shape in enumerate(ruleset.shapes.items):
            when = self.simplify(shape.when) if shape.when is not None else None
            if isinstance(when, Const) and not when.value:
                continue
            more: dict[str, Any] = (
                {"power": scope[self.writer.name("power", shape.name)]} if shape.power is not None else {}
            )
            specs.append(
                ShapeSpec(
                    name=shape.name,
                    index=index,
                    width=shape.width,
                    length=shape.length,
                    within=frozenset(shape.within),
                    parts=tuple(numbers[part] for part in shape.parts if part in numbers),
                    count=shape.count,
                    cards=shape.cards,
                    wings=self.attach(shape.wings),
                    rules=self.rules(shape.name, scope, g),
                    **more,
                )
            )
        return table, ShapeBook(
            specs,
            table,
            layout.pack,
            self.classes,
            alike_by=ruleset.shapes.alike_by,
            over=self.simplify.number(trick.over_ruff),
            later=bool(self.simplify.number(trick.equal)),
        )


def alike_masks(layout: Layout, book: ShapeBook) -> tuple[int, ...]:
    """For each card id the mask of the cards that are alike with it."""
    return tuple(
        layout.pack.mask(other for other in range(cards.SIZE) if book.alike(card, other)) for card in range(cards.SIZE)
    )


def alike_sets(masks: tuple[int, ...]) -> Callable[[int], list[int]]:
    """What gives, of some cards, one for each set of cards alike, where ``masks`` has for each card those alike with it.

    A condition that asks of a card only what it is alike with has one answer for all of the set; cards
    outside the order, which are alike with none, answer alike too.
    """
    first: dict[int, int] = {}  # set → a card of it
    for card, mask in enumerate(masks):
        first.setdefault(mask, card)
    outside = first.pop(0, None)
    sets = list(first.items())
    if outside is not None:
        sets.append((~sum(first), outside))

    def unlike(x: int) -> list[int]:
        return [card for mask, card in sets if x & mask] if x else []

    return unlike

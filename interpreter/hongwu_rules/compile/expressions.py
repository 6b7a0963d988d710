"""Typed expressions to Python source."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from ..cards import NAMES
from ..cards.order import OrderTable
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
    Local,
    Logic,
    Lookup,
    Not,
    SlotRef,
    TrickRef,
    Whole,
    ZoneRef,
)
from .folds import Folds
from .layout import Layout
from .masks import Masks
from .simplify import Simplifier, locals_of
from .words import WORDS

Names = Mapping[str, str]  # local → source
PLAIN = ("seat", "picked", "chosen")
READ: Names = {"shape": "reading.shape", "picked": "reading"}  # what is picked, where only how it reads is known


def identifier(*parts: str) -> str:
    """A Python name made of names of the file; not always one of its own, see ``Writer.name``."""
    return re.sub(r"\W", "_", "_".join(parts))


class Writer:
    """Writes expressions of one ruleset. ``table`` is the order, once it is known and never changes."""

    def __init__(
        self, layout: Layout, simplify: Simplifier, scope: dict[str, Any], noted: Mapping[str, int] | None = None
    ) -> None:
        self.layout = layout
        self.simplify = simplify
        self.scope = scope
        self.table: OrderTable | None = None
        self.order_slots: frozenset[str] = frozenset()  # the memory that the order reads
        self.alike: tuple[int, ...] = ()  # the masks of cards alike, once they are known
        self.masks = Masks(self)
        self.folds = Folds(self)
        self.constants: dict[int, str] = {}
        self.names: dict[tuple[str, ...], str] = {}
        self.pending: list[str] = []  # defines that need a function
        self.used_defines: set[str] = set()
        self.sight_of: dict[str, int] = {}  # who sees a slot or zone, as bits, where no state changes that
        self.noted = dict(noted or {})  # a bit for each move of which the file asks whether it was made

    def name(self, *parts: str) -> str:
        """The name of a global function: the same for the same parts, and for no others."""
        if parts not in self.names:
            plain = identifier(*parts)
            taken = set(self.names.values()) | set(self.scope)
            found, number = plain, 2
            while found in taken:
                found, number = f"{plain}_{number}", number + 1
            self.names[parts] = found
        return self.names[parts]

    # ---------------------------------------------------------------- values
    def value(self, expr: Expr, names: Names) -> str:
        """Source of the exact value."""
        match expr:
            case Const():
                return self.const(expr)
            case Local():
                return self.local(expr, names)
            case SlotRef():
                return self.slot(expr, names)
            case ZoneRef():
                place = self.zone_place(expr, names)
                return f"pack_of(z[{place}])" if self.ordered(expr) else f"z[{place}]"
            case TrickRef():
                return "g.trick"
            case Whole():
                return self.whole(expr)
            case Field():
                return self.field(expr, names)
            case Call():
                return WORDS[expr.word](self, expr, names)
            case Apply():
                return self.apply(expr, names)
            case Lookup():
                raise TypeError("a row of a table has no value of its own")
            case Fold():
                return self.folds.value(expr, names)
            case Not():
                return f"(not {self.test(expr.of, names)})"
            case Logic():
                return "(" + f" {expr.op} ".join(self.value(part, names) for part in expr.parts) + ")"
            case Compare():
                return self.compare(expr, names)
            case In():
                return self.member(expr, names, exact=True)
            case IsNone():
                return f"({self.value(expr.of, names)} is {'not ' if expr.negated else ''}None)"
            case Arith():
                return f"({self.value(expr.left, names)} {expr.op} {self.value(expr.right, names)})"
            case IfElse():
                return f"({self.value(expr.yes, names)} if {self.test(expr.test, names)} else {self.value(expr.no, names)})"
            case ListOf():
                return f"({', '.join(self.value(item, names) for item in expr.items)},)"
            case _:
                raise TypeError(type(expr).__name__)

    def test(self, expr: Expr, names: Names) -> str:
        """Source that is true or false as the expression is, whatever its exact value."""
        match expr:
            case Not() if isinstance(expr.of, Call) and expr.of.word == "empty":
                return self.some(expr.of.args[0], names)
            case Not():
                return f"(not {self.test(expr.of, names)})"
            case Logic():
                return "(" + f" {expr.op} ".join(self.test(part, names) for part in expr.parts) + ")"
            case In():
                return self.member(expr, names, exact=False)
            case Fold() if expr.word in ("any", "all"):
                return self.folds.test(expr, names)
            case Call() if expr.word == "empty":
                return f"(not {self.some(expr.args[0], names)})"
            case IfElse():
                return (
                    f"({self.test(expr.yes, names)} if {self.test(expr.test, names)} else {self.test(expr.no, names)})"
                )
            case _:
                return self.value(expr, names)

    def some(self, expr: Expr, names: Names) -> str:
        """Source that is true where a collection holds anything."""
        if isinstance(expr, ZoneRef):
            return f"z[{self.zone_place(expr, names)}]"
        if isinstance(expr, Call) and expr.word == "beaten":
            return f"any_beaten(g, {self.value(expr.args[0], names)})"
        return self.value(expr, names)

    def ask(self, expr: Expr, var: str, card: int) -> bool:
        """Whether a condition that reads nothing but one card holds for it."""
        done = self.simplify(expr, {var: Const(type=_card_type(expr, var), value=card)})
        return bool(eval(self.test(done, {}), self.scope))

    # ---------------------------------------------------------------- leaves
    def const(self, expr: Const) -> str:
        return repr(expr.value)

    def local(self, expr: Local, names: Names) -> str:
        if expr.name in names:
            return names[expr.name]
        if expr.name == "shape":
            return f"read_shape({self.book_code()}, picked)"
        if expr.name in PLAIN:
            return expr.name
        raise KeyError(expr.name)

    def slot_place(self, name: str, index: tuple[Expr, ...], names: Names) -> str:
        """Source of the place of a slot in the memory."""
        place = self.layout.slots[name]
        known = [part.value for part in index if isinstance(part, Const)]
        if len(known) == len(index) and all(isinstance(v, int) for v in known):
            return str(place.at(*[int(v) for v in known if v is not None]))
        terms = [str(place.base)] if place.base else []
        for i, part in enumerate(index):
            stride = 1
            for n in place.sizes[i + 1 :]:
                stride *= n
            code = self.value(part, names)
            terms.append(code if stride == 1 else f"{code} * {stride}")
        return " + ".join(terms)

    def slot(self, expr: SlotRef, names: Names) -> str:
        code = f"m[{self.slot_place(expr.name, expr.index, names)}]"
        seen = self.layout.slots[expr.name].slot.seen
        if seen is not None and not (isinstance(seen, Const) and seen.value):
            return f"known({code})"
        return code

    def ordered(self, expr: ZoneRef) -> bool:
        """Whether a zone is a pile."""
        return self.layout.zones[expr.name].zone.ordered

    def zone_place(self, expr: ZoneRef, names: Names) -> str:
        """Source of the place of a zone."""
        base = self.layout.zones[expr.name].base
        if not expr.index:
            return str(base)
        index = expr.index[0]
        if isinstance(index, Const) and isinstance(index.value, int):
            return str(base + index.value)
        code = self.value(index, names)
        return f"{base} + {code}" if base else code

    def whole(self, expr: Whole) -> str:
        values: Mapping[str, object] = {
            "seats": tuple(range(self.layout.seats)),
            "teams": tuple(range(self.layout.teams)),
            "suits": (0, 1, 2, 3),
            "ranks": self.layout.ranks,
        }
        return repr(values[expr.name]) if expr.name != "deck" else self.mask_name(self.layout.deck)

    def mask_name(self, mask: int) -> str:
        """The global name of a constant set of cards."""
        if mask == 0:
            return "0"
        return self.constants.setdefault(mask, f"K{len(self.constants)}")

    def constant_lines(self) -> list[str]:
        """The definitions of the constant sets, each with the cards it stands for."""
        pack = self.layout.pack
        lines = []
        for mask, name in self.constants.items():
            held = [NAMES[card] for card, _ in pack.items(mask)]
            what = (
                "every card" if len(held) == len(NAMES) else " ".join(held) if len(held) <= 27 else f"{len(held)} cards"
            )
            lines.append(f"{name} = {mask:#x}  # {what}")
        return lines

    # ---------------------------------------------------------------- the order
    def table_code(self) -> str:
        return "T" if self.table is not None else "g.table()"

    def book_code(self) -> str:
        return "B" if self.table is not None else "g.book()"

    # ---------------------------------------------------------------- composites
    def field(self, expr: Field, names: Names) -> str:
        of = expr.of
        if isinstance(of, Lookup):
            args = "".join(f", {self.value(arg, names)}" for arg in of.args)
            return f"{self.name('t', of.table, expr.name)}(g{args})"
        kind = of.type.name
        if kind == "card":
            return f"{expr.name}_of[{self.value(of, names)}]"
        code = self.value(of, names)
        if kind == "trick":
            if expr.name in ("led", "winner"):
                if code != "g.trick":
                    return f"trick_{expr.name}({code})"
                nothing = "g.trick is None or g.trick.led < 0" if expr.name == "led" else "g.trick is None"
                found = "g.trick.led" if expr.name == "led" else "g.trick.plays[g.trick.best].seat"
                return f"(None if {nothing} else {found})"  # as those functions, without a call
            return (
                code + {"best": ".best_play", "lead": ".plays[0]", "last": ".plays[-1]", "plays": ".plays"}[expr.name]
            )
        if expr.name == "shape":
            return f"shape_of({code})"
        return f"{code}.{expr.name}"

    def apply(self, expr: Apply, names: Names) -> str:
        name = expr.define
        if name not in self.used_defines:
            self.used_defines.add(name)
            self.pending.append(name)
        args = "".join(f", {self.value(arg, names)}" for arg in expr.args)
        return f"{self.name('d', name)}(g{args})"

    def compare(self, expr: Compare, names: Names) -> str:
        left, right = expr.left, expr.right
        if expr.op in ("==", "!="):
            negate = "not " if expr.op == "!=" else ""
            if left.type.name == "cards":
                return f"({negate}same_cards({self.value(left, names)}, {self.value(right, names)}))"
            if left.type.optional and right.type.optional:
                return f"({negate}equal({self.value(left, names)}, {self.value(right, names)}))"
            return f"({self.value(left, names)} {expr.op} {self.value(right, names)})"
        return f"({self.value(left, names)} {expr.op} {self.value(right, names)})"

    def member(self, expr: In, names: Names, *, exact: bool) -> str:
        item, box = expr.item, expr.container
        sign = "not in" if expr.negated else "in"
        if isinstance(box, ZoneRef) and self.ordered(box):
            return f"({self.value(item, names)} {sign} z[{self.zone_place(box, names)}])"
        if box.type.name == "cards":
            held = self.value(box, names)
            if isinstance(item, Const) and isinstance(item.value, int):
                bit = f"{held} & {self.mask_name(self.layout.pack.mask((item.value,)))}"
            else:
                bit = f"{held} & card_mask.get({self.value(item, names)}, 0)"
            if expr.negated:
                return f"(not {bit})"
            return f"(({bit}) != 0)" if exact else f"({bit})"
        code = self.value(box, names)
        found = f"{self.value(item, names)} {sign} {code}"
        if item.type.optional and isinstance(box, ListOf) and any(i.type.optional for i in box.items):
            return f"({'not ' if expr.negated else ''}position({self.value(item, names)}, {code}))"
        return f"({found})"


def _card_type(expr: Expr, var: str) -> Any:
    from ..model.ir import CARD, walk

    for part in walk(expr):
        if isinstance(part, Local) and part.name == var:
            return part.type
    return CARD


WordWriter = Callable[[Writer, Call, Names], str]
__all__ = ["Names", "Writer", "identifier", "locals_of"]

"""Generators to Python source: bit operations where they can be, else written out, else loops."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from ..model.ir import BOOL, Call, Compare, Const, Expr, Fold, Local, Logic, Not, Whole, ZoneRef, walk
from .simplify import locals_of, size, unrolled

if TYPE_CHECKING:
    from .expressions import Names, Writer

MOST = 240  # nodes that a written-out generator may take
FEW_SETS = 24  # sets of cards alike that are compared one by one


class Folds:
    """Writes generators for one writer."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer

    def test(self, expr: Fold, names: Names) -> str:
        """Source with the truth of an ``any`` or ``all``."""
        return (
            self._masked(expr, names, exact=False)
            or self._all_alike(expr, names)
            or self._listed(expr, names)
            or self._looped(expr, names)
        )

    def value(self, expr: Fold, names: Names) -> str:
        """Source with the value."""
        return self._masked(expr, names, exact=True) or self._listed(expr, names) or self._looped(expr, names)

    # ---------------------------------------------------------------- bits
    def _masked(self, expr: Fold, names: Names, *, exact: bool) -> str | None:
        """A fold over cards whose condition is a set of cards."""
        if len(expr.loops) != 1 or expr.loops[0].source.type.name != "cards":
            return None
        loop, masks, full = expr.loops[0], self.writer.masks, self.writer.masks.full
        asks = [expr.cond] if expr.cond is not None else []
        if expr.word in ("any", "count"):
            asks.append(expr.body)
        elif expr.word == "all":
            wrong: Expr = Not(type=BOOL, at=expr.at, of=expr.body)
            asks.append(wrong)
        elif expr.word == "the":
            if isinstance(loop.source, ZoneRef) and self.writer.ordered(loop.source):
                return None  # the first of a pile is the one on top
        elif expr.word not in ("sum", "cards"):
            return None
        asked = (
            asks[0] if len(asks) == 1 else Logic(type=BOOL, at=expr.at, op="and", parts=tuple(asks)) if asks else None
        )
        mask = full if asked is None else masks.of(self.writer.simplify(asked), loop.name, names)
        if mask is None:
            return None
        source = self.writer.value(loop.source, names)
        held = source if mask == full else "0" if mask == 0 else f"({source} & {masks.code(mask)})"
        itself = isinstance(expr.body, Local) and expr.body.name == loop.name
        match expr.word:
            case "any":
                return f"({held} != 0)" if exact and mask != full else f"bool({held})" if exact else held
            case "all":
                return f"(not {held})"
            case "count":  # what went through a mask is not hidden
                if isinstance(mask, int) and (card := self._only_card(mask)) is not None:
                    pack = self.writer.layout.pack  # the field of the card is the number
                    return f"({source} >> {card * pack.width} & {pack.field})"
                return f"{'count' if mask == full else 'number'}({held})"
            case "cards" if itself:
                return held
            case "the" if itself:
                return f"first({held})"
            case "sum":
                return self._sum(expr, held, names)
            case _:
                return None

    def _only_card(self, mask: int) -> int | None:
        """The one card that a mask has, if it has one."""
        pack = self.writer.layout.pack
        card = mask.bit_length() // pack.width
        return card if mask and card < len(pack.one) and mask == pack.mask((card,)) else None

    def _sum(self, expr: Fold, held: str, names: Names) -> str | None:
        """A sum over the cards of a set."""
        body = expr.body
        if isinstance(body, Call) and body.word == "points" and isinstance(body.args[0], Local):
            return f"points({held})"
        if expr.loops[0].name not in locals_of(body):
            return f"(count({held}) * {self.writer.value(body, names)})"
        return None

    def _all_alike(self, expr: Fold, names: Names) -> str | None:
        """``any(count(alike(c, d) for c in BOX) == N for d in BOX)``, where nothing alike has more than N cards: whether
        the box holds one of the sets that have N, whole."""
        counted = _counts_alike(expr)
        if counted is None or self.writer.ordered(counted[0]):
            return None
        box, number = counted
        pack, deck = self.writer.layout.pack, self.writer.layout.deck
        whole = {mask: deck & mask for mask in self.writer.alike if pack.count(deck & mask) >= number}
        if not 0 < len(whole) <= FEW_SETS or any(pack.count(cards) > number for cards in whole.values()):
            return None
        held, code = self.writer.value(box, names), self.writer.masks.code
        return f"({' or '.join(f'{held} & {code(mask)} == {code(cards)}' for mask, cards in whole.items())})"

    # ---------------------------------------------------------------- written out
    def _listed(self, expr: Fold, names: Names) -> str | None:
        """A fold over a few items known beforehand, each written out."""
        boxes: list[list[Expr]] = []
        for loop in expr.loops:
            items = unrolled(self.writer.layout, loop.source)
            if items is None or not all(isinstance(item, Const | Local) for item in items):
                return None
            boxes.append(items)
        every = list(product(*boxes))
        cost = size(expr.body) + (size(expr.cond) if expr.cond is not None else 0)
        if not every or cost * len(every) > MOST:
            return None
        if expr.word in ("cards", "most") or (expr.word in ("min", "max") and expr.cond is not None):
            return None
        writer, simplify = self.writer, self.writer.simplify
        names_of = [loop.name for loop in expr.loops]
        cases: list[tuple[Expr | None, Expr]] = []
        for items_now in every:
            env = dict(zip(names_of, items_now, strict=True))
            cond = simplify(expr.cond, env) if expr.cond is not None else None
            if isinstance(cond, Const):
                if not cond.value:
                    continue
                cond = None
            cases.append((cond, simplify(expr.body, env)))
        return self._joined(writer, expr.word, cases, names)

    def _joined(self, writer: Writer, word: str, cases: list[tuple[Expr | None, Expr]], names: Names) -> str | None:
        if word in ("any", "all"):
            parts: list[Expr] = []
            for cond, body in cases:
                if word == "all":
                    body = body if cond is None else Logic(type=BOOL, op="or", parts=(Not(type=BOOL, of=cond), body))
                elif cond is not None:
                    body = Logic(type=BOOL, op="and", parts=(cond, body))
                parts.append(body)
            if not parts:
                return repr(word == "all")
            joined = writer.simplify(Logic(type=BOOL, op="or" if word == "any" else "and", parts=tuple(parts)))
            return f"bool({writer.test(joined, names)})" if not isinstance(joined, Const) else repr(joined.value)
        if word == "the":
            text = "nothing()"
            for cond, body in reversed(cases):
                item = writer.value(body, names)
                text = item if cond is None else f"{item} if {writer.test(cond, names)} else {text}"
            return f"({text})"
        if word in ("min", "max"):
            values = [writer.value(body, names) for _, body in cases]
            return values[0] if len(values) == 1 else f"{word}({', '.join(values)})"
        terms: list[str] = []
        for cond, body in cases:
            if word == "count":
                both = body if cond is None else writer.simplify(Logic(type=BOOL, op="and", parts=(cond, body)))
                terms.append(f"(1 if {writer.test(both, names)} else 0)")
            elif cond is None:
                terms.append(writer.value(body, names))
            else:
                terms.append(f"({writer.value(body, names)} if {writer.test(cond, names)} else 0)")
        return f"({' + '.join(terms)})" if terms else "0"

    # ---------------------------------------------------------------- loops
    def items(self, source: Expr, names: Names) -> str:
        """Source of what a loop runs over, one item at a time."""
        if isinstance(source, ZoneRef) and self.writer.ordered(source):
            return f"z[{self.writer.zone_place(source, names)}]"
        if isinstance(source, Whole) and source.name == "deck":
            return repr(self.writer.layout.deck_ids)
        code = self.writer.value(source, names)
        return f"ids({code})" if source.type.name == "cards" else code

    def _looped(self, expr: Fold, names: Names) -> str:
        from .expressions import identifier

        writer = self.writer
        inner = dict(names)
        clauses: list[str] = []
        for loop in expr.loops:
            items = self.items(loop.source, inner)
            if expr.word in ("any", "all") and items.startswith("ids("):  # copies answer alike
                one_each = "unlike" if writer.table is not None and _only_alike(expr, loop.name) else "kinds"
                items = f"{one_each}({items[4:]}"
            inner[loop.name] = identifier("v", loop.name.replace("·", "_"))
            clauses.append(f"for {inner[loop.name]} in {items}")
        cond = expr.cond
        if expr.word == "count":
            cond = expr.body if cond is None else Logic(type=BOOL, at=expr.at, op="and", parts=(cond, expr.body))
        over = " ".join(clauses) + (f" if {writer.test(cond, inner)}" if cond is not None else "")
        match expr.word:
            case "any" | "all":
                return f"{expr.word}({writer.test(expr.body, inner)} {over})"
            case "count":
                return f"len([1 {over}])"
            case "cards":
                return f"pack_of([{writer.value(expr.body, inner)} {over}])"
            case "the":
                return f"the({writer.value(expr.body, inner)} {over})"
            case "most":
                var = inner[expr.loops[0].name]
                return f"max([{var} {over}], key=lambda {var}: {writer.value(expr.body, inner)})"
            case _:
                return f"{expr.word}([{writer.value(expr.body, inner)} {over}])"


def _counts_alike(expr: Fold) -> tuple[ZoneRef, int] | None:
    """The zone and the number of ``any(count(alike(c, d) for c in ZONE) == NUMBER for d in ZONE)``."""
    body = expr.body
    if expr.word != "any" or len(expr.loops) != 1 or expr.cond is not None or not isinstance(body, Compare):
        return None
    count, number, box = body.left, body.right, expr.loops[0].source
    if not isinstance(count, Fold) or count.word != "count" or len(count.loops) != 1 or count.cond is not None:
        return None
    word, inner = count.body, count.loops[0]
    if not isinstance(word, Call) or word.word != "alike" or body.op not in ("==", ">="):
        return None
    pair = {arg.name for arg in word.args if isinstance(arg, Local)}
    if pair != {expr.loops[0].name, inner.name} or not isinstance(box, ZoneRef) or not isinstance(number, Const):
        return None
    same = isinstance(inner.source, ZoneRef) and box.name == inner.source.name and box.index == inner.source.index
    return (box, number.value) if same and isinstance(number.value, int) and number.value > 0 else None


def _only_alike(fold: Fold, var: str) -> bool:
    """Whether a fold asks of its card ``var`` only what it is alike with."""
    parts = walk(fold.body) + (walk(fold.cond) if fold.cond is not None else [])
    parts += [part for loop in fold.loops for part in walk(loop.source)]
    asked = [part for part in parts if isinstance(part, Local) and part.name == var]
    alike = [arg for part in parts if isinstance(part, Call) and part.word == "alike" for arg in part.args]
    return len(asked) == len([arg for arg in alike if isinstance(arg, Local) and arg.name == var])

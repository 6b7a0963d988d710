"""No rule for a seat may read what that seat may not see (HW409); and who sees what, in words."""

from __future__ import annotations

from collections.abc import Mapping

from ..diagnostics import NOWHERE, Related, Span, Text
from ..model import Move, Phase, Ruleset, Slot, Zone
from ..model.ir import (
    SEAT,
    Call,
    Compare,
    Const,
    Expr,
    Field,
    IfElse,
    IsNone,
    Local,
    Logic,
    Not,
    SlotRef,
    ZoneRef,
    children,
    walk,
)
from .context import Context
from .facts import ORDER_WORDS
from .inline import put
from .laid import laid
from .notation import Notation
from .sites import place
from .switches import switches

_SEAT = Local(type=SEAT, name="seat")
_COUNTED = frozenset({"len", "empty"})
_EVERY_HAND = frozenset({"beaten", "forced"})  # words that look into the hands of all other seats
_BY_ORDER = frozenset({("trick", "winner"), ("trick", "best"), ("trick", "led"), ("play", "shape")})
_BY_VERDICT = Text(
    "能不能走这一步，会把看不见的牌说出去", "whether the move is allowed would tell the player what is hidden"
)
_BY_TRICK = Text("谁赢着这一墩，会把看不见的说出去", "who is winning the trick tells the player what is hidden")


def check_secrets(context: Context) -> None:
    """Look at every clause, count and choice of every move."""
    before = len(context.findings.items)
    number = 0
    sure, tricks = switches(context.ruleset), laid(context.ruleset)
    for phase in context.ruleset.phases.values():
        found = len(context.findings.items)
        for move in phase.moves.values():
            for expr, what, given in _read_for(move):
                number += 1
                reader = _Reader(context, phase, move, what)
                known = dict(sure.get(phase.name, {}))
                if given is not None:
                    known |= reader.facts(context.evaluator.inline(given), holds=True)
                reader.look(context.evaluator.inline(expr), known)
            if move.shapes:
                what = Text("牌型", "the shapes")
                _Reader(context, phase, move, what).order(move.span, sure.get(phase.name, {}))
        if phase.name in tricks and len(context.findings.items) == found:  # a view tells who is winning it
            what = Text("桌上这一墩", "the trick on the table")
            _Reader(context, phase, None, what).order(tricks[phase.name], sure.get(phase.name, {}))
    if number and len(context.findings.items) == before:
        context.proved.append(Text("每条规矩只看出牌人看得见的", "every clause reads only what its player may see"))


def _read_for(move: Move) -> list[tuple[Expr, Text, Expr | None]]:
    """What decides whether a move is legal, and the condition under which it is asked."""
    found: list[tuple[Expr, Text, Expr | None]] = []
    for clause in move.require:
        what = Text(f"规矩“{clause.name}”", f'the clause "{clause.name}"')
        if clause.when is not None:
            found.append((clause.when, what, None))
        found.append((clause.that, what, clause.when))
    if move.choose is not None:
        found.append((move.choose, Text("可选的范围", "what may be chosen"), None))
    found += [(expr, Text("张数", "the number of cards"), None) for expr in move.count or ()]
    return found


class _Reader:
    """Looks for reads in one expression. ``same`` says which expressions are the acting seat."""

    def __init__(self, context: Context, phase: Phase, move: Move | None, what: Text) -> None:
        self.context = context
        self.phase = phase
        self.move = move  # None: the trick that is shown while the phase asks
        self.span = move.span if move is not None else phase.span
        self.what = what
        self.notation = context.evaluator.notation
        self.asked_at = NOWHERE  # a word that asks for the order, while the order is looked at
        self.told: set[tuple[Span, str]] = set()
        self.acting = {"seat"}
        if phase.kind == "seat" and phase.seat is not None:
            self.acting.add(self.notation(context.evaluator.inline(phase.seat)))

    def look(self, expr: Expr, open_: Mapping[str, bool]) -> None:
        """``open_``: conditions known to hold or fail where this is read."""
        match expr:
            case Call() if expr.word in _COUNTED and isinstance(expr.args[0], ZoneRef):
                self.zone(expr.args[0], open_, counted=True)
                for part in expr.args[0].index:
                    self.look(part, open_)
                return
            case Call() if expr.word in _EVERY_HAND:
                if self.move is not None and isinstance(self.move.pick, ZoneRef):
                    zone = self.context.ruleset.zones[self.move.pick.name]
                    if not self.visible(zone.seen, {"seat": Local(type=SEAT, name="any")}, open_):
                        self.report(expr, zone)
            case ZoneRef():
                self.zone(expr, open_, counted=False)
            case SlotRef():
                self.slot(expr, open_)
            case Logic():
                known = dict(open_)
                for part in expr.parts:
                    self.look(part, known)
                    known.update(self.facts(part, holds=expr.op == "and"))
                return
            case IfElse():
                self.look(expr.test, open_)
                self.look(expr.yes, {**open_, **self.facts(expr.test, holds=True)})
                self.look(expr.no, {**open_, **self.facts(expr.test, holds=False)})
                return
            case IsNone(of=Field(of=of, name="winner")) if of.type.name == "trick":
                return  # whether anything was played
            case Field() if (expr.of.type.name, expr.name) in _BY_ORDER:
                self.order(place(expr, self.span), open_)
        for part in children(expr):
            self.look(part, open_)
        by_card = self.context.ruleset.shapes.alike_by == "card"
        if isinstance(expr, Call) and expr.word in ORDER_WORDS and not (expr.word == "alike" and by_card):
            self.order(expr.at, open_)

    def order(self, at: Span, open_: Mapping[str, bool]) -> None:
        """Whatever the order of the cards reads is read by a word that asks for it."""
        order = self.context.ruleset.order
        lines = [line.that for group in order.groups for line in group.lines]
        self.asked_at = at if at != NOWHERE else self.span
        for expr in (*lines, order.close_over, order.across_lines):
            if expr is not None:
                self.look(self.context.evaluator.inline(expr), open_)
        self.asked_at = NOWHERE

    def facts(self, expr: Expr, *, holds: bool) -> dict[str, bool]:
        if isinstance(expr, Not):
            return self.facts(expr.of, holds=not holds)
        key, straight = self.key(expr)
        found = {key: holds == straight}
        if isinstance(expr, Logic) and (expr.op == "and") == holds:
            for part in expr.parts:
                found.update(self.facts(part, holds=holds))
        return found

    def key(self, expr: Expr) -> tuple[str, bool]:
        """What a condition is known by, and whether it says so or the opposite: ``a != b`` and ``b == a`` are one."""
        if isinstance(expr, Compare) and expr.op in ("==", "!="):
            return " == ".join(sorted((self.notation(expr.left), self.notation(expr.right)))), expr.op == "=="
        return self.notation(expr), True

    def zone(self, expr: ZoneRef, open_: Mapping[str, bool], *, counted: bool) -> None:
        zone = self.context.ruleset.zones.get(expr.name)
        if zone is None:
            return
        seen = zone.seen
        if counted:
            if zone.counted is None:
                return
            seen = Logic(type=seen.type, op="or", parts=(seen, zone.counted))
        if not self.visible(seen, {"seat": expr.index[0]} if expr.index else {}, open_):
            self.report(expr, zone)

    def slot(self, expr: SlotRef, open_: Mapping[str, bool]) -> None:
        slot = self.context.ruleset.memory.get(expr.name)
        if slot is None or slot.seen is None:
            return
        names = [*slot.index] if len(slot.index) < 2 else [f"{name}{i}" for i, name in enumerate(slot.index, 1)]
        index = dict(zip(names, expr.index, strict=False))
        if not self.visible(slot.seen, index, open_):
            self.report(expr, slot)

    def visible(self, seen: Expr, index: Mapping[str, Expr], open_: Mapping[str, bool]) -> bool:
        """Whether the acting seat surely sees it."""
        written = put(self.context.evaluator.inline(seen), {"viewer": _SEAT, **index})
        return self.sure(written, open_) is True

    def sure(self, expr: Expr, open_: Mapping[str, bool]) -> bool | None:
        key, straight = self.key(expr)
        if key in open_:
            return open_[key] == straight
        match expr:
            case Const():
                return bool(expr.value)
            case Not():
                inner = self.sure(expr.of, open_)
                return None if inner is None else not inner
            case Logic():
                found = [self.sure(part, open_) for part in expr.parts]
                stop = expr.op == "or"
                if stop in found:
                    return stop
                return None if None in found else not stop
            case Compare() if expr.op in ("==", "!=") and self.same(expr.left, expr.right):
                return expr.op == "=="
        return self.context.joint.constant(expr)

    def same(self, left: Expr, right: Expr) -> bool:
        one, two = self.notation(left), self.notation(right)
        return one == two or (one in self.acting and two in self.acting)

    def report(self, expr: ZoneRef | SlotRef | Call, owner: Zone | Slot) -> None:
        text = self.notation(expr)
        if self.asked_at != NOWHERE and (self.asked_at, text) in self.told:  # several lines of the order read it
            return
        self.told.add((self.asked_at, text))
        whose, why = Text("", ""), _BY_TRICK
        if self.move is not None:
            whose, why = Text(f"“{self.move.name}”的", f' of the move "{self.move.name}"'), _BY_VERDICT
        ordered = self.asked_at != NOWHERE
        read = (
            Text("牌的大小要看 ", "asks for the order of the cards, which reads ")
            if ordered
            else Text("看了 ", "reads ")
        )
        related = [Related(Text("大小表里这样写", "the order says so here"), place(expr, NOWHERE))] if ordered else []
        seen = owner.seen if owner.seen is not None else None
        who = f" ({self.notation(seen)})" if seen is not None else ""
        related.append(Related(Text(f"谁看得见，在这里写明{who}", f"who sees it is said here{who}"), owner.span))
        self.context.findings.add(
            "HW409",
            self.asked_at if ordered else place(expr, self.span),
            f"阶段“{self.phase.name}”{whose.zh}{self.what.zh}{read.zh}{text}，而出牌的人不一定看得见",
            f'{self.what.en}{whose.en} in "{self.phase.name}" {read.en}{text}, which the player may not see',
            related=tuple(one for one in related if one.span != NOWHERE),
            witness=why,
            help=(
                Text(
                    "只用出牌人看得见的东西来写，或改 seen by", "use only what the player sees, or change its `seen by`"
                ),
            ),
        )


def who_sees(ruleset: Ruleset) -> list[Text]:
    """A line for each zone and each piece of memory that not everybody sees."""
    notation = Notation(ruleset)
    found: list[Text] = []
    for zone in ruleset.zones.values():
        seen, many = seers(zone.seen, notation, ruleset), Text("", "")
        if zone.counted is not None:
            by = seers(zone.counted, notation, ruleset)
            many = Text(f"；张数：{by.zh}", f"; how many: {by.en}")
        elif not (isinstance(zone.seen, Const) and zone.seen.value):
            many = Text("；张数人人知道", "; everybody knows how many")
        found.append(Text(f"{zone.name}：{seen.zh}{many.zh}", f"{zone.name}: {seen.en}{many.en}"))
    for slot in ruleset.memory.values():
        if slot.seen is not None and not (isinstance(slot.seen, Const) and slot.seen.value):
            seen = seers(slot.seen, notation, ruleset)
            found.append(Text(f"{slot.name}：{seen.zh}", f"{slot.name}: {seen.en}"))
    return found


def seers(seen: Expr, notation: Notation, ruleset: Ruleset) -> Text:
    """Who sees it, in words."""
    if isinstance(seen, Const):
        return Text("人人可见", "everybody") if seen.value else Text("谁也看不见", "nobody")
    if isinstance(seen, Logic) and seen.op == "or":
        parts = [seers(part, notation, ruleset) for part in seen.parts]
        return Text("，或".join(part.zh for part in parts), ", or ".join(part.en for part in parts))
    if isinstance(seen, Compare) and seen.op == "==":
        sides = [notation(seen.left), notation(seen.right)]
        if "viewer" in sides:
            other = sides[1 - sides.index("viewer")]
            slot = ruleset.memory.get(other)
            named = slot.text if slot is not None else Text(other, other)
            return (
                Text("本人", "its own seat")
                if other == "seat"
                else Text(named.zh, f"the {named.en}" if slot is not None else other)
            )
    if not any(isinstance(part, Local) and part.name == "viewer" for part in walk(seen)):
        return Text(f"当 {notation(seen)} 时人人可见", f"everybody when {notation(seen)}")
    return Text(f"当 {notation(seen)}", f"when {notation(seen)}")

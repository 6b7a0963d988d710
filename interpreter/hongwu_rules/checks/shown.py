"""HW410: a zone that shows a seat cards which it never held, before any phase opens them to all."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..diagnostics import NOWHERE, Related, Span, Text
from ..model import Assign, Effect, Move, Phase, Step, Zone
from ..model.ir import Call, Compare, Const, Expr, In, Local, Logic, Not, ZoneRef, source_zone, walk
from .context import Context
from .secrets import seers
from .sites import place


@dataclass(slots=True)
class _Inflow:
    """Cards that come face down into a zone. ``held_by``: expressions of the seats that held them."""

    span: Span
    held_by: set[str] = field(default_factory=set)
    dealt: bool = False
    shuffled: bool = False


def check_shown(context: Context) -> None:
    """Look at every zone into which cards come that not everybody has seen."""
    before = len(context.findings.items)
    flows = _Flows(context)
    for zone in context.ruleset.zones.values():
        found = flows.into.get(zone.name)
        if found:
            _look(context, zone, found, flows)
    if flows.into and len(context.findings.items) == before:
        context.proved.append(
            Text("没开的牌，只有拿过的人看得见", "cards that no phase has opened are seen only by those who held them")
        )


class _Flows:
    """Where cards come from, and which zones a phase shows to all."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.into: dict[str, list[_Inflow]] = {}
        self.opened: dict[str, Span] = {}  # zones whose cards are shown by a step
        self.picked: set[str] = set()  # zones that moves pick from
        for phase in context.ruleset.phases.values():
            self.steps(phase.do, phase, None)
            for move in phase.moves.values():
                if isinstance(move.pick, ZoneRef):
                    self.picked.add(move.pick.name)
                self.steps(move.do, phase, move)
            self.steps(phase.then, phase, None)

    def steps(self, steps: tuple[Step, ...], phase: Phase, move: Move | None) -> None:
        acting = {"seat"}
        if phase.kind == "seat" and phase.seat is not None:
            acting.add(self.write(phase.seat))
        for step in steps:
            if isinstance(step.action, Assign) and not step.action.index and self.write(step.action.value) == "seat":
                acting.add(step.action.slot)
        shown = {self.write(e.args[0]) for s in steps if isinstance(e := s.action, Effect) and e.word == "show"}
        for step in steps:
            if isinstance(step.action, Effect):
                self.effect(step.action, move, acting, shown)

    def effect(self, effect: Effect, move: Move | None, acting: set[str], shown: set[str]) -> None:
        args = effect.args
        match effect.word:
            case "shuffle":
                self.add(args[0], _Inflow(effect.span, shuffled=True))
            case "deal":
                if not self.open(args[0]):
                    self.add(args[1], _Inflow(effect.span, dealt=True))
            case "show":
                for part in walk(args[0]):
                    if isinstance(part, ZoneRef):
                        self.opened.setdefault(part.name, effect.span)
            case "move":
                pick = move.pick if move is not None and isinstance(move.pick, ZoneRef) else None
                source = self.source(args[0], pick)
                if source is None or self.open(source) or self.write(args[0]) in shown:
                    return
                inflow = _Inflow(effect.span)
                if source.index:
                    owner = self.write(source.index[0])
                    inflow.held_by |= acting if owner in acting else {owner}
                self.add(args[1], inflow)

    @staticmethod
    def source(cards: Expr, pick: ZoneRef | None) -> ZoneRef | None:
        """The zone that cards are moved from; None for those of the trick."""
        if isinstance(cards, Local) and cards.name == "picked":
            return pick
        if isinstance(cards, Call):
            return next((part for part in walk(cards) if isinstance(part, ZoneRef)), None)
        return source_zone(cards, None)

    def add(self, target: Expr, inflow: _Inflow) -> None:
        if isinstance(target, ZoneRef):
            self.into.setdefault(target.name, []).append(inflow)

    def open(self, source: Expr) -> bool:
        """Whether everybody sees a zone, come what may."""
        zone = self.context.ruleset.zones.get(source.name) if isinstance(source, ZoneRef) else None
        return zone is not None and isinstance(zone.seen, Const) and bool(zone.seen.value)

    def write(self, expr: Expr) -> str:
        return self.context.evaluator.notation(self.context.evaluator.inline(expr))


def _look(context: Context, zone: Zone, found: list[_Inflow], flows: _Flows) -> None:
    seen = context.evaluator.inline(zone.seen)
    for part in seen.parts if isinstance(seen, Logic) and seen.op == "or" else (seen,):
        for inflow in found:
            if _tells(part, zone, inflow, flows):
                _report(context, zone, part, inflow, flows)
                break


def _tells(part: Expr, zone: Zone, inflow: _Inflow, flows: _Flows) -> bool:
    """Whether one way to see the zone shows these cards to a seat that never held them."""
    if isinstance(part, Const):
        hand = inflow.dealt and zone.name in flows.picked
        return bool(part.value) and (inflow.shuffled or hand or zone.name in flows.opened)
    conditions = part.parts if isinstance(part, Logic) and part.op == "and" else (part,)
    for one in conditions:
        if not any(isinstance(inner, Local) and inner.name == "viewer" for inner in walk(one)):
            return False  # a condition of the table: it is a phase that opens them
        if not isinstance(one, Compare | In | Not):
            return False
        if isinstance(one, Compare) and one.op == "==":
            sides = [flows.write(one.left), flows.write(one.right)]
            other = sides[1 - sides.index("viewer")] if "viewer" in sides else ""
            if (other == "seat" and zone.per_seat) or other in inflow.held_by:
                return False
    return True


def _report(context: Context, zone: Zone, part: Expr, inflow: _Inflow, flows: _Flows) -> None:
    text = context.evaluator.notation(part)
    who = Text("每个人", "everybody")
    if isinstance(part, Compare) and "viewer" in (flows.write(part.left), flows.write(part.right)):
        who = seers(part, context.evaluator.notation, context.ruleset)
    elif not isinstance(part, Const):
        who = Text(f"“{text}”的人", f"whoever has `{text}`")
    related = [Related(Text("牌在这里放进去", "the cards come in here"), inflow.span)]
    if (opened := flows.opened.get(zone.name)) is not None:
        related.append(Related(Text("到这里才亮给大家", "only here are they shown to all"), opened))
    name = f"{zone.name}[seat]" if zone.per_seat else zone.name
    context.findings.add(
        "HW410",
        place(part, place(zone.seen, zone.span)),
        f"“{name}”里的牌还没有亮开，{who.zh}就看得见，可是没拿过这些牌",
        f'{who.en} sees the cards of "{name}" before they are opened, without having held them',
        related=tuple(one for one in related if one.span != NOWHERE),
        help=(
            Text("只让拿过的人看，或加一个条件：某个阶段亮开以后才看得见", "let only those see it who held the cards, or add a condition that a phase sets when it opens them"),
        ),
    )  # fmt: skip

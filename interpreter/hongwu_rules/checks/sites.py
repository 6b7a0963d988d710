"""Every expression of a ruleset with what it is for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..diagnostics import NOWHERE, Span, Text
from ..model import Assign, Move, Phase, Ruleset, Step
from ..model.ir import Expr


@dataclass(frozen=True, slots=True)
class Site:
    """One expression. ``role``: guard step clause switch stop who define order seen shape value."""

    expr: Expr
    role: str
    where: Text
    span: Span
    phase: str = ""
    define: str = ""


def place(expr: Expr, fallback: Span) -> Span:
    """Where an expression stands."""
    return expr.at if expr.at != NOWHERE else fallback


def phase_steps(phase: Phase) -> Iterator[Step]:
    """Every step of a phase: its own and those of its moves."""
    yield from phase.do
    for move in phase.moves.values():
        yield from move.do
    yield from phase.then


def all_steps(ruleset: Ruleset) -> Iterator[Step]:
    """Every step of a ruleset."""
    for phase in ruleset.phases.values():
        yield from phase_steps(phase)
    if ruleset.leave is not None:
        yield from ruleset.leave.do


def all_sites(ruleset: Ruleset) -> Iterator[Site]:
    """Every expression of a ruleset, in the order of its parts."""
    for define in ruleset.defines.values():
        where = Text(f"定义“{define.name}”", f'the definition "{define.name}"')
        yield Site(define.body, "define", where, define.span, define=define.name)
    yield from _standing(ruleset)
    for phase in ruleset.phases.values():
        yield from _phase(phase)
    if ruleset.leave is not None:
        yield from _steps(ruleset.leave.do, "", Text("有人离开时", "somebody leaving"))
    if ruleset.returns is not None:
        yield Site(ruleset.returns, "value", Text("returns", "returns"), ruleset.span)


def _standing(ruleset: Ruleset) -> Iterator[Site]:
    """Zones, memory, order, shapes, the trick and the tables."""
    if ruleset.seats.direction is not None:
        yield Site(ruleset.seats.direction, "value", Text("出牌方向", "the direction of play"), ruleset.seats.span)
    for zone in ruleset.zones.values():
        where = Text(f"“{zone.name}”谁能看见", f'who sees "{zone.name}"')
        for expr in (zone.seen, zone.counted):
            if expr is not None:
                yield Site(expr, "seen", where, zone.span)
    for slot in ruleset.memory.values():
        where = Text(f"“{slot.name}”谁能看见", f'who sees "{slot.name}"')
        if slot.seen is not None:
            yield Site(slot.seen, "seen", where, slot.span)
        if slot.start is not None:
            yield Site(
                slot.start, "value", Text(f"“{slot.name}”的初值", f'the start value of "{slot.name}"'), slot.span
            )
    for group in ruleset.order.groups:
        for line in group.lines:
            if line.that is not None:
                yield Site(
                    line.that,
                    "order",
                    Text(f"大小表的“{line.name}”行", f'the line "{line.name}" of the order'),
                    line.span,
                )
    for expr in (ruleset.order.close_over, ruleset.order.across_lines):
        if expr is not None:
            yield Site(expr, "runs", Text("顺子的规定", "the rule for runs"), ruleset.order.span)
    for shape in ruleset.shapes.items:
        for expr in (shape.power, shape.when):
            if expr is not None:
                yield Site(expr, "shape", Text(f"牌型“{shape.name}”", f'the shape "{shape.name}"'), shape.span)
        if shape.wings is not None and shape.wings.distinct is not None:
            text = Text(f"牌型“{shape.name}”带的牌", f'the wings of the shape "{shape.name}"')
            yield Site(shape.wings.distinct, "shape", text, shape.wings.span)
    for clause in ruleset.shapes.require:
        text = Text(f"牌型的规矩“{clause.name}”", f'the clause "{clause.name}" of the shapes')
        yield Site(clause.that, "clause", text, clause.span)
        if clause.when is not None:
            yield Site(clause.when, "switch", text, clause.span)
    if ruleset.trick.ruff is not None:
        yield Site(ruleset.trick.ruff, "ruff", Text("毙牌的规定", "the rule for ruffs"), ruleset.trick.span)
    for expr in (ruleset.trick.over_ruff, ruleset.trick.equal, ruleset.trick.forced_from):
        if expr is not None:
            yield Site(expr, "value", Text("一轮牌的比法", "the rules of a trick"), ruleset.trick.span)
    for table in ruleset.tables.values():
        for row in table.rows:
            for expr in row.gives.values():
                yield Site(
                    expr,
                    "cell",
                    Text(f"表“{table.name}”的“{row.name}”行", f'the row "{row.name}" of the table "{table.name}"'),
                    row.span,
                )


def _phase(phase: Phase) -> Iterator[Site]:
    name = phase.name
    where = Text(f"阶段“{name}”", f'the phase "{name}"')
    values = (("seat", phase.seat), ("round", phase.round), ("first", phase.first), ("measure", phase.measure))
    for key, expr in values:
        if expr is not None:
            yield Site(expr, "value", Text(f"阶段“{name}”的 {key}", f'"{key}" of the phase "{name}"'), phase.span, name)
    for key, expr in (("who", phase.who), ("stop", phase.stop)):
        if expr is not None:
            yield Site(expr, key, Text(f"阶段“{name}”的 {key}", f'"{key}" of the phase "{name}"'), phase.span, name)
    yield from _steps(phase.do, name, where)
    for move in phase.moves.values():
        yield from _move(move, name)
    yield from _steps(phase.then, name, where)
    for way in phase.next:
        if way.when is not None:
            text = Text(f"阶段“{name}”到“{way.to}”的去路", f'the way from "{name}" to "{way.to}"')
            yield Site(way.when, "guard", text, way.span, name)


def _move(move: Move, phase: str) -> Iterator[Site]:
    where = Text(f"阶段“{phase}”的“{move.name}”", f'the move "{move.name}" of the phase "{phase}"')
    for expr in (move.pick, *(move.count or ()), move.choose):
        if expr is not None:
            yield Site(expr, "value", where, move.span, phase)
    for clause in move.require:
        text = Text(f"{where.zh}的规矩“{clause.name}”", f'the clause "{clause.name}" of {where.en}')
        yield Site(clause.that, "clause", text, clause.span, phase)
        if clause.when is not None:
            yield Site(clause.when, "switch", text, clause.span, phase)
    yield from _steps(move.do, phase, where)


def _steps(steps: tuple[Step, ...], phase: str, where: Text) -> Iterator[Site]:
    for step in steps:
        for _, _, source in step.loops:
            yield Site(source, "value", where, step.span, phase)
        if step.when is not None:
            yield Site(step.when, "step", where, step.span, phase)
        if isinstance(step.action, Assign):
            for expr in (*step.action.index, step.action.value):
                yield Site(expr, "value", where, step.span, phase)
        else:
            for expr in step.action.args:
                yield Site(expr, "value", where, step.span, phase)

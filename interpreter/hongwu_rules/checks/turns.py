"""What never moves on: memory that nothing sets (HW412), a turn that stays (HW315), phases that do nothing (HW316)."""

from __future__ import annotations

from collections.abc import Iterable

from ..diagnostics import Related, Span, Text
from ..model import Assign, Effect, Phase, Step
from ..model.ir import Call, Const, Expr, SlotRef, TrickRef, ZoneRef, walk
from .context import Context
from .evaluate import Env
from .graph import drawn, knots
from .notation import listed
from .ranges import few
from .sites import all_sites, all_steps, phase_steps, place


def check_memory(context: Context) -> None:
    """HW412: a slot that is read, and to which no step gives a value."""
    given = {step.action.slot for step in all_steps(context.ruleset) if isinstance(step.action, Assign)}
    for slot in context.ruleset.memory.values():
        if slot.name in given:
            continue
        reads = [
            place(part, site.span)
            for site in all_sites(context.ruleset)
            for part in walk(site.expr)
            if isinstance(part, SlotRef) and part.name == slot.name
        ]
        if not reads:
            continue  # HW405 says so
        start = Text("还没定", "unset") if slot.start is None else Text("起始值", "what it starts with")
        context.findings.add(
            "HW412",
            slot.span,
            f"没有一步给“{slot.name}”值，它一直是{start.zh}",
            f'no step gives "{slot.name}" a value: it stays {start.en}',
            related=(Related(Text("这里读它", "it is read here"), reads[0]),),
            help=(
                Text(
                    f"在该记的地方写一步 {slot.name} = …；本来不变的，写成 define 或 options",
                    f"write a step {slot.name} = … where it is to be noted; what never changes is a define or an option",
                ),
            ),
        )


def check_turns(context: Context) -> None:
    """HW316 and HW315."""
    phases = context.ruleset.phases
    said = {item.span for item in context.findings.items}  # a phase that is not reached, or runs in a circle
    for phase in phases.values():
        ways = [w for other in phases.values() for w in other.next if w.to == phase.name and w.when is not None]
        idle = phase.kind == "auto" and not phase.do and len(phase.next) == 1 and not phase.begins_deal
        if idle and ways and phase.span not in said:
            _idle(context, phase, ways[0].span)
    graph = drawn(phases)
    for ring in knots(graph, [name for name, phase in phases.items() if not phase.begins_deal]):
        _stays(context, [phases[name] for name in ring])
    for ring in knots(graph, phases):
        if any(phases[name].begins_deal for name in ring):
            _every_deal(context, [phases[name] for name in ring])


def _idle(context: Context, phase: Phase, way: Span) -> None:
    """A phase for which there is a condition, and that asks nobody, does nothing and leads to one other."""
    to = phase.next[0].to
    context.findings.add(
        "HW316",
        phase.span,
        f"有条件才到的阶段“{phase.name}”什么也不做，只通到“{to}”",
        f'play comes to the phase "{phase.name}" under a condition, and it does nothing and only leads to "{to}"',
        related=(Related(Text("从这里来", "the way there"), way),),
        help=(
            Text(
                f"写上它该做的事（do）；真没有事，就把通到它的 next 改成“{to}”，删去它",
                f'write what it is to do; if there is nothing, let what leads to it lead to "{to}", and remove it',
            ),
        ),
    )


def _stays(context: Context, ring: list[Phase]) -> None:
    """The seat that leads each trick, or that gets each card, is named by a slot that nothing in the loop changes."""
    steps = [step for phase in ring for step in phase_steps(phase)]
    changed = {step.action.slot for step in steps if isinstance(step.action, Assign)}
    if any(map(_plays, ring)):
        for phase in ring:
            asked = phase.seat if phase.seat is not None else phase.first
            fixed = _fixed(context, asked, changed)
            if fixed and any(other is not phase and other.moves for other in ring):
                _report(
                    context, phase, fixed, ring, Text("每一轮都先问同一家", "every trick is begun by the same seat")
                )
                return
        return
    for step in steps:
        action = step.action
        if not (isinstance(action, Effect) and action.word == "move" and isinstance(action.args[1], ZoneRef)):
            continue
        source, target = action.args[0], action.args[1]
        piles = {part.name for part in walk(source) if isinstance(part, ZoneRef) and not part.index}
        fixed = _fixed(context, target.index[0] if target.index else None, changed)
        if piles and fixed and not step.loops and _until_empty(context, ring, piles):
            owner = next(phase for phase in ring if step in (*phase.do, *phase.then) or _moves(phase, step))
            _report(context, owner, fixed, ring, Text("每张牌都给同一家", "every card goes to the same seat"))
            return


def _every_deal(context: Context, ring: list[Phase]) -> None:
    """A seat that is remembered for the match, read in each deal, and only settled before the first one, or in it."""
    again = _later_deals(context, ring)
    given = {step.action.slot for phase in again for step in phase_steps(phase) if isinstance(step.action, Assign)}
    names = {phase.name for phase in again}
    read = {
        part.name
        for site in all_sites(context.ruleset)
        if site.phase in names
        for part in walk(context.evaluator.inline(site.expr))
        if isinstance(part, SlotRef)
    }
    for slot in context.ruleset.memory.values():
        if slot.lifetime != "match" or slot.type.name != "seat" or slot.index or slot.name in given:
            continue
        if slot.name in read and any(
            isinstance(step.action, Assign) and step.action.slot == slot.name for step in all_steps(context.ruleset)
        ):
            first = next(phase for phase in again if phase.begins_deal)
            _report(context, first, [slot.name], again, Text("每一局都是同一家", "it is the same seat in every deal"))


def _later_deals(context: Context, ring: list[Phase]) -> list[Phase]:
    """The phases of a loop through the deals that play still comes to once what can change only once has changed."""
    ruleset, names = context.ruleset, {phase.name for phase in ring}
    changed: Env = {}
    for slot in ruleset.memory.values():
        if slot.lifetime == "match" and slot.type.name == "bool" and not slot.index and isinstance(slot.start, Const):
            steps = [
                s.action for s in all_steps(ruleset) if isinstance(s.action, Assign) and s.action.slot == slot.name
            ]
            ends = {action.value.value if isinstance(action.value, Const) else None for action in steps}
            if ends == {not slot.start.value}:
                changed = {**changed, slot.name: few(not slot.start.value)}
    reached = {phase.name for phase in ring if phase.begins_deal}
    waiting = list(reached)
    while waiting:
        for way in ruleset.phases[waiting.pop()].next:
            when = context.evaluator.inline(way.when) if way.when is not None else None
            truth = True if when is None else context.evaluator.values(when, changed).truth
            if truth is not False and way.to in names - reached:
                reached.add(way.to)
                waiting.append(way.to)
            if truth:
                break
    return [phase for phase in ring if phase.name in reached]


def _plays(phase: Phase) -> bool:
    """Whether cards are played to a trick in a phase."""
    return any(isinstance(step.action, Effect) and step.action.word == "play" for step in phase_steps(phase))


def _moves(phase: Phase, step: Step) -> bool:
    return any(step in move.do for move in phase.moves.values())


def _fixed(context: Context, seat: Expr | None, changed: set[str]) -> list[str]:
    """The slots that name a seat, if nothing that it depends on changes."""
    if seat is None:
        return []
    parts = walk(context.evaluator.inline(seat))
    if any(isinstance(part, ZoneRef | TrickRef | Call) and getattr(part, "word", "") not in _SEATING for part in parts):
        return []
    slots = [part.name for part in parts if isinstance(part, SlotRef)]
    return [] if set(slots) & changed else list(dict.fromkeys(slots))


_SEATING = frozenset({"next", "partner"})


def _until_empty(context: Context, ring: list[Phase], piles: set[str]) -> bool:
    """Whether the loop goes on until a pile is used up: the ways that keep to it or leave it look at nothing else."""
    names = {phase.name for phase in ring}
    guards = [
        context.evaluator.inline(way.when)
        for phase in ring
        for way in phase.next
        if way.when is not None and any(other.to not in names for other in phase.next)
    ]
    read = {part.name for guard in guards for part in walk(guard) if isinstance(part, ZoneRef)}
    return bool(guards) and read <= piles and any(_reads(guard, piles) for guard in guards)


def _reads(expr: Expr, zones: Iterable[str]) -> bool:
    return any(isinstance(part, ZoneRef) and part.name in zones for part in walk(expr))


def _report(context: Context, phase: Phase, slots: list[str], ring: list[Phase], what: Text) -> None:
    names = listed(slots)
    tricks = any(map(_plays, ring)) and not any(other.begins_deal for other in ring)
    to = "trick.winner" if tricks else f"next({slots[0]})"
    shown = " -> ".join([*(other.name for other in ring), ring[0].name])
    context.findings.add(
        "HW315",
        phase.span,
        f"{what.zh}：由“{names.zh}”定，绕一圈也没有一步改它",
        f'{what.en}: "{names.en}" says which, and no step on the way round changes it',
        witness=Text(shown, shown),
        related=tuple(
            Related(Text(f"“{name}”在这里声明", f'"{name}" is declared here'), context.ruleset.memory[name].span)
            for name in slots[:2]
        ),
        help=(
            Text(
                f"在圈里写一步让它换人，如 {slots[0]} = {to}",
                f"write a step on the way round that passes it on, such as {slots[0]} = {to}",
            ),
        ),
    )

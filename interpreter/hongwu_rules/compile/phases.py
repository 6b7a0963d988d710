"""Phases and moves: what happens from one decision to the next, as generated functions.

A step is one call of ``move.step``, then of ``phase.enter`` as long as they give a phase to go on with. The order is
fixed: event, the move's ``do``, the phase's ``then``; in a round, whom to ask next; the first ``next`` whose condition
holds; automatic phases run on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from ..diagnostics import NOWHERE
from ..model import Clause, Move, Phase
from ..model.ir import BOOL, Call, Const, Expr, Local, Whole, ZoneRef
from .asks import ClauseKind, CompiledClause, Part, asks_of
from .clauses import (
    at_most,
    is_alike,
    is_beats,
    is_choice,
    is_fixed,
    is_follows,
    is_formal,
    is_gate,
    narrowing,
    parts_of,
    pointwise,
)
from .expressions import READ, Names, Writer
from .program import CompiledMove, CompiledPhase
from .source import Module
from .steps import Code, Pick, Steps

PARAMS = "g, seat, picked, chosen"
READING = "g, seat, reading, chosen"  # of a play only how it reads is known
FIXED = "reading"  # … and nothing else matters
ENTERING = "g, seat=None, picked=0, chosen=None"  # nobody has moved
TRUE, FALSE = Const(type=BOOL, value=True), Const(type=BOOL, value=False)
ONCE, UNTIL_QUIET = 0, 1  # the kinds of round; a third asks until all but one are out


def indented(code: Code) -> Code:
    """Lines one level deeper."""
    return [(f"    {text}", span) for text, span in code]


class Phases:
    """Writes the phases of one ruleset, and takes the functions once the module has run."""

    def __init__(self, writer: Writer, steps: Steps, module: Module, numbers: dict[str, int]) -> None:
        self.writer = writer
        self.simplify = writer.simplify
        self.steps = steps
        self.module = module
        self.numbers = numbers
        self.ruleset = writer.layout.ruleset
        self.measures = 0  # how many phases have a measure
        self.waiting: list[Callable[[], CompiledPhase]] = []

    def write(self) -> None:
        """Write the functions of all phases."""
        self.waiting = [self.phase(phase, i) for i, phase in enumerate(self.ruleset.phases.values())]

    def made(self) -> tuple[CompiledPhase, ...]:
        """The phases, once the module has run."""
        return tuple(make() for make in self.waiting)

    # ---------------------------------------------------------------- small functions
    def take(self, name: str | None) -> Any:
        """The function with a name, once the module has run."""
        return None if name is None else self.writer.scope[name]

    def constant(self, code: str | None) -> int | None:
        """The set of cards that a text names, where it is always the same."""
        found = self.writer.scope.get(code or "")
        return found if isinstance(found, int) else None

    def value(self, expr: Expr, names: Names | None = None) -> str:
        """Source of a value."""
        return self.writer.value(self.simplify(expr), names or {})

    def test(self, expr: Expr, names: Names | None = None) -> str:
        """Source of a condition."""
        return self.writer.test(self.simplify(expr), names or {})

    def expression(self, name: str, expr: Expr | None) -> str | None:
        """Write a function that gives an expression; None if there is none."""
        if expr is None:
            return None
        self.module.expression(name, PARAMS, self.value(expr), expr.at)
        return name

    # ---------------------------------------------------------------- phases
    def phase(self, phase: Phase, index: int) -> Callable[[], CompiledPhase]:
        """Write the functions of a phase."""
        name = self.writer.name("p", phase.name, "seat")
        seat = self.expression(name, phase.seat)
        place = -1
        if phase.measure is not None:
            place, self.measures = self.measures, self.measures + 1
        mode = self.writer.simplify.number(phase.round)
        picks = {move.pick for move in phase.moves.values() if isinstance(move.pick, ZoneRef)}
        pick = picks.pop() if len(picks) == 1 else None
        moves = [self.move(phase, move, i) for i, move in enumerate(phase.moves.values())]
        steps = [
            self.step(phase, move, index, i, place=place, mode=mode, then=pick)
            for i, move in enumerate(phase.moves.values())
        ]
        enter = self.enter(phase, index, place)

        def make() -> CompiledPhase:
            made = [make_move(self.take(step)) for make_move, step in zip(moves, steps, strict=True)]
            return CompiledPhase(
                model=phase,
                index=index,
                name=phase.name,
                kind=phase.kind,
                seat=self.take(seat),
                moves={move.name: move for move in made},
                enter=self.take(enter),
            )

        return make

    def enter(self, phase: Phase, index: int, place: int) -> str:
        """Write what happens when a phase is entered: it gives the phase to go on with, -1 where play waits."""
        code: Code = [(f"g.phase = {index}", phase.span), ("g.seat = None", phase.span)]
        if phase.kind != "auto":
            code.append(("g.made = 0", phase.span))
        if phase.begins_deal:
            code += [("start_deal(g)", phase.span), ("g.trick = None", phase.span)]
            code.append(("g.measures = g.program.unmeasured", phase.span))
        code += self.measure(phase, place)
        if phase.do:
            code += self.steps.body(phase.do, {}, Pick())
        if phase.kind == "seat":
            assert phase.seat is not None
            code.append((f"g.seat = seat = {self.value(phase.seat)}", phase.seat.at))
            code.append((f"if seat is None: raise no_seat({phase.name!r})", phase.seat.at))
            code.append(("return -1", phase.span))
        elif phase.kind == "final":
            code.append(("return -1", phase.span))
        else:
            if phase.kind == "round":
                code += self.ask_first(phase)
            code += self.ways(phase, index)
        name = self.writer.name("p", phase.name, "enter")
        self.module.function(name, ENTERING, code)
        return name

    def ask_first(self, phase: Phase) -> Code:
        """A round begins, unless it is over already."""
        code: Code = []
        first = "0"
        if phase.first is not None:
            first = "begins"
            code.append((f"begins = {self.value(phase.first)}", phase.first.at))
            code.append((f"if begins is None: raise no_first({phase.name!r})", phase.first.at))
        code.append((f"for asked in seats_from[{first}]:", phase.span))
        found: Code = [("g.seat = asked", phase.span), ("g.waiting = 0", phase.span), ("return -1", phase.span)]
        code += indented(self.if_asked(phase, None, found))
        return self.unless(phase, code)

    def if_asked(self, phase: Phase, waiting: str | None, found: Code) -> Code:
        """The lines ``found`` for the seat ``asked``, if it is to be asked."""
        tests = [] if waiting is None else [f"not {waiting} >> asked & 1"]
        if phase.who is not None:
            tests.append(self.test(phase.who, {"seat": "asked"}))
        if not tests:
            return found
        at = phase.who.at if phase.who is not None else phase.span
        return [(f"if {' and '.join(tests)}:", at), *indented(found)]

    def unless(self, phase: Phase, code: Code) -> Code:
        """The lines, but for a round that ``stop`` ends."""
        stop = self.simplify(phase.stop) if phase.stop is not None else None
        if stop is None or (isinstance(stop, Const) and not stop.value):
            return code
        if isinstance(stop, Const):
            return []
        return [(f"if not {self.writer.test(stop, {})}:", stop.at), *indented(code)]

    def measure(self, phase: Phase, place: int) -> Code:
        """Take the measure of a phase."""
        if phase.measure is None:
            return []
        at = phase.measure.at if phase.measure.at != NOWHERE else phase.span
        return [(f"measured(g, {place}, {self.value(phase.measure)}, {phase.name!r})", at)]

    def ways(self, phase: Phase, index: int) -> Code:
        """Give the first of the phases to go to whose condition holds."""
        code: Code = []
        for number, way in enumerate(phase.next):
            to = self.numbers[way.to]
            when = self.simplify(way.when) if way.when is not None else None
            go = f'e.append(("phase", {to}, {index}, {number})); return {self.entered(way.to, to)}  # {way.to}'
            if when is None or (isinstance(when, Const) and when.value):
                return [*code, (go, way.span)]
            if not isinstance(when, Const):
                code.append((f"if {self.writer.test(when, {})}: {go}", way.span))
        return [*code, (f"raise no_way({phase.name!r})", phase.span)]

    def entered(self, name: str, number: int) -> str:
        """Source of the phase to go on with; one where play always waits is entered at once."""
        waits = self.ruleset.phases[name].kind in ("seat", "final")
        return f"{self.writer.name('p', name, 'enter')}(g)" if waits else str(number)

    # ---------------------------------------------------------------- a move made
    def step(
        self, phase: Phase, move: Move, index: int, number: int, *, place: int, mode: int, then: ZoneRef | None
    ) -> str:
        """Write what a move does: it gives the phase to go on with, -1 where a seat is to act in this one."""
        pick = move.pick if isinstance(move.pick, ZoneRef) else None
        plain = self.simplify(pick) if pick is not None else None
        code: Code = []
        seen = "0"
        if isinstance(plain, ZoneRef):
            seen = "seen"
            code.append((f"seen = {self.seers(plain)} if picked else 0", plain.at))
        code.append((f'e.append(("made", {index}, {number}, seat, picked, chosen, {seen}))', move.span))
        if bit := self.writer.noted.get(move.name, 0):
            code.append((f"g.made |= {bit}", move.span))
        if move.do:
            code += self.steps.body(move.do, {}, Pick(pick))
        if phase.then:
            code += self.steps.body(phase.then, {}, Pick(then))
        if phase.kind == "round":
            code += self.ask_next(phase, move, place, mode)
            code.append(("g.waiting = None", phase.span))
        code += self.ways(phase, index)
        name = self.writer.name("p", phase.name, move.name, "step")
        self.module.function(name, PARAMS, code)
        return name

    def seers(self, zone: ZoneRef) -> str:
        """Source of who sees the cards of a zone, as bits."""
        place = self.writer.layout.zones[zone.name]
        known = [self.writer.sight_of.get(f"zone_{place.base + i}") for i in range(place.size)]
        if None in known or (zone.index and not isinstance(zone.index[0], Local)):
            return f"see_zone[{self.writer.zone_place(zone, {})}](g)"
        return f"{tuple(known)}[{self.writer.value(zone.index[0], {})}]" if zone.index else str(known[0])

    def ask_next(self, phase: Phase, move: Move, place: int, mode: int) -> Code:
        """Whom the round asks next; it waits for that seat."""
        code: Code = []
        if move.quiet or mode == ONCE:
            waiting = "waiting"
            code.append(("waiting = g.waiting | 1 << seat", phase.span))
        elif mode == UNTIL_QUIET:
            waiting = "0"
        else:
            waiting = "g.waiting"
        if not move.quiet:
            code += self.measure(phase, place)
        found: Code = [("g.seat = asked", phase.span)]
        if waiting != "g.waiting":
            found.append((f"g.waiting = {waiting}", phase.span))
        found.append(("return -1", phase.span))
        asking: Code = [("for asked in seats_from[next_seat[seat]]:", phase.span)]
        asking += indented(self.if_asked(phase, None if waiting == "0" else waiting, found))
        return [*code, *self.unless(phase, asking)]

    # ---------------------------------------------------------------- what a move asks
    def move(self, phase: Phase, move: Move, number: int) -> Callable[[Any], CompiledMove]:
        """Write the functions of a move."""

        def name(*parts: str) -> str:
            return self.writer.name("p", phase.name, move.name, *parts)

        pick = move.pick if isinstance(move.pick, ZoneRef) else None
        zone = held_by = low = high = choices = choosable = None
        held = items = ""
        if pick is not None:
            zone = name("zone")
            plain = self.simplify(pick)
            assert isinstance(plain, ZoneRef)
            held = self.writer.value(plain, {})
            held_by = name("held")
            self.module.expression(zone, PARAMS, self.writer.zone_place(plain, {}), pick.at)
            self.module.expression(held_by, PARAMS, held, pick.at)
        if move.count is not None:
            low = self.expression(name("low"), move.count[0])
            high = self.expression(name("high"), move.count[1])
        choice_type = None
        if move.choose is not None:
            plain = self.simplify(move.choose)
            choice_type = plain.type.item
            every_card = isinstance(plain, Whole) and plain.name == "deck"
            items = (
                repr(tuple(dict.fromkeys(self.writer.layout.deck_ids))) if every_card else self.writer.value(plain, {})
            )
            choices, choosable = name("choices"), name("choosable")
            self.module.expression(choices, PARAMS, items, move.choose.at)
            always = [self.simplify(clause.that) for clause in move.require if self.when(clause) == TRUE]
            tests = [self.test(part) for that in always for part in parts_of(that) if is_choice(part)]
            some = f"[chosen for chosen in {items} if {' and '.join(tests)}]" if tests else items
            self.module.expression(choosable, PARAMS, some, move.choose.at)
        shapes = [shape.name for shape in self.ruleset.shapes.items]
        allowed = frozenset(shapes.index(shape) for shape in move.shapes) if move.shapes else None
        clauses = [self.clause(name("require", clause.name), clause, pick) for clause in move.require]
        legal = self.legal(name("legal"), move, held, items)
        ready = self.ready(name("ready"), move, held)

        def make(step: Any) -> CompiledMove:
            made = tuple(clause for clause in (make_clause() for make_clause in clauses) if clause is not None)
            return CompiledMove(
                model=move,
                index=number,
                name=move.name,
                quiet=move.quiet,
                zone=self.take(zone),
                held=self.take(held_by),
                ready=self.take(ready),
                low=self.take(low),
                high=self.take(high),
                shapes=allowed,
                choices=self.take(choices),
                choosable=self.take(choosable),
                choice_type=choice_type,
                clauses=made,
                legal=self.take(legal),
                asks=asks_of(made, shapes=allowed),
                step=step,
                pick_at=move.pick.at if move.pick is not None else move.span,
                choose_at=move.choose.at if move.choose is not None else move.span,
                plain=zone is None and choices is None and not made,
                bit=self.writer.noted.get(move.name, 0),
            )

        return make

    def ready(self, name: str, move: Move, held: str) -> str:
        """Write what is known before anything is picked or chosen, see ``CompiledMove``."""
        code: Code = []
        bits = 0  # of the clauses that are guarded by what does not look at the move
        for clause in move.require:
            when = self.when(clause)
            if when == FALSE or (when != TRUE and not is_gate(when)):
                continue
            gates: Code = [
                (f"if not {self.writer.test(part, {})}: return None", part.at)
                for part in parts_of(self.simplify(clause.that))
                if is_gate(part)
            ]
            if when == TRUE:
                code += gates
                continue
            if not bits:
                code.insert(0, ("which = 0", move.span))
            code.append((f"if {self.writer.test(when, {})}:", when.at))
            code += indented([(f"which |= {1 << bits}", when.at), *gates])
            bits += 1
        bounds = ""
        if held and move.pick is not None:
            code.append((f"held = {held}", move.pick.at))
            code.append(("if type(held) is not int: raise unknown_hand()", move.pick.at))
        if move.count is not None:
            low, high = (self.value(end) for end in move.count)
            code.append((f"low = {low}", move.count[0].at))
            code.append((f"high = {'low' if low == high else high}", move.count[1].at))
            bounds = "low, high"
        answer = f"return {'which' if bits else 0}, {'held' if held else 0}, {bounds or 'None, None'}"
        self.module.function(name, "g, seat", [*code, (answer, move.span)])
        return name

    def legal(self, name: str, move: Move, held: str, choices: str) -> str:
        """Write whether a move may be made as it stands: cards that are held, a shape, a choice, and every clause."""
        writer = self.writer
        code: Code = []
        if held:
            at = move.pick.at if move.pick is not None else move.span
            guard = hex(writer.layout.pack.guard)  # as Packing.contains
            code.append((f"if (({held} | {guard}) - picked) & {guard} != {guard}: return False", at))
            if move.count is not None:
                low, high = (self.value(end) for end in move.count)
                test = f"number(picked) != {low}" if low == high else f"not {low} <= number(picked) <= {high}"
                code.append((f"if {test}: return False", at))
            else:
                code.append(("if not picked: return False", at))
            if move.shapes:
                code.append((f"reading = {writer.book_code()}.read(picked)", at))
                names = [shape.name for shape in self.ruleset.shapes.items]
                allowed = ", ".join(str(names.index(shape)) for shape in move.shapes)
                some = "" if set(names) == set(move.shapes) else f" or reading.shape not in {{{allowed}}}"
                code.append((f"if reading is None{some}: return False", at))
        if choices and move.choose is not None:
            code.append((f"if chosen is None or chosen not in {choices}: return False", move.choose.at))
        for clause in move.require:
            when = self.when(clause)
            if when == FALSE:
                continue
            asked = "" if when == TRUE else f"{writer.test(when, {})} and "
            code.append((f"if {asked}not {self.test(clause.that)}: return False", clause.that.at))
        self.module.function(name, PARAMS, [*code, ("return True", move.span)])
        return name

    def when(self, clause: Clause) -> Expr:
        """The condition under which a clause is asked."""
        if clause.when is None:
            return TRUE
        when = self.simplify(clause.when)
        return (TRUE if when.value else FALSE) if isinstance(when, Const) else when

    def clause(self, name: str, clause: Clause, pick: ZoneRef | None) -> Callable[[], CompiledClause | None]:
        """Write the functions of a clause."""
        guard = self.when(clause)
        if guard == FALSE:
            return lambda: None
        when = None if guard == TRUE else guard
        that = self.simplify(clause.that)
        name_when = self.writer.name(name, "when")
        self.module.expression(name, PARAMS, self.writer.test(that, {}), clause.that.at)
        if when is not None:
            self.module.expression(name_when, PARAMS, self.writer.test(when, {}), when.at)
        parts: list[tuple[ClauseKind, str, str | None, str | None, str | None, str | None]] = []
        for i, part in enumerate(parts_of(that)):
            holds = name
            if part is not that:
                holds = self.writer.name(name, "part", str(i))
                self.module.expression(holds, PARAMS, self.writer.test(part, {}), part.at)
            kind, mask, bound = self.analyse(part, pick)
            mask_name = bound_name = formal_name = None
            if kind in ("form", "fixed"):
                formal_name = self.writer.name(name, kind, str(i))
                params = FIXED if kind == "fixed" else READING
                self.module.expression(formal_name, params, self.writer.test(part, READ), part.at)
            if mask is not None:
                mask_name = self.writer.name(name, "mask", str(i))
                self.module.expression(mask_name, PARAMS, mask, part.at)
            if bound is not None:
                bound_name = self.writer.name(name, "bound", str(i))
                self.module.expression(bound_name, READING, self.writer.value(self.simplify(bound), READ), bound.at)
            parts.append((kind, holds, mask_name, mask, bound_name, formal_name))
        gated = when is None or is_gate(when)
        formal = None
        fixed = is_fixed(that) and (when is None or is_fixed(when))
        if is_formal(that) and not is_gate(that) and (when is None or is_formal(when)):
            formal = self.writer.name(name, "form")
            unless = "" if when is None else f"not {self.writer.test(when, READ)} or "
            params = FIXED if fixed else READING
            self.module.expression(formal, params, f"{unless}{self.writer.test(that, READ)}", clause.that.at)

        def make() -> CompiledClause:
            made = tuple(
                Part(
                    kind,
                    self.take(holds),
                    self.take(mask),
                    self.take(bound),
                    self.take(form),
                    self.constant(code),
                    self.take("each_alike") if kind == "alike" else None,
                )
                for kind, holds, mask, code, bound, form in parts
            )
            then = self.take(name_when) if when is not None else None
            whole = Part("fixed" if fixed else "form", self.take(name), form=self.take(formal)) if formal else None
            return CompiledClause(clause, self.take(name), then, gated, whole, made)

        return make

    def analyse(self, part: Expr, pick: ZoneRef | None) -> tuple[ClauseKind, str | None, Expr | None]:
        """What kind of part it is, the mask of one that has a mask, and the bound of one that has a bound."""
        if is_gate(part):
            return "gate", None, None
        if is_choice(part):
            return "choice", None, None
        if is_beats(part):
            return "beats", None, None
        if isinstance(part, Call) and is_follows(part, pick):
            return cast(ClauseKind, part.word), None, None
        mask = pointwise(self.writer, part, {})
        if mask is not None:
            return "pointwise", mask, None
        bounded = at_most(self.writer, part, {})
        if bounded is not None:
            return "at_most", *bounded
        if is_alike(part):
            return "alike", None, None
        if is_formal(part):
            return "fixed" if is_fixed(part) else "form", None, None
        return "opaque", narrowing(self.writer, part, {}), None


__all__ = ["Phases"]

"""From a ruleset and its options to a program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast
from weakref import WeakValueDictionary

from ..diagnostics import NOWHERE, Span
from ..model import Clause, Move, Phase, Ruleset, Step
from ..model.ir import Call, Const, Expr, Type, Whole, ZoneRef
from .classes import card_classes
from .clauses import at_most, is_beats, is_follows, is_formal, is_gate, parts_of, pointwise
from .digest import digest_of
from .effects import effects
from .expressions import Names, Writer, identifier
from .layout import Layout
from .orders import OrderMaker, alike_masks, alike_sets
from .program import ClauseKind, CompiledClause, CompiledMove, CompiledPhase, Part, Program
from .rows import write_table
from .runtime import helpers
from .sight import sight
from .simplify import Simplifier, locals_of
from .source import Module
from .steps import Code, Pick, Steps
from .throwing import throwing

PARAMS = "g, seat, picked, chosen"
_made: WeakValueDictionary[str, Program] = WeakValueDictionary()


def compile_ruleset(ruleset: Ruleset, options: Mapping[str, int | bool] | None = None) -> Program:
    """The program of a ruleset that passed its checks. Options left out have their defaults."""
    settings = {name: option.default for name, option in ruleset.options.items()} | dict(options or {})
    program = _Build(ruleset, settings).program()
    _made[program.digest] = program
    return program


def compile_again(ruleset: Ruleset, options: Mapping[str, int | bool], digest: str) -> Program:
    """The program of a pickle: the one in memory, if there is one."""
    return _made.get(digest) or compile_ruleset(ruleset, options)


class _Build:
    """One compilation."""

    def __init__(self, ruleset: Ruleset, options: Mapping[str, int | bool]) -> None:
        self.ruleset = ruleset
        self.options = options
        self.digest = digest_of(ruleset, options)
        self.filename = f"<{ruleset.name} {self.digest}>"
        self.layout = Layout(ruleset)
        self.simplify = Simplifier(self.layout, options)
        self.scope: dict[str, Any] = helpers(self.layout)
        self.scope.update(effects(self.layout, self.scope))
        self.scope.update(throwing(self.layout, self.simplify.number))
        self.writer = Writer(self.layout, self.simplify, self.scope)
        self.steps = Steps(self.writer)
        self.module = Module()
        self.measures = 0
        self.numbers = {name: i for i, name in enumerate(ruleset.phases)}
        self.done = 0  # lines already run
        self.constants_done = 0

    # ---------------------------------------------------------------- the whole
    def program(self) -> Program:
        ruleset, module, writer = self.ruleset, self.module, self.writer
        classes = card_classes(self.layout)
        orders = OrderMaker(self.layout, self.simplify, writer, module, classes)
        orders.write()
        self.write_defines()
        self.run()
        fixed = orders.fixed(self.scope)
        if fixed is not None:
            writer.table = fixed[0]
            self.scope["T"], self.scope["B"] = fixed
            self.scope["alike_mask"] = masks = alike_masks(self.layout, fixed[1])
            self.scope["unlike"] = alike_sets(masks)
        for number, table in enumerate(ruleset.tables.values()):
            write_table(module, writer, table, number)
        self.write_sight()
        self.write_starts()
        phases = [self.write_phase(phase, i) for i, phase in enumerate(ruleset.phases.values())]
        self.expression("ruff", ruleset.trick.ruff, "g, play", {"play": "play"})
        self.expression("returns", ruleset.returns, "g, seat", {"seat": "seat"})
        if ruleset.leave is not None:
            body = self.steps.body(ruleset.leave.do, {"leaver": "leaver"}, Pick(seat="leaver"))
            module.function("leave", "g, leaver", [("seat = leaver", NOWHERE), *body])
        self.write_defines()
        self.run()
        scope = self.scope
        scope["ruff"] = scope.get("ruff")
        scope["see_slot"] = self.sights("slot", len(self.layout.slot_at))
        scope["see_zone"] = self.sights("zone", len(self.layout.zone_at))
        return Program(
            digest=self.digest,
            ruleset=ruleset,
            options=self.options,
            layout=self.layout,
            source=module.text,
            spans=tuple(module.spans),
            filename=self.filename,
            phases=tuple(make() for make in phases),
            numbers=self.numbers,
            direction=self.constant(ruleset.seats.direction),
            start=self.numbers[ruleset.start],
            measures=self.measures,
            start_match=scope["start_match"],
            start_deal=scope["start_deal"],
            returns=scope.get("returns"),
            leave=scope.get("leave"),
            leave_to=self.numbers[ruleset.leave.to] if ruleset.leave is not None else -1,
            add_play=scope["add_play"],
            see_slot=scope["see_slot"],
            see_zone=scope["see_zone"],
            count_zone=self.sights("counted", len(self.layout.zone_at)),
            classes=classes,
            fixed=fixed,
            order_key=scope["order_key"],
            make_order=orders.maker(scope),
            orders={},
            moves={},
        )

    def run(self) -> None:
        """Run what has been written since the last time; line numbers are those of the whole module."""
        constants = self.writer.constant_lines()
        for line in constants[self.constants_done :]:
            self.module.line(line)
        self.constants_done = len(constants)
        text = "\n" * self.done + "\n".join(self.module.lines[self.done :])
        exec(compile(text, self.filename, "exec"), self.scope)
        self.done = len(self.module.lines)

    def write_defines(self) -> None:
        """Functions of the defines that the text so far calls."""
        while self.writer.pending:
            define = self.simplify.define(self.writer.pending.pop(0))
            names = {name: identifier("a", name) for name, _ in define.params}
            params = "".join(f", {name}" for name in names.values())
            code = self.writer.value(define.body, names)
            self.module.expression(self.writer.name("d", define.name), f"g{params}", code, define.body.at, define.name)

    def constant(self, expr: Expr | None) -> int:
        """The number that an expression over options is; 0 if there is none."""
        return self.simplify.number(expr)

    # ---------------------------------------------------------------- small functions
    def expression(
        self, name: str, expr: Expr | None, params: str = PARAMS, names: Names | None = None, *, test: bool = False
    ) -> str | None:
        """Write a function that gives an expression; None if there is none."""
        if expr is None:
            return None
        plain = self.simplify(expr)
        code = self.writer.test(plain, names or {}) if test else self.writer.value(plain, names or {})
        self.module.expression(name, params, code, expr.at)
        return name

    def take(self, name: str | None) -> Any:
        """The function with a name, once the module has run."""
        return None if name is None else self.scope[name]

    def function(self, name: str, steps: tuple[Step, ...], pick: Pick) -> str | None:
        """Write a function that runs steps; None if there are none."""
        if not steps:
            return None
        self.module.function(name, PARAMS, self.steps.body(steps, {}, pick))
        return name

    # ---------------------------------------------------------------- memory and sight
    def write_sight(self) -> None:
        for name, slot_place in self.layout.slots.items():
            slot = slot_place.slot
            many = len(slot.index) > 1
            locals_ = [f"{kind}{i}" if many else kind for i, kind in enumerate(slot.index, 1)]
            for i, key in enumerate(slot_place.indices()):
                names = {local: str(k) for local, k in zip(locals_, key, strict=True)}
                self.sight_function(f"slot_{slot_place.base + i}", slot.seen, names, self.where(name, key))
        for name, place in self.layout.zones.items():
            for i in range(place.size):
                names = {"seat": str(i)} if place.zone.per_seat else {}
                about = self.where(name, (i,) if place.zone.per_seat else ())
                self.sight_function(f"zone_{place.base + i}", place.zone.seen, names, about)
                self.sight_function(f"counted_{place.base + i}", place.zone.counted, names, about)

    @staticmethod
    def where(name: str, key: tuple[int, ...]) -> str:
        return name + (f"[{', '.join(map(str, key))}]" if key else "")

    def sight_function(self, name: str, seen: Expr | None, names: Names, about: str) -> None:
        at = seen.at if seen is not None else NOWHERE
        if seen is not None and names:
            env = {
                local: Const(type=Type("seat" if local.startswith("seat") else "team"), value=int(v))
                for local, v in names.items()
            }
            seen = self.simplify(seen, env)
        self.module.expression(f"sees_{name}", "g", sight(self.writer, seen, {}), at, about)

    def sights(self, what: str, number: int) -> tuple[Any, ...]:
        return tuple(self.scope[f"sees_{what}_{i}"] for i in range(number))

    def write_starts(self) -> None:
        """What memory holds at the start of the match and of each deal."""
        for lifetime in ("match", "deal"):
            body: Code = []
            run: list[str] = []
            first = 0
            for place in self.layout.slots.values():
                if place.slot.lifetime != lifetime:
                    continue
                first = place.base if not run else first
                run += [self.start_value(place.slot.start, place.slot.type)] * place.size
            if run:
                values = ", ".join(run)
                body.append((f"m[{first}:{first + len(run)}] = ({values},)", NOWHERE))
            self.module.function(f"start_{lifetime}", "g", body or [("pass", NOWHERE)])

    def start_value(self, start: Expr | None, kind: Type) -> str:
        if start is None:
            return "0" if kind.name == "cards" and not kind.optional else "None"
        return self.writer.value(self.simplify(start), {})

    # ---------------------------------------------------------------- phases and moves
    def write_phase(self, phase: Phase, index: int) -> Callable[[], CompiledPhase]:
        def name(part: str) -> str:
            return self.writer.name("p", phase.name, part)

        seat = self.expression(name("seat"), phase.seat)
        first = self.expression(name("first"), phase.first)
        who = self.expression(name("who"), phase.who, test=True)
        stop = self.expression(name("stop"), phase.stop, test=True)
        measure = self.expression(name("measure"), phase.measure)
        place = -1
        if phase.measure is not None:
            place, self.measures = self.measures, self.measures + 1
        moves = [self.write_move(phase, move, i) for i, move in enumerate(phase.moves.values())]
        do = self.function(name("do"), phase.do, Pick())
        picks = {move.pick for move in phase.moves.values() if isinstance(move.pick, ZoneRef)}
        then = self.function(name("then"), phase.then, Pick(picks.pop() if len(picks) == 1 else None))
        ways = self.write_next(phase, name("next"))
        number = self.constant(phase.round)

        def make() -> CompiledPhase:
            return CompiledPhase(
                model=phase,
                index=index,
                name=phase.name,
                kind=phase.kind,
                begins_deal=phase.begins_deal,
                seat=self.take(seat),
                mode=number,
                first=self.take(first),
                who=self.take(who),
                stop=self.take(stop),
                measure=self.take(measure),
                measure_index=place,
                moves={move.name: move for move in (make_move() for make_move in moves)},
                do=self.take(do),
                then=self.take(then),
                next=self.take(ways),
                targets=tuple(self.numbers[way.to] for way in phase.next),
            )

        return make

    def write_next(self, phase: Phase, name: str) -> str | None:
        if not phase.next:
            return None
        body: list[tuple[str, Span]] = []
        for number, way in enumerate(phase.next):
            when = self.simplify(way.when) if way.when is not None else None
            if when is None or (isinstance(when, Const) and when.value):
                body.append((f"return {number}  # {way.to}", way.span))
                break
            if not isinstance(when, Const):
                body.append((f"if {self.writer.test(when, {})}: return {number}  # {way.to}", way.span))
        self.module.function(name, PARAMS, body or [("return None", phase.span)])
        return name

    def write_move(self, phase: Phase, move: Move, index: int) -> Callable[[], CompiledMove]:
        def name(*parts: str) -> str:
            return self.writer.name("p", phase.name, move.name, *parts)

        pick = move.pick if isinstance(move.pick, ZoneRef) else None
        zone = low = high = choices = None
        if pick is not None:
            zone = name("zone")
            plain = self.simplify(pick)
            code = self.writer.zone_place(plain, {}) if isinstance(plain, ZoneRef) else "0"
            self.module.expression(zone, PARAMS, code, pick.at)
        if move.count is not None:
            low = self.expression(name("low"), move.count[0])
            high = self.expression(name("high"), move.count[1])
        choice_type = None
        if move.choose is not None:
            plain = self.simplify(move.choose)
            choice_type = plain.type.item
            every_card = isinstance(plain, Whole) and plain.name == "deck"
            items = repr(tuple(dict.fromkeys(self.layout.deck_ids))) if every_card else self.writer.value(plain, {})
            choices = name("choices")
            self.module.expression(choices, PARAMS, items, move.choose.at)
        shapes = [shape.name for shape in self.ruleset.shapes.items]
        allowed = frozenset(shapes.index(shape) for shape in move.shapes) if move.shapes else None
        clauses = [self.write_clause(name("require", clause.name), clause, pick) for clause in move.require]
        do = self.function(name("do"), move.do, Pick(pick))

        def make() -> CompiledMove:
            return CompiledMove(
                model=move,
                index=index,
                name=move.name,
                quiet=move.quiet,
                zone=self.take(zone),
                low=self.take(low),
                high=self.take(high),
                shapes=allowed,
                choices=self.take(choices),
                choice_type=choice_type,
                clauses=tuple(clause for clause in (make_clause() for make_clause in clauses) if clause is not None),
                do=self.take(do),
                pick_at=move.pick.at if move.pick is not None else move.span,
                choose_at=move.choose.at if move.choose is not None else move.span,
                bit=self.writer.noted.get(move.name, 0),
            )

        return make

    def write_clause(self, name: str, clause: Clause, pick: ZoneRef | None) -> Callable[[], CompiledClause | None]:
        when = self.simplify(clause.when) if clause.when is not None else None
        if isinstance(when, Const):
            if not when.value:
                return lambda: None
            when = None
        that = self.simplify(clause.that)
        name_when = self.writer.name(name, "when")
        self.module.expression(name, PARAMS, self.writer.test(that, {}), clause.that.at)
        if when is not None:
            self.module.expression(name_when, PARAMS, self.writer.test(when, {}), when.at)
        parts: list[tuple[ClauseKind, str, str | None, str | None]] = []
        for i, part in enumerate(parts_of(that)):
            holds = name
            if part is not that:
                holds = self.writer.name(name, "part", str(i))
                self.module.expression(holds, PARAMS, self.writer.test(part, {}), part.at)
            kind, mask, bound = self.analyse(part, pick)
            mask_name = bound_name = None
            if mask is not None:
                mask_name = self.writer.name(name, "mask", str(i))
                self.module.expression(mask_name, PARAMS, mask, part.at)
            if bound is not None:
                bound_name = self.expression(self.writer.name(name, "bound", str(i)), bound)
            parts.append((kind, holds, mask_name, bound_name))
        kinds = {kind for kind, *_ in parts}
        whole: ClauseKind = (
            parts[0][0] if len(parts) == 1 else kinds.pop() if kinds in ({"gate"}, {"choice"}) else "opaque"
        )
        gated = when is None or is_gate(when)
        formal = is_formal(that) and (when is None or is_formal(when))

        def make() -> CompiledClause:
            made = tuple(
                Part(kind, self.scope[holds], self.take(mask), self.take(bound)) for kind, holds, mask, bound in parts
            )
            then = self.scope[name_when] if when is not None else None
            return CompiledClause(clause, self.scope[name], then, gated, formal, whole, made)

        return make

    def analyse(self, part: Expr, pick: ZoneRef | None) -> tuple[ClauseKind, str | None, Expr | None]:
        """What kind of part it is, the mask of one that has a mask, and the bound of one that has a bound."""
        if is_gate(part):
            return "gate", None, None
        if not locals_of(part) & {"picked", "shape"}:
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
        return ("form" if is_formal(part) else "opaque"), None, None


__all__ = ["compile_again", "compile_ruleset"]

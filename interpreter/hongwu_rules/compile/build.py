"""From a ruleset and its options to a program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from weakref import WeakValueDictionary

from ..diagnostics import NOWHERE
from ..model import Ruleset
from ..model.ir import Call, Const, Expr, Type, walk
from .classes import card_classes, expressions
from .digest import digest_of
from .effects import effects
from .expressions import Names, Writer, identifier
from .layout import Layout
from .orders import OrderMaker, alike_masks, alike_sets
from .phases import Phases
from .program import Program
from .rows import write_table
from .runtime import helpers
from .sight import sight
from .simplify import Simplifier
from .source import Module
from .steps import Code, Pick, Steps
from .throwing import throwing

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


def noted_moves(ruleset: Ruleset) -> dict[str, int]:
    """A bit for each move of which the file asks whether it was made."""
    found: dict[str, int] = {}
    for expr in expressions(ruleset):
        for part in walk(expr):
            if isinstance(part, Call) and part.word == "made" and isinstance(part.args[0], Const):
                move = part.args[0]
                found.setdefault(move.type.words[int(move.value or 0)], 1 << len(found))
    return found


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
        self.writer = Writer(self.layout, self.simplify, self.scope, noted_moves(ruleset))
        self.steps = Steps(self.writer)
        self.module = Module()
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
            writer.alike = tuple(dict.fromkeys(masks))
        for number, table in enumerate(ruleset.tables.values()):
            write_table(module, writer, table, number)
        self.write_sight()
        self.write_starts()
        phases = Phases(self.writer, self.steps, module, self.numbers)
        phases.write()
        self.expression("ruff", ruleset.trick.ruff, "g, play", {"play": "play"})
        if ruleset.returns is not None:
            worth = self.writer.value(self.simplify(ruleset.returns), {"seat": "seat"})
            module.expression("returns", "g, seat", f"payable({worth})", ruleset.returns.at)
        if ruleset.leave is not None:
            body = self.steps.body(ruleset.leave.do, {"leaver": "leaver"}, Pick(seat="leaver"))
            module.function("leave", "g, leaver", [("seat = leaver", NOWHERE), *body])
        self.write_defines()
        self.run()
        scope = self.scope
        scope["ruff"] = scope.get("ruff")
        scope["see_slot"] = self.sights("slot", len(self.layout.slot_at))
        scope["see_zone"] = self.sights("zone", len(self.layout.zone_at))
        scope["sights"] = self.constant_sights()
        return Program(
            digest=self.digest,
            ruleset=ruleset,
            options=self.options,
            layout=self.layout,
            source=module.text,
            spans=tuple(module.spans),
            filename=self.filename,
            phases=phases.made(),
            numbers=self.numbers,
            direction=self.constant(ruleset.seats.direction),
            start=self.numbers[ruleset.start],
            unmeasured=(None,) * phases.measures,
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
            order_lasts=orders.lasts,
            order_key=scope["order_key"],
            make_order=orders.maker(scope),
            orders={} if fixed is None else {(): fixed},
            kept={},
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

    def expression(self, name: str, expr: Expr | None, params: str, names: Names) -> None:
        """Write a function that gives an expression, if there is one."""
        if expr is not None:
            self.module.expression(name, params, self.writer.value(self.simplify(expr), names), expr.at)

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
        code = sight(self.writer, seen, {})
        if code.isdigit():
            self.writer.sight_of[name] = int(code)
        self.module.expression(f"sees_{name}", "g", code, at, about)

    def sights(self, what: str, number: int) -> tuple[Any, ...]:
        return tuple(self.scope[f"sees_{what}_{i}"] for i in range(number))

    def constant_sights(self) -> dict[int, tuple[int, ...] | None]:
        """By the first place of a zone who sees its places, where no state changes that."""
        found: dict[int, tuple[int, ...] | None] = {}
        for place in self.layout.zones.values():
            here = [self.writer.sight_of.get(f"zone_{place.base + i}") for i in range(place.size)]
            known = tuple(bits for bits in here if bits is not None)
            found[place.base] = known if len(known) == len(here) else None
        return found

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
            self.module.function(f"start_{lifetime}", "g", [*body, ("g.order = None", NOWHERE)])

    def start_value(self, start: Expr | None, kind: Type) -> str:
        if start is None:
            return "0" if kind.name == "cards" and not kind.optional else "None"
        return self.writer.value(self.simplify(start), {})


__all__ = ["compile_again", "compile_ruleset"]

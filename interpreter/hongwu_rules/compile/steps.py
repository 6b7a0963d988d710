"""Steps to Python source: assignments and effects, each perhaps repeated and guarded."""

from __future__ import annotations

from dataclasses import dataclass

from ..diagnostics import NOWHERE, Span
from ..model import Assign, Effect, Step
from ..model.ir import Apply, Call, Const, Expr, Lookup, TrickRef, ZoneRef, source_zone, walk
from .expressions import Names, Writer, identifier
from .faults import LARGEST
from .simplify import Simplifier

Code = list[tuple[str, Span]]


class CannotCompile(ValueError):
    """A ruleset that the checker should have refused."""


@dataclass(frozen=True, slots=True)
class Pick:
    """Where the cards of a move come from, and how its seat is called."""

    zone: ZoneRef | None = None
    seat: str = "seat"


def reads_table(simplify: Simplifier, expr: Expr, seen: frozenset[str] = frozenset()) -> bool:
    """Whether an expression looks into a table, itself or through defines."""
    for part in walk(expr):
        if isinstance(part, Lookup):
            return True
        if isinstance(part, Apply) and part.define not in seen:
            body = simplify.define(part.define).body
            if reads_table(simplify, body, seen | {part.define}):
                return True
    return False


class Steps:
    """Writes lists of steps for one writer."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.everybody = (2 << writer.layout.seats) - 1

    def body(self, steps: tuple[Step, ...], names: Names, pick: Pick) -> Code:
        """The lines of a list of steps."""
        lines: Code = []
        for step in steps:
            lines.extend(self.step(step, names, pick))
        return lines or [("pass", NOWHERE)]

    def step(self, step: Step, names: Names, pick: Pick) -> Code:
        simplify = self.writer.simplify
        guard = simplify(step.when) if step.when is not None else None
        if isinstance(guard, Const):
            if not guard.value:
                return []
            guard = None
        exprs = [source for _, _, source in step.loops] + ([guard] if guard is not None else [])
        action = step.action
        exprs += [*action.index, action.value] if isinstance(action, Assign) else list(action.args)
        noting = any(reads_table(simplify, simplify(expr)) for expr in exprs)
        lines: Code = [("g.rows = rows = {}", step.span)] if noting else []
        inner = dict(names)
        depth = 0
        apart = bool(step.loops) or noting  # all is read before anything is written
        if apart:
            lines.append(("w = []", step.span))
        for name, _, source in step.loops:
            items = self.writer.folds.items(simplify(source), inner)
            inner[name] = identifier("v", name)
            lines.append((f"{'    ' * depth}for {inner[name]} in {items}:", step.span))
            depth += 1
        if guard is not None:
            lines.append((f"{'    ' * depth}if {self.writer.test(guard, inner)}:", step.span))
            depth += 1
        reads, writes = self.assign(action, inner) if isinstance(action, Assign) else self.effect(action, inner, pick)
        if not apart:
            taken = [f"{name} = {code}" for name, code in reads]
            lines.extend(("    " * depth + text, step.span) for text in (*taken, *writes))
            return lines
        values = ", ".join(code for _, code in reads)
        lines.append((f"{'    ' * depth}w.append(({values},))", step.span))
        if noting:
            lines.append(("g.rows = None", step.span))
            lines.append(("e.extend(rows)", step.span))
        if reads:
            lines.append((f"for {', '.join(name for name, _ in reads)}, in w:", step.span))
        else:
            lines.append(("for _ in w:", step.span))
        lines.extend(("    " + text, step.span) for text in writes)
        return lines

    # ---------------------------------------------------------------- assignments
    def assign(self, action: Assign, names: Names) -> tuple[list[tuple[str, str]], list[str]]:
        """What is read first, as (name, source), and the lines that write."""
        writer, simplify = self.writer, self.writer.simplify
        slot = writer.layout.slots[action.slot].slot
        place = writer.slot_place(action.slot, tuple(simplify(part) for part in action.index), names)
        value = simplify(action.value)
        reads: list[tuple[str, str]] = []
        if not place.isdigit():
            reads.append(("i", place))
            place = "i"
        code = writer.value(value, names)
        if action.random:
            reads.append(("v", f"tuple({writer.folds.items(value, names)})"))
            lines = ["v, g.chance = g.chance.pick(v)"]
        elif action.op == "=":
            reads.append(("v", code))
            lines = []
        else:
            held = f"known(m[{place}])" if self.may_hide(action.slot) else f"m[{place}]"
            reads.append(("v", code))
            lines = [f"v = {held} {action.op[0]} v"]
        low, high = slot.type.low, slot.type.high
        if slot.type.name == "int" and not (low is high is None and isinstance(value, Const)):
            ends = f"{-LARGEST if low is None else low} <= v <= {LARGEST if high is None else high}"
            check = f"v is not None and not {ends}" if slot.type.optional else f"not {ends}"
            lines.append(f"if {check}: raise out_of_range({slot.name!r}, v, {low}, {high})")
        lines.append(f"m[{place}] = v")
        if action.slot in writer.order_slots:
            lines.append("g.order = None")
        seen = f"see_slot[{place}](g)" if self.may_hide(action.slot) else str(self.everybody)
        lines.append(f'e.append(("set", {place}, v, {seen}))')
        return reads, lines

    def may_hide(self, name: str) -> bool:
        """Whether some seat may not see a slot."""
        seen = self.writer.layout.slots[name].slot.seen
        return seen is not None and not (isinstance(seen, Const) and bool(seen.value))

    # ---------------------------------------------------------------- effects
    def effect(self, action: Effect, names: Names, pick: Pick) -> tuple[list[tuple[str, str]], list[str]]:
        args = tuple(self.writer.simplify(arg) for arg in action.args)
        match action.word:
            case "shuffle":
                return [], [f"do_shuffle(g, {self.zone(args[0], names)})"]
            case "deal":
                number = self.writer.value(args[2], names)
                base = self.base(args[1])
                return [("n", number)], [f"do_deal(g, {self.zone(args[0], names)}, {base}, n)"]
            case "show":
                source = source_zone(args[0], pick.zone)
                if source is None or not source.index:  # nobody's: who acts shows them
                    return [("c", self.cards(args[0], names))], [f"do_show(g, {pick.seat}, c)"]
                seat = self.writer.value(source.index[0], names)
                return [("s", seat), ("c", self.cards(args[0], names))], ["do_show(g, s, c)"]
            case "play":
                source = source_zone(args[0], pick.zone)
                if source is None:
                    raise CannotCompile("play: cards from nowhere")
                seat = self.writer.value(source.index[0], names) if source.index else pick.seat
                return (
                    [("s", seat), ("t", self.zone(source, names)), ("c", self.cards(args[0], names))],
                    ["do_play(g, s, t, c)"],
                )
            case "move":
                return self.move(args[0], args[1], names, pick)
        raise CannotCompile(action.word)

    def move(self, what: Expr, target: Expr, names: Names, pick: Pick) -> tuple[list[tuple[str, str]], list[str]]:
        reads = [("t", self.zone(target, names))]
        if isinstance(what, TrickRef):
            return reads, ["do_move_trick(g, t)"]
        if isinstance(what, ZoneRef):
            return [*reads, ("s", self.zone(what, names))], ["do_move_all(g, s, t)"]
        if isinstance(what, Call) and what.word == "top" and isinstance(what.args[0], ZoneRef):
            return [*reads, ("s", self.zone(what.args[0], names))], ["do_move_top(g, s, t)"]
        source = source_zone(what, pick.zone)
        if source is None:
            raise CannotCompile("move: cards from nowhere")
        reads += [("s", self.zone(source, names)), ("c", self.cards(what, names))]
        return reads, ["do_move_cards(g, s, t, c)"]

    def zone(self, expr: Expr, names: Names) -> str:
        if not isinstance(expr, ZoneRef):
            raise CannotCompile("a zone is needed")
        return self.writer.zone_place(expr, names)

    def base(self, expr: Expr) -> int:
        if not isinstance(expr, ZoneRef):
            raise CannotCompile("a zone is needed")
        return self.writer.layout.zones[expr.name].base

    def cards(self, expr: Expr, names: Names) -> str:
        """Source of packed cards; one card counts as a set of itself."""
        code = self.writer.value(expr, names)
        return f"one[{code}]" if expr.type.name == "card" else code


__all__ = ["CannotCompile", "Code", "Pick", "Steps"]

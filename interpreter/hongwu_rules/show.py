"""What a ruleset was compiled to, as text: the same for the same ruleset and options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from . import cards
from .checks import who_sees
from .diagnostics import Span, Text
from .game import Rules
from .model import Cell, Cited, Clause, Move, Phase, Row, Ruleset, Shape, Slot, Step, Table
from .model.ir import Const, Expr, ListOf, Type
from .unparse import unparse, unparse_step, written

_LONGEST = 20
_ROUNDS = ("once", "until_quiet", "until_out")
_KINDS = {
    "auto": Text("自动", "by itself"),
    "seat": Text("问一家", "asks one seat"),
    "round": Text("轮流问", "asks in turn"),
    "final": Text("终局", "the end"),
}


def show(rules: Rules, lang: str = "en") -> str:
    """The whole of a compiled ruleset in ``"zh"`` or ``"en"``, every part with its place."""
    return _Show(rules.ruleset, dict(rules.options), lang).text()


def spread(low: int | None, high: int | None, step: int = 1) -> str:
    """A range as a file writes it.

    >>> spread(2, 2), spread(1, None), spread(0, 200, 5)
    ('2', '1..', '0..200 step 5')
    """
    if low is not None and low == high:
        return str(low)
    ends = f"{'' if low is None else low}..{'' if high is None else high}"
    return ends + (f" step {step}" if step != 1 else "")


def type_text(kind: Type) -> str:
    """A type as a file writes it.

    >>> type_text(Type("int", low=0, high=4)), type_text(Type("word", of="call", optional=True))
    ('0..4', 'call?')
    """
    if kind.name == "int" and (kind.low is not None or kind.high is not None):
        return spread(kind.low, kind.high, kind.step)
    name = kind.of if kind.name == "word" else kind.name
    return f"{name}?" if kind.optional else name


def _open(size: tuple[int, int]) -> str:
    """The width or length of a shape; one without a bound reads as a very large number."""
    return spread(size[0], None if size[1] >= _LONGEST else size[1])


@dataclass(slots=True)
class _Show:
    ruleset: Ruleset
    options: Mapping[str, object]
    lang: str
    lines: list[str] = field(default_factory=list)

    # ------------------------------------------------------------------ writing

    def pick(self, zh: str, en: str) -> str:
        return zh if self.lang == "zh" else en

    def head(self, zh: str, en: str) -> None:
        self.lines += ["", self.pick(zh, en)]

    def put(self, depth: int, text: str, at: Cited | Span | None = None, cite: tuple[str, ...] = ()) -> None:
        span = at if isinstance(at, Span) else at.span if at is not None else None
        cite = cite or (() if at is None or isinstance(at, Span) else at.cite)
        tail = [f"[{span.file}:{span.line}]"] if span is not None and span.line else []
        tail += [f"({' '.join(cite)})"] if cite else []
        self.lines.append("  ".join(["  " * depth + text, *tail]).rstrip())

    def expr(self, expr: Expr) -> str:
        return unparse(expr, self.ruleset)

    def named(self, name: str, text: Text) -> str:
        said = text.in_(self.lang)
        return name if said == name else f"{name} “{said}”" if self.lang == "zh" else f'{name} "{said}"'

    # ------------------------------------------------------------------ parts

    def text(self) -> str:
        r = self.ruleset
        self.put(0, f"{r.title.in_(self.lang)} · {r.name}", r.span)
        self.settings()
        self.table_and_cards()
        self.order()
        self.shapes()
        self.places()
        self.defines()
        self.head(f"阶段（从 {r.start} 开始）", f"phases (starting in {r.start})")
        for phase in r.phases.values():
            self.phase(phase)
        if r.leave is not None:
            self.head("有人离开", "when a player leaves")
            self.steps(1, "do", r.leave.do)
            self.put(1, f"→ {r.leave.to}", r.leave)
        if r.tables:
            self.head("表", "tables")
        for table in r.tables.values():
            self.table(table)
        if r.returns is not None:
            self.head("打完后每家的得分", "what the match is worth to a seat")
            self.put(1, self.expr(r.returns), r.returns.at, r.cite)
        return "\n".join(self.lines) + "\n"

    def settings(self) -> None:
        r = self.ruleset
        if r.options:
            self.head("设定", "options")
        for option in r.options.values():
            value = written(option.type, self.options.get(option.name, option.default))
            kind = option.type
            domain = (
                " | ".join(kind.words) if kind.words else "true | false" if kind.name == "bool" else type_text(kind)
            )
            self.put(1, f"{self.named(option.name, option.text)} = {value}   {domain}", option)
        if r.kinds:
            self.head("词", "words")
        for kind_of in r.kinds.values():
            words = " < ".join(self.named(word, text) for word, text in zip(kind_of.words, kind_of.texts, strict=True))
            self.put(1, f"{kind_of.name}: {words}", kind_of)

    def table_and_cards(self) -> None:
        r = self.ruleset
        self.head("座位和牌", "seats and cards")
        self.put(1, self.pick(f"{r.seats.count} 个座位", f"{r.seats.count} seats"), r.seats)
        if r.seats.direction is not None:
            self.put(1, f"direction: {self.expr(r.seats.direction)}", r.seats.direction.at)
        if r.seats.teams:
            teams = [[s for s, team in enumerate(r.seats.teams) if team == t] for t in range(max(r.seats.teams) + 1)]
            self.put(1, "teams: " + " | ".join(" ".join(map(str, team)) for team in teams), r.seats)
        total = sum(r.deck.cards.values())
        packs = r.deck.packs
        self.put(
            1, self.pick(f"{packs} 副牌，共 {total} 张", f"{packs} pack{'s' * (packs != 1)}, {total} cards"), r.deck
        )
        self.put(2, " ".join(f"{cards.NAMES[i]}×{n}" if n > 1 else cards.NAMES[i] for i, n in r.deck.cards.items()))
        for card, other in r.deck.alias.items():
            self.put(
                2,
                self.pick(
                    f"{cards.NAMES[card]} 当作 {cards.NAMES[other]}",
                    f"{cards.NAMES[card]} counts as {cards.NAMES[other]}",
                ),
            )
        if r.deck.points:
            self.put(2, "points: " + " ".join(f"{cards.NAMES[i]}={n}" for i, n in r.deck.points.items()))
        if r.ladder is not None:
            names = [cards.RANK_NAMES[step] for step in r.ladder.steps]
            stops = [cards.RANK_NAMES[step] for step in r.ladder.stops]
            self.put(1, f"ladder: {' '.join(names)}" + (f"   stops: {' '.join(stops)}" if stops else ""), r.ladder)

    def order(self) -> None:
        r = self.ruleset
        self.head("大小（大的在前）", "order (the strongest first)")
        for group in r.order.groups:
            self.put(1, group.name + ("[suit]" if group.per_suit else ""), group)
            for line in group.lines:
                by = f" by {' '.join(cards.RANK_NAMES[rank] for rank in line.ranks)}" if line.ranks else ""
                self.put(2, f"{line.name}: {'true' if line.that is None else self.expr(line.that)}{by}", line)
        for name, expr in (("close_over", r.order.close_over), ("across_lines", r.order.across_lines)):
            if expr is not None:
                self.put(1, f"runs.{name}: {self.expr(expr)}", expr.at)
        trick = r.trick
        for name, expr in (
            ("ruff", trick.ruff),
            ("over_ruff", trick.over_ruff),
            ("equal", trick.equal),
            ("forced_from", trick.forced_from),
        ):
            if expr is not None:
                ruff = name == "ruff"
                said = self.named(f"trick.{name}", trick.text) if ruff and trick.text else f"trick.{name}"
                self.put(1, f"{said}: {self.expr(expr)}", expr.at, trick.cite if ruff else ())
        if trick.forced:
            self.put(1, f"trick.forced: {', '.join(' '.join(names) for names in trick.forced)}", trick.span)

    def shapes(self) -> None:
        r = self.ruleset
        if not r.shapes.items:
            return
        alike = self.pick(
            "按大小算相同" if r.shapes.alike_by == "step" else "同一张牌才算相同", f"alike by {r.shapes.alike_by}"
        )
        self.head(f"牌型（{alike}）", f"shapes ({alike})")
        for shape in r.shapes.items:
            self.put(1, self.shape(shape), shape)
        for clause in r.shapes.require:
            self.clause(clause, level=2)

    def shape(self, shape: Shape) -> str:
        if shape.parts:
            low, high = shape.count
            many = f"{low}" if low == high else f"{low}..{'' if high is None else high}"
            text = f"{self.named(shape.name, shape.text)}: parts {' '.join(shape.parts)}, count {many}"
            return text + (f", when {self.expr(shape.when)}" if shape.when is not None else "")
        size = f"cards {' '.join(cards.NAMES[card] for card in shape.cards)}" if shape.cards else ""
        text = f"{self.named(shape.name, shape.text)}: {size or f'alike {_open(shape.width)}'}"
        if shape.length != (1, 1):
            text += f", run {_open(shape.length)}"
        if shape.wings is not None:
            wings = shape.wings
            text += f", wings {wings.each} x {wings.width} alike"
            text += f", distinct {self.expr(wings.distinct)}" if wings.distinct is not None else ""
        if shape.within:
            text += f", within {' '.join(cards.RANK_NAMES[rank] for rank in shape.within)}"
        if shape.power is not None:
            text += f", power {self.expr(shape.power)}"
        return text + (f", when {self.expr(shape.when)}" if shape.when is not None else "")

    def places(self) -> None:
        r = self.ruleset
        self.head("放牌的地方", "zones")
        for zone in r.zones.values():
            counted = f" counted by {self.expr(zone.counted)}" if zone.counted is not None else ""
            pile = self.pick("，有先后", ", in order") if zone.ordered else ""
            self.put(1, f"{zone.name}{'[seat]' * zone.per_seat}: seen by {self.seen(zone.seen)}{counted}{pile}", zone)
        self.head("谁看得见什么", "who sees what")
        for line in who_sees(r):
            self.put(1, line.in_(self.lang))
        for lifetime, zh, en in (
            ("match", "整场记住的", "remembered for the match"),
            ("deal", "每局记住的", "remembered for a deal"),
        ):
            slots = [slot for slot in r.memory.values() if slot.lifetime == lifetime]
            if slots:
                self.head(zh, en)
            for slot in slots:
                self.slot(slot)

    def seen(self, expr: Expr) -> str:
        if isinstance(expr, Const):
            return "all" if expr.value else "nobody"
        return self.expr(expr)

    def slot(self, slot: Slot) -> None:
        index = f"[{', '.join(slot.index)}]" if slot.index else ""
        start = f" = {self.expr(slot.start)}" if slot.start is not None else ""
        seen = f" seen by {self.seen(slot.seen)}" if slot.seen is not None else ""
        said = slot.text.in_(self.lang)
        name = (
            f"   “{said}”" if said != slot.name and self.lang == "zh" else f'   "{said}"' if said != slot.name else ""
        )
        self.put(1, f"{slot.name}{index}: {type_text(slot.type)}{start}{seen}{name}", slot)

    def defines(self) -> None:
        if self.ruleset.defines:
            self.head("说法", "definitions")
        for define in self.ruleset.defines.values():
            params = f"({', '.join(name for name, _ in define.params)})" if define.params else ""
            self.put(1, f"{define.name}{params}: {self.expr(define.body)}", define)

    # ------------------------------------------------------------------ phases

    def phase(self, phase: Phase) -> None:
        kind = _KINDS[phase.kind].in_(self.lang)
        begins = self.pick("，新的一局", ", begins a deal") if phase.begins_deal else ""
        self.put(1, f"{self.named(phase.name, phase.text)} — {kind}{begins}", phase)
        if phase.round is not None:
            mode = _ROUNDS[int(phase.round.value or 0)] if isinstance(phase.round, Const) else self.expr(phase.round)
            self.put(2, f"round: {mode}", phase.round.at)
        for name in ("seat", "first", "who", "stop", "measure"):
            expr: Expr | None = getattr(phase, name)
            if expr is not None:
                self.put(2, f"{name}: {self.expr(expr)}", expr.at)
        for move in phase.moves.values():
            self.move(move)
        if phase.timeout:
            self.put(2, "timeout: " + " ".join(phase.timeout))
        self.steps(2, "then", phase.then)
        self.steps(2, "do", phase.do)
        for way in phase.next:
            self.put(2, f"→ {way.to}" + (f" when {self.expr(way.when)}" if way.when is not None else ""), way)

    def move(self, move: Move) -> None:
        parts = []
        if move.pick is not None:
            parts.append(f"pick {self.expr(move.pick)}")
        if move.count is not None:
            low, high = move.count
            one = self.expr(low)
            parts.append(f"count {one}" if low == high else f"count {one}..{self.expr(high)}")
        if move.shapes:
            parts.append(f"shapes {' '.join(move.shapes)}")
        if move.choose is not None:
            parts.append(f"choose {self.chosen(move.choose)}")
        if move.quiet:
            parts.append("quiet")
        self.put(2, f"* {self.named(move.name, move.text)}" + (f": {', '.join(parts)}" if parts else ""), move)
        for clause in move.require:
            self.clause(clause)
        self.steps(3, "do", move.do)

    def chosen(self, expr: Expr) -> str:
        if isinstance(expr, ListOf) and expr.items:
            kind = expr.items[0].type
            values = [item.value for item in expr.items if isinstance(item, Const)]
            if kind.words:
                return " ".join(kind.words)
            if len(values) == len(expr.items) and all(isinstance(value, int) for value in values):
                numbers = [int(value or 0) for value in values]
                step = numbers[1] - numbers[0] if len(numbers) > 1 else 1
                return spread(numbers[0], numbers[-1], step)
        return self.expr(expr)

    def clause(self, clause: Clause, *, level: int = 3) -> None:
        when = f" when {self.expr(clause.when)}" if clause.when is not None else ""
        self.put(level, f"! {self.named(clause.name, clause.text)}: {self.expr(clause.that)}{when}", clause)

    def steps(self, depth: int, name: str, steps: Iterable[Step]) -> None:
        for step in steps:
            label = f"{step.name}: " if step.name else ""
            self.put(depth, f"{name}  {label}{unparse_step(step, self.ruleset)}", step)

    # ------------------------------------------------------------------ tables

    def table(self, table: Table) -> None:
        given = ", ".join(f"{name} {self.domain(kind)}" for name, kind in table.given.items())
        gives = ", ".join(f"{name} = {value}" for name, value in table.gives.items())
        zero = f", sums_to_zero {table.sums_to_zero}" if table.sums_to_zero else ""
        self.put(1, f"{table.name}({given}) → {gives}   {table.hit}{zero}", table)
        for row in table.rows:
            self.put(2, self.row(table, row), row)

    def domain(self, kind: Type) -> str:
        if kind.words:
            low, high = kind.low or 0, len(kind.words) - 1 if kind.high is None else kind.high
            return " ".join(kind.words[low : high + 1])
        return type_text(kind)

    def row(self, table: Table, row: Row) -> str:
        keys = ", ".join(f"{name} {self.cell(table.given[name], cell)}" for name, cell in row.keys.items())
        gives = ", ".join(f"{name} = {self.expr(value)}" for name, value in row.gives.items())
        return f"{row.name}: {keys or '-'} → {gives or '-'}"

    def cell(self, kind: Type, cell: Cell) -> str:
        if kind.words or kind.name == "bool":
            return " ".join(
                written(kind, value) for low, high in cell.ranges for value in range(low or 0, (high or 0) + 1)
            )
        return " ".join(spread(low, high) for low, high in cell.ranges)

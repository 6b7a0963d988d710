"""How often each part of a ruleset had its say: moves, clauses, shapes, steps, ways from phase to phase, table rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from random import Random
from typing import Any

from .compile.program import CompiledMove
from .compile.simplify import Simplifier
from .diagnostics import Span, Text
from .footsteps import Footsteps, phase_steps, step_names
from .game import Rules, State
from .model import Clause, Phase, Ruleset
from .model import Move as MoveModel
from .model.ir import Const, Expr
from .play.judge import held_by
from .play.move import Move
from .play.verdict import Reason, Verdict

TRIES = 40  # candidates of each move, where none is legal
Counts = dict[str, Counter[str]]

KINDS: Mapping[str, Text] = {
    "moves": Text("动作", "moves"),
    "clauses": Text("说了不的规矩", "clauses that said no"),
    "shapes": Text("牌型", "shapes"),
    "steps": Text("步骤", "steps"),
    "ways": Text("去路", "ways from phase to phase"),
    "rows": Text("表的行", "table rows"),
}
_SHORT = {"clauses": Text("规矩", "clauses"), "ways": Text("去路", "ways"), "rows": Text("表的行", "rows")}


def way_name(phase: Phase, place: int) -> str:
    """One way out of a phase: ``answer → clear``; numbered where several go to one phase."""
    to = phase.next[place].to
    same = [other for other, way in enumerate(phase.next) if way.to == to]
    return f"{phase.name} → {to}" + (f" ({same.index(place) + 1})" if len(same) > 1 else "")


def parts(ruleset: Ruleset) -> dict[str, list[str]]:
    """Everything that is counted, by kind. A clause about attached cards is named ``shapes.NAME``."""
    moves = [(phase, move) for phase in ruleset.phases.values() for move in phase.moves.values()]
    return {
        "moves": [f"{phase.name}.{move.name}" for phase, move in moves],
        "clauses": [f"{phase.name}.{move.name}.{clause.name}" for phase, move in moves for clause in move.require]
        + [f"shapes.{clause.name}" for clause in ruleset.shapes.require],
        "shapes": [shape.name for shape in ruleset.shapes.items],
        "steps": step_names(ruleset),
        "ways": [way_name(phase, place) for phase in ruleset.phases.values() for place in range(len(phase.next))],
        "rows": [f"{table.name}.{row.name}" for table in ruleset.tables.values() for row in table.rows],
    }


class Coverage:
    """Counts while states are played under one `Rules`.

    >>> from random import Random
    >>> from hongwu_rules.game import load, rulesets
    >>> coverage = Coverage(load(rulesets()[0]))
    >>> state = coverage.start(seed=7)
    >>> state = coverage.apply(state, state.legal_moves().sample(Random(7)))
    >>> sum(coverage.counts()["moves"].values())
    1
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        ruleset = rules.ruleset
        self._attached: dict[Span, str] = {clause.span: clause.name for clause in ruleset.shapes.require}
        self._ways: Counter[tuple[int, int]] = Counter()
        self._rows: Counter[tuple[int, int]] = Counter()
        self._moves: Counter[tuple[int, int]] = Counter()
        self._shapes: Counter[int] = Counter()
        self._clauses: Counter[str] = Counter()
        self._steps = Footsteps(rules.program)

    # ---------------------------------------------------------------- what is told
    def watching(self) -> AbstractContextManager[None]:
        """Watch which steps are done by what runs inside."""
        return self._steps.watched()

    def start(self, seed: int) -> State:
        """The first state of a match, noted."""
        with self.watching():
            state = self.rules.start(seed=seed)
        self.reached(state)
        return state

    def apply(self, state: State, move: Move) -> State:
        """The state after a move, with all that it did noted."""
        self.moving(state, move)
        with self.watching():
            after = state.apply(move)
        self.reached(after)
        return after

    def moving(self, state: State, move: Move) -> None:
        """A legal move is about to be made: note its shape, where the move asks for one."""
        made = self.rules.program.phases[state.core.phase].moves[move.name]
        if made.shapes is None:
            return
        packed = move.packed(self.rules.program.layout.pack)
        if packed and (reading := state.core.book().read(packed)) is not None:
            self._shapes[reading.shape] += 1

    def reached(self, state: State) -> None:
        """Note what the step to this state did."""
        for event in state.core.events:
            match event[0]:
                case "made":
                    self._moves[event[1], event[2]] += 1
                case "phase" if event[2] >= 0:
                    self._ways[event[2], event[3]] += 1
                case "row":
                    self._rows[event[1], event[2]] += 1

    def judged(self, state: State, name: str, verdict: Verdict) -> None:
        """Note which clauses refused a move of this name."""
        for reason in verdict.reasons:
            attached = self._attached.get(reason.place)
            full = f"shapes.{attached}" if attached == reason.id else f"{state.phase}.{name}.{reason.id}"
            self._clauses[full] += 1

    # ---------------------------------------------------------------- what came of it
    def counts(self) -> Counts:
        """``counts[kind][name]``, with every name of `parts`, those that never came up with 0."""
        ruleset = self.rules.ruleset
        phases, tables, shapes = list(ruleset.phases.values()), list(ruleset.tables.values()), ruleset.shapes.items
        found: dict[str, dict[str, int]] = {
            "moves": {f"{phases[p].name}.{list(phases[p].moves)[m]}": n for (p, m), n in self._moves.items()},
            "clauses": dict(self._clauses),
            "shapes": {shapes[number].name: n for number, n in self._shapes.items()},
            "steps": dict(self._steps.counts()),
            "ways": {way_name(phases[p], way): n for (p, way), n in self._ways.items()},
            "rows": {f"{tables[t].name}.{tables[t].rows[r].name}": n for (t, r), n in self._rows.items()},
        }
        return {
            kind: Counter({name: found[kind].get(name, 0) for name in names}) for kind, names in parts(ruleset).items()
        }


def never(counts: Counts) -> dict[str, list[str]]:
    """What never came up, by kind."""
    return {kind: [name for name, n in found.items() if not n] for kind, found in counts.items()}


def kept_out(rules: Rules) -> dict[str, list[str]]:
    """What cannot come up under the options in force, by kind: a clause that is switched off, what only it leads to.

    >>> from hongwu_rules.game import load, rulesets
    >>> sorted(kept_out(load(rulesets()[0])))
    ['clauses', 'moves', 'rows', 'shapes', 'steps', 'ways']
    """
    return _Settings(rules).kept_out()


class _Settings:
    """What the options alone decide."""

    def __init__(self, rules: Rules) -> None:
        self.ruleset = rules.ruleset
        self.simplify = Simplifier(rules.program.layout, rules.program.options)
        self.dropped = Footsteps(rules.program).dropped

    def truth(self, expr: Expr | None) -> bool | None:
        """Whether a condition holds in every state or in none; None where the state decides."""
        if expr is None:
            return True
        plain = self.simplify(expr)
        return bool(plain.value) if isinstance(plain, Const) else None

    def idle(self, clause: Clause) -> bool:
        """Whether a clause never says no."""
        return self.truth(clause.when) is False or self.truth(clause.that) is True

    def forbidden(self, move: MoveModel) -> bool:
        """Whether a clause always says no."""
        return any(self.truth(clause.when) is True and self.truth(clause.that) is False for clause in move.require)

    def ways(self, phase: Phase) -> list[int]:
        """The ways that may be taken."""
        found = []
        for number, way in enumerate(phase.next):
            truth = self.truth(way.when)
            if truth is not False:
                found.append(number)
            if truth is True:
                break
        return found

    def phases(self) -> set[str]:
        """The phases that play may come to."""
        phases, leave = self.ruleset.phases, self.ruleset.leave
        waiting = [self.ruleset.start, *([leave.to] if leave is not None else [])]
        found = set(waiting)
        while waiting:
            phase = phases[waiting.pop()]
            more = {phase.next[number].to for number in self.ways(phase)} - found
            found |= more
            waiting += more
        return found

    def kept_out(self) -> dict[str, list[str]]:
        out: dict[str, list[str]] = {kind: [] for kind in KINDS}
        reached, idle = self.phases(), list(self.dropped)
        for phase in self.ruleset.phases.values():
            lost = phase.name not in reached
            for move in phase.moves.values():
                name = f"{phase.name}.{move.name}"
                if lost or self.forbidden(move):
                    out["moves"].append(name)
                    idle += [
                        step for step, _ in phase_steps(phase)[move.name] if not step.startswith(f"{phase.name}.then.")
                    ]
                out["clauses"] += [f"{name}.{clause.name}" for clause in move.require if lost or self.idle(clause)]
            idle += [step for step, _ in phase_steps(phase)[""]] if lost else []
            open_ = [] if lost else self.ways(phase)
            out["ways"] += [way_name(phase, number) for number in range(len(phase.next)) if number not in open_]
        out["steps"] = [step for step in step_names(self.ruleset) if step in idle]
        shapes = self.ruleset.shapes
        out["clauses"] += [f"shapes.{clause.name}" for clause in shapes.require if self.idle(clause)]
        out["shapes"] = [shape.name for shape in shapes.items if self.truth(shape.when) is False]
        return out


def never_text(counts: Counts, off: Mapping[str, Iterable[str]]) -> list[Text]:
    """What never came up though it might have, and what the options (``off``) keep out; a line for each."""
    idle = {kind: [name for name in names if name not in set(off[kind])] for kind, names in never(counts).items()}
    found = []
    if (names := _listed(idle)) is not None:
        found.append(Text(f"一次也没有出现：{names.zh}", f"never came up: {names.en}"))
    if (names := _listed(off)) is not None:
        found.append(Text(f"按现在的设定不会出现：{names.zh}", f"kept out by the options: {names.en}"))
    return found or [
        Text("每条规矩、动作、牌型、步骤、去路、表的行都出现过", "every clause, move, shape, step, way and row came up")
    ]


def _listed(names: Mapping[str, Iterable[str]]) -> Text | None:
    found = {kind: list(of_kind) for kind, of_kind in names.items() if of_kind}
    if not found:
        return None
    titles = {kind: _SHORT.get(kind, KINDS[kind]) for kind in found}
    return Text(
        "；".join(f"{titles[kind].zh} {'、'.join(of_kind)}" for kind, of_kind in found.items()),
        "; ".join(f"{titles[kind].en} {', '.join(of_kind)}" for kind, of_kind in found.items()),
    )


def added(counts: Iterable[Counts], names: Mapping[str, Iterable[str]]) -> Counts:
    """Several counts as one, of these names; what else was counted (under an overlay, say) is left out."""
    total: Counts = {kind: Counter(dict.fromkeys(of_kind, 0)) for kind, of_kind in names.items()}
    for one in counts:
        for kind, found in one.items():
            total[kind].update({name: n for name, n in found.items() if name in total[kind]})
    return total


@dataclass(slots=True)
class Prober:
    """Judges moves that players might try, so that clauses get to say no."""

    rng: Random

    def probe(self, state: State, coverage: Coverage) -> None:
        """Judge one random candidate for the seat to act, legal or not, and count the clauses that refuse it."""
        moves = state.rules.program.phases[state.core.phase].moves.values()
        made = self.rng.choice(list(moves))
        if made.clauses or (made.shapes is not None and state.rules.ruleset.shapes.require):
            coverage.judged(state, made.name, state.judge(self.candidate(state, made)))

    def refusals(self, state: State) -> list[Reason]:
        """The reasons against random candidates of every move on offer, each once, the commonest first."""
        count: Counter[str] = Counter()
        first: dict[str, Reason] = {}
        for made in state.rules.program.phases[state.core.phase].moves.values():
            for _ in range(TRIES):
                for reason in state.judge(self.candidate(state, made)).reasons:
                    count[reason.id] += 1
                    first.setdefault(reason.id, reason)
        return [first[name] for name, _ in count.most_common()]

    def candidate(self, state: State, made: CompiledMove) -> Move:
        """A move of this kind with cards and a choice that need not be allowed."""
        g, program = state.core, state.rules.program
        seat, pack, rng = g.seat, program.layout.pack, self.rng
        assert seat is not None
        choice: Any = None
        if made.choices is not None and made.choice_type is not None:
            values = list(made.choices(g, seat, 0, None))
            choice = program.encode(made.choice_type, rng.choice(values)) if values else None
        if made.zone is None:
            return Move(made.name, choice=choice)
        hand = held_by(g, seat, made)
        picked = 0
        shapes = made.shapes or ()
        if plans := [plan for plan in g.book().plans(hand) if plan.reading.shape in shapes]:
            plan = rng.choice(plans)
            picked = plan.at(rng.randrange(plan.ways))
            if program.ruleset.shapes.require and (others := pack.ids(hand & ~picked)):
                picked = pack.of([*rng.sample(pack.ids(picked), pack.count(picked) - 1), rng.choice(others)])
        elif ids := pack.ids(hand):
            low = made.low(g, seat, 0, None) if made.low is not None else 1
            high = made.high(g, seat, 0, None) if made.high is not None else len(ids)
            number = min(len(ids), rng.randint(low, max(low, min(high, low + 4))))
            picked = pack.of(rng.sample(ids, number))
        return Move(made.name, cards=pack.names(picked), choice=choice)

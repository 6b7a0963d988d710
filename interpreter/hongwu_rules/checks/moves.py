"""What comes of a move: nothing at all (HW310), and a wait for one that cannot be made here (HW311)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..diagnostics import Related, Span, Text
from ..model import Assign, Clause, Move, Phase, Step
from ..model.ir import Call, Const, Expr, Local, walk
from .context import Context
from .notation import listed
from .sites import all_sites, place


def check_moves(context: Context) -> None:
    """Look at every move, and at every question whether one was made."""
    asked = _Asked(context)
    for phase in context.ruleset.phases.values():
        for move in phase.moves.values():
            _unused(context, phase, move)
        _alike(context, phase, asked.names)
    asked.in_vain()


# ---------------------------------------------------------------- HW310
def _unused(context: Context, phase: Phase, move: Move) -> None:
    """A move takes cards or a choice, and no step uses them.

    A rule that tests them is use enough where the move does something else.
    """
    steps = list(_read(context, move.do))
    tested = list(_tested(context, move.require)) if move.do else []
    for local, given, said in (("picked", move.pick, _PICKED), ("chosen", move.choose, _CHOSEN)):
        if given is None or any(isinstance(part, Local) and part.name == local for part in (*steps, *tested)):
            continue
        name = f"{phase.name}.{move.name}"
        context.findings.add(
            "HW310",
            place(given, move.span),
            f"动作“{name}”{said.asks.zh}",
            f'the move "{name}" {said.asks.en}',
            witness=Text(f"做了“{move.name}”，{said.after.zh}", f'after "{move.name}" {said.after.en}'),
            help=(said.use,),
        )


@dataclass(frozen=True, slots=True)
class _Said:
    """What is said of a value that a move asks for and nothing uses."""

    asks: Text
    after: Text
    use: Text


_PICKED = _Said(
    Text("要人拿牌，可是没有一步用到拿的牌", "asks for cards, but no step uses them"),
    Text("牌还在原处", "the cards still lie where they lay"),
    Text("在它的 do 里用上 picked，如 play(picked)", "use `picked` in its do, such as play(picked)"),
)
_CHOSEN = _Said(
    Text("要人选，可是没有一步用到选的是什么", "asks for a choice, but no step uses it"),
    Text("没有哪里记着选了什么", "nothing knows what was chosen"),
    Text("在它的 do 里用上 chosen，如 bid = chosen", "use `chosen` in its do, such as bid = chosen"),
)


def _alike(context: Context, phase: Phase, asked: set[str]) -> None:
    """Two moves of a phase that both do nothing: one for "no" is enough, the other lacks its steps."""
    if phase.then:
        return
    idle: dict[bool, Move] = {}
    once = isinstance(phase.round, Const) and phase.round.value == 0
    for move in phase.moves.values():
        if move.do or move.pick is not None or move.choose is not None or move.name in asked:
            continue
        loud = not move.quiet and phase.kind == "round" and not once  # who moves loudly has the others asked again
        first = idle.setdefault(loud, move)
        if first is move:
            continue
        both = f"“{first.name}”和“{move.name}”", f'"{first.name}" and "{move.name}"'
        context.findings.add(
            "HW310",
            move.span,
            f"阶段“{phase.name}”里，{both[0]}做了都一样：什么也不发生",
            f'in the phase "{phase.name}", {both[1]} come to the same: nothing happens',
            related=(Related(Text("另一个在这里", "the other one is here"), first.span),),
            witness=Text(
                f"做“{first.name}”或“{move.name}”，之后一模一样",
                f'after "{first.name}" and after "{move.name}" everything is the same',
            ),
            help=(
                Text("给该有结果的那个写 do，或删去一个", "write a do for the one that should matter, or remove one"),
            ),
        )


def _read(context: Context, steps: tuple[Step, ...]) -> Iterator[Expr]:
    for step in steps:
        action = step.action
        exprs = (*action.index, action.value) if isinstance(action, Assign) else action.args
        more = (*(source for _, _, source in step.loops), *((step.when,) if step.when is not None else ()))
        for expr in (*exprs, *more):
            yield from walk(context.evaluator.inline(expr))


def _tested(context: Context, clauses: tuple[Clause, ...]) -> Iterator[Expr]:
    for clause in clauses:
        yield from walk(context.evaluator.inline(clause.that))


# ---------------------------------------------------------------- HW311
class _Asked:
    """The questions ``made(move)``, each with the phase in which it is asked."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.found: list[tuple[str, str, Span]] = []  # phase, move, place
        for site in all_sites(context.ruleset):
            if site.define:
                continue
            for part in walk(context.evaluator.inline(site.expr)):
                if isinstance(part, Call) and part.word == "made" and isinstance(part.args[0], Const):
                    name = part.args[0].type.words[int(part.args[0].value or 0)]
                    self.found.append((site.phase, name, place(part, place(site.expr, site.span))))

    @property
    def names(self) -> set[str]:
        """The moves that are asked for anywhere."""
        return {name for _, name, _ in self.found}

    def in_vain(self) -> None:
        """HW311: nobody can have made the move in the round that is asked about."""
        for phase, name, span in self.found:
            if not phase:
                continue
            sources = self.asking(phase)
            offered = list(dict.fromkeys(move for source in sources for move in source.moves))
            if name in offered:
                continue
            names, moves = listed([source.name for source in sources]), listed(offered)
            why = Text("在这之前没有人被问过", "nobody has been asked before")
            if sources:
                why = Text(
                    f"这里问的是 {names.zh}，里面只有：{moves.zh}", f"asked here: {names.en}, which offers {moves.en}"
                )
            self.context.findings.add(
                "HW311",
                span,
                f"阶段“{phase}”等人做“{name}”，可是刚问的一轮里没有这个动作",
                f'the phase "{phase}" waits for "{name}", which nobody can have made in the round just asked',
                witness=why,
                related=tuple(
                    Related(Text("问的是这个阶段", "this phase is asked"), source.span) for source in sources[:2]
                ),
                help=(
                    Text("写那一轮里有的动作；要记得更久，用一个记忆", "name a move of that round; to remember it for longer, use memory"),
                ),
            )  # fmt: skip

    def asking(self, name: str) -> list[Phase]:
        """The phases whose moves ``made`` speaks of in this phase: itself if it asks, else those last asked before."""
        phases = self.context.ruleset.phases
        found: dict[str, Phase] = {}
        seen, waiting = {name}, [name]
        while waiting:
            phase = phases[waiting.pop(0)]
            if phase.kind in ("seat", "round"):
                found[phase.name] = phase
                continue
            leave = self.context.ruleset.leave
            if leave is not None and leave.to == phase.name:
                return [one for one in phases.values() if one.moves]
            before = [one.name for one in phases.values() if any(way.to == phase.name for way in one.next)]
            waiting += [one for one in before if one not in seen]
            seen.update(before)
        return list(found.values())

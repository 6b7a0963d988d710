"""Judging one move: exact, and every clause that fails is named."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..compile.hidden import Hidden
from ..compile.program import CompiledClause, CompiledMove, Program
from ..compile.working import Working
from ..diagnostics import Span, Text
from ..errors import HiddenRead, PositionError, RulesFault, cut
from ..model import Move as MoveModel
from .move import Move
from .state import State
from .verdict import LEGAL, Reason, Verdict

TROUBLE = (TypeError, AttributeError, IndexError, KeyError, ValueError, ZeroDivisionError, RulesFault)


class Read(NamedTuple):
    """A legal move as the machine takes it."""

    made: CompiledMove
    picked: int
    chosen: Any


def judge(state: State, move: Move) -> Verdict:
    """Whether the seat to act may make the move, and if not, every reason why. Never raises for an illegal move."""
    reasons: list[Reason] = []
    return LEGAL if examine(state, move, reasons) is not None else Verdict(tuple(reasons))


def examine(state: State, move: Move, reasons: list[Reason] | None = None) -> Read | None:
    """The move as the machine takes it if it is legal, else None; ``reasons`` is filled where given."""
    say = _Say(reasons)
    try:
        return _examine(state, move, say)
    except _Refused:
        return None
    except TROUBLE as error:
        raise state.program.fault(error) from error


def _examine(state: State, move: Move, say: _Say) -> Read:
    """The move if it is legal; raises _Refused after noting why not."""
    program, at = state.program, state.position
    phase = program.phases[at.phase]
    if at.seat is None:
        raise say.no("over", "没有人要行动", "nobody is to act", phase.model.span)
    made = phase.moves.get(move.name)
    if made is None:
        names = "、".join(m.model.text.zh for m in phase.moves.values()), ", ".join(phase.moves)
        raise say.no("not_offered", f"现在只能：{names[0]}", f"what can be done now: {names[1]}", phase.model.span)
    g = state.working()
    picked = _picked(program, g, at.seat, made, move, say)
    chosen = _chosen(program, g, at.seat, made, move, say)
    if say.reasons is None:
        for clause in made.clauses:
            if broken(clause, g, at.seat, picked, chosen):
                raise _Refused
        return Read(made, picked, chosen)
    failed = [clause.clause for clause in made.clauses if broken(clause, g, at.seat, picked, chosen)]
    for model in failed:
        say.no(model.name, model.text.zh, model.text.en, model.span, model.cite)
    if failed:
        raise _Refused
    return Read(made, picked, chosen)


def broken(clause: CompiledClause, g: Working, seat: int, picked: int, chosen: Any) -> bool:
    """Whether a clause forbids the move."""
    if clause.when is not None and not clause.when(g, seat, picked, chosen):
        return False
    return not clause.that(g, seat, picked, chosen)


class _Refused(Exception):
    """The move is illegal; the reasons are noted where somebody wants them."""


class _Say:
    """Collects reasons, if anybody wants them."""

    def __init__(self, reasons: list[Reason] | None) -> None:
        self.reasons = reasons

    def no(self, name: str, zh: str, en: str, place: Span, cite: tuple[str, ...] = ()) -> _Refused:
        """Note one more reason, and give back what to raise."""
        if self.reasons is not None:
            self.reasons.append(Reason(name, zh, en, " ".join(cite), place))
        return _Refused()


def held_by(program: Program, g: Working, seat: int, made: CompiledMove) -> int:
    """The cards that a move picks from, packed; HiddenRead if they are not known."""
    assert made.zone is not None
    place = made.zone(g, seat, 0, None)
    held = g.z[place]
    if type(held) is Hidden:
        raise HiddenRead(Text("不知道他手里是什么牌", "this state does not know the cards that are picked from"))
    return program.layout.pack.of(held) if program.layout.zone_at[place][0].ordered else int(held)


def _picked(program: Program, g: Working, seat: int, made: CompiledMove, move: Move, say: _Say) -> int:
    """The cards of the move, packed, if they may be picked at all."""
    pack, model = program.layout.pack, made.model
    if made.zone is None:
        if move.cards and not (made.choices is not None and move.choice is None and len(move.cards) == 1):
            raise say.no("no_cards", "这个动作不用出牌", "no cards belong to this move", model.span)
        return 0
    at = model.pick.at if model.pick is not None else model.span
    picked = move.packed(pack)
    if picked is None or not pack.contains(held_by(program, g, seat, made), picked):
        raise say.no("not_held", "手里没有这些牌", "these cards are not all in the hand", at, model.cite)
    if made.low is not None and made.high is not None:
        low, high, number = made.low(g, seat, 0, None), made.high(g, seat, 0, None), pack.count(picked)
        if not low <= number <= high:
            most = max(low, min(high, pack.count(held_by(program, g, seat, made))))
            many = f"{low}" if low == most else f"{low}–{most}"
            raise say.no(
                "how_many", f"要{many}张牌", f"{many} card{'s' * (many != '1')} must be picked", at, model.cite
            )
    elif not picked:
        raise say.no("how_many", "要选牌", "cards must be picked", at, model.cite)
    if made.shapes is not None:
        reading = g.book().read(picked)
        if reading is None:
            raise say.no(
                "no_shape",
                *_shapes(program, model, "这几张牌不成牌型；可以出：", "these cards make no shape; the shapes are: "),
                at,
                model.cite,
            )
        if reading.shape not in made.shapes:
            raise say.no(
                "other_shape", *_shapes(program, model, "这里可以出：", "the shapes allowed here are: "), at, model.cite
            )
    return picked


def _shapes(program: Program, model: MoveModel, zh: str, en: str) -> tuple[str, str]:
    texts = [shape.text for shape in program.ruleset.shapes.items if shape.name in model.shapes]
    return zh + "、".join(t.zh for t in texts), en + ", ".join(t.en for t in texts)


def _chosen(program: Program, g: Working, seat: int, made: CompiledMove, move: Move, say: _Say) -> Any:
    """The value chosen, if it is one that may be chosen at all."""
    model, kind, choice = made.model, made.choice_type, move.choice
    if made.choices is None or kind is None:
        if choice is not None:
            raise say.no("no_choice", "这个动作没有可选的", "there is nothing to choose here", model.span)
        return None
    at = model.choose.at if model.choose is not None else model.span
    if choice is None and made.zone is None and len(move.cards) == 1 and kind.name == "card":
        choice = move.cards[0]
    if choice is None:
        raise say.no("choose_one", "要选一个", "something must be chosen", at, model.cite)
    try:
        value = program.decode(kind, choice)
    except PositionError:
        value = None
    if value is None or value not in made.choices(g, seat, 0, None):
        shown = cut(str(choice))
        raise say.no("not_among", f"不能选“{shown}”", f'"{shown}" cannot be chosen', at, model.cite)
    return value

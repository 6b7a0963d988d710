"""Judging one move: exact, and every clause that fails is named."""

from __future__ import annotations

from typing import Any

from ..compile.hidden import unknown_hand
from ..compile.program import CompiledMove, Program
from ..compile.working import Working
from ..diagnostics import Span
from ..errors import PositionError, RulesFault, cut
from ..model import Move as MoveModel
from .move import Move, Read, is_card
from .state import State
from .verdict import LEGAL, Reason, Verdict

TROUBLE = (TypeError, AttributeError, IndexError, KeyError, ValueError, ZeroDivisionError, RulesFault)
Reasons = list[Reason] | None  # where reasons are noted, if anybody wants them


def judge(state: State, move: Move) -> Verdict:
    """Whether the seat to act may make the move, and if not, every reason why. Never raises for an illegal move."""
    reasons: list[Reason] = []
    return LEGAL if examine(state, move, reasons) is not None else Verdict(tuple(reasons))


def examine(state: State, move: Move, reasons: list[Reason] | None = None) -> Read | None:
    """The move as the machine takes it if it is legal, else None; ``reasons`` is filled where given."""
    found = state.found
    if found is not None and found[0] is move:
        return found[1]
    program, seat = state.program, state.seat
    try:
        listed = move.packing is program.layout.pack and (move.choice is None or move.kind is not None)
        if listed and seat is not None:  # here or in another state
            made = program.phases[state.phase].moves.get(move.name)
            if made is not None and (move.kind is made.choice_type or move.kind == made.choice_type):
                picked, chosen = move.picked, move.chosen
                if (made.zone is not None or not picked) and made.legal(state, seat, picked, chosen):
                    return made, picked, chosen
        read = _examine(state, move, reasons)
        state.found = move, read
        return read
    except _Refused:
        return None
    except TROUBLE as error:
        raise program.fault(error) from error


def _examine(state: State, move: Move, reasons: Reasons) -> Read:
    """The move if it is legal; raises _Refused after noting why not."""
    program, seat = state.program, state.seat
    phase = program.phases[state.phase]
    if seat is None:
        raise _no(reasons, "over", "没有人要行动", "nobody is to act", phase.model.span)
    made = phase.moves.get(move.name)
    if made is None:
        names = "、".join(m.model.text.zh for m in phase.moves.values()), ", ".join(phase.moves)
        raise _no(
            reasons, "not_offered", f"现在只能：{names[0]}", f"what can be done now: {names[1]}", phase.model.span
        )
    move = move.meant_for(made)
    if made.zone is not None and move.choice is None and len(move.cards) == 1 and _may_choose(program, made, move):
        raise _picked_or_chosen(made, move, reasons)
    if made.zone is not None and made.choice_type is None and move.choice is not None and not is_card(move.choice):
        word = cut(str(move.choice))
        zh, en = f"没有“{word}”这张牌，牌写作 S5、H10、BJ", f'no card is written "{word}"; cards are like S5, H10, BJ'
        raise _no(reasons, "no_such_card", zh, en, made.model.span)
    picked = _picked(program, state, seat, made, move, reasons) if made.zone is not None or move.cards else 0
    chosen = _decoded(program, made, move, reasons)
    if made.choices is not None and (chosen is None or chosen not in made.choices(state, seat, 0, None)):
        raise _not_among(made, move, reasons)
    refused = [clause.clause for clause in made.clauses if not clause.holds(state, seat, picked, chosen)]
    for model in refused:
        _no(reasons, model.name, model.text.zh, model.text.en, model.span, model.cite)
    if refused:
        raise _Refused
    return made, picked, chosen


class _Refused(Exception):
    """The move is illegal; the reasons are noted where somebody wants them."""


def _no(reasons: Reasons, name: str, zh: str, en: str, place: Span, cite: tuple[str, ...] = ()) -> _Refused:
    """Note one more reason, where anybody wants them, and give back what to raise."""
    if reasons is not None:
        reasons.append(Reason(name, zh, en, " ".join(cite), place))
    return _Refused()


def held_by(g: Working, seat: int, made: CompiledMove) -> int:
    """The cards that a move picks from, packed; HiddenRead if they are not known."""
    assert made.held is not None
    held: int = made.held(g, seat, 0, None)
    if type(held) is not int:
        raise unknown_hand()
    return held


def _picked(program: Program, g: Working, seat: int, made: CompiledMove, move: Move, reasons: Reasons) -> int:
    """The cards of the move, packed, if they may be picked at all."""
    if made.zone is None:
        if move.cards:
            raise _no(reasons, "no_cards", "这个动作不用出牌", "no cards belong to this move", made.model.span)
        return 0
    pack, model, at = program.layout.pack, made.model, made.pick_at
    picked = move.packed(pack)
    if picked is None or not pack.contains(held_by(g, seat, made), picked):
        raise _no(reasons, "not_held", "手里没有这些牌", "these cards are not all in the hand", at, model.cite)
    if made.low is not None and made.high is not None:
        low, high, number = made.low(g, seat, 0, None), made.high(g, seat, 0, None), pack.count(picked)
        if not low <= number <= high:
            most = max(low, min(high, pack.count(held_by(g, seat, made))))
            many = f"{low}" if low == most else f"{low}–{most}"
            zh, en = f"要{many}张牌", f"{many} card{'s' * (many != '1')} must be picked"
            raise _no(reasons, "how_many", zh, en, at, model.cite)
    elif not picked:
        raise _no(reasons, "how_many", "要选牌", "cards must be picked", at, model.cite)
    if made.shapes is not None:
        reading = g.book().read(picked)
        if reading is None and reasons is not None:
            require = program.ruleset.shapes.require
            for clause in [require[number] for number in dict.fromkeys(g.book().refused(picked))]:
                _no(reasons, clause.name, clause.text.zh, clause.text.en, clause.span, clause.cite)
            if reasons:
                raise _Refused
        if reading is None:
            zh, en = "这几张牌不成牌型；可以出：", "these cards make no shape; the shapes are: "
            raise _no(reasons, "no_shape", *_shapes(program, model, zh, en), at, model.cite)
        if reading.shape not in made.shapes:
            zh, en = "这里可以出：", "the shapes allowed here are: "
            raise _no(reasons, "other_shape", *_shapes(program, model, zh, en), at, model.cite)
    return picked


def _shapes(program: Program, model: MoveModel, zh: str, en: str) -> tuple[str, str]:
    texts = [shape.text for shape in program.ruleset.shapes.items if shape.name in model.shapes]
    return zh + "、".join(t.zh for t in texts), en + ", ".join(t.en for t in texts)


def _decoded(program: Program, made: CompiledMove, move: Move, reasons: Reasons) -> Any:
    """The value chosen; None if no value is written so, or where nothing is chosen."""
    model, kind, choice = made.model, made.choice_type, move.choice
    if made.choices is None or kind is None:
        if choice is not None:
            raise _no(reasons, "no_choice", "这个动作没有可选的", "there is nothing to choose here", model.span)
        return None
    if choice is None:
        raise _no(reasons, "choose_one", "要选一个", "something must be chosen", made.choose_at, model.cite)
    try:
        return program.decode(kind, choice)
    except PositionError:
        return None


def _may_choose(program: Program, made: CompiledMove, move: Move) -> bool:
    """Whether the one card of a move could as well be what it chooses."""
    if made.choice_type is None:
        return False
    try:
        return program.decode(made.choice_type, move.cards[0]) is not None
    except PositionError:
        return False


def _picked_or_chosen(made: CompiledMove, move: Move, reasons: Reasons) -> _Refused:
    (card,) = move.cards
    picked, chosen = f"{move.name} {card} = …", f"{move.name} = {card}"
    zh = f"要选一个：拿 {card} 写成“{picked}”，选 {card} 写成“{chosen}”"
    en = f'something must be chosen: "{picked}" picks {card}, "{chosen}" chooses it'
    return _no(reasons, "choose_one", zh, en, made.choose_at, made.model.cite)


def _not_among(made: CompiledMove, move: Move, reasons: Reasons) -> _Refused:
    choice = cut(str(move.choice))
    zh, en = f"不能选“{choice}”", f'"{choice}" cannot be chosen'
    return _no(reasons, "not_among", zh, en, made.choose_at, made.model.cite)

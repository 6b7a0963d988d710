"""HW407: a phase whose rules may leave a seat without a single legal move.

For each move a condition without ``picked`` and ``chosen`` is built that says when it can be made. Where
a rule asks each picked card for something and gives no way out, a hand without such a card is stuck.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..diagnostics import Related, Text
from ..model import Clause, Move, Phase
from ..model.ir import BOOL, Call, Const, Expr, Fold, In, ListOf, Local, Logic, Not, Type, walk
from .context import Context, plural
from .inline import put
from .sites import place

# Words of the picked cards that some pick out of the hand always satisfies.
ALWAYS_POSSIBLE = frozenset({"follows_group", "follows_sets", "follows_runs"})
MOST_CHOICES = 64
_ABOUT_MOVE = frozenset({"picked", "chosen", "shape"})


@dataclass(slots=True)
class _Chance:
    """When a move can be made: ``needs`` all hold; ``strict``: clauses that some hands cannot meet at all;
    ``unsure``: something else is asked of the cards."""

    move: Move
    needs: list[Expr] = field(default_factory=list)
    strict: list[Clause] = field(default_factory=list)
    unsure: bool = False


def check_choices(context: Context) -> None:
    """Look at every phase that asks somebody."""
    sure, asked = 0, 0
    for phase in context.ruleset.phases.values():
        if phase.kind not in ("seat", "round"):
            continue
        asked += 1
        if not phase.moves:
            context.findings.add(
                "HW407",
                phase.span,
                f"阶段“{phase.name}”问人，却没有一个动作可选",
                f'the phase "{phase.name}" asks a seat and offers no move',
                help=(Text("在 moves 里写上动作", "write its moves under moves"),),
            )
            continue
        found = _phase(context, phase)
        if found:
            sure += 1
        elif found is None:
            context.not_proved.append(
                Text(
                    f"阶段“{phase.name}”里总有一步能走：打的时候查",
                    f'that there is always a legal move in "{phase.name}": checked in play',
                )
            )
    if sure:
        context.proved.append(
            Text(
                f"{asked}个问人的阶段里有{sure}个：手里有牌就总有一步能走",
                f"in {sure} of {plural(asked, 'phase')} that ask a seat, whoever holds a card has a legal move",
            )
        )


def _phase(context: Context, phase: Phase) -> bool | None:
    """True if some move is always legal, False after a finding, None if it cannot be told."""
    chances = [_chance(context, move) for move in phase.moves.values()]
    if any(not c.needs and not c.strict and not c.unsure for c in chances):
        return True
    known = _before(context, phase)
    unsure = any(c.unsure for c in chances)
    strict = [c for c in chances if c.strict]
    wanted = [_all(c.needs) for c in chances if not c.strict]
    if not unsure and not strict:
        if context.joint.constant(_any(wanted)) is True:
            return True
        if known and context.joint.implies(known, _any(wanted)):
            return True
    if unsure:
        return None
    opaque = any(_opaque(expr) for expr in wanted)
    if opaque:
        return None
    case = context.joint.none_holds(wanted, given=known) if wanted else {}
    if case is None:
        return None
    told = context.joint.told(case, wanted) if wanted else None
    _report(context, phase, strict, told)
    return False


def _chance(context: Context, move: Move) -> _Chance:
    chance = _Chance(move)
    pointwise = 0
    about_choice: list[Expr] = []
    for clause in move.require:
        that = context.evaluator.inline(clause.that)
        when = context.evaluator.inline(clause.when) if clause.when is not None else None
        named = _names(that) | (_names(when) if when is not None else set())
        if not named & _ABOUT_MOVE:
            chance.needs.append(_asked(that, when))
        elif _guaranteed(that):
            continue
        elif (own := _can_beat(that, move)) is not None:
            chance.needs.append(_asked(own, when))
        elif _has_way_out(context, that, move):
            pointwise += 1
        elif _each_card(that) and when is None and _is_forced(move):
            if context.joint.constant(_body(that)) is not True:
                chance.strict.append(clause)
        elif named & _ABOUT_MOVE == {"chosen"}:
            about_choice.append(_asked(that, when))
        else:
            chance.unsure = True
    if pointwise > 1 or (pointwise and chance.strict):
        chance.unsure = True
    if about_choice:
        found = _some_choice(context, move, about_choice)
        if found is None:
            chance.unsure = True
        else:
            chance.needs.append(found)
    if move.pick is not None and not _is_free(context, move):
        chance.unsure = True  # the hand must hold so many cards, or a shape
    return chance


def _is_forced(move: Move) -> bool:
    """Whether the move must pick at least one card."""
    return (
        bool(move.shapes) or move.count is None or not (isinstance(move.count[0], Const) and move.count[0].value == 0)
    )


def _is_free(context: Context, move: Move) -> bool:
    """Whether a hand with a card in it is enough. (Nobody is asked with an empty hand: seen in play.)"""
    singles = [
        s
        for s in context.ruleset.shapes.items
        if s.name in move.shapes and s.width[0] <= 1 and s.length[0] <= 1 and s.when is None
        if not s.parts and not s.cards and s.wings is None
    ]
    if move.shapes:
        return bool(singles)
    return (
        move.count is None
        or (isinstance(move.count[0], Const) and move.count[0].value in (0, 1))
        or _like_lead(move.count[0])
    )


def _like_lead(expr: Expr) -> bool:
    """As many cards as were led: everybody holds as many, if hands are equal."""
    return (
        isinstance(expr, Call)
        and expr.word == "len"
        and bool(expr.args)
        and "trick" in {p.type.name for p in walk(expr.args[0])}
    )


def _guaranteed(that: Expr) -> bool:
    """A clause that asks only what the vocabulary promises some pick to satisfy."""
    return isinstance(that, Call) and that.word in ALWAYS_POSSIBLE


def _can_beat(that: Expr, move: Move) -> Expr | None:
    """``beats(picked, trick)`` as a question about the hand."""
    if isinstance(that, Call) and that.word == "beats" and _is_local(that.args[0], "picked") and move.pick is not None:
        return Call(type=BOOL, at=that.at, word="can_beat", args=(move.pick, *that.args[1:]))
    return None


def _is_local(expr: Expr, name: str) -> bool:
    return isinstance(expr, Local) and expr.name == name


def _each_card(that: Expr) -> bool:
    """``all(P(c) for c in picked)``, or ``not any(…)``, or ``CARD not in picked``."""
    if isinstance(that, Not) and isinstance(that.of, Fold):
        return that.of.word == "any" and _over_picked(that.of)
    if isinstance(that, Fold):
        return that.word == "all" and _over_picked(that)
    return False


def _over_picked(fold: Fold) -> bool:
    return (
        len(fold.loops) == 1
        and fold.cond is None
        and _is_local(fold.loops[0].source, "picked")
        and not _names(fold.body) & _ABOUT_MOVE
    )


def _body(that: Expr) -> Expr:
    """What is asked of each card."""
    if isinstance(that, Not) and isinstance(that.of, Fold):
        return Not(type=BOOL, of=that.of.body)
    assert isinstance(that, Fold)
    return that.body


def _has_way_out(context: Context, that: Expr, move: Move) -> bool:
    """``P(picked) or …`` where the other part speaks of the hand: a duty for who can fulfil it."""
    if not (isinstance(that, Logic) and that.op == "or"):
        return False
    about = [part for part in that.parts if _names(part) & _ABOUT_MOVE]
    rest = [part for part in that.parts if not _names(part) & _ABOUT_MOVE]
    if len(about) != 1 or not rest or move.pick is None:
        return False
    hand = context.evaluator.notation(move.pick)
    return any(hand in context.evaluator.notation(part) for part in rest)


def _some_choice(context: Context, move: Move, clauses: list[Expr]) -> Expr | None:
    """``clauses`` hold for one of the choices; None if the choices are too many."""
    values: list[Expr] = []
    if isinstance(move.choose, ListOf):
        values = list(move.choose.items)
    elif move.choose is not None:
        kind: Type = move.choose.type.item or move.choose.type
        known = context.evaluator.domain(kind.sure).exact
        values = [Const(type=kind.sure, value=v) for v in sorted(known, key=str)] if known is not None else []
    if not values or len(values) > MOST_CHOICES:
        return None
    both = _all(clauses)
    options: list[Expr] = [put(both, {"chosen": value}) for value in values]
    return options[0] if len(options) == 1 else Logic(type=BOOL, op="or", parts=tuple(options))


def _before(context: Context, phase: Phase) -> list[Expr]:
    """What surely holds (as far as conditions tell) when a seat is asked here."""
    known: list[Expr] = []
    if phase.kind == "round":
        if phase.stop is not None:
            known.append(Not(type=BOOL, of=context.evaluator.inline(phase.stop)))
        if phase.who is not None:
            known.append(context.evaluator.inline(phase.who))
        return known
    ways: list[Expr] = []
    for source in context.ruleset.phases.values():
        parts: list[Expr] = []
        for way in source.next:
            if way.to == phase.name:
                here = [*parts] + ([way.when] if way.when is not None else [])
                ways.append(_all([context.evaluator.inline(part) for part in here]))
            if way.when is None:
                break
            parts.append(Not(type=BOOL, of=way.when))
    if phase.name != context.ruleset.start and ways:
        known.append(_any(ways))
    return known


def _opaque(expr: Expr) -> bool:
    """Whether a condition speaks of cards in a way that is not looked into."""
    for part in walk(expr):
        if isinstance(part, Fold) or (isinstance(part, In) and not isinstance(part.container, ListOf)):
            return True
        if isinstance(part, Call) and part.word not in ("int", "min", "max", "next", "can_beat"):
            return True
    return False


def _names(expr: Expr) -> set[str]:
    return {part.name for part in walk(expr) if isinstance(part, Local)}


def _asked(that: Expr, when: Expr | None) -> Expr:
    if when is None:
        return that
    return Logic(type=BOOL, at=that.at, op="or", parts=(Not(type=BOOL, at=that.at, of=when), that))


def _all(parts: list[Expr]) -> Expr:
    if not parts:
        return Const(type=BOOL, value=True)
    return parts[0] if len(parts) == 1 else Logic(type=BOOL, op="and", parts=tuple(parts))


def _any(parts: list[Expr]) -> Expr:
    if not parts:
        return Const(type=BOOL, value=False)
    return parts[0] if len(parts) == 1 else Logic(type=BOOL, op="or", parts=tuple(parts))


def _report(context: Context, phase: Phase, strict: list[_Chance], told: Text | None) -> None:
    text = context.evaluator.notation
    parts_zh, parts_en = [], []
    related: list[Related] = []
    for chance in strict:
        for clause in chance.strict:
            asked = text(_body(context.evaluator.inline(clause.that)))
            parts_zh.append(f"手里没有一张牌合得上“{asked}”")
            parts_en.append(f'a hand in which no card fits "{asked}"')
            related.append(
                Related(Text(f"规矩“{clause.name}”", f'the clause "{clause.name}"'), place(clause.that, clause.span))
            )
    if told is not None:
        parts_zh.append(told.zh)
        parts_en.append(told.en)
    for move in phase.moves.values():
        for clause in move.require:
            where = Related(
                Text(f"规矩“{clause.name}”", f'the clause "{clause.name}"'), place(clause.that, clause.span)
            )
            if where not in related:
                related.append(where)
    context.findings.add(
        "HW407",
        phase.span,
        f"阶段“{phase.name}”里可能一步都不能走",
        f'in the phase "{phase.name}" there may be no legal move',
        witness=Text("；".join(parts_zh), "; ".join(parts_en)) if parts_zh else None,
        related=tuple(related[:4]),
        help=(
            Text(
                "加一个不带规矩的动作（如不要），或给规矩加上“手里没有时除外”",
                "offer a move without a clause (such as declining), or let the clause allow hands that cannot obey",
            ),
        ),
    )

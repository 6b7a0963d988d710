"""Which cards no line of a ruleset tells apart.

Two cards are of one class if nothing that the ruleset asks can give different answers for them. When
in doubt they are of two classes: that only makes a list of moves longer.
"""

from __future__ import annotations

from collections.abc import Iterable

from .. import cards
from ..cards.picks import EACH
from ..model import Assign, Move, Ruleset, Step
from ..model.ir import Call, Compare, Const, Expr, Field, Fold, In, SlotRef, walk
from .layout import Layout

_BY_RANK = frozenset({"step", "up", "down", "is_stop"})


def step_expressions(steps: Iterable[Step]) -> Iterable[Expr]:
    """Every expression of some steps."""
    for step in steps:
        for _, _, source in step.loops:
            yield source
        if step.when is not None:
            yield step.when
        if isinstance(step.action, Assign):
            yield from step.action.index
            yield step.action.value
        else:
            yield from step.action.args


def move_expressions(move: Move) -> Iterable[Expr]:
    """Every expression of a move."""
    yield from (expr for expr in (move.pick, move.choose) if expr is not None)
    yield from move.count or ()
    for clause in move.require:
        yield clause.that
        if clause.when is not None:
            yield clause.when
    yield from step_expressions(move.do)


def expressions(ruleset: Ruleset) -> Iterable[Expr]:
    """Every expression of a ruleset that play evaluates, as it was read."""
    order = ruleset.order
    maybe: list[Expr | None] = [order.close_over, order.across_lines, ruleset.trick.ruff, ruleset.returns]
    for zone in ruleset.zones.values():
        maybe += [zone.seen, zone.counted]
    for slot in ruleset.memory.values():
        maybe += [slot.start, slot.seen]
    maybe += [define.body for define in ruleset.defines.values()]
    maybe += [line.that for group in order.groups for line in group.lines]
    for clause in ruleset.shapes.require:
        maybe += [clause.that, clause.when]
    for phase in ruleset.phases.values():
        maybe += [phase.seat, phase.first, phase.who, phase.stop, phase.measure]
        maybe += [way.when for way in phase.next]
    yield from (expr for expr in maybe if expr is not None)
    for phase in ruleset.phases.values():
        for move in phase.moves.values():
            yield from move_expressions(move)
        yield from step_expressions((*phase.then, *phase.do))
    for table in ruleset.tables.values():
        for row in table.rows:
            yield from row.gives.values()
    if ruleset.leave is not None:
        yield from step_expressions(ruleset.leave.do)


class _Reads:
    """What the expressions of a ruleset ask about cards."""

    def __init__(self) -> None:
        self.named: set[int] = set()
        self.asked: set[str] = set()  # rank, suit, colour
        self.identity = False  # whether cards are compared that play decides on

    def note(self, expr: Expr) -> None:
        """Add what one expression asks."""
        for part in walk(expr):
            match part:
                case Const() if part.type.name == "card" and isinstance(part.value, int):
                    self.named.add(part.value)
                case Field() if part.of.type.name == "card":
                    self.asked.add(part.name)
                case Call():
                    self.call(part)
                case Compare() if part.left.type.name == "cards":
                    self.identity = True
                case Compare() if part.left.type.name == "card":
                    self.identity |= not isinstance(part.left, Const) and not isinstance(part.right, Const)
                case In() if part.item.type.name == "card":
                    written_out = part.container.type.name == "list" and all(
                        isinstance(inner, Const) for inner in walk(part.container)[1:]
                    )
                    self.identity |= not written_out and not isinstance(part.item, Const)
                case SlotRef() if part.type.name == "card":
                    self.identity = True
                case Fold() if part.word in ("min", "max", "most") and part.body.type.name == "card":
                    self.identity = True

    def call(self, call: Call) -> None:
        """Add what a word asks."""
        kind = call.args[0].type.name if call.args else ""
        if call.word in _BY_RANK:
            self.asked.add("rank")
        elif call.word in ("suit", "colour") and kind != "suit":
            self.asked.add(call.word)
        elif call.word == "position" and kind == "card":
            self.identity = True


def card_classes(layout: Layout) -> tuple[int, ...]:
    """For each card id the lowest id of its class; a card that is not in the deck has a class of its own."""
    ruleset = layout.ruleset
    reads = _Reads()
    for expr in expressions(ruleset):
        reads.note(expr)
        if expr.type.name == "list" and expr.type.item is not None and expr.type.item.name == "card":
            reads.identity = True  # a card that a move chooses
    alias = ruleset.deck.alias
    kinds = {alias.get(card, card) for shape in ruleset.shapes.items for card in shape.cards}
    reads.named.update(card for card in ruleset.deck.cards if kinds and alias.get(card, card) in kinds)
    lines = [line for group in ruleset.order.groups for line in group.lines]
    by_rank = "rank" in reads.asked or any(line.ranks for line in lines)
    by_rank = by_rank or any(shape.within for shape in ruleset.shapes.items)
    by_suit = "suit" in reads.asked or any(group.per_suit for group in ruleset.order.groups)
    by_card = ruleset.shapes.alike_by == "card"
    lowest: dict[tuple[object, ...], int] = {}
    classes: list[int] = []
    for card in range(cards.SIZE):
        if not ruleset.deck.cards.get(card):
            classes.append(card)
            continue
        sign = (
            layout.rank[card] if by_rank else None,
            layout.suit[card] if by_suit else None,
            layout.colour[card] if "colour" in reads.asked else None,
            layout.points[card],
            card if reads.identity or card in reads.named else None,
            layout.alias[card] if by_card else None,
        )
        classes.append(lowest.setdefault(sign, card))
    return EACH if classes == list(EACH) else tuple(classes)

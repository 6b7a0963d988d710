"""Small card games for the tests of orders, shapes, picks and tricks.

``Cardgame`` describes an order in the plainest way; ``table()`` builds it with the package, and the
``plain_*`` functions work the same things out again by trying everything, sharing no code with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise, product

from hongwu_rules import model
from hongwu_rules.cards import BJ, IDS, LJ, RANK_OF, SIZE, SUIT_OF, Packing
from hongwu_rules.cards.order import OrderTable, build_order
from hongwu_rules.cards.shapes import Reading, ShapeBook, ShapeSpec
from hongwu_rules.model.ir import BOOL, Const

ASKED = Const(type=BOOL, value=True)  # stands for a condition; the tests answer by the line's name
DOWN = tuple(range(14, 1, -1))  # A K Q … 2


def of_shape(*shapes: int) -> Callable[[Reading], bool]:
    """Plays of some shapes alone."""
    return lambda reading: reading.shape in shapes


@dataclass
class Cardgame:
    """``groups``: (name, per suit, [(line, condition or None, ranks)]), strongest first."""

    cards: dict[int, int]
    groups: list[tuple[str, bool, list[tuple[str, Callable[[int], bool] | None, tuple[int, ...]]]]]
    shapes: list[ShapeSpec]
    alike_by: str = "step"
    alias: dict[int, int] = field(default_factory=dict)
    classes: Sequence[int] = tuple(range(SIZE))
    close_over: Callable[[int], bool] = lambda card: False
    across_lines: bool = False

    def __post_init__(self) -> None:
        self.packing = Packing(max(self.cards.values()))
        self.ranks = [RANK_OF[self.alias.get(card, card)] for card in range(SIZE)]
        self.suits = [SUIT_OF[self.alias.get(card, card)] for card in range(SIZE)]

    def table(self) -> OrderTable:
        conditions = {line: that for _, _, lines in self.groups for line, that, _ in lines}
        groups = tuple(
            model.Group(
                name=name,
                per_suit=per_suit,
                lines=tuple(model.Line(name=n, that=ASKED if that else None, ranks=r) for n, that, r in lines),
            )
            for name, per_suit, lines in self.groups
        )

        def holds(line: model.Line, card: int) -> bool:
            that = conditions[line.name]
            assert that is not None
            return that(card)

        return build_order(
            model.Order(groups=groups),
            deck=model.Deck(packs=self.packing.copies, cards=self.cards, alias=self.alias),
            packing=self.packing,
            ranks=self.ranks,
            suits=self.suits,
            holds=holds,
            close_over=self.close_over,
            across_lines=self.across_lines,
        )

    def book(self) -> ShapeBook:
        by = self.alike_by
        assert by in ("card", "step")
        return ShapeBook(self.shapes, self.table(), self.packing, self.classes, alike_by=by)  # type: ignore[arg-type]

    # -- the same again, plainly ---------------------------------------------------------------

    @cached_property
    def plain_where(self) -> dict[int, tuple[int, int]]:
        """Group and place of each card."""
        return {c: (g, s) for g, steps in enumerate(self.plain_places) for s, step in enumerate(steps) for c in step[2]}

    @cached_property
    def plain_places(self) -> list[list[tuple[str, int, list[int]]]]:
        """For each group its places, weakest first: line, rank (0: none) and the cards of the deck there."""
        left = set(self.cards)
        found = []
        for _, per_suit, lines in self.groups:
            for suit in range(4) if per_suit else [None]:
                places = []
                for line, that, ranks in lines:
                    for rank in ranks or (0,):
                        here = [c for c in sorted(left) if self.plain_fits(c, suit, that, rank)]
                        left -= set(here)
                        places.append((line, rank, here))
                found.append(places[::-1])
        return found

    def plain_fits(self, card: int, suit: int | None, that: Callable[[int], bool] | None, rank: int) -> bool:
        return suit in (None, self.suits[card]) and (that is None or that(card)) and rank in (0, self.ranks[card])

    def plain_chain(self, group: int, low: int, high: int) -> bool:
        """Whether the place ``high`` is the neighbour above ``low``, by looking at every place between."""
        places = self.plain_places[group]
        if not places[low][2] or not places[high][2] or any(places[s][2] for s in range(low + 1, high)):
            return False
        if places[low][0] != places[high][0]:
            return self.across_lines
        suit = self.group_suits()[group]
        that = {line: t for _, _, lines in self.groups for line, t, _ in lines}[places[low][0]]
        for step in range(low + 1, high):
            cards = [c for c in range(SIZE) if self.ranks[c] == places[step][1] and suit in (None, self.suits[c])]
            own = [c for c in cards if self.plain_fits(c, suit, that, places[step][1])]
            if not all(self.close_over(c) for c in own or cards):
                return False
        return True

    def group_suits(self) -> list[int | None]:
        return [suit for _, per_suit, _ in self.groups for suit in (range(4) if per_suit else [None])]

    def plain_kind(self, card: int) -> int:
        return self.alias.get(card, card) if self.alike_by == "card" else 0

    def plain_read(self, ids: Sequence[int]) -> Reading | None:
        """What the cards are, from the words of the rules alone."""
        places, where = self.plain_places, self.plain_where
        if not ids or any(card not in where for card in ids):
            return None
        by_step: dict[tuple[int, int], list[int]] = {}
        for card in ids:
            by_step.setdefault(where[card], []).append(card)
        steps = sorted(by_step)
        width = len(by_step[steps[0]])
        same = all(len(c) == width and len({self.plain_kind(card) for card in c}) == 1 for c in by_step.values())
        if not same or len({group for group, _ in steps}) > 1:
            return None
        group = steps[0][0]
        if not all(self.plain_chain(group, low, high) for (_, low), (_, high) in pairwise(steps)):
            return None
        touched = {self.ranks[card] for g, s in steps for card in places[g][s][2]}
        for shape in self.shapes:
            if (
                shape.width[0] <= width <= shape.width[1]
                and shape.length[0] <= len(steps) <= shape.length[1]
                and (not shape.within or touched <= shape.within)
            ):
                return Reading(shape.index, width, len(steps), group, steps[-1][1], shape.power(width, len(steps)))
        return None

    def plain_look(self, ids: Sequence[int]) -> tuple[tuple[tuple[object, ...], int], ...]:
        """What a player who cannot tell cards of a class apart sees of a play."""
        where = self.plain_where
        seen = Counter((where[card], self.plain_kind(card), self.classes[card]) for card in ids)
        return tuple(sorted(seen.items()))


def sub_multisets(ids: Sequence[int]) -> list[list[int]]:
    """Every way to take some of the cards, equal cards not told apart."""
    held = Counter(ids)
    return [
        [card for card, n in zip(held, numbers, strict=True) for _ in range(n)]
        for numbers in product(*(range(n + 1) for n in held.values()))
    ]


def sixty() -> Cardgame:
    """Climbing with sixty cards: one suit's 10 is marked by a 9 and counts as a 10; one special five."""
    special, marked, ten = IDS["H5"], IDS["H9"], IDS["H10"]
    cards = {c: 2 for c in range(SIZE) if RANK_OF[c] in (2, 5, 10, 11, 12, 13, 14, 15, 16)}
    cards |= {ten: 1, marked: 1}
    top = frozenset({10, 11, 12, 13, 14})
    classes = [*RANK_OF]
    classes[special], classes[marked] = 100, 101
    return Cardgame(
        cards=cards,
        alias={marked: ten},
        classes=classes,
        groups=[
            (
                "all",
                False,
                [
                    ("special", lambda c: c == special, ()),
                    ("big", lambda c: c == BJ, ()),
                    ("little", lambda c: c == LJ, ()),
                    ("rest", None, (5, 2, 14, 13, 12, 11, 10)),
                ],
            )
        ],
        shapes=[
            ShapeSpec(name="set", index=0, width=(1, 7)),
            ShapeSpec(name="straight", index=1, width=(1, 1), length=(4, 5), within=top),
            ShapeSpec(name="run", index=2, width=(2, 7), length=(3, 99), within=top),
        ],
    )


def levels(
    level: int, trump: int | None, *, close_over: Callable[[int], bool] = lambda card: True, across_lines: bool = True
) -> Cardgame:
    """Tricks with two packs and trumps: jokers, the level rank and one suit; pairs of identical cards."""
    return Cardgame(
        cards=dict.fromkeys(range(SIZE), 2),
        alike_by="card",
        close_over=close_over,
        across_lines=across_lines,
        groups=[
            (
                "trumps",
                False,
                [
                    ("big", lambda c: c == BJ, ()),
                    ("little", lambda c: c == LJ, ()),
                    ("level", lambda c: RANK_OF[c] == level and trump is not None and SUIT_OF[c] == trump, ()),
                    ("other_level", lambda c: RANK_OF[c] == level, ()),
                    ("generals", lambda c: trump is not None and SUIT_OF[c] == trump, DOWN),
                ],
            ),
            ("plain", True, [("plain", None, DOWN)]),
        ],
        shapes=[
            ShapeSpec(name="single", index=0, width=(1, 1)),
            ShapeSpec(name="pair", index=1, width=(2, 2)),
            ShapeSpec(name="tractor", index=2, width=(2, 2), length=(2, 99)),
        ],
    )

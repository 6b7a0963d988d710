"""Where each card stands: group, line and step, and which steps are neighbours in a run.

An ``OrderTable`` is one fixed order, made once for each set of values (trump, level …) that the
order of a file depends on. Groups are numbered in file order, a group for each suit taking four
numbers (S H D C). Steps count upwards inside a group, 0 the weakest; cards on one step are equal.
A step keeps its number whether or not a card stands on it, so that the same rank has the same
number in every suit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from .. import model
from . import SIZE, Packing


@dataclass(frozen=True, slots=True)
class OrderTable:
    """One order. ``group``, ``line``, ``step`` are by card id, -1 for a card that does not stand in it.

    Masks hold every value bit of their cards (``hand & table.group_mask[g]``). ``kind[card]`` is the
    card it counts as, itself for most; ``above[card]`` masks the strictly stronger cards of its group.
    """

    group: tuple[int, ...]
    line: tuple[int, ...]
    step: tuple[int, ...]
    rank: tuple[int, ...]  # after counting as another card
    kind: tuple[int, ...]
    copies: tuple[int, ...]  # in the deck; 0 for a card that stands nowhere
    group_names: tuple[str, ...]  # the same name four times for a group of each suit
    group_suits: tuple[int | None, ...]  # the suit, where the group is one of four
    group_tiers: tuple[int, ...]  # place in the file, 0 the strongest; suits share theirs
    line_names: tuple[str, ...]
    group_mask: tuple[int, ...]
    line_mask: tuple[int, ...]
    step_mask: tuple[tuple[int, ...], ...]
    above: tuple[int, ...]
    neighbour: tuple[tuple[int, ...], ...]  # by group and step: the next step up in a run, or -1
    unplaced: tuple[int, ...]  # cards of the deck that found no line

    def next_step(self, group: int, step: int) -> int | None:
        """The step that continues a run upwards, None where a run must end."""
        up = self.neighbour[group][step]
        return None if up < 0 else up

    def linked(self, card: int, other: int) -> bool:
        """Whether two cards stand on neighbouring steps, as in a run."""
        group, a, b = self.group[card], self.step[card], self.step[other]
        return 0 <= group == self.group[other] and (self.neighbour[group][a] == b or self.neighbour[group][b] == a)

    def group_of(self, cards: int) -> int:
        """The group that all of ``cards`` (packed) belong to; -1 if they are mixed, or none."""
        if cards:
            for group, mask in enumerate(self.group_mask):
                if cards & mask:
                    return -1 if cards & ~mask else group
        return -1


@dataclass(slots=True)
class _Group:
    """A group while it is built: its places, strongest first, as (line number, line, rank or 0)."""

    name: str
    suit: int | None
    tier: int
    places: list[tuple[int, model.Line, int]]


def _groups(order: model.Order) -> tuple[list[_Group], list[str]]:
    groups: list[_Group] = []
    lines: list[str] = []
    for tier, group in enumerate(order.groups):
        places: list[tuple[int, model.Line, int]] = []
        for line in group.lines:
            places.extend((len(lines), line, rank) for rank in line.ranks or (0,))
            lines.append(line.name)
        groups.extend(_Group(group.name, suit, tier, places) for suit in (range(4) if group.per_suit else (None,)))
    return groups, lines


def build_order(
    order: model.Order,
    *,
    deck: model.Deck,
    packing: Packing,
    ranks: Sequence[int],
    suits: Sequence[int | None],
    holds: Callable[[model.Line, int], bool],
    close_over: Callable[[int], bool],
    across_lines: bool,
) -> OrderTable:
    """The table of ``order`` under fixed values.

    ``ranks`` and ``suits`` are by card id, after a card counts as another. ``holds(line, card)`` is
    the condition of a line that has one. A card of the deck stands on the first line that fits it.

    Runs: two steps of one line are neighbours if nothing lies between them, or only steps without
    a card of the deck, where ``close_over`` allows each card missing there. The lowest step of a line
    and the highest of the line below are neighbours if ``across_lines``; missing cards do not matter
    there, since such a chain is about what stands next in the order.
    """
    groups, line_names = _groups(order)

    def fits(group: _Group, line: model.Line, card: int) -> bool:
        return (group.suit is None or suits[card] == group.suit) and (line.that is None or holds(line, card))

    group_of, line_of, step_of = [-1] * SIZE, [-1] * SIZE, [-1] * SIZE
    on_step: list[list[list[int]]] = [[[] for _ in group.places] for group in groups]
    unplaced: list[int] = []
    for card in sorted(deck.cards):
        for number, group in enumerate(groups):
            place = _place(group, card, ranks[card], fits)
            if place is not None:
                group_of[card], line_of[card] = number, group.places[place][0]
                step_of[card] = len(group.places) - 1 - place
                on_step[number][step_of[card]].append(card)
                break
        else:
            unplaced.append(card)

    def closes(group: _Group, step: int) -> bool:
        """Whether a run may pass this empty step."""
        _, line, rank = group.places[len(group.places) - 1 - step]
        missing = [c for c in range(SIZE) if ranks[c] == rank and group.suit in (None, suits[c])]
        own = [c for c in missing if fits(group, line, c)]
        return all(close_over(card) for card in own or missing)

    neighbour: list[tuple[int, ...]] = []
    for group, steps in zip(groups, on_step, strict=True):
        up = [-1] * len(steps)
        lines = [line for line, _, _ in reversed(group.places)]
        for low, high in pairwise(s for s, cards in enumerate(steps) if cards):
            same_line = lines[low] == lines[high]
            if all(closes(group, s) for s in range(low + 1, high)) if same_line else across_lines:
                up[low] = high
        neighbour.append(tuple(up))

    step_mask = tuple(tuple(packing.mask(cards) for cards in steps) for steps in on_step)
    above = [0] * SIZE
    for card in range(SIZE):
        if group_of[card] >= 0:
            above[card] = sum(step_mask[group_of[card]][step_of[card] + 1 :])
    return OrderTable(
        group=tuple(group_of),
        line=tuple(line_of),
        step=tuple(step_of),
        rank=tuple(ranks),
        kind=tuple(deck.alias.get(card, card) for card in range(SIZE)),
        copies=tuple(deck.cards.get(card, 0) if group_of[card] >= 0 else 0 for card in range(SIZE)),
        group_names=tuple(group.name for group in groups),
        group_suits=tuple(group.suit for group in groups),
        group_tiers=tuple(group.tier for group in groups),
        line_names=tuple(line_names),
        group_mask=tuple(sum(masks) for masks in step_mask),
        line_mask=tuple(packing.mask(c for c in range(SIZE) if line_of[c] == n) for n in range(len(line_names))),
        step_mask=step_mask,
        above=tuple(above),
        neighbour=tuple(neighbour),
        unplaced=tuple(unplaced),
    )


def _place(group: _Group, card: int, rank: int, fits: Callable[[_Group, model.Line, int], bool]) -> int | None:
    """The first place of the group where the card may stand, counted from the strongest."""
    asked, answer = -1, False
    for place, (number, line, wanted) in enumerate(group.places):
        if wanted not in (0, rank):
            continue
        if number != asked:
            asked, answer = number, fits(group, line, card)
        if answer:
            return place
    return None

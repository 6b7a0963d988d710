"""Forms: every play that a deck allows under one order, up to the choice of cards.

A form is a shape with its width, length, group and top step. There are a few hundred in a game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from . import SIZE, Packing
from .attached import product_of
from .order import OrderTable
from .picks import Choices


def no_power(width: int, length: int) -> int:
    """The power of an ordinary shape."""
    return 0


class Attach(NamedTuple):
    """Wings: for each set of the body ``each`` sets of ``width`` alike; ``distinct``: no two of them alike."""

    width: int
    each: int = 1
    distinct: bool = False


class Rule(NamedTuple):
    """What must hold for wings: ``holds(book, body, wings)``. ``number`` is its place in the file.

    ``kind``: a ``body`` rule does not ask about the wings; a ``cell`` rule holds if it holds for the wings of
    each cell by themselves; a ``named`` rule asks only which of ``cards`` are wings; ``any`` rule may ask anything.
    ``plain``: besides that, cards are asked about only in ways that alike cards answer alike.
    """

    number: int
    kind: Literal["body", "cell", "named", "any"]
    holds: Callable[[Any, int, int], bool]
    plain: bool = False
    cards: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapeSpec:
    """A shape with its numbers settled. ``index`` is its place among the shapes of the file.

    With ``within``, each step of a play must have only cards of these ranks in the deck. With ``parts``,
    the indices of other shapes, a play is ``count`` of such parts (fewest and most), of one group. With
    ``wings`` other cards of the group go with the sets, as ``rules`` want them. With ``cards`` a play is
    these cards (ids, copies repeated) or what counts as them.
    """

    name: str
    index: int
    width: tuple[int, int]
    length: tuple[int, int] = (1, 1)
    within: frozenset[int] = frozenset()
    power: Callable[[int, int], int] = no_power
    parts: tuple[int, ...] = ()
    count: tuple[int, int | None] = (2, None)
    wings: Attach | None = None
    cards: tuple[int, ...] = ()
    rules: tuple[Rule, ...] = ()


class Reading(NamedTuple):
    """What some cards are: ``width`` alike on each of ``length`` neighbouring steps up to ``top``.

    A play of several ``parts``, or of named cards, has width 1, as length the number of its cards, and the top of
    its highest part. ``wings`` is the number of cards attached.
    """

    shape: int
    width: int
    length: int
    group: int
    top: int
    power: int
    parts: tuple[Reading, ...] = ()
    wings: int = 0

    @property
    def size(self) -> int:
        """How many cards."""
        return self.width * self.length + self.wings


@dataclass(slots=True, eq=False)
class Plan:
    """All plays of one form that a hand can make. ``slots`` has the choices on each step, lowest first.

    ``number`` is the place of the form in the canonical order (-1 outside it). Who lists the same plan again and again
    may leave its name and what it found in ``kept``: both at once, as threads may share a plan.
    """

    reading: Reading
    ways: int
    slots: tuple[Choices, ...]
    number: int = -1
    kept: tuple[object, Any] = (None, None)

    def plays(self) -> Iterator[int]:
        """The plays, packed."""
        return iter(self.slots[0]) if len(self.slots) == 1 else product_of(self.slots, self.ways)

    def at(self, place: int) -> int:
        """The play at a place of ``plays``, without listing them; IndexError outside it."""
        if not 0 <= place < self.ways:
            raise IndexError("no such play")
        cards = 0
        for choices in reversed(self.slots):
            if isinstance(choices, tuple):
                if len(choices) == 1:
                    cards += choices[0]
                    continue
                place, here = divmod(place, len(choices))
                cards += choices[here]
            else:
                place, here = divmod(place, choices.ways)
                cards += choices.at(here)
        return cards


def beats(a: Reading, b: Reading) -> bool:
    """Whether ``a`` is the same shape and size as ``b``, in its group, and higher; or has more power.

    Plays of several parts are compared by the rules of the trick, never here.
    """
    return a.power > b.power or (a[:4] == b[:4] and a.top > b.top and not a.parts)


@dataclass(frozen=True, slots=True)
class Step:
    """A step that has cards. Each cell (what counts as alike) is its mask and the masks of its classes."""

    mask: int
    cells: tuple[tuple[int, tuple[int, ...]], ...]
    most: int  # the most cards alike that the deck has and a shape takes
    atoms: tuple[int, ...]  # by width - 1: the number of "so many alike on this step"
    named: tuple[tuple[int, int, int], ...] = ()  # atom, mask and number: "so many of these cards"


@dataclass(frozen=True, slots=True)
class Form:
    """``cards``: by kind of card the number that a play of named cards has; it has no steps then."""

    reading: Reading
    steps: tuple[int, ...]  # numbers of Step, lowest first
    atoms: tuple[tuple[int, int], ...]  # step and atom
    cards: tuple[tuple[int, int], ...] = ()


def find_cells(table: OrderTable, alike_by: Literal["card", "step"]) -> tuple[int, ...]:
    """By card id the number of its cell, -1 outside the order. Two cards are alike in one cell."""
    numbers: dict[tuple[int, int, int], int] = {}
    cells: list[int] = []
    for card in range(SIZE):
        if table.group[card] < 0:
            cells.append(-1)
            continue
        key = (table.group[card], table.step[card], table.kind[card] if alike_by == "card" else -1)
        cells.append(numbers.setdefault(key, len(numbers)))
    return tuple(cells)


def find_steps(
    table: OrderTable, packing: Packing, cell: Sequence[int], classes: Sequence[int], shapes: Sequence[ShapeSpec]
) -> tuple[list[Step], dict[tuple[int, int], int]]:
    """The steps that have cards, group by group and upwards, and the number of each (group, step)."""
    steps: list[Step] = []
    number_of: dict[tuple[int, int], int] = {}
    widest = max((shape.width[1] for shape in shapes), default=0)
    atoms = 0
    for group, masks in enumerate(table.step_mask):
        for height, mask in enumerate(masks):
            if not mask:
                continue
            by_cell: dict[int, dict[int, list[int]]] = {}
            for card in range(SIZE):
                if packing.one[card] & mask:
                    by_cell.setdefault(cell[card], {}).setdefault(classes[card], []).append(card)
            cells = tuple(
                (sum(packing.mask(cards) for cards in kinds.values()), tuple(packing.mask(c) for c in kinds.values()))
                for kinds in by_cell.values()
            )
            most = max(sum(table.copies[c] for cards in kinds.values() for c in cards) for kinds in by_cell.values())
            most = min(most, widest)
            number_of[group, height] = len(steps)
            steps.append(Step(mask, cells, most, tuple(range(atoms, atoms + most))))
            atoms += most
    return steps, number_of


def find_forms(
    shapes: Sequence[ShapeSpec], table: OrderTable, steps: Sequence[Step], number_of: dict[tuple[int, int], int]
) -> list[Form]:
    """Every form of sets and runs that the deck allows."""
    ranks: dict[int, set[int]] = {}
    for card, group in enumerate(table.group):
        if group >= 0:
            ranks.setdefault(number_of[group, table.step[card]], set()).add(table.rank[card])
    forms: list[Form] = []
    for (group, lowest_step), first in number_of.items():
        for width in range(1, steps[first].most + 1):
            chain: list[int] = []
            touched: set[int] = set()
            top: int | None = lowest_step
            while top is not None and steps[number_of[group, top]].most >= width:
                chain.append(number_of[group, top])
                touched |= ranks[chain[-1]]
                found = False
                for shape in shapes:
                    fits = (
                        not shape.parts
                        and not shape.cards
                        and not (found and shape.wings is None)
                        and shape.width[0] <= width <= shape.width[1]
                        and (shape.length[0] <= len(chain) <= shape.length[1])
                    )
                    if fits and (not shape.within or touched <= shape.within):
                        power = shape.power(width, len(chain))
                        more = 0
                        if shape.wings is None:
                            found = True
                        else:
                            more = shape.wings.width * shape.wings.each * len(chain)
                        reading = Reading(shape.index, width, len(chain), group, top, power, (), more)
                        atoms = tuple((number, steps[number].atoms[width - 1]) for number in chain)
                        forms.append(Form(reading, tuple(chain), atoms))
                top = table.next_step(group, top)
    return forms


def weakest_first(forms: Sequence[Form], table: OrderTable) -> list[Form]:
    """By number of cards, power, group (the last of the file first), top."""

    def key(form: Form) -> tuple[int, ...]:
        r = form.reading
        return (r.size, r.power, -table.group_tiers[r.group], r.top, r.group, r.shape, r.width)

    return sorted(forms, key=key)


def find_named(
    shapes: Sequence[ShapeSpec],
    table: OrderTable,
    packing: Packing,
    steps: list[Step],
    number_of: dict[tuple[int, int], int],
) -> list[Form]:
    """The forms of named cards. Each kind of card is noted on its step in ``steps``, as one more atom."""
    atoms = sum(step.most for step in steps)
    forms: list[Form] = []
    for shape in shapes:
        if not shape.cards:
            continue
        kinds = {table.kind[card]: 0 for card in sorted(shape.cards)}
        for card in shape.cards:
            kinds[table.kind[card]] += 1
        needs: list[tuple[int, int]] = []
        mask = top = 0
        for kind, number in kinds.items():
            ids = [card for card in range(SIZE) if table.copies[card] and table.kind[card] == kind]
            if sum(table.copies[card] for card in ids) < number:
                break
            at = number_of[table.group[ids[0]], table.step[ids[0]]]
            here = packing.mask(ids)
            steps[at] = replace(steps[at], named=(*steps[at].named, (atoms, here, number)))
            needs.append((at, atoms))
            atoms, mask, top = atoms + 1, mask | here, max(top, table.step[ids[0]])
        else:
            number = len(shape.cards)
            reading = Reading(shape.index, 1, number, table.group_of(mask), top, shape.power(1, number))
            forms.append(Form(reading, (), tuple(needs), tuple(sorted(kinds.items()))))
    return forms

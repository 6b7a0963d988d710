"""Shapes with wings: sets or runs of sets, the body, and other cards of the group attached to each set.

The book numbers them among its forms by their bodies. Conditions on wings are used as far as their text
allows (see ``Rule``): what asks about the cards alike with one wing bounds how many of these are taken, what
names cards ties those together; only what is left, or where a play has another reading, is tried out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import comb
from typing import Any, NamedTuple

from . import Packing
from .attached import Attached, Checked, Taken
from .forms import Form, Plan, Reading, Rule, ShapeSpec, Step
from .order import OrderTable
from .picks import Subsets, lowest


class Cell(NamedTuple):
    """Cards that are alike: their mask, the masks of their classes, and the lowest 0, 1, 2 … of those in the deck."""

    mask: int
    classes: tuple[int, ...]
    lowest: tuple[int, ...]

    @property
    def most(self) -> int:
        """How many the deck has."""
        return len(self.lowest) - 1


class Blocks:
    """A group cut into blocks. The blocks that a hand has cards in are remembered for the hand asked last."""

    def __init__(self, cells: Sequence[tuple[int, ...]], masks: Sequence[int]) -> None:
        self.cells = tuple(cells)
        self.mask = sum(masks)
        self._masks = tuple(enumerate(masks))
        self._last: tuple[int, list[tuple[int, int]]] = (0, [])

    def look(self, hand: int) -> list[tuple[int, int]]:
        """Pairs (number of a block, cards of the hand in it), empty blocks left out."""
        if self._last[0] != hand:
            self._last = hand, [(number, held) for number, mask in self._masks if (held := hand & mask)]
        return self._last[1]


class _Body(NamedTuple):
    """One choice of cells for a body, what may be taken with it (by cell and number of sets, as far as that was
    asked), and by block what the hands met so far can take there."""

    cells: frozenset[int]
    cards: int
    allowed: dict[tuple[int, int], bool]
    memos: list[dict[int, Taken]]


class Winged:
    """All shapes with wings under one order. ``read`` and the cells are those of the book."""

    def __init__(
        self,
        book: Any,
        *,
        table: OrderTable,
        packing: Packing,
        classes: Sequence[int],
        steps: Sequence[Step],
        number_of: dict[tuple[int, int], int],
        read: Callable[[int], Reading | None],
    ) -> None:
        self.book, self.table, self.packing, self.classes, self.read = book, table, packing, classes, read
        self.cells: list[Cell] = []
        self.of_step: list[tuple[int, ...]] = []
        self.of_group: list[list[int]] = [[] for _ in table.step_mask]
        groups = {number: group for (group, _), number in number_of.items()}
        for number, step in enumerate(steps):
            start = len(self.cells)
            for mask, kinds in step.cells:
                ids = [card for card in range(len(table.copies)) if packing.one[card] & mask]
                deck = sum(packing.one[card] * table.copies[card] for card in ids)
                first = tuple(lowest(packing, deck, n) for n in range(packing.count(deck) + 1))
                self.cells.append(Cell(mask, kinds, first))
            self.of_step.append(tuple(range(start, len(self.cells))))
            self.of_group[groups[number]] += self.of_step[-1]
        self.cell_of = {
            card: number
            for number, cell in enumerate(self.cells)
            for card, one in enumerate(packing.one)
            if one & cell.mask
        }
        self._blocks: dict[tuple[tuple[int, ...], ...], Blocks] = {}
        self.forms: dict[int, WingedForm] = {}  # by number of the form
        self._of_size: dict[int, list[int]] = {}

    def add(self, forms: Sequence[Form], specs: Sequence[ShapeSpec]) -> None:
        """Take up the forms of a book that have wings, with the readings that may come before them."""
        by_index = {spec.index: spec for spec in specs}
        for number, form in enumerate(forms):
            if by_index[form.reading.shape].wings is not None:
                self.forms[number] = WingedForm(self, form, by_index[form.reading.shape])
        for number in sorted(self.forms, key=lambda n: first_reading(forms[n].reading)):
            self._of_size.setdefault(forms[number].reading.size, []).append(number)
        for made in self.forms.values():
            reading = made.reading
            made.rivals = [
                other
                for other in forms
                if other.reading.size == reading.size
                and other.reading.group in (reading.group, -1)
                and first_reading(other.reading) < first_reading(reading)
            ]

    def of_size(self, number: int) -> list[int]:
        """The forms of so many cards, in the order in which cards are read."""
        return self._of_size.get(number, [])

    def blocks(self, rules: Sequence[Rule], group: int) -> Blocks:
        """The group cut so that no condition that names cards looks into two blocks."""
        joint: list[set[int]] = []
        for rule in rules:
            if rule.kind != "named":
                continue
            together = self.named(rule) & set(self.of_group[group])
            for other in [one for one in joint if one & together]:
                joint.remove(other)
                together |= other
            joint.append(together)
        cut: list[tuple[int, ...]] = []
        for cell in self.of_group[group]:
            of = next((one for one in joint if cell in one), {cell})
            if cell == min(of):
                cut.append(tuple(sorted(of)))
        key = tuple(cut)
        if key not in self._blocks:
            self._blocks[key] = Blocks(cut, [sum(self.cells[c].mask for c in cells) for cells in cut])
        return self._blocks[key]

    def named(self, rule: Rule) -> set[int]:
        """The cells of the cards that a rule names."""
        return {self.cell_of[card] for card in rule.cards if card in self.cell_of}


def first_reading(reading: Reading) -> tuple[int, ...]:
    """How early a reading of some cards is chosen: the first shape of the file, then the highest."""
    return (reading.shape, -reading.top, -reading.width, -reading.length)


def tried_forms(forms: Sequence[Form]) -> int:
    """The forms, as bits, that need a look at each play: with wings, or where cards may read as an earlier shape."""
    odd = 0
    special = [form for form in forms if form.reading.wings or form.cards]
    for number, form in enumerate(forms):
        others = forms if form.cards else special
        if form.reading.wings or any(_may_hide(other, form) for other in others):
            odd |= 1 << number
    return odd


def _may_hide(other: Form, form: Form) -> bool:
    """Whether a play of sets and runs, or of named cards, may read as another form, which comes first."""
    new, old = other.reading, form.reading
    if new.size != old.size or first_reading(new) >= first_reading(old):
        return False
    touched, places = ({step for step, _ in one.atoms} for one in (other, form))
    if new.wings:
        return touched <= places and (new.width <= old.width or bool(form.cards))
    return touched == places


class WingedForm:
    """One body, up to the choice of its cards, with all wings that go with it."""

    def __init__(self, winged: Winged, form: Form, spec: ShapeSpec) -> None:
        assert spec.wings is not None
        self._all = winged
        self._form = form
        self._wings = spec.wings
        self.reading = reading = form.reading
        self.number = spec.wings.each * reading.length  # of sets attached
        self.rivals: list[Form] = []
        fine = all(len(cell.classes) == 1 for cell in winged.cells)
        self._rules = [rule if fine or rule.plain else rule._replace(kind="any") for rule in spec.rules]
        total = sum(winged.cells[cell].most for cell in winged.of_group[reading.group])
        attached = min(self.number * spec.wings.width, total // 2)
        self._bits = (comb(total, attached) << 1).bit_length()
        self._made: tuple[list[_Body], bool] | None = None
        self._blocks = winged.blocks(self._rules, reading.group)
        named = [rule for rule in self._rules if rule.kind == "named"]
        self._named = [[rule for rule in named if winged.named(rule) & set(block)] for block in self._blocks.cells]

    # -- what the rules allow --------------------------------------------------------------------

    def _bodies(self) -> tuple[list[_Body], bool]:
        """The bodies, and whether plays have to be tried out one by one."""
        if self._made is None:
            winged, width = self._all, self.reading.width
            choices = [
                [cell for cell in winged.of_step[step] if winged.cells[cell].most >= width] for step in self._form.steps
            ]
            found = []
            for cells in product(*choices):
                cards = sum(winged.cells[cell].lowest[width] for cell in cells)
                if all(rule.holds(winged.book, cards, 0) for rule in self._rules if rule.kind == "body"):
                    found.append(_Body(frozenset(cells), cards, {}, [{} for _ in self._blocks.cells]))
            tried = len(found) > 1 or any(rule.kind == "any" for rule in self._rules)
            tried = tried or any(self._may_be(rival, body) for rival in self.rivals for body in found)
            self._made = found, tried
        return self._made

    def _allows(self, body: _Body, cell: int, number: int) -> bool:
        """Whether so many sets of a cell may be wings, if the hand has them."""
        if not number:
            return True
        if number > (1 if self._wings.distinct else self.number):
            return False
        found = body.allowed.get((cell, number))
        if found is None:
            here, base = self._all.cells[cell].lowest, self.reading.width if cell in body.cells else 0
            wings = here[base + number * self._wings.width] - here[base]
            found = all(rule.holds(self._all.book, body.cards, wings) for rule in self._rules if rule.kind == "cell")
            body.allowed[cell, number] = found
        return found

    def _may_be(self, rival: Form, body: _Body) -> bool:
        """Whether wings might make another reading of a play with this body, which comes first."""
        need, reading, width = 0, rival.reading, self.reading.width
        if not rival.steps:
            return True
        if sum([step not in self._form.steps for step in rival.steps]) * reading.width > self.reading.wings:
            return False
        lacking: list[list[tuple[int, int]]] = []  # on each step the cells, with what they lack
        for step in rival.steps:
            cells = [cell for cell in self._all.of_step[step] if self._all.cells[cell].most >= reading.width]
            lacking.append([(cell, max(0, reading.width - (width if cell in body.cells else 0))) for cell in cells])
            need += min(lack for _, lack in lacking[-1])
        touched = {cell for cells in lacking for cell, _ in cells}
        if not reading.wings and (not body.cells <= touched or reading.width < width):
            return False
        return need <= self.number * self._wings.width and all(
            any(self._may_add(body, cell, lack) for cell, lack in cells) for cells in lacking
        )

    def _may_add(self, body: _Body, cell: int, lack: int) -> bool:
        """Whether so many cards of a cell, or more, may be wings."""
        free = self._all.cells[cell].most - (self.reading.width if cell in body.cells else 0)
        width = self._wings.width
        return any(self._allows(body, cell, n) for n in range(-(-lack // width), free // width + 1))

    # -- listing ---------------------------------------------------------------------------------

    def plan(self, hand: int) -> Plan | None:
        """All plays of this form that the hand can make; None if it has none."""
        bodies, tried = self._bodies()
        look = self._blocks.look(hand)
        bits, number = self._bits, self.number
        found = []
        for body in bodies:
            if len(bodies) > 1 and not self._has(body, hand):
                continue
            memos, ways = body.memos, 1
            own: list[Taken] = []  # what has cards of the body, before the rest
            rest: list[Taken] = []
            for at, held in look:
                taken = memos[at].get(held) or self._take(body, at, held)
                in_ways, _, _, always = taken
                if always:
                    ways *= in_ways
                    own.append(taken)
                elif in_ways != 1:
                    ways *= in_ways
                    rest.append(taken)
            ways = (ways >> (bits * number)) & ((1 << bits) - 1)
            if ways:
                found.append(Attached(own + rest, number=number, bits=bits, ways=ways))
        if not tried:
            return Plan(self.reading, found[0].ways, (found[0],)) if found else None
        read, reading = self._all.read, self.reading
        checked = Checked(found, lambda cards: read(cards) == reading)
        return Plan(reading, checked.ways, (checked,)) if checked.ways else None

    def _take(self, body: _Body, at: int, held: int) -> Taken:
        """What can be taken of one block, each time with what belongs to the body."""
        winged, pack, width = self._all, self._all.packing, self._wings.width
        sums: dict[int, list[int]] = {0: [0]}
        always = False
        for cell in self._blocks.cells[at]:
            here, have = winged.cells[cell], held & winged.cells[cell].mask
            base = self.reading.width if cell in body.cells else 0
            always = always or base > 0
            new: dict[int, list[int]] = {}
            free = pack.count(have) - base
            for n in range(free // width + 1):
                if not self._allows(body, cell, n):
                    continue
                number = base + n * width
                if len(here.classes) == 1 or not number:
                    some = [lowest(pack, have, number)]
                else:
                    some = list(Subsets(have, pack, winged.classes, number, number))
                for k, bases in sums.items():
                    if k + n <= self.number:
                        new.setdefault(k + n, []).extend(one + other for one in bases for other in some)
            sums = new
        if self._named[at]:
            sums = {k: [one for one in found if self._named_hold(body, at, one)] for k, found in sums.items()}
        lists = tuple(tuple(sums.get(k, ())) for k in range(max(sums, default=0) + 1))
        ways = sum(len(some) << (self._bits * k) for k, some in enumerate(lists))
        whole = next((k for k, some in enumerate(lists) if held in some), -1)
        found = body.memos[at][held] = Taken(ways, lists, whole, always)
        return found

    def _named_hold(self, body: _Body, at: int, cards: int) -> bool:
        return any(
            all(rule.holds(self._all.book, body.cards, cards - own) for rule in self._named[at])
            for own in self._splits(body, cards, self._blocks.cells[at])
        )

    def _splits(self, body: _Body, cards: int, cells: Sequence[int]) -> Iterator[int]:
        """Which of some cards may be those of the body, where alike cards can be told apart; mostly one way."""
        winged, pack, width = self._all, self._all.packing, self.reading.width
        ways: list[list[int]] = []
        for number in cells:
            if number in body.cells:
                have = cards & winged.cells[number].mask
                several = len(winged.cells[number].classes) > 1 and pack.count(have) > width
                ways.append(
                    list(Subsets(have, pack, winged.classes, width, width)) if several else [lowest(pack, have, width)]
                )
        return map(sum, product(*ways))

    # -- reading ---------------------------------------------------------------------------------

    def fits(self, cards: int) -> bool:
        """Whether all of the cards are a body and wings, as the rules want them."""
        return cards & ~self._blocks.mask == 0 and any(self._is(body, cards) for body in self._bodies()[0])

    def _has(self, body: _Body, cards: int) -> bool:
        """Whether some cards have a body in these cells."""
        winged, pack = self._all, self._all.packing
        return all(pack.count(cards & winged.cells[cell].mask) >= self.reading.width for cell in body.cells)

    def _is(self, body: _Body, cards: int) -> bool:
        if not self._has(body, cards):
            return False
        number = 0
        for at, held in self._blocks.look(cards):
            taken = body.memos[at].get(held) or self._take(body, at, held)
            if taken.whole < 0:
                return False
            number += taken.whole
        if number != self.number:
            return False
        if all(rule.kind != "any" for rule in self._rules):
            return True
        rules = [rule for rule in self._rules if rule.kind in ("any", "named")]
        return any(
            all(rule.holds(self._all.book, own, cards - own) for rule in rules)
            for own in self._splits(body, cards, tuple(body.cells))
        )

    def broken(self, cards: int) -> list[int]:
        """The rules that alone keep the cards from being a body and wings; none where something else does."""
        winged, pack, width = self._all, self._all.packing, self._wings.width
        if cards & ~self._blocks.mask:
            return []
        choices = [winged.of_step[step] for step in self._form.steps]
        for cells in product(*choices):
            own = 0
            for cell in cells:
                have = cards & winged.cells[cell].mask
                own += lowest(pack, have, self.reading.width) if pack.count(have) >= self.reading.width else 0
            wings = cards - own
            sets = [pack.count(wings & cell.mask) for cell in winged.cells]
            most = width if self._wings.distinct else pack.count(wings)
            if pack.count(own) == self.reading.size - self.reading.wings and not any(
                n % width or n > most for n in sets
            ):
                return [rule.number for rule in self._rules if not rule.holds(winged.book, own, wings)]
        return []

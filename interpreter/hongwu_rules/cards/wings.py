"""Shapes with wings: sets or runs of sets, the body, and other cards of the group attached to each set.

The book numbers them among its forms by their bodies. Conditions on wings are used as far as their text
allows (see ``Rule``): what asks about the cards alike with one wing bounds how many of these are taken, what
names cards ties those together; only what is left, or where a play has another reading, is tried out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import comb
from typing import Any, NamedTuple

from . import Packing
from .attached import Attached, Checked, Taken
from .forms import Form, Plan, Reading, Rule, ShapeSpec, Step
from .order import OrderTable
from .picks import Subsets, lowest


class Cell(NamedTuple):
    """Cards that are alike: their mask, the masks of their classes, how many the deck has, and the lowest of them."""

    mask: int
    classes: tuple[int, ...]
    most: int
    deck: int


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
    """One choice of cells for a body, and by block what the hands met so far can take there."""

    cells: frozenset[int]
    cards: int
    memos: list[dict[int, Taken]]
    allowed: dict[int, tuple[int, ...]]  # by cell: how many sets of it may be wings, none apart


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
            first = len(self.cells)
            for mask, kinds in step.cells:
                ids = [card for card in range(len(table.copies)) if packing.one[card] & mask]
                deck = sum(packing.one[card] * table.copies[card] for card in ids)
                self.cells.append(Cell(mask, kinds, packing.count(deck), deck))
            self.of_step.append(tuple(range(first, len(self.cells))))
            self.of_group[groups[number]] += self.of_step[-1]
        self.cell_of = {
            card: number
            for number, cell in enumerate(self.cells)
            for card, one in enumerate(packing.one)
            if one & cell.mask
        }
        self._blocks: dict[tuple[tuple[int, ...], ...], Blocks] = {}
        self._memos: dict[object, dict[int, Taken]] = {}
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

    def memo(self, key: object) -> dict[int, Taken]:
        """What can be taken of a block, shared by all forms that ask the same of it."""
        return self._memos.setdefault(key, {})


def first_reading(reading: Reading) -> tuple[int, ...]:
    """How early a reading of some cards is chosen: the first shape of the file, then the highest."""
    return (reading.shape, -reading.top, -reading.width, -reading.length)


def tried_forms(forms: Sequence[Form]) -> int:
    """The forms, as bits, that need a look at each play: with wings, or where cards may read as an earlier shape."""
    odd = 0
    for number, form in enumerate(forms):
        others = forms if form.cards else [other for other in forms if other.reading.wings or other.cards]
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
                cards = sum(lowest(winged.packing, winged.cells[cell].deck, width) for cell in cells)
                if all(rule.holds(winged.book, cards, 0) for rule in self._rules if rule.kind == "body"):
                    found.append(self._body(frozenset(cells), cards))
            tried = len(found) > 1 or any(rule.kind == "any" for rule in self._rules)
            tried = tried or any(self._may_be(rival, body) for rival in self.rivals for body in found)
            self._made = found, tried
        return self._made

    def _body(self, cells: frozenset[int], cards: int) -> _Body:
        winged, width = self._all, self._wings.width
        asked = [rule for rule in self._rules if rule.kind == "cell"]
        allowed: dict[int, tuple[int, ...]] = {}
        memos = []
        for block in self._blocks.cells:
            signs = []
            for cell in block:
                here = winged.cells[cell]
                base = self.reading.width if cell in cells else 0
                most = min((here.most - base) // width, 1 if self._wings.distinct else self.number)
                allowed[cell] = tuple(
                    n
                    for n in range(1, most + 1)
                    if all(
                        rule.holds(winged.book, cards, self._rest(here.deck, base, base + n * width)) for rule in asked
                    )
                )
                signs.append((base, allowed[cell]))
            names = self._named(block)
            about = (self.reading.shape, cells, *(rule.number for rule in names)) if names else ()
            memos.append(winged.memo((block, tuple(signs), width, self.number, self._bits, about)))
        return _Body(cells, cards, memos, allowed)

    def _named(self, block: Sequence[int]) -> list[Rule]:
        """The rules that name cards of a block."""
        return [rule for rule in self._rules if rule.kind == "named" and self._all.named(rule) & set(block)]

    def _rest(self, cards: int, base: int, number: int) -> int:
        """The lowest ``number`` of some cards but for those of the body."""
        pack = self._all.packing
        return lowest(pack, cards, number) - lowest(pack, cards, base)

    def _may_be(self, rival: Form, body: _Body) -> bool:
        """Whether wings might make another reading of a play with this body, which comes first."""
        need, reading = 0, rival.reading
        if not rival.steps:
            return True
        touched: set[int] = set()
        for step in rival.steps:
            cells = self._all.of_step[step]
            touched |= set(cells)
            lacks = [
                reading.width - (self.reading.width if cell in body.cells else 0)
                for cell in cells
                if (self.reading.width if cell in body.cells else 0)
                + max(body.allowed[cell], default=0) * self._wings.width
                >= reading.width
            ]
            if not lacks:
                return False
            need += max(0, min(lacks))
        if not reading.wings and (not body.cells <= touched or reading.width < self.reading.width):
            return False
        return need <= self.number * self._wings.width

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
            memos, ways, blocks = body.memos, 1, []
            for at, held in look:
                taken = memos[at].get(held)
                if taken is None:
                    taken = self._take(body, at, held)
                if taken.ways != 1 or taken.always:
                    ways *= taken.ways
                    blocks.append(taken)
            ways = (ways >> (bits * number)) & ((1 << bits) - 1)
            if ways:
                found.append(Attached(blocks, number=number, bits=bits, ways=ways))
        if not tried:
            return Plan(self.reading, found[0].count(), (found[0],)) if found else None
        read, reading = self._all.read, self.reading
        checked = Checked(found, lambda cards: read(cards) == reading)
        return Plan(reading, checked.count(), (checked,)) if checked.count() else None

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
            numbers = [n for n in (0, *body.allowed[cell]) if n * width <= free]
            for n in numbers:
                number = base + n * width
                if len(here.classes) == 1 or not number:
                    some = [lowest(pack, have, number)]
                else:
                    some = list(Subsets(have, pack, winged.classes, number, number))
                for k, bases in sums.items():
                    if k + n <= self.number:
                        new.setdefault(k + n, []).extend(one + other for one in bases for other in some)
            sums = new
        if self._named(self._blocks.cells[at]):
            sums = {k: [one for one in found if self._named_hold(body, at, one)] for k, found in sums.items()}
        lists = tuple(tuple(sums.get(k, ())) for k in range(max(sums, default=0) + 1))
        ways = sum(len(some) << (self._bits * k) for k, some in enumerate(lists))
        whole = next((k for k, some in enumerate(lists) if held in some), -1)
        found = body.memos[at][held] = Taken(ways, lists, whole, always)
        return found

    def _named_hold(self, body: _Body, at: int, cards: int) -> bool:
        block = self._blocks.cells[at]
        wings = cards - self._body_of(body, cards, block)
        return all(rule.holds(self._all.book, body.cards, wings) for rule in self._named(block))

    def _body_of(self, body: _Body, cards: int, cells: Sequence[int]) -> int:
        """The cards of the body among some, the lowest."""
        winged = self._all
        return sum(
            lowest(winged.packing, cards & winged.cells[cell].mask, self.reading.width)
            for cell in cells
            if cell in body.cells
        )

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
        own = self._body_of(body, cards, tuple(body.cells))
        return all(rule.holds(self._all.book, own, cards - own) for rule in self._rules if rule.kind == "any")

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

"""Shapes: sets of cards alike, and runs of such sets. Read, count, list and compare plays.

A ``ShapeBook`` is made once for an order and the shapes switched on. It numbers every play that the
deck allows up to the choice of cards (shape, width, length, group, top: a *form*) in the canonical
order: fewest cards first, then weakest. What a hand can form is then one AND of big ints: the hand
is cut into chunks of a few steps, and each value that a chunk takes remembers the forms it permits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from operator import attrgetter
from typing import Literal, NamedTuple

from . import SIZE, Packing
from .attached import Checked, product_of
from .chunks import Chunk, Permits, Permitted
from .contest import EVERY_PART, Contest
from .duties import Duties, demand_of
from .follow import Choosing, Owed
from .forms import (
    Plan,
    Reading,
    ShapeSpec,
    beats,
    find_cells,
    find_forms,
    find_named,
    find_steps,
    weakest_first,
)
from .lanes import Lanes
from .order import OrderTable
from .picks import Choices, NonEmpty, lowest
from .throws import Part, Throws
from .wings import Winged, tried_forms

__all__ = ["Choices", "Plan", "Reading", "ShapeBook", "ShapeSpec", "beats"]

READ = 1 << 12  # readings remembered
RUNS = 1 << 14  # runs remembered of which a hand has only one
ASKED = 1 << 12  # questions remembered: which forms fit and beat a reading
Lot = Plan | NonEmpty  # some plays, as many as its ``ways``
Fits = Callable[[Reading], bool]  # which readings are wanted, the same each time: remembered by the callable itself
Wanted = tuple[int, Sequence[Chunk]]  # some forms, as bits, and the chunks of a hand that they need cards of
_NUMBER = attrgetter("number")


class _Groups(NamedTuple):
    """What is played of each group, groups as masks: of ``wholes`` every choice of cards, else the forms ``others``, and
    by kind of throw of those ``thrown``. ``sifted``: whether some form of those groups is not wanted."""

    wholes: list[int]
    others: Wanted
    sifted: bool
    thrown: list[list[int]]
    left: list[list[int]]  # … of those, the groups that are no ``wholes``


class ShapeBook:
    """The shapes of a game under one order.

    ``classes`` is by card id: cards of an equal class on a step (with ``alike_by="card"`` also: that are
    the same card) are interchangeable; of such plays the one with the lowest ids stands for all.
    ``over`` and ``later`` say how plays to a lead of several parts are compared, see ``Contest``.
    """

    def __init__(
        self,
        shapes: Sequence[ShapeSpec],
        table: OrderTable,
        packing: Packing,
        classes: Sequence[int],
        *,
        alike_by: Literal["card", "step"] = "step",
        over: int = EVERY_PART,
        later: bool = False,
    ) -> None:
        self.table = table
        self._packing = packing
        self._classes = tuple(classes)
        self.cell = find_cells(table, alike_by)
        self._steps, number_of = find_steps(table, packing, self.cell, self._classes, shapes)
        named = find_named(shapes, table, packing, self._steps, number_of)
        forms = weakest_first([*find_forms(shapes, table, self._steps, number_of), *named], table)
        self.readings: tuple[Reading, ...] = tuple(form.reading for form in forms)
        self._bits = [1 << number for number in range(len(forms))]
        self._everything = sum(self._bits)
        self.winged = Winged(
            self,
            table=table,
            packing=packing,
            classes=self._classes,
            steps=self._steps,
            number_of=number_of,
            read=self.read,
        )
        self.winged.add(forms, shapes)
        self._odd = tried_forms(forms)
        self._permits = Permits(self._steps, forms, self._odd, table=table, packing=packing, classes=self._classes)
        self._chunks, home = self._permits.cut()
        # by form: the chunk of a form of one step (else -1; -2 if its plays are tried, -3 if it has wings),
        # and the chunk and atom of each step
        self._home = [
            -3
            if number in self.winged.forms
            else -2
            if self._odd >> number & 1
            else home[form.atoms[0][0]]
            if len(form.atoms) == 1
            else -1
            for number, form in enumerate(forms)
        ]
        self._rest = sum(self._bits[number] for number, at in enumerate(self._home) if at < 0)
        self._needs = [tuple((home[step], atom) for step, atom in form.atoms) for form in forms]
        # reading: each step is a bit; the bits and the width name the form
        self._forms_by_bits = {
            (f.reading.width, sum(1 << s for s in f.steps)): f.reading for f in forms if f.steps and not f.reading.wings
        }
        self._named = {f.cards: f.reading for f in reversed(named)}
        outside = 1 << len(self._steps)
        self._step_at = [packing.mask([card]) for card in range(SIZE)]
        self._bit_at = [outside] * SIZE
        for card in range(SIZE):
            if table.group[card] >= 0:
                number = number_of[table.group[card], table.step[card]]
                self._step_at[card], self._bit_at[card] = self._steps[number].mask, 1 << number
        self._alike: dict[int, int] = {}
        self._alone: dict[int, Plan] = {}
        self._read: dict[int, Reading | None] = {}
        self._asked: dict[tuple[Fits | None, Reading | None], Wanted] = {}
        self._groups_of: dict[Fits | None, _Groups] = {}
        self.lanes = Lanes(table, packing, self.cell)
        self.choosing = Choosing(packing, self._classes)
        self.duties = Duties(self.lanes)
        self._owed: dict[tuple[Reading, bool, bool], Owed | None] = {}
        self.contest = Contest(self.lanes, over=over, later=later)
        self.throws = tuple(
            Throws(
                spec,
                shapes,
                self.lanes,
                classes=self._classes,
                others=lambda held: self._forms(held, *self._wanted(None, None)),
                members=self.members,
                read=self.read,
            )
            for spec in shapes
            if spec.parts
        )

    # -- reading -------------------------------------------------------------------------------

    def read(self, cards: int) -> Reading | None:
        """What ``cards`` are: the first shape in file order that fits; None if they are no shape."""
        try:
            return self._read[cards]
        except KeyError:
            pass
        if len(self._read) >= READ:
            self._read.clear()
        reading = self._read[cards] = self._read_new(cards)
        return reading

    def _read_new(self, cards: int) -> Reading | None:
        form = self._read_plain(cards)
        for throws in self.throws:
            if form is not None and form.shape < throws.index:
                break
            if (reading := throws.read(cards)) is not None:
                return reading
        return form

    def shape(self, cards: int) -> int | None:
        """The shape that cards read as; cheaper than to read them, where that is new."""
        if cards in self._read or not self.throws:
            reading = self.read(cards)
            return None if reading is None else reading.shape
        form = self._read_plain(cards)
        for throws in self.throws:
            if form is not None:
                reading = self.read(cards)
                return None if reading is None else reading.shape
            if throws.fits(cards):
                return throws.index
        return None

    def parts(self, cards: int) -> tuple[Part, ...]:
        """The parts of cards that read as a shape, with the cards of each; a play of one part is all of it."""
        reading = self.read(cards)
        if reading is None:
            return ()
        for throws in self.throws:
            if throws.index == reading.shape:
                return throws.split(cards)
        return (Part(reading, cards),)

    def beaten(self, cards: int, hands: Sequence[int]) -> list[Part]:
        """The parts of a throw that one of the hands beats; none if the cards are no throw."""
        throws = self._throws_of(cards)
        return [] if throws is None else throws.beaten(cards, hands)

    def any_beaten(self, cards: int, hands: Sequence[int]) -> bool:
        """Whether the cards are a throw of which one of the hands beats a part."""
        throws = self._throws_of(cards)
        return throws is not None and throws.any_beaten(cards, hands)

    def _throws_of(self, cards: int) -> Throws | None:
        reading = self.read(cards)
        if reading is None or not reading.parts:
            return None
        return next((throws for throws in self.throws if throws.index == reading.shape), None)

    def _read_plain(self, cards: int) -> Reading | None:
        """What cards are, but for shapes of several parts."""
        form = self._read_form(cards)
        if self._named:
            kinds: dict[int, int] = {}
            for card, copies in self._packing.items(cards):
                kind = self.table.kind[card]
                kinds[kind] = kinds.get(kind, 0) + copies
            named = self._named.get(tuple(sorted(kinds.items())))
            if named is not None and (form is None or named.shape < form.shape):
                form = named
        for number in self._winged_in(cards):
            reading = self.readings[number]
            if form is not None and form.shape < reading.shape:
                break
            if self.winged.forms[number].fits(cards):
                return reading
        return form

    def _winged_in(self, cards: int) -> list[int]:
        """The forms with wings that take as many cards, and whose bodies are there, in the order of reading."""
        found = self.winged.of_size(self._packing.count(cards)) if self.winged.forms else []
        if found:
            there = self._open(cards, -1, self._chunks)
            found = [number for number in found if there >> number & 1]
        return found

    def refused(self, cards: int) -> list[int]:
        """The rules about wings, by number, that alone keep the cards from being a shape."""
        for number in self._winged_in(cards):
            if broken := self.winged.forms[number].broken(cards):
                return broken
        return []

    def _read_form(self, cards: int) -> Reading | None:
        width, step_at, bit_at, alike = self._packing.width, self._step_at, self._bit_at, self._alike
        rest, bits, wide = cards, 0, 0
        while rest:
            card = ((rest & -rest).bit_length() - 1) // width
            held = rest & step_at[card]
            found = alike.get(held)
            if found is None:
                found = self._width_of(held)
            if not found or found != (wide or found):
                return None
            wide = found
            bits |= bit_at[card]
            rest ^= held
        return self._forms_by_bits.get((wide, bits))

    def _width_of(self, held: int) -> int:
        """How many cards, if they are all alike; else 0."""
        if len(self._alike) >= READ:
            self._alike.clear()
        items = list(self._packing.items(held))
        cells = {self.cell[card] for card, _ in items}
        width = sum(copies for _, copies in items) if len(cells) == 1 else 0
        self._alike[held] = width
        return width

    def alike(self, card: int, other: int) -> bool:
        """Whether two cards may stand together in a pair."""
        return 0 <= self.cell[card] == self.cell[other]

    # -- comparing -----------------------------------------------------------------------------

    beats = staticmethod(beats)

    def can_beat(self, hand: int, beat: Reading) -> bool:
        """Whether the hand holds a play that beats the reading."""
        wanted, chunks = self._wanted(None, beat)
        there = self._open(hand, wanted, chunks)
        if there & ~self._odd:
            return True
        return there != 0 and bool(self._forms(hand, wanted, chunks))

    def _open(self, hand: int, wanted: int, chunks: Sequence[Chunk]) -> int:
        """Those of the forms ``wanted`` for which the hand has what they need on each step."""
        for _, mask, memo, steps in chunks:
            if not wanted:
                break
            part = memo.get(hand & mask)
            if part is None:
                part = self._permits.part(memo, steps, hand & mask)
            wanted &= part.open
        return wanted

    def _wanted(self, fits: Fits | None, beat: Reading | None) -> Wanted:
        """The forms that fit and beat the reading, as bits, and the chunks that they need cards of."""
        found = self._asked.get((fits, beat))
        if found is None:
            if len(self._asked) >= ASKED:
                self._asked.clear()
            found = self._asked[fits, beat] = self._needed(
                number
                for number, reading in enumerate(self.readings)
                if (fits is None or fits(reading)) and (beat is None or beats(reading, beat))
            )
        return found

    def _needed(self, numbers: Iterable[int]) -> Wanted:
        wanted, needed = 0, set()
        for number in numbers:
            wanted |= self._bits[number]
            needed |= {chunk for chunk, _ in self._needs[number]}
        return wanted, [chunk for chunk in self._chunks if chunk[0] in needed]

    def owed(self, lead: Reading, sets: bool, runs: bool) -> Owed | None:
        """What a follower owes to the lead beside its group: the sets of it, the runs of it; None for nothing."""
        key = lead, sets, runs
        if key not in self._owed:
            if len(self._owed) >= ASKED:
                self._owed.clear()
            owed = Owed(self.duties, self.lanes, demand_of(lead), sets=sets, runs=runs)
            self._owed[key] = owed if owed.asks else None
        return self._owed[key]

    # -- listing -------------------------------------------------------------------------------

    def plans(self, hand: int, fits: Fits | None = None, beat: Reading | None = None) -> list[Plan]:
        """Every form the hand can make, with the number of its plays: fewest cards first, then weakest.

        ``fits`` keeps some forms, ``beat`` what beats a reading. No play is in two plans.
        """
        found = self._forms(hand, *self._wanted(fits, beat))
        found.sort(key=_NUMBER)
        if self.throws and beat is None:
            for throws, masks in zip(self.throws, self._groups(fits).thrown, strict=True):
                found += [plan for plan in throws.plans(hand, masks) if fits is None or fits(plan.reading)]
            found.sort(key=lambda plan: plan.reading.size)
        return found

    def lots(self, hand: int, fits: Fits | None = None) -> Sequence[Lot]:
        """The same plays for counting and drawing, in no order: those of a whole group may be one lot."""
        if not self.throws:
            return self._forms(hand, *self._wanted(fits, None))
        groups = self._groups(fits)
        found: list[Lot] = []
        for mask in groups.wholes:
            held = hand & mask
            if held:
                found.append(NonEmpty(held, self._packing, self._classes))
                hand -= held
        if hand:
            found += self._forms(hand, *groups.others, sifted=groups.sifted)
            for throws, masks in zip(self.throws, groups.left, strict=True):
                if masks:
                    found += [plan for plan in throws.plans(hand, masks) if fits is None or fits(plan.reading)]
        return found

    def _groups(self, fits: Fits | None) -> _Groups:
        found = self._groups_of.get(fits)
        if found is None:
            if len(self._groups_of) >= ASKED:
                self._groups_of.clear()
            closed, sifted = all(throws.closed for throws in self.throws), False
            wholes: list[int] = []
            others: list[int] = []
            thrown: list[list[int]] = [[] for _ in self.throws]
            for group, mask in enumerate(self.table.group_mask):
                forms = [number for number, reading in enumerate(self.readings) if reading.group == group]
                fitting = [number for number in forms if fits is None or fits(self.readings[number])]
                whole = closed and fitting == forms
                for throws, masks in zip(self.throws, thrown, strict=True):
                    fit = [fits is None or fits(reading) for reading in throws.readings(group)]
                    whole = whole and all(fit)
                    if any(fit):
                        masks.append(mask)
                if whole:
                    wholes.append(mask)
                else:
                    others += fitting
                    sifted = sifted or fitting != forms
            left = [[mask for mask in masks if mask not in wholes] for masks in thrown]
            found = self._groups_of[fits] = _Groups(wholes, self._needed(others), sifted, thrown, left)
        return found

    def _forms(self, hand: int, wanted: int, chunks: Sequence[Chunk], *, sifted: bool = True) -> list[Plan]:
        """The plans of the shapes that have no parts; not ``sifted`` where a hand can only make those wanted."""
        sifted, first, bits = sifted and wanted != self._everything, wanted, self._bits
        parts: dict[int, Permitted] = {}
        found: list[Plan] = []
        for chunk, mask, memo, steps in chunks:
            held = hand & mask
            part = memo.get(held)
            if part is None:
                part = self._permits.part(memo, steps, held)
            wanted &= part.open
            if not wanted:
                return []
            parts[chunk] = part
            if not sifted:
                found += part.plans
            elif first & part.ready:  # what other chunks lack does not matter to these
                found += [plan for plan in part.plans if first & bits[plan.number]]
        rest = wanted & self._rest
        while rest:
            form = rest.bit_length() - 1
            rest ^= bits[form]
            plan = self._plan(form, parts, hand)
            if plan is not None:
                found.append(plan)
        return found

    def _plan(self, form: int, parts: Mapping[int, Permitted], hand: int) -> Plan | None:
        """The plan of a form that needs several chunks of the hand, is tried or has wings; None if it has no play."""
        at, reading = self._home[form], self.readings[form]
        if at == -3:
            winged = self.winged.forms[form].plan(hand)
            if winged is not None:
                winged.number = form
            return winged
        needs = self._needs[form]
        if at == -1:
            cards = 0
            for chunk, atom in needs:
                only = parts[chunk].only[atom]
                if not only:
                    break
                cards += only
            else:
                found = self._alone.get(cards)
                return found if found is not None and found.number == form else self._only(form, cards)
        ways, slots = 1, []
        for chunk, atom in needs:
            number, choices = parts[chunk].options[atom]
            ways *= number
            slots.append(choices)
        if at == -2:
            tried = Checked([product_of(slots, ways)], partial(self._reads_as, reading))
            return Plan(reading, tried.ways, (tried,), form) if tried.ways else None
        return Plan(reading, ways, tuple(slots), form)

    def _only(self, form: int, cards: int) -> Plan:
        """The plan with this play alone; one object, so that what was worked out for it is found again."""
        if len(self._alone) >= RUNS:
            self._alone.clear()
        found = self._alone[cards] = Plan(self.readings[form], 1, ((cards,),), form)
        return found

    def _reads_as(self, reading: Reading, cards: int) -> bool:
        return self.read(cards) == reading

    def count(self, hand: int, fits: Fits | None = None, beat: Reading | None = None) -> int:
        """How many plays the hand has, by the numbers of its plans."""
        return sum(lot.ways for lot in (self.lots(hand, fits) if beat is None else self.plans(hand, fits, beat)))

    def plays(self, hand: int, fits: Fits | None = None, beat: Reading | None = None) -> Iterator[int]:
        """Every play of the hand, each once, in the order of ``plans``."""
        return chain.from_iterable(plan.plays() for plan in self.plans(hand, fits, beat))

    def members(self, plan: Plan, hand: int) -> Iterator[int]:
        """The plays of a plan made for ``hand``, packed."""
        return plan.plays()

    def canonical(self, cards: int, hand: int) -> int:
        """The play among ``members`` that ``cards`` of the hand cannot be told apart from."""
        packing, made = self._packing, 0
        for step in self._steps:
            if cards & step.mask:
                for _, classes in step.cells:
                    for mask in classes:
                        if cards & mask:
                            made += lowest(packing, hand & mask, packing.count(cards & mask))
        return made

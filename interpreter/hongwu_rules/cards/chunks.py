"""What a hand permits, chunk by chunk: the hand is cut into a few neighbouring steps, and each value that such a chunk
takes remembers the forms that it leaves open and the choices that it has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from . import SIZE, Packing
from .attached import FEW
from .forms import Form, Plan, Step
from .order import OrderTable
from .picks import Choices, Subsets, lowest

STATES = 1024  # a chunk of steps takes at most about so many values …
REMEMBERED = 1 << 12  # … or, with one step of very many cards, forgets at this number


@dataclass(slots=True)
class Permitted:
    """What the cards of a hand in one chunk permit."""

    open: int  # the forms that need no more in this chunk than it has
    options: dict[int, tuple[int, Choices]]  # atom → how many choices, and the choices
    only: dict[int, int]  # atom → the only choice, 0 where there are several
    plans: tuple[Plan, ...]  # the forms of one step, ready …
    ready: int  # … and as bits


Chunk = tuple[int, int, dict[int, Permitted], tuple[Step, ...]]  # number, mask, what its values permit, steps


class Permits:
    """Works out what a chunk permits. ``odd`` has the forms, as bits, whose plays are tried or have wings."""

    def __init__(
        self,
        steps: Sequence[Step],
        forms: Sequence[Form],
        odd: int,
        *,
        table: OrderTable,
        packing: Packing,
        classes: Sequence[int],
    ) -> None:
        self._steps, self._table, self._packing, self._classes = steps, table, packing, classes
        self._readings = tuple(form.reading for form in forms)
        self._everything = (1 << len(forms)) - 1
        atoms = sum(step.most + len(step.named) for step in steps)
        self._needing = [0] * atoms  # the forms that use an atom
        self._single: list[list[int]] = [[] for _ in range(atoms)]  # those that use nothing else
        for number, form in enumerate(forms):
            for _, atom in form.atoms:
                self._needing[atom] |= 1 << number
            if len(form.atoms) == 1 and not odd >> number & 1:
                self._single[form.atoms[0][1]].append(number)
        self._options: dict[int, tuple[tuple[int, Choices], ...]] = {}

    def cut(self) -> tuple[list[Chunk], list[int]]:
        """Chunks of neighbouring steps; and the chunk of each step."""
        cut: list[list[Step]] = []
        home: list[int] = []
        room = 0
        for step in self._steps:
            values = 1
            for card in range(SIZE):
                if self._packing.one[card] & step.mask:
                    values *= self._table.copies[card] + 1
            if values > room:
                cut.append([])
                room = STATES
            room //= values
            cut[-1].append(step)
            home.append(len(cut) - 1)
        return [(i, sum(step.mask for step in steps), {}, tuple(steps)) for i, steps in enumerate(cut)], home

    def part(self, memo: dict[int, Permitted], steps: tuple[Step, ...], held: int) -> Permitted:
        """What these cards of a chunk permit; ``memo`` remembers it."""
        options: dict[int, tuple[int, Choices]] = {}
        plans: list[Plan] = []
        closed = 0
        for step in steps:
            choices = self._choices(step, held & step.mask)
            for width, atom in enumerate(step.atoms):
                if width >= len(choices):
                    closed |= self._needing[atom]
                    continue
                options[atom] = ways, slot = choices[width]
                plans += [Plan(self._readings[form], ways, (slot,), form) for form in self._single[atom]]
            for atom, mask, number in step.named:
                if self._packing.count(held & mask) < number:
                    closed |= self._needing[atom]
                    continue
                some = tuple(Subsets(held & mask, self._packing, self._classes, number, number))
                options[atom] = len(some), some
                plans += [Plan(self._readings[form], len(some), (some,), form) for form in self._single[atom]]
        if len(memo) >= REMEMBERED:
            memo.clear()
        only = {atom: some[0] if isinstance(some, tuple) and ways == 1 else 0 for atom, (ways, some) in options.items()}
        part = memo[held] = Permitted(
            self._everything & ~closed, options, only, tuple(plans), sum([1 << plan.number for plan in plans])
        )
        return part

    def _choices(self, step: Step, held: int) -> tuple[tuple[int, Choices], ...]:
        """By width - 1, as far as the cards go: how many choices of so many alike, and which."""
        found = self._options.get(held)
        if found is not None:
            return found
        packing, all_of = self._packing, []
        most = max((packing.count(held & mask) for mask, _ in step.cells), default=0)
        for width in range(1, min(most, step.most) + 1):
            ways, listed, whole = 0, [], None
            for mask, classes in step.cells:
                if packing.count(held & mask) < width:
                    continue
                if len(classes) == 1:
                    ways += 1
                    listed.append(lowest(packing, held & mask, width))
                    continue
                whole = Subsets(held, packing, self._classes, width, width, mask)
                ways += whole.ways
                if ways <= FEW or len(step.cells) > 1:
                    listed.extend(whole)
            all_of.append((ways, whole if whole is not None and ways != len(listed) else tuple(listed)))
        if len(self._options) >= REMEMBERED:
            self._options.clear()
        found = self._options[held] = tuple(all_of)
        return found

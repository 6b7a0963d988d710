"""The inputs of a table as a grid, and what its rows cover of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from ..model import Row
from ..model.ir import Type
from .boxes import Box
from .context import Context

FAR = 10**9  # as good as without end


@dataclass(frozen=True, slots=True)
class Axis:
    """One input of a table as a grid: point ``i`` stands for ``low + step * i``, or ``values[i]``."""

    name: str
    type: Type
    low: int
    step: int
    count: int
    values: tuple[int, ...] = ()

    def at(self, point: int) -> int:
        """The value of a point."""
        return self.values[point] if self.values else self.low + self.step * point

    def ends(self, low: int | None, high: int | None) -> tuple[int, int]:
        """The points from ``low`` to ``high``; an empty pair (1, 0) if there are none."""
        if self.values:
            inside = [i for i, v in enumerate(self.values) if (low is None or v >= low) and (high is None or v <= high)]
            return (inside[0], inside[-1]) if inside else (1, 0)
        first = 0 if low is None else max(0, -(-(low - self.low) // self.step))
        last = self.count - 1 if high is None else min(self.count - 1, (high - self.low) // self.step)
        return (first, last) if first <= last else (1, 0)


def axis(context: Context, name: str, kind: Type) -> Axis:
    """The grid of one input."""
    if kind.name == "int" or (not kind.words and kind.name not in ("bool",) and kind.low is not None):
        low = -FAR if kind.low is None else kind.low
        high = FAR if kind.high is None else kind.high
        return Axis(name, kind, low, kind.step, max(0, (high - low) // kind.step + 1))
    whole = context.ruleset.kinds.get(kind.of)
    if whole is not None and kind.words != whole.words:  # some words of a kind only
        values = tuple(sorted(whole.words.index(word) for word in kind.words if word in whole.words))
        return Axis(name, Type("word", of=kind.of, words=whole.words), 0, 1, len(values), values)
    known = context.evaluator.domain(kind.sure).exact or frozenset()
    points = tuple(sorted(v for v in known if isinstance(v, int)))
    return Axis(name, kind, 0, 1, len(points), points)


def boxes(row: Row, axes: Sequence[Axis]) -> list[Box]:
    """What a row covers; cells outside the domain cover nothing."""
    sides: list[list[tuple[int, int]]] = []
    for a in axes:
        cell = row.keys.get(a.name)
        ranges = cell.ranges if cell is not None else ((None, None),)
        ends = [a.ends(low, high) for low, high in ranges]
        sides.append([(low, high) for low, high in ends if low <= high])
    return [tuple(box) for box in product(*sides)]


__all__ = ["FAR", "Axis", "axis", "boxes"]

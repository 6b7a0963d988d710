"""Exact arithmetic on boxes: what is left of one when others are cut out of it."""

from __future__ import annotations

from collections.abc import Iterable

Box = tuple[tuple[int, int], ...]  # for each input, inclusive ends on its own grid
MOST = 150_000  # boxes looked at before a table counts as too big


class TooMany(Exception):
    """The pieces are more than can be looked at."""


class Budget:
    """How many boxes may still be looked at; ``spend`` raises TooMany when they are used up."""

    def __init__(self, left: int = MOST) -> None:
        self.left = left

    def spend(self, boxes: int) -> None:
        self.left -= boxes
        if self.left < 0:
            raise TooMany


def meet(one: Box, two: Box) -> Box | None:
    """What both boxes share, None if nothing."""
    shared = tuple((max(a, c), min(b, d)) for (a, b), (c, d) in zip(one, two, strict=True))
    return None if any(low > high for low, high in shared) else shared


def without(box: Box, cut: Box) -> list[Box]:
    """The pieces of ``box`` outside ``cut``.

    >>> without(((0, 9),), ((3, 5),))
    [((0, 2),), ((6, 9),)]
    """
    shared = meet(box, cut)
    if shared is None:
        return [box]
    pieces: list[Box] = []
    rest = list(box)
    for axis, (low, high) in enumerate(shared):
        first, last = rest[axis]
        if first < low:
            pieces.append((*rest[:axis], (first, low - 1), *rest[axis + 1 :]))
        if high < last:
            pieces.append((*rest[:axis], (high + 1, last), *rest[axis + 1 :]))
        rest[axis] = (low, high)
    return pieces


def left_over(boxes: Iterable[Box], cuts: Iterable[Box], budget: Budget | None = None) -> list[Box]:
    """What is left of ``boxes`` when all ``cuts`` are taken out; TooMany where that grows too far."""
    left = list(boxes)
    budget = budget or Budget()
    for cut in cuts:
        budget.spend(len(left))
        left = [piece for box in left for piece in without(box, cut)]
    return left


def merged(boxes: list[Box]) -> list[Box]:
    """The same points in fewer boxes: neighbours that differ along one input become one."""
    boxes = sorted(set(boxes))
    changed = len(boxes) <= 400
    while changed:
        changed = False
        for i, one in enumerate(boxes):
            for j in range(i + 1, len(boxes)):
                both = _joined(one, boxes[j])
                if both is not None:
                    boxes[i] = both
                    del boxes[j]
                    changed = True
                    break
            if changed:
                break
    return sorted(boxes)


def _joined(one: Box, two: Box) -> Box | None:
    axes = [axis for axis, (a, b) in enumerate(zip(one, two, strict=True)) if a != b]
    if len(axes) != 1:
        return None
    (a, b), (c, d) = one[axes[0]], two[axes[0]]
    if b + 1 < c or d + 1 < a:
        return None
    return (*one[: axes[0]], (min(a, c), max(b, d)), *one[axes[0] + 1 :])


def size(boxes: Iterable[Box]) -> int:
    """How many points."""
    total = 0
    for box in boxes:
        points = 1
        for low, high in box:
            points *= high - low + 1
        total += points
    return total

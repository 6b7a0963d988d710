"""What is known on entering each phase: facts carried along the ways from phase to phase until nothing changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from ..model import Phase

Known = TypeVar("Known")


def along(
    phases: Mapping[str, Phase],
    entry: dict[str, Known],
    through: Callable[[Phase], Iterable[tuple[str, Known]]],
    meet: Callable[[Known, Known], Known],
) -> None:
    """Follow every way from the phases in ``entry``, which holds what is known on entering them, and in the end those
    that play comes to.

    ``through`` says where play goes from a phase, and what is known then; it may read ``entry``. ``meet`` is what is
    known where two ways come together. Ways to phases that are not declared are passed over.
    """
    waiting = [name for name in entry if name in phases]
    while waiting:
        for to, known in through(phases[waiting.pop(0)]):
            if to not in phases:
                continue
            new = meet(entry[to], known) if to in entry else known
            if to not in entry or new != entry[to]:
                entry[to] = new
                if to not in waiting:
                    waiting.append(to)


__all__ = ["along"]

"""Records: what a file says, in classes that are quick to import and to make.

To a type checker a ``record`` is a frozen dataclass, so that nothing here changes one. At run time it has the
``__init__`` of a plain dataclass with slots, and takes from ``Record`` how it compares, hashes and shows: what
``dataclass`` writes for each class by itself, and for frozen ones twice over, cost a tenth of a whole check.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


class Record:
    """Compares and hashes by its class and its fields.

    >>> @record()
    ... class Point(Record):
    ...     x: int
    ...     y: int = 0
    >>> Point(1) == Point(1, 0), Point(1) == Point(2), len({Point(1), Point(1)})
    (True, False, 1)
    >>> Point(1)
    Point(x=1, y=0)
    """

    __slots__ = ()

    def _values(self) -> tuple[Any, ...]:
        return tuple([getattr(self, one.name) for one in fields(self)])  # type: ignore[arg-type]

    def __eq__(self, other: object) -> bool:
        if self.__class__ is not other.__class__:
            return NotImplemented
        return self is other or self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def __repr__(self) -> str:
        shown = ", ".join(f"{one.name}={getattr(self, one.name)!r}" for one in fields(self))  # type: ignore[arg-type]
        return f"{type(self).__name__}({shown})"


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(*, kw_only: bool = False) -> Callable[[type[T]], type[T]]:
    """Make a record of a class that derives from `Record`."""
    return dataclass(slots=True, repr=False, eq=False, kw_only=kw_only)


__all__ = ["Record", "record"]

"""What stands in a state for cards and values that it does not know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from ..diagnostics import Text
from ..errors import HiddenRead

_CARDS = Text("这里要看一家的牌，可是不知道是什么牌", "a rule needs cards that this state does not know")
_HAND = Text("不知道他手里是什么牌", "this state does not know the cards that are picked from")
_COUNT = Text("这里要知道有几张牌，可是没有给出", "a rule needs to know how many cards there are, and nobody said")
_VALUE = Text("这里要看一项不知道的记录", "a rule needs a value that this state does not know")


@dataclass(frozen=True, slots=True)
class Hidden:
    """Unknown cards in a zone; ``count`` says how many there are, if that is known.

    >>> bool(Hidden(3)), len(Hidden(3))
    (True, 3)
    """

    count: int | None = None

    def __len__(self) -> int:
        if self.count is None:
            raise HiddenRead(_COUNT)
        return self.count

    def __bool__(self) -> bool:
        return len(self) > 0

    def _read(self, *_: object) -> NoReturn:
        raise HiddenRead(_CARDS)

    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __sub__ = __rsub__ = __add__ = __radd__ = _read
    __rshift__ = __rrshift__ = __lshift__ = __rlshift__ = __invert__ = __neg__ = __int__ = __index__ = _read
    __iter__ = __getitem__ = __contains__ = __lt__ = __le__ = __gt__ = __ge__ = _read


@dataclass(frozen=True, slots=True)
class HiddenValue:
    """An unknown memory slot."""

    def __repr__(self) -> str:
        return "HIDDEN"


HIDDEN = HiddenValue()


def known(value: object) -> object:
    """The value of a slot that may be hidden; HiddenRead if it is."""
    if type(value) is HiddenValue:
        raise HiddenRead(_VALUE)
    return value


def unknown_hand() -> HiddenRead:
    """The error for a move from cards that a state does not know."""
    return HiddenRead(_HAND)


def hidden_read() -> HiddenRead:
    """The error for cards that are not known."""
    return HiddenRead(_CARDS)

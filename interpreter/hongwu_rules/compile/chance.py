"""Chance: reproducible from a seed, or given beforehand as dealt cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from hashlib import shake_128
from operator import mod
from struct import Struct
from typing import Any, NamedTuple

from .. import cards
from ..diagnostics import Text
from ..errors import HiddenRead, PositionError
from .layout import Layout


class Chance(NamedTuple):
    """``draws`` chance events have happened; of the given deals, ``dealt`` have been used.

    Random numbers are read off SHAKE-128 of ``seed:draws``, eight bytes each: the same on every machine and
    for every version of Python, and cheaper than to seed a generator for each deal. So many bits leave no bias
    that anybody could find in a number modulo that of the cards. Without a seed nothing is known of what will come.
    """

    seed: int | None
    draws: int = 0
    deals: tuple[tuple[int, ...], ...] = ()
    dealt: int = 0

    def order(self, deck: Sequence[int]) -> tuple[tuple[int, ...], Chance]:
        """The deck in its next random order (top first), or as the next given deal has it."""
        seed, draws, deals, dealt = self
        if dealt < len(deals):
            return deals[dealt], Chance(seed, draws, deals, dealt + 1)
        left = list(deck)  # a number chooses one of the cards left, the next one of those left then …
        order = tuple(map(left.pop, map(mod, self._numbers(len(deck)), range(len(deck), 0, -1))))
        return order, tuple.__new__(Chance, (seed, draws + 1, deals, dealt))

    def pick(self, items: Sequence[Any]) -> tuple[Any, Chance]:
        """One of the items."""
        return items[self._numbers(1)[0] % len(items)], self._replace(draws=self.draws + 1)

    def _numbers(self, count: int) -> tuple[int, ...]:
        """Numbers from 0 to 2**64 - 1; HiddenRead where the seed is not known."""
        if self.seed is None:
            raise HiddenRead(Text("不知道会发什么牌、抽中什么", "what chance will bring is not known here"))
        words = _words(count)
        return words.unpack(shake_128(b"%d:%d" % (self.seed, self.draws)).digest(words.size))


@cache
def _words(count: int) -> Struct:
    """So many numbers of eight bytes, the lowest byte first."""
    return Struct(f"<{count}Q")


Hands = Mapping[Any, Any]


def given_deals(layout: Layout, deals: Iterable[Sequence[int] | Hands]) -> tuple[tuple[int, ...], ...]:
    """Given deals as orders of the deck, top first; PositionError where one does not fit the deck.

    A deal is a list of card ids, or a mapping such as ``{"hand": {0: [...], 1: [...]}, "stock": [...]}``: the hands
    that dealing round the table from seat 0 gives, then what is left below them (by id where not said).
    """
    return tuple(_order(layout, number, deal) for number, deal in enumerate(deals, 1))


def _order(layout: Layout, number: int, deal: Sequence[int] | Hands) -> tuple[int, ...]:
    ids = _arranged(layout, number, deal) if isinstance(deal, Mapping) else list(deal)
    extra, missing = _difference(ids, layout.deck_ids), _difference(layout.deck_ids, ids)
    if extra or missing:
        zh, en = f"第{number}次发牌与牌不合：", f"deal {number} does not fit the deck: "
        if extra:
            zh, en = zh + f"多了 {_names(extra)}", en + f"too many of {_names(extra)}"
        if missing:
            zh, en = (
                zh + ("；" if extra else "") + f"少了 {_names(missing)}",
                en + ("; " if extra else "") + f"missing {_names(missing)}",
            )
        raise PositionError(Text(zh, en))
    return tuple(ids)


def _arranged(layout: Layout, number: int, deal: Hands) -> list[int]:
    """The order of the deck from which dealing gives the hands asked for."""
    hands: dict[int, list[int]] = {}
    below: list[int] | None = None
    for name, value in deal.items():
        place = layout.zones.get(name)
        if place is None:
            raise PositionError(
                Text(f"第{number}次发牌：没有“{name}”这个地方", f'deal {number}: there is no zone "{name}"')
            )
        if place.zone.per_seat and isinstance(value, Mapping):
            hands = {int(seat): list(held) for seat, held in value.items()}
        else:
            below = list(value)
    sizes = {len(held) for held in hands.values()}
    if len(sizes) > 1:
        raise PositionError(Text(f"第{number}次发牌：各家张数不同", f"deal {number}: the hands are not of one size"))
    size = sizes.pop() if sizes else 0
    if size and sorted(hands) != list(range(layout.seats)):
        named = [card for held in hands.values() for card in held] + (below or [])
        rest = _difference(layout.deck_ids, named)
        for seat in range(layout.seats):
            if seat not in hands:
                hands[seat], rest = rest[:size], rest[size:]
    on_top = [hands[seat][turn] for turn in range(size) for seat in range(layout.seats) if len(hands[seat]) > turn]
    return on_top + (below if below is not None else _difference(layout.deck_ids, on_top))


def _difference(some: Iterable[int], others: Iterable[int]) -> list[int]:
    """The cards of one list that the other lacks, copies counted, in order."""
    left = list(others)
    found = []
    for card in some:
        if card in left:
            left.remove(card)
        else:
            found.append(card)
    return found


def _names(ids: Iterable[int]) -> str:
    return " ".join(cards.NAMES[card] for card in ids)

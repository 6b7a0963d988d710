"""What the effects of the language do: cards change places, and an event says so.

Events are tuples that begin with their kind; sets of cards are packed, places are numbers, and a
last number has one bit for each seat that may see the cards (the bit after the seats: onlookers).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..cards.tricks import Play, Trick, new_tuple
from . import faults
from .layout import Layout
from .working import Working

FROM_TRICK = -1  # in place of a zone
Ruff = Callable[[Working, Play], object]


def effects(layout: Layout, scope: dict[str, Any]) -> dict[str, Callable[..., None]]:
    """The effects as functions of generated code. ``scope`` holds who sees what: ``see_zone``, and ``ruff``."""
    pack, n = layout.pack, layout.seats
    one, items, ids, guard = pack.one, pack.items, pack.ids, pack.guard
    ordered = tuple(zone.ordered for zone, _ in layout.zone_at)
    empty = layout.empty
    deck = layout.deck_ids

    def take(g: Working, place: int, cards: int) -> None:
        """Take cards out of a zone."""
        held = g.z[place]
        if ordered[place]:
            rest = list(held)
            for card, copies in items(cards):
                for _ in range(copies):
                    if card not in rest:
                        raise faults.broken(faults.NOT_THERE)
                    rest.remove(card)
            g.z[place] = tuple(rest)
            return
        if ((held | guard) - cards) & guard != guard:  # as Packing.contains
            raise faults.broken(faults.NOT_THERE)
        g.z[place] = held - cards

    def put(g: Working, place: int, cards: int) -> None:
        """Add cards to a zone, below what lies there."""
        g.z[place] = g.z[place] + (tuple(ids(cards)) if ordered[place] else cards)

    def do_shuffle(g: Working, place: int) -> None:
        order, g.chance = g.chance.order(deck)
        g.z[:] = empty
        g.z[place] = order if ordered[place] else pack.of(order)
        g.trick = None
        g.e.append(("shuffle", place))

    def do_deal(g: Working, source: int, base: int, number: int) -> None:
        stock = g.z[source]
        if not ordered[source]:
            stock = tuple(ids(stock))
        if number < 0 or len(stock) < number * n:
            raise faults.broken(faults.TOO_FEW)
        cards, all_of = list(map(one.__getitem__, stock[: number * n])), g.z
        dealt = tuple([sum(cards[seat::n]) for seat in range(n)])
        for place, hand in enumerate(dealt, base):
            if all_of[place] or ordered[place]:
                put(g, place, hand)
            else:
                all_of[place] = hand
        rest = stock[number * n :]
        g.z[source] = rest if ordered[source] else pack.of(rest)
        sights = scope["sights"][base]
        if sights is None:
            sights = tuple([see(g) for see in scope["see_zone"][base : base + n]])
        g.e.append(("deal", source, base, dealt, sights))

    def moved(g: Working, source: int, target: int, cards: int, seen: int) -> None:
        put(g, target, cards)
        g.e.append(("move", source, target, cards, seen | scope["see_zone"][target](g)))

    def do_move_all(g: Working, source: int, target: int) -> None:
        held = g.z[source]
        if source == target or not held:
            return
        seen = scope["see_zone"][source](g)
        if ordered[source] and ordered[target]:
            g.z[source], g.z[target] = (), g.z[target] + held
            g.e.append(("move", source, target, pack.of(held), seen | scope["see_zone"][target](g)))
            return
        g.z[source] = empty[source]
        moved(g, source, target, pack.of(held) if ordered[source] else held, seen)

    def do_move_top(g: Working, source: int, target: int) -> None:
        pile: Sequence[int] = g.z[source] if ordered[source] else ids(g.z[source])
        if not pile:
            raise faults.broken(faults.NOT_THERE)
        seen = scope["see_zone"][source](g)
        card = pile[0]
        g.z[source] = g.z[source][1:] if ordered[source] else g.z[source] - one[card]
        moved(g, source, target, one[card], seen)

    def do_move_cards(g: Working, source: int, target: int, cards: int) -> None:
        if not cards:
            return
        seen = scope["see_zone"][source](g)
        take(g, source, cards)
        moved(g, source, target, cards, seen)

    def do_move_trick(g: Working, target: int) -> None:
        trick = g.trick
        if trick is None:
            raise faults.unset("桌上还没有牌", "there is no trick on the table")
        cards = sum([play.cards for play in trick.plays])
        g.trick = None
        g.e.append(("trick", trick.winner))
        put(g, target, cards)
        g.e.append(("move", FROM_TRICK, target, cards, (2 << n) - 1))

    def do_play(g: Working, seat: int, place: int, cards: int) -> None:
        if not cards:
            raise faults.broken(faults.NOT_THERE)
        if ordered[place]:
            take(g, place, cards)
        else:  # as ``take``, without a call: every card that is played comes here
            held = g.z[place]
            if ((held | guard) - cards) & guard != guard:
                raise faults.broken(faults.NOT_THERE)
            g.z[place] = held - cards
        add_play(g, seat, cards)
        g.e.append(("play", seat, cards))

    def add_play(g: Working, seat: int, cards: int) -> None:
        """Put cards on the table, wherever they come from."""
        table, book = g.order or g.program.order_of(g)
        reading = book.read(cards)
        group = table.group_of(cards) if reading is None else reading.group
        play = new_tuple(Play, (seat, cards, reading, group, None))
        trick = g.trick
        if trick is None:
            g.trick = new_tuple(Trick, ((play,), 0, group))
            return
        competes = group == trick.led
        if not competes and group >= 0:
            ruff: Ruff | None = scope["ruff"]
            competes = ruff is not None and bool(ruff(g, play))
        g.trick = trick.add(play, competes=competes, contest=book.contest)

    def do_show(g: Working, seat: int | None, cards: int) -> None:
        if cards:
            g.e.append(("show", seat, cards))

    made = (do_shuffle, do_deal, do_move_all, do_move_top, do_move_cards, do_move_trick, do_play, do_show, add_play)
    return {do.__name__: do for do in made}

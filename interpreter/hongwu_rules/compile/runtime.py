"""The helpers that generated functions call, made once for each layout."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from .. import cards
from ..cards.order import OrderTable
from ..cards.shapes import ShapeBook, beats
from ..cards.tricks import Play, Trick
from ..cards.tricks import follows_group as follows
from . import faults
from .hidden import Hidden, hidden_read, known, unknown_hand
from .layout import Layout
from .working import Working


def equal(left: object, right: object) -> bool:
    """Equality of two values that may both be unset: then it does not hold."""
    return left is not None and left == right


def same_cards(left: object, right: object) -> bool:
    """Equality of two sets of cards."""
    if type(left) is Hidden or type(right) is Hidden:
        raise hidden_read()
    return left == right


def the(found: Iterable[Any]) -> Any:
    """The first item; RulesFault if there is none."""
    for item in found:
        return item
    raise faults.broken(faults.NONE_FITS)


def nothing() -> Any:
    """What a choice falls back to that must have had a match."""
    raise faults.broken(faults.NONE_FITS)


def nth(pile: Sequence[int], number: int) -> int | None:
    """The card at a place of a pile, counted from 1; None if the pile is shorter."""
    return pile[number - 1] if 0 < number <= len(pile) else None


def position(item: object, items: Sequence[object]) -> int:
    """The place of an item in a list, counted from 1; 0 if it is not there."""
    for place, other in enumerate(items, 1):
        if item is not None and other == item:
            return place
    return 0


def trick_winner(trick: Trick | None) -> int | None:
    """Who is winning the trick; None where nothing has been played."""
    return None if trick is None else trick.plays[trick.best].seat


def trick_led(trick: Trick | None) -> int | None:
    """The group led; None where nothing has been played, or mixed cards."""
    return None if trick is None or trick.led < 0 else trick.led


def unmixed(group: int) -> int | None:
    """A group number, None where cards are mixed."""
    return None if group < 0 else group


def shape_of(play: Play) -> int | None:
    """The shape that a play read as."""
    return None if play.reading is None else play.reading.shape


def read_shape(book: ShapeBook, cards: int) -> int | None:
    """The shape that some cards read as."""
    return book.shape(cards)


def beats_trick(book: ShapeBook, cards: int, trick: Trick | None) -> bool:
    """Whether cards read as a play that beats the best one of the trick."""
    best = a_trick(trick).best_play.reading
    reading = book.read(cards)
    return best is not None and reading is not None and beats(reading, best)


def can_beat(book: ShapeBook, cards: int, trick: Trick | None) -> bool:
    """Whether a play that beats the best one of the trick can be made of the cards."""
    best = a_trick(trick).best_play.reading
    return best is not None and book.can_beat(cards, best)


def a_trick(trick: Trick | None) -> Trick:
    """The trick on the table; RulesFault if there is none."""
    if trick is None:
        raise faults.unset("桌上还没有牌", "there is no trick on the table")
    return trick


def measured(g: Working, place: int, value: int, phase: str) -> None:
    """Take a measure: it must fall each time within a deal, and not below zero."""
    measures = g.measures
    last = measures[place]
    if last is not None and value >= last:
        raise faults.measure_stuck(phase, last, value)
    if value < 0:
        raise faults.measure_negative(phase, value)
    g.measures = (*measures[:place], value, *measures[place + 1 :])


def helpers(layout: Layout) -> dict[str, Any]:
    """The global names of generated code."""
    pack = layout.pack
    low, one, alias = pack.low, pack.one, layout.alias
    n, teams = layout.seats, layout.ruleset.seats.teams

    number = pack.count

    twos = low << 1

    def count_few(x: Any) -> int:
        """As ``count``, of at most three cards of a kind, without a second call."""
        return x.bit_count() + (x & twos).bit_count() if type(x) is int else len(x)

    def count(x: Any) -> int:
        """How many cards; of hidden ones too, where that is known."""
        return number(x) if type(x) is int else len(x)

    def pack_of(ids: Iterable[int]) -> int:
        return sum(map(one.__getitem__, ids))

    def spread(x: int) -> int:
        """The mask of every card of which a copy is there."""
        some = 0
        for plane in pack.planes:
            some |= x >> plane & low
        return some * pack.field

    def first(x: int) -> int:
        if not x:
            raise faults.broken(faults.NONE_FITS)
        return ((x & -x).bit_length() - 1) // pack.width

    values = sorted({v for v in layout.points if v})
    by_value = [(v, pack.mask(i for i in range(cards.SIZE) if layout.points[i] == v)) for v in values]

    def points(x: int) -> int:
        return sum([value * count(x & mask) for value, mask in by_value])

    def kinds(x: int) -> list[int]:
        """Every card that is there, once."""
        return [card for card, _ in pack.items(x)]

    def by_kind(x: int) -> dict[int, int]:
        found: dict[int, int] = {}
        for card, copies in pack.items(x):
            found[alias[card]] = found.get(alias[card], 0) + copies
        return found

    def pairs(x: int) -> int:
        return sum(copies // 2 for copies in by_kind(x).values())

    def pairs_by_step(table: OrderTable, x: int) -> int:
        found: dict[tuple[int, int], int] = {}
        for card, copies in pack.items(x):
            place = (table.group[card], table.step[card])
            found[place] = found.get(place, 0) + copies
        return sum(copies // 2 for copies in found.values())

    def alike(x: int) -> bool:
        return len(by_kind(x)) <= 1

    def alike_by_step(table: OrderTable, x: int) -> bool:
        return len({(table.group[card], table.step[card]) for card, _ in pack.items(x)}) <= 1

    by_alias: dict[int, int] = {}
    for card in range(cards.SIZE):
        by_alias[alias[card]] = by_alias.get(alias[card], 0) | pack.mask((card,))
    same = tuple([by_alias[alias[card]] for card in range(cards.SIZE)])

    def each_alike(g: Working) -> Sequence[int]:
        """By card id the mask of the cards that ``alike`` takes for alike with it."""
        if layout.ruleset.shapes.alike_by == "card":
            return same
        table = g.table()
        outside = pack.mask([card for card in range(cards.SIZE) if table.group[card] < 0])
        return [
            table.step_mask[group][step] if group >= 0 else outside
            for group, step in zip(table.group, table.step, strict=True)
        ]

    def common(table: Sequence[int | None]) -> Callable[[int], int | None]:
        def of(x: int) -> int | None:
            found = {table[card] for card, _ in pack.items(x)}
            return found.pop() if len(found) == 1 else None

        return of

    def follows_group(picked: int, hand: int, trick: Trick | None, table: OrderTable) -> bool:
        """A lead of mixed cards asks for nothing."""
        led = a_trick(trick).led
        return led < 0 or follows(picked, hand, table.group_mask[led], pack)

    def by_value_masks(values: Sequence[int | None]) -> dict[int | None, int]:
        kinds = {v for v in values if v is not None}
        return {v: pack.mask(i for i in range(cards.SIZE) if values[i] == v) for v in kinds}

    ladder = layout.ruleset.ladder
    steps = ladder.steps if ladder else ()
    place = {rank: i for i, rank in enumerate(steps)}
    stops = {place[rank] for rank in ladder.stops if rank in place} if ladder else set()

    def up(rank: int, steps_up: int) -> int:
        at = place[rank]
        for _ in range(min(steps_up, len(steps))):
            if at + 1 < len(steps):
                at += 1
            if at in stops:
                break
        return steps[at]

    return {
        "a_trick": a_trick,
        "alike": alike,
        "alike_by_step": alike_by_step,
        "beats_trick": beats_trick,
        "broken": faults.broken,
        "can_beat": can_beat,
        "card_mask": {i: pack.mask((i,)) for i in range(cards.SIZE)},
        "common_colour": common(layout.colour),
        "common_suit": common(layout.suit),
        "contains": pack.contains,
        "count": count_few if pack.copies <= 3 else count,
        "down": lambda rank, number: steps[max(0, place[rank] - number)],
        "each_alike": each_alike,
        "equal": equal,
        "first": first,
        "follows_group": follows_group,
        "ids": pack.ids,
        "is_stop": lambda rank: rank is not None and place.get(rank) in stops,
        "kind_of": alias,
        "kinds": kinds,
        "known": known,
        "ladder": place,
        "measured": measured,
        "next_seat": tuple((s + 1) % n for s in range(n)),
        "no_first": faults.no_first,
        "no_row": faults.no_row,
        "no_seat": faults.no_seat,
        "no_way": faults.no_way,
        "NOT_THERE": faults.NOT_THERE,
        "nothing": nothing,
        "number": number,
        "nth": nth,
        "one": one,
        "opponents": tuple(
            tuple((s + i) % n for i in range(1, n) if not teams or teams[(s + i) % n] != teams[s]) for s in range(n)
        ),
        "others": tuple(tuple((s + i) % n for i in range(1, n)) for s in range(n)),
        "out_of_range": faults.out_of_range,
        "pack_of": pack_of,
        "pairs": pairs,
        "payable": faults.payable,
        "pairs_by_step": pairs_by_step,
        "partner": tuple(
            next((t for t in range(n) if t != s and teams[t] == teams[s]), None) if teams else None for s in range(n)
        ),
        "points": points,
        "points_of": layout.points,
        "position": position,
        "read_shape": read_shape,
        "rank_of": layout.rank,
        "rank_mask": by_value_masks(layout.rank),
        "same_cards": same_cards,
        "seats_from": tuple(tuple((s + i) % n for i in range(n)) for s in range(n)),
        "shape_of": shape_of,
        "spread": spread,
        "suit_colour": cards.COLOUR_OF_SUIT,
        "suit_of": layout.suit,
        "suit_mask": by_value_masks(layout.suit),
        "colour_of": layout.colour,
        "colour_mask": by_value_masks(layout.colour),
        "team": teams,
        "the": the,
        "trick_led": trick_led,
        "trick_winner": trick_winner,
        "unknown_hand": unknown_hand,
        "unmixed": unmixed,
        "up": up,
    }

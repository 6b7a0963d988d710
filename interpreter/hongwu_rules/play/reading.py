"""The parts of a description: memory, zones, a trick, a round, as people and programs write them down.

PositionError says what does not fit; nothing else is raised, whatever is given.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from .. import cards
from ..cards.tricks import Trick
from ..compile.hidden import HIDDEN, Hidden
from ..compile.layout import SlotPlace
from ..compile.program import Program
from ..compile.working import Working
from ..diagnostics import Text
from ..errors import PositionError, cut, quoted
from .judge import TROUBLE
from .state import Chance, Position

SEED_BITS = 4096  # of a seed: more could not be written down again


def wrong(zh: str, en: str) -> PositionError:
    """What is wrong with a description."""
    return PositionError(Text(zh, en))


def seed_of(value: Any) -> int:
    """A seed: an int that can be written down."""
    if isinstance(value, bool) or not isinstance(value, int) or value.bit_length() > SEED_BITS:
        raise wrong(f"seed 要是整数，不是 {quoted(value)}", f"a seed is an int, not {quoted(value)}")
    return value


def is_seat(program: Program, seat: Any) -> bool:
    """Whether it is the number of a seat."""
    return isinstance(seat, int) and not isinstance(seat, bool) and 0 <= seat < program.layout.seats


def index_of(part: Any, size: int) -> int | None:
    """The index that a key of a description stands for (``2`` or ``"2"``); None if there is none."""
    index = int(part) if isinstance(part, str) and part.isdecimal() and len(part) < 4 else part
    return index if isinstance(index, int) and not isinstance(index, bool) and 0 <= index < size else None


def mapping(value: Any, what: str) -> Mapping[Any, Any]:
    """Names and values."""
    if not isinstance(value, Mapping):
        raise wrong(f"“{what}”要按名字给出", f'"{what}" takes names and values')
    return value


def listed(value: Any, what: str) -> Sequence[Any]:
    """A list, or nothing."""
    if value is None:
        return ()
    if not isinstance(value, list | tuple):
        raise wrong(f"“{what}”要写成一列，不是 {quoted(value)}", f'"{what}" takes a list, not {quoted(value)}')
    return value


def read_memory(program: Program, given: Any) -> list[Any]:
    """Start values, then what is given."""
    blank = Working(program, [None] * len(program.layout.slot_at), [], None, Chance(0))
    try:
        program.start_match(blank)
        program.start_deal(blank)
    except TROUBLE as error:
        raise program.fault(error) from error
    m: list[Any] = list(blank.m)
    for name, value in mapping(given, "memory").items():
        place = program.layout.slots.get(name)
        if place is None:
            raise wrong(f"memory 里没有 {quoted(name)}", f"there is no {quoted(name)} in the memory")
        fill(program, m, place, (), value)
    return m


def fill(program: Program, m: list[Any], place: SlotPlace, key: tuple[int, ...], value: Any) -> None:
    """Put the value of a slot, or the values by index, into the memory."""
    if len(key) == len(place.sizes):
        m[place.at(*key)] = HIDDEN if value is HIDDEN else program.decode(place.slot.type, value)
        return
    for part, inner in mapping(value, place.slot.name).items():
        index = index_of(part, place.sizes[len(key)])
        if index is None:
            name = place.slot.name
            raise wrong(f"“{name}”没有下标 {quoted(part)}", f'"{name}" has no index {quoted(part)}')
        fill(program, m, place, (*key, index), inner)


def read_zones(program: Program, given: Any) -> list[Any]:
    """What is given; of the rest, what everybody sees is empty, and what not everybody sees is unknown."""
    layout = program.layout
    public = (2 << layout.seats) - 1
    blank = Working(program, [None] * len(layout.slot_at), [], None, Chance(0))
    z: list[Any] = []
    for place, (zone, _) in enumerate(layout.zone_at):
        try:
            open_to = program.see_zone[place](blank)
        except TROUBLE:
            open_to = 0
        z.append((() if zone.ordered else 0) if open_to == public else Hidden())
    for name, value in mapping(given, "zones").items():
        found = layout.zones.get(name)
        if found is None:
            raise wrong(f"没有 {quoted(name)} 这个地方", f"there is no zone {quoted(name)}")
        parts = mapping(value, name) if found.zone.per_seat else {0: value}
        for part, inner in parts.items():
            index = index_of(part, found.size)
            if index is None:
                raise wrong(f"“{name}”没有座位 {quoted(part)}", f'"{name}" has no seat {quoted(part)}')
            z[found.base + index] = read_cards(program, inner, ordered=found.zone.ordered)
    return z


def read_cards(program: Program, value: Any, *, ordered: bool = False) -> Any:
    """Cards of a text or a list; ``{"count": 3}`` for cards that nobody knows."""
    if isinstance(value, Mapping):
        if "cards" in value:
            value = value["cards"]
        else:
            number = value.get("count")
            if number is not None and index_of(number, len(program.layout.deck_ids) + 1) is None:
                raise wrong(f"没有 {quoted(number)} 张这么多牌", f"there are not {quoted(number)} cards")
            return Hidden(None if number is None else int(number))
    if isinstance(value, str) or (isinstance(value, Sequence) and all(isinstance(v, str) for v in value)):
        try:
            ids = cards.parse_cards(value)
        except cards.CardError as fault:
            raise wrong(f"没有 {quoted(fault.word)} 这张牌", cut(str(fault), 200)) from None
        deck, pack = program.layout.ruleset.deck.cards, program.layout.pack
        for card, number in Counter(ids).items():
            if number > deck.get(card, 0):
                raise wrong(f"牌里没有这么多 {cards.NAMES[card]}", f"the deck has not so many {cards.NAMES[card]}")
        return tuple(ids) if ordered else pack.of(ids)
    raise wrong(f"牌要写成 S5 S10 …，不是 {quoted(value)}", f"cards are written S5 S10 …, not {quoted(value)}")


def read_trick(program: Program, g: Working, given: Any) -> Trick | None:
    """The plays ``[{seat, cards}, …]`` as a trick."""
    plays = given.get("plays") if isinstance(given, Mapping) else given
    trick: Trick | None = None
    for line in listed(plays, "trick"):
        entry = mapping(line, "trick")
        if not is_seat(program, entry.get("seat")):
            raise wrong("桌上的每手牌要写 seat 和 cards", "each play of the trick has its seat and cards")
        packed = read_cards(program, entry.get("cards", ""))
        if not packed:
            raise wrong("桌上的每手牌要有牌", "each play of the trick has cards")
        try:
            trick = program.play(g, trick, entry["seat"], packed)
        except TROUBLE as error:
            raise program.fault(error) from error
    return trick


def read_round(program: Program, phase: int, given: Any) -> tuple[int, int]:
    """The seats that an open round does not ask again, and the moves made in it, as bits."""
    waiting = made = 0
    moves = program.phases[phase].moves
    for name in listed(mapping(given, "round").get("made"), "made"):
        if not isinstance(name, str) or name not in moves:
            raise wrong(f"这个阶段没有 {quoted(name)} 这个动作", f"this phase has no move {quoted(name)}")
        made |= moves[name].bit
    for seat in listed(mapping(given, "round").get("passed"), "passed"):
        if not is_seat(program, seat):
            raise wrong(f"没有座位 {quoted(seat)}", f"there is no seat {quoted(seat)}")
        waiting |= 1 << seat
    return waiting, made


def enough(program: Program, at: Position) -> None:
    """No card more often than the deck has it."""
    total: dict[int, int] = {}
    for place, held in enumerate(at.z):
        if type(held) is not Hidden:
            ids = held if program.layout.zone_at[place][0].ordered else program.layout.pack.ids(held)
            for card in ids:
                total[card] = total.get(card, 0) + 1
    for play in at.trick.plays if at.trick is not None else ():
        for card in program.layout.pack.ids(play.cards):
            total[card] = total.get(card, 0) + 1
    for card, number in total.items():
        if number > program.layout.ruleset.deck.cards.get(card, 0):
            raise wrong(
                f"{cards.NAMES[card]} 一共写了 {number} 张，牌里没有这么多",
                f"{cards.NAMES[card]} is given {number} times, more than the deck has",
            )

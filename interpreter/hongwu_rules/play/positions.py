"""States from descriptions: a partial position, a view, a saved text; and states as saved texts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from .. import cards
from ..cards.tricks import Trick
from ..compile.chance import given_deals
from ..compile.hidden import HIDDEN, Hidden
from ..compile.layout import SlotPlace
from ..compile.program import Program
from ..compile.working import Working
from ..diagnostics import Text
from ..errors import DamagedState, HongwuError, OtherRuleset, PositionError
from .judge import TROUBLE
from .move import Move
from .state import Chance, Entry, Position, State, entries, logged
from .views import nested, options_json, round_json, trick_json, zone_names

FORMAT = 1


# ---------------------------------------------------------------- a partial description
def position(program: Program, given: Mapping[str, Any], *, deals: Sequence[Any] = ()) -> State:
    """A state from ``{phase, seat, memory, zones, trick, round, seed}``.

    ``deals`` (card ids, top first) are dealt from here on. What is left out has its start value; a zone that not everybody sees is unknown unless it is given.
    PositionError says what does not fit.
    """
    strange = set(given) - {"phase", "seat", "memory", "zones", "trick", "round", "seed"}
    if strange:
        names = " ".join(sorted(map(str, strange)))
        raise _wrong(f"不认识：{names}", f"unknown: {names}")
    number = program.numbers.get(given.get("phase", ""))
    if number is None:
        raise _wrong(f"没有阶段“{given.get('phase')}”", f'there is no phase "{given.get("phase")}"')
    phase = program.phases[number]
    m, z = _memory(program, given.get("memory") or {}), _zones(program, given.get("zones") or {})
    g = Working(program, m, z, None, Chance(0))
    trick = _trick(program, g, given.get("trick"))
    g.trick = trick
    seat = given.get("seat")
    if seat is None and phase.kind == "seat" and phase.seat is not None:
        try:
            seat = phase.seat(g, None, 0, None)
        except TROUBLE as error:
            raise program.fault(error) from error
    if phase.kind in ("seat", "round") and not _is_seat(program, seat):
        raise _wrong(
            f"要写明谁行动（seat），0 到 {program.layout.seats - 1}",
            f"say who is to act (seat), 0 to {program.layout.seats - 1}",
        )
    waiting, made = _round(program, number, given.get("round") or {}) if phase.kind == "round" else (None, 0)
    chance = Chance(_int(given.get("seed", 0)), 0, given_deals(program.layout, deals))
    at = Position(number, seat, tuple(m), tuple(z), trick, waiting, (None,) * program.measures, chance, made)
    _enough(program, at)
    return State(program, at, (), None, chance)


def _wrong(zh: str, en: str) -> PositionError:
    return PositionError(Text(zh, en))


def _int(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise _wrong(f"要写整数，不是 {value!r}", f"an int is expected, not {value!r}")
    return value


def _is_seat(program: Program, seat: Any) -> bool:
    return isinstance(seat, int) and not isinstance(seat, bool) and 0 <= seat < program.layout.seats


def _mapping(value: Any, what: str) -> Mapping[Any, Any]:
    if not isinstance(value, Mapping):
        raise _wrong(f"“{what}”要按名字给出", f'"{what}" takes names and values')
    return value


def _memory(program: Program, given: Any) -> list[Any]:
    """Start values, then what is given."""
    blank = Working(program, [None] * len(program.layout.slot_at), [], None, Chance(0))
    try:
        program.start_match(blank)
        program.start_deal(blank)
    except TROUBLE as error:
        raise program.fault(error) from error
    m: list[Any] = list(blank.m)
    for name, value in _mapping(given, "memory").items():
        place = program.layout.slots.get(name)
        if place is None:
            raise _wrong(f"memory 里没有“{name}”", f'there is no "{name}" in the memory')
        _fill(program, m, place, (), value)
    return m


def _fill(program: Program, m: list[Any], place: SlotPlace, key: tuple[int, ...], value: Any) -> None:
    if len(key) == len(place.sizes):
        m[place.at(*key)] = HIDDEN if value is HIDDEN else program.decode(place.slot.type, value)
        return
    for part, inner in _mapping(value, place.slot.name).items():
        index = int(part) if isinstance(part, str) and part.isdecimal() else part
        if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < place.sizes[len(key)]:
            raise _wrong(f"“{place.slot.name}”没有下标 {part}", f'"{place.slot.name}" has no index {part}')
        _fill(program, m, place, (*key, index), inner)


def _zones(program: Program, given: Any) -> list[Any]:
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
    for name, value in _mapping(given, "zones").items():
        found = layout.zones.get(name)
        if found is None:
            raise _wrong(f"没有“{name}”这个地方", f'there is no zone "{name}"')
        parts = _mapping(value, name) if found.zone.per_seat else {0: value}
        for part, inner in parts.items():
            index = int(part) if isinstance(part, str) and part.isdecimal() else part
            if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < found.size:
                raise _wrong(f"“{name}”没有座位 {part}", f'"{name}" has no seat {part}')
            z[found.base + index] = _cards(program, inner, ordered=found.zone.ordered)
    return z


def _cards(program: Program, value: Any, *, ordered: bool = False) -> Any:
    """Cards of a text or a list; ``{"count": 3}`` for cards that nobody knows."""
    if isinstance(value, Mapping):
        return _cards(program, value["cards"], ordered=ordered) if "cards" in value else Hidden(value.get("count"))
    if isinstance(value, str) or (isinstance(value, Sequence) and all(isinstance(v, str) for v in value)):
        try:
            ids = cards.parse_cards(value)
        except cards.CardError as fault:
            raise _wrong(f"没有“{fault.word}”这张牌", str(fault)) from None
        deck, pack = program.layout.ruleset.deck.cards, program.layout.pack
        for card in ids:
            if ids.count(card) > deck.get(card, 0):
                raise _wrong(f"牌里没有这么多 {cards.NAMES[card]}", f"the deck has not so many {cards.NAMES[card]}")
        return tuple(ids) if ordered else pack.of(ids)
    raise _wrong(f"牌要写成 H5 S10 …，不是 {value!r}", f"cards are written H5 S10 …, not {value!r}")


def _trick(program: Program, g: Working, given: Any) -> Trick | None:
    """The plays ``[{seat, cards}, …]`` as a trick."""
    plays = given.get("plays") if isinstance(given, Mapping) else given
    if not plays:
        return None
    trick: Trick | None = None
    for line in plays:
        entry = _mapping(line, "trick")
        if not _is_seat(program, entry.get("seat")):
            raise _wrong("桌上的每手牌要写 seat 和 cards", "each play of the trick has its seat and cards")
        packed = _cards(program, entry.get("cards", ""))
        if not packed:
            raise _wrong("桌上的每手牌要有牌", "each play of the trick has cards")
        try:
            trick = program.play(g, trick, entry["seat"], packed)
        except TROUBLE as error:
            raise program.fault(error) from error
    return trick


def _round(program: Program, phase: int, given: Any) -> tuple[int, int]:
    """The seats that an open round does not ask again, and the moves made in it, as bits."""
    waiting = made = 0
    moves = program.phases[phase].moves
    for name in _mapping(given, "round").get("made", ()):
        if name not in moves:
            raise _wrong(f"这个阶段没有“{name}”这个动作", f'this phase has no move "{name}"')
        made |= moves[name].bit
    for seat in _mapping(given, "round").get("passed", ()):
        if not _is_seat(program, seat):
            raise _wrong(f"没有座位 {seat}", f"there is no seat {seat}")
        waiting |= 1 << seat
    return waiting, made


def _enough(program: Program, at: Position) -> None:
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
            raise _wrong(
                f"{cards.NAMES[card]} 一共写了 {number} 张，牌里没有这么多",
                f"{cards.NAMES[card]} is given {number} times, more than the deck has",
            )


# ---------------------------------------------------------------- a view
def from_view(program: Program, seen: Mapping[str, Any]) -> State:
    """The state as far as a view tells it: what the viewer may not see is unknown, and reading it is an error."""
    if not isinstance(seen, Mapping) or not {"digest", "phase", "memory", "zones"} <= set(seen):
        raise _wrong("这不是 view 给出的内容", "this is not what view gives")
    belongs(program, seen)
    number = program.numbers.get(seen["phase"])
    if number is None:
        raise _wrong("没有这个阶段", "there is no such phase")
    m: list[Any] = [HIDDEN] * len(program.layout.slot_at)
    for name, value in _mapping(seen["memory"], "memory").items():
        place = program.layout.slots.get(name)
        if place is None:
            raise _wrong(f"memory 里没有“{name}”", f'there is no "{name}" in the memory')
        _fill(program, m, place, (), value)
    z: list[Any] = []
    zones = _mapping(seen["zones"], "zones")
    for zone, seat in program.layout.zone_at:
        here = zones.get(zone.name, {})
        inner = here if seat is None else _mapping(here, zone.name).get(str(seat), {})
        z.append(_cards(program, inner, ordered=zone.ordered))
    g = Working(program, m, z, None, Chance(0))
    trick = _trick(program, g, seen.get("trick"))
    waiting, made = _round(program, number, seen["round"]) if seen.get("round") is not None else (None, 0)
    seat = seen.get("seat")
    if seat is not None and not _is_seat(program, seat):
        raise _wrong(f"没有座位 {seat}", f"there is no seat {seat}")
    at = Position(number, seat, tuple(m), tuple(z), trick, waiting, (None,) * program.measures, Chance(0), made)
    return State(program, at, (), None, Chance(0))


def belongs(program: Program, saved: Mapping[str, Any]) -> None:
    """OtherRuleset unless what was saved is of this ruleset, with these options."""
    if saved.get("digest") != program.digest:
        name = program.ruleset.name
        raise OtherRuleset(
            Text(
                f"这是“{saved.get('ruleset')}”的，或选项、规则不同，不是现在的“{name}”",
                f'this belongs to "{saved.get("ruleset")}", or to other rules or options, not to "{name}" as it is now',
            )
        )


# ---------------------------------------------------------------- logs
def log_json(state: State) -> dict[str, Any]:
    """The log: ruleset and options, the seed or the dealt cards, and every move. It replays to the same state."""
    program, origin = state.program, state.origin
    return {
        "format": FORMAT,
        "ruleset": program.ruleset.name,
        "digest": program.digest,
        "options": options_json(program),
        "seed": origin.seed,
        "deals": [[cards.NAMES[card] for card in deal] for deal in origin.deals],
        "moves": [_entry_json(program, entry) for entry in entries(state.log)],
    }


def _entry_json(program: Program, entry: Entry) -> dict[str, Any]:
    if entry.kind == "leave":
        return {"leave": entry.seat}
    out: dict[str, Any] = {"seat": entry.seat}
    kind = next(
        (m.choice_type for p in program.phases for m in p.moves.values() if m.name == entry.move and m.choice_type),
        None,
    )
    choice = program.encode(kind, entry.chosen) if kind is not None and entry.chosen is not None else None
    out |= Move.of(entry.move, entry.picked, program.layout.pack, choice).to_json()
    return out | {"timeout": True} if entry.kind == "timeout" else out


def _entry(program: Program, line: Mapping[str, Any]) -> Entry:
    if "leave" in line:
        return Entry("leave", line["leave"])
    move = Move(line["move"], cards=line.get("cards", ()), choice=line.get("choice"))
    packed = move.packed(program.layout.pack)
    kind = next(
        (m.choice_type for p in program.phases for m in p.moves.values() if m.name == move.name and m.choice_type), None
    )
    chosen = program.decode(kind, move.choice) if kind is not None and move.choice is not None else None
    return Entry("timeout" if line.get("timeout") else "move", line["seat"], move.name, packed or 0, chosen)


# ---------------------------------------------------------------- saved states
def to_json(state: State) -> str:
    """The state as one line of text, with its log; a checksum tells later whether it was damaged."""
    program, at = state.program, state.position
    body = log_json(state) | {
        "phase": program.phases[at.phase].name,
        "seat": at.seat,
        "memory": {
            name: (
                nested(place, lambda i, t=place.slot.type: [program.encode(t, at.m[i])])
                if place.sizes
                else program.encode(place.slot.type, at.m[place.base])
            )
            for name, place in program.layout.slots.items()
        },
        "zones": {
            name: (
                {str(i): zone_names(program, place.base + i, at.z[place.base + i]) for i in range(place.size)}
                if place.zone.per_seat
                else zone_names(program, place.base, at.z[place.base])
            )
            for name, place in program.layout.zones.items()
        },
        "trick": trick_json(program, at.trick),
        "round": round_json(program, at),
        "measures": list(at.measures),
        "draws": at.chance.draws,
        "dealt": at.chance.dealt,
        "origin": [state.origin.draws, state.origin.dealt],
        "events": state.events,
    }
    if any(type(held) is Hidden for held in at.z) or any(value is HIDDEN for value in at.m):
        raise PositionError(Text("不完整的局面不能保存", "a state that does not know everything cannot be saved"))
    return _dump(body | {"sum": _checksum(body)})


def _dump(body: Mapping[str, Any]) -> str:
    return json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _checksum(body: Mapping[str, Any]) -> str:
    return hashlib.sha256(_dump(body).encode()).hexdigest()[:16]


def from_json(program: Program, text: str | bytes) -> State:
    """The state of a saved text; DamagedState or OtherRuleset if it is not one of this ruleset."""
    body = parse_saved(text)
    belongs(program, body)
    if body.pop("sum", None) != _checksum(body):
        raise DamagedState(Text("保存的内容被改过或不完整", "the saved state was changed or cut off"))
    try:
        m: list[Any] = [None] * len(program.layout.slot_at)
        for name, value in body["memory"].items():
            _fill(program, m, program.layout.slots[name], (), value)
        z: list[Any] = []
        for zone, seat in program.layout.zone_at:
            held = body["zones"][zone.name]
            z.append(_cards(program, held if seat is None else held[str(seat)], ordered=zone.ordered))
        origin, at_chance = _chances(program, body)
        g = Working(program, m, z, None, at_chance)
        trick = _trick(program, g, body["trick"])
        number = program.numbers[body["phase"]]
        waiting, made = _round(program, number, body["round"]) if body["round"] is not None else (None, 0)
        at = Position(
            number,
            body["seat"],
            tuple(m),
            tuple(z),
            trick,
            waiting,
            tuple(body["measures"]),
            at_chance,
            made,
        )
        log = logged([_entry(program, line) for line in body["moves"]])
        return State(program, at, tuple(_tuples(event) for event in body["events"]), log, origin)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, HongwuError) as error:
        raise DamagedState(Text("保存的内容读不出来", f"the saved state cannot be read ({error})")) from error


def _chances(program: Program, body: Mapping[str, Any]) -> tuple[Chance, Chance]:
    deals = tuple(tuple(cards.parse_cards(deal)) for deal in body["deals"])
    draws, dealt = body["origin"]
    return Chance(body["seed"], draws, deals, dealt), Chance(body["seed"], body["draws"], deals, body["dealt"])


def _tuples(value: Any) -> Any:
    return tuple(_tuples(item) for item in value) if isinstance(value, list) else value


def parse_saved(text: str | bytes) -> dict[str, Any]:
    """A saved state or log as a mapping; DamagedState if it is none."""
    try:
        body = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        body = None
    if not isinstance(body, dict) or "digest" not in body:
        raise DamagedState(Text("这不是保存的局面或记录", "this is no saved state or log"))
    if body.get("format") != FORMAT:
        raise DamagedState(Text("保存的格式太新或太旧", "the saved format is too new or too old"))
    return body


__all__ = ["belongs", "from_json", "from_view", "log_json", "parse_saved", "position", "to_json"]

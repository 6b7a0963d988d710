"""States from descriptions: a partial position, a view, a saved text; and states as saved texts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from .. import cards
from ..compile.chance import given_deals
from ..compile.hidden import HIDDEN, Hidden
from ..compile.program import Program
from ..compile.working import Working
from ..diagnostics import Text
from ..errors import DamagedState, HongwuError, OtherRuleset, PositionError, cut, quoted
from .events import event_json
from .judge import TROUBLE
from .move import Move
from .reading import (
    enough,
    fill,
    is_seat,
    mapping,
    read_cards,
    read_memory,
    read_round,
    read_trick,
    read_zones,
    seed_of,
    wrong,
)
from .state import SET_UP, Chance, Entry, Position, State, entries, logged
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
        names = " ".join(sorted(map(quoted, strange)))
        raise wrong(f"不认识：{names}", f"unknown: {names}")
    number = _phase(program, given.get("phase"))
    phase = program.phases[number]
    m, z = read_memory(program, given.get("memory") or {}), read_zones(program, given.get("zones") or {})
    g = Working(program, m, z, None, Chance(0))
    trick = read_trick(program, g, given.get("trick"))
    g.trick = trick
    seat = given.get("seat")
    if seat is None and phase.kind == "seat" and phase.seat is not None:
        try:
            seat = phase.seat(g, None, 0, None)
        except TROUBLE as error:
            raise program.fault(error) from error
    if (seat is not None or phase.kind in ("seat", "round")) and not is_seat(program, seat):
        raise wrong(
            f"要写明谁行动（seat），0 到 {program.layout.seats - 1}",
            f"say who is to act (seat), 0 to {program.layout.seats - 1}",
        )
    waiting, made = read_round(program, number, given.get("round") or {}) if phase.kind == "round" else (None, 0)
    chance = Chance(seed_of(given.get("seed", 0)), 0, given_deals(program.layout, deals))
    at = Position(number, seat, tuple(m), tuple(z), trick, waiting, program.unmeasured, chance, made)
    enough(program, at)
    return State(program, at, (), SET_UP, chance)


def _phase(program: Program, name: Any) -> int:
    if name is None:
        names = list(program.numbers)
        raise wrong(f"要写明在哪个阶段（phase）：{'、'.join(names)}", f"say which phase (phase): {', '.join(names)}")
    number = program.numbers.get(name) if isinstance(name, str) else None
    if number is None:
        raise wrong(f"没有阶段 {quoted(name)}", f"there is no phase {quoted(name)}")
    return number


# ---------------------------------------------------------------- a view
def from_view(program: Program, seen: Mapping[str, Any]) -> State:
    """The state as far as a view tells it: what the viewer may not see is unknown, and reading it is an error."""
    lacks = [key for key in _OF_A_VIEW if key not in seen] if isinstance(seen, Mapping) else _OF_A_VIEW
    if lacks:
        names = " ".join(lacks)
        raise wrong(f"这不是 view 给出的内容，缺了 {names}", f"this is not what view gives: it lacks {names}")
    belongs(program, seen)
    number = _phase(program, seen["phase"])
    m: list[Any] = [HIDDEN] * len(program.layout.slot_at)
    for name, value in mapping(seen["memory"], "memory").items():
        place = program.layout.slots.get(name)
        if place is None:
            raise wrong(f"memory 里没有 {quoted(name)}", f"there is no {quoted(name)} in the memory")
        fill(program, m, place, (), value)
    z: list[Any] = []
    zones = mapping(seen["zones"], "zones")
    for zone, seat in program.layout.zone_at:
        here = zones.get(zone.name, {})
        inner = here if seat is None else mapping(here, zone.name).get(str(seat), {})
        z.append(read_cards(program, inner, ordered=zone.ordered))
    chance = Chance(None)
    g = Working(program, m, z, None, chance)
    trick = read_trick(program, g, seen.get("trick"))
    waiting, made = read_round(program, number, seen["round"]) if seen.get("round") is not None else (None, 0)
    seat = seen.get("seat")
    if seat is not None and not is_seat(program, seat):
        raise wrong(f"没有座位 {quoted(seat)}", f"there is no seat {quoted(seat)}")
    at = Position(number, seat, tuple(m), tuple(z), trick, waiting, program.unmeasured, chance, made)
    enough(program, at)
    return State(program, at, (), SET_UP, chance)


_OF_A_VIEW = ("digest", "phase", "seat", "memory", "zones", "trick", "round")  # what a state is made of


def belongs(program: Program, saved: Mapping[str, Any]) -> None:
    """OtherRuleset unless what was saved is of this ruleset, with these options."""
    name, mine = program.ruleset.name, options_json(program)
    of, options = saved.get("ruleset", name), saved.get("options", mine)
    if saved.get("digest") == program.digest and of == name and options == mine:
        return
    other = quoted(of).strip("'")
    if of != name:
        raise OtherRuleset(Text(f"这是“{other}”的，不是“{name}”的", f'this belongs to "{other}", not to "{name}"'))
    named = list(dict.fromkeys([*mine, *options])) if isinstance(options, Mapping) else []
    differ = [one for one in named if options.get(one, _GONE) != mine.get(one, _GONE)]
    if differ:
        pairs = [f"{cut(str(one))} = {quoted(options[one]) if one in options else '-'}" for one in differ[:3]]
        raise OtherRuleset(
            Text(
                f"这是“{name}”在别的设定下的：{'、'.join(pairs)}",
                f'this belongs to "{name}" under other options: {", ".join(pairs)}',
            )
        )
    raise OtherRuleset(
        Text(f"这是“{name}”的，可是规则已经改过了", f'this belongs to "{name}", but its rules are others now')
    )


_GONE = object()


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
        "moves": [_entry_json(program, entry) for entry in entries(state)],
    }


def _entry_json(program: Program, entry: Entry) -> dict[str, Any]:
    if entry.kind == "position":
        return {"position": True}
    if entry.kind == "leave":
        return {"leave": entry.seat}
    out: dict[str, Any] = {"seat": entry.seat}
    out |= Move(entry.move, cards=program.layout.pack.names(entry.picked), choice=entry.chosen).to_json()
    return out | {"timeout": True} if entry.kind == "timeout" else out


def _entry(program: Program, line: Mapping[str, Any]) -> Entry:
    if line.get("position") is True:
        return SET_UP[0]
    kind = "leave" if "leave" in line else "timeout" if line.get("timeout") else "move"
    seat = line["leave"] if kind == "leave" else line["seat"]
    if not is_seat(program, seat):
        raise wrong(f"没有座位 {quoted(seat)}", f"there is no seat {quoted(seat)}")
    if kind == "leave":
        return Entry(kind, seat)
    move = Move(line["move"], cards=line.get("cards", ()), choice=line.get("choice"))
    packed = move.packed(program.layout.pack)
    if packed is None:
        raise wrong("牌里没有这么多张", "the deck has not so many cards")
    return Entry(kind, seat, move.name, packed, move.choice)


# ---------------------------------------------------------------- saved states
def to_json(state: State) -> str:
    """The state as one line of text, with its log; a checksum tells later whether it was damaged."""
    program, at = state.program, state
    if any(type(held) is Hidden for held in at.z) or any(value is HIDDEN for value in at.m):
        raise PositionError(Text("不完整的局面不能保存", "a state that does not know everything cannot be saved"))
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
    return _dump(body | {"sum": _checksum(body)})


def _dump(body: Mapping[str, Any]) -> str:
    return json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _checksum(body: Mapping[str, Any]) -> str:
    return hashlib.sha256(_dump(body).encode()).hexdigest()[:16]


def from_json(program: Program, text: str | bytes) -> State:
    """The state of a saved text; DamagedState or OtherRuleset if it is not one of this ruleset."""
    body = parse_saved(text)
    belongs(program, body)
    try:
        if body.pop("sum", None) != _checksum(body):
            raise DamagedState(Text("保存的内容被改过或不完整", "the saved state was changed or cut off"))
        return _state(program, body)
    except DamagedState:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError, HongwuError) as error:
        raise DamagedState(Text("保存的内容读不出来", f"the saved state cannot be read ({error})")) from error


def broken_line(line: int, error: Exception) -> DamagedState:
    """A log that cannot be followed: at its beginning (0), or at one of its lines."""
    why = error.text if isinstance(error, HongwuError) else Text("它不是记录里的一步", "it is no line of a log")
    where = Text(f"记录的第{line}步", f"line {line} of the log") if line else Text("记录的开头", "the head of the log")
    return DamagedState(
        Text(f"{where.zh}走不通：{why.zh}", f"{where.en} cannot be followed: {cut(why.en, 300)}"),
    )


def _state(program: Program, body: Mapping[str, Any]) -> State:
    """The state that a saved text describes; any of several errors if it makes no sense."""
    m: list[Any] = [HIDDEN] * len(program.layout.slot_at)
    for name, value in body["memory"].items():
        fill(program, m, program.layout.slots[name], (), value)
    z: list[Any] = []
    for zone, seat in program.layout.zone_at:
        held = body["zones"][zone.name]
        z.append(read_cards(program, held if seat is None else held[str(seat)], ordered=zone.ordered))
    origin, chance = _chances(program, body)
    g = Working(program, m, z, None, chance)
    trick = read_trick(program, g, body["trick"])
    number, seat = program.numbers[body["phase"]], body["seat"]
    kind = program.phases[number].kind
    waiting, made = read_round(program, number, body["round"]) if body["round"] is not None else (None, 0)
    measures = tuple(body["measures"])
    fits = len(measures) == len(program.unmeasured) and all(value is None or type(value) is int for value in measures)
    fits = fits and (is_seat(program, seat) if kind in ("seat", "round") else seat is None)
    if not fits or (waiting is None) == (kind == "round") or any(value is HIDDEN for value in m):
        raise wrong("局面前后不合", "the position does not fit together")
    enough(program, at := Position(number, seat, tuple(m), tuple(z), trick, waiting, measures, chance, made))
    events = tuple(_tuples(event) for event in body["events"])
    for event in events:
        event_json(program, event)  # it can be told
    return State(program, at, events, logged([_entry(program, line) for line in body["moves"]]), origin)


def _chances(program: Program, body: Mapping[str, Any]) -> tuple[Chance, Chance]:
    deals = given_deals(program.layout, [cards.parse_cards(deal) for deal in body["deals"]])
    seed, counts = seed_of(body["seed"]), (*body["origin"], body["draws"], body["dealt"])
    if len(counts) != 4 or not all(type(number) is int and number >= 0 for number in counts):
        raise wrong("发牌的次数不对", "the number of deals is wrong")
    return Chance(seed, counts[0], deals, counts[1]), Chance(seed, counts[2], deals, counts[3])


def _tuples(value: Any) -> Any:
    return tuple(_tuples(item) for item in value) if isinstance(value, list) else value


def parse_saved(text: str | bytes) -> dict[str, Any]:
    """A saved state or log as a mapping; DamagedState if it is none."""
    try:
        body = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        body = None
    return saved(body)


def saved(body: Any) -> dict[str, Any]:
    """A saved state or log as it was parsed."""
    if not isinstance(body, Mapping) or "digest" not in body:
        raise DamagedState(Text("这不是保存的局面或记录", "this is no saved state or log"))
    if body.get("format") != FORMAT:
        raise DamagedState(Text("保存的格式太新或太旧", "the saved format is too new or too old"))
    return dict(body)


__all__ = [
    "belongs",
    "broken_line",
    "from_json",
    "from_view",
    "log_json",
    "parse_saved",
    "position",
    "saved",
    "to_json",
]

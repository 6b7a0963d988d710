"""What one viewer may see of a state, as plain data, built by allowing: nothing is there that was not let in."""

from __future__ import annotations

from typing import Any

from ..cards.tricks import Trick
from ..compile.hidden import HIDDEN, Hidden
from ..compile.layout import SlotPlace
from ..compile.program import CompiledMove, Program
from ..compile.working import Working
from .events import events_seen
from .judge import TROUBLE
from .legal import LegalMoves
from .state import State

MOST = 10_000  # a view says how many moves there are up to here, else null
DIRECTIONS = ("clockwise", "counter_clockwise")


def view(state: State, viewer: int | None) -> dict[str, Any]:
    """What a seat (None: an onlooker) may see, and what it may be asked; JSON-safe."""
    program = state.program
    bit = 1 << (program.layout.seats if viewer is None else viewer)
    phase = program.phases[state.phase]
    seen: dict[str, Any] = {
        "ruleset": program.ruleset.name,
        "digest": program.digest,
        "options": options_json(program),
        "viewer": viewer,
        "seats": program.layout.seats,
        "direction": direction(program),
        "phase": phase.name,
        "texts": {"phase": _text(phase.model.text), "title": _text(program.ruleset.title)},
        "seat": state.seat,
        "over": phase.kind == "final",
        "memory": {
            name: value for name, place in program.layout.slots.items() for value in _slot(program, state, place, bit)
        },
        "zones": _zones(program, state, bit),
        "trick": trick_json(program, state.trick),
        "round": round_json(program, state),
        "events": events_seen(program, state.events, viewer),
    }
    if phase.kind == "final":
        seen["returns"] = returns(state)
    if viewer is not None and viewer == state.seat:
        seen["moves"] = _moves(state, viewer)
        seen["timeout"] = list(phase.model.timeout)
    return seen


def _text(text: tuple[str, str]) -> dict[str, str]:
    return {"zh": text[0], "en": text[1]}


def options_json(program: Program) -> dict[str, Any]:
    """The options in force."""
    return {name: program.encode(program.ruleset.options[name].type, value) for name, value in program.options.items()}


def direction(program: Program) -> str:
    """On which side of a seat the next one sits."""
    return DIRECTIONS[program.direction]


def returns(state: State) -> list[int] | None:
    """The value of the match for each seat; None while it goes on, or where the file says none."""
    program = state.program
    if program.phases[state.phase].kind != "final" or program.returns is None:
        return None
    try:
        return [program.returns(state, seat) for seat in range(program.layout.seats)]
    except TROUBLE as error:
        raise program.fault(error) from error


def _slot(program: Program, g: Working, place: SlotPlace, bit: int) -> list[Any]:
    """The value of a slot, as a list of one; of an indexed slot the entries that may be seen. Empty: nothing."""
    kind = place.slot.type

    def one(number: int) -> list[Any]:
        if g.m[number] is HIDDEN or not program.see_slot[number](g) & bit:
            return []
        return [program.encode(kind, g.m[number])]

    if not place.sizes:
        return one(place.base)
    return [seen] if (seen := nested(place, one)) else []


def nested(place: SlotPlace, one: Any) -> dict[str, Any]:
    """An indexed slot as nested mappings; ``one(place)`` gives a list with the value, or an empty one."""
    found: dict[str, Any] = {}
    for number, key in enumerate(place.indices(), place.base):
        if value := one(number):
            inner = found
            for part in key[:-1]:
                inner = inner.setdefault(str(part), {})
            inner[str(key[-1])] = value[0]
    return found


def _zones(program: Program, g: Working, bit: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, place in program.layout.zones.items():
        parts = {str(i): _zone(program, g, place.base + i, bit) for i in range(place.size)}
        found[name] = parts if place.zone.per_seat else parts["0"]
    return found


def _zone(program: Program, g: Working, place: int, bit: int) -> dict[str, Any]:
    held = g.z[place]
    zone, _ = program.layout.zone_at[place]
    out: dict[str, Any] = {}
    if type(held) is Hidden:
        return {} if held.count is None else {"count": held.count}
    if program.count_zone[place](g) & bit:
        out["count"] = len(held) if zone.ordered else program.layout.pack.count(held)
    if program.see_zone[place](g) & bit:
        out["cards"] = zone_names(program, place, held)
    return out


def zone_names(program: Program, place: int, held: Any) -> list[str]:
    """The cards of a zone by name: a pile from the top, else in the order of the pack."""
    pack = program.layout.pack
    if program.layout.zone_at[place][0].ordered:
        return [name for card in held for name in pack.names(pack.one[card])]
    return pack.names(held)


def trick_json(program: Program, trick: Trick | None) -> dict[str, Any] | None:
    """The trick on the table: its plays in order, and whose is the best."""
    if trick is None:
        return None
    shapes = program.ruleset.shapes.items
    plays = []
    for play in trick.plays:
        line: dict[str, Any] = {"seat": play.seat, "cards": program.layout.pack.names(play.cards)}
        if play.reading is not None:
            line["shape"] = shapes[play.reading.shape].name
        plays.append(line)
    return {"plays": plays, "winner": trick.winner}


def round_json(program: Program, at: Working) -> dict[str, Any] | None:
    """An open round: the seats that it does not ask again (unless somebody raises), and what rules ask whether
    it was made."""
    waiting = at.waiting
    if waiting is None:
        return None
    out: dict[str, Any] = {"passed": [seat for seat in range(program.layout.seats) if waiting >> seat & 1]}
    made = [move.name for move in program.phases[at.phase].moves.values() if at.made & move.bit]
    return out | {"made": made} if made else out


def _moves(state: State, seat: int) -> list[dict[str, Any]]:
    """What the seat may be asked: each move by name, what it picks from, how many, and what is chosen from."""
    legal = LegalMoves(state)
    counts = {offer.made.name: legal.count_kind(offer.made.name, limit=MOST) for offer in legal.offers}
    phase = state.program.phases[state.phase]
    return [
        _move(state.program, state, seat, made) | {"legal": counts.get(made.name, 0)} for made in phase.moves.values()
    ]


def _move(program: Program, g: Working, seat: int, made: CompiledMove) -> dict[str, Any]:
    out: dict[str, Any] = {"move": made.name, "texts": _text(made.model.text), "quiet": made.quiet}
    if made.zone is not None:
        out["pick"] = program.zone_name(made.zone(g, seat, 0, None))
        if made.low is not None and made.high is not None:
            most = program.layout.pack.count(program.layout.deck)
            out["cards"] = [made.low(g, seat, 0, None), min(made.high(g, seat, 0, None), most)]
        if made.shapes is not None:
            items = program.ruleset.shapes.items
            out["shapes"] = [{"shape": items[i].name, "texts": _text(items[i].text)} for i in sorted(made.shapes)]
    if made.choices is not None and made.choice_type is not None:
        values = list(dict.fromkeys(made.choices(g, seat, 0, None)))
        out["choose"] = [program.encode(made.choice_type, value) for value in values]
    return out

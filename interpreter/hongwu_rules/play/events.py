"""Events for people: as JSON, to each only what he may see, and as the short texts of scenarios."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from ..compile.program import Program
from ..compile.working import Event
from .move import written

ALL: Literal["all"] = "all"
Viewer = int | None | Literal["all"]  # a seat, an onlooker, or who may see everything


def event_json(program: Program, event: Event, viewer: Viewer = ALL) -> dict[str, Any]:
    """One event as ``viewer`` may see it: ``{"event": "play", "seat": 1, "cards": ["H7", "H7"]}``.

    What he may not see is left out; of cards their number stays, as ``count``.
    """
    found: dict[str, Any] = _JSON[event[0]](_Reader(program, viewer), event)
    return found


def events_seen(program: Program, events: Iterable[Event], viewer: Viewer) -> list[dict[str, Any]]:
    """The events as ``viewer`` may see them.

    That a slot was set is told only to those who may see it: a step under a condition would give the condition away.
    """
    bits = _Reader(program, viewer).bits
    return [event_json(program, event, viewer) for event in events if event[0] != "set" or event[3] & bits]


def event_text(program: Program, event: Event) -> str:
    """One event in its short form, everything told: ``play 1 H7 H7``, ``set score[0] 2``, ``phase settle``,
    ``row by_place first``, ``trick 2``, ``move hand[0] kitty D3``, ``bid 0 solo``.
    """
    return " ".join(_TEXT[event[0]](program, event))


class _Reader:
    """What one viewer may see."""

    def __init__(self, program: Program, viewer: Viewer) -> None:
        self.program = program
        n = program.layout.seats
        self.bits = (2 << n) - 1 if viewer == "all" else 1 << (n if viewer is None else viewer)

    def cards(self, cards: int, seen: int) -> dict[str, Any]:
        """The cards, or only how many."""
        pack = self.program.layout.pack
        return {"cards": pack.names(cards)} if seen & self.bits else {"count": pack.count(cards)}

    def deal(self, event: Event) -> dict[str, Any]:
        _, source, base, dealt, seen = event
        program = self.program
        hands = [self.cards(cards, mask) for cards, mask in zip(dealt, seen, strict=True)]
        return {
            "event": "deal",
            "from": program.zone_name(source),
            "zone": program.layout.zone_at[base][0].name,
            "hands": hands,
        }

    def made(self, event: Event) -> dict[str, Any]:
        _, phase, move, seat, picked, chosen, seen = event
        made = list(self.program.phases[phase].moves.values())[move]
        found: dict[str, Any] = {"event": "made", "seat": seat, "move": made.name}
        if made.zone is not None:
            found |= self.cards(picked, seen)
        if made.choice_type is not None:
            found["choice"] = self.program.encode(made.choice_type, chosen)
        return found

    def set(self, event: Event) -> dict[str, Any]:
        _, place, value, seen = event
        slot, key = self.program.layout.slot_at[place]
        found: dict[str, Any] = {"event": "set", "slot": slot.slot.name}
        if key:
            found["index"] = list(key)
        if seen & self.bits:
            found["value"] = self.program.encode(slot.slot.type, value)
        return found

    def move(self, event: Event) -> dict[str, Any]:
        _, source, target, cards, seen = event
        name = self.program.zone_name
        return {"event": "move", "from": name(source), "to": name(target), **self.cards(cards, seen)}


def _names(program: Program, cards: int) -> list[str]:
    return program.layout.pack.names(cards)


def _row(program: Program, event: Event) -> tuple[str, str]:
    table = list(program.ruleset.tables.values())[event[1]]
    return table.name, table.rows[event[2]].name


def _phase_json(reader: _Reader, event: Event) -> dict[str, Any]:
    """A phase entered; where play came from, and by which of its ways out (counted from 0)."""
    _, number, last, way = event
    phases = reader.program.phases
    came = {"from": phases[last].name, "way": way} if last >= 0 else {}
    return {"event": "phase", "phase": phases[number].name, **came}


def _row_json(reader: _Reader, event: Event) -> dict[str, Any]:
    table, row = _row(reader.program, event)
    return {"event": "row", "table": table, "row": row}


def _word(program: Program, value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return " ".join(value) if value else "-"
    return "none" if value is None else str(value)


def _set_text(program: Program, event: Event) -> list[str]:
    slot, _ = program.layout.slot_at[event[1]]
    return ["set", program.slot_name(event[1]), _word(program, program.encode(slot.slot.type, event[2]))]


def _made_text(program: Program, event: Event) -> list[str]:
    _, phase, move, seat, picked, chosen, _ = event
    made = list(program.phases[phase].moves.values())[move]
    name, kind = f"{made.name} {seat}", made.choice_type
    choice = None if kind is None else _word(program, program.encode(kind, chosen))
    return [written(name, _names(program, picked), choice, picks=made.zone is not None)]


_JSON: dict[str, Any] = {
    "phase": _phase_json,
    "row": _row_json,
    "set": _Reader.set,
    "made": _Reader.made,
    "timeout": lambda r, e: {"event": "timeout", "seat": e[1]},
    "leave": lambda r, e: {"event": "leave", "seat": e[1]},
    "shuffle": lambda r, e: {"event": "shuffle", "zone": r.program.zone_name(e[1])},
    "deal": _Reader.deal,
    "move": _Reader.move,
    "trick": lambda r, e: {"event": "trick", "seat": e[1]},
    "play": lambda r, e: {"event": "play", "seat": e[1], "cards": _names(r.program, e[2])},
    "show": lambda r, e: {"event": "show", "seat": e[1], "cards": _names(r.program, e[2])},
}
_TEXT: dict[str, Any] = {
    "phase": lambda p, e: ["phase", p.phases[e[1]].name],
    "row": lambda p, e: ["row", *_row(p, e)],
    "set": _set_text,
    "made": _made_text,
    "timeout": lambda p, e: ["timeout", str(e[1])],
    "leave": lambda p, e: ["leave", str(e[1])],
    "shuffle": lambda p, e: ["shuffle"],
    "deal": lambda p, e: ["deal"],
    "move": lambda p, e: ["move", p.zone_name(e[1]), p.zone_name(e[2]), *_names(p, e[3])],
    "trick": lambda p, e: ["trick", str(e[1])],
    "play": lambda p, e: ["play", str(e[1]), *_names(p, e[2])],
    "show": lambda p, e: ["show", *([] if e[1] is None else [str(e[1])]), *_names(p, e[2])],
}
__all__ = ["ALL", "Viewer", "event_json", "event_text", "events_seen"]

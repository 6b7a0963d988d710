"""What a seat may not see makes no difference to anything it is told: views, offers, verdicts, reasons, errors, events."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

import hongwu_rules as hw
from random_play import GAMES, SETTINGS, asking, dice, match, outcome, rules_of, strange_move

HOUSE = [  # house rules with something of their own to hide
    ("anhui", "anhui_announced_solo"),
    ("dalian", "dalian_face_down"),
    ("shengji", "shengji_face_down_calls"),
]
TABLES = [(game, number, "") for game, number in SETTINGS] + [
    (game, number, house) for game, house in HOUSE for number in range(2)
]
OPENED: dict[
    str, dict[str, object]
] = {  # settings under which a phase is played that the game as it stands does without
    "anhui": {"name_trump": "after_kitty"},
    "dalian_xuan": {"redouble_declare": True},
    "shengji": {"kitty_stealing": True},
    "zhejiang": {"name_trump": "dealer_names"},
    "zhejiang_partners": {"kitty_stealing": True},
}
TABLES += [(game, 2, "") for game in OPENED]
MATCHES = {"dalian_xuan": 300}  # random matches in which a phase that comes seldom is looked for: few decline so often
EACH = 2  # states of each phase
NAMES = [f"{house or Path(game).stem}-{number}" for game, number, house in TABLES]
PUBLIC = {"gone", "trick", "turned"}  # where cards lie open; in some games the tricks won too
OPEN_TRICKS = {"hearts", "twofold"}
MOST = 400  # legal moves looked at
STRANGE = 25  # careless moves tried at each position


def viewers(rules: hw.Rules) -> list[int | None]:
    return [*range(rules.seats), None]


def bit_of(rules: hw.Rules, viewer: int | None) -> int:
    return 1 << (rules.seats if viewer is None else viewer)


@cache
def table(game: str, number: int, house: str) -> hw.Rules:
    """A game under one of its settings, perhaps with a house rule on top."""
    if number == 2:
        return hw.load(game, options=OPENED[game])
    rules = rules_of(game, number)
    return hw.load(game, options=dict(rules.options), overlays=[f"house/{house}.yaml"]) if house else rules


@cache
def moments(game: str, number: int, house: str) -> tuple[hw.State, ...]:
    """Random states of every phase that asks somebody, as far as some random matches come into it."""
    rules, rng = table(game, number, house), dice("moments", game, number, house)
    found: dict[str, list[hw.State]] = {name: [] for name in asking(rules)}
    for _ in range(MATCHES.get(game, 6)):
        states = list(match(rules, rng))
        for name, known in found.items():
            here = [state for state in states if state.phase == name]
            known += rng.sample(here, min(EACH - len(known), len(here)))
        if all(len(known) == EACH for known in found.values()):
            break
    return tuple(state for known in found.values() for state in known)


@pytest.mark.parametrize("game", GAMES, ids=[Path(game).stem for game in GAMES])
def test_every_phase_that_asks_is_looked_at(game: str) -> None:
    looked = {state.phase for one in TABLES if one[0] == game and one[1] != 1 and not one[2] for state in moments(*one)}
    assert looked == set(asking(rules_of(game)))


def exchanged(state: hw.State, viewer: int | None, rng: Random) -> hw.State:
    """Another state that the viewer cannot tell from this one: all cards that it does not see change places.

    So do the cards of events that it was not shown, the values it may not see, and what chance has in store.
    """
    core, program = state.core, state.rules.program
    g, layout, bit = core, program.layout, bit_of(state.rules, viewer)
    ordered = [zone.ordered for zone, _ in layout.zone_at]
    unseen = [place for place in range(len(g.z)) if not program.see_zone[place](g) & bit]
    held = {place: list(g.z[place]) if ordered[place] else layout.pack.ids(g.z[place]) for place in unseen}
    pool = [card for place in unseen for card in held[place]]
    rng.shuffle(pool)
    z = list(core.z)
    for place in unseen:
        given, pool = pool[: len(held[place])], pool[len(held[place]) :]
        z[place] = tuple(given) if ordered[place] else layout.pack.of(given)
    m = list(core.m)
    for place, value in enumerate(m):
        if not program.see_slot[place](g) & bit:
            kind = layout.slot_at[place][0].slot.type
            same = [other for n, other in enumerate(m) if layout.slot_at[n][0].slot.type == kind]
            same += [False, True] if kind.name == "bool" else range(4) if kind.name == "suit" else []
            m[place] = rng.choice([*same, value])
    chance = type(core.position.chance)(rng.randrange(1 << 30), core.position.chance.draws)
    position = core.position._replace(z=tuple(z), m=tuple(m), chance=chance)
    events = tuple(_changed(event, layout, bit, rng) for event in core.events)
    return hw.State(state.rules, type(core)(core.program, position, events, None, chance))


def _changed(event: tuple[Any, ...], layout: Any, bit: int, rng: Random) -> tuple[Any, ...]:
    """An event, with other cards (and another value) where the viewer was not shown them."""

    def cards(packed: int) -> int:
        return layout.pack.of(rng.sample(layout.deck_ids, layout.pack.count(packed)))

    match event:
        case ("deal", source, base, dealt, seen):
            hands = tuple(h if s & bit else cards(h) for h, s in zip(dealt, seen, strict=True))
            return ("deal", source, base, hands, seen)
        case ("made", phase, made, seat, picked, chosen, seen) if not seen & bit:
            return ("made", phase, made, seat, cards(picked), chosen, seen)
        case ("move", source, target, packed, seen) if not seen & bit:
            return ("move", source, target, cards(packed), seen)
        case ("set", place, _, seen) if not seen & bit:
            return ("set", place, None, seen)
        case _:
            return event


def some_of(state: hw.State) -> list[hw.Move]:
    """The first of the legal moves: of burying eight cards there are millions."""
    return list(islice(state.legal_moves(), MOST))


@pytest.mark.parametrize(("game", "number", "house"), TABLES, ids=NAMES)
def test_cards_not_seen_make_no_difference(game: str, number: int, house: str) -> None:
    rules, rng = table(game, number, house), dice("unseen", game, number)
    changed = 0
    for state in moments(game, number, house):
        for viewer in viewers(rules):
            other = exchanged(state, viewer, rng)
            changed += other != state
            assert json.dumps(other.view(viewer)) == json.dumps(state.view(viewer))
            assert other.events_for(viewer) == state.events_for(viewer)
            if viewer is None or viewer != state.seat:
                continue
            listed = some_of(state)
            assert some_of(other) == listed and other.legal_moves().count(MOST) == state.legal_moves().count(MOST)
            for move in [*listed[:60], *(strange_move(state, rng) for _ in range(STRANGE))]:
                said = outcome(lambda: state.judge(move))
                assert outcome(lambda: other.judge(move)) == said
                if said:  # not legal
                    assert outcome(lambda: other.apply(move)) == outcome(lambda: state.apply(move))
    assert changed > 10


@pytest.mark.parametrize(("game", "number", "house"), TABLES, ids=NAMES)
def test_a_view_is_enough_to_judge(game: str, number: int, house: str) -> None:
    rules, rng = table(game, number, house), dice("view", game, number)
    for state in moments(game, number, house):
        for viewer in viewers(rules):
            view = json.loads(json.dumps(state.view(viewer)))
            partial = rules.from_view(view)
            assert partial.view(viewer) == view | {"events": []}
            if viewer is None or viewer != state.seat:
                continue
            listed = some_of(state)
            assert some_of(partial) == listed
            if len(listed) < MOST:
                assert sum(offer["legal"] for offer in view["moves"]) == len(listed)
            for move in [*listed[:80], *(strange_move(state, rng) for _ in range(STRANGE))]:
                assert outcome(lambda: partial.judge(move)) == outcome(lambda: state.judge(move))


def may_be_shown(state: hw.State, viewer: int | None, event: dict[str, Any], buried: str) -> Iterator[tuple[str, bool]]:
    """Each set of cards of an event, as (where it came from or went to, whether the viewer may know it): by hand.

    ``buried``: the hand from which the cards in the kitty came; its player knows them when another takes them up.
    """
    own = {f"hand[{viewer}]"} if viewer is not None else set()
    if viewer is not None and state.rules.name == "summit" and viewer == state.value("bidder"):
        own.add("kitty")
    if buried in own and event.get("from") == "kitty":
        own.add("kitty")
    won = {f"won[{seat}]" for seat in range(state.rules.seats)}
    public = PUBLIC | (won if state.rules.name in OPEN_TRICKS else set())
    match event["event"]:
        case "deal":
            for seat, hand in enumerate(event["hands"]):
                yield f"hand[{seat}]", viewer == seat and "cards" in hand
                assert viewer == seat or set(hand) == {"count"}
        case "move":
            yield "move", bool({event["from"], event["to"]} & (own | public))
        case "made" if "cards" in event or "count" in event:
            yield "made", viewer == event["seat"]


def told_to(state: hw.State, viewer: int | None) -> list[dict[str, Any]]:
    """All events but that a slot was set which the viewer may not see: a guarded step would give its guard away."""
    bit = 1 << (state.rules.seats if viewer is None else viewer)
    whole = zip(state.core.events, state.events, strict=True)
    return [event for raw, event in whole if raw[0] != "set" or raw[3] & bit]


@pytest.mark.parametrize(("game", "number", "house"), TABLES, ids=NAMES)
def test_events_show_no_cards_that_are_hidden(game: str, number: int, house: str) -> None:
    rules, rng = table(game, number, house), dice("events", game, number)
    told, buried = 0, ""
    for state in match(rules, rng):
        for viewer in viewers(rules):
            mine, all_of_it = state.events_for(viewer), told_to(state, viewer)
            assert [e["event"] for e in mine] == [e["event"] for e in all_of_it]
            for event, whole in zip(mine, all_of_it, strict=True):
                if event["event"] in ("play", "show", "phase", "row", "trick", "shuffle", "timeout", "leave"):
                    assert event == whole
                    continue
                for _, allowed in may_be_shown(state, viewer, event, buried):
                    told += 1
                    if event["event"] != "deal":
                        assert ("cards" in event) == allowed, (viewer, event)
                        assert ("count" in event) != allowed
        for whole in state.events:
            buried = whole["from"] if whole["event"] == "move" and whole["to"] == "kitty" else buried
    assert told > 10


def test_a_view_has_only_what_is_meant_to_be_in_it() -> None:
    state = rules_of("dalian").start(seed=3)
    view = state.view(None)
    assert set(view["zones"]["hand"]["0"]) <= {"count"} and "cards" not in view["zones"]["stock"]
    text = json.dumps(view, ensure_ascii=False)
    assert not any(f'"{card}"' in text for card in ("H5", "BJ", "LJ", "H9"))
    assert str(Path(__file__).parent) not in text and "seed" not in text


def test_cards_alike_are_told_without_the_order() -> None:
    """Where alike means the same card, asking for it reads no trump suit that the seat may not know."""
    both = ["house/shengji_face_down_calls.yaml", "house/shengji_calls_with_jokers.yaml"]
    rules = hw.load("shengji", overlays=both)
    hands = {0: "H2 H2 BJ", 1: "C2 C2 LJ LJ", 2: "S2", 3: "D2"}
    zones = {"stock": "D3 D4 D6 D7 D8 D9 DJ DQ", "hand": hands, "kitty": "", "won": dict.fromkeys(range(4), "")}
    memory = {"dealer": 0, "drawer": 0, "level_rank": 2, "fresh": False}
    state = rules.position({"phase": "last_call", "seat": 0, "memory": memory, "zones": zones}).apply("call H2 H2 BJ")
    seen = rules.from_view(state.view(1))
    assert state.judge("call C2 C2 LJ LJ") and seen.judge("call C2 C2 LJ LJ")
    assert [str(move) for move in seen.legal_moves()] == ["call C2 C2 LJ LJ", "decline"]

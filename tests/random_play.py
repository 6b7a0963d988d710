"""Random matches for tests: all bundled rulesets and all correct games among the tests, under several options."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import hongwu_rules as hw

OK = Path(__file__).parent / "ok"
GAMES = [*hw.rulesets(), *(str(path) for path in sorted(OK.glob("*.yaml")))]
SETTINGS = [(game, number) for game in GAMES for number in range(2)]  # 0: as the file has it; 1: other options
IDS = [f"{Path(game).stem}-{number}" for game, number in SETTINGS]


def dice(*key: object) -> Random:
    """Random numbers of a test: always the same, unless PLAY_SEED asks for others."""
    return Random(" ".join(map(str, (os.environ.get("PLAY_SEED", ""), *key))))


@cache
def rules_of(game: str, number: int = 0) -> hw.Rules:
    """A game under one of its settings, loaded once."""
    rules = hw.load(game)
    if not number:
        return rules
    rng = dice("options", game, number)
    options: dict[str, Any] = {}
    for name, option in rules.ruleset.options.items():
        if option.type.name == "bool":
            options[name] = rng.random() < 0.6
        elif option.type.words:
            options[name] = rng.choice(option.type.words)
    return hw.load(game, options=options)


def asking(rules: hw.Rules) -> list[str]:
    """The phases in which a seat acts."""
    return [name for name, phase in rules.ruleset.phases.items() if phase.moves]


def random_move(state: hw.State, rng: Random) -> hw.Move:
    """First a kind of move, then a move of it, so that rare kinds happen; passing is as rare as any other move."""
    legal = state.legal_moves()
    return legal.sample_kind(rng.choice(legal.kinds()), rng)


def match(rules: hw.Rules, rng: Random, *, deals: int = 2, moves: int = 400) -> Iterator[hw.State]:
    """Every state of a random match, or of its first deals: not every game comes to an end. Now and then the clock
    chooses, once in a while somebody leaves."""
    state = rules.start(seed=rng.randrange(1 << 30))
    for _ in range(moves):
        deals -= sum(e["event"] == "phase" and rules.ruleset.phases[e["phase"]].begins_deal for e in state.events)
        yield state
        if state.over or deals < 0:
            return
        state = step(state, rng)


def step(state: hw.State, rng: Random) -> hw.State:
    """One more step: nearly always a move."""
    draw = rng.random()
    if draw < 0.03:
        try:
            return state.timeout() if draw < 0.027 else state.leave(rng.randrange(state.rules.seats))
        except hw.NotExpected:
            pass
    return state.apply(random_move(state, rng))


def moments(rules: hw.Rules, rng: Random, number: int) -> list[hw.State]:
    """States from random places of a random match, phases that come seldom among them."""
    seen: dict[str, list[hw.State]] = {}
    for state in match(rules, rng):
        seen.setdefault(state.phase, []).append(state)
    first = [rng.choice(states) for states in seen.values()]
    more = [state for states in seen.values() for state in states]
    rng.shuffle(first)
    return (first + rng.sample(more, min(number, len(more))))[:number]


def outcome(ask: Callable[[], Any]) -> Any:
    """What came of asking: the answer (a verdict with every word of its reasons), or the name and the text of the error."""
    try:
        answer = ask()
    except hw.HongwuError as error:
        return type(error).__name__, error.text
    return answer if not isinstance(answer, hw.Verdict) else [(reason, reason.full) for reason in answer.reasons]


def strange_move(state: hw.State, rng: Random) -> dict[str, Any]:
    """A move as careless callers and cheats make them: mostly illegal, sometimes not even a move."""
    program = state.rules.program
    legal = list(_first(state, 200))
    made = (rng.choice(legal) if legal and rng.random() < 0.8 else hw.Move("play")).to_json()
    names, found = list(program.layout.pack.names(program.layout.deck)), list(made.get("cards", ()))
    everything = ["S2", "H9", "H10", "C3", "LJ", "BJ", *names]
    for _ in range(rng.choice((1, 1, 2))):
        match rng.randrange(8):
            case 0:
                found.append(rng.choice(everything))
            case 1 if found:
                found.remove(rng.choice(found))
            case 2 if found:
                found[rng.randrange(len(found))] = rng.choice(everything)
            case 3:
                found = rng.sample(names, rng.randint(1, 6))
            case 4 if found:
                found += found
            case 5:
                phases = program.ruleset.phases.values()
                made["move"] = rng.choice([*(name for phase in phases for name in phase.moves), "fly", ""])
            case 6:
                made["choice"] = rng.choice(CHOICES)
            case _:
                found = _from_hand(state, rng)
    made["cards"] = found
    return made


CHOICES = (
    None,
    "",
    "solo",
    "beyond",
    "free",
    "S",
    "H",
    "double",
    "redouble",
    "H5",
    "A",
    0,
    -1,
    1,
    70,
    72,
    85,
    100,
    105,
    1 << 70,
    True,
)


def _from_hand(state: hw.State, rng: Random) -> list[str]:
    if state.seat is None:
        return []
    held = state.cards("hand", state.seat)
    return rng.sample(held, rng.randint(0, min(5, len(held))))


def _first(state: hw.State, number: int) -> Iterator[hw.Move]:
    for _, move in zip(range(number), state.legal_moves(), strict=False):
        yield move

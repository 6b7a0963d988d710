"""Does a changed ruleset behave otherwise? Seeded deals of the unchanged one, played again with the changed one.

Recorded at each step: the events, and the verdict on a move that a player might try; at every third step also the view
of the seat to act and of another viewer, each in turn; in the first steps, and at the end of a match, the views of all.
The same moves are then made under the other rules.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from hongwu_rules.coverage import Prober
from hongwu_rules.errors import HongwuError
from hongwu_rules.game import Rules, State
from hongwu_rules.play.move import Move
from hongwu_rules.simulate import deals_begun, random_player, seed_of

DEALS = 200
CUT = 12  # deals of a match
WHOLE = 300  # steps of the first match at which all views are looked at


@dataclass(slots=True)
class Step:
    """A move that was made, one that was only judged before it, and what could be seen then."""

    tried: Move | None
    made: Move
    seen: int


@dataclass(slots=True)
class Match:
    """A match, or its first deals; ``last`` is what could be seen at its end."""

    seed: int
    steps: list[Step] = field(default_factory=list)
    last: int = 0


def record(rules: Rules, deals: int = DEALS, seed: int = 0) -> list[Match]:
    """Random matches of so many deals in all, with what can be seen at each step.

    Marks of sight are only good within one process and those it forks.
    """
    matches: list[Match] = []
    played = 0
    while played < deals:
        match = Match(seed_of(seed, len(matches)))
        rng = Random(match.seed)
        prober = Prober(rng)
        state = rules.start(seed=match.seed)
        begun = deals_begun(rules.ruleset, state.happened)
        while not state.over and begun <= CUT and played + begun <= deals:
            tried = _tried(prober, state)
            made = random_player(state, rng)
            match.steps.append(Step(tried, made, _seen(state, tried, len(match.steps), first=not matches)))
            state = state.apply(made)
            begun += deals_begun(rules.ruleset, state.happened)
        match.last = _seen(state, None, 0, first=True)
        played += max(1, begun if state.over else begun - 1)
        matches.append(match)
    return matches


def difference(rules: Rules, matches: list[Match]) -> str:
    """Where the rules first lead elsewhere than those that were recorded, as ``match 3, step 17``; "" if nowhere."""
    for number, match in enumerate(matches):
        at = 0
        try:
            state = rules.start(seed=match.seed)
            for at, step in enumerate(match.steps):
                if _seen(state, step.tried, at, first=number == 0) != step.seen:
                    return f"match {number}, step {at}"
                state = state.apply(step.made)
            if _seen(state, None, 0, first=True) != match.last:
                return f"match {number}, end"
        except (
            HongwuError,
            ArithmeticError,
            AssertionError,
            LookupError,
            TypeError,
            ValueError,
            RecursionError,
        ) as fault:
            return f"match {number}, step {at}: {type(fault).__name__}"
    return ""


def _tried(prober: Prober, state: State) -> Move | None:
    """A move of any kind that the phase has, allowed or not."""
    moves = list(state.rules.program.phases[state.core.position.phase].moves.values())
    return prober.candidate(state, prober.rng.choice(moves)) if moves else None


def _seen(state: State, tried: Move | None, number: int, *, first: bool) -> int:
    """A mark of everything that can be seen of a state."""
    viewers: list[int | None] = [*range(state.rules.seats), None]
    if not (first and number < WHOLE):
        viewers = [state.seat, viewers[number // 3 % len(viewers)]] if number % 3 == 0 else []
    views = []
    for viewer in viewers:
        view = state.view(viewer)
        del view["digest"]
        views.append(repr(view))
    verdict = () if tried is None else tuple((reason.id, reason.zh, reason.en) for reason in state.judge(tried).reasons)
    return hash((tuple(state.happened), tuple(views), verdict))

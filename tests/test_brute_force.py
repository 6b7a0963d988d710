"""Leads, throws, answers and winners of whole tricks, against a program that tries everything.

That program must say what the rows of the independent engine say; only then is it asked about other hands.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hongwu_rules as hw
from brute_force import Order, Part, answers, beaten, reading, red_five, sheng_ji, sizes, winner, worth
from test_trick_properties import dealt

ORACLE = Path(__file__).with_name("oracle")
SOME = settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
randoms = st.randoms(use_true_random=False)


# ---------------------------------------------------------------- the program and the engine
def rows(name: str) -> Iterator[tuple[Order, Any]]:
    """One row in twenty-five."""
    with (ORACLE / f"shengji_{name}.jsonl").open(encoding="utf-8") as lines:
        for row in [json.loads(line) for line in lines][::25]:
            yield sheng_ji(row["level"], None if row["trump"] == "none" else row["trump"]), row


def test_it_reads_as_the_engine_does() -> None:
    for order, row in rows("shape"):
        parts = [size for size, _ in reading(order, row["cards"])]
        assert parts == [part.get("pairs", int(part["kind"] == "pair")) for part in row["parts"]], row


def test_it_judges_throws_as_the_engine_does() -> None:
    for order, row in rows("throw"):
        assert (not beaten(order, row["lead"], row["others"])) is row["stands"], row


def test_it_finds_the_winner_that_the_engine_finds() -> None:
    for order, row in rows("winner"):
        assert winner(order, row["plays"], "every_part") == row["winner"], row


def test_it_follows_as_the_engine_does() -> None:
    """Of long hands the pairs are enough: they hold all that can be given."""
    for order, row in rows("follow"):
        group, number = order.group(row["lead"][0]), len(row["lead"])
        held, play = order.of(row["hand"], group), order.of(row["play"], group)
        pairs = [card for card, count in Counter(held).items() for _ in range(count) if count == 2]
        if len(held) <= number:
            legal = play == held
        elif len(pairs) > 10:
            continue
        else:
            shape = sizes(reading(order, row["lead"]))
            legal = len(play) == number and worth(order, play, shape) == worth(order, pairs, shape)
        assert legal is row["legal"], row


# ---------------------------------------------------------------- the rulesets
def leads_of_sheng_ji(order: Order, hand: Sequence[str]) -> set[tuple[str, ...]]:
    """Any cards of one group: everything may be thrown."""
    some = (play for number in range(1, len(hand) + 1) for play in combinations(sorted(hand), number))
    return {play for play in some if len({order.group(card) for card in play}) == 1}


def leads_of_taihu(order: Order, hand: Sequence[str]) -> set[tuple[str, ...]]:
    """A red five is led only when nothing else is left (T28, TA9)."""
    return {play for play in leads_of_sheng_ji(order, hand) if "H5" not in play or set(hand) == {"H5"}}


def answers_of_taihu(order: Order, hand: Sequence[str], lead: Sequence[str]) -> set[tuple[str, ...]]:
    """On a plain lead a red five goes only where the other cards are too few (TA7)."""
    spare = len(lead) - sum(card != "H5" for card in hand)
    found = answers(order, hand, lead)
    return {p for p in found if order.group(lead[0]) == "trumps" or p.count("H5") <= max(0, spare)}


def forced_in_sheng_ji(parts: Sequence[Part], lost: Sequence[Part]) -> Part:
    """Of the beaten parts the smallest (U14)."""
    return min(lost)


def forced_in_taihu(parts: Sequence[Part], lost: Sequence[Part]) -> Part:
    """Of all that was thrown the lowest single or pair, a tractor only if there is nothing else (TA21)."""
    return min(parts, key=lambda part: (part[0] if part[0] > 1 else 0, part[1]))


GAMES: list[tuple[str, Callable[..., Order], Any, Any, Any]] = [
    ("shengji", sheng_ji, leads_of_sheng_ji, answers, forced_in_sheng_ji),
    ("anhui", red_five, leads_of_taihu, answers_of_taihu, forced_in_taihu),
]


def listed(state: hw.State) -> set[tuple[str, ...]]:
    """The legal moves, each listed and counted once."""
    found = [tuple(sorted(move.cards)) for move in state.legal_moves()]
    assert len(found) == len(set(found)) == state.legal_moves().count()
    return set(found)


def event(state: hw.State, name: str) -> dict[str, Any]:
    return next(found for found in state.events if found["event"] == name)


@pytest.mark.parametrize(("game", "built", "leads", "follows", "forced"), GAMES, ids=[game[0] for game in GAMES])
@SOME
@given(rng=randoms)
def test_a_trick(game: str, built: Any, leads: Any, follows: Any, forced: Any, rng: Random) -> None:
    deal = dealt(game, rng)
    deal = replace(deal, level="2") if game == "anhui" and deal.level in ("3", "5") else deal
    order, state = built(deal.level, deal.trump), deal.position()
    legal = leads(order, deal.hands[0])
    assert listed(state) == legal
    number = rng.choice(sorted({len(play) for play in legal}))
    lead = rng.choice([play for play in sorted(legal) if len(play) == number])
    state = state.apply(hw.Move("play", cards=lead))
    led = event(state, "play")["cards"]
    parts = reading(order, lead)
    lost = beaten(order, lead, [deal.hands[seat] for seat in (1, 2, 3)]) if len(parts) > 1 else []
    assert reading(order, led) == ([forced(parts, lost)] if lost else parts)
    assert not Counter(led) - Counter(lead)
    plays = {0: led}
    while len(plays) < state.rules.seats:
        seat = state.seat
        assert seat is not None
        legal = follows(order, deal.hands[seat], led)
        assert listed(state) == legal, (deal, led)
        ruffs = [play for play in legal if order.ruffs.issuperset(play)]
        plays[seat] = rng.choice(sorted(ruffs if ruffs and rng.random() < 0.6 else legal))
        state = state.apply(hw.Move("play", cards=plays[seat]))
    at = winner(order, list(plays.values()), "largest_kind")
    assert event(state, "trick")["seat"] == list(plays)[at], (deal, plays)

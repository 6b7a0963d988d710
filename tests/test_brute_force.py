"""Leads, throws, answers and winners of whole tricks, against a program that tries everything.

That program must say what the rows of the independent engine say; only then is it asked about other hands.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hongwu_rules as hw
from brute_force import (
    RANKS,
    SUITS,
    Order,
    Part,
    answers,
    beaten,
    layouts,
    reading,
    red_five,
    sheng_ji,
    sizes,
    winner,
    worth,
)
from random_play import rules_of
from test_trick_properties import Deal

ORACLE = Path(__file__).with_name("oracle")
SOME = settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


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
@dataclass(frozen=True)
class Game:
    """升级: all may be led that is of one group; of a bad throw the smallest beaten part is led (U14)."""

    name: str = "shengji"
    levels: tuple[str, ...] = tuple(RANKS)
    order: Callable[[str, str | None], Order] = sheng_ji

    def leads(self, order: Order, hand: Sequence[str]) -> set[tuple[str, ...]]:
        some = (play for number in range(1, len(hand) + 1) for play in combinations(sorted(hand), number))
        return {play for play in some if len({order.group(card) for card in play}) == 1}

    def answers(self, order: Order, hand: Sequence[str], lead: Sequence[str]) -> set[tuple[str, ...]]:
        return answers(order, hand, lead)

    def forced(self, thrown: Sequence[Part], lost: Sequence[Part]) -> Part:
        return min(lost)


@dataclass(frozen=True)
class Taihu(Game):
    """The red five leads only when nothing else is left (T28, TA9), and stays in hand on a plain lead (TA7).

    Only plain suits are thrown (M14). Of a bad throw the lowest single or pair is led, a tractor only if there is nothing else (TA21).
    """

    name: str = "anhui"
    levels: tuple[str, ...] = tuple(rank for rank in RANKS if rank not in ("3", "5"))
    order: Callable[[str, str | None], Order] = red_five

    def leads(self, order: Order, hand: Sequence[str]) -> set[tuple[str, ...]]:
        found = super().leads(order, hand)
        if set(hand) != {"H5"}:
            found = {play for play in found if "H5" not in play}
        return {play for play in found if order.group(play[0]) != "trumps" or len(reading(order, play)) == 1}

    def answers(self, order: Order, hand: Sequence[str], lead: Sequence[str]) -> set[tuple[str, ...]]:
        found = answers(order, hand, lead)
        if order.group(lead[0]) == "trumps":
            return found
        lacking = len(lead) - sum(card != "H5" for card in hand)
        return {play for play in found if play.count("H5") <= max(0, lacking)}

    def forced(self, thrown: Sequence[Part], lost: Sequence[Part]) -> Part:
        return min(thrown, key=lambda part: (part[0] if part[0] > 1 else 0, part[1]))


def dealt(order: Order, level: str, rng: Random) -> dict[int, list[str]]:
    """Hands full of pairs: some have neighbours of one group, around the level or high up, the others trumps above all."""
    size, group = rng.randint(4, 8), rng.choice(["trumps", *sorted({group for group, _ in order.at.values()})])
    line = sorted(order.of(order.at, group), key=order.place)
    start = rng.choice([max(0, RANKS.index(level) - 3), max(0, len(line) - 5), rng.randrange(len(line))])
    near = line[start : start + 6]
    rest = sorted(order.at.keys() - near, key=lambda card: (rng.random() - 0.4 * (order.group(card) == "trumps"), card))
    hands: dict[int, list[str]] = {seat: [] for seat in range(4)}
    holders = [0, *rng.sample([1, 2, 3], rng.randint(0, 2))]
    for card in [*near, *near, *rest, *rest]:
        number = min(2 if rng.random() < 0.8 else 1, 2 - sum(hand.count(card) for hand in hands.values()))
        room = [seat for seat in (holders if card in near else hands) if len(hands[seat]) + number <= size]
        if room:
            hands[rng.choice(room)] += [card] * number
    return hands


def listed(state: hw.State) -> set[tuple[str, ...]]:
    """The legal moves, each listed and counted once."""
    found = [tuple(sorted(move.cards)) for move in state.legal_moves()]
    assert len(found) == len(set(found)) == state.legal_moves().count()
    return set(found)


def event(state: hw.State, name: str) -> dict[str, Any]:
    return next(found for found in state.events if found["event"] == name)


@pytest.mark.parametrize("game", [Game(), Taihu()], ids=lambda game: game.name)
@SOME
@given(seed=st.integers(0, 2**32 - 1))
def test_a_trick(game: Game, seed: int) -> None:
    rng = Random(seed)
    level, trump = rng.choice(game.levels), rng.choice([*SUITS, None])
    order = game.order(level, trump)
    hands = dealt(order, level, rng)
    state = Deal(rules_of(game.name), trump, level, hands).position()

    legal = sorted(game.leads(order, hands[0]))
    assert listed(state) == set(legal)
    lead = max(rng.choices(legal, k=20), key=lambda play: len(play) - 2 * rng.random() * len(reading(order, play)))
    state = state.apply(hw.Move("play", cards=lead))
    led, parts = event(state, "play")["cards"], reading(order, lead)
    lost = beaten(order, lead, [hands[1], hands[2], hands[3]]) if len(parts) > 1 else []
    assert reading(order, led) == ([game.forced(parts, lost)] if lost else parts), (level, trump, hands, lead)
    assert not Counter(led) - Counter(lead)

    plays, shape = {0: led}, sizes(reading(order, led))
    while len(plays) < len(hands):
        seat = state.seat
        assert seat is not None
        legal = sorted(game.answers(order, hands[seat], led))
        assert listed(state) == set(legal), (level, trump, hands[seat], led)
        ruffs = [play for play in legal if order.ruffs.issuperset(play) and shape in map(sizes, layouts(order, play))]
        plays[seat] = rng.choice(ruffs if ruffs and rng.random() < 0.8 else legal)
        state = state.apply(hw.Move("play", cards=plays[seat]))
    at = winner(order, list(plays.values()), "largest_kind")
    assert event(state, "trick")["seat"] == list(plays)[at], (level, trump, plays)

"""What a list of moves says is exact: tried against judging every set of cards of a hand with every choice."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from itertools import islice, product
from random import Random
from typing import Any

import pytest

import hongwu_rules as hw
from random_play import IDS, SETTINGS, asking, dice, match, rules_of, strange_move

SMALL = 9  # cards in a hand that are tried in every combination
SAMPLES = 60  # legal moves up to which every one must be drawn
RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
WORDS = ("S", "H", "D", "C", "A", "BJ", "nothing", "", "free", "solo", "sky", "beyond", "plain", "double", "redouble")
Sign = tuple[str, tuple[tuple[int, int], ...], Any]


# ---------------------------------------------------------------- every set of cards, one after the other
def subsets(hand: list[str]) -> Iterator[list[str]]:
    """Every set of cards of a hand, each once, copies counted."""
    held = Counter(hand)
    for numbers in product(*(range(n + 1) for n in held.values())):
        yield [card for card, n in zip(held, numbers, strict=True) for _ in range(n)]


def sign(rules: hw.Rules, move: hw.Move) -> Sign:
    """A move up to cards that no line tells apart."""
    program = rules.program
    ids = program.layout.pack.ids(move.packed(program.layout.pack) or 0)
    return move.name, tuple(sorted(Counter(program.classes[card] for card in ids).items())), move.choice


def tried(state: hw.State) -> Iterator[hw.Move]:
    """Every move that could be thought of: each name, with every set of cards of the hand, with every choice."""
    assert state.seat is not None
    hand = state.cards("hand", state.seat)
    for made in state.rules.program.phases[state.core.phase].moves.values():
        sets = subsets(hand) if made.zone is not None else iter([[], hand[:1]])
        if made.choice_type is not None and made.choice_type.name == "card":
            sets = iter([[]])  # `call D7` is written with a card: the choice
        for cards in sets:
            for choice in choices(state.rules, made):
                yield hw.Move(made.name, cards=cards, choice=choice)


def choices(rules: hw.Rules, made: Any) -> list[Any]:
    """Everything that anybody might choose, and some more."""
    if made.choices is None:
        return [None]
    numbers, pack = range(-5, 260), rules.program.layout.pack
    kind = made.choice_type
    found = [None, *(numbers if kind.name in ("int", "seat") else WORDS), *kind.words]
    return (
        [*dict.fromkeys([*found, *pack.names(rules.program.layout.deck)])]
        if kind.name == "card"
        else [*dict.fromkeys(found)]
    )


def check_list(state: hw.State, rng: Random) -> int:
    """Compare the list of a state with what judging every set of cards says; how many moves are legal."""
    rules, legal = state.rules, state.legal_moves()
    judged: dict[Sign, bool] = {}
    for move in tried(state):
        ok = state.judge(move).ok
        assert (move in legal) == ok
        assert judged.setdefault(sign(rules, move), ok) == ok, f"equivalent to another, and judged otherwise: {move}"
    listed = list(legal)
    right = {made for made, ok in judged.items() if ok}
    assert {sign(rules, move) for move in listed} == right
    assert len(listed) == len(right), "a move is listed twice"
    assert all(state.judge(move).ok for move in listed)
    assert [str(move) for move in state.legal_moves()] == [str(move) for move in listed], "the order changed"
    check_counts(legal, listed)
    check_samples(legal, listed, rng)
    return len(listed)


def check_counts(legal: hw.LegalMoves, listed: list[hw.Move]) -> None:
    assert legal.count() == len(listed) and bool(legal) == bool(listed)
    assert legal.count(limit=len(listed)) == len(listed)
    assert legal.count(limit=10_000) == (len(listed) if len(listed) <= 10_000 else None)
    if listed:
        assert legal.count(limit=len(listed) - 1) is None
    by_name = Counter(move.name for move in listed)
    assert legal.kinds() == list(dict.fromkeys(move.name for move in listed))
    for name, number in by_name.items():
        assert legal.count_kind(name) == number
        assert list(legal.of_kind(name)) == [move for move in listed if move.name == name]


def check_samples(legal: hw.LegalMoves, listed: list[hw.Move], rng: Random) -> None:
    """Every move comes up: with k moves, among k × (12 + ln k) draws one is missed in 160,000 runs."""
    everything = set(listed)
    if not listed:
        with pytest.raises(IndexError):
            legal.sample(rng)
        return
    if len(listed) > SAMPLES:
        assert all(legal.sample(rng) in everything for _ in range(50))
        return
    draws = math.ceil(len(listed) * (12 + math.log(len(listed))))
    assert {legal.sample(rng) for _ in range(draws)} == everything
    name = listed[0].name
    assert {legal.sample_kind(name, rng) for _ in range(draws)} == {move for move in listed if move.name == name}


# ---------------------------------------------------------------- positions with few cards
def few_cards(rules: hw.Rules, rng: Random, number: int, *, left: list[str]) -> list[str]:
    """Some of the cards left, mostly of few ranks in a row, so that they make shapes; they are taken away."""
    start, wide = rng.randrange(13), rng.randint(2, 6)
    near = {RANKS[(start + step) % 13] for step in range(wide)}
    fit = [card for card in left if card[1:] in near or (card in ("BJ", "LJ", "H5") and rng.random() < 0.4)]
    fit = fit if len(fit) >= number and rng.random() < 0.8 else left
    picked = rng.sample(fit, min(number, len(fit)))
    for card in picked:
        left.remove(card)
    return picked


def memory_of(rules: hw.Rules, phase: str, rng: Random) -> dict[str, Any]:
    """The memory of a position in a phase, as it may be there: the slots of these names that the game has."""
    seat, some = rng.randrange(rules.seats - 1), rng.random() < 0.5
    found: dict[str, Any] = {"leader": seat, "broken": some, "bidder": seat, "bid": 80, "dealer": seat}
    found |= {
        "trump": rng.choice([*"SHDC"]),
        "stake": rng.choice(["plain", "double"]),
        "level_rank": rng.choice(["2", "9"]),
    }
    if phase == "auction":
        found |= {"bidder": None if some else rules.seats - 1, "bid": rng.choice([0, 70, 85, 95])}
    if phase in ("name_trump", "doubling") and some:
        found["trump"] = None
    slots = rules.ruleset.memory
    if "contract" in slots:
        found["contract"] = rng.choice(["free", "solo", "sky", "beyond"])
        found["dealer"] = None if found["contract"] == "free" else seat
    return {name: value for name, value in found.items() if name in slots}


def small_position(rules: hw.Rules, phase: str, rng: Random, most: int) -> hw.State:
    """A position of a phase in which the seat to act has few cards and, in answering phases, a trick lies there."""
    model, pack = rules.ruleset.phases[phase], rules.program.layout.pack
    left = pack.names(rules.program.layout.deck)
    played = few_cards(rules, rng, rng.randint(1, 5), left=left)
    hands = {seat: few_cards(rules, rng, rng.randint(1, most), left=left) for seat in range(rules.seats)}
    description: dict[str, Any] = {"phase": phase, "memory": memory_of(rules, phase, rng), "zones": {"hand": hands}}
    seat = rng.randrange(rules.seats)
    if phase in ("answer", "follow"):
        lead = (seat - rng.randint(1, rules.seats - 1)) % rules.seats
        if rules.ruleset.phases["lead"].moves["play"].shapes:  # a trick that somebody really led
            start = rules.position(
                {"phase": "lead", "seat": lead, "memory": description["memory"], "zones": {"hand": {lead: played}}}
            )
            played = list(start.legal_moves().sample(rng).cards) if start.legal_moves() else played[:1]
        description["trick"] = [{"seat": lead, "cards": played}]
    if model.kind == "round" or rng.random() < 0.5:
        description["seat"] = seat
    try:
        return rules.position(description)
    except hw.PositionError:  # nobody is set to act there
        return rules.position(description | {"seat": seat})


@pytest.mark.parametrize(("game", "number"), SETTINGS, ids=IDS)
def test_the_list_is_what_judging_everything_gives(game: str, number: int) -> None:
    rules, rng = rules_of(game, number), dice("list", game, number)
    listed = 0
    for phase in asking(rules):
        for turn in range(7):
            most = SMALL if turn % 4 == 0 else 6
            listed += check_list(small_position(rules, phase, rng, most), rng)
    assert listed > 20


@pytest.mark.parametrize(("game", "number"), SETTINGS, ids=IDS)
def test_the_list_is_right_in_matches_too(game: str, number: int) -> None:
    rules, rng = rules_of(game, number), dice("matches", game, number)
    small = [s for s in match(rules, rng) if s.seat is not None and len(s.cards("hand", s.seat)) <= 6]
    for state in rng.sample(small, min(8, len(small))):
        check_list(state, rng)


@pytest.mark.parametrize(("game", "number"), SETTINGS, ids=IDS)
def test_full_hands_list_no_illegal_move_and_draw_what_is_listed(game: str, number: int) -> None:
    rules, rng = rules_of(game, number), dice("full", game, number)
    for state in islice(match(rules, rng), 0, 60, 6):
        if state.seat is None:
            continue
        legal = state.legal_moves()
        listed = list(islice(legal, 3000))
        assert len(set(listed)) == len(listed) and all(
            state.judge(move).ok for move in listed[:: max(1, len(listed) // 50)]
        )
        if len(listed) < 3000:
            check_counts(legal, listed)
        signs = {sign(rules, move) for move in listed}
        for _ in range(30):
            drawn = legal.sample(rng)
            assert state.judge(drawn).ok and (len(listed) == 3000 or drawn in set(listed))
            other = strange_move(state, rng)
            try:
                moved = hw.Move(other["move"], cards=other["cards"], choice=other.get("choice"))
            except hw.MoveError:
                continue
            if len(listed) < 3000:
                assert (
                    (moved in legal) == state.judge(moved).ok == (sign(rules, moved) in signs and _held(state, moved))
                )


def _held(state: hw.State, move: hw.Move) -> bool:
    """Whether the cards are there: a sign of more cards of a class than of the card held is not enough."""
    assert state.seat is not None
    return not Counter(move.cards) - Counter(state.cards("hand", state.seat))

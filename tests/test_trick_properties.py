"""What holds in every game of tricks with follow duties, over hands and leads that hypothesis makes up.

Some legal play always exists; who holds the shape led in full may play nothing else; pairs are never held back; and what
comes of a trick does not depend on how seats, equal suits and the cards inside a play are named or ordered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations, islice, permutations
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hongwu_rules as hw
from hongwu_rules.cards import IDS, NAMES, RANK_NAMES, SUITS
from hongwu_rules.cards.order import OrderTable
from hongwu_rules.compile.program import Program
from hongwu_rules.compile.working import Working
from random_play import match, random_move, rules_of


def follow_duties(name: str) -> bool:
    """Whether a game has plays of several cards that must be followed."""
    phase = hw.load(name).ruleset.phases.get("follow")
    return phase is not None and any(clause.name == "follow_pairs" for clause in phase.moves["play"].require)


GAMES = [name for name in hw.rulesets() if follow_duties(name)]
SOME = settings(max_examples=30, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
FEW = settings(SOME, max_examples=8)
randoms = st.randoms(use_true_random=False)


@cache
def throwing(game: str) -> hw.Rules:
    """A game under options that let everything be thrown."""
    options = hw.load(game).ruleset.options
    wanted: dict[str, Any] = {"throws": "all", "follow_shape": True}
    return hw.load(game, options={name: value for name, value in wanted.items() if name in options})


@dataclass
class Deal:
    """Hands, trump and level before a lead of seat 0; few ranks, so that there are shapes."""

    rules: hw.Rules
    trump: str | None
    level: str
    hands: dict[int, list[str]]

    def position(self, names: Mapping[str, str] | None = None, turn: int = 0) -> hw.State:
        """The position, with other names for its cards, and every seat moved on by ``turn``."""
        to, slots = names or {}, self.rules.ruleset.memory
        seats = self.rules.seats
        lead = turn % seats
        trump = None if self.trump is None else to.get(f"{self.trump}2", f"{self.trump}2")[0]
        memory = {"trump": trump, "level_rank": self.level, "leader": lead, "dealer": lead, "burier": lead}
        hands = {(s + turn) % seats: [to.get(c, c) for c in held] for s, held in self.hands.items()}
        zones: dict[str, Any] = {"hand": hands, "kitty": [], "stock": []}
        return self.rules.position(
            {
                "phase": "lead",
                "seat": lead,
                "memory": {name: value for name, value in memory.items() if name in slots},
                "zones": {name: held for name, held in zones.items() if name in self.rules.ruleset.zones},
            }
        )


def dealt(game: str, rng: Random, *, most: int = 8) -> Deal:
    """A deal in which everybody has as many cards."""
    rules = throwing(game)
    deck = rules.program.layout.pack.names(rules.program.layout.deck)
    start, wide = rng.randrange(13), rng.randint(3, 7)
    near = {RANK_NAMES[2 + (start + i) % 13] for i in range(wide)}
    suits = rng.sample(SUITS, rng.randint(1, 3))
    fit = [c for c in deck if (c[1:] in near and c[0] in suits) or (c in ("BJ", "LJ", "H5") and rng.random() < 0.3)]
    rest = list((Counter(deck) - Counter(fit)).elements())
    rng.shuffle(fit)
    rng.shuffle(rest)
    number = rng.randint(2, most)
    cards = (fit + rest)[: number * rules.seats]
    rng.shuffle(cards)
    hands = {s: cards[s * number : (s + 1) * number] for s in range(rules.seats)}
    level = rng.choice([*near, "2"]) if "level_rank" in rules.ruleset.memory else "2"
    return Deal(rules, rng.choice([*SUITS, None]), level, hands)


def led(deal: Deal, rng: Random) -> hw.State:
    """After a lead, one of many cards more often than it would come by chance."""
    state = deal.position()
    leads = list(islice(state.legal_moves(), 400))
    size = rng.choice(sorted({len(move.cards) for move in leads}))
    return state.apply(rng.choice([move for move in leads if len(move.cards) == size]))


def program_of(state: hw.State) -> tuple[Program, Working]:
    return state.rules.program, state.core


def plays(state: hw.State) -> Iterator[int]:
    """Every set of cards of the hand with as many cards as were led, packed."""
    pack = state.rules.program.layout.pack
    assert state.seat is not None and state.trick is not None
    hand = [IDS[name] for name in state.cards("hand", state.seat)]
    return iter({pack.of(cards) for cards in combinations(hand, len(state.trick["plays"][0]["cards"]))})


def legal(state: hw.State, packed: int) -> bool:
    return state.judge(hw.Move("play", cards=state.rules.program.layout.pack.names(packed))).ok


# ---------------------------------------------------------------- there is always something to play
@pytest.mark.parametrize("game", GAMES)
@SOME
@given(rng=randoms)
def test_there_is_always_a_legal_play(game: str, rng: Random) -> None:
    state = dealt(game, rng).position()
    for _ in range(state.rules.seats):
        if state.phase not in ("lead", "follow"):
            break
        assert state.legal_moves(), state.cards("hand", state.seat)
        state = state.apply(random_move(state, rng))


# ---------------------------------------------------------------- the follow duties
@pytest.mark.parametrize("game", GAMES)
@SOME
@given(rng=randoms)
def test_who_holds_the_shape_led_plays_it(game: str, rng: Random) -> None:
    """A full match: cards of the group led that can be laid out in the parts of the lead."""
    state = led(dealt(game, rng), rng)
    program, g = program_of(state)
    assert g.trick is not None
    lead, book = g.trick.plays[0].reading, g.book()
    assert lead is not None
    mask = g.table().group_mask[g.trick.led]

    def matches(packed: int) -> bool:
        if packed & ~mask:
            return False
        if lead.parts:
            return book.contest.measure(packed, lead) is not None
        reading = book.read(packed)
        return reading is not None and reading[:4] == lead[:4]

    tried = list(plays(state))
    full = {packed for packed in tried if matches(packed)}
    if full and len(program.layout.pack.names(tried[0])) > 1:
        assert {packed for packed in tried if legal(state, packed)} == full


@pytest.mark.parametrize("game", GAMES)
@SOME
@given(rng=randoms)
def test_pairs_are_not_held_back(game: str, rng: Random) -> None:
    """By counting names alone: of the suit led, as many pairs go as were led and are there."""
    state = led(dealt(game, rng), rng)
    program, g = program_of(state)
    assert g.trick is not None and state.seat is not None
    group, where = g.trick.led, g.table().group

    def pairs(names: list[str]) -> int:
        return sum(n // 2 for card, n in Counter(names).items() if where[IDS[card]] == group)

    asked = pairs(program.layout.pack.names(g.trick.plays[0].cards))
    due = min(asked, pairs(state.cards("hand", state.seat)))
    for move in islice(state.legal_moves(), 300):
        assert min(asked, pairs(list(move.cards))) == due, str(move)


# ---------------------------------------------------------------- names make no difference
def played_out(state: hw.State, moves: list[list[str]]) -> list[tuple[Any, ...]]:
    """The plays and tricks of some moves: what is shown, what is led instead, who wins what."""
    found: list[tuple[Any, ...]] = []
    for cards in moves:
        state = state.apply(hw.Move("play", cards=cards))
        for event in state.events:
            if event["event"] in ("play", "show", "trick"):
                found.append((event["event"], event["seat"], sorted(event.get("cards", ()))))
            if event["event"] == "move" and event["from"] == "trick":
                found.append(("taken", event["to"], sorted(event["cards"])))
                return found
    return found


def a_trick(deal: Deal, rng: Random) -> list[list[str]]:
    """The cards of four plays."""
    state, found = led(deal, rng), []
    assert state.trick is not None
    made = next(event for event in state.events if event["event"] == "made")
    found.append(list(made["cards"]))
    while len(found) < state.rules.seats:
        move = random_move(state, rng)
        found.append(list(move.cards))
        state = state.apply(move)
    return found


def renamed(told: list[tuple[Any, ...]], names: Mapping[str, str], turn: int, seats: int) -> list[tuple[Any, ...]]:
    """What happened, told with other names."""

    def seat(one: Any) -> Any:
        if isinstance(one, int):
            return (one + turn) % seats
        name, _, number = str(one).rstrip("]").partition("[")
        return f"{name}[{(int(number) + turn) % seats}]" if number else one

    return [(what, seat(who), sorted(names.get(card, card) for card in cards)) for what, who, cards in told]


@cache
def equal_suits(game: str) -> list[dict[str, str]]:
    """The ways to rename suits that leave every order and all points as they are."""
    rules = throwing(game)
    deck = sorted(set(rules.program.layout.deck_ids))
    found = []
    for order in permutations(SUITS):
        to = {f"{s}{r}": f"{t}{r}" for s, t in zip(SUITS, order, strict=True) for r in RANK_NAMES.values()}

        def same(trump: str | None, level: str, to: Mapping[str, str] = to) -> bool:
            hands = {s: [f"S{7 + s}"] for s in range(rules.seats)}
            deal = Deal(rules, trump, level, hands)
            one = program_of(deal.position())[1].table()
            two = program_of(deal.position(to))[1].table()
            points = rules.program.layout.points
            for card in deck:
                other = IDS[to.get(NAMES[card], NAMES[card])]
                if (one.line[card], one.step[card], points[card]) != (two.line[other], two.step[other], points[other]):
                    return False
            return True

        if all(same(trump, level) for trump in (*SUITS, None) for level in ("2", "9")):
            found.append(to)
    return found


@pytest.mark.parametrize("game", GAMES)
def test_some_suits_are_alike(game: str) -> None:
    assert len(equal_suits(game)) >= 2
    assert len(equal_suits("shengji")) == 24


@pytest.mark.parametrize("game", GAMES)
@SOME
@given(rng=randoms)
def test_names_of_seats_and_suits_make_no_difference(game: str, rng: Random) -> None:
    deal = dealt(game, rng, most=7)
    moves = a_trick(deal, rng)
    told = played_out(deal.position(), moves)
    assert told[-1][0] == "taken"
    names, turn = rng.choice(equal_suits(game)), rng.randrange(deal.rules.seats)
    other = [[names.get(card, card) for card in cards] for cards in moves]
    table = program_of(deal.position(names, turn))[1].table()
    again = played_out(deal.position(names, turn), other)
    assert strengths(again, table) == strengths(renamed(told, names, turn, deal.rules.seats), table)


def strengths(told: list[tuple[Any, ...]], table: OrderTable) -> list[tuple[Any, ...]]:
    """What happened, trumps told by their strength: of equal level cards a failed throw may lead any one."""

    def one(card: str) -> str:
        group = table.group[IDS[card]]
        return card if group < 0 or table.group_suits[group] is not None else f"{group}:{table.step[IDS[card]]}"

    return [(what, who, sorted(one(card) for card in cards)) for what, who, cards in told]


@pytest.mark.parametrize("game", GAMES)
@SOME
@given(rng=randoms)
def test_the_order_of_cards_in_a_play_makes_no_difference(game: str, rng: Random) -> None:
    deal = dealt(game, rng, most=7)
    moves = a_trick(deal, rng)
    mixed = [rng.sample(cards, len(cards)) for cards in moves]
    assert played_out(deal.position(), mixed) == played_out(deal.position(), moves)


def test_a_throw_of_pairs_among_level_cards() -> None:
    """Level 4, spades are trumps: SA SA C4 C4 BJ BJ against H4 H4 S4 S4, which other programs judge by the order of writing."""
    rules = throwing("shengji")
    lead = ["SA", "SA", "C4", "C4", "BJ", "BJ"]
    told = set()
    for names in equal_suits("shengji"):
        for held in (["H4", "H4", "S4", "S4"], ["S4", "S4", "H4", "H4"]):
            hands = {
                0: lead,
                1: [*held, "S7", "S8"],
                2: ["D7"] * 2 + ["D8"] * 2 + ["D9"] * 2,
                3: ["D10"] * 2 + ["DJ"] * 2 + ["DQ"] * 2,
            }
            deal = Deal(rules, "S", "4", hands)
            for order in ([0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0], [2, 0, 4, 1, 5, 3]):
                state = deal.position(names).apply(hw.Move("play", cards=[names.get(lead[i], lead[i]) for i in order]))
                back = {new: old for old, new in names.items()}
                trick = state.trick
                assert trick is not None
                told.add(tuple(sorted(back.get(card, card) for card in trick["plays"][0]["cards"])))
                answers = [sorted(back.get(card, card) for card in move.cards) for move in state.legal_moves()]
                assert answers == [["H4", "H4", "S4", "S4"]]  # a tractor too: the other fours below that of spades
    assert told == {("C4", "C4", "SA", "SA")}  # which they beat, so that it must be led instead of the throw


# ---------------------------------------------------------------- every card in one place
@pytest.mark.parametrize("game", [*GAMES, *(name for name in hw.rulesets() if name not in GAMES)])
@FEW
@given(seed=st.integers(0, 1 << 30))
def test_no_card_is_in_two_places(game: str, seed: int) -> None:
    """Buried, drawn, turned and shown cards are where they went, and nowhere else."""
    for state in match(rules_of(game, seed % 2), Random(seed), deals=1, moves=160):
        state.rules.program.audit(state.core)

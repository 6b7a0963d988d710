"""Whatever the clauses of a move ask of a pick, what is listed is what judging every pick lets pass.

Clauses are made at random of what listing can use (cards one by one, numbers, alike, conditions that do not look at the
pick) and of what it cannot, joined by ``and`` and ``or``.
"""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from hongwu_rules import Move, Rules, RulesetError, State, load
from hongwu_rules.cards import IDS

GAME = """hongwu: 1
name: asks
title: {zh: 问, en: asks}
seats: {count: 3, direction: clockwise}
deck:
  packs: 2
  keep: card.rank in {2, 5, K, BJ, LJ}
order:
  trumps:
    jokers: joker(card)
    suited: card.suit == trump by K 5 2
  plain[suit]: K 5 2
shapes:
  alike_by: ALIKE
  single: {alike: 1, zh: 单, en: single}
  pair: {alike: 2, zh: 对, en: pair}
define:
  joker(card): card in [LJ, BJ]
zones:
  stock: {is: seen by nobody, zh: 牌堆, en: stock}
  rest: {is: seen by nobody, zh: 余牌, en: rest}
  hand[seat]: {is: seen by viewer == seat, zh: 手牌, en: hand}
memory:
  match:
    trump: {is: suit?, zh: 主, en: trump}
    level: {is: rank?, zh: 级, en: level}
    flag: {is: bool = false, zh: 旗, en: flag}
    n: {is: 0..5 = 0, zh: 数, en: number}
    asker: {is: seat?, zh: 谁, en: who}
    turns: {is: 0..3 = 0, zh: 回, en: turns}
start: begin
phases:
  begin:
    zh: 发牌
    en: deal
    begins: deal
    do:
      - shuffle(stock)
      - deal(stock, hand, 6)
      - move(stock, rest)
      - asker = random(seats)
      - trump = random(suits)
      - level = random([2, 5, K])
      - flag = random([true, false])
      - n = random([0, 1, 2])
    next: ask
  ask:
    zh: 问
    en: ask
    seat: asker
    measure: 3 - turns
    moves:
      give:
        zh: 给
        en: give
        pick: hand[seat]
        count: COUNT
        require:
CLAUSES
        do: [turns += 1]
      decline: {zh: 不给, en: decline, do: [turns += 1]}
    next:
      - over when turns == 3
      - ask
  over: {final: true, zh: 完, en: over}
returns: turns + n + int(flag)
"""
OF_A_CARD = (
    "c.rank == level",
    "c.suit == trump",
    "c.rank in [2, 5]",
    "joker(c)",
    "c.colour == red",
    "group(c) == trumps",
    "c == H5",
    "c.rank > 5",
    "c.suit in [S, H]",
)
OF_NO_CARD = ("flag", "n > 0", "trump is not none", "len(picked) == 2", "len(picked) <= n")


def part(rng: Random) -> str:
    """One condition about a pick, or about what does not change with it."""
    one, other = rng.choice(OF_A_CARD), rng.choice(OF_A_CARD)
    number, sign = rng.choice(("1", "2", "n", "len(picked) - 1")), rng.choice(("<=", ">=", "=="))
    every = f"all({one} for c in picked)"
    return rng.choice(
        (
            every,
            every,
            f"({every} or len(picked) <= 2 and all({other} for c in picked))",
            f"not any({one} for c in picked)",
            f"any({one} for c in picked)",
            f"all({one} or {other} for c in picked)",
            f"count({one} for c in picked) {sign} {number}",
            "alike(picked)",
            "alike(picked)",
            "H5 not in picked",
            rng.choice(OF_NO_CARD),
        )
    )


def condition(rng: Random, depth: int = 0) -> str:
    """Parts joined by ``and`` and ``or``."""
    if depth > 1 or rng.random() < 0.5:
        return part(rng)
    joined = rng.choice((" and ", " or ")).join(condition(rng, depth + 1) for _ in range(rng.randint(2, 3)))
    return f"({joined})"


def game(rng: Random, path: Path) -> Rules:
    """A game whose clauses the checker lets pass: it refuses those that say nothing."""
    for number in range(100):
        clauses = []
        for clause in range(rng.randint(1, 3)):
            when = f", when: {rng.choice(OF_NO_CARD)}" if rng.random() < 0.3 else ""
            clauses.append(f'          c{clause}: {{that: "{condition(rng)}"{when}, zh: 不行, en: no}}')
        text = GAME.replace("ALIKE", rng.choice(("card", "step"))).replace("CLAUSES", "\n".join(clauses))
        file = path / f"asks{number}.yaml"
        file.write_text(
            text.replace("COUNT", rng.choice(("0..2", "0..3", "1..2", "1..3", "2", "1..6"))), encoding="utf-8"
        )
        try:
            return load(file)
        except RulesetError:
            continue
    raise AssertionError("no game was let pass")


def legal_picks(state: State) -> set[tuple[str, ...]]:
    """Every set of cards of the hand that may be given, by judging each."""
    hand = sorted(state.cards("hand", state.seat))
    picks = {pick for size in range(len(hand) + 1) for pick in combinations(hand, size)}
    return {pick for pick in picks if state.judge(Move("give", cards=pick))}


@pytest.mark.parametrize("seed", range(20))
def test_listed_is_what_judging_lets_pass(seed: int, tmp_path: Path) -> None:
    rng = Random(f"asks {seed}")
    rules = game(rng, tmp_path)

    def look(pick: tuple[str, ...]) -> tuple[int, ...]:
        return tuple(sorted(rules.program.classes[IDS[name]] for name in pick))

    for _ in range(10):
        state = rules.start(seed=rng.getrandbits(32))
        legal = legal_picks(state)
        moves = state.legal_moves()
        listed = [tuple(sorted(move.cards)) for move in moves.of_kind("give")]
        assert set(listed) <= legal and len({look(pick) for pick in listed}) == len(listed)
        assert {look(pick) for pick in listed} == {look(pick) for pick in legal}
        assert moves.count_kind("give") == len(listed) and moves.count() == len(listed) + 1
        drawn = {move for _ in range(20) if (move := moves.sample(rng)).name == "give"}
        assert {tuple(sorted(move.cards)) for move in drawn} <= set(listed)

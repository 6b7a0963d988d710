"""升级 as short as it can be, for tests of the words about tricks: two packs, a level and a trump suit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from compile_games import program
from hongwu_rules.cards import IDS, RANKS, SUITS
from hongwu_rules.cards.shapes import ShapeBook
from hongwu_rules.compile.chance import Chance
from hongwu_rules.compile.program import CompiledMove, Program
from hongwu_rules.compile.working import Working

TEXT = """
hongwu: 1
name: levels
title: {zh: 升级, en: Levels}

options:
  compare: {default: every_part, choices: {every_part: {zh: 每一部分, en: every part}, largest_kind: {zh: 最大的一种, en: the largest kind}, highest_card: {zh: 最大的一张, en: the highest card}}, zh: 怎么比, en: how plays compare}
  take_from: {default: thrown, choices: {thrown: {zh: 全部, en: all}, beaten: {zh: 被管住的, en: beaten}}, zh: 从哪里挑, en: chosen from}
  ties: {default: first, choices: {first: {zh: 先, en: first}, last: {zh: 后, en: last}}, zh: 一样大, en: ties}
  gaps: {default: true, zh: 可以跨级, en: the gap of the level closes}

seats: {count: 4, direction: counter_clockwise}

deck:
  packs: PACKS
  points: {5: 5, 10: 10, K: 10}

zones:
  stock: seen by nobody
  hand[seat]: seen by viewer == seat
  won[seat]: seen by all

memory:
  match:
    level: rank = 2
  deal:
    trump: suit?
    leader: seat?
    failed: int = 0

order:
  trumps:
    big_joker: card == BJ
    little_joker: card == LJ
    level: card.rank == level and card.suit == trump
    second_level: card.rank == level
    generals: card.suit == trump by A K Q J 10 9 8 7 6 5 4 3 2
  plain[suit]: A K Q J 10 9 8 7 6 5 4 3 2
  runs: {close_over: gaps, across_lines: true}

shapes:
  alike_by: card
  single:  {alike: 1, zh: 单张, en: single}
  pair:    {alike: 2, zh: 对子, en: pair}
  tractor: {alike: 2, run: 2.., zh: 拖拉机, en: tractor}
  throw:   {parts: tractor pair single, count: 2.., zh: 甩牌, en: throw}

trick:
  ruff: {that: group(play.cards) == trumps}
  over_ruff: compare
  equal: ties
  forced: [single pair, tractor]
  forced_from: take_from

define:
  fails(cards): not empty(beaten(cards))

start: deal

phases:
  deal:
    begins: deal
    do:
      - leader = random(seats)
      - shuffle(stock)
      - deal(stock, hand, DEALT)
    next: lead

  lead:
    seat: leader
    moves:
      play:
        zh: 出牌
        en: play
        pick: hand[seat]
        shapes: single pair tractor throw
        do:
          - show(picked)
          - failed += len(beaten(picked))
          - play(forced(picked) if fails(picked) else picked)
    next: follow

  follow:
    round: once
    first: next(leader)
    who: seat != leader
    moves:
      play:
        zh: 跟牌
        en: follow
        pick: hand[seat]
        count: len(trick.lead.cards)
        require:
          follow_suit: {that: "follows_group(picked, hand[seat], trick)", zh: 有首出的一门必须跟, en: Follow the suit led}
          follow_pairs: {that: "follows_sets(picked, hand[seat], trick)", zh: 有对必须跟对, en: Follow a pair with a pair}
          follow_tractor: {that: "follows_runs(picked, hand[seat], trick)", zh: 有拖拉机必须跟拖拉机, en: Follow a tractor with a tractor}
        do:
          - play(picked)
    next: trick_end

  trick_end:
    measure: len(hand[leader])
    do:
      - leader = trick.winner
      - move(trick, won[leader])
    next:
      - over when empty(hand[leader])
      - lead

  over: {final: true}

returns: points(won[seat]) - failed
"""


def levels(
    *, packs: int = 2, dealt: int = 25, changes: Sequence[tuple[str, str]] = (), **options: int | bool
) -> Program:
    """The game; ``changes`` replace parts of its text."""
    text = TEXT.replace("PACKS", str(packs)).replace("DEALT", str(dealt))
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return program(text, **options)


class Table:
    """A place to try words of one game: any cards may lie in any hand, and in several at once."""

    def __init__(self, game: Program, *, level: str = "2", trump: str | None = None) -> None:
        self.game = game
        self.pack = game.layout.pack
        self.m: list[Any] = [None] * len(game.layout.slot_at)
        self.put("level", RANKS[level])
        self.put("trump", None if trump in (None, "none") else SUITS.index(str(trump)))
        self.put("leader", 0)
        self.put("failed", 0)
        self.g = Working(game, self.m, [0] * len(game.layout.zone_at), None, Chance(0), 0)

    def put(self, slot: str, value: Any) -> None:
        self.m[self.game.layout.slots[slot].base] = value

    def cards(self, cards: str | Sequence[str]) -> int:
        names = cards.split() if isinstance(cards, str) else cards
        return self.pack.of(IDS[name] for name in names)

    def hand(self, seat: int, cards: str | Sequence[str]) -> int:
        packed = self.cards(cards)
        self.g.z[self.game.layout.zones["hand"].base + seat] = packed
        return packed

    @property
    def book(self) -> ShapeBook:
        return self.g.book()

    def move(self, phase: str) -> CompiledMove:
        return self.game.phases[self.game.numbers[phase]].moves["play"]

    def lead(self, cards: str | Sequence[str]) -> None:
        self.g.trick = self.game.play(self.g, None, 0, self.cards(cards))

    def winner(self, plays: Sequence[Sequence[str] | str]) -> int:
        """Who wins when seats 0, 1, 2 … play these cards."""
        trick = None
        for seat, cards in enumerate(plays):
            trick = self.game.play(self.g, trick, seat, self.cards(cards))
        assert trick is not None
        return trick.winner

    def broken(self, seat: int, picked: int) -> list[str]:
        """The follow duties that a play breaks."""
        return [c.clause.name for c in self.move("follow").clauses if not c.that(self.g, seat, picked, None)]

    def word(self, name: str, *args: Any) -> Any:
        """A word called as generated code calls it."""
        return self.scope[name](*args)

    @property
    def scope(self) -> Mapping[str, Any]:
        return self.move("lead").step.__globals__

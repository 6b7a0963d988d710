"""Small games for the tests of the compiler and the machine, and the way from their text to a program."""

from __future__ import annotations

from hongwu_rules import language
from hongwu_rules.compile.build import compile_ruleset
from hongwu_rules.compile.program import CompiledMove, Program
from hongwu_rules.diagnostics import Findings
from hongwu_rules.model import Ruleset
from hongwu_rules.play.state import State
from hongwu_rules.source import reader as source


def ruleset(text: str) -> Ruleset:
    """The ruleset of a text, which must be without fault."""
    findings = Findings()
    _, root = source.parse("test.yaml", text.encode(), findings)
    assert root is not None, findings.items
    built = language.build(root, findings)
    assert built is not None, [(d.code, d.span.line, d.message.en) for d in findings.items]
    return built


def program(text: str, **options: int | bool) -> Program:
    """The program of a text."""
    return compile_ruleset(ruleset(text), options)


def named(state: State, name: str) -> CompiledMove:
    """The move with a name in the phase of a state."""
    return state.program.phases[state.phase].moves[name]


# A trick game with trumps that change, a kitty, a ladder and a secret: everything that the bundled games need.
TRUMPS = """
hongwu: 1
name: trumps
title: {zh: 王牌, en: trumps}
options:
  stake: {default: 2, range: 1..9, zh: 注, en: stake}
  open_kitty: {default: false, zh: 明底, en: open kitty}
seats: {count: 4, direction: clockwise, teams: opposite}
deck:
  packs: 2
  points: {5: 5, 10: 10, K: 10}
ladder:
  steps: 2 4 6 7 8 9 10 J Q K A
  stops: 10 K
zones:
  stock: seen by nobody
  hand[seat]: seen by viewer == seat counted by viewer == seat or len(hand[seat]) <= 2
  kitty: seen by viewer == dealer or open_kitty
  won[seat]: seen by all
memory:
  match:
    level[seat]: rank = 2
    dealer: seat?
    deals: int = 0
  deal:
    trump: suit?
    leader: seat?
    turned: int = 0
    secret[seat]: int = 0 seen by viewer == seat
    taken[seat, seat]: int = 0
    small: 0..3 = 0
    called: card?
    shown[seat]: cards
    lucky: seat?
define:
  level_rank: level[dealer]
  advisor(card): card.rank == 3 and trump is not none and card.colour == colour(trump)
  mine(seat): sum(points(c) for c in won[seat])
  best_hand: most([len(won[s]), points(won[s])] for s in seats_from(dealer))
order:
  trumps:
    red_five: card == H5
    big_joker: card == BJ
    little_joker: card == LJ
    advisor: advisor(card) and card.suit == trump
    second_advisor: advisor(card)
    level: card.rank == level_rank and card.suit == trump
    second_level: card.rank == level_rank
    generals: card.suit == trump by A K Q J 10 9 8 7 6 5 4 3 2
  plain[suit]: A K Q J 10 9 8 7 6 5 4 3 2
  runs: {close_over: true, across_lines: true}
shapes:
  alike_by: card
  single: {alike: 1}
  pair: {alike: 2}
  tractor: {alike: 2, run: 2..}
trick:
  ruff:
    that: all(line(c) == generals for c in play.cards)
start: first
phases:
  first:
    do:
      - dealer = random(seats)
    next: deal
  deal:
    begins: deal
    do:
      - shuffle(stock)
      - deal(stock, hand, 25)
      - secret[s] = count(c == H5 for c in hand[s]) for s in seats
    next: turn
  turn:
    measure: 8 - turned
    do:
      - turned += 1
      - show(nth(stock, turned))
    next:
      - take when nth(stock, turned).suit is not none
      - take when turned == 8
      - turn
  take:
    do:
      - trump = nth(stock, turned).suit
      - move(top(stock), hand[dealer])
      - move(stock, hand[dealer])
      - leader = dealer
    next: bury
  bury:
    seat: dealer
    moves:
      bury:
        pick: hand[seat]
        count: 8
        require:
          no_red_five: {that: H5 not in picked, zh: 不, en: no}
          no_points: {that: all(points(c) == 0 or c.rank == level_rank for c in picked), zh: 不, en: no}
          not_all_alike: {that: not alike(picked) and pairs(picked) <= 4, zh: 不, en: no}
        do:
          - move(picked, kitty)
    next: call
  call:
    seat: dealer
    moves:
      call:
        choose: card
        require:
          plain: {that: group(chosen) != trumps, zh: 不, en: no}
        do:
          - called = chosen
          - small = 1 + small
    next: lead
  lead:
    seat: leader
    moves:
      play:
        pick: hand[seat]
        shapes: single pair tractor
        require:
          quiet_five: {that: "H5 not in picked or len(hand[seat]) < 3", when: shape == single, zh: 不, en: no}
        do:
          - play(picked)
    next: follow
  follow:
    round: once
    first: next(leader)
    who: seat != leader
    moves:
      play:
        pick: hand[seat]
        count: len(trick.lead.cards)
        require:
          follow: {that: "follows_group(picked, hand[seat], trick)", zh: 不, en: no}
        do:
          - play(picked)
          - lucky = seat when called in picked and lucky is none
    next: trick_end
  trick_end:
    measure: len(hand[leader])
    do:
      - taken[p.seat, trick.winner] += count(c == H5 for c in p.cards) for p in trick.plays when p.seat != trick.winner
      - leader = trick.winner
      - move(trick, won[leader])
    next:
      - settle when empty(hand[leader])
      - lead
  settle:
    do:
      - level[s] = up(level[s], result(mine(s)).up) for s in seats
      - level[s] = down(level[s], sum(taken[s, w] for w in seats)) for s in seats
      - dealer = best_hand
      - deals += 1
    next:
      - over when deals == 2
      - deal
  over: {final: true}
leave:
  do:
    - level[leaver] = 2
  next: over
tables:
  result:
    given: {x: 0..400 step 5}
    gives: {up: 0}
    hit: first
    rows:
      none: {x: 0, up: 0}
      some: {x: 5..40, up: 1}
      many: {x: 45.., up: 1 + stake * ((x - 40) // 40)}
returns: step(level[seat])
"""

# The whole of a climbing game of one suit's worth of cards, small enough to follow by hand.
CLIMB = """
hongwu: 1
name: climb
title: {zh: 爬, en: climb}
options:
  locks: {default: false, zh: 锁, en: locks}
seats: {count: 3, direction: clockwise}
deck:
  packs: 1
  keep: card.rank in {3, 4, 5}
zones:
  stock: seen by nobody
  hand[seat]: seen by viewer == seat
  gone: seen by all
memory:
  match:
    wins[seat]: int = 0
  deal:
    leader: seat?
    step_bound: 0..4 = 0
order:
  all:
    rest: true by 5 4 3
shapes:
  alike_by: step
  set: {alike: 1..4}
define:
  finished: any(empty(hand[s]) for s in seats)
start: deal
phases:
  deal:
    begins: deal
    do:
      - shuffle(stock)
      - deal(stock, hand, 4)
      - leader = the(s for s in seats if S3 in hand[s])
    next: lead
  lead:
    seat: leader
    timeout: play
    moves:
      play: {pick: "hand[seat]", shapes: set, do: [play(picked)]}
    next:
      - over when finished
      - answer
  answer:
    round: until_out if locks else until_quiet
    first: next(leader)
    who: seat != trick.winner
    stop: finished
    measure: sum(len(hand[s]) for s in seats)
    timeout: decline
    moves:
      play:
        pick: hand[seat]
        shapes: set
        require:
          beat: {that: "beats(picked, trick)", zh: 大, en: higher}
        do: [play(picked)]
      decline: {quiet: true}
    next:
      - over when finished
      - clear
  clear:
    do:
      - leader = trick.winner
      - move(trick, gone)
    next: lead
  over: {final: true}
returns: wins[seat]
"""

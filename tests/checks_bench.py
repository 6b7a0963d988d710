"""Small games for the tests of the checker, and a way to change one line and see what is said."""

from __future__ import annotations

from hongwu_rules.checks import Proofs, run_checks
from hongwu_rules.diagnostics import Diagnostic, Findings
from hongwu_rules.language import build
from hongwu_rules.loading import check
from hongwu_rules.model import Ruleset
from hongwu_rules.overlay.layers import Library, load_tree
from hongwu_rules.overlay.library import bundled_folder

# Three players shed cards: an auction for the lead, rounds of beating, and a payment by place.
SHED = """\
hongwu: 1
name: shed
title: {zh: 出完, en: Shed}
options:
  unit: {default: 1, range: 1..10, zh: 底分, en: unit}
  deals_wanted: {default: 3, range: 1..9, zh: 局数, en: deals}
  must_beat: {default: false, zh: 有大必出, en: who can beat must}
  end_on: {default: first, choices: {first: {zh: 一家, en: one}, second: {zh: 两家, en: two}}, zh: 走几家停, en: how many go out}
kinds:
  call: none_yet low high
seats: {count: 3}
deck:
  packs: 1
  keep: card.rank in {9, 10, J, Q, K, A, BJ, LJ} and card != H9
order:
  all:
    big: card == BJ
    little: card == LJ
    rest: true by A K Q J 10 9
shapes:
  alike_by: step
  single: {alike: 1}
  pair: {alike: 2}
zones:
  stock: seen by nobody
  hand[seat]: seen by viewer == seat
  extra: seen by viewer == caller
  gone: seen by all
memory:
  match:
    score[seat]: int = 0
    deals: int = 0
  deal:
    called: call = none_yet
    caller: seat?
    leader: seat?
    out: 0..3 = 0
    place[seat]: 0..3 = 0
define:
  in_play(seat): not empty(hand[seat])
  over_now: out == 1 if end_on == first else out == 2
  stake: unit * worth(called).times
start: deal
phases:
  deal:
    begins: deal
    do:
      - shuffle(stock)
      - deal(stock, hand, 8)
      - move(top(stock), gone)
      - leader = random(seats)
    next: auction
  auction:
    round: once
    first: leader
    stop: called == high
    timeout: decline
    moves:
      bid:
        choose: call
        require:
          higher:
            that: chosen > called
            zh: 要更高
            en: Bid higher
        do:
          - called = chosen
          - caller = seat
          - leader = seat
      decline: {quiet: true}
    next:
      - give when caller is not none
      - lead
  give:
    seat: caller
    timeout: give
    moves:
      give:
        pick: hand[seat]
        count: 1
        do:
          - move(picked, extra)
    next: lead
  lead:
    seat: leader
    timeout: play
    moves:
      play:
        pick: hand[seat]
        shapes: single pair
        do:
          - play(picked)
          - out += 1 when not in_play(seat)
          - place[seat] = out when not in_play(seat) and place[seat] == 0
    next:
      - settle when over_now
      - answer
  answer:
    round: until_quiet
    first: next(leader)
    who: in_play(seat) and seat != trick.winner
    stop: over_now
    measure: sum(len(hand[s]) for s in seats)
    timeout: [decline, play]
    moves:
      play:
        pick: hand[seat]
        shapes: single pair
        require:
          beat:
            that: beats(picked, trick)
            zh: 要更大
            en: Beat it
        do:
          - play(picked)
          - out += 1 when not in_play(seat)
          - place[seat] = out when not in_play(seat) and place[seat] == 0
      decline:
        quiet: true
        require:
          must:
            that: not can_beat(hand[seat], trick)
            when: must_beat
            zh: 有大必出
            en: You can beat it
    next:
      - settle when over_now
      - clear
  clear:
    measure: sum(len(hand[s]) for s in seats)
    do:
      - leader = the(s for s in seats_from(trick.winner) if in_play(s))
      - move(trick, gone)
    next: lead
  settle:
    do:
      - place[s] = 3 for s in seats when place[s] == 0
      - score[s] += stake * pay(place[s]).each for s in seats
      - score[caller] -= points_of(called, end_on == first).loss when caller is not none
      - deals += 1
    next:
      - over when deals >= deals_wanted
      - deal
  over: {final: true}
tables:
  pay:
    given: {place: 1..3}
    gives: {each: 0}
    sums_to_zero: each
    rows:
      best: {place: 1, each: 2}
      middle: {place: 2, each: -1}
      last: {place: 3, each: -1}
  worth:
    given: {called: call}
    gives: {times: 1}
    hit: first
    rows:
      high: {called: high, times: 3}
      low: {called: low, times: 2}
      rest: {times: 1}
  points_of:
    given: {called: low high, early: bool}
    gives: {loss: 0}
    rows:
      cheap: {called: low, loss: 1}
      dear_early: {called: high, early: true, loss: 2}
      dear_late: {called: high, early: false, loss: 3}
returns: score[seat]
"""


class Report:
    """What is said about one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = text.splitlines()
        findings = Findings()
        loaded = load_tree("game.yaml", findings=findings, library=Library(texts={"game.yaml": text.encode()}))
        assert loaded is not None, findings.items
        ruleset = build(loaded.root, findings)
        assert ruleset is not None, [(item.code, item.span.line, item.message.en) for item in findings.items]
        assert not findings.items, findings.items
        self.ruleset: Ruleset = ruleset
        self.proofs: Proofs = run_checks(ruleset, findings)
        self.items: list[Diagnostic] = findings.items

    @property
    def codes(self) -> list[str]:
        return [item.code for item in self.items]

    def one(self, code: str) -> Diagnostic:
        """The only finding, which must have this code and be whole in both languages."""
        assert self.codes == [code], [(i.code, i.span.line, i.message.en) for i in self.items]
        return self.get(code)

    def get(self, code: str) -> Diagnostic:
        """The first finding with this code; its texts must be complete."""
        found = next((item for item in self.items if item.code == code), None)
        assert found is not None, [(i.code, i.span.line, i.message.en) for i in self.items]
        texts = [
            found.message,
            *found.help,
            *(r.text for r in found.related),
            *([found.witness] if found.witness else []),
        ]
        assert all(text.zh and text.en for text in texts)
        assert found.help, "no next step"
        return found

    def line(self, item: Diagnostic) -> str:
        """The line of the text that a finding points at."""
        return self.lines[item.span.line - 1].strip()


def changed(*changes: tuple[str, str], game: str = SHED) -> Report:
    """What is said after each old text, which must stand exactly once, is replaced."""
    for old, new in changes:
        assert game.count(old) == 1, (game.count(old), old)
        game = game.replace(old, new)
    return Report(game)


def replaced(ruleset: str, old: str, new: str) -> list[str]:
    """The codes found in a bundled ruleset with one piece of text replaced."""
    text = (bundled_folder() / f"{ruleset}.yaml").read_text(encoding="utf-8")
    assert text.count(old) == 1, old
    library = Library(bundled_folder(), texts={f"{ruleset}.yaml": text.replace(old, new).encode()})
    return [item.code for item in check(ruleset, library=library).diagnostics]

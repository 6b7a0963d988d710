"""The keys and words of tricks as a file writes them: what is refused, what is proved, what ``made`` remembers."""

from __future__ import annotations

import pytest

from checks_bench import changed
from compile_games import named, program
from hongwu_rules.diagnostics import Findings
from hongwu_rules.language import build
from hongwu_rules.play import machine, positions
from hongwu_rules.schema.validation import validate
from hongwu_rules.source.reader import parse
from trick_games import TEXT, Table, levels

GAME = TEXT.replace("PACKS", "2").replace("DEALT", "25")


def faults(old: str, new: str) -> list[tuple[str, str]]:
    """Code and line of what the form of a changed file is refused for."""
    assert GAME.count(old) == 1
    text = GAME.replace(old, new)
    findings = Findings()
    _, root = parse("x.yaml", text.encode(), findings)
    assert root is not None
    validate(root, findings)
    lines = text.splitlines()
    return [(item.code, lines[item.span.line - 1].strip()) for item in findings.items]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("{parts: tractor pair single, count: 2..", "{parts: tractor pair single, alike: 2, count: 2..", "HW106"),
        ("{parts: tractor pair single, count: 2..", "{parts: tractor pair single, power: 2, count: 2..", "HW106"),
        ("{parts: tractor pair single, count: 2..", "{count: 2..", "HW106"),
        ("pair:    {alike: 2", "pair:    {run: 2", "HW102"),
        ("over_ruff: compare", "over_ruff: every_parts", "HW104"),
        ("equal: ties", "equal: third", "HW104"),
        ("forced_from: take_from", "forced_from: nowhere", "HW104"),
    ],
)
def test_the_form_of_the_new_keys(old: str, new: str, code: str) -> None:
    found = faults(old, new)
    assert code in [each for each, _ in found], found


def test_the_game_as_it_stands_has_the_right_form() -> None:
    assert faults("hongwu: 1", "hongwu: 1") == []
    # nobody names a trump suit or a level, and eight cards are left over: a table for tests, no game
    assert set(changed(game=GAME).codes) == {"HW206", "HW411", "HW412", "HW601"}


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("parts: tractor pair single", "parts: tractor pear single", "HW401"),
        ("forced: [single pair, tractor]", "forced: [single pair, tracter]", "HW401"),
        ("over_ruff: compare", "over_ruff: gaps", "HW402"),  # an option, but of other words
        ("not empty(beaten(cards))", "not empty(beaten(cards, cards))", "HW402"),
        ("- failed += len(beaten(picked))", "- failed += 1 when made(plya)", "HW401"),
        ("- failed += len(beaten(picked))", "- failed += 1 when made(3)", "HW401"),
    ],
)
def test_names_that_mean_nothing(old: str, new: str, code: str) -> None:
    assert GAME.count(old) == 1
    findings = Findings()
    _, root = parse("x.yaml", GAME.replace(old, new).encode(), findings)
    assert root is not None
    build(root, findings)
    assert code in [item.code for item in findings.items]


@pytest.mark.parametrize("word", ["empty(beaten(picked))", "forced(picked) == picked", "not fails(picked)"])
def test_a_clause_may_not_look_into_other_hands(word: str) -> None:
    """Whether a throw stands depends on what nobody at the table sees: no clause may ask it."""
    clause = (
        "        do:\n          - show(picked)",
        f"        require:\n          stands: {{that: {word}, zh: 不, en: no}}\n        do:\n          - show(picked)",
    )
    report = changed(clause, game=GAME)
    assert report.codes.count("HW409") == 1
    open_hands = ("  hand[seat]: seen by viewer == seat", "  hand[seat]: seen by all")
    assert "HW409" not in changed(clause, open_hands, game=GAME).codes


def test_an_option_may_have_some_of_the_words() -> None:
    """Options may have any name, and offer fewer of the ways of comparing, in another order."""
    some = (
        "every_part: {zh: 每一部分, en: every part}, largest_kind: {zh: 最大的一种, en: the largest kind}, "
        "highest_card: {zh: 最大的一张, en: the highest card}",
        "highest_card: {zh: 最大的一张, en: the highest card}, every_part: {zh: 每一部分, en: every part}",
    )
    plays = ["HA HK HK", "S7 S6 S6", "S8 S5 S5"]
    winners = [Table(levels(changes=[some], compare=value), trump="S").winner(plays) for value in (0, 1)]
    assert winners == [2, 1]


CALLS = """
hongwu: 1
name: calls
title: {zh: 叫, en: Calls}
seats: {count: 3}
deck: {packs: 1}
order: {all: {every: "true"}}
zones: {stock: seen by nobody}
memory:
  match: {starter: seat?}
  deal:
    raised: int = 0
    nobody: bool = false
start: calls
phases:
  calls:
    begins: deal
    do: []
    next: asking
  asking:
    measure: 9 - raised
    round: until_quiet
    first: the(s for s in seats)
    moves:
      lift: {do: [raised += 1]}
      decline: {quiet: true}
    next:
      - after when made(lift) and raised < 9
      - over
  after:
    do:
      - nobody = not made(lift)
      - starter = the(s for s in seats)
    next: one
  one:
    seat: starter
    moves:
      agree: {do: [nobody = nobody or made(lift)]}
    next: over
  over: {final: true}
"""


def test_what_was_made_in_the_round_is_remembered_and_saved() -> None:
    made = program(CALLS)
    state = machine.start(made)
    for move in ("decline", "decline", "decline"):
        state = machine.advance(state, named(state, move))
    assert made.phases[state.phase].name == "over", "nobody raised"
    state = machine.start(made)
    for move in ("decline", "lift", "decline"):
        state = machine.advance(state, named(state, move))
        again = positions.from_json(made, positions.to_json(state))
        assert again == state and again.position == state.position
    assert state.made == 1
    for move in ("decline", "decline"):
        state = machine.advance(state, named(state, move))
    assert made.phases[state.phase].name == "one", "somebody raised, three moves ago"
    assert state.made == 0, "a new question, nothing made yet"
    nobody = made.layout.slots["nobody"].base
    assert state.m[nobody] is False, "phases that run by themselves still know it"
    state = machine.advance(state, named(state, "agree"))
    assert state.m[nobody] is False, "that was another round"


def test_a_position_may_say_what_was_made() -> None:
    made = program(CALLS)
    given = {"phase": "asking", "seat": 2, "memory": {"raised": 1}, "round": {"passed": [0, 1], "made": ["lift"]}}
    state = machine.advance(state := positions.position(made, given), named(state, "decline"))
    assert made.phases[state.phase].name == "one"

"""HW409 through the order of the cards: a trump suit that is hidden must be open before a rule asks how high a card is."""

from __future__ import annotations

from pathlib import Path

import pytest

import hongwu_rules as hw
from hongwu_rules.checks.laid import laid
from hongwu_rules.checks.switches import switches
from hongwu_rules.loading import check

BAD = Path(__file__).parent / "bad"
HEAD = """\
hongwu: 1
name: secret
title: {zh: 暗主, en: secret trump}
extends: shengji
memory.deal.trump: {is: suit? seen by viewer == caller or trump_open}
memory.deal.trump_open: bool = false
remove: [moves.call.do.show]
"""


def told(tmp_path: Path, line: str) -> set[str]:
    """The phases in which a rule is said to read what is hidden, when the suit is opened by this line."""
    path = tmp_path / "secret.yaml"
    path.write_text(HEAD + line + "\n", encoding="utf-8")
    found = check(path).diagnostics
    assert {item.code for item in found} <= {"HW409"}
    assert all("asks for the order of the cards, which reads trump" in item.message.en for item in found)
    return {item.message.en.split(' in "')[1].split('"')[0] for item in found}


@pytest.mark.parametrize(
    ("line", "phases"),
    [
        ("phases.bury.moves.bury.do.open: trump_open = true", set()),  # the one move before the lead
        ("phases.take_kitty.do.open: trump_open = true", set()),  # a phase that goes by itself, on every way
        ("phases.settle.do.open_it: trump_open = true", {"lead", "follow"}),  # too late
        ("phases.take_dealer.do.open: trump_open = true", {"lead", "follow"}),  # on one way only
        ("phases.bury.moves.bury.do.open: trump_open = true when seat == caller", {"lead", "follow"}),
        ("phases.bury.moves.bury.do.open: trump_open = not trump_open", {"lead", "follow"}),
        ("phases.lead.moves.play.do.open: trump_open = true", {"lead"}),  # the first lead itself reads it
        ("phases.bury.then: [trump_open = true, trump_open = false when caller is none]", {"lead", "follow"}),
    ],
)
def test_when_a_hidden_trump_suit_is_opened(tmp_path: Path, line: str, phases: set[str]) -> None:
    assert told(tmp_path, line) == phases


def test_the_place_is_the_word_that_asks_and_the_line_of_the_order(tmp_path: Path) -> None:
    path = tmp_path / "secret.yaml"
    path.write_text(HEAD + "phases.settle.do.open_it: trump_open = true\n", encoding="utf-8")
    found = [item for item in check(path).diagnostics if '"follow_suit"' in item.message.en]
    assert len(found) == 1  # though several lines of the order read it
    assert found[0].span.file == "base/sheng_ji.yaml"
    assert [Path(one.span.file).name for one in found[0].related] == ["shengji.yaml", "secret.yaml"]


SECRET = """\
hongwu: 1
name: house
title: {{zh: 家规, en: House rules}}
extends: base.yaml
memory.deal.secret: {{is: "rank? seen by viewer == leader or opened", zh: 暗主, en: secret trump}}
memory.deal.opened: {{is: bool = false, zh: 已揭, en: opened}}
order.all.secret: {{is: opened and card.rank == secret, before: aces}}
moves.play: {{remove: [shapes], count: 1}}
remove: [options.must_beat, phases.answer.moves.decline.require, phases.answer.moves.play.require]
phases.deal.do.choose: secret = random(ranks)
phases.lead.moves.play.do: ["opened = true{when}", play(picked)]
"""


@pytest.mark.parametrize("when", ["", " when suit(picked) == S"])
def test_an_order_that_counts_what_is_hidden_only_once_it_is_open(tmp_path: Path, when: str) -> None:
    """The trick then tells nothing, and from the view alone each move is judged as at the table."""
    (tmp_path / "base.yaml").write_text((BAD / "base.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    path = tmp_path / "house.yaml"
    path.write_text(SECRET.format(when=when), encoding="utf-8")
    assert [item.code for item in check(path).diagnostics] == []
    state = hw.load(path).start(seed=1)
    while state.phase != "answer":
        state = state.apply(next(iter(state.legal_moves())))
    assert state.seat is not None
    seen = state.rules.from_view(state.view(state.seat))
    moves = list(state.legal_moves())
    assert len(moves) > 2 and all(seen.judge(move).ok for move in moves)


def test_a_hidden_order_is_read_by_the_trick_as_long_as_it_lies_there() -> None:
    """Which phases ask while cards may lie on the table, and the step that laid them."""
    ruleset = check("anhui").ruleset
    assert ruleset is not None
    assert set(laid(ruleset)) == {"follow"}
    ruleset = check("doudizhu").ruleset
    assert ruleset is not None
    assert set(laid(ruleset)) == {"answer"}


def test_what_is_surely_on_or_off_while_a_phase_asks() -> None:
    ruleset = check("anhui").ruleset
    assert ruleset is not None
    sure = switches(ruleset)
    assert sure["reveal"] == {"kitty_open": False, "solo": False, "solo_known": False}
    assert sure["call"] == {"kitty_open": False, "solo": False, "solo_known": False}
    assert sure["lead"] == sure["follow"] == {"kitty_open": False}  # called, and perhaps known by now

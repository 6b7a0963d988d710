"""Moves and states carried about: into other states, games and threads, copied, pickled and written down."""

from __future__ import annotations

import copy
import pickle
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from random import Random

import pytest

import hongwu_rules as hw
from random_play import GAMES, dice, moments, rules_of

TWO_CARDS = """\
hongwu: 1
name: two_cards
title: {zh: 换一张, en: Swaps}
seats: {count: 2}
deck: {packs: 1}
order:
  all: BJ LJ A K Q J 10 9 8 7 6 5 4 3 2
shapes: {alike_by: card, single: {alike: 1, zh: 单张, en: single card}}
zones:
  stock: seen by nobody
  hand[seat]: seen by viewer == seat
  gone: seen by all
memory:
  match:
    asked:
      is: card?
      zh: 要的牌
      en: card asked for
    named:
      is: rank?
      zh: 叫的点数
      en: rank named
    player:
      is: seat?
      zh: 谁
      en: player
start: deal
phases:
  deal:
    zh: 发牌
    en: deal
    begins: deal
    do:
      - shuffle(stock)
      - deal(stock, hand, 5)
      - move(stock, gone)
      - player = random(seats)
    next: swap
  swap:
    zh: 换
    en: swap
    seat: player
    moves:
      swap:
        zh: 拿一张换一张
        en: swap
        pick: hand[seat]
        count: 0..2
        choose: card
        do:
          - asked = chosen
          - move(picked, gone)
      rename:
        zh: 拿一张叫点数
        en: name by a card
        pick: hand[seat]
        count: 0..1
        choose: rank
        do:
          - named = chosen
          - move(picked, gone)
      lay: {zh: 放一张, en: lay, pick: "hand[seat]", count: 1, do: ["move(picked, gone)"]}
      ask: {zh: 要一张, en: ask, choose: card, do: [asked = chosen]}
      name: {zh: 叫点数, en: name, choose: rank, do: [named = chosen]}
    next: over
  over: {final: true, zh: 终局, en: over}
returns: int(asked is not none) + int(named is not none)
"""


def test_what_is_written_of_a_move_reads_as_the_same_move(tmp_path: Path) -> None:
    """A card may be picked or chosen, and a joker is a rank as well: the text of each move says which it is."""
    path = tmp_path / "two_cards.yaml"
    path.write_text(TWO_CARDS, encoding="utf-8")
    state = hw.load(path).start(seed=1)
    moves = list(state.legal_moves())
    assert len(moves) == (1 + 5 + 10) * 54 + (1 + 5) * 15 + 5 + 54 + 15
    assert len({str(move) for move in moves}) == len(set(moves)) == len(moves)
    for move in moves:
        after = state.apply(move)
        forms = [hw.parse_move(str(move)), copy.copy(move), pickle.loads(pickle.dumps(move))]
        assert all(str(form) == str(move) and form == move for form in forms)
        written = {"cards": list(move.cards), "choice": move.choice}
        forms += [str(move), move.to_json(), hw.Move(move.name, **written)]
        assert all(state.apply(form) == after for form in forms), str(move)
        told = next(event for event in after.happened if event.split()[0] == move.name)
        assert told.replace(f" {state.seat}", "", 1) == str(move)


def test_a_lone_card_of_a_move_that_picks_and_chooses_is_not_guessed(tmp_path: Path) -> None:
    """Held or not, the text does not say whether it is picked or chosen: the verdict gives both ways to write it."""
    path = tmp_path / "two_cards.yaml"
    path.write_text(TWO_CARDS, encoding="utf-8")
    state = hw.load(path).start(seed=1)
    hand = state.cards("hand", state.seat)
    away = next(card for card in ("S2", "H2", "D2", "C2", "S3", "H3") if card not in hand)
    for card in (hand[0], away):
        for form in (f"swap {card}", {"move": "swap", "cards": [card]}):
            (reason,) = state.judge(form).reasons
            assert reason.id == "choose_one"
            for text in (reason.zh, reason.en):
                assert f"swap {card} = …" in text and f"swap = {card}" in text
        assert state.judge(f"swap = {card}").ok and state.judge({"move": "swap", "choice": card}).ok
        assert state.judge(f"ask {card}").ok and state.judge(f"ask = {card}").ok
    assert state.judge(f"swap {hand[0]} = {hand[0]}").ok
    for odd in ("swap =", "swap = =", "swap S6 = H5 H6", "swap = S6 = H5"):
        with pytest.raises(hw.MoveError, match="stands after ="):
            state.judge(odd)
    (reason,) = state.judge("rename BJ").reasons
    assert reason.id == "choose_one" and "rename = BJ" in reason.en
    (reason,) = state.judge(f"rename {hand[0]}").reasons
    assert reason.id == "choose_one" and "=" not in reason.en, "a card is no rank: nothing is ambiguous"


@pytest.mark.parametrize("game", GAMES)
def test_the_text_of_every_legal_move_reads_back(game: str) -> None:
    for state in moments(rules_of(game), dice("texts", game), 4):
        legal = state.legal_moves()
        drawn = [legal.sample(Random(number)) for number in range(20)] if legal else []
        for move in [*islice(legal, 100), *drawn]:
            back = hw.parse_move(str(move))
            assert back == move and str(back) == str(move) and state.judge(back).ok


@pytest.mark.parametrize("game", GAMES)
def test_moves_that_are_equal_are_judged_alike_anywhere(game: str) -> None:
    """Moves of one game tried in another, listed or copied or written down: one verdict for all that are equal."""
    others = [next(iter(rules_of(other).start(seed=2).legal_moves())) for other in GAMES]
    called = [hw.Move("call", choice="S8"), hw.Move("call", cards=["S8"]), hw.Move("play", choice="H5")]
    state = rules_of(game).start(seed=3)
    for move in [*others, *called, *islice(state.legal_moves(), 20)]:
        verdict = state.judge(move)
        assert (move in state.legal_moves()) == verdict.ok
        for form in (str(move), move.to_json(), copy.deepcopy(move), pickle.loads(pickle.dumps(move))):
            assert state.judge(form) == verdict, repr(form)


def test_a_view_does_not_know_what_chance_will_bring() -> None:
    """The last card of a deal is played from a view: the next deal is the table's, not one of our own making."""
    given = {"phase": "follow", "seat": 2, "memory": {"leader": 0, "dealer": 0, "trump": "H"}}
    given |= {"trick": [{"seat": 0, "cards": "SA"}, {"seat": 1, "cards": "SK"}], "round": {"passed": [1]}}
    given |= {"zones": {"hand": {0: "", 1: "", 2: "S9"}, "stock": "D9 D9", "turned": "H9"}}
    rules = rules_of(next(name for name in GAMES if name.endswith("twofold.yaml")))
    state = rules.position(given)
    assert state.apply("play S9").phase == "exchange"
    partial = rules.from_view(state.view(2))
    assert partial.judge("play S9").ok
    with pytest.raises(hw.HiddenRead):
        partial.apply("play S9")


def test_when_it_is_over_nobody_is_to_act() -> None:
    rules = rules_of(next(name for name in GAMES if name.endswith("summit.yaml")))
    over = rules.start(seed=1).leave(2)
    assert over.over
    for ask in (over.timeout, lambda: over.leave(1)):
        with pytest.raises(hw.NotExpected, match="nobody is to act"):
            ask()


def test_threads_share_rules() -> None:
    """Matches played at the same time with one Rules object go as they go alone."""

    def played(rules: hw.Rules, seed: int) -> list[str]:
        rng, state, told = Random(seed), rules.start(seed=seed), []
        for _ in range(12):
            legal = state.legal_moves()
            told += [str(move) for move in islice(legal, 100)]
            state = state.apply(legal.sample_kind(rng.choice(legal.kinds()), rng))
        return [*told, state.to_json()]

    alone = [played(hw.load("doudizhu"), seed) for seed in range(4)]
    before, rules = sys.getswitchinterval(), hw.load("doudizhu")
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(lambda seed: played(rules, seed % 4), range(8)))
    finally:
        sys.setswitchinterval(before)
    assert found == alone * 2


def test_what_begins_with_a_position_cannot_be_replayed() -> None:
    """A position that was set up is not where its seed leads: its log says so, and is refused."""
    rules = hw.load("dalian")
    hands = {0: "SQ S10", 1: "SK HQ", 2: "SJ", 3: "HJ"}
    state = rules.position({"phase": "lead", "seat": 0, "memory": {"leader": 0}, "zones": {"hand": hands, "stock": ""}})
    for each in (state, state.apply("play SQ"), rules.from_view(state.view(0))):
        with pytest.raises(hw.DamagedState, match="begins with a position"):
            rules.replay(each.log)
    later = state.apply("play SQ")
    for back in (rules.from_json(later.to_json()), pickle.loads(pickle.dumps(later)), copy.deepcopy(later)):
        assert back == later and back.log == later.log

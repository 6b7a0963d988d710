"""A reason says what would do instead: as far as the seat may know, in both languages, and only when it is asked."""

from __future__ import annotations

import pickle
import re
from itertools import islice
from typing import Any

import pytest

import hongwu_rules as hw
from hongwu_rules.play import hints
from random_play import IDS, SETTINGS, dice, match, rules_of, strange_move


def following(lead: str, hand: str, *, game: str = "shengji", **memory: Any) -> hw.State:
    """Seat 1 answers a lead of seat 0; hearts are trumps."""
    known = {"level_rank": "2", "trump": "H", "leader": 0, "dealer": 0} | memory
    rules = rules_of(game)
    names = rules.ruleset.memory
    return rules.position(
        {
            "phase": "follow",
            "seat": 1,
            "memory": {name: value for name, value in known.items() if name in names},
            "trick": [{"seat": 0, "cards": lead}],
            "zones": {"hand": {1: hand}},
        }
    )


def hint(state: hw.State, move: str, reason: str) -> tuple[str, str]:
    found = next(one for one in state.judge(move).reasons if one.id == reason).hint
    assert found is not None
    return tuple(found)


@pytest.mark.parametrize(
    ("lead", "hand", "move", "reason", "zh", "en"),
    [
        ("SA", "S4 S9 SK D3", "play D3", "follow_suit", "你还有 3 张黑桃：S4 S9 SK，要出 1 张", "you still hold 3 spades: S4 S9 SK; play 1 of them"),
        ("SA SA", "S4 D9 SK D3", "play D3 SK", "follow_suit", "你还有 2 张黑桃：S4 SK", "you still hold 2 spades: S4 SK"),
        ("BJ", "S4 S9 H4 H5 LJ", "play S4", "follow_suit", "你还有 3 张首出的那一门：H4 H5 LJ，要出 1 张", "you still hold 3 of the suit led: H4 H5 LJ; play 1 of them"),
        ("SA SA", "S4 S4 S9 S9 SK D3", "play S9 SK", "follow_pairs", "你有对子 S4 S4、S9 S9，要出 1 对", "you hold the pairs S4 S4, S9 S9; play 1 of them"),
        ("SA SA SK SK", "S4 S4 S9 S9 SJ", "play S4 S4 S9 SJ", "follow_pairs", "你有对子 S4 S4、S9 S9，要出 2 对", "you hold the pairs S4 S4, S9 S9; play 2 of them"),
        ("SA SA SK SK", "S4 S4 S5 S5 S9 S9", "play S4 S4 S9 S9", "follow_tractor", "手里连着的有 S4 S4 S5 S5", "what you hold in a row: S4 S4 S5 S5"),
        ("SA SA SK SK SQ SQ", "S4 S4 S5 S5 S8 S8 S9 S9", "play S4 S4 S5 S8 S8 S9", "follow_tractor", "手里连着的有 S4 S4 S5 S5、S8 S8 S9 S9", "what you hold in a row: S4 S4 S5 S5, S8 S8 S9 S9"),
        ("SA", "S4 S9 D3", "play S4 S9", "how_many", "这样就可以：S4、S9", "this would do: S4, S9"),
        ("SA", "S4 S9 D3", "play H3", "not_held", "没有 H3", "not there: H3"),
    ],
)  # fmt: skip
def test_what_would_follow(lead: str, hand: str, move: str, reason: str, zh: str, en: str) -> None:
    assert hint(following(lead, hand), move, reason) == (zh, en)


def test_what_would_beat_and_what_may_be_bid() -> None:
    rules = rules_of("dalian")
    given = {"phase": "answer", "seat": 1, "memory": {"leader": 0}, "trick": [{"seat": 0, "cards": "SK"}]}
    hands = {0: "SQ", 1: "SJ SA D2", 2: "HQ", 3: "SJ"}
    state = rules.position({**given, "zones": {"hand": hands}})
    assert hint(state, "play SJ", "beat") == ("能管上的，从小到大：SA、D2", "the lowest that would do: SA, D2")
    state = rules.position({**given, "zones": {"hand": hands | {1: "SJ SQ"}}})
    zh, en = hint(state, "play SJ", "beat")
    assert (zh, en) == ("没有能这样做的，现在可以：decline（过）", "nothing would do; what can be done now: decline")
    state = rules.start(seed=7).apply("bid solo")
    zh, en = hint(state, "bid solo", "higher")
    assert en == "what may be chosen: sky beyond" and zh.startswith("可以选：sky（")


def test_which_cards_fit_and_which_shapes() -> None:
    rules = rules_of("anhui")
    given = {"phase": "lead", "seat": 0, "memory": {"level_rank": "2", "trump": "S", "leader": 0, "dealer": 0}}
    state = rules.position({**given, "zones": {"hand": {0: "H5 D4 D4 D9"}}})
    assert hint(state, "play H5", "red_five_never_leads")[1] == "cards that fit: D4 D4 D9"
    assert hint(state, "play H5 D4", "no_shape") == (
        "比如单张 D4、对子 D4 D4、甩牌 D4 D9",
        "such as single D4, pair D4 D4, throw D4 D9",
    )
    state = following("C9", "H5 D4 D9", game="anhui", trump="S")
    assert hint(state, "play H5", "keep_the_red_five")[1] == "cards that fit: D4 D9"


def test_the_error_of_an_illegal_move_says_it() -> None:
    with pytest.raises(hw.IllegalMove) as caught:
        following("SA", "S4 S9 SK D3").apply("play D3")
    assert str(caught.value) == (
        "play D3: Follow the suit led as far as your hand goes (you still hold 3 spades: S4 S9 SK; play 1 of them)"
    )
    assert caught.value.text.zh == "不能“play D3”：有首出的那一门就要跟（你还有 3 张黑桃：S4 S9 SK，要出 1 张）"
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value) and again.verdict == caught.value.verdict


def test_nothing_is_worked_out_before_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise AssertionError("worked out")

    monkeypatch.setattr(hints, "_Hinter", stop)
    state = following("SA", "S4 S9 SK D3")
    reason = state.judge("play D3").reasons[0]
    assert reason.id == "follow_suit" and "D3" not in repr(reason)
    assert state.judge("play D3") == state.judge("play D3")
    with pytest.raises(AssertionError, match="worked out"):
        _ = reason.hint


@pytest.mark.parametrize(("game", "number"), SETTINGS, ids=IDS)
def test_what_a_hint_names_is_legal(game: str, number: int) -> None:
    """Moves and choices that a hint names can be made; every sentence has both languages."""
    rules, rng, named = rules_of(game, number), dice("hints", game, number), 0
    for state in islice(match(rules, rng), 0, 150):
        for _ in range(8 if state.seat is not None else 0):
            tried = strange_move(state, rng)
            try:
                reasons = state.judge(tried).reasons
            except hw.MoveError:
                continue
            for reason in reasons:
                if (found := reason.hint) is None:
                    continue
                assert re.search("[一-鿿]", found.zh) and not re.search("[一-鿿]", found.en)
                kind, _, rest = found.en.partition(": ")
                if kind in ("this would do", "the lowest that would do"):
                    for cards in rest.removesuffix(", …").split(", "):
                        named += 1
                        assert state.judge(f"{tried['move']} {cards}").ok, (reason.id, found.en)
                elif kind == "what may be chosen":
                    for choice in rest.removesuffix(" …").split():
                        named += 1
                        assert state.judge(f"{tried['move']} {choice}").ok, (reason.id, found.en)
                elif kind.endswith("what can be done now"):
                    named += 1
                    assert set(rest.split(", ")) <= set(state.legal_moves().kinds())
    assert named > 2

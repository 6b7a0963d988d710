"""Keeping a match: a step changes nothing behind it, logs replay, states are saved, pickled, and refused when damaged."""

from __future__ import annotations

import copy
import json
import os
import pickle
import re
import subprocess
import sys
from itertools import islice
from random import Random
from typing import Any

import pytest

import hongwu_rules as hw
from random_play import GAMES, IDS, SETTINGS, dice, match, moments, rules_of, step

REFUSED = (hw.DamagedState, hw.OtherRuleset)


def first(state: hw.State) -> list[hw.Move]:
    """The first legal moves: of some states there are millions."""
    return list(islice(state.legal_moves(), 20))


# ---------------------------------------------------------------- a state is a value
@pytest.mark.parametrize(("game", "number"), SETTINGS, ids=IDS)
def test_a_step_leaves_the_state_before_it_alone(game: str, number: int) -> None:
    rules, rng = rules_of(game, number), dice("value", game, number)
    for state in moments(rules, rng, 5):
        text, view, shown = state.to_json(), state.view(state.seat), hash(state)
        if state.over:
            continue
        after = [step(state, rng) for _ in range(3)]
        state.legal_moves().count(limit=100)
        assert all(other != state for other in after)
        assert (state.to_json(), state.view(state.seat), hash(state)) == (text, view, shown)


@pytest.mark.parametrize(("game", "number"), SETTINGS, ids=IDS)
def test_no_card_is_lost(game: str, number: int) -> None:
    rules = rules_of(game, number)
    for turn in range(2):
        for state in match(rules, dice("cards", game, number, turn)):
            rules.program.audit(state.core)


@pytest.mark.parametrize(("game", "number"), SETTINGS, ids=IDS)
def test_what_leads_to_equal_positions_is_equal(game: str, number: int) -> None:
    rules, rng = rules_of(game, number), dice("equal", game, number)
    for state in moments(rules, rng, 6):
        again = rules.replay(state.log)
        assert again == state and hash(again) == hash(state) and len({again, state}) == 1
        assert again.events == state.events and again.log == state.log and again.to_json() == state.to_json()
        if not state.over:
            move = state.legal_moves().sample(rng)
            assert again.apply(str(move)) == state.apply(move.to_json()) == state.apply(move)


# ---------------------------------------------------------------- texts
@pytest.mark.parametrize(("game", "number"), SETTINGS, ids=IDS)
def test_texts_and_logs_give_the_state_back(game: str, number: int) -> None:
    rules, rng = rules_of(game, number), dice("texts", game, number)
    for state in moments(rules, rng, 5):
        text = state.to_json()
        for given in (text, text.encode()):
            back = rules.from_json(given)
            assert back == state and hash(back) == hash(state)
            assert back.events == state.events and back.happened == state.happened and back.log == state.log
            assert back.to_json() == text
            assert [back.view(seat) for seat in range(rules.seats)] == [state.view(seat) for seat in range(rules.seats)]
        log = json.dumps(state.log)
        assert rules.replay(log) == rules.replay(json.loads(log)) == state
        assert rules.replay(log).to_json() == text
        if not state.over:
            other = copy.deepcopy(rng)
            assert step(rules.from_json(text), rng).to_json() == step(state, other).to_json()


def test_timeouts_and_leaving_replay() -> None:
    rules = hw.load(next(game for game in GAMES if "summit" in game))
    state = rules.start(seed=4)
    for _ in range(6):
        state = state.timeout()
    state = state.leave(2)
    assert (
        state.over
        and [line for line in state.log["moves"] if line.get("timeout")]
        and {"leave": 2} in state.log["moves"]
    )
    assert rules.replay(state.log) == rules.from_json(state.to_json()) == state
    assert rules.replay(state.log).events == state.events


def test_given_deals_are_kept() -> None:
    rules = rules_of("dalian")
    names = rules.program.layout.pack.names(rules.program.layout.deck)
    Random(5).shuffle(names)
    state = rules.start(deals=[" ".join(names)], seed=9)
    assert rules.replay(state.log) == rules.from_json(state.to_json()) == pickle.loads(pickle.dumps(state)) == state


# ---------------------------------------------------------------- pickles
@pytest.mark.parametrize(("game", "number"), SETTINGS, ids=IDS)
def test_pickles_and_copies(game: str, number: int) -> None:
    rules, rng = rules_of(game, number), dice("pickles", game, number)
    for state in moments(rules, rng, 5):
        for other in (pickle.loads(pickle.dumps(state)), copy.copy(state), copy.deepcopy(state)):
            assert other == state and other.to_json() == state.to_json() and hash(other) == hash(state)
            assert other.events == state.events and first(other) == first(state)
    partial = rules.from_view(rules.start(seed=1).view(0))
    assert pickle.loads(pickle.dumps(partial)) == partial
    move = hw.parse_move("play H5 H5")
    assert pickle.loads(pickle.dumps(move)) == move and pickle.loads(pickle.dumps(rules)) == rules


FRESH = """
import pickle, sys
for state in pickle.load(sys.stdin.buffer):
    print(state.to_json())
    print([str(move) for _, move in zip(range(50), state.legal_moves())])
    print(state.view(state.seat)["digest"], len(state.events))
"""


def test_a_pickle_goes_to_another_process() -> None:
    states = [s for game, number in SETTINGS for s in moments(rules_of(game, number), dice("process", game, number), 3)]
    told = []
    for state in states:
        told += [state.to_json(), str([str(move) for _, move in zip(range(50), state.legal_moves(), strict=False)])]
        told.append(f"{state.view(state.seat)['digest']} {len(state.events)}")
    environ = {**os.environ, "PYTHONHASHSEED": "77", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, "-c", FRESH], input=pickle.dumps(states), capture_output=True, env=environ, check=True
    )
    assert done.stdout.decode().splitlines() == told


# ---------------------------------------------------------------- damage
def damaged(text: str, rng: Random) -> str:
    """A text with something wrong in it."""
    at = rng.randrange(len(text))
    match rng.randrange(7):
        case 0:
            return text[:at]
        case 1:
            return text[:at] + text[at + rng.randint(1, 20) :]
        case 2:
            return text[:at] + rng.choice('0123456789abcxyz{}[]":,\\ \x00\ud800红') + text[at:]
        case 3:
            return text[:at] + chr(ord(text[at]) ^ 1 << rng.randrange(7)) + text[at + 1 :]
        case 4:
            return text[:at] + text[at : at + 30] + text[at:]
        case 5:
            digits = [n for n, sign in enumerate(text) if sign.isdigit()]
            at = rng.choice(digits)
            return text[:at] + str((int(text[at]) + 1) % 10) + text[at + 1 :]
        case _:
            return text[:at] + text[at:][::-1]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.rsplit("/", 1)[-1])
def test_damaged_texts_are_refused(game: str) -> None:
    rules, rng = rules_of(game), dice("damage", game)
    for state in moments(rules, rng, 6):
        text = state.to_json()
        for _ in range(50):
            bad = damaged(text, rng)
            try:
                same = json.loads(bad) == json.loads(text)
            except (ValueError, RecursionError):
                same = False
            if same:
                continue
            with pytest.raises(REFUSED):
                rules.from_json(bad)
            try:
                data = bad.encode()
            except UnicodeEncodeError:
                data = bad.encode("utf-8", "surrogatepass")
            with pytest.raises(REFUSED):
                rules.from_json(data)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.rsplit("/", 1)[-1])
def test_edited_logs_are_refused_or_lead_where_they_say(game: str) -> None:
    """A log carries no sum: what was edited either breaks a rule, and is refused, or is another match, told as such."""
    rules, rng = rules_of(game), dice("logs", game)
    refused = 0
    for state in moments(rules, rng, 5):
        text = json.dumps(state.log)
        for _ in range(30):
            try:
                other = rules.replay(damaged(text, rng))
            except REFUSED:
                refused += 1
                continue
            assert rules.replay(other.log) == other
    assert refused > 20


@pytest.mark.parametrize(
    "edit",
    [
        lambda log: log["moves"].pop(0),
        lambda log: log["moves"].reverse(),
        lambda log: log["moves"][-1].update(move="fly"),
        lambda log: log["moves"][-1].update(cards=["H5"] * 9),
        lambda log: log["moves"][-1].update(cards=7),
        lambda log: log["moves"][-1].update(seat=17),
        lambda log: log["moves"][0].pop("seat"),
        lambda log: log["moves"].append("play H5"),
        lambda log: log["moves"].append(None),
        lambda log: log["moves"].append({"leave": "x"}),
        lambda log: log.update(moves=None),
        lambda log: log.update(moves={"a": 1}),
        lambda log: log.update(seed="x"),
        lambda log: log.update(seed=None),
        lambda log: log.update(deals=3),
        lambda log: log.update(deals=[["H5"]]),
        lambda log: log.update(deals=[None]),
        lambda log: log.pop("moves"),
        lambda log: log.pop("digest"),
        lambda log: log.update(digest="0"),
        lambda log: log.update(digest=None),
        lambda log: log.update(digest=[]),
        lambda log: log.update(format=99),
        lambda log: log.pop("format"),
        lambda log: log.update(ruleset="other"),
        lambda log: log.update(options={}),
        lambda log: log.clear(),
    ],
)
def test_a_log_with_a_wrong_line_is_refused(edit: Any) -> None:
    rules, log = rules_of("dalian"), dict[str, Any]()
    for turn in range(20):
        *_, state = match(rules, dice("lines", turn))
        log = json.loads(json.dumps(state.log))
        if len(log["moves"]) > 12 and log["moves"][0] != log["moves"][-1]:
            break
    edit(log)
    for given in (log, json.dumps(log)):
        with pytest.raises(REFUSED):
            rules.replay(given)


@pytest.mark.parametrize(
    ("edit", "zh", "en"),
    [
        (lambda log: log.update(seed=None), "记录的开头走不通：seed 要是整数", "the head of the log cannot be followed: a seed"),
        (lambda log: log.update(deals=None, seed="x"), "记录的开头走不通", "the head of the log"),
        (lambda log: log["moves"].insert(0, 3), "第1步走不通：它不是记录里的一步", "line 1 of the log cannot be followed: it is no line"),
        (lambda log: log["moves"].insert(0, {"seat": 0, "move": "fly"}), "第1步走不通", "line 1 of the log"),
        (lambda log: log["moves"].insert(0, {"leave": 0}), "第1步走不通：这种玩法没有写", "line 1 of the log cannot be followed: this game"),
    ],
)  # fmt: skip
def test_a_broken_log_is_told_in_both_languages(edit: Any, zh: str, en: str) -> None:
    rules = rules_of("doudizhu")
    log = json.loads(json.dumps(rules.start(seed=1).log))
    edit(log)
    with pytest.raises(hw.DamagedState) as caught:
        rules.replay(log)
    told = caught.value.text
    assert zh in told.zh and en in told.en
    assert not re.search("[A-Za-z]{3,} [a-z]{2,} [a-z]", told.zh)  # no English sentence in it


@pytest.mark.parametrize(
    "given", [None, 3, [], "", b"", "{}", "null", "[]", b"\xff\xfe", {"moves": []}, "[" * 100_000, "9" * 5000]
)
def test_what_is_no_log_and_no_state_is_refused(given: Any) -> None:
    rules = rules_of("dalian")
    with pytest.raises(hw.DamagedState):
        rules.replay(given)
    with pytest.raises(hw.DamagedState):
        rules.from_json(given)


def test_another_ruleset_and_other_options_are_refused() -> None:
    states = {key: rules_of(*key).start(seed=1) for key in SETTINGS}
    for one in SETTINGS:
        for other, state in states.items():
            if rules_of(*one) == rules_of(*other):
                continue
            for ask, given in (
                (rules_of(*one).from_json, state.to_json()),
                (rules_of(*one).replay, state.log),
                (rules_of(*one).from_view, state.view(0)),
            ):
                with pytest.raises(hw.OtherRuleset):
                    ask(given)
            assert rules_of(*one).start(seed=1) != state


def resealed(rules: hw.Rules, state: hw.State, **changes: Any) -> str:
    """A saved text changed by somebody who knows how its sum is made."""
    from hashlib import sha256

    body = json.loads(state.to_json()) | changes
    body.pop("sum")
    plain = json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return json.dumps(body | {"sum": sha256(plain.encode()).hexdigest()[:16]}, ensure_ascii=False)


@pytest.mark.parametrize(
    "changes",
    [
        {"seat": 99}, {"seat": "x"}, {"seat": None}, {"seat": True}, {"phase": "nowhere"}, {"phase": 3}, {"phase": []}, {"draws": "x"}, {"draws": -1},
        {"dealt": None}, {"measures": 7}, {"measures": ["x"]}, {"measures": []}, {"origin": [0]}, {"origin": None}, {"memory": {}}, {"memory": []},
        {"memory": {"deals": "x"}}, {"zones": {}}, {"zones": None}, {"trick": 5}, {"trick": [{"seat": 0}]}, {"round": 5}, {"round": {"passed": 5}},
        {"round": {"passed": ["x"]}}, {"moves": 5}, {"moves": [{}]}, {"moves": [{"seat": 0, "move": []}]}, {"events": 5}, {"events": [["nothing"]]}, {"deals": 5},
        {"deals": [["H5"]]}, {"seed": "x"}, {"seed": 1.5},
    ],
    ids=str,
)  # fmt: skip
def test_a_saved_state_that_makes_no_sense_is_refused(changes: dict[str, Any]) -> None:
    rules = rules_of("dalian")
    state = rules.start(seed=1).apply("decline")
    assert rules.from_json(resealed(rules, state)) == state
    with pytest.raises(hw.DamagedState):
        rules.from_json(resealed(rules, state, **changes))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.rsplit("/", 1)[-1])
def test_damaged_pickles_are_refused(game: str) -> None:
    """Every byte of what we put into a pickle is covered by a sum; around it, pickle itself says what is broken."""
    rules, rng = rules_of(game), dice("bytes", game)
    pickle.dumps(rules)
    for state in moments(rules, rng, 3):
        data = pickle.dumps(state)
        for _ in range(30):
            bad = bytearray(data)
            bad[rng.randrange(len(bad))] ^= 1 << rng.randrange(8)
            try:
                other = pickle.loads(bytes(bad))
            except (hw.HongwuError, pickle.UnpicklingError, EOFError):
                continue
            except (
                AttributeError,
                ImportError,
                IndexError,
                KeyError,
                TypeError,
                ValueError,
                OverflowError,
                MemoryError,
            ) as error:
                assert "hongwu_rules" not in _deepest(error), f"not refused by name: {error!r}"
                continue
            assert other == state and other.to_json() == state.to_json()
        for cut in (0, 1, len(data) // 2, len(data) - 1):
            with pytest.raises((hw.HongwuError, pickle.UnpicklingError, EOFError)):
                pickle.loads(data[:cut])


def _deepest(error: BaseException) -> str:
    """The file in which an error was raised."""
    trace, name = error.__traceback__, ""
    while trace is not None:
        name, trace = trace.tb_frame.f_code.co_filename, trace.tb_next
    return name

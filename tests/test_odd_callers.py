"""Whatever a caller gives, it is judged, made or refused by an error with a name; nothing hangs, nothing breaks."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hongwu_rules as hw
from random_play import GAMES, asking, dice, match, rules_of

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.sampled_from([10**18, -(10**18), 10**4200, -1, 0, 3, 4, 17, 2**64]),
    st.floats(),
    st.text(max_size=12),
    st.binary(max_size=4),
    st.sampled_from(
        [
            "H5",
            "S10",
            "BJ",
            "♥5",
            "H5 H5",
            "hand",
            "lead",
            "play",
            "0",
            "1",
            "9" * 5000,
            "٣",
            "²",
            "--5",
            "\ud800",
            "H5 " * 30,
        ]
    ),
)
NAMES = (
    "phase",
    "seat",
    "memory",
    "zones",
    "trick",
    "round",
    "seed",
    "deals",
    "hand",
    "stock",
    "cards",
    "count",
    "passed",
    "made",
    "move",
    "choice",
    "plays",
)
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.tuples(inner, inner),
        st.dictionaries(
            st.one_of(st.sampled_from(NAMES), st.integers(0, 4), st.none(), st.text(max_size=3)), inner, max_size=4
        ),
    ),
    max_leaves=8,
)
CALM = settings(
    max_examples=60, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck), database=None
)


def refused_or_fine(ask: Callable[[], Any]) -> Any:
    """The answer, or the error if it is one of those with a name."""
    try:
        return ask()
    except hw.HongwuError as error:
        assert error.text.zh and error.text.en and len(str(error)) < 1000
        return error


@cache
def a_state(game: str, turn: int) -> hw.State:
    *_, state = islice(match(rules_of(game), dice("odd", game, turn)), 9 * turn + 1)
    return state


MOVES = st.one_of(
    ANYTHING,
    st.fixed_dictionaries(
        {"move": st.sampled_from(["play", "bid", "decline", "call", "bury", "show", "fly", ""])},
        optional={"cards": ANYTHING, "choice": ANYTHING},
    ),
    st.builds(
        lambda name, rest: f"{name} {rest}", st.sampled_from(["play", "bid", "call", "show"]), st.text(max_size=20)
    ),
)


@CALM
@given(state=st.sampled_from([(game, turn) for game in GAMES for turn in range(3)]), move=MOVES)
def test_moves_of_any_kind_are_judged_or_refused_by_name(state: tuple[str, int], move: Any) -> None:
    asked = a_state(*state)
    before = asked.to_json()
    answer = refused_or_fine(lambda: asked.judge(move))
    assert isinstance(answer, hw.Verdict | hw.MoveError)
    done = refused_or_fine(lambda: asked.apply(move))
    assert isinstance(done, hw.State if answer == hw.Verdict() else hw.IllegalMove | hw.MoveError)
    assert (move in asked.legal_moves()) == (answer == hw.Verdict())
    assert asked.to_json() == before


@pytest.mark.parametrize("game", GAMES, ids=lambda game: Path(game).stem)
@pytest.mark.parametrize(
    "move",
    [
        "", " ", "play", "play " + "H5 " * 50_000, "x" * 500_000, "bid " + "9" * 6000, "bid --5", "bid 5-", "play H5 x H5", "\x00", "\ud800",
        None, 7, 1.5, [], {}, b"play", {"move": None}, {"move": "play", "cards": None}, {"move": "play", "cards": ["H5"] * 40_000}, {"move": "play", "cards": [None]},
        {"move": "play", "cards": {"H5": 2}}, {"move": "play", "cards": "H5 H5 H5 H5 H5"}, {"move": "play", "count": 3}, {1: 2}, {"move": "bid", "choice": []},
        {"move": "bid", "choice": 10**5000}, {"move": "bid", "choice": float("nan")}, {"move": "bid", "choice": True}, {"move": "a b"}, {"move": "play", "cards": ["H5 H5"]},
    ],
    ids=lambda move: type(move).__name__,
)  # fmt: skip
def test_odd_moves(game: str, move: Any) -> None:
    state = rules_of(game).start(seed=1)
    assert isinstance(refused_or_fine(lambda: state.judge(move)), hw.Verdict | hw.MoveError)
    with pytest.raises((hw.IllegalMove, hw.MoveError)):
        state.apply(move)
    assert move not in state.legal_moves()


@pytest.mark.parametrize(
    "make",
    [
        lambda: hw.Move(None), lambda: hw.Move(3), lambda: hw.Move("play", cards=None), lambda: hw.Move("play", cards=[5]), lambda: hw.Move("play", cards=7),
        lambda: hw.Move("play", choice=object()), lambda: hw.Move("play", choice=10**5000), lambda: hw.Move("play x"), lambda: hw.parse_move(None), lambda: hw.parse_move(b"x"),
    ],
)  # fmt: skip
def test_what_is_no_move_cannot_be_made_one(make: Callable[[], Any]) -> None:
    with pytest.raises(hw.MoveError):
        make()


def test_equal_moves_are_judged_alike() -> None:
    one, two = hw.Move("bid", choice=85), hw.Move("bid", choice="85")
    assert one == two == hw.parse_move("bid 85") and one.to_json() == two.to_json()
    assert hw.Move("play", cards="♥5 S10") == hw.parse_move("play s10 H5")


@CALM
@given(
    game=st.sampled_from(GAMES),
    description=st.dictionaries(st.sampled_from([*NAMES[:8], "x"]), ANYTHING, max_size=5),
    phase=st.booleans(),
)
def test_positions_of_any_kind_are_made_or_refused_by_name(game: str, description: dict[str, Any], phase: bool) -> None:
    rules = rules_of(game)
    if phase:
        description = description | {"phase": rng_phase(rules, description)}
    made = refused_or_fine(lambda: rules.position(description))
    if isinstance(made, hw.State):
        refused_or_fine(lambda: made.view(0))
        refused_or_fine(lambda: list(islice(made.legal_moves(), 50)))
        refused_or_fine(lambda: made.judge("play H5"))
        refused_or_fine(made.to_json)
        refused_or_fine(lambda: made.returns)


def rng_phase(rules: hw.Rules, description: dict[str, Any]) -> str:
    names = list(rules.ruleset.phases)
    return names[len(repr(sorted(description, key=str))) % len(names)]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: Path(game).stem)
def test_positions_that_contradict_themselves(game: str) -> None:
    rules = rules_of(game)
    card = rules.program.layout.pack.names(rules.program.layout.deck)[0]
    good = {"phase": asking(rules)[0], "seat": 0, "zones": {"hand": {0: card}}}
    assert rules.position(good).cards("hand", 0) == [card]
    many = {seat: [card] * 2 for seat in range(rules.seats)}
    bad: list[Any] = [
        {}, {"phase": "nowhere"}, good | {"seat": rules.seats}, good | {"seat": -1}, good | {"seat": "0"}, good | {"seat": True}, good | {"zones": {"hand": many}},
        good | {"zones": {"hand": {0: [card] * 100_000}}}, good | {"zones": {"hand": {0: "X9"}}}, good | {"zones": {"hand": {0: 5}}}, good | {"zones": {"hand": {9: card}}},
        good | {"zones": {"hand": {0: {"count": -1}}}}, good | {"zones": {"hand": {0: {"count": "x"}}}}, good | {"zones": {"hand": {0: {"count": 10**9}}}},
        good | {"zones": {"hand": {0: {"cards": {"cards": [card]}}}}}, good | {"zones": {"pocket": card}}, good | {"zones": [card]}, good | {"zones": {"hand": [card]}},
        good | {"memory": {"nothing": 1}}, good | {"memory": []} | {"memory": [1]}, good | {"trick": 5}, good | {"trick": [5]}, good | {"trick": [{"seat": 9, "cards": card}]},
        good | {"trick": [{"seat": 0, "cards": []}]}, good | {"trick": [{"seat": 0}]}, good | {"trick": [{"seat": 0, "cards": [card] * 9}]}, good | {"seed": "x"},
        good | {"seed": 10**5000}, good | {"deals": 5}, good | {"deals": [card]}, good | {"deals": [{"hand": {7: card}}]}, good | {"deals": [{"hand": {"x": card}}]},
        good | {"deals": [{"hand": {None: card}}]}, good | {"deals": [{3: card}]}, good | {"extra": 1}, good | {5: 1}, good | {"phase": []}, good | {"phase": None}, [], None, "lead",
    ]  # fmt: skip
    if rules.ruleset.phases[good["phase"]].kind == "round":
        bad += [
            good | {"round": odd}
            for odd in (
                5,
                [1],
                {"passed": 5},
                {"passed": ["x"]},
                {"passed": [9]},
                {"made": "x"},
                {"made": ["fly"]},
                {"made": [[]]},
            )
        ]
    for description in bad:
        with pytest.raises(hw.PositionError):
            rules.position(description)


@pytest.mark.parametrize(
    "odd",
    [
        {"seed": "x"},
        {"seed": None},
        {"seed": 1.0},
        {"seed": 10**5000},
        {"deals": 5},
        {"deals": "H5"},
        {"deals": ["H5"]},
        {"deals": [None]},
        {"deals": [{"hand": 5}]},
    ],
)
def test_odd_starts(odd: dict[str, Any]) -> None:
    with pytest.raises(hw.PositionError):
        rules_of("dalian").start(**odd)


@CALM
@given(
    game=st.sampled_from(GAMES),
    turn=st.integers(0, 2),
    viewer=st.sampled_from([0, 1, None]),
    where=st.lists(st.integers(0, 30), min_size=1, max_size=4),
    value=ANYTHING,
)
def test_damaged_views_are_read_or_refused_by_name(
    game: str, turn: int, viewer: int | None, where: list[int], value: Any
) -> None:
    rules, state = rules_of(game), a_state(game, turn)
    view = json.loads(json.dumps(state.view(viewer)))
    inner: Any = view
    for step in where[:-1]:
        keys = list(inner) if isinstance(inner, dict) else range(len(inner))
        found = inner[keys[step % len(keys)]] if keys else None
        inner = found if isinstance(found, dict | list) and found else inner
    key = (list(inner) if isinstance(inner, dict) else range(len(inner)))[where[-1] % len(inner)]
    if value == "H5" and isinstance(inner, dict):
        del inner[key]
    else:
        inner[key] = value
    made = refused_or_fine(lambda: rules.from_view(view))
    if isinstance(made, hw.State):
        for ask in (
            lambda: made.judge("play H5"),
            lambda: list(islice(made.legal_moves(), 20)),
            lambda: made.view(viewer),
            lambda: made.apply("decline"),
            made.to_json,
        ):
            refused_or_fine(ask)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: Path(game).stem)
def test_questions_about_what_is_not_there(game: str) -> None:
    rules, state = rules_of(game), rules_of(game).start(seed=1)
    slot = next(name for name, slot in rules.ruleset.memory.items() if len(slot.index) == 1)
    for name, *index in (["nothing"], [slot, 99], [slot, -1], [slot, 0, 0], [slot, "x"], [slot, None], [None]):
        with pytest.raises(hw.NotThere):
            state.value(name, *index)
    for zone, *seat in (["nothing"], ["hand"], ["hand", 99], ["hand", -1], ["hand", True], ["stock", 5], [None]):
        with pytest.raises(hw.NotThere):
            state.cards(zone, *seat)
    for seat in (-1, rules.seats, "0", True, 1.0, []):
        for ask in (state.view, state.events_for, state.leave):
            with pytest.raises((hw.PositionError, hw.NotExpected)):
                ask(seat)
    partial = rules.from_view(state.view(None))
    with pytest.raises(hw.HiddenRead):
        partial.cards("hand", 0)
    with pytest.raises(hw.HongwuError):
        partial.to_json()
    for view in (None, 5, [], {}, "view", {"digest": rules.digest}):
        with pytest.raises((hw.PositionError, hw.OtherRuleset)):
            rules.from_view(view)


def said(ask: Callable[[], Any], error: type[hw.HongwuError]) -> tuple[str, str]:
    """What an error says in both languages."""
    with pytest.raises(error) as caught:
        ask()
    return caught.value.text.zh, caught.value.text.en


def test_an_error_says_what_there_is() -> None:
    rules = rules_of("anhui")
    state = rules.start(seed=1)
    for ask, error, zh, en in (
        (lambda: state.value("levle"), hw.NotThere, "是不是“level”", 'did you mean "level"'),
        (lambda: state.value("level", 9), hw.NotThere, "下标是：0–3", "it goes by: 0–3"),
        (lambda: state.cards("hnad", 1), hw.NotThere, "是不是“hand”", 'did you mean "hand"'),
        (lambda: state.cards("hand"), hw.NotThere, "要写座位 0 到 3", "one for each seat, 0 to 3"),
        (lambda: state.cards("kitty", 2), hw.NotThere, "不分座位", "not one for each seat"),
        (lambda: state.view("0"), hw.PositionError, "没有座位 '0'，座位是 0 到 3", "no seat '0': seats are 0 to 3"),
        (lambda: rules.position({}), hw.PositionError, "要写明在哪个阶段", "say which phase (phase): "),
        (lambda: rules.from_view(state.view(1)).cards("hand", 0), hw.HiddenRead, "“hand”里", 'cards of "hand"'),
        (lambda: hw.load("anhi"), hw.SourceIOError, "是不是 anhui", "did you mean anhui"),
    ):
        told = said(ask, error)
        assert zh in told[0] and en in told[1], told


def test_rules_of_other_options_name_the_option() -> None:
    state = rules_of("dalian").start(seed=1)
    other = hw.load("dalian", options={"base": 5})
    for ask in (
        lambda: other.from_json(state.to_json()),
        lambda: other.from_view(state.view(0)),
        lambda: other.replay(state.log),
    ):
        zh, en = said(ask, hw.OtherRuleset)
        assert "别的设定下的：base = 1" in zh and "other options: base = 1" in en
    zh, en = said(lambda: rules_of("anhui").from_view(state.view(0)), hw.OtherRuleset)
    assert "“dalian”的，不是“anhui”" in zh and 'to "dalian", not to "anhui"' in en


def test_one_overlay_may_stand_by_itself() -> None:
    one = hw.load("anhui", overlays="house/anhui_stops.yaml")
    assert one == hw.load("anhui", overlays=["house/anhui_stops.yaml"]) != rules_of("anhui")


@pytest.mark.parametrize("key", ["seat", "trick", "round", "zones", "memory", "phase"])
def test_a_view_with_a_part_missing_is_refused_by_name(key: str) -> None:
    rules = rules_of("dalian")
    view = rules.start(seed=1).view(0)
    del view[key]
    zh, en = said(lambda: rules.from_view(view), hw.PositionError)
    assert f"缺了 {key}" in zh and f"it lacks {key}" in en


@pytest.mark.parametrize("name", ["base/sheng_ji", "base/climbing"])
def test_what_is_only_material_is_not_played(name: str) -> None:
    rules = hw.load(name)
    for ask in (lambda: rules.start(seed=1), lambda: rules.position({"phase": "deal"})):
        zh, en = said(ask, hw.NotExpected)
        assert "只供别的规则取用" in zh and "not itself a game" in en


@pytest.mark.parametrize("words", ["S11", "红桃5", "H5H5", "S10 S1", "S2；S3", "5"])
def test_a_card_that_is_none_is_said_to_be_none(words: str) -> None:
    *_, state = islice(match(rules_of("doudizhu"), dice("cards", 1)), 9)
    assert state.phase in ("lead", "answer")
    (reason,) = state.judge(f"play {words}").reasons
    assert reason.id == "no_such_card"
    assert f"没有“{words.split()[-1]}”这张牌" in reason.zh and f'no card is written "{words.split()[-1]}"' in reason.en


def test_what_a_move_gives_is_read_again() -> None:
    for text in ("play H5 H5", "bid 85", "swap S6 = H7", "decline"):
        move = hw.parse_move(text)
        assert hw.parse_move(move.to_json()) == move
    with pytest.raises(hw.MoveError):
        hw.parse_move({"cards": []})


@pytest.mark.parametrize("game", GAMES, ids=lambda game: Path(game).stem)
def test_every_name_in_a_view_has_words(game: str) -> None:
    rules = rules_of(game)
    words = rules.words
    assert words == json.loads(json.dumps(words))
    for section, names in words.items():
        for name, text in names.items():
            assert text["zh"] and text["en"], (section, name)
    for state in islice(match(rules, dice("words", game)), 60):
        view = state.view(state.seat)
        assert view["phase"] in words["phases"]
        assert set(view["memory"]) <= set(words["memory"]) and set(view["zones"]) <= set(words["zones"])
        assert set(view["options"]) <= set(words["options"])
        for move in view.get("moves", ()):
            assert move["move"] in words["moves"]
            known = {*words["words"], *words["suits"], *words["cards"]}
            assert {one for one in move.get("choose", ()) if isinstance(one, str)} <= known | {"2", "3", "4", "5"}
    for card in rules.start(seed=1).view(0)["zones"]["hand"]["0"].get("cards", ()):
        assert card in words["cards"]


def test_words_are_those_of_the_file() -> None:
    words = rules_of("dalian").words
    assert words["words"]["solo"] == {"zh": "独牌", "en": "solo"}
    assert words["memory"]["score"] == {"zh": "得分", "en": "score"}
    assert words["options"]["base"] == {"zh": "底分", "en": "unit of the stakes"}
    assert words["cards"]["H5"] == {"zh": "红桃5", "en": "5 of hearts"} and words["cards"]["BJ"]["zh"] == "大王"
    assert words["suits"]["D"]["zh"] == "方块" and words["zones"]["hand"] == {"zh": "手牌", "en": "hand"}

"""The step: its fixed order, rounds, measures, chance, who sees what, and that no card is ever lost."""

from __future__ import annotations

import pickle
from random import Random

import pytest

from compile_games import CLIMB, TRUMPS, named, program
from hongwu_rules.cards import parse_cards
from hongwu_rules.compile.program import CompiledMove, Program
from hongwu_rules.errors import NotExpected, PositionError, RulesFault
from hongwu_rules.play import machine
from hongwu_rules.play.events import event_json, event_text, events_seen
from hongwu_rules.play.state import State, entries

# twelve cards; seat 0 leads with S3
HANDS = {"hand": {0: parse_cards("S3 H3 S4 S5"), 1: parse_cards("D3 H4 D4 H5"), 2: parse_cards("C3 C4 D5 C5")}}


def climb(**options: int | bool) -> State:
    return machine.start(program(CLIMB, **options), deals=[HANDS])


def after(state: State, *moves: str) -> State:
    """The state after moves in text form, such as ``play S3`` and ``decline``."""
    for text in moves:
        name, *names = text.split()
        state = machine.advance(state, named(state, name), state.program.layout.pack.of(parse_cards(" ".join(names))))
    return state


def where(state: State) -> tuple[str, int | None]:
    return state.program.phases[state.phase].name, state.seat


def told(state: State) -> list[str]:
    return [event_text(state.program, event) for event in state.events]


def value(state: State, name: str, *index: int) -> object:
    return state.m[state.program.layout.slots[name].at(*index)]


# ---------------------------------------------------------------- the order of a step


def test_start_runs_on_until_a_seat_must_act() -> None:
    state = climb()
    assert where(state) == ("lead", 0)
    assert told(state) == ["phase deal", "shuffle", "deal", "set leader 0", "phase lead"]


def test_a_step_tells_what_happened_in_order() -> None:
    state = after(climb(), "play S3")
    assert where(state) == ("answer", 1)
    assert told(state) == ["play 0 S3", "play 0 S3", "phase answer"]
    state = after(state, "decline", "decline")
    assert told(state)[:5] == ["decline 2", "phase clear", "set leader 0", "trick 0", "move trick gone S3"]
    assert where(state) == ("lead", 0)


def test_the_state_before_is_untouched() -> None:
    first = climb()
    position, second = first.position, after(first, "play S3")
    assert first.position == position and second != first
    assert after(first, "play S3") == second and hash(after(first, "play S3")) == hash(second)


# ---------------------------------------------------------------- rounds


def test_until_quiet_asks_again_after_a_loud_move() -> None:
    state = after(climb(), "play S3", "decline", "play C4")
    assert where(state) == ("answer", 0)  # 1 declined, then 2 moved: everybody else is asked again
    state = after(state, "decline")
    assert where(state) == ("answer", 1)
    state = after(state, "play H5")
    assert where(state) == ("answer", 2)
    state = after(state, "decline", "decline")
    assert where(state) == ("lead", 1)


def test_until_out_asks_who_declined_no_more() -> None:
    state = after(climb(locks=True), "play S3", "decline", "play C4")
    assert where(state) == ("answer", 0)
    state = after(state, "decline")
    assert where(state) == ("lead", 2)  # 1 is out and was not asked


def test_stop_ends_a_round_at_once_and_the_first_open_way_is_taken() -> None:
    state = after(climb(), "play S3", "play H4", "decline", "play S5", "decline", "decline", "play H3", "decline")
    assert where(state) == ("answer", 2)
    state = after(state, "decline")
    state = after(state, "play S4")
    assert where(state) == ("over", None) and told(state)[-1] == "phase over"
    assert state.program.returns is not None
    assert [state.program.returns(state, s) for s in range(3)] == [0, 0, 0]
    with pytest.raises(NotExpected):
        machine.advance(state, named(climb(), "play"))


def test_once_asks_each_seat_once_from_first_on() -> None:
    text = CLIMB.replace("round: until_out if locks else until_quiet", "round: once")
    state = after(machine.start(program(text), deals=[HANDS]), "play S3", "play H4")
    assert where(state) == ("answer", 2)
    assert where(after(state, "play C5")) == ("answer", 0)  # a loud move of another opens nothing for 1
    assert where(after(state, "play C5", "decline")) == ("lead", 2)


def test_a_round_that_nobody_may_answer_is_over_at_once() -> None:
    text = CLIMB.replace("who: seat != trick.winner", "who: seat != trick.winner and len(hand[seat]) > 4")
    assert where(after(machine.start(program(text), deals=[HANDS]), "play S3")) == ("lead", 0)


def test_a_round_asks_its_first_seat_itself() -> None:
    text = CLIMB.replace("first: next(leader)", "first: leader").replace("who: seat != trick.winner\n", "who: true\n")
    assert where(after(machine.start(program(text), deals=[HANDS]), "play S3")) == ("answer", 0)


# ---------------------------------------------------------------- promises kept in play


def test_a_measure_must_fall() -> None:
    text = CLIMB.replace("measure: sum(len(hand[s]) for s in seats)", "measure: 5")
    state = after(machine.start(program(text), deals=[HANDS]), "play S3")
    with pytest.raises(RulesFault) as caught:
        after(state, "play H4")
    assert caught.value.code == "HW905" and "answer" in caught.value.text.zh


def test_a_measure_begins_anew_with_a_deal() -> None:
    state = machine.start(program(TRUMPS), seed=3)
    rng = Random(3)
    while state.seat is not None:
        state = step_at_random(state, rng)
    assert value(state, "deals") == 2


def test_automatic_phases_that_never_end_are_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "LIMIT", 50)
    text = CLIMB.replace("      - leader = the", "      - step_bound = 0\n      - leader = the")
    text = text.replace("    next: lead\n  lead:", "    next: deal\n  lead:", 1)
    with pytest.raises(RulesFault) as caught:
        machine.start(program(text))
    assert caught.value.code == "HW902"


def test_a_slot_keeps_its_range() -> None:
    text = CLIMB.replace("    next: lead\n  lead:", "      - step_bound += 5\n    next: lead\n  lead:", 1)
    with pytest.raises(RulesFault) as caught:
        machine.start(program(text))
    assert caught.value.code == "HW904" and "step_bound" in caught.value.text.en
    assert caught.value.place.line == text.splitlines().index("      - step_bound += 5") + 1


def test_a_table_without_a_row_is_a_fault_with_its_place() -> None:
    # four seats share 200 points, so somebody has 50 or more
    text = TRUMPS.replace("      many: {x: 45.., up: 1 + stake * ((x - 40) // 40)}\n", "")
    text = text.replace("up: 1}", "up: stake}")
    state, rng = machine.start(program(text), seed=1), Random(1)
    with pytest.raises(RulesFault) as caught:
        while state.seat is not None:
            state = step_at_random(state, rng)
    assert caught.value.code == "HW903" and caught.value.place.file == "test.yaml"


def test_too_few_cards_to_deal() -> None:
    with pytest.raises(RulesFault) as caught:
        machine.start(program(CLIMB.replace("deal(stock, hand, 4)", "deal(stock, hand, 5)")))
    assert caught.value.code == "HW906" and caught.value.place.line > 0


# ---------------------------------------------------------------- steps


STEPS = CLIMB.replace(
    "      - leader = the(s for s in seats if S3 in hand[s])",
    """      - leader = the(s for s in seats if S3 in hand[s])
      - wins[s] = position(s, seats) for s in seats
      - wins[s] = wins[next(s)] for s in seats
      - wins[s] += 10 for s in seats when s != leader
      - wins[leader] *= 7
      - wins[leader] -= 1 when len(hand[leader]) > 9""",
)


def test_a_repeated_step_reads_everything_before_it_writes() -> None:
    state = machine.start(program(STEPS), deals=[HANDS])
    assert [value(state, "wins", s) for s in range(3)] == [14, 13, 11]  # 2*7, 3+10, 1+10


def test_rows_are_told_once_for_each_step() -> None:
    rng = Random(4)
    state = machine.start(program(TRUMPS), seed=4)
    while value(state, "deals") == 0:
        state = step_at_random(state, rng)
    rows = [text for text in told(state) if text.startswith("row ")]
    assert rows and len(rows) == len(set(rows)) and set(rows) <= {f"row result {r}" for r in ("none", "some", "many")}
    assert told(state).index(rows[0]) < next(i for i, t in enumerate(told(state)) if t.startswith("set level"))


# ---------------------------------------------------------------- chance


def test_the_same_seed_deals_the_same_cards() -> None:
    made = program(TRUMPS)
    one, two, other = (machine.start(made, seed=seed) for seed in (7, 7, 8))
    assert one == two and one.events == two.events and one != other


def test_a_seed_deals_the_same_cards_on_every_machine() -> None:
    """The hands of seed 1: a change here makes every old log unreadable.

    By hand: the first number of eight bytes (the lowest first) of SHAKE-128 of the text "1:0", modulo 12, is the
    place of the first card in the deck by id; the next one, modulo 11, that of the second among those left, and so
    on. They are dealt one at a time to seats 0, 1, 2.
    """
    state = machine.start(program(CLIMB), seed=1)
    pack = state.program.layout.pack
    assert [" ".join(pack.names(hand)) for hand in state.z[1:4]] == [
        "H3 H4 H5 C4",
        "S4 S5 D3 C3",
        "S3 D4 D5 C5",
    ]


def test_given_deals_come_first_and_then_the_seed() -> None:
    made = program(CLIMB)
    order = parse_cards("S3 D3 C3 H3 H4 C4 S4 D4 D5 S5 H5 C5")
    assert machine.start(made, deals=[order]).position.z == climb().position.z
    partly = machine.start(made, deals=[{"hand": {1: parse_cards("H5 D5 S5 C5")}}])
    assert made.layout.pack.names(partly.position.z[2]) == ["S5", "H5", "D5", "C5"]


@pytest.mark.parametrize(
    "deal",
    [
        parse_cards("S3 D3"),
        parse_cards("S3 S3 C3 H3 H4 C4 S4 D4 D5 S5 H5 C5"),
        {"hand": {0: parse_cards("S3"), 1: parse_cards("S4 S5"), 2: []}},
        {"hands": {}},
        {"hand": {0: parse_cards("S3 S3 H3 D3")}},
    ],
)
def test_a_given_deal_must_fit_the_deck(deal: object) -> None:
    with pytest.raises(PositionError):
        machine.start(program(CLIMB), deals=[deal])  # type: ignore[list-item]


# ---------------------------------------------------------------- who sees what


def test_hidden_cards_are_told_to_those_who_may_see_them() -> None:
    made = program(TRUMPS)
    state = machine.start(made, seed=5)
    dealer = state.seat
    assert dealer is not None
    deal = next(event for event in state.events if event[0] == "deal")
    for viewer in (*range(4), None):
        hands = event_json(made, deal, viewer)["hands"]
        assert [i for i, hand in enumerate(hands) if "cards" in hand] == ([] if viewer is None else [viewer])
        assert all(hand.get("count", 25) == 25 for hand in hands)
    secret = [event for event in state.events if event[0] == "set" and made.slot_name(event[1]) == "secret[2]"]
    assert "value" in event_json(made, secret[0], 2) and "value" not in event_json(made, secret[0], 1)
    assert events_seen(made, secret[:1], 2) == [event_json(made, secret[0], 2)] and events_seen(made, secret, 1) == []
    buried = step_at_random(state, Random(1))
    for event in buried.events:
        if event[0] in ("made", "move"):
            assert "cards" in event_json(made, event, dealer)
            others = [event_json(made, event, viewer) for viewer in (*range(4), None) if viewer != dealer]
            assert all("cards" not in seen and seen["count"] == 8 for seen in others)
            assert "cards" in event_json(made, event)
    taken = next(event for event in state.events if event[0] == "move")
    assert "cards" not in event_json(made, taken, (dealer + 1) % 4)


def test_sight_of_zones_and_their_sizes() -> None:
    made = program(TRUMPS)
    g = machine.start(made, seed=5)
    names = [made.zone_name(i) for i in range(len(g.z))]
    dealer = g.m[made.layout.slots["dealer"].base]
    seen = dict(zip(names, (see(g) for see in made.see_zone), strict=True))
    assert seen["stock"] == 0 and seen["hand[2]"] == 4 and seen["won[1]"] == 31 and seen["kitty"] == 1 << dealer
    counted = dict(zip(names, (see(g) for see in made.count_zone), strict=True))
    assert counted["stock"] == 31 and counted["hand[2]"] == 4
    g.z = list(g.z)
    g.z[names.index("hand[2]")] = made.layout.pack.of(parse_cards("S2 S3"))
    assert made.count_zone[names.index("hand[2]")](g) == 31
    opened = program(TRUMPS, open_kitty=True)
    assert opened.see_zone[names.index("kitty")](g) == 31


# ---------------------------------------------------------------- logs, pickles, leaving


def test_a_log_knows_every_step_and_a_pickle_keeps_it() -> None:
    state = after(climb(), "play S3", "decline", "decline")
    assert [entry.move for entry in entries(state)] == ["play", "decline", "decline"]
    again = pickle.loads(pickle.dumps(state))
    assert again == state and entries(again) == entries(state) and again.origin == state.origin
    late = machine.advance(late := after(climb(), "play S3"), named(late, "decline"), timeout=True)
    assert told(late)[0] == "timeout 1" and entries(late)[-1].kind == "timeout"


def test_a_long_log_pickles() -> None:
    state, rng = machine.start(program(TRUMPS), seed=2), Random(2)
    while state.seat is not None:
        state = step_at_random(state, rng)
    assert len(entries(state)) > 180
    assert pickle.loads(pickle.dumps(state)) == state


def test_leaving_follows_the_rule_for_it() -> None:
    state = machine.leave(machine.start(program(TRUMPS), seed=2), 3)
    assert told(state) == ["leave 3", "set level[3] 2", "phase over"] and where(state) == ("over", None)
    with pytest.raises(NotExpected):
        machine.leave(climb(), 1)


# ---------------------------------------------------------------- whole matches


def legal(state: State, move: CompiledMove, picked: int, chosen: object) -> bool:
    g, seat = state, state.seat
    return all(
        (clause.when is not None and not clause.when(g, seat, picked, chosen)) or clause.that(g, seat, picked, chosen)
        for clause in move.clauses
    )


def step_at_random(state: State, rng: Random) -> State:
    """One move found by trial."""
    made: Program = state.program
    phase, g, seat = made.phases[state.phase], state, state.seat
    pack = made.layout.pack
    for _ in range(20_000):
        move = rng.choice(list(phase.moves.values()))
        picked, chosen = 0, None
        if move.zone is not None:
            ids = pack.ids(g.z[move.zone(g, seat, 0, None)])
            if move.shapes is not None:
                picked = rng.choice(list(g.book().plays(pack.of(ids), move.asks.fits)))
            else:
                assert move.low is not None
                picked = pack.of(rng.sample(ids, move.low(g, seat, 0, None)))
        if move.choices is not None:
            chosen = rng.choice(move.choices(g, seat, 0, None))
        if legal(state, move, picked, chosen):
            return machine.advance(state, move, picked, chosen)
    raise AssertionError("no legal move found")


@pytest.mark.parametrize(("text", "matches"), [(CLIMB, 40), (TRUMPS, 3)])
def test_no_card_is_lost_and_every_match_ends(text: str, matches: int) -> None:
    made = program(text)
    for seed in range(matches):
        rng, state = Random(seed), machine.start(made, seed=seed)
        while state.seat is not None:
            made.audit(state)
            state = step_at_random(state, rng)
            for event in state.events:  # everything can be told, to everybody
                event_text(made, event)
                for viewer in (*range(made.layout.seats), None, "all"):
                    event_json(made, event, viewer)  # type: ignore[arg-type]
        made.audit(state)
        assert where(state)[0] == "over"


def test_the_audit_finds_a_lost_card() -> None:
    g = climb()
    g.z = [*g.z[:1], 0, *g.z[2:]]
    with pytest.raises(AssertionError):
        g.program.audit(g)

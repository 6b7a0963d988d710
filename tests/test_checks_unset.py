"""Values read before they are set, and rules that look at what their player may not see."""

from __future__ import annotations

import pytest

from checks_bench import SHED, Report, changed
from hongwu_rules.checks import who_sees


# -------------------------------------------------------------------- HW408
@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("      - leader = random(seats)\n", "", "leader"),
        ("when caller is not none\n      - deals", "when called != none_yet\n      - deals", "caller"),
        ("      - give when caller is not none\n", "      - give when called == low\n", "caller"),
        ("    first: leader\n    stop: called == high", "    first: caller\n    stop: called == high", "caller"),
        (
            "stake: unit * worth(called).times",
            "stake: unit * worth(called).times + caller_score\n  caller_score: score[caller]",
            "caller",
        ),
        ("returns: score[seat]", "returns: score[seat] + score[caller]", "caller"),
        ("extra: seen by viewer == caller", "extra: seen by score[caller] > 3", "caller"),
    ],
)
def test_a_value_that_may_not_be_set(old: str, new: str, key: str) -> None:
    found = changed((old, new)).one("HW408")
    assert f'"{key}" is read' in found.message.en


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("when caller is not none\n      - deals", "when caller == leader\n      - deals"),
        ("      - give when caller is not none\n      - lead\n", "      - lead when caller is none\n      - give\n"),
        ("returns: score[seat]", "returns: score[seat] + (score[caller] if caller is not none else 0)"),
        ("returns: score[seat]", "returns: score[seat] + (0 if caller is none else score[caller])"),
        ("returns: score[seat]", "returns: score[seat] + int(caller is not none and score[caller] > 2)"),
        ("returns: score[seat]", "returns: score[seat] + int(caller is none or score[caller] > 2)"),
        ("returns: score[seat]", "returns: score[seat] + int(seat == caller)"),
        (
            "      - leader = random(seats)\n",
            "      - leader = caller\n      - leader = 0 if false else the(s for s in seats if SA in hand[s]) when leader is none\n",
        ),
        (
            "      - deals += 1\n",
            "      - deals += 1\n      - caller = leader when caller is none\n      - score[caller] += 1\n",
        ),
    ],
)
def test_a_value_that_is_surely_set_or_only_compared(old: str, new: str) -> None:
    if "0 if false" in new:
        new = new.replace("0 if false else ", "")
    assert "HW408" not in changed((old, new)).codes


def test_a_deal_forgets_what_the_last_one_knew() -> None:
    report = changed(
        ("    deals: int = 0\n  deal:\n", "    deals: int = 0\n    last_caller: seat?\n  deal:\n"),
        (
            "      - deals += 1\n",
            "      - last_caller = next(leader)\n      - deals += 1\n      - score[last_caller] += 1\n",
        ),
    )
    assert not report.items
    report = changed(
        (
            "      - deal\n  over",
            "      - again\n  again:\n    do:\n      - score[leader] += 1\n    next: afresh\n  afresh:\n    begins: deal\n    do:\n      - score[leader] += 1\n    next: deal\n  over",
        )
    )
    found = report.one("HW408")
    assert '"afresh"' in found.message.en


def test_an_unset_value_that_is_passed_on_stays_unset() -> None:
    report = changed(
        ("    leader: seat?\n", "    leader: seat?\n    prior: seat?\n"),
        ("      - deals += 1\n", "      - deals += 1\n      - prior = caller\n      - score[prior] += 1\n"),
    )
    assert '"prior" is read' in report.one("HW408").message.en


def test_one_cause_is_said_once() -> None:
    report = changed(("      - leader = random(seats)\n", ""))
    found = report.one("HW408")
    assert report.line(found) == "first: leader"
    assert found.witness is not None and found.witness.en == "not set on this way: deal -> auction"


def test_the_trick_before_anybody_played() -> None:
    found = changed(("seat: leader\n", "seat: trick.winner\n")).one("HW408")
    assert "trick" in found.message.en
    found = changed(
        (
            "      - leader = the(s for s in seats_from(trick.winner) if in_play(s))\n      - move(trick, gone)",
            "      - move(trick, gone)\n      - leader = the(s for s in seats_from(trick.winner) if in_play(s))",
        )
    ).one("HW408")
    assert '"clear"' in found.message.en


def test_an_empty_trick_may_be_asked_for() -> None:
    assert not changed(
        ("over_now: out == 1 if", "over_now: out == 1 and (empty(trick) or trick.winner != caller or unit > 2) if")
    ).items


def test_a_value_of_every_seat_is_set_for_all() -> None:
    slot = ("    leader: seat?\n", "    leader: seat?\n    friend[seat]: seat?\n")
    every = (
        "      - deals += 1\n",
        "      - friend[s] = leader for s in seats\n      - score[friend[s]] += 1 for s in seats\n      - deals += 1\n",
    )
    some = (
        "      - deals += 1\n",
        "      - friend[s] = leader for s in seats when place[s] == 1\n      - score[friend[s]] += 1 for s in seats\n      - deals += 1\n",
    )
    assert not changed(slot, every).items
    assert '"friend[s]" is read' in changed(slot, some).one("HW408").message.en


def test_an_order_that_needs_what_is_not_set() -> None:
    order = ("    rest: true by", "    chief: card.suit == H and score[caller] > 3\n    rest: true by")
    report = changed(order)
    assert '"caller" is read' in report.get("HW408").message.en
    assert report.codes == ["HW408"]


# -------------------------------------------------------------------- HW409
GIVE = (
    "        count: 1\n",
    "        count: 1\n        require:\n          rule:\n            that: {}\n            zh: 规矩\n            en: Rule\n",
)


def give(that: str, *more: tuple[str, str]) -> Report:
    return changed((GIVE[0], GIVE[1].format(that)), *more)


@pytest.mark.parametrize(
    ("that", "read"),
    [
        ("any(c.rank == A for c in hand[next(seat)]) or picked == hand[seat]", "hand[next(seat)]"),
        ("all(len(hand[s]) > 0 for s in seats) or SA not in stock", "stock"),
        ("any(SA in hand[s] for s in others(seat)) or SA in picked", "hand[s]"),
        ("in_all or SA in picked", "hand[s]"),
    ],
)
def test_a_clause_that_looks_where_it_may_not(that: str, read: str) -> None:
    report = (
        give(that, ("  stake: unit", "  in_all: any(SA in hand[s] for s in seats)\n  stake: unit"))
        if "in_all" in that
        else give(that)
    )
    found = report.get("HW409")
    assert f"reads {read}" in found.message.en
    assert "HW407" not in report.codes


@pytest.mark.parametrize(
    "that",
    [
        "SA not in hand[seat] or SA in picked",
        "SA not in hand[caller] or SA in picked",  # the phase asks the caller
        "empty(extra) or points(extra) > 3 or SA in picked",  # and extra is seen by the caller
        "all(len(hand[s]) > 2 for s in seats) or SA in picked",  # how many is public
        "empty(gone) or SA in gone or SA in picked",
    ],
)
def test_a_clause_that_looks_at_its_own(that: str) -> None:
    assert "HW409" not in give(that).codes


def test_what_is_open_only_for_a_while() -> None:
    zones = ("  gone: seen by all", "  gone: seen by viewer == caller or opened")
    memory = ("    caller: seat?\n", "    caller: seat?\n    opened: bool = false\n")
    clause = (
        "        shapes: single pair\n        require:\n          beat:",
        "        shapes: single pair\n        require:\n          opening:\n            that: {}\n            zh: 规矩\n            en: Rule\n          beat:",
    )
    opens = ("      - deals += 1\n", "      - deals += 1\n      - opened = true\n")
    seen = changed(zones, memory, opens, (clause[0], clause[1].format("not opened or SA not in gone")))
    assert "HW409" not in seen.codes
    assert "HW409" in changed(zones, memory, opens, (clause[0], clause[1].format("opened or SA not in gone"))).codes


def test_memory_that_only_some_see() -> None:
    memory = ("    caller: seat?\n", "    caller: seat?\n    secret: int = 0 seen by viewer == leader\n")
    uses = ("      - deals += 1\n", "      - deals += 1\n      - secret += 1\n")
    assert (
        "reads secret"
        in changed(memory, uses, ("that: chosen > called", "that: chosen > called or secret > 3"))
        .one("HW409")
        .message.en
    )
    own = changed(
        memory,
        uses,
        (
            "          - play(picked)\n          - out += 1 when not in_play(seat)\n          - place[seat] = out when not in_play(seat) and place[seat] == 0\n    next:\n      - settle when over_now\n      - answer",
            "          - play(picked)\n          - out += 1 when not in_play(seat)\n          - place[seat] = out when not in_play(seat) and place[seat] == 0\n        require:\n          luck:\n            that: secret < 3 or len(picked) == 1\n            zh: 规矩\n            en: Rule\n    next:\n      - settle when over_now\n      - answer",
        ),
    )
    assert "HW409" not in own.codes


@pytest.mark.parametrize(
    ("that", "told"),
    [
        ("leader != seat or chosen > called or secret > 3", True),
        ("not seat == leader or chosen > called or secret > 3", True),
        ("chosen > called or seat == leader and secret > 3", True),
        ("chosen > called or leader == seat or secret > 3", False),
        ("chosen > called or seat != leader and secret > 3", False),
    ],
)
def test_who_surely_sees_it(that: str, told: bool) -> None:
    memory = ("    caller: seat?\n", "    caller: seat?\n    secret: int = 0 seen by viewer == leader\n")
    uses = ("      - deals += 1\n", "      - deals += 1\n      - secret += 1\n")
    assert ("HW409" not in changed(memory, uses, ("that: chosen > called", f"that: {that}")).codes) == told


def test_who_sees_what_in_words() -> None:
    game = SHED.replace("  gone: seen by all", "  gone: seen by nobody counted by viewer == leader")
    lines = {text.en for text in who_sees(Report(game).ruleset)}
    assert lines == {
        "stock: nobody; everybody knows how many",
        "hand: its own seat; everybody knows how many",
        "extra: the caller; everybody knows how many",
        "gone: nobody; how many: the leader",
    }

"""What nothing sets or passes on: HW411, HW412, HW413, HW316, HW315, and HW403 for a question asked too early."""

from __future__ import annotations

import pytest

from checks_bench import changed, replaced

TRUMPS = ("    rest: true by A K", "    trump: card.suit == trump\n    rest: true by A K")
TRUMP = ("    caller: seat?\n", "    caller: seat?\n    trump: suit?\n")
BID = ("          - caller = seat\n", "          - caller = seat\n          - trump = random(suits)\n")


# -------------------------------------------------------------------- HW411
def test_an_order_that_nothing_settled_on_one_way() -> None:
    """A bid draws the suit; if nobody bids, nothing is trump, and nothing says so."""
    report = changed(TRUMPS, TRUMP, BID)
    found = report.get("HW411")
    assert 'depends on "trump"' in found.message.en
    assert report.line(found) == "lead:"
    assert found.witness is not None and "deal -> auction -> lead" in found.witness.en


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # given in any case, be it none
        ("      - leader = random(seats)\n", "      - leader = random(seats)\n      - trump = none\n"),
        # given where nobody has bid
        (
            "      - give when caller is not none\n      - lead\n  give:",
            "      - give when caller is not none\n      - plain\n  plain:\n    do:\n      - trump = none\n"
            "    next: lead\n  give:",
        ),
    ],
)
def test_an_order_that_is_settled_on_every_way(old: str, new: str) -> None:
    assert "HW411" not in changed(TRUMPS, TRUMP, BID, (old, new)).codes


@pytest.mark.parametrize(
    ("ruleset", "old", "new"),
    [
        ("anhui", "do: level_rank = level[dealer]\n        cite: T11 M1", "do: x = 0\n        cite: T11 M1"),
        ("zhejiang", "trump: {do: trump = random(suits)", "trump: {do: bid = 0"),
        ("shengji", "trump: {do: trump = suit(picked)", "trump: {do: x = 0"),
        ("wangjiang", "trump: {do: trump = suit(picked), cite: W18}", "trump: {do: x = 0}"),
    ],
)
def test_a_suit_or_a_level_that_one_way_leaves_open(ruleset: str, old: str, new: str) -> None:
    assert replaced(ruleset, old, new) == ["HW411"]


# -------------------------------------------------------------------- HW412
def test_memory_that_nothing_sets() -> None:
    report = changed(("          - called = chosen\n", ""))
    found = report.get("HW412")
    assert 'gives "called" a value' in found.message.en
    assert report.line(found) == "called: call = none_yet"


def test_memory_that_nothing_reads_is_another_finding() -> None:
    report = changed(("    out: 0..3 = 0\n", "    out: 0..3 = 0\n    spare: int = 0\n"))
    assert report.codes == ["HW405"]


# -------------------------------------------------------------------- HW413
LAST = ("    caller: seat?\n", "    caller: seat?\n    last: seat?\n")
GIVEN = "          - caller = seat\n"
LEADS = "      - leader = the(s for s in seats_from(trick.winner) if in_play(s))\n"
ASKED = (LEADS, LEADS + "      - score[last] += 1 when last is not none\n")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (GIVEN + "          - last = seat\n", True),  # the same value twice
        (GIVEN + "          - last = caller\n", True),  # one from the other
        ("          - last = seat\n          - caller = next(last)\n", False),
        (GIVEN + "          - last = seat when chosen == high\n", False),  # on one of two ways only
        (GIVEN + "          - last = random(seats)\n", False),
        (GIVEN + "          - last = seat\n          - caller = next(caller)\n", False),
    ],
)
def test_two_slots_that_are_always_the_same(given: str, said: bool) -> None:
    report = changed(LAST, (GIVEN, given), ASKED)
    assert report.codes == (["HW413"] if said else [])
    if said:
        assert '"last" is always the same as "caller"' in report.one("HW413").message.en


def test_two_slots_that_differ_later_on() -> None:
    passed = (ASKED[0], "      - last = leader\n" + ASKED[1])
    assert not changed(LAST, (GIVEN, GIVEN + "          - last = seat\n"), passed).items


@pytest.mark.parametrize(
    ("ruleset", "old"),
    [
        ("shengji", "burier: {do: burier = seat, cite: U24}"),  # who takes the kitty buries
        ("wangjiang", "burier: {do: burier = seat, cite: W6 W17}"),
        ("wangjiang", "owner: {do: owner = seat, cite: W5 W9}"),  # whose call stands after a counter
    ],
)
def test_a_seat_that_nothing_passes_on_within_a_deal(ruleset: str, old: str) -> None:
    assert replaced(ruleset, old, f"{old.split(':')[0]}: {{do: x = 0}}") == ["HW413"]


# -------------------------------------------------------------------- HW403
def test_a_question_whether_something_is_set_that_cannot_be_yet() -> None:
    report = changed(
        ("          - caller = seat\n", ""), ("      - deals += 1\n", "      - deals += 1\n      - caller = leader\n")
    )
    found = report.get("HW403")
    assert 'no step can have set "caller"' in found.message.en
    assert report.line(found) == "- give when caller is not none"


def test_a_number_that_nothing_can_have_changed_yet() -> None:
    """Before anybody has played, nobody is out."""
    asked = ("      - give when caller is not none\n", "      - give when out < 2\n")
    assert 'no step can have set "out"' in changed(asked).get("HW403").message.en
    bid = "          - caller = seat\n"
    assert "HW403" not in changed(asked, (bid, bid + "          - out += 1\n")).codes


def test_a_card_counted_off_with_a_number_that_is_still_nothing() -> None:
    shown = ("    next: auction\n", "      - show(nth(gone, out))\n    next: auction\n")
    found = changed(shown).get("HW408")
    assert '"nth(gone, out)" is no card here' in found.message.en
    assert "HW408" not in changed((shown[0], "      - out = 1\n" + shown[1])).codes
    turned = "which: {do: turned = 4 if nobody_calls == fourth_card else 1, cite: W10 WA5}"
    assert set(replaced("wangjiang", turned, "which: {do: x += 0}")) == {"HW408"}


def test_what_was_set_in_an_earlier_deal_counts_for_the_match() -> None:
    moved = ("  match:\n", "  match:\n    caller: seat?\n"), ("    caller: seat?\n    leader", "    leader")
    report = changed(
        ("          - caller = seat\n", ""),
        ("      - deals += 1\n", "      - deals += 1\n      - caller = leader\n"),
        *moved,
    )
    assert "HW403" not in report.codes


# -------------------------------------------------------------------- HW315
LEADER = "      - leader = the(s for s in seats_from(trick.winner) if in_play(s))\n"
DRAW = (
    "    next: auction\n  auction:",
    "    next: draw\n  draw:\n    measure: len(stock)\n    do:\n      - move(top(stock), hand[drawer])\n"
    "STEP    next:\n      - draw when GUARD\n      - auction\n  auction:",
)
DRAWER = ("    leader: seat?\n", "    leader: seat?\n    drawer: seat?\n")
DRAWN = ("      - deal(stock, hand, 8)\n", "      - deal(stock, hand, 4)\n      - drawer = random(seats)\n")


def test_a_leader_who_never_changes() -> None:
    found = changed((LEADER, "")).get("HW315")
    assert "every trick is begun by the same seat" in found.message.en
    assert found.witness is not None and found.witness.en == "lead -> answer -> clear -> lead"


@pytest.mark.parametrize(
    ("step", "guard", "said"),
    [
        ("", "not empty(stock)", True),
        ("      - drawer = next(drawer)\n", "not empty(stock)", False),  # it goes round
        ("", "len(hand[drawer]) < 9", False),  # one seat draws until it has enough
    ],
)
def test_cards_that_all_go_to_one_seat(step: str, guard: str, said: bool) -> None:
    draw = (DRAW[0], DRAW[1].replace("STEP", step).replace("GUARD", guard))
    assert ("HW315" in changed(draw, DRAWER, DRAWN).codes) == said


def test_a_seat_that_begins_every_deal() -> None:
    assert "HW315" in replaced("wangjiang", "next_starter: {do: starter = dealer", "next_starter: {do: x = 0")


@pytest.mark.parametrize("ruleset", ["shengji", "wangjiang"])
def test_a_dealer_who_is_settled_in_the_first_deal_only(ruleset: str) -> None:
    """Who calls in the first deal is its dealer; after that, nothing says who is."""
    assert replaced(ruleset, "dealer = partner(dealer) if held else next(dealer)", "x = 0") == ["HW315"]


# -------------------------------------------------------------------- HW316
def test_a_phase_under_a_condition_that_does_nothing() -> None:
    pause = ("  give:\n    seat", "  pause: {next: lead}\n  give:\n    seat")
    asked = (
        "      - give when caller is not none\n",
        "      - give when caller is not none\n      - pause when called == high\n",
    )
    found = changed(pause, asked).get("HW316")
    assert 'the phase "pause" under a condition' in found.message.en
    always = ("    next: lead\n  lead:", "    next: pause\n  lead:")
    assert "HW316" not in changed(pause, always).codes

"""Compiled expressions: equal to the slow and obvious reading, and as fast as bits allow."""

from __future__ import annotations

import pickle
from random import Random

import pytest

from compile_games import CLIMB, TRUMPS, program, ruleset
from hongwu_rules.cards import IDS, NAMES, parse_cards
from hongwu_rules.compile.build import compile_ruleset
from hongwu_rules.compile.hidden import HIDDEN, Hidden
from hongwu_rules.compile.program import Program
from hongwu_rules.compile.working import Working
from hongwu_rules.errors import HiddenRead, PositionError, RulesFault
from hongwu_rules.game import load, rulesets
from hongwu_rules.model.ir import CARD, CARDS, INT, RANK, SEAT, SUIT, Type
from hongwu_rules.play import machine
from hongwu_rules.play.judge import examine
from hongwu_rules.play.legal import LegalMoves
from reference import Reference

EXPRESSIONS = """
int(H5 in hand[seat])
int(H5 not in hand[seat])
int(called in hand[seat])
int(called not in hand[seat])
int(any(c == H5 for c in hand[seat]))
int(all(c.rank > 3 for c in hand[seat]))
count(c.rank == level[seat] for c in hand[seat])
count(c.suit == trump for c in hand[seat])
count(c.suit != trump for c in hand[seat])
count(c.suit == S or c.rank in {5, 10, K} for c in hand[seat])
count(not (c.suit == S) and c.rank == 5 or c == BJ for c in hand[seat])
count(advisor(c) for c in hand[seat])
count(advisor(c) and c.suit == trump for c in hand[seat] if c.rank < 10)
count(group(c) == trumps for c in hand[seat])
count(group(c) != trumps and c.rank == A for c in hand[seat])
count(line(c) == generals for c in hand[seat])
count(c in {H5, S5, BJ} for c in hand[seat])
count(c.colour == red for c in hand[seat])
count(c.colour == colour(c) for c in hand[seat])
count(c == called for c in hand[seat])
count(c in hand[next(seat)] for c in hand[seat])
count(c.rank == 5 if trump == S else c.rank == 10 for c in hand[seat])
count(trump is none or c.suit == trump for c in hand[seat])
count(c.rank == r for c in hand[seat] for r in [2, 5, K])
count(alike(c, d) for c in hand[seat] for d in hand[seat])
count(linked(c, d) for c in hand[seat] for d in hand[seat])
sum(points(c) for c in hand[seat] if c.suit == H)
sum(1 for c in hand[seat] if c.rank == A)
sum(step(c) for c in hand[seat])
points(hand[seat]) + points(stock) + points(H5)
sum(points(hand[s]) for s in seats if s != seat)
sum(len(hand[s]) * position(s, seats) for s in others(seat))
sum(taken[s, w] for s in seats for w in seats if s != w)
len(stock) + len(won[seat])
min(len(hand[seat]), 7) + max(level_sum, 3, points(hand[next(seat)]))
max(len(hand[s]) for s in seats) - min(points(hand[s]) for s in seats)
max(points(hand[s]) for s in seats if s != seat)
pairs(hand[seat])
position(seat, seats_from(next(seat))) * 10 + position(trump, [S, H])
position(most(points(hand[s]) for s in seats), seats)
position(most([len(won[s]), points(hand[s])] for s in seats_from(seat)), seats)
position(the(s for s in seats if s != dealer and s != seat), seats)
position(the(s for s in seats_from(seat) if s != seat), seats)
position(partner(seat), seats) * 10 + position(next(next(seat)), seats)
sum(position(s, seats) * points(hand[s]) for s in opponents(seat))
int(team(seat) == team(partner(seat))) + int(team(seat) == team(next(seat)))
sum(position(p.seat, seats) for p in trick.plays) + len(trick.lead.cards)
sum(count(c == H5 for c in p.cards) for p in trick.plays)
position(trick.winner, seats) * 4 + int(trick.led == trumps) + int(trick.led != trumps) * 2
int(trick.winner == seat) + int(trick.winner != lucky) * 2
int(lucky == called_seat) + int(lucky != called_seat) * 2 + int(lucky is none) * 4
int(suit(shown[seat]) is none) + len(shown[seat])
len(cards(c for c in hand[seat] if c.rank == 5 and c.suit != trump))
int(nth(stock, 3).rank == 5) + int(nth(stock, 900) is none)
int(top(stock) == shown[seat]) + int(empty(stock)) + int(not empty(hand[seat]))
7 // 2 * 3 % 4 - 5 + small // 2 - small % 2 * stake + stake * (2 if open_kitty else 3)
step(level[seat]) - step(level[dealer])
count(c.rank == level_rank for c in deck)
int(any(all(c.rank != r for c in hand[seat]) for r in [A, K, J, LJ]))
int(seat in [dealer, leader]) + int(seat not in [dealer, lucky]) * 2 + int(trump in [S, D]) * 4
"""
EXTRA = """define:
  level_sum: sum(step(level[s]) for s in seats)
  called_seat: leader
"""


def game_with(returns: str, **options: int | bool) -> Program:
    text = TRUMPS.replace("define:\n", EXTRA).replace("returns: step(level[seat])", f"returns: {returns}")
    return program(text, **options)


def random_state(made: Program, rng: Random) -> Working:
    """A state that play need not be able to reach."""
    layout = made.layout
    deck = list(layout.deck_ids)
    rng.shuffle(deck)
    z: list[object] = []
    for zone, _ in layout.zone_at:
        number = rng.choice([1, 3, 9, 20]) if zone.name == "hand" else rng.choice([0, 2, 7])
        if zone.name == "stock":
            number = 8
        taken, deck = deck[:number], deck[number:]
        z.append(tuple(taken) if zone.ordered else layout.pack.of(taken))
    m: list[object] = []
    for place, _ in layout.slot_at:
        kind = place.slot.type
        choices: dict[str, list[object]] = {
            "rank": [2, 4, 10, 14],
            "seat": [0, 1, 2, 3],
            "int": [0, 1, 2, 3],
            "suit": [0, 1, 2, 3, None],
            "card": [IDS["H5"], IDS["S7"], None],
            "cards": [0, layout.pack.of(parse_cards("S2")), layout.pack.of(parse_cards("H3 H4"))],
        }
        value = rng.choice(choices[kind.name])
        m.append(rng.choice([value, None]) if place.slot.name == "lucky" else value)
    g = Working(made, m, z, None, machine.Chance(0))
    lead = rng.randrange(4)
    for i in range(rng.randint(1, 4)):
        seat = (lead + i) % 4
        made.add_play(g, seat, layout.pack.of(rng.sample(layout.deck_ids, 1)))
    return g


@pytest.mark.parametrize("text", [line for line in EXPRESSIONS.splitlines() if line])
def test_compiled_and_reference_agree(text: str) -> None:
    made = game_with(text)
    expr, rng = made.ruleset.returns, Random(text)
    assert expr is not None and made.returns is not None
    for _ in range(25):
        g = random_state(made, rng)
        for seat in range(4):
            assert made.returns(g, seat) == Reference(made, g)(expr, {"seat": seat}), (g.m, seat)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("count(c.suit == H and c.rank in {5, 7} for c in hand[seat])", "number((z[1 + seat] & K"),
        ("int(H5 in hand[seat])", "int(((z[1 + seat] & K"),
        ("int(all(c.suit == trump for c in hand[seat]))", "not (z[1 + seat] & (K"),
        ("sum(points(c) for c in hand[seat] if c.suit == H)", "points((z[1 + seat] & K"),
        ("sum(len(hand[s]) for s in seats)", "count(z[1]) + count(z[2]) + count(z[3]) + count(z[4])"),
        ("stake * 3 if open_kitty else len(stock)", "return payable(len(z[0]))"),
    ],
)
def test_what_can_be_bits_is_bits(text: str, code: str) -> None:
    source = game_with(text).source
    body = source[source.index("def returns(") :].split("\n\n")[0]
    assert code in body and " for " not in body


def test_options_are_constants_of_the_program() -> None:
    made = game_with("stake * 3 + int(open_kitty)", stake=4, open_kitty=True)
    assert "return payable(13)" in made.source
    assert made.digest != game_with("stake * 3 + int(open_kitty)").digest
    assert made != game_with("stake * 3 + int(open_kitty)")


def test_equal_programs_and_pickles() -> None:
    one, two = program(CLIMB), program("# another comment\n" + CLIMB)
    assert one == two and hash(one) == hash(two)
    assert pickle.loads(pickle.dumps(one)) == one


def test_promotion_halts_at_a_stop() -> None:
    made = game_with("step(up(level[seat], small))")
    assert made.returns is not None and made.ruleset.ladder is not None
    small = made.layout.slots["small"].base
    level = made.layout.slots["level"].base
    rng = Random(1)
    g = random_state(made, rng)

    def risen(rank: int, steps: int) -> int:
        g.m[level], g.m[small] = rank, steps
        assert made.returns is not None and made.ruleset.ladder is not None
        return made.ruleset.ladder.steps[made.returns(g, 0)]

    # the ladder is 2 4 6 7 8 9 10* J Q K* A, by hand
    assert [risen(2, 1), risen(2, 3), risen(8, 2), risen(8, 3)] == [4, 7, 10, 10]
    assert [risen(10, 1), risen(10, 3), risen(13, 1), risen(14, 2), risen(9, 0)] == [11, 13, 14, 14, 9]
    down = game_with("step(down(level[seat], small))")
    assert down.returns is not None
    g.m[level], g.m[small] = 4, 3
    assert down.returns(g, 0) == 0


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("level[dealer]", ""),
        ("count(c.rank == 5 for c in hand[leader])", "HW408"),
        ("step(level[seat]) // small", "HW906"),
        ("position(the(s for s in seats if s != s), seats)", "HW906"),
        ("step(nth(stock, 99))", "HW408"),
        ("len(trick.lead.cards)", "HW408"),
    ],
)
def test_faults_have_a_code_and_a_place(text: str, code: str) -> None:
    """What the reader lets pass and play then cannot answer."""
    wanted = f"int({text} == 2)" if text == "level[dealer]" else text
    made = game_with(wanted)
    g = random_state(made, Random(0))
    g.trick, g.m[made.layout.slots["leader"].base], g.m[made.layout.slots["small"].base] = None, None, 0
    assert made.returns is not None
    if not code:
        assert made.returns(g, 0) in (0, 1)
        return
    with pytest.raises((TypeError, AttributeError, ZeroDivisionError, RulesFault)) as caught:
        made.returns(g, 0)
    fault = made.fault(caught.value)
    assert fault.code == code
    line = TRUMPS.replace("define:\n", EXTRA).splitlines().index("returns: step(level[seat])") + 1
    assert fault.place.line == line


def test_hidden_cards_cannot_be_read_but_may_be_counted() -> None:
    made = game_with("len(hand[seat]) + int(empty(hand[seat]))")
    g = random_state(made, Random(2))
    assert made.returns is not None
    g.z[1] = Hidden(4)
    assert made.returns(g, 0) == 4
    g.z[1] = Hidden()
    with pytest.raises(HiddenRead):
        made.returns(g, 0)
    for text in (
        "int(H5 in hand[seat])",
        "points(hand[seat])",
        "secret[seat]",
        "int(any(c.rank == 2 for c in hand[seat]))",
    ):
        asks = game_with(text)
        g = random_state(asks, Random(2))
        g.z[1] = Hidden(4)
        g.m[asks.layout.slots["secret"].base] = HIDDEN
        assert asks.returns is not None
        with pytest.raises(HiddenRead):
            asks.returns(g, 0)


def test_order_is_made_once_for_each_value_it_depends_on() -> None:
    made = program(TRUMPS)
    g = random_state(made, Random(5))
    dealer, trump, level = (made.layout.slots[name].base for name in ("dealer", "trump", "level"))
    g.m[dealer], g.m[trump], g.m[level], g.m[level + 1], g.order = 0, 0, 2, 4, None
    first = g.table()
    g.order = None  # memory is changed by hand here
    g.m[dealer], g.m[level + 1] = 1, 2  # another dealer of the same level
    assert g.table() is first
    g.m[trump], g.order = 1, None
    assert g.table() is not first
    assert made.order_key(g) != () and program(CLIMB).order_key(g) == ()


# ---------------------------------------------------------------- which cards are alike to the rules


def classes(made: Program) -> list[str]:
    found: dict[int, list[str]] = {}
    for card in made.ruleset.deck.cards:
        found.setdefault(made.classes[card], []).append(NAMES[card])
    return [" ".join(names) for names in found.values()]


def test_cards_that_no_line_tells_apart() -> None:
    # only the three of spades is named
    assert classes(program(CLIMB)) == ["S3", "S4 H4 D4 C4", "S5 H5 D5 C5", "H3 D3 C3"]


@pytest.mark.parametrize(
    ("old", "new", "number"),
    [
        ("S3 in hand[s]", "len(hand[s]) == 4", 3),  # nothing is named
        ("S3 in hand[s]", "any(c.suit == S for c in hand[s])", 12),
        ("S3 in hand[s]", "any(c.colour == red for c in hand[s])", 6),
        ("alike_by: step", "alike_by: card", 12),
        ("rest: true by 5 4 3", "{top: card == H3, rest: true by 5 4 3}", 5),
    ],
)
def test_each_thing_asked_splits_the_classes(old: str, new: str, number: int) -> None:
    text = CLIMB.replace(old, new)
    text = text.replace("  all:\n    {top", "  all:\n    {top")
    assert len(classes(program(text))) == number


def test_a_card_that_is_chosen_makes_every_card_its_own() -> None:
    assert len(classes(program(TRUMPS))) == 54


# ---------------------------------------------------------------- clauses


def test_clauses_are_sorted_by_what_listing_can_use() -> None:
    made = program(TRUMPS)
    phases = {phase.name: phase for phase in made.phases}
    bury = phases["bury"].moves["bury"]
    assert [[part.kind for part in clause.parts] for clause in bury.clauses[:2]] == [["pointwise"], ["pointwise"]]
    assert [part.kind for part in bury.clauses[2].parts] == ["opaque", "opaque"]
    assert phases["call"].moves["call"].clauses[0].parts[0].kind == "choice"
    lead = phases["lead"].moves["play"]
    assert lead.clauses[0].parts[0].kind == "pointwise" and not lead.clauses[0].when_gate
    assert lead.shapes == frozenset({0, 1, 2})
    answer = {phase.name: phase for phase in program(CLIMB).phases}["answer"]
    assert answer.moves["play"].clauses[0].parts[0].kind == "beats"


def test_pointwise_masks_say_what_the_clause_says() -> None:
    made, rng = program(TRUMPS), Random(9)
    one = made.layout.pack.one
    for phase in made.phases:
        for move in phase.moves.values():
            for part in (part for clause in move.clauses for part in clause.parts if part.mask is not None):
                g = random_state(made, rng)
                for card in range(54):
                    assert part.mask is not None
                    inside = bool(one[card] & part.mask(g, 1, 0, None))
                    assert inside == bool(part.holds(g, 1, one[card], None)), (move.name, NAMES[card])


def test_a_clause_switched_off_is_gone() -> None:
    text = TRUMPS.replace("when: shape == single", "when: open_kitty")
    assert len(program(text).phases[6].moves["play"].clauses) == 0
    assert len(program(text, open_kitty=True).phases[6].moves["play"].clauses) == 1


# ---------------------------------------------------------------- values as JSON


@pytest.mark.parametrize(
    ("kind", "value", "written"),
    [
        (CARDS, "S2 H5 H5", ["S2", "H5", "H5"]),
        (CARD, IDS["BJ"], "BJ"),
        (RANK, 11, "J"),
        (SUIT, 3, "C"),
        (SEAT, 2, 2),
        (INT, -5, -5),
        (Type("bool"), True, True),
        (Type("word", of="bids", words=("low", "high")), 1, "high"),
        (Type("phase"), 4, "bury"),
        (Type("shape"), 2, "tractor"),
        (Type("group"), 2, "plain[H]"),
        (Type("line"), 7, "generals"),
        (Type("suit", optional=True), None, None),
    ],
)
def test_values_are_written_and_read(kind: Type, value: object, written: object) -> None:
    made = program(TRUMPS)
    inner = made.layout.pack.of(parse_cards(value)) if kind.name == "cards" and isinstance(value, str) else value
    assert made.encode(kind, inner) == written
    assert made.decode(kind, written) == inner


@pytest.mark.parametrize(
    ("kind", "written"),
    [
        (CARDS, "H5 H5 H5"),
        (CARDS, 7),
        (CARD, "H55"),
        (RANK, "X"),
        (SUIT, "X"),
        (SEAT, 4),
        (SEAT, True),
        (INT, "3"),
        (RANK, None),
    ],
)
def test_values_of_no_sense_are_refused(kind: Type, written: object) -> None:
    with pytest.raises(PositionError):
        program(TRUMPS).decode(kind, written)


def test_compiling_twice_gives_the_same_text() -> None:
    assert compile_ruleset(ruleset(TRUMPS)).source == compile_ruleset(ruleset(TRUMPS)).source


@pytest.mark.parametrize("name", [*rulesets(), "TRUMPS", "CLIMB"])
def test_no_name_inside_a_function_hides_a_word(name: str) -> None:
    """A local name that is also a word of generated code would hide that word, wherever the function needs both."""
    made = {"TRUMPS": TRUMPS, "CLIMB": CLIMB}.get(name)
    game = program(made) if made is not None else load(name).program
    scope = game.start_match.__globals__
    own = [one for one in scope.values() if getattr(getattr(one, "__code__", None), "co_filename", "") == game.filename]
    assert len(own) > 20
    for function in own:
        assert not set(function.__code__.co_varnames) & set(scope), function.__name__


def test_a_round_may_begin_where_cards_were_looked_for() -> None:
    """The seat that a round begins with is worked out beside a card that is the first of some."""
    text = TRUMPS.replace("  follow:\n", "  follow:\n    do:\n      - trump = the(c for c in hand[leader]).suit\n", 1)
    assert text != TRUMPS
    game = program(text)
    state = machine.start(game, seed=3)
    for _ in range(200):
        if state.program.phases[state.phase].name == "follow":
            break
        move = LegalMoves(state).sample(Random(1))
        read = examine(state, move)
        assert read is not None
        state = machine.advance(state, *read)
    assert state.program.phases[state.phase].name == "follow"


def test_what_keeps_a_pick_to_few_cards_narrows_it() -> None:
    """All alike, and cards that one or the other part of a clause lets pass: nothing else is tried."""
    rules = load("shengji")
    call = {phase.name: phase for phase in rules.program.phases}["offer"].moves["call"]
    kinds = {clause.clause.name: [part.kind for part in clause.parts] for clause in call.clauses}
    assert kinds["same_cards"] == ["alike"] and kinds["level_cards"] == ["opaque"]
    hand = "S2 S2 H2 S3 S3 D9 LJ BJ BJ"
    at = {"phase": "offer", "memory": {"drawer": 1, "level_rank": "2"}, "zones": {"hand": {1: hand}}}
    offers = rules.position(at).legal_moves().offers
    tried = [" ".join(rules.program.layout.pack.names(picked)) for picked, _ in offers[0].candidates()]
    assert tried == ["S2", "H2", "LJ", "BJ", "S2 S2", "BJ BJ"]
    listed = [str(move) for move in rules.position(at).legal_moves()]
    assert listed == ["call S2", "call H2", "call S2 S2", "call BJ BJ", "decline"]

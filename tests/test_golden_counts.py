"""How many plays of each shape a whole deck allows: every number worked out from the rules, none taken from the program.

The decks are too big for trying every set of cards, so plays are counted by hand, as told beside each number; on hands
that are small enough the same way of counting is held against every set of cards (``test_by_every_set_of_cards``).
Cards that no line of a ruleset tells apart count once. 斗地主 stands in ``test_wings.py``.
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import comb, prod

import pytest

import hongwu_rules as hw

# ---------------------------------------------------------------- the climbing games


def counts(rules: hw.Rules, state: hw.State, cards: str = "") -> Counter[str]:
    """What the program finds in a hand; in the whole deck if none is given."""
    pack = rules.program.layout
    hand = pack.pack.of([hw.cards.IDS[name] for name in cards.split()]) if cards else pack.deck
    found: Counter[str] = Counter()
    for plan in state.core.book().plans(hand):
        found[rules.ruleset.shapes.items[plan.reading.shape].name] += plan.ways
    return found


def test_dalian() -> None:
    """Sixty cards: H5, BJ and LJ twice; six other fives; 2 A K Q J eight times; seven tens and the special ten."""
    rules = hw.load("dalian")
    assert counts(rules, rules.start(seed=1)) == {
        "single": 3 + 6 + 2,  # H5 BJ LJ; a 5 2 A K Q J; a ten, the special ten
        "set": 3 * 1 + 5 + 5 * 6 + 2 * 6,  # of two; two to six fives; two to seven of five ranks; tens with it, without
        "straight": 2 + 1 + 2,  # 10-K with either ten, J-A, 10-A with either ten
        "pairs": 3 * 2 + 3,  # 10-Q 10-K 10-A with it and without; J-K Q-A J-A
        "sets": 5 * (3 * 2 + 3),  # the same rows, three to seven of each
    }


def test_dalian_with_bombs() -> None:
    """Four alike and more are bombs, and sets no longer; rows stay as they are."""
    rules = hw.load("dalian", options={"bombs": True, "eights_win": False})
    found = counts(rules, rules.start(seed=1))
    assert (
        found["bomb"] == 3 + 5 * 5 + 4 + 5
    )  # four to six fives; four to eight of five ranks; tens without it, with it
    assert found["set"] == 3 * 1 + 2 + 5 * 2 + 2 * 2
    assert found["sets"] == 5 * (3 * 2 + 3) and found["eight"] == 0


def test_dalian_with_eight_alike_as_a_play() -> None:
    rules = hw.load("dalian", options={"eights_win": False})
    assert counts(rules, rules.start(seed=1))["eight"] == 5 + 1  # 2 A K Q J; the tens with the special one


def test_dalian_of_forty_cards() -> None:
    """BJ, LJ, two red fives, and four each of nine ranks; the H8, which leads first, is told apart."""
    rules = hw.load("dalian_xuan")
    assert counts(rules, rules.start(seed=1)) == {
        "single": 2 + 1 + 9 + 1,  # jokers, a five, nine ranks, the special card of one of them
        "pair": 1 + 9 + 1,  # the fives, nine ranks, one of them also with its special card
        "three": 9 + 1,
        "four": 9,
    }


# ---------------------------------------------------------------- the trick games
# The groups of a deal, each as the row in which its cards follow each other, the strongest first. A word is a step; a
# slash parts equal cards of other suits, of which a tractor takes one pair; a bar is where no tractor goes on.
Groups = dict[str, str]
DOWN = {  # from the ace down: the suit whole, and what is left where some ranks are trumps
    "": "A K Q J 10 9 8 7 6 5 4 3 2",
    "no 2": "A K Q J 10 9 8 7 6 5 4 3",
    "no 2, 3": "A K Q J 10 9 8 7 6 5 4",
    "no 2, 5": "A K Q J 10 9 8 7 6 4 3",
}
SPADES_AT_2 = "S3 C3 S2 H2/D2/C2 " + " ".join("S" + rank for rank in DOWN["no 2, 3"].split())


def suit(name: str, ranks: str) -> str:
    return " ".join(rank if rank == "|" else name + rank for rank in ranks.split())


# Taihu and 望江: H5, jokers, the 3 of the trump suit and the other of its colour, the level card of the trump suit, the
# other three, the trump suit.
FIVES_SPADES_2: Groups = {
    "trumps": "H5 BJ LJ " + SPADES_AT_2,
    "hearts": suit("H", DOWN["no 2, 5"]),  # the gap where the five was is closed
    "diamonds": suit("D", DOWN["no 2"]),
    "clubs": suit("C", DOWN["no 2, 3"]),
}
TAIHU: dict[str, tuple[dict[str, object], Groups]] = {
    "level 2, spades": ({"level_rank": 2, "trump": "S"}, FIVES_SPADES_2),
    "level 7, hearts": (
        {"level_rank": 7, "trump": "H"},
        {
            "trumps": "H5 BJ LJ H3 D3 H7 S7/D7/C7 " + suit("H", "A K Q J 10 9 8 6 4 2"),
            "spades": suit("S", "A K Q J 10 9 8 6 5 4 3 2"),
            "diamonds": suit("D", "A K Q J 10 9 8 6 5 4 2"),
            "clubs": suit("C", "A K Q J 10 9 8 6 5 4 3 2"),
        },
    ),
    "level A, no trump suit": (  # no suit, so no advisors and no level card above the others
        {"level_rank": "A"},
        {
            "trumps": "H5 BJ LJ SA/HA/DA/CA",
            "spades": suit("S", "K Q J 10 9 8 7 6 5 4 3 2"),
            "hearts": suit("H", "K Q J 10 9 8 7 6 4 3 2"),
            "diamonds": suit("D", "K Q J 10 9 8 7 6 5 4 3 2"),
            "clubs": suit("C", "K Q J 10 9 8 7 6 5 4 3 2"),
        },
    ),
}
WANGJIANG: dict[str, tuple[dict[str, object], Groups]] = {  # a missing rank breaks a tractor
    "level 2, spades": (
        {"level_rank": 2, "trump": "S"},
        FIVES_SPADES_2 | {"hearts": suit("H", "A K Q J 10 9 8 7 6 | 4 3")},
    ),
    "level 8, hearts": (
        {"level_rank": 8, "trump": "H"},
        {
            "trumps": "H5 BJ LJ H3 D3 H8 S8/D8/C8 " + suit("H", "A K Q J 10 9 | 7 6 | 4 | 2"),
            "spades": suit("S", "A K Q J 10 9 | 7 6 5 4 3 2"),
            "diamonds": suit("D", "A K Q J 10 9 | 7 6 5 4 | 2"),
            "clubs": suit("C", "A K Q J 10 9 | 7 6 5 4 3 2"),
        },
    ),
    "level 2, no trump suit": (
        {"level_rank": 2},
        {
            "trumps": "H5 BJ LJ S2/H2/D2/C2",
            "spades": suit("S", DOWN["no 2"]),
            "hearts": suit("H", "A K Q J 10 9 8 7 6 | 4 3"),
            "diamonds": suit("D", DOWN["no 2"]),
            "clubs": suit("C", DOWN["no 2"]),
        },
    ),
}
SHENGJI: dict[str, tuple[dict[str, object], Groups]] = {
    "level 2, spades": (
        {"level_rank": 2, "trump": "S"},
        {
            "trumps": "BJ LJ S2 H2/D2/C2 " + suit("S", DOWN["no 2"]),
            "hearts": suit("H", DOWN["no 2"]),
            "diamonds": suit("D", DOWN["no 2"]),
            "clubs": suit("C", DOWN["no 2"]),
        },
    ),
    "level 7, hearts": (  # the gap where the sevens were is closed
        {"level_rank": 7, "trump": "H"},
        {
            "trumps": "BJ LJ H7 S7/D7/C7 " + suit("H", "A K Q J 10 9 8 6 5 4 3 2"),
            "spades": suit("S", "A K Q J 10 9 8 6 5 4 3 2"),
            "diamonds": suit("D", "A K Q J 10 9 8 6 5 4 3 2"),
            "clubs": suit("C", "A K Q J 10 9 8 6 5 4 3 2"),
        },
    ),
    "level 10, no trump suit": (
        {"level_rank": 10},
        {"trumps": "BJ LJ S10/H10/D10/C10"} | {name: suit(name, "A K Q J 9 8 7 6 5 4 3 2") for name in "SHDC"},
    ),
}
ZHEJIANG: dict[str, tuple[dict[str, object], Groups]] = {  # no tractor goes above the trump ace
    "spades": (
        {"trump": "S"},
        FIVES_SPADES_2 | {"trumps": "H5 | BJ | LJ | S3 | C3 | S2 | H2/D2/C2 | " + suit("S", DOWN["no 2, 3"])},
    ),
    "hearts": (
        {"trump": "H"},
        {
            "trumps": "H5 | BJ | LJ | H3 | D3 | H2 | S2/D2/C2 | " + suit("H", "A K Q J 10 9 8 7 6 4"),
            "spades": suit("S", DOWN["no 2"]),
            "diamonds": suit("D", DOWN["no 2, 3"]),
            "clubs": suit("C", DOWN["no 2"]),
        },
    ),
    "no trump suit": (
        {},
        {
            "trumps": "H5 | BJ | LJ | S2/H2/D2/C2",
            "spades": suit("S", DOWN["no 2"]),
            "hearts": suit("H", DOWN["no 2, 5"]),
            "diamonds": suit("D", DOWN["no 2"]),
            "clubs": suit("C", DOWN["no 2"]),
        },
    ),
}
DEALS: dict[str, dict[str, tuple[dict[str, object], Groups]]] = {
    "anhui": TAIHU,
    "wangjiang": WANGJIANG,
    "shengji": SHENGJI,
    "zhejiang": ZHEJIANG,
    "zhejiang_partners": {"level 2, spades": TAIHU["level 2, spades"]},  # 望江 with the gaps of Zhejiang
}
# The same sums, done on paper. Of n steps in a row there are n(n-1)/2 tractors; those that go over the step of three
# equal level cards count three times (of four: four times).
TRACTORS = {
    # 18 steps, the 7th threefold: 153 of which 7 x 12 - 1 = 83 go over it: 70 + 3 x 83 = 319; 55 + 66 + 55 in the suits
    ("anhui", "level 2, spades"): 319 + 55 + 66 + 55,
    # 17 steps, the 7th threefold: 136, of which 7 x 11 - 1 = 76: 60 + 228 = 288; 66 + 55 + 66
    ("anhui", "level 7, hearts"): 288 + 66 + 55 + 66,
    # 4 steps, the last fourfold: 6, of which 3: 3 + 12 = 15; 66 + 55 + 66 + 66
    ("anhui", "level A, no trump suit"): 15 + 66 + 55 + 66 + 66,
    # as above, but hearts are broken below the 6: 36 + 1
    ("wangjiang", "level 2, spades"): 319 + 37 + 66 + 55,
    # 13 steps, the 7th threefold: 78, of which 7 x 7 - 1 = 48: 30 + 144 = 174, and 7 6: 175; 15 + 15; 15 + 6; 15 + 15
    ("wangjiang", "level 8, hearts"): 175 + 30 + 21 + 30,
    ("wangjiang", "level 2, no trump suit"): 15 + 66 + 37 + 66 + 66,
    # 16 steps, the 4th threefold: 120, of which 4 x 13 - 1 = 51: 69 + 153 = 222
    ("shengji", "level 2, spades"): 222 + 3 * 66,
    ("shengji", "level 7, hearts"): 222 + 3 * 66,
    # 3 steps, the last fourfold: 3, of which 2: 1 + 8 = 9
    ("shengji", "level 10, no trump suit"): 9 + 4 * 66,
    # only the eleven spades, the ten hearts
    ("zhejiang", "spades"): 55 + 55 + 66 + 55,
    ("zhejiang", "hearts"): 45 + 66 + 55 + 66,
    ("zhejiang", "no trump suit"): 0 + 66 + 55 + 66 + 66,
    ("zhejiang_partners", "level 2, spades"): 319 + 55 + 66 + 55,
}


def kinds(row: str) -> list[str]:
    """The different cards of a group."""
    return [card for step in row.split() if step != "|" for card in step.split("/")]


def tractors(row: str) -> int:
    """Steps next to each other, two or more, one card of each."""
    total = 0
    for piece in row.split("|"):
        steps = [len(step.split("/")) for step in piece.split()]
        total += sum(prod(steps[i:j]) for i in range(len(steps)) for j in range(i + 2, len(steps) + 1))
    return total


def by_hand(groups: Groups) -> dict[str, int]:
    """Single cards and pairs of every kind; tractors; and every other set of cards of one group is a throw.

    Of k kinds, each not taken, once or twice, there are 3^k - 1 sets that are not empty.
    """
    found: Counter[str] = Counter()
    for row in groups.values():
        k, long = len(kinds(row)), tractors(row)
        found += Counter(single=k, pair=k, tractor=long, throw=3**k - 1 - 2 * k - long)
    return dict(found)


CASES = [(name, deal) for name, deals in DEALS.items() for deal in deals]


def at(rules: hw.Rules, memory: dict[str, object]) -> hw.State:
    """A lead in such a deal."""
    return rules.position({"phase": "lead", "seat": 0, "memory": {"dealer": 0, "leader": 0} | memory})


@pytest.mark.parametrize(("name", "deal"), CASES)
def test_the_rows_hold_each_card_once(name: str, deal: str) -> None:
    cards = [card for row in DEALS[name][deal][1].values() for card in kinds(row)]
    assert sorted(cards) == sorted(hw.cards.NAMES)


@pytest.mark.parametrize(("name", "deal"), CASES)
def test_two_packs(name: str, deal: str) -> None:
    memory, groups = DEALS[name][deal]
    expected = by_hand(groups)
    assert expected["tractor"] == TRACTORS[name, deal]
    assert expected["single"] == expected["pair"] == 54
    rules = hw.load(name)
    assert counts(rules, at(rules, memory)) == expected


# ---------------------------------------------------------------- every set of cards of a small hand
HANDS = {  # of each card both copies
    ("anhui", "level 2, spades"): "H5 BJ C3 S2 H2 D2 SA SK S4",
    ("anhui", "level 7, hearts"): "H7 S7 D7 HA H8 H6 D3 H3",
    ("wangjiang", "level 8, hearts"): "H8 S8 C8 HA HK H9 H7 H6",
    ("wangjiang", "level 2, spades"): "HA HK H6 H4 H3 D4 D3",
    ("shengji", "level 7, hearts"): "BJ LJ H7 S7 D7 HA S8 S6",
    ("shengji", "level 10, no trump suit"): "BJ LJ S10 H10 SJ S9 S8",
    ("zhejiang", "spades"): "H5 BJ S3 S2 D2 SA SK SQ",
    ("zhejiang", "no trump suit"): "S2 H2 H6 H4 H3 DA DK",
    ("zhejiang_partners", "level 2, spades"): "LJ S3 C3 S2 H2 C2 SA H6 H4",
}


def reads_as(cards: dict[str, int], groups: Groups) -> str:
    """What a set of cards is, by the words of the rules alone; "" if it is no play."""
    taken = [card for card, n in cards.items() if n]
    rows = [row for row in groups.values() if set(taken) <= set(kinds(row))]
    if not taken or not rows:
        return ""  # of two groups
    if len(taken) == 1:
        return "single" if cards[taken[0]] == 1 else "pair"
    for piece in rows[0].split("|"):
        steps = [step.split("/") for step in piece.split()]
        places = [i for i, step in enumerate(steps) for card in step if card in taken]
        if len(places) == len(taken) == len(set(places)) == max(places) - min(places) + 1:
            return "tractor" if all(cards[card] == 2 for card in taken) else "throw"
    return "throw"


@pytest.mark.parametrize(("name", "deal"), HANDS)
def test_by_every_set_of_cards(name: str, deal: str) -> None:
    memory, groups = DEALS[name][deal]
    hand = HANDS[name, deal].split()
    expected: Counter[str] = Counter()
    for numbers in product(range(3), repeat=len(hand)):
        expected[reads_as(dict(zip(hand, numbers, strict=True)), groups)] += 1
    del expected[""]
    rules = hw.load(name)
    assert counts(rules, at(rules, memory), " ".join(card for card in hand for _ in (1, 2))) == expected
    assert expected["tractor"] and expected["throw"]


def test_no_ruleset_is_left_out() -> None:
    """Dou Dizhu's 27,471 plays stand in ``test_wings.py``."""
    assert {*DEALS, "dalian", "dalian_xuan", "doudizhu"} == set(hw.rulesets())


def test_the_formula_is_that_of_the_rules() -> None:
    """The sums on paper, for one row: nine kinds of which one step has three."""
    row = "BJ LJ S2 H2/D2/C2 SA SK SQ"
    assert tractors(row) == comb(7, 2) - (4 * 4 - 1) + 3 * (4 * 4 - 1)
    everything: Counter[str] = Counter()
    for numbers in product(range(3), repeat=9):
        everything[reads_as(dict(zip(kinds(row), numbers, strict=True)), {"trumps": row})] += 1
    del everything[""]
    assert everything == by_hand({"trumps": row})

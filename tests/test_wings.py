"""Shapes with wings and shapes of named cards, against trying every set of cards; and counts of whole decks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise, product
from math import comb
from pathlib import Path
from random import Random

from hypothesis import given, settings

import hongwu_rules as hw
from card_games import Cardgame
from hongwu_rules.cards import IDS, RANK_OF, SIZE
from hongwu_rules.cards.forms import Attach, Rule
from hongwu_rules.cards.shapes import Reading, ShapeSpec
from hongwu_rules.loading import check as load_and_check
from test_shapes import SEEDS, check, no_power, width_power

Test = Callable[[Sequence[int], Sequence[int]], bool]  # body, wings


@dataclass
class Winged(Cardgame):
    """A card game whose shapes may have wings, or name their cards; ``tests`` are the rules by shape."""

    tests: dict[int, list[Test]] = field(default_factory=dict)

    def plain_read(self, ids: Sequence[int]) -> Reading | None:
        shapes = self.shapes
        for shape in shapes:
            if shape.cards:
                found = self.plain_named(shape, ids)
            elif shape.wings is None:
                self.shapes = [shape]
                found = super().plain_read(ids)
            else:
                found = self.plain_winged(shape, shape.wings, ids)
            self.shapes = shapes
            if found is not None:
                return found
        return None

    def plain_named(self, shape: ShapeSpec, ids: Sequence[int]) -> Reading | None:
        kinds = [sorted(self.alias.get(card, card) for card in cards) for cards in (shape.cards, ids)]
        if kinds[0] != kinds[1] or any(card not in self.plain_where for card in ids):
            return None
        groups = {self.plain_where[card][0] for card in ids}
        group = groups.pop() if len(groups) == 1 else -1
        top = max(self.plain_where[card][1] for card in ids)
        return Reading(shape.index, 1, len(ids), group, top, shape.power(1, len(ids)))

    def plain_winged(self, shape: ShapeSpec, wings: Attach, ids: Sequence[int]) -> Reading | None:
        where = self.plain_where
        if not ids or any(card not in where for card in ids) or len({where[card][0] for card in ids}) > 1:
            return None
        group = where[ids[0]][0]
        cells: dict[tuple[int, int], list[int]] = {}
        for card in sorted(ids):
            cells.setdefault((where[card][1], self.plain_kind(card)), []).append(card)
        best: tuple[int, int, int] | None = None
        for width, length in product(range(shape.width[0], shape.width[1] + 1), range(1, len(cells) + 1)):
            if not shape.length[0] <= length <= shape.length[1]:
                continue
            able = [key for key, cards in cells.items() if len(cards) >= width]
            for body in combinations(sorted(able), length):
                steps = [step for step, _ in body]
                if not all(a < b and self.plain_chain(group, a, b) for a, b in pairwise(steps)):
                    continue
                touched = {self.ranks[card] for step in steps for card in self.plain_places[group][step][2]}
                if shape.within and not touched <= shape.within:
                    continue
                rest = Counter({key: len(cards) - (width if key in body else 0) for key, cards in cells.items()})
                if any(n % wings.width or (wings.distinct and n > wings.width) for n in rest.values()):
                    continue
                if rest.total() != wings.width * wings.each * length:
                    continue
                for owns in product(*(combinations(cells[key], width) for key in body)):
                    own = [card for some in owns for card in some]
                    attached = list((Counter(ids) - Counter(own)).elements())
                    if all(test(own, attached) for test in self.tests.get(shape.index, ())):
                        best = max(best or (-1, 0, 0), (steps[-1], width, length))
        if best is None:
            return None
        top, width, length = best
        number = wings.width * wings.each * length
        return Reading(shape.index, width, length, group, top, shape.power(width, length), (), number)


def made_up(seed: int) -> Winged:
    """A game of few ranks and up to two packs, with odd shapes in any order, most of them with wings."""
    rng = Random(seed)
    ranks = rng.sample([3, 4, 5, 6, 7], rng.choice([4, 5]))
    deck = {c: rng.randint(1, 2) for c in range(SIZE) if RANK_OF[c] in ranks and rng.random() < 0.7}
    named = rng.sample(sorted(deck), 2)
    alias = {IDS["H9"]: named[0]} if rng.random() < 0.3 else {}
    deck |= dict.fromkeys(alias, 1)
    plain = rng.choice([list(RANK_OF), [RANK_OF[c] * 2 + c % 2 for c in range(SIZE)]])
    classes = [100 + c if c in named or c in alias else plain[c] for c in range(SIZE)]
    odd = {c for c in deck if RANK_OF[c] == ranks[0] and RANK_OF[c] % 2 and c not in named}
    game = Winged(
        cards=deck,
        groups=[
            ("odd", False, [("odd", lambda c: c in odd, ())]),
            ("rest", False, [("rest", None, tuple(ranks))]),
        ],
        shapes=[],
        alike_by=rng.choice(["step", "step", "card"]),
        alias=alias,
        classes=classes,
        across_lines=rng.random() < 0.5,
    )
    pack = game.packing

    def alike(one: int, other: int) -> bool:
        where = game.plain_where
        return where[one] == where[other] and game.plain_kind(one) == game.plain_kind(other)

    def step(card: int) -> int:
        return game.plain_where[card][1]

    most = rng.randint(1, 2)
    tests: list[tuple[str, Test]] = [
        ("cell", lambda body, wings: not any(alike(w, b) for w in wings for b in body)),
        ("cell", lambda body, wings: all(sum(alike(w, v) for v in wings) <= most for w in wings)),
        ("cell", lambda body, wings: all(step(w) > min(map(step, body)) for w in wings)),
        ("named", lambda body, wings: not all(card in wings for card in named)),
        ("named", lambda body, wings: named[1] not in wings or step(named[1]) < min(map(step, body))),
        ("body", lambda body, wings: sum(map(step, body)) % 2 == 0),
        ("any", lambda body, wings: sum(map(step, wings)) % 2 == 0),
    ]

    def rule(number: int) -> Rule:
        kind, test = tests[number]

        def holds(book: object, body: int, wings: int) -> bool:
            return test(pack.ids(body), pack.ids(wings))

        return Rule(number, kind, holds, True, tuple(named) if kind == "named" else ())  # type: ignore[arg-type]

    def shape(index: int) -> ShapeSpec:
        low, start = rng.randint(1, 3), rng.randint(1, 2)
        power = width_power if rng.random() < 0.25 else no_power
        if rng.random() < 0.15:
            cards = tuple(sorted(rng.sample(sorted(deck), rng.randint(1, 3)) if rng.random() < 0.5 else named))
            return ShapeSpec(name=f"s{index}", index=index, width=(1, 1), cards=cards, power=power)
        wings, rules = None, []
        if rng.random() < 0.7:
            wings = Attach(rng.randint(1, 2), rng.randint(1, 2), rng.random() < 0.4)
            rules = sorted(rng.sample(range(len(tests)), rng.choice([0, 1, 1, 2])))
        game.tests[index] = [tests[number][1] for number in rules]
        return ShapeSpec(
            name=f"s{index}",
            index=index,
            width=(low, low + rng.randint(0, 1)),
            length=(start, start + rng.randint(0, 2)),
            within=frozenset(rng.sample(ranks, 3)) if rng.random() < 0.3 else frozenset(),
            power=power,
            wings=wings,
            rules=tuple(rule(number) for number in rules),
        )

    game.shapes = [shape(index) for index in range(rng.randint(2, 5))]
    # cards that a shape names can be told apart, as the compiler sees to it
    kinds = {alias.get(card, card) for one in game.shapes for card in one.cards}
    game.classes = [100 + c if alias.get(c, c) in kinds else of for c, of in enumerate(classes)]
    return game


def some_cards(game: Winged, seed: int) -> list[int]:
    """Up to nine cards, many alike."""
    rng = Random(seed)
    pool = sorted(Counter(game.cards).elements())
    ranks = rng.sample(sorted({RANK_OF[c] for c in pool}), min(3, len({RANK_OF[c] for c in pool})))
    close = [c for c in pool if RANK_OF[c] in ranks]
    ids = rng.sample(close, min(len(close), rng.randint(2, 8))) + rng.sample(pool, 1)
    return sorted((Counter(game.cards) & Counter(ids)).elements())


@given(seed=SEEDS)
@settings(deadline=None, max_examples=400)
def test_games_made_up(seed: int) -> None:
    game = made_up(seed)
    check(game, game.book(), some_cards(game, seed + 1))


# By hand, of 15 ranks of which 12 make rows (n rows of length l: 13 - l); wings by number of ranks left, jokers 1 each.
LANDLORD = {
    "rocket": 1,
    "bomb": 13,
    "single": 15,
    "pair": 13,
    "trio": 13,
    "straight": sum(13 - n for n in range(5, 13)),  # 36
    "pairs": sum(13 - n for n in range(3, 11)),  # 52
    "plane": sum(13 - n for n in range(2, 7)),  # 45
    "trio_1": 13 * 14,
    "trio_2": 13 * 12,
    # two of the other 14 but both jokers, or two of one of 12 ranks
    "four_1": 13 * (comb(14, 2) - 1 + 12),
    "four_2": 13 * comb(12, 2),
    "plane_2": sum((13 - n) * comb(13 - n, n) for n in range(2, 5)),
}


def wings_of_planes(*, beside: bool) -> int:
    """All planes with single wings: of each other rank up to three, both jokers never, three next to the plane only if
    ``beside``. Counted by the numbers of cards taken of each rank; no hand and no book is asked.
    """
    total = 0
    for length in range(2, 6):
        for start in range(13 - length):
            caps = []
            for rank in range(13):
                if not start <= rank < start + length:
                    joins = rank in (start - 1, start + length) and rank < 12
                    caps.append(2 if joins and not beside else 3)
            ways = [1] + [0] * length
            for cap in caps:
                ways = [sum(ways[n - k] for k in range(min(cap, n) + 1)) for n in range(length + 1)]
            total += ways[length] + 2 * ways[length - 1]  # no joker, or one of the two
    return total


def counts(rules: hw.Rules) -> Counter[str]:
    """How many plays of each shape the whole deck allows."""
    g = rules.start(seed=1).core
    found: Counter[str] = Counter()
    for plan in g.book().plans(rules.program.layout.deck):
        found[rules.ruleset.shapes.items[plan.reading.shape].name] += plan.ways
    return found


def test_every_play_of_the_landlords_deck() -> None:
    """27,471 plays in all; with the pass that makes the 27,472 that engines of this game number."""
    found = counts(hw.load("doudizhu"))
    assert found == LANDLORD | {"plane_1": wings_of_planes(beside=False)}
    assert (found["plane_1"], found["plane_2"], found.total()) == (21_822, 2_939, 27_471)


def test_counts_under_other_options() -> None:
    both = counts(hw.load("doudizhu", options={"four_with_both_jokers": "true"}))
    assert both["four_1"] == LANDLORD["four_1"] + 13
    different = counts(hw.load("doudizhu", options={"wings_alike": "false"}))
    assert different["four_1"] == 13 * (comb(14, 2) - 1)
    assert different["plane_1"] == sum((13 - n) * (comb(15 - n, n) - comb(13 - n, n - 2)) for n in range(2, 6))
    assert "four_1" not in counts(hw.load("doudizhu", options={"four_with_two": "false"}))


def test_three_next_to_the_plane_make_other_readings() -> None:
    """Some plays are then two planes with wings, or a longer plane: each is counted once, as what it reads as."""
    found = counts(hw.load("doudizhu", options={"wings_next_to_plane": "true"}))
    # a plane of three whose wings lengthen it is a plane of four: for each of the nine, the two ends that may be wings
    # a plane of four with three next to it reads as the upper one: one of the two pairs (body, wings) is lost, for
    # each row of five (8) and each other wing: 8 ranks and 2 jokers; of a plane of five likewise with each row of six
    # (7) and two other wings of 7 ranks (28) or one and a joker (14)
    lost = 9 * 2 + 8 * (8 + 2) + 7 * (28 + 14)
    assert found["plane_1"] == wings_of_planes(beside=True) - lost
    assert found.total() - found["plane_1"] == sum(LANDLORD.values())


def test_a_hand_of_all_threes_is_counted_without_a_list() -> None:
    rules = hw.load("doudizhu")
    hand = rules.position(
        {
            "phase": "lead",
            "seat": 0,
            "memory": {"leader": 0, "landlord": 0, "call": 1},
            "zones": {"hand": {"0": [suit + rank for rank in "345678" for suit in "SHD"] + ["S10", "SQ"]}},
        }
    )
    moves = hand.legal_moves()
    listed = [str(move) for move in moves]
    assert moves.count() == len(listed) == len(set(listed))
    rng = Random(3)
    assert {str(moves.sample(rng)) for _ in range(50 * len(listed))} == set(listed)


def test_the_highest_of_two_bodies() -> None:
    """Under the option, 3 to 6 with three sevens and a king: the upper four are the body."""
    rules = hw.load("doudizhu", options={"wings_next_to_plane": "true"})
    book = rules.start(seed=1).core.book()
    pack = rules.program.layout.pack
    reading = book.read(pack.of([IDS[suit + rank] for rank in "34567" for suit in "SHD"] + [IDS["SK"]]))
    assert reading is not None
    assert (rules.ruleset.shapes.items[reading.shape].name, reading.top, reading.length) == ("plane_1", 4, 4)


def findings(tmp_path: Path, shapes: str) -> list[tuple[str, int, str]]:
    """What is said about a climbing game with these shapes: code, line counted from the first shape, English."""
    head = """hongwu: 1
name: made_up
title: {zh: 试, en: trial}
extends: base/climbing.yaml
seats: {count: 3, direction: clockwise}
deck: {packs: 1}
order: {all: BJ LJ 2 A K Q J 10 9 8 7 6 5 4 3}
moves: {play: {shapes: single other}}
phases:
  deal:
    do:
      each: deal(stock, hand, 18)
      first: leader = random(seats)
  settle:
    do:
      pay: score[s] -= 1 for s in seats when not empty(hand[s])
shapes:
  alike_by: step
  single: {alike: 1, zh: 单张, en: single}
"""
    path = tmp_path / "made_up.yaml"
    path.write_text(head + "".join(f"  {line}\n" for line in shapes.splitlines()), encoding="utf-8")
    return [
        (item.code, item.span.line - head.count("\n"), item.message.en) for item in load_and_check(path).diagnostics
    ]


def test_what_the_language_says(tmp_path: Path) -> None:
    texts = "zh: 别的, en: other}"
    assert findings(tmp_path, "other: {alike: 3, wings: {alike: 1, each: 2}, " + texts) == []
    assert findings(tmp_path, "other: {cards: BJ LJ, power: 1, " + texts) == []
    for shape, code, words in (
        ("{cards: BJ L9, ", "HW201", 'no card "L9"'),
        ("{alike: 3, wings: {each: 1}, ", "HW102", "alike"),
        ("{alike: 3, wings: {alike: 0}, ", "HW105", "0"),
        ("{alike: 3, wings: {alike: 1, eahc: 1}, ", "HW101", "eahc"),
        ("{cards: BJ LJ, wings: {alike: 1}, ", "HW106", "exclude each other"),
        ("{cards: BJ LJ, alike: 2, ", "HW106", "exclude each other"),
        ("{parts: single, wings: {alike: 1}, ", "HW106", "exclude each other"),
    ):
        found = findings(tmp_path, "other: " + shape + texts)
        assert [(one, line) for one, line, _ in found] == [(code, 1)], (shape, found)
        assert words in found[0][2], found


def test_clauses_about_wings_are_typed(tmp_path: Path) -> None:
    shape = "other: {alike: 3, wings: {alike: 1}, zh: 别的, en: other}\n"
    for that, code in (
        ("len(wings) == 1 or BJ in body", None),
        ("wings == 1", "HW402"),
        ("wing in body", "HW401"),
        ("shape == pair", "HW401"),
        ("len(picked) == 1", "HW401"),
    ):
        clause = f"require:\n  fine:\n    that: {that}\n    zh: 这样\n    en: Like this\n"
        found = [one for one in findings(tmp_path, shape + clause) if one[0] != "HW404"]
        assert [one[:2] for one in found] == ([(code, 4)] if code else []), (that, found)


def test_parts_have_no_wings(tmp_path: Path) -> None:
    shapes = "trio: {alike: 3, wings: {alike: 1}, zh: 三, en: trio}\nother: {parts: single trio, zh: 别的, en: other}\n"
    found = findings(tmp_path, shapes)
    assert ("HW402", 2, '"trio" cannot be a part of another shape') in found

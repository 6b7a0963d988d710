"""The text of ``show``: everything of a ruleset is in it, the same each time, and it says where things stand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hongwu_rules.game import load
from hongwu_rules.show import show

OK = sorted((Path(__file__).parent / "ok").glob("*.yaml"))


@pytest.mark.parametrize("ruleset", ["dalian", *map(str, OK)], ids=lambda name: Path(name).stem)
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_everything_is_shown(ruleset: str, lang: str) -> None:
    rules = load(ruleset)
    model = rules.ruleset
    text = show(rules, lang)
    assert text == show(load(ruleset), lang)
    names = [*model.options, *model.kinds, *model.zones, *model.memory, *model.defines, *model.phases, *model.tables]
    names += [shape.name for shape in model.shapes.items]
    names += [line.name for group in model.order.groups for line in group.lines]
    names += [name for phase in model.phases.values() for name in phase.moves]
    names += [
        clause.name for phase in model.phases.values() for move in phase.moves.values() for clause in move.require
    ]
    names += [row.name for table in model.tables.values() for row in table.rows]
    for name in names:
        assert re.search(rf"\b{re.escape(name)}\b", text), name
    for phase in model.phases.values():
        assert f":{phase.span.line}]" in text
        for clause in (clause for move in phase.moves.values() for clause in move.require):
            assert clause.text.in_(lang) in text
    assert model.title.in_(lang) in text.splitlines()[0]


def test_values_of_options_are_shown() -> None:
    assert 'base "unit of the stakes" = 7   1..1000' in show(load("dalian", options={"base": 7}), "en")
    assert "beyond_check “天外天怎么判” = did   could | did" in show(
        load("dalian", options={"beyond_check": "did"}), "zh"
    )


def test_lines_in_the_words_of_the_language() -> None:
    text = show(load("dalian"), "en")
    for line in (
        "rest: true by 5 2 A K Q J 10",
        "hand[seat]: seen by viewer == seat",
        'beat "Play the same shape with as many cards, higher": beats(picked, trick)',
        "→ settle when decided",
        "by_place(place 1..4) → pay = 0   unique, sums_to_zero pay",
        "first: place 1 → pay = 2",
    ):
        assert f"{line}  [dalian.yaml:" in text.replace("! ", ""), line

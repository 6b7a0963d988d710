"""Every setting of every game makes a difference: a scenario sets each of its values and comes out otherwise without."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

import hongwu_rules as hw
from hongwu_rules.diagnostics import Findings
from hongwu_rules.model import Option
from hongwu_rules.scenarios import Runner, Scenario, find_scenarios

RULES = Path(__file__).parent / "rules"
RUNNER = Runner()
# A table of fixed level 2 has no other gap than that of the red five, so both words mean the same there (A1).
ALIKE = {("zhejiang", "gaps", "red_five_only")}


def values(option: Option) -> Iterator[object]:
    """The values that need a scenario: each word but the default, the other of yes and no, any other number."""
    kind = option.type
    if kind.words:
        yield from (word for number, word in enumerate(kind.words) if number != option.default)
    elif kind.name == "bool":
        yield not option.default
    else:
        yield "another number"


def games() -> list[str]:
    """The games with settings of their own; what changes another bundled game has that one's."""
    return [game for game in hw.rulesets() if hw.load(game).sources.texts.keys().isdisjoint(f"{g}.yaml" for g in hw.rulesets() if g != game)]  # fmt: skip


OPTIONS = [
    (game, option, value)
    for game in games()
    for option in hw.load(game).ruleset.options.values()
    for value in values(option)
    if (game, option.name, value) not in ALIKE
]


@cache
def scenarios(game: str) -> tuple[Scenario, ...]:
    """The scenarios of a game that set options."""
    return tuple(one for one in find_scenarios([RULES / game], Findings()) if one.given.options)


def set_so(scenario: Scenario, option: Option, value: object) -> bool:
    given = scenario.given.options
    return option.name in given and (value == "another number" or str(given[option.name]).lower() == str(value).lower())


def differs(scenario: Scenario, name: str) -> bool:
    """Whether the scenario fails where this option keeps its default."""
    rest = {other: value for other, value in scenario.given.options.items() if other != name}
    return any(not result.ok for result in RUNNER.run(replace(scenario, given=replace(scenario.given, options=rest))))


@pytest.mark.parametrize(
    ("game", "option", "value"), OPTIONS, ids=[f"{game}-{option.name}-{value}".replace(" ", "_") for game, option, value in OPTIONS]
)  # fmt: skip
def test_a_value_of_an_option_has_a_scenario_that_needs_it(game: str, option: Option, value: object) -> None:
    found = [one for one in scenarios(game) if set_so(one, option, value)]
    assert found, "no scenario sets it"
    assert any(differs(one, option.name) for one in found), "scenarios set it, and come out the same without"

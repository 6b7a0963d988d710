#!/usr/bin/env python3
"""Is every part of a ruleset reached, in random play or by a scenario?

For each bundled ruleset, each move, clause (by saying no), shape, step, way from phase to phase and table row: how
often it came up in N seeded deals between random players ("off": the default options rule it out), and which
scenarios reach it. Exit 1 where something is reached by neither.

    python tools/reached.py                       every bundled ruleset
    python tools/reached.py wangjiang --deals 200
    python tools/reached.py wangjiang --all       the whole table, not only what random play left out
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

from hongwu_rules.coverage import Counts, Coverage, added, kept_out, parts
from hongwu_rules.game import Rules, load, rulesets
from hongwu_rules.scenarios import Runner, Scenario
from hongwu_rules.simulate import simulate
from project import parents, scenarios_of

SHOWN = 3  # scenarios named for each part


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a ruleset: how often random play came to it, and which scenarios do. ``off``: the options forbid it."""

    kind: str
    name: str
    played: int
    scenarios: tuple[str, ...]
    off: bool = False

    @property
    def reached(self) -> bool:
        """Whether anything came to it."""
        return bool(self.played or self.scenarios)

    def __str__(self) -> str:
        more = len(self.scenarios) - SHOWN
        shown = ", ".join(self.scenarios[:SHOWN]) + (f" and {more} more" if more > 0 else "")
        times = "off" if self.off else str(self.played)
        return f"  {self.kind[:-1]:6} {self.name:45} {times:>6}  {shown or '-'}"


def reached(name: str, deals: int, seed: int = 0) -> list[Part]:
    """Every part of a bundled ruleset, with what came to it in so many deals (0: none is played) and in its scenarios."""
    rules = load(name)
    names = parts(rules.ruleset)
    played = simulate(rules, deals=deals, seed=seed).counts if deals else added((), names)
    told: dict[tuple[str, str], list[str]] = {(kind, part): [] for kind, of_kind in names.items() for part in of_kind}
    for other in (name, *parents(rules)):
        before = "" if other == name else f"{other}: "
        for scenario in scenarios_of(other):
            if scenario.given.overlays:
                continue  # with a house rule it plays another game
            counts = of_scenario(scenario, names)
            for kind, part in told:
                if counts[kind][part]:
                    told[kind, part].append(before + Path(scenario.file).stem)
    off = kept_out(rules)
    return [
        Part(kind, part, played[kind][part], tuple(stems), part in off[kind]) for (kind, part), stems in told.items()
    ]


def of_scenario(scenario: Scenario, names: dict[str, list[str]]) -> Counts:
    """What one scenario comes to, under whatever options it has."""
    if scenario.file not in _COUNTED:
        watching: dict[str, Coverage] = {}

        def watch(rules: Rules) -> Coverage:
            return watching.setdefault(rules.digest, Coverage(rules))

        _RUNNER.watch = watch
        _RUNNER.run(scenario)
        _COUNTED[scenario.file] = [coverage.counts() for coverage in watching.values()]
    return added(_COUNTED[scenario.file], names)


_RUNNER = Runner()  # it loads a ruleset once for each setting
_COUNTED: dict[str, list[Counts]] = {}


def main(arguments: list[str]) -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rulesets", nargs="*", help="bundled rulesets")
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--all", action="store_true", help="what random play reaches, too")
    chosen = parser.parse_args(arguments)
    status = 0
    for name in chosen.rulesets or rulesets():
        found = reached(name.removesuffix(".yaml"), chosen.deals, chosen.seed)
        zeros = [part for part in found if not part.played]
        lost = [part for part in found if not part.reached]
        print(f"{name}: {len(found)} parts, {len(zeros)} not in {chosen.deals} random deals, {len(lost)} by nothing")
        for part in found if chosen.all else zeros:
            print(part)
        status |= bool(lost)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

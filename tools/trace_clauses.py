#!/usr/bin/env python3
"""Is every clause of a document carried by the ruleset, and would a scenario notice if it were not?

For each clause in ``seeds/<source>.md``: the lines of the ruleset that cite it, the scenarios that cite it, and a small
change to one of those lines, after which the ruleset still loads, that makes one of those scenarios fail. Exit 1 where
a clause has none; clauses that the page lists as stating no rule may be without.

    python tools/trace_clauses.py                     every bundled ruleset that has a page of clauses
    python tools/trace_clauses.py dalian D11 DA7      these clauses only
    python tools/trace_clauses.py --table             only the table clause, lines, scenarios: nothing is changed

A ruleset that changes another one answers only for the clauses that its own file cites.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from hongwu_rules.diagnostics import RulesetError
from hongwu_rules.errors import OptionError
from hongwu_rules.game import load, rulesets
from hongwu_rules.overlay.library import Library, bundled_folder
from hongwu_rules.scenarios import Runner, Scenario
from mutations import Cited, Mutant, Text
from project import ROOT, own_files, scenarios_of

_CLAUSE = re.compile(r"^\s*(?:[-*|] *)?((?:\*\*[A-Z]+\d+\*\*[、, ]*)+)")
_NO_RULE = re.compile(r"^#+ .*(no rule|不含规则)", re.I)


@dataclass(slots=True)
class Traced:
    """What was found about one clause."""

    clause: str
    may_lack: bool
    lines: list[str] = field(default_factory=list)
    scenarios: list[str] = field(default_factory=list)
    mutant: Mutant | None = None
    failed: str = ""
    tried: int = 0
    loaded: int = 0

    @property
    def good(self) -> bool:
        """Whether it is traced, or need not be."""
        return self.mutant is not None or self.may_lack

    @property
    def in_table(self) -> bool:
        """Whether a line and a scenario cite it, or need not."""
        return bool(self.lines and self.scenarios) or self.may_lack

    @property
    def row(self) -> str:
        """The clause with every line and every scenario that cites it."""
        what = "states no rule" if self.may_lack and not self.lines else ""
        lines, scenarios = " ".join(self.lines) or what or "NOT CITED", ", ".join(self.scenarios)
        return f"{self.clause:5} {lines}  |  {scenarios or what or 'NO SCENARIO'}"

    def __str__(self) -> str:
        proof = (
            "states no rule"
            if self.may_lack
            else "NOT CITED"
            if not self.lines
            else "NO SCENARIO"
            if not self.scenarios
            else "NOT NOTICED"
        )
        if self.mutant is not None:
            proof = f"{self.mutant.operator}, line {self.mutant.line}: {_short(self.mutant.change)} ⇒ {self.failed}"
        elif self.tried:
            proof += f" ({self.tried} changes, {self.loaded} of them load)"
        return f"{self.clause:5} {_short(' '.join(self.lines), 50):50}  {len(self.scenarios):2} scenarios  {proof}"


def _short(text: str, most: int = 70) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1] + "…"


def clauses_of(page: str) -> dict[str, bool]:
    """Every clause of a page, and whether the page says that it states no rule."""
    found: dict[str, bool] = {}
    no_rule = False
    for line in page.splitlines():
        if line.startswith("#"):
            no_rule = bool(_NO_RULE.match(line))
        elif match := _CLAUSE.match(line):
            for clause in re.findall(r"[A-Z]+\d+", match.group(1)):
                found[clause] = no_rule or found.get(clause, False)
    return found


class Tracer:
    """One ruleset with its own files, its scenarios and their outcome as things stand."""

    def __init__(self, name: str) -> None:
        self.name = name
        rules = load(name)
        self.source = rules.ruleset.source or name
        own = own_files(rules)
        self.extends = len(own) < len(rules.sources.texts)  # another ruleset
        self.files = {
            shown: Text(shown, data.decode("utf-8-sig"), rules.ruleset)
            for shown, data in rules.sources.texts.items()
            if shown in own
        }
        self.scenarios = scenarios_of(name)
        self._passing: set[tuple[str, int]] | None = None

    @property
    def passing(self) -> set[tuple[str, int]]:
        """The cases that come out right, by their file and number."""
        if self._passing is None:
            runner = Runner()
            self._passing = {
                (scenario.file, case.number)
                for scenario in self.scenarios
                for case, result in zip(scenario.cases, runner.run(scenario), strict=True)
                if result.ok
            }
        return self._passing

    def cited(self) -> set[str]:
        """Every clause that the ruleset's own files cite."""
        return {clause for file in self.files.values() for cited in file.cited() for clause in cited.cite}

    def places(self, clause: str) -> list[tuple[Text, Cited]]:
        """Where its own files cite a clause."""
        return [(file, cited) for file in self.files.values() for cited in file.cited() if clause in cited.cite]

    def found(self, clause: str, *, may_lack: bool) -> Traced:
        """The lines and the scenarios that cite a clause."""
        found = Traced(clause, may_lack)
        several = len(self.files) > 1
        for file, cited in self.places(clause):
            found.lines.append(f"{file.name}:{cited.span.line}" if several else str(cited.span.line))
        found.scenarios = [Path(scenario.file).stem for scenario in self.scenarios if clause in scenario.cite]
        return found

    def trace(self, clause: str, *, may_lack: bool) -> Traced:
        """Find a change that a scenario notices."""
        found, places = self.found(clause, may_lack=may_lack), self.places(clause)
        mine = [scenario for scenario in self.scenarios if clause in scenario.cite]
        if mine:
            for file, cited in places:
                for mutant in file.mutants(cited):
                    found.tried += 1
                    failed = self.notices(file, mutant, mine, found)
                    if failed:
                        found.mutant, found.failed = mutant, failed
                        return found
        return found

    def notices(self, file: Text, mutant: Mutant, scenarios: Iterable[Scenario], found: Traced) -> str:
        """The first scenario that comes out differently under a mutant; "" if it does not load or all pass."""

        def library() -> Library:
            return Library(bundled_folder(), texts={file.name: mutant.text.encode()})

        try:
            load(self.name, library=library())
        except (RulesetError, OptionError):
            return ""
        found.loaded += 1
        runner = Runner(library=library)
        for scenario in scenarios:
            try:
                rules = runner.rules(scenario)
            except (RulesetError, OptionError):
                continue  # it loads, but not with these options: no scenario has noticed anything yet
            for case in scenario.cases:
                if (scenario.file, case.number) in self.passing and not runner.case(scenario, rules, case).ok:
                    return f"{Path(scenario.file).stem}:{case.span.line}"
        return ""


def main(arguments: list[str]) -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ruleset", nargs="?", help="a bundled ruleset")
    parser.add_argument("clauses", nargs="*", help="only these clauses")
    parser.add_argument("--table", action="store_true", help="only which lines and scenarios cite each clause")
    chosen = parser.parse_args(arguments)
    names = [chosen.ruleset.removesuffix(".yaml")] if chosen.ruleset else rulesets()
    status, done = 0, 0
    for name in names:
        started = time.perf_counter()
        try:
            tracer = Tracer(name)
        except RulesetError as fault:
            print(f"{name}: {fault}", file=sys.stderr)
            return 2
        page = ROOT / "seeds" / f"{tracer.source}.md"
        if not page.is_file():
            print(f"{name}: there is no {page.relative_to(ROOT)}", file=sys.stderr)
            return 2
        clauses = clauses_of(page.read_text(encoding="utf-8"))
        strange = set(chosen.clauses) - set(clauses)
        if strange:
            print(f"{page.relative_to(ROOT)} has no clause {' '.join(sorted(strange))}", file=sys.stderr)
            return 2
        bad = 0
        cited = tracer.cited()
        for clause, may_lack in clauses.items():
            if (chosen.clauses and clause not in chosen.clauses) or (tracer.extends and clause not in cited):
                continue
            if chosen.table:
                found = tracer.found(clause, may_lack=may_lack)
                print(found.row)
                bad += not found.in_table
            else:
                found = tracer.trace(clause, may_lack=may_lack)
                print(found, flush=True)
                bad += not found.good
            done += 1
        unknown = sorted(cited - set(clauses))
        if unknown and not chosen.clauses:
            print(f"{name}: cited, but not in {page.relative_to(ROOT)}: {' '.join(unknown)}")
            bad += 1
        print(
            f"{name}: {bad} {'without a line or a scenario' if chosen.table else 'not traced'}, {time.perf_counter() - started:.0f} s"
        )
        status |= bad > 0
    return status if done else 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

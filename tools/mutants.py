#!/usr/bin/env python3
"""Are the checker and the scenarios worth their name? Every ruleset with one small fault at a time, and who notices.

For each ruleset, operator and place (`operators.py` says which): a mutant. It is noticed by ``check`` if that finds
anything, else by the scenarios of ``tests/rules`` if one comes out otherwise, else by nothing. It changes behaviour if
it does not load, or if in 200 seeded deals an event, view, verdict or result differs (`behaviour.py`); those that do
not are left out of every percentage. A file under ``rulesets/base`` is mutated once at each place, through one of the
games that extend it.

    python tools/mutants.py --each 6                  six places of each operator and ruleset
    python tools/mutants.py --ruleset dalian          all mutants of one ruleset
    python tools/mutants.py --only-table              the table of what was found before

Results are added to a file line by line, and what stands there is not done again, unless it went unnoticed and the
scenarios or the checker have changed since. ``survivors.yaml`` explains mutants that nothing notices. Exit 1 where a
bar is missed: 95 % of the structural mutants noticed by ``check``, 80 % for each operator; 98 % of all on each
ruleset noticed by either; every other explained, and no explanation out of date.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import os
import signal
import sys
import time
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cache, partial
from pathlib import Path
from random import Random
from types import FrameType
from typing import TypeVar

import behaviour
import survivors
from hongwu_rules.diagnostics import Findings, RulesetError
from hongwu_rules.diagnostics.codes import severity
from hongwu_rules.errors import HongwuError
from hongwu_rules.game import Rules, load, rules_of, rulesets
from hongwu_rules.loading import check
from hongwu_rules.overlay.library import Library, bundled_folder
from hongwu_rules.scenarios import Runner, Scenario, ScenarioError, find_scenarios
from mutations import Mutant, Text
from operators import OPERATORS, STRUCTURAL, mutants_of
from places import File, Place

T = TypeVar("T")

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / ".mutants.jsonl"
SECONDS = 60  # of processor time for one check, or one scenario, of one mutant

STRUCTURAL_BAR, OPERATOR_BAR, RULESET_BAR = 0.95, 0.80, 0.98


@dataclass(frozen=True, slots=True)
class Found:
    """What came of one mutant. ``changes`` says where behaviour first differs, "" for nowhere."""

    key: str
    state: str  # of checker and scenarios
    ruleset: str
    file: str
    line: int
    operator: str
    text: str  # of the line
    change: str
    check: list[str]
    scenario: str
    changes: str
    seconds: float

    @property
    def by(self) -> str:
        """Who notices it: ``check``, ``scenarios`` or ``nothing``; ``same`` where there is nothing to notice."""
        if not self.changes:
            return "same"
        return "check" if self.check else "scenarios" if self.scenario else "nothing"


class Late(BaseException):
    """A mutant goes on for ever."""


class Unsound(Exception):
    """The ruleset has a fault before anything is changed: nothing could be told from its mutants."""


class Game:
    """One ruleset: its files, its scenarios, and how it behaves unchanged."""

    def __init__(self, name: str, *, deals: int = behaviour.DEALS) -> None:
        self.name = name
        report = check(name)
        if report.diagnostics:
            raise Unsound(f"check finds {report.diagnostics[0].code} in {name} as it stands")
        rules = rules_of(report)
        self.texts = {shown: data.decode("utf-8-sig") for shown, data in rules.sources.texts.items()}
        texts = [
            Text(shown, text, rules.ruleset) for shown, text in self.texts.items()
        ]  # the game, then what it extends
        self.files = {
            text.name: File(text, texts[at + 1 :], [other for other in texts if other is not text])
            for at, text in enumerate(texts)
        }
        findings = Findings()
        folder = ROOT / "tests" / "rules" / name
        self.scenarios = find_scenarios([folder], findings)
        if findings.items:
            raise ScenarioError(findings.items)
        runner = Runner()
        wrong = [result for scenario in self.scenarios for result in runner.run(scenario) if not result.ok]
        if wrong:
            raise Unsound(wrong[0].text.en)
        self.rules = rules
        self.deals = deals
        self.matches: list[behaviour.Match] = []
        self.state = _digest(p.read_bytes() for p in [*sorted(folder.glob("*")), *sorted(_package())])

    def own(self, file: str) -> bool:
        """Whether the places of a file belong to this game: its own file, and shared parts."""
        return file == f"{self.name}.yaml" or file.startswith("base/")

    def mutants(self, operator: str, seed: int) -> Iterator[tuple[File, Place, Mutant]]:
        """All mutants of an operator that fall to this game."""
        for name, file in self.files.items():
            if not self.own(name):
                continue
            for place, mutant in mutants_of(file, operator):
                if name.startswith("base/"):
                    games = extending(name)
                    at = zlib.crc32(f"{name}:{mutant.line}:{operator}:{seed}".encode()) % len(games)
                    if games[at] != self.name:
                        continue
                yield file, place, mutant

    def key(self, file: File, mutant: Mutant) -> str:
        """The same for the same fault in the same rules."""
        rest = [text for name, text in self.texts.items() if name != file.text.name]
        deals = [] if self.deals == behaviour.DEALS else [str(self.deals)]
        parts = (self.name, mutant.operator, file.text.name, mutant.text, *rest, *deals)
        return _digest(part.encode() for part in parts)

    # ------------------------------------------------------------------ trying

    def record(self) -> None:
        """Play the unchanged game."""
        if not self.matches:
            self.matches = behaviour.record(self.rules, self.deals)

    def tried(self, file: File, place: Place, mutant: Mutant) -> Found:
        """What comes of a mutant."""
        started = time.process_time()
        codes, changes, scenario = self.checked(file, mutant)
        if not changes:
            try:
                rules = within(SECONDS, partial(self.loaded, file, mutant))
                if rules.digest != self.rules.digest:  # else it says the same: what was changed is replaced above
                    changes = within(SECONDS, partial(behaviour.difference, rules, self.matches))
            except (HongwuError, RulesetError) as fault:
                changes = f"does not load: {type(fault).__name__}"
            except Late:
                changes = "goes on for ever"
            if changes and not codes:
                scenario = self.failing(file, place, mutant)
        line = file.text.text.splitlines()[mutant.line - 1].strip()
        return Found(
            self.key(file, mutant), self.state, self.name, file.text.name, mutant.line, mutant.operator, line,
            mutant.change, codes, scenario, changes, round(time.process_time() - started, 2),
        )  # fmt: skip

    def library(self, file: File, mutant: Mutant) -> Library:
        """Where the files come from, one of them changed."""
        return Library(bundled_folder(), texts={file.text.name: mutant.text.encode()})

    def loaded(self, file: File, mutant: Mutant) -> Rules:
        """The changed rules."""
        return load(self.name, library=self.library(file, mutant))

    def checked(self, file: File, mutant: Mutant) -> tuple[list[str], str, str]:
        """The codes of what ``check`` finds, and what makes it fail to load."""
        try:
            report = within(SECONDS, partial(check, self.name, library=self.library(file, mutant)))
        except Late:
            return [], "", ""
        except HongwuError as fault:
            return [type(fault).__name__], "does not load", ""
        codes = sorted({d.code for d in report.diagnostics if severity(d.code) != "hint"})
        return codes, "does not load" if report.errors else "", ""

    def failing(self, file: File, place: Place, mutant: Mutant) -> str:
        """The first scenario that does not pass, the likeliest tried first; "" if all do."""
        runner = Runner(library=lambda: self.library(file, mutant))
        for scenario in sorted(self.scenarios, key=lambda one: _distance(one, place)):
            try:
                results = within(SECONDS, partial(runner.run, scenario))
            except ScenarioError:
                return f"{Path(scenario.file).stem}: cannot be run"
            except Late:
                continue
            bad = next((result for result in results if not result.ok), None)
            if bad is not None:
                return f"{Path(scenario.file).stem}:{bad.line}"
        return ""


def _distance(scenario: Scenario, place: Place) -> tuple[bool, bool, bool]:
    """How far a scenario is from a place: they cite the same, they are about the same phase, no options."""
    phase = place.path[1] if place.path[:1] == ("phases",) and len(place.path) > 1 else ""
    return (
        not place.cites() & set(scenario.cite),
        scenario.given.position.get("phase") != phase,
        bool(scenario.given.options),
    )


def within(seconds: float, do: Callable[[], T]) -> T:
    """What a call gives; Late if it takes more processor time than that."""

    def late(_signal: int, _frame: FrameType | None) -> None:
        raise Late

    before = signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        return do()
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _digest(parts: Iterable[bytes]) -> str:
    whole = hashlib.sha1(usedforsecurity=False)
    for part in parts:
        whole.update(hashlib.sha1(part, usedforsecurity=False).digest())
    return whole.hexdigest()[:16]


def _package() -> Iterator[Path]:
    return (ROOT / "interpreter" / "hongwu_rules").rglob("*.py")


@cache
def extending(base: str) -> list[str]:
    """The games whose own file extends a file of shared parts."""
    found = []
    for name in rulesets():
        texts = list(load(name).sources.texts)
        if base in texts and all(text == f"{name}.yaml" or text.startswith("base/") for text in texts):
            found.append(name)
    return found


# ---------------------------------------------------------------------- a run


_game: Game  # that of a worker: set before it is forked


def _work(task: tuple[File, Place, Mutant]) -> Found:
    try:
        return _game.tried(*task)
    except Exception as fault:
        raise RuntimeError(f"{_game.name} {task[2].line} {task[2].operator} {task[2].change}: {fault!r}") from fault


def run(game: Game, operators: Iterable[str], chosen: argparse.Namespace, results: Results) -> list[Found]:
    """Try the mutants of one ruleset, those that were tried before excepted."""
    global _game
    known = results.known()
    found: list[Found] = []
    tasks: list[tuple[File, Place, Mutant]] = []
    for operator in operators:
        every = list(game.mutants(operator, chosen.seed))
        if chosen.each and len(every) > chosen.each:
            Random(f"{chosen.seed}/{game.name}/{operator}").shuffle(every)  # a larger sample holds the smaller one
            every = every[: chosen.each]
        for task in every:
            old = known.get(game.key(task[0], task[2]))
            if old is not None and not chosen.fresh and (old.by != "nothing" or old.state == game.state):
                found.append(old)
            else:
                tasks.append(task)
    if not tasks:
        return found
    game.record()
    _game = game
    context = multiprocessing.get_context("fork")
    with context.Pool(chosen.jobs, initializer=os.nice, initargs=(chosen.nice,)) as pool:
        started = time.monotonic()
        for number, one in enumerate(pool.imap_unordered(_work, tasks), 1):
            results.add(one)
            found.append(one)
            if one.by == "nothing" or (one.by == "scenarios" and one.operator in STRUCTURAL):
                print(f"  {one.by:9} {_shown(one)}", flush=True)
            if number % 100 == 0:
                pace = (time.monotonic() - started) / number
                print(f"{game.name}: {number} of {len(tasks)}, {pace:.1f} s each", file=sys.stderr, flush=True)
    return found


def _shown(one: Found) -> str:
    return f"{one.ruleset} {one.file}:{one.line} {one.operator}: {one.change}"


class Results:
    """The file of results: one line of JSON for each mutant tried."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def known(self) -> dict[str, Found]:
        """What was found before, by key; the last line counts. A line that was cut off is left out."""
        found: dict[str, Found] = {}
        if self.path.is_file():
            for line in self.path.read_text(encoding="utf-8").splitlines():
                try:
                    one = Found(**json.loads(line))
                except (ValueError, TypeError):
                    continue
                found[one.key] = one
        return found

    def add(self, one: Found) -> None:
        """Write one more, on a line of its own even where the last one was cut off."""
        line = json.dumps(asdict(one), ensure_ascii=False) + "\n"
        with self.path.open("ab+") as file:
            if file.seek(0, os.SEEK_END):
                file.seek(-1, os.SEEK_END)
                line = line if file.read(1) == b"\n" else "\n" + line
            file.write(line.encode())


# ---------------------------------------------------------------------- the table


def table(found: Iterable[Found]) -> tuple[list[str], list[str]]:
    """The lines of the table, and the bars that are missed."""
    every = list(found)
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for one in every:
        for ruleset in (one.ruleset, "all"):
            for operator in (one.operator, "structural" if one.operator in STRUCTURAL else "value", "all"):
                counts[ruleset, operator][one.by] += 1
    lines = [
        f"{'':20}{'':38}{'mutants':>8}{'same':>6}{'check':>7}{'scenarios':>10}{'nothing':>8}{'by check':>9}{'by either':>10}"
    ]
    missed: list[str] = []
    for ruleset in [*dict.fromkeys(one.ruleset for one in every), "all"]:
        for operator in [*OPERATORS, "structural", "value", "all"]:
            count = counts.get((ruleset, operator))
            if count is None:
                continue
            whole = count["check"] + count["scenarios"] + count["nothing"]
            check_part = count["check"] / whole if whole else 1.0
            either = 1 - count["nothing"] / whole if whole else 1.0
            lines.append(
                f"{ruleset:20}{operator:38}{count.total():8}{count['same']:6}{count['check']:7}{count['scenarios']:10}"
                f"{count['nothing']:8}{check_part:9.1%}{either:10.1%}"
            )
            if ruleset == "all" and operator == "structural" and check_part < STRUCTURAL_BAR:
                missed.append(f"structural mutants: {check_part:.1%} noticed by check, not {STRUCTURAL_BAR:.0%}")
            if ruleset == "all" and operator in STRUCTURAL and check_part < OPERATOR_BAR:
                missed.append(f"{operator}: {check_part:.1%} noticed by check, not {OPERATOR_BAR:.0%}")
            if operator == "all" and either < RULESET_BAR:
                missed.append(f"{ruleset}: {either:.1%} noticed by check or scenarios, not {RULESET_BAR:.0%}")
    return lines, missed


def main(arguments: list[str]) -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ruleset", action="append", help="a bundled ruleset (all of them)")
    parser.add_argument("--operator", action="append", help="an operator, or a part of its name (all of them)")
    parser.add_argument("--each", type=int, default=0, help="so many places of each operator and ruleset (0: all)")
    parser.add_argument("--seed", type=int, default=0, help="for the sample of places")
    parser.add_argument("--deals", type=int, default=behaviour.DEALS, help="deals in which behaviour is compared")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="worker processes")
    parser.add_argument("--nice", type=int, default=10, help="how much the workers stand back")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the file of results")
    parser.add_argument("--fresh", action="store_true", help="try again what was tried before")
    parser.add_argument("--only-table", action="store_true", help="try nothing more")
    chosen = parser.parse_args(arguments)
    names = chosen.ruleset or rulesets()
    operators = [one for one in OPERATORS if not chosen.operator or any(part in one for part in chosen.operator)]
    strange = [name for name in names if name not in rulesets()]
    if strange or not operators:
        print(f"there is no {'ruleset ' + strange[0] if strange else 'such operator'}", file=sys.stderr)
        return 2
    results, found = Results(chosen.results), list[Found]()
    explained, stale = survivors.read(), list[str]()
    for name in names:
        try:
            game = Game(name, deals=chosen.deals)
        except Unsound as fault:
            print(fault, file=sys.stderr)
            return 2
        stale += survivors.stale(game.name, game.files, explained)
        if chosen.only_table:
            keys = {
                game.key(file, m): None for operator in operators for file, _, m in game.mutants(operator, chosen.seed)
            }
            found += [one for key, one in results.known().items() if key in keys]
        else:
            found += run(game, operators, chosen, results)
    lines, missed = table(found)
    print("\n".join(lines))
    unexplained = [one for one in found if one.by == "nothing" and not survivors.explains(explained, one)]
    missed += [f"not noticed and not explained: {_shown(one)}" for one in unexplained]
    missed += [f"survivors.yaml: {line}" for line in stale]
    for line in missed:
        print(line)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

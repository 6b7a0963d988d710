"""Playing scenarios and saying which came out another way."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from ..cards import CardError, parse_cards
from ..diagnostics import Diagnostic, Findings, RulesetError, Span, Text
from ..errors import HongwuError, RulesFault
from ..game import Rules, State, load, rulesets
from ..model.ir import Type
from ..overlay.library import Library
from ..play.move import Move
from ..play.verdict import Verdict
from ..source.reader import SourceIOError, read_file
from .reading import Case, Given, Happening, Scenario, ScenarioError, Wanted, read_scenario

SUFFIXES = (".yaml", ".yml")
NOTHING = Text("", "")
UNSEEN = "unseen"
_UNKNOWN = object()


@dataclass(frozen=True, slots=True)
class Result:
    """What one case came to. ``path`` is its file, ``line`` where it starts or what it failed at."""

    path: str
    line: int
    case: str
    ok: bool
    expected: Text = NOTHING
    came: Text = NOTHING
    cite: tuple[str, ...] = ()
    given: bool = False  # what the file gives could not be set up, so that no case of it can be tried

    @property
    def text(self) -> Text:
        """The failure as one line."""
        where = f"{self.path}:{self.line}"
        return Text(
            f"{where}（{self.case}）：应当：{self.expected.zh}；结果：{self.came.zh}",
            f"{where} ({self.case}): expected {self.expected.en}, came {self.came.en}",
        )


def run(paths: Iterable[str | Path], ruleset: str | Path | None = None) -> list[Result]:
    """Run every scenario in the files and folders, in order of name; ScenarioError if one cannot be read.

    ``ruleset`` is used instead of the ruleset that each file names.
    """
    findings = Findings()
    scenarios = find_scenarios(paths, findings)
    if findings:
        raise ScenarioError(findings.items)
    runner = Runner(ruleset)
    return [result for scenario in scenarios for result in runner.run(scenario)]


def find_scenarios(paths: Iterable[str | Path], findings: Findings) -> list[Scenario]:
    """Every scenario in the files and folders; what cannot be used is noted in ``findings``."""
    files: dict[Path, None] = {}
    for path in map(Path, paths):
        found = (
            sorted(one for one in path.rglob("*") if one.suffix in SUFFIXES and one.is_file())
            if path.is_dir()
            else [path]
        )
        files.update(dict.fromkeys(found))
        if not found:
            findings.add("HW-io", Span(str(path), 0, 0, 0, 0), f"{path} 里没有场景", f"there is no scenario in {path}")
    scenarios = []
    for file in files:
        try:
            data = read_file(file)
        except SourceIOError as fault:
            findings.add("HW-io", Span(str(file), 0, 0, 0, 0), fault.text.zh, fault.text.en)
            continue
        scenario = read_scenario(str(file), data, findings, ruleset=file.resolve().parent.name)
        if scenario is not None:
            scenarios.append(scenario)
    return scenarios


class Watcher(Protocol):
    """Whoever is told what the scenarios do, such as a `coverage.Coverage`."""

    def watching(self) -> AbstractContextManager[None]: ...

    def moving(self, state: State, move: Move) -> None: ...

    def reached(self, state: State) -> None: ...

    def judged(self, state: State, name: str, verdict: Verdict) -> None: ...


@dataclass(slots=True)
class Runner:
    """Runs scenarios, loading each ruleset once for each setting.

    ``ruleset``: use this one for all. ``library``: where the files of rulesets come from. ``watch`` gives the watcher
    of one ruleset.
    """

    ruleset: str | Path | None = None
    library: Callable[[], Library | None] = lambda: None
    watch: Callable[[Rules], Watcher] | None = None
    loaded: dict[str, Rules] = field(default_factory=dict)

    def run(self, scenario: Scenario) -> list[Result]:
        """The result of each case."""
        try:
            rules = self.rules(scenario)
        except RulesetError as fault:
            raise ScenarioError([_unusable(scenario), *fault.diagnostics]) from None
        except HongwuError as fault:
            raise ScenarioError([Diagnostic("HW-io", fault.text, scenario.given.span)]) from None
        results: list[Result] = []
        for case in scenario.cases:
            results.append(self.case(scenario, rules, case))
            if results[-1].given:
                break  # the same of every case
        return results

    def rules(self, scenario: Scenario) -> Rules:
        """The ruleset of a scenario with its overlays and options."""
        given, folder = scenario.given, Path(scenario.file).parent
        name = _beside(folder, given.ruleset) if self.ruleset is None else str(self.ruleset)
        overlays = [_beside(folder, overlay) for overlay in given.overlays]
        key = json.dumps([name, overlays, given.options], sort_keys=True, default=str)
        if key not in self.loaded:
            self.loaded[key] = load(name, options=given.options, overlays=overlays, library=self.library())
        return self.loaded[key]

    def case(self, scenario: Scenario, rules: Rules, case: Case) -> Result:
        """One case."""
        line, wanted = case.span.line, _expectation(case)
        watcher = self.watch(rules) if self.watch is not None else None
        try:
            with watcher.watching() if watcher is not None else nullcontext():
                state, happened = _start(rules, scenario.given)
        except HongwuError as fault:
            line = scenario.given.span.line
            came = Text(f"given 用不了：{fault.text.zh}", f"given cannot be used: {fault.text.en}")
            return Result(scenario.file, line, case.name, False, wanted, came, scenario.cite, given=True)
        if watcher is not None:
            watcher.reached(state)
        try:
            wrong = _try(state, case, watcher) if case.tried is not None else _do(state, happened, case, watcher)
        except HongwuError as fault:
            wrong = (wanted, _said(fault))
        if wrong is None:
            return Result(scenario.file, line, case.name, True, cite=scenario.cite)
        return Result(scenario.file, line, case.name, False, *wrong, scenario.cite)


def _beside(folder: Path, name: str) -> str:
    """A file beside the scenario, else a name as it is (a bundled ruleset, or a path from here)."""
    for spelling in (name, f"{name}.yaml"):
        path = Path(os.path.normpath(folder / spelling))
        if path.is_file() and (name not in rulesets() or "/" in name or name.endswith(SUFFIXES)):
            return path.as_posix()
    return name


def _unusable(scenario: Scenario) -> Diagnostic:
    given = scenario.given
    text = Text(f"规则“{given.ruleset}”用不了（见下）", f'the ruleset "{given.ruleset}" cannot be used (see below)')
    return Diagnostic("HW-io", text, given.span)


def _start(rules: Rules, given: Given) -> tuple[State, list[str]]:
    if given.whole_match:
        state = rules.start(seed=given.seed, deals=given.position.get("deals") or ())
        return state, list(state.happened)
    state = rules.position(given.position)
    return state, list(state.happened)


def _said(fault: HongwuError) -> Text:
    if isinstance(fault, RulesFault):
        place = f"{fault.place.file}:{fault.place.line}" if fault.place.line else ""
        return Text(
            f"规则出错 {fault.code}：{fault.text.zh} {place}".rstrip(),
            f"a fault of the rules, {fault.code}: {fault.text.en} {place}".rstrip(),
        )
    return fault.text


# ---------------------------------------------------------------------- try


def _expectation(case: Case) -> Text:
    if case.tried is None:
        return Text("照 then 所写", "what then says")
    if case.clauses is None:
        return Text("可以", "legal")
    names = "、".join(case.clauses)
    by = Text(f"不许，理由 {names}", f"illegal by {', '.join(case.clauses)}")
    return by if case.clauses else Text("不许", "illegal")


def _came(verdict: Verdict) -> Text:
    if verdict.ok:
        return Text("可以", "legal")
    names = [reason.id for reason in verdict.reasons]
    return Text(f"不许，理由 {'、'.join(names)}", f"illegal by {', '.join(names)}")


def _try(state: State, case: Case, watcher: Watcher | None) -> tuple[Text, Text] | None:
    assert case.tried is not None
    verdict = state.judge(case.tried)
    if watcher is not None and verdict.ok:
        watcher.moving(state, case.tried)
    elif watcher is not None:
        watcher.judged(state, case.tried.name, verdict)
    if case.clauses is None:
        good = verdict.ok
    else:
        good = not verdict.ok and set(case.clauses) <= {reason.id for reason in verdict.reasons}
    return None if good else (_expectation(case), _came(verdict))


# ---------------------------------------------------------------------- do


def _do(state: State, happened: list[str], case: Case, watcher: Watcher | None) -> tuple[Text, Text] | None:
    for number, event in enumerate(case.done, 1):
        if event.move is not None:
            verdict = state.judge(event.move)
            if not verdict.ok:
                came = _came(verdict)
                step = Text(f"第{number}步 {event} 可以", f"step {number}, {event}, to be legal")
                return step, Text(
                    f"{came.zh}（{state.phase}，座位 {state.seat}）", f"{came.en} (in {state.phase}, seat {state.seat})"
                )
            if watcher is not None:
                watcher.moving(state, event.move)
        with watcher.watching() if watcher is not None else nullcontext():
            state = _done(state, event)
        if watcher is not None:
            watcher.reached(state)
        happened += state.happened
    wrong = [found for wanted in case.then if (found := _look(state, happened, wanted)) is not None]
    if not wrong:
        return None
    return (
        Text("；".join(one.zh for one, _ in wrong), "; ".join(one.en for one, _ in wrong)),
        Text("；".join(two.zh for _, two in wrong), "; ".join(two.en for _, two in wrong)),
    )


def _done(state: State, event: Happening) -> State:
    """The state after one thing that happens."""
    if event.word == "timeout":
        return state.timeout()
    if event.word == "leave":
        return state.leave(event.seat)
    assert event.move is not None
    return state.apply(event.move)


def _look(state: State, happened: Sequence[str], wanted: Wanted) -> tuple[Text, Text] | None:
    key, value = wanted.key, wanted.value
    match key:
        case "phase" | "seat" | "over":
            return _differ(key, value, getattr(state, key))
        case "returns":
            return _differ(key, value, None if state.returns is None else list(state.returns))
        case "count":
            return _differ(key, value, state.legal_moves().count())
        case "moves":
            names = value.split() if isinstance(value, str) else value
            return _differ(key, sorted(names), sorted(_offered(state)))
        case "events":
            return _missing(value, happened)
        case "memory":
            return _memory(state, value)
        case "zones":
            return _zones(state, value)
        case _:
            return _sees(state, value)


def _differ(key: str, wanted: object, came: object) -> tuple[Text, Text] | None:
    if wanted == came and type(wanted) is type(came):
        return None
    return Text(*[f"{key} {_show(wanted)}"] * 2), Text(*[f"{key} {_show(came)}"] * 2)


def _show(value: object) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "none"}[value]
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_show, value)) + "]"
    return str(value)


def _offered(state: State) -> list[str]:
    """The names of the moves of which at least one is legal."""
    return list(state.legal_moves().kinds())


def _missing(wanted: Sequence[Any], happened: Sequence[str]) -> tuple[Text, Text] | None:
    """The first event that did not come in its turn."""
    place, before = 0, ""
    for item in map(str, wanted):
        found = next((i for i in range(place, len(happened)) if happened[i] == item), None)
        if found is None:
            after = Text(f"（在 {before} 之后）", f" (after {before})") if before else Text("", "")
            rest = ", ".join(happened[place:]) or "-"
            return Text(f"events 里有 {item}{after.zh}", f"the event {item}{after.en}"), Text(
                f"只有 {rest}", f"only {rest}"
            )
        place, before = found + 1, item
    return None


def _memory(state: State, wanted: Mapping[str, Any]) -> tuple[Text, Text] | None:
    slots = state.rules.ruleset.memory
    for name, value in wanted.items():
        if name not in slots:
            return Text(*[f"memory.{name}"] * 2), Text("没有这样的记忆", "there is no such memory")
        for index, one in _leaves(value, len(slots[name].index)):
            came = state.value(name, *index)
            if not _same(slots[name].type, one, came):
                where = name + (f"[{', '.join(map(str, index))}]" if index else "")
                return Text(*[f"{where} = {_show(one)}"] * 2), Text(*[f"{where} = {_show(came)}"] * 2)
    return None


def _leaves(value: Any, depth: int, index: tuple[int, ...] = ()) -> list[tuple[tuple[int, ...], Any]]:
    """The values under so many levels of seats."""
    if depth == 0 or not isinstance(value, Mapping):
        return [(index, value)]
    return [leaf for seat, inner in value.items() for leaf in _leaves(inner, depth - 1, (*index, seat))]


def _same(kind: Type, wanted: Any, came: Any) -> bool:
    if kind.name == "cards":
        return _cards(wanted) == _cards(came)
    if wanted is None or came is None or isinstance(wanted, bool) or isinstance(came, bool):
        return wanted is came
    return str(wanted) == str(came)


def _cards(value: Any) -> object:
    """Cards without their order."""
    try:
        return sorted(parse_cards(value or ""))
    except (CardError, TypeError, AttributeError):
        return _UNKNOWN


def _zones(state: State, wanted: Mapping[str, Any]) -> tuple[Text, Text] | None:
    zones = state.rules.ruleset.zones
    for name, value in wanted.items():
        if name not in zones:
            return Text(*[f"zones.{name}"] * 2), Text("没有这个放牌的地方", "there is no such zone")
        for index, cards in _leaves(value, int(zones[name].per_seat)):
            came = state.cards(name, *index)
            if _cards(cards) != _cards(came):
                where = name + (f"[{index[0]}]" if index else "")
                names = " ".join(came) or "-"
                return Text(*[f"{where}: {cards or '-'}"] * 2), Text(*[f"{where}: {names}"] * 2)
    return None


def _sees(state: State, wanted: Mapping[Any, Any]) -> tuple[Text, Text] | None:
    for viewer, parts in wanted.items():
        view = state.view(viewer if isinstance(viewer, int) else None)
        found = _named(state, f"view({viewer})", parts) or _inside(f"view({viewer})", parts, view)
        if found is not None:
            return found
    return None


def _named(state: State, path: str, parts: Any) -> tuple[Text, Text] | None:
    """Whether the game has the memory that a view is asked for: what is misspelt is unseen too."""
    wanted = parts.get("memory") if isinstance(parts, Mapping) else None
    strange = [name for name in wanted if name not in state.rules.ruleset.memory] if isinstance(wanted, Mapping) else []
    if not strange:
        return None
    return Text(*[f"{path}.memory.{strange[0]}"] * 2), Text("没有这样的记忆", "there is no such memory")


def _inside(path: str, wanted: Any, came: Any) -> tuple[Text, Text] | None:
    """Whether a view has everything that is written out; names of seats may be numbers or texts.

    Of one place with cards it must show just what is written: ``{count: 4}`` says that the cards are not seen. The
    word ``unseen`` says that something is not in the view at all.
    """
    if not isinstance(wanted, Mapping):
        same = wanted == came or (
            _cards(wanted) == _cards(came) is not _UNKNOWN and wanted is not None and came is not None
        )
        return None if same else (Text(*[f"{path} {_show(wanted)}"] * 2), Text(*[f"{path} {_show(came)}"] * 2))
    shown = {"cards", "count"} & set(came) if isinstance(came, Mapping) else set()
    if {"cards", "count"} >= set(wanted) != shown and isinstance(came, Mapping):
        names = (", ".join(sorted(wanted)) or "-", ", ".join(sorted(shown)) or "-")
        return Text(f"{path} 只有 {names[0]}", f"{path} to show {names[0]}"), Text(names[1], names[1])
    for key, value in wanted.items():
        inner: Any = _UNKNOWN
        if isinstance(came, Mapping):
            inner = came.get(key, came.get(str(key), _UNKNOWN))
        elif isinstance(came, Sequence) and isinstance(key, int) and key < len(came):
            inner = came[key]
        if value == UNSEEN:
            if inner is not _UNKNOWN:
                return Text(f"看不见 {path}.{key}", f"{path}.{key} to be unseen"), Text(*[_show(inner)] * 2)
            continue
        if inner is _UNKNOWN:
            return Text(*[f"{path}.{key}"] * 2), Text("没有这一项", "nothing of that name")
        found = _inside(f"{path}.{key}", value, inner)
        if found is not None:
            return found
    return None

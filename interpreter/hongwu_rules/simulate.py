"""Many deals between simple players, and how often each part of a ruleset had its say."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from .coverage import KINDS, Counts, Coverage, Prober, kept_out, never
from .diagnostics import Text
from .errors import HongwuError, RulesFault
from .game import Rules, State
from .model import Ruleset
from .play.move import Move

Player = Callable[[State, Random], Move]
Progress = Callable[[int, int], None]


class PlayerError(HongwuError):
    """No player has this name, or there are too many for the seats."""


def random_player(state: State, rng: Random) -> Move:
    """First the kind of move, each as likely as any other, then the move: rare kinds stay as rare as at a table."""
    legal = state.legal_moves()
    kinds = legal.kinds()
    if not kinds:
        raise no_move(state)
    return legal.sample_kind(rng.choice(kinds), rng)


def first_player(state: State, rng: Random) -> Move:
    """The first legal move: of the first kind on offer, the fewest and weakest cards."""
    for move in state.legal_moves():
        return move
    raise no_move(state)


def no_move(state: State) -> RulesFault:
    """A seat must act and can do nothing."""
    phase = state.rules.ruleset.phases[state.phase]
    zh = f"阶段“{phase.name}”轮到座位 {state.seat}，可是一步也不能走"
    return RulesFault(
        "HW901", Text(zh, f'in "{phase.name}" it is the turn of seat {state.seat}, and no move is legal'), phase.span
    )


PLAYERS: Mapping[str, Player] = {"random": random_player, "first": first_player}


def seed_of(seed: int, number: int) -> int:
    """The seed of one match of a series."""
    return Random(f"{seed}/{number}").getrandbits(32)


def deals_begun(ruleset: Ruleset, happened: Sequence[str]) -> int:
    """How many deals begin among these events."""
    return sum(1 for text in happened if text.startswith("phase ") and ruleset.phases[text[6:]].begins_deal)


@dataclass(slots=True)
class Tally:
    """A mean in the making."""

    number: int = 0
    total: float = 0

    def add(self, value: float) -> None:
        """One more value."""
        self.number += 1
        self.total += value

    @property
    def mean(self) -> float:
        """The mean; 0 where there is nothing."""
        return self.total / self.number if self.number else 0.0


@dataclass(slots=True)
class Summary:
    """What was counted. ``counts[kind][name]`` has every name of `coverage.parts`, those that never came up with 0;
    ``off`` what the options keep out.

    ``seats[i]`` is the result of a deal for seat i, ``sides`` for each team, and for each seat that the memory names
    (``leader``): whoever it was, and the others. A deal's result is what `returns` gained by it.
    """

    name: str
    title: Text
    seed: int
    players: tuple[str, ...]
    deals: int = 0
    matches: int = 0
    lengths: list[int] = field(default_factory=list)
    counts: Counts = field(default_factory=dict)
    off: dict[str, list[str]] = field(default_factory=dict)
    seats: list[Tally] = field(default_factory=list)
    sides: dict[str, Tally] = field(default_factory=dict)
    words: dict[str, Text] = field(default_factory=dict)  # what the seats in memory are called

    def side(self, name: str) -> Text:
        """A name of ``sides`` in words."""
        if name.startswith("not "):
            word = self.words.get(name[4:], Text(name[4:], name[4:]))
            return Text(f"{word.zh}以外", f"not {word.en}")
        return self.words.get(name, Text(name.replace("team", "队"), name))

    @property
    def never(self) -> dict[str, list[str]]:
        """What never came up, by kind."""
        return never(self.counts)

    def to_json(self) -> dict[str, Any]:
        """The summary as plain data."""
        return {
            "ruleset": self.name,
            "seed": self.seed,
            "players": list(self.players),
            "deals": self.deals,
            "matches": self.matches,
            "moves_per_deal": self.spread,
            "seats": [round(tally.mean, 4) for tally in self.seats],
            "sides": {
                name: {"deals": tally.number, "mean": round(tally.mean, 4)} for name, tally in self.sides.items()
            },
            "counts": {kind: dict(found) for kind, found in self.counts.items()},
            "never": self.never,
            "kept_out": self.off,
        }

    @property
    def spread(self) -> dict[str, float]:
        """How many moves a deal took: the fewest, the median and the most."""
        if not self.lengths:
            return {"min": 0, "median": 0, "max": 0}
        return {"min": min(self.lengths), "median": statistics.median(self.lengths), "max": max(self.lengths)}

    def text(self, lang: str = "en") -> str:
        """The summary for people, in ``"zh"`` or ``"en"``."""

        def pick(zh: str, en: str) -> str:
            return zh if lang == "zh" else en

        spread = self.spread
        players, deals, matches = ", ".join(self.players), self.deals, self.matches
        lines = [
            f"{self.title.in_(lang)} · {self.name}",
            pick(
                f"{deals} 局，{matches} 场，种子 {self.seed}，打牌的：{players}",
                f"{deals} deal{'s' * (deals != 1)} in {matches} match{'es' * (matches != 1)}, "
                f"seed {self.seed}, players: {players}",
            ),
            pick("每局几步：", "moves in a deal: ")
            + pick(
                f"最少 {spread['min']}，居中 {spread['median']:g}，最多 {spread['max']}",
                f"fewest {spread['min']}, median {spread['median']:g}, most {spread['max']}",
            ),
            pick("每局平均得失：", "mean result of a deal: ")
            + ", ".join(pick(f"座位 {i} {t.mean:+.2f}", f"seat {i} {t.mean:+.2f}") for i, t in enumerate(self.seats)),
        ]
        lines += [
            pick(
                f"  {self.side(name).zh} {t.mean:+.2f}（{t.number} 次）",
                f"  {self.side(name).en} {t.mean:+.2f} ({t.number} times)",
            )
            for name, t in self.sides.items()
        ]
        for kind, found in self.counts.items():
            if found:
                lines += ["", KINDS[kind].in_(lang)]
                width = max(len(str(n)) for n in found.values())
                lines += [f"  {n:>{width}}  {name}" for name, n in found.items() if n]
        idle = {kind: [name for name in names if name not in self.off[kind]] for kind, names in self.never.items()}
        for title, missing in (
            (pick("一次也没有出现", "never came up"), idle),
            (pick("按现在的设定不会出现", "kept out by the options"), self.off),
        ):
            if any(missing.values()):
                lines += ["", title]
                kinds = [(KINDS[kind].in_(lang), ", ".join(names)) for kind, names in missing.items() if names]
                lines += [f"  {kind}{pick('：', ': ')}{names}" for kind, names in kinds]
        return "\n".join(lines) + "\n"


def simulate(
    rules: Rules,
    *,
    deals: int,
    seed: int = 0,
    players: Sequence[str] = ("random",),
    progress: Progress = lambda done, total: None,
) -> Summary:
    """Play so many deals, a new match whenever one ends, and count.

    ``players`` are names of `PLAYERS`, the first for seat 0; the last one plays all the seats left.
    """
    names = tuple(players)
    strange = [name for name in names if name not in PLAYERS]
    if strange or not names or len(names) > rules.seats:
        known = ", ".join(PLAYERS)
        text = (
            Text(
                f"没有“{strange[0]}”这样的打牌的人，可以写 {known}",
                f"no player is called {strange[0]}; there are {known}",
            )
            if strange
            else Text(
                f"要写 1 到 {rules.seats} 个打牌的人，这里有 {len(names)} 个",
                f"1 to {rules.seats} players are named, not {len(names)}",
            )
        )
        raise PlayerError(text)
    ruleset = rules.ruleset
    summary = Summary(ruleset.name, ruleset.title, seed, names)
    coverage = Coverage(rules)
    slots = ruleset.memory.values()
    summary.words = {slot.name: slot.text for slot in slots if slot.type.name == "seat" and not slot.index}
    summary.seats = [Tally() for _ in range(rules.seats)]
    seats = [PLAYERS[names[min(i, len(names) - 1)]] for i in range(rules.seats)]
    while summary.deals < deals:
        _Match(rules, summary, seats, seed_of(seed, summary.matches), deals, progress, coverage).play()
        summary.matches += 1
    summary.counts, summary.off = coverage.counts(), kept_out(rules)
    progress(deals, deals)
    return summary


class _Match:
    """One match while it is counted."""

    def __init__(
        self,
        rules: Rules,
        summary: Summary,
        players: Sequence[Player],
        seed: int,
        deals: int,
        progress: Progress,
        coverage: Coverage,
    ) -> None:
        self.rules, self.summary, self.players, self.progress = rules, summary, players, progress
        self.coverage = coverage
        self.deals = deals
        self.seed, self.rng = seed, Random(seed)
        self.state = coverage.start(seed)
        self.prober = Prober(Random(seed))
        slots = rules.ruleset.memory.values()
        self.holders: dict[str, int | None] = {s.name: None for s in slots if s.type.name == "seat" and not s.index}
        self.deal_slots = [slot.name for slot in slots if slot.lifetime == "deal" and slot.name in self.holders]
        self.moves = self.steps = 0
        self.open = False  # whether a deal is going on
        self.before = self.worth()

    def worth(self) -> list[int]:
        """What the match has been worth so far to each seat."""
        program = self.rules.program
        if program.returns is None:
            return [0] * self.rules.seats
        g = self.state.core
        return [program.returns(g, seat) for seat in range(self.rules.seats)]

    def play(self) -> None:
        """Play until the match is over, or there are deals enough."""
        self.note(self.state.happened)
        while not self.state.over and self.summary.deals < self.deals:
            state = self.state
            seat = state.seat
            assert seat is not None
            move = self.players[seat](state, self.rng)
            # Seeded anew each time, so that one more clause changes neither what players do nor the other clauses' counts.
            self.prober.rng.seed(self.seed + self.steps)
            self.prober.probe(state, self.coverage)
            self.state = self.coverage.apply(state, move)
            self.moves += 1
            self.steps += 1
            self.note(self.state.happened)
        if self.state.over:
            self.close()

    def note(self, happened: Sequence[str]) -> None:
        """Note deals that begin, and whom the memory names."""
        for text in happened:
            word, _, rest = text.partition(" ")
            if word == "phase" and rest in self.rules.ruleset.phases:
                if self.rules.ruleset.phases[rest].begins_deal:
                    self.close()
                    self.open = True
            elif word == "set":
                name, _, value = rest.partition(" ")
                if name in self.holders:
                    self.holders[name] = int(value) if value.isdecimal() else None

    def close(self) -> None:
        """The deal that was going on is over."""
        if self.open and self.summary.deals < self.deals:
            worth = self.worth()
            gain = [now - then for now, then in zip(worth, self.before, strict=True)]
            self.before = worth
            self.summary.deals += 1
            self.summary.lengths.append(self.moves)
            self.progress(self.summary.deals, self.deals)
            for seat, value in enumerate(gain):
                self.summary.seats[seat].add(value)
            for name, mean in self.sides(gain):
                self.summary.sides.setdefault(name, Tally()).add(mean)
        self.open, self.moves = False, 0
        self.holders.update(dict.fromkeys(self.deal_slots))

    def sides(self, gain: Sequence[int]) -> Iterator[tuple[str, float]]:
        """The result of each team, and of the seats that the memory names against the others."""
        by_team: dict[int, list[int]] = defaultdict(list)
        for seat, team in enumerate(self.rules.ruleset.seats.teams):
            by_team[team].append(gain[seat])
        yield from ((f"team {team}", statistics.fmean(found)) for team, found in sorted(by_team.items()))
        for name, holder in self.holders.items():
            if holder is not None:
                yield name, gain[holder]
                yield f"not {name}", statistics.fmean([value for other, value in enumerate(gain) if other != holder])

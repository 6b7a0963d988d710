"""Seeded random matches: does play ever get stuck, go on for ever, lose a card or miss a row of a table?"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import groupby
from random import Random
from typing import Any

from .cards.picks import Subsets
from .coverage import Counts, Coverage, Prober, kept_out, never, never_text
from .diagnostics import NOWHERE, Diagnostic, Related, Span, Text
from .diagnostics.codes import CODES
from .diagnostics.steps import with_steps
from .errors import RulesFault
from .game import Rules, State
from .play.judge import TROUBLE, held_by
from .play.legal import LegalMoves, Plain
from .play.move import Move
from .simulate import deals_begun, no_move, random_player, seed_of

LONGEST = 20_000  # moves in one deal
MOST = 5  # different findings, then it stops
CLAUSES = 3  # of those that refuse
SHOWN = 40  # moves of a witness: of more, only how to see them all
WIDE, HUGE = 100_000, 5_000_000  # picks tried one by one: worth telling, and too many to go through
DRAWS, ENOUGH = 200, 20  # of so many draws, so many must be legal, or a match would stand still here


@dataclass(frozen=True, slots=True)
class Wide:
    """A pick that no clause narrows, where it was widest. ``rare``: hardly any of its candidates is legal."""

    candidates: int
    most: int  # cards picked
    cards: int  # picked from
    rare: bool

    def text(self, phase: str, move: str) -> Text:
        """What is not proved of it, with the numbers."""
        stop = Text("；合规矩的太少，没有往下打", "; few are legal, so that no match was played past it")
        rest = stop if self.rare else Text("", "")
        return Text(
            f"“{phase}”里的“{move}”很快就能列完：没有规矩缩小范围，从 {self.cards} 张里拿至多 {self.most} 张，"
            f"有 {self.candidates} 种要一一试过{rest.zh}",
            f'that the moves "{move}" in "{phase}" are found quickly: no clause narrows them, and {self.candidates} sets '
            f"of up to {self.most} of {self.cards} cards are tried one by one{rest.en}",
        )


@dataclass(slots=True)
class Stats:
    """What was played. ``cut`` matches were ended after the number of deals asked for."""

    matches: int = 0
    deals: int = 0
    cut: int = 0
    moves: int = 0
    longest: int = 0  # moves in one deal
    counts: Counts = field(default_factory=dict)  # how often each part of the ruleset had its say
    off: dict[str, list[str]] = field(default_factory=dict)  # what the options keep out
    wide: dict[tuple[str, str], Wide] = field(default_factory=dict)  # by phase and move

    def to_json(self) -> dict[str, Any]:
        """The numbers as plain data."""
        return {
            "matches": self.matches,
            "deals": self.deals,
            "cut": self.cut,
            "moves": self.moves,
            "longest_deal": self.longest,
            "counts": {kind: dict(found) for kind, found in self.counts.items()},
            "never": never(self.counts),
            "kept_out": self.off,
        }

    @property
    def never_text(self) -> list[Text]:
        """What never came up, and what could not."""
        return never_text(self.counts, self.off)

    @property
    def not_proved(self) -> list[Text]:
        """Where listing the moves may take long."""
        return [wide.text(phase, move) for (phase, move), wide in self.wide.items()]

    @property
    def text(self) -> Text:
        """The proof in one line."""
        n, deals, longest = self.matches, self.deals, self.longest
        cut = Text(f"，{self.cut} 场没打到头就停了", f", {self.cut} of them cut short") if self.cut else Text("", "")
        return Text(
            f"随机打了 {n} 场、{deals} 局，都打得下去，牌一张不少（最长一局 {longest} 步{cut.zh}）",
            f"{n} random match{'es' * (n != 1)} of {deals} deal{'s' * (deals != 1)} got through and lost no card "
            f"(longest deal {longest} moves{cut.en})",
        )


@dataclass(slots=True)
class _Found:
    """Findings, one for each code and place, and in how many matches."""

    items: dict[tuple[str, Span, str], Diagnostic] = field(default_factory=dict)
    times: dict[tuple[str, Span, str], int] = field(default_factory=dict)

    def add(self, diagnostic: Diagnostic) -> None:
        # Whose turn it was makes no other fault of a phase in which nothing can be done.
        said = "" if diagnostic.code == "HW901" else diagnostic.message.en
        key = (diagnostic.code, diagnostic.span, said)
        self.items.setdefault(key, diagnostic)
        self.times[key] = self.times.get(key, 0) + 1

    def all(self, matches: int) -> list[Diagnostic]:
        """The findings, each with the number of matches in which it was met."""
        return [_met(item, self.times[key], matches) for key, item in self.items.items()]


def play_matches(
    rules: Rules, matches: int, deals: int, seed: int, progress: Callable[[int, int], None] | None = None
) -> tuple[list[Diagnostic], Stats]:
    """Play random matches, each cut after ``deals`` deals; what went wrong, with the moves that lead there."""
    found, stats, coverage = _Found(), Stats(), Coverage(rules)
    for number in range(matches):
        _match(rules, seed_of(seed, number), deals, found, stats, coverage)
        if progress is not None:
            progress(number + 1, matches)
        if len(found.items) >= MOST:
            break
    if progress is not None:
        progress(matches, matches)
    stats.counts, stats.off = coverage.counts(), kept_out(rules)
    return with_steps(found.all(stats.matches)), stats


def _match(rules: Rules, seed: int, deals: int, found: _Found, stats: Stats, coverage: Coverage) -> None:
    rng, moves, prober = Random(seed), list[Move](), Prober(Random(f"probe {seed}"))
    stats.matches += 1
    state: State | None = None
    try:
        state = coverage.start(seed)
        begun, length = deals_begun(rules.ruleset, state.happened), 0
        while not state.over:
            if begun > deals:
                begun -= 1
                stats.cut += 1
                break
            rules.program.audit(state.core)
            legal = state.legal_moves()
            if _wide(state, legal, seed, stats):
                stats.cut += 1
                break
            if not legal:
                found.add(_stuck(state, seed, moves, prober))
                break
            moves.append(random_player(state, rng))
            prober.probe(state, coverage)
            state = coverage.apply(state, moves[-1])
            length += 1
            stats.moves += 1
            new = deals_begun(rules.ruleset, state.happened)
            begun += new
            length = 0 if new else length
            stats.longest = max(stats.longest, length)
            if length > LONGEST:
                found.add(_too_long(rules, state, seed, moves))
                break
        stats.deals += begun
    except RulesFault as fault:
        span = fault.place if fault.place != NOWHERE or state is None else _span(rules, state)
        code = fault.code if fault.code in CODES else "HW903"
        found.add(Diagnostic(code, fault.text, span, witness=_witness(rules, seed, moves)))
    except AssertionError as fault:
        span = _span(rules, state) if state is not None else rules.ruleset.span
        text = Text(f"牌少了或多了：{str(fault).partition(': ')[2]}", f"{fault}")
        found.add(Diagnostic("HW903", text, span, witness=_witness(rules, seed, moves)))


def _wide(state: State, legal: LegalMoves, seed: int, stats: Stats) -> bool:
    """Note the wide picks on offer; whether one of them could keep the match for minutes."""
    stuck = False
    for offer in legal.offers:
        if isinstance(offer, Plain) or not offer.tests or not isinstance(offer.subsets, Subsets) or offer.size <= WIDE:
            continue
        rng, key = Random(f"wide {seed}"), (state.phase, offer.made.name)
        try:
            passed = sum(offer.passes(*offer.at(rng.randrange(offer.size))) for _ in range(DRAWS))
        except TROUBLE as error:
            raise state.rules.program.fault(error) from error
        rare = passed < ENOUGH and offer.size > HUGE
        last = stats.wide.get(key)
        if last is None or last.candidates < offer.size or (rare and not last.rare):
            cards = state.rules.program.layout.pack.count(offer.hand)
            stats.wide[key] = Wide(offer.size, offer.subsets.high, cards, rare or (last is not None and last.rare))
        stuck = stuck or rare
    return stuck


def _span(rules: Rules, state: State) -> Span:
    return rules.ruleset.phases[state.phase].span


def _stuck(state: State, seed: int, moves: list[Move], prober: Prober) -> Diagnostic:
    fault = no_move(state)
    against = tuple(Related(reason.text, reason.place) for reason in prober.refusals(state) if reason.place != NOWHERE)
    hint = Text(
        "给这个阶段一个任何时候都能做的动作，或放宽规矩",
        "give the phase a move that is always possible, or relax a clause",
    )
    if not _holds(state):
        even = Text("这一家没有牌了：看看各家是不是一样多", "this seat has no cards left: see whether all get as many")
        hint, against = even, ()
    witness = _witness(state.rules, seed, moves)
    return Diagnostic(fault.code, fault.text, fault.place, against[:CLAUSES], witness, (hint,))


def _holds(state: State) -> bool:
    """Whether the seat to act has a card where any move would pick one."""
    picking = [made for made in state.rules.program.phases[state.core.phase].moves.values() if made.zone is not None]
    return not picking or any(held_by(state.core, state.seat or 0, made) for made in picking)


def _too_long(rules: Rules, state: State, seed: int, moves: list[Move]) -> Diagnostic:
    return Diagnostic(
        "HW902",
        Text(f"一局打了 {LONGEST} 步还没完", f"a deal went on for {LONGEST} moves"),
        _span(rules, state),
        witness=_witness(rules, seed, moves),
        help=(
            Text(
                "看看它在哪几个阶段里转，给其中一个写 measure: 每绕一圈都变小的数",
                "see which phases it goes round in, and give one of them a measure: a number that falls each time",
            ),
        ),
    )


def _met(item: Diagnostic, times: int, matches: int) -> Diagnostic:
    """A finding with the number of matches that met it, where these were several."""
    if times == 1 or item.witness is None:
        return item
    zh, en = f"{matches} 场里有 {times} 场这样，如", f"in {times} of {matches} matches, such as "
    return replace(item, witness=Text(zh + item.witness.zh, en + item.witness.en))


def _witness(rules: Rules, seed: int, moves: list[Move]) -> Text:
    """How to get there: the seed, the moves if they are few, and the command that tells the match from its start."""
    if not moves:
        return Text(f"种子 {seed}：一步还没走", f"seed {seed}: before the first move")
    runs = [f"{move} ×{n}" if n > 1 else move for move, same in groupby(map(str, moves)) for n in [len([*same])]]
    shown = f": {'; '.join(runs)}" if len(runs) <= SHOWN else ""
    n, again = len(moves), f"hongwu-rules simulate {named(rules)} --seed {seed} --transcript"
    return Text(
        f"种子 {seed}，走了 {n} 步{shown.replace(': ', '：', 1)}。从头看：{again}",
        f"seed {seed}, after {n} move{'s' * (n != 1)}{shown}. To see it from the start: {again}",
    )


def named(rules: Rules) -> str:
    """A ruleset as a command line names it, with its overlays and the settings that are not the defaults."""
    words = [shlex.quote(rules.sources.main), *(f"--with {shlex.quote(one)}" for one in rules.sources.overlays)]
    for name, option in rules.ruleset.options.items():
        value, default = rules.options[name], option.type.words[option.default] if option.type.words else option.default
        if value != default:
            words.append(f"--set {name}={str(value).lower() if isinstance(value, bool) else value}")
    return " ".join(words)

"""The interface for those who embed the interpreter: load a ruleset, start a match, ask, apply, look.

>>> import hongwu_rules as hw
>>> from random import Random
>>> rules = hw.load(hw.rulesets()[0])
>>> state = rules.start(seed=7)
>>> move = state.legal_moves().sample(Random(7))
>>> bool(state.judge(move)), state.over
(True, False)
>>> state = state.apply(move)
>>> len(state.events_for(None)) > 0
True
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import cards as deck
from .compile.build import compile_ruleset
from .compile.hidden import HIDDEN, Hidden
from .compile.layout import SlotPlace
from .compile.program import Program
from .diagnostics import RulesetError, Text
from .diagnostics.nearest import nearest
from .errors import DamagedState, HiddenRead, HongwuError, NotExpected, NotThere, PositionError, quoted
from .loading import Report, check
from .model import Ruleset
from .overlay.library import Library, Sources, bundled_names
from .play import machine, positions, views
from .play.events import event_json, event_text, events_seen
from .play.hints import judged
from .play.judge import examine
from .play.legal import LegalMoves, clock_move
from .play.move import Move, as_move
from .play.reading import index_of, listed, seed_of
from .play.state import State as Core
from .play.state import entries, logged, opened, sealed
from .play.verdict import IllegalMove, Verdict
from .play.wordings import wordings

SET_UP = {"position": True}  # the first line of a log that no deal began
MoveLike = Move | str | Mapping[str, Any]


def rulesets() -> list[str]:
    """The names of the bundled rulesets."""
    return bundled_names()


def load(
    ruleset: str | Path,
    *,
    options: Mapping[str, object] | None = None,
    overlays: str | Path | Sequence[str | Path] = (),
    library: Library | None = None,
) -> Rules:
    """A ruleset, checked and compiled: a path, or a bundled name with or without ``.yaml``.

    ``options`` maps names to values, ``overlays`` are files laid over it (one alone may stand by itself). Raises RulesetError, whose
    ``diagnostics`` say what is wrong and where; OptionError; SourceIOError for a file that cannot be read.
    """
    over = [overlays] if isinstance(overlays, str | Path) else overlays
    return rules_of(check(ruleset, options=options, overlays=over, library=library))


def rules_of(report: Report) -> Rules:
    """The rules of a check that found no error; RulesetError otherwise."""
    if report.ruleset is None or report.sources is None:
        raise RulesetError(report.errors)
    return Rules(compile_ruleset(report.ruleset, report.settings), report.sources)


class Rules:
    """One ruleset under fixed options."""

    __slots__ = ("__weakref__", "program", "sources")

    def __init__(self, program: Program, sources: Sources) -> None:
        self.program = program
        self.sources = sources

    # ------------------------------------------------------------ what it is
    @property
    def ruleset(self) -> Ruleset:
        """The model: everything the file says."""
        return self.program.ruleset

    @property
    def name(self) -> str:
        """Its name, such as the file says it."""
        return self.ruleset.name

    @property
    def title(self) -> dict[str, str]:
        """Its title: ``{"zh": …, "en": …}``."""
        return {"zh": self.ruleset.title.zh, "en": self.ruleset.title.en}

    @property
    def seats(self) -> int:
        """How many seats."""
        return self.program.layout.seats

    @property
    def options(self) -> dict[str, Any]:
        """The options in force, words as words."""
        return views.options_json(self.program)

    @property
    def digest(self) -> str:
        """A short text that changes whenever the rules or the options do."""
        return self.program.digest

    @property
    def words(self) -> dict[str, dict[str, dict[str, str]]]:
        """What names are called: ``phases moves options words memory zones shapes suits cards``, each by name.

        ``words`` has what options and moves are chosen from, as far as that is words of the ruleset. What a file gives
        no wording for is called by its name.

        >>> rules = load(rulesets()[0])
        >>> sorted(rules.words)
        ['cards', 'memory', 'moves', 'options', 'phases', 'shapes', 'suits', 'words', 'zones']
        >>> rules.words["cards"]["HK"]["zh"]
        '红桃K'
        """
        return wordings(self.program)

    def __repr__(self) -> str:
        return f"<Rules {self.name} {self.digest}>"

    def __eq__(self, other: object) -> bool:
        return self.digest == other.digest if isinstance(other, Rules) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.digest)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rules, sealed((self.program, self.sources))

    # ------------------------------------------------------------ states
    def start(self, *, seed: int = 0, deals: Sequence[Any] = ()) -> State:
        """The first state of a match.

        ``deals`` are dealt cards for its first deals: the cards of the deck from the top, as a text or a
        list of names, or the hands as ``{"hand": {0: "H7 …", …}}``. PositionError where they do not fit.
        """
        self._game()
        return State(
            self, machine.start(self.program, seed=seed_of(seed), deals=self._deals(deals) if deals != () else ())
        )

    def position(self, given: Mapping[str, Any]) -> State:
        """A state from a partial description: ``phase seat memory zones trick round deals seed``.

        What is left out has its start value, and a hand that nobody gave is unknown: a rule that needs
        it raises HiddenRead. PositionError where the description does not fit the ruleset. A position has no
        log of how it came about, so ``replay`` refuses the log of what follows.
        """
        self._game()
        if not isinstance(given, Mapping):
            raise PositionError(Text("局面要写成 {phase: …, zones: …}", "a position is {phase: …, zones: …}"))
        deals = self._deals(given.get("deals"))
        rest = {key: value for key, value in given.items() if key != "deals"}
        if deals and "phase" not in rest:
            return self.start(seed=rest.get("seed", 0), deals=given["deals"])
        return State(self, positions.position(self.program, rest, deals=deals))

    def from_view(self, view: Mapping[str, Any]) -> State:
        """The state as far as a view tells it. For its seat ``judge`` gives the same verdicts.

        What it does not tell is unknown: other hands, and what chance will bring. Whatever needs it raises HiddenRead.
        """
        return State(self, positions.from_view(self.program, view))

    def from_json(self, text: str | bytes) -> State:
        """The state of ``State.to_json``; OtherRuleset or DamagedState if it is not one."""
        return State(self, positions.from_json(self.program, text))

    def replay(self, log: Mapping[str, Any] | str) -> State:
        """The state that a log leads to; OtherRuleset or DamagedState if it does not belong here or breaks off."""
        body = positions.parse_saved(log) if isinstance(log, str | bytes) else positions.saved(log)
        if not {"seed", "deals", "moves"} <= set(body) or not isinstance(body["moves"], list):
            raise DamagedState(Text("这不是一份记录", "this is no log"))
        positions.belongs(self.program, body)
        if SET_UP in body["moves"]:
            text = Text("这份记录从摆出来的局面开始，不从发牌开始", "this log begins with a position, not with a deal")
            raise DamagedState(text)
        line = 0
        try:
            state = self.start(seed=body["seed"], deals=body["deals"])
            for step in body["moves"]:
                line += 1
                state = state.follow(step)
        except (HongwuError, KeyError, TypeError, ValueError, AttributeError) as error:
            raise positions.broken_line(line, error) from error
        return state

    def _game(self) -> None:
        """Refuse to play what is only material for other rulesets."""
        if self.ruleset.abstract:
            raise NotExpected(
                Text(
                    f"“{self.name}”只供别的规则取用（abstract: true），自己不能打",
                    f'"{self.name}" is material for other rulesets (abstract: true), not itself a game',
                )
            )

    def _deals(self, deals: Any) -> list[Any]:
        """Deals as card ids."""
        return [self._deal(deal) for deal in listed(deals, "deals")]

    def _deal(self, deal: Any) -> Any:
        if not isinstance(deal, Mapping):
            return _ids(deal)
        return {name: self._hands(value) if isinstance(value, Mapping) else _ids(value) for name, value in deal.items()}

    def _hands(self, given: Mapping[Any, Any]) -> dict[int, list[int]]:
        hands: dict[int, list[int]] = {}
        for seat, held in given.items():
            index = index_of(seat, self.seats)
            if index is None:
                raise PositionError(Text(f"没有座位 {quoted(seat)}", f"there is no seat {quoted(seat)}"))
            hands[index] = _ids(held)
        return hands


def _rules(data: bytes, seal: bytes) -> Rules:
    return Rules(*opened(data, seal))


def _not_there(section: str, name: object, known: Iterable[str]) -> NotThere:
    names = list(known)
    near = nearest(name, names) if isinstance(name, str) else None
    zh, en = (
        (f"是不是“{near}”？", f'did you mean "{near}"?')
        if near
        else (f"有：{'、'.join(names)}", f"there are: {', '.join(names)}")
    )
    return NotThere(Text(f"{section} 里没有 {quoted(name)}；{zh}", f"there is no {quoted(name)} in {section}; {en}"))


def _ids(value: Any) -> list[int]:
    try:
        return deck.parse_cards(value)
    except (deck.CardError, TypeError, AttributeError):
        text = Text(f"这里要写牌，不是 {quoted(value)}", f"cards are expected here, not {quoted(value)}")
        raise PositionError(text) from None


class State:
    """A state of a match: a value. Nothing that follows changes it; equal positions are equal and hash alike."""

    __slots__ = ("core", "rules")

    def __init__(self, rules: Rules, core: Core) -> None:
        self.rules = rules
        self.core = core

    # ------------------------------------------------------------ where play stands
    @property
    def phase(self) -> str:
        """The name of the phase."""
        return self.rules.program.phases[self.core.phase].name

    @property
    def seat(self) -> int | None:
        """The seat to act; None when nobody is."""
        return self.core.seat

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        core = self.core
        return core.seat is None and core.program.phases[core.phase].kind == "final"

    @property
    def returns(self) -> list[int] | None:
        """The value of the match for each seat, once it is over."""
        return views.returns(self.core)

    # ------------------------------------------------------------ moves
    def legal_moves(self) -> LegalMoves:
        """What the seat to act may do: lazy; ``bool``, ``in``, ``count``, ``sample`` and iteration."""
        return LegalMoves(self.core)

    def judge(self, move: MoveLike) -> Verdict:
        """Whether a move is legal, and every reason why not. Never raises for an illegal move.

        ``reason.hint`` of a reason says what would do instead, as far as the seat to act may know.
        MoveError for what is no move at all, HiddenRead where a rule needs what this state does not know.
        """
        return judged(self.core, as_move(move))

    def apply(self, move: MoveLike) -> State:
        """The state after a move; IllegalMove, with its verdict, if it may not be made."""
        core = self.core
        found = core.found
        if found is not None and found[0] is move:
            return State(self.rules, machine.advance(core, *found[1]))
        made = move if type(move) is Move else as_move(move)
        read = examine(core, made)
        if read is None:
            raise IllegalMove(made, judged(core, made))
        return State(self.rules, machine.advance(core, *read))

    def timeout(self) -> State:
        """The state after the clock ran out for the seat to act: the first legal move of those that the phase names."""
        if self.seat is None:
            raise NotExpected(machine.NOBODY)
        read = clock_move(self.core)
        if read is None and self.rules.program.phases[self.core.phase].model.timeout:
            raise NotExpected(
                Text("超时该做的动作现在都不能做", "no move that this phase names for the clock is legal now")
            )
        if read is None:
            raise NotExpected(Text("这个阶段没有写超时怎么办", "this phase names no move for a seat whose time is up"))
        return State(self.rules, machine.advance(self.core, *read, timeout=True))

    def leave(self, seat: int) -> State:
        """The state after a player has gone for good, as the ruleset says; NotExpected if it says nothing."""
        self._viewer(-1 if seat is None else seat)
        return State(self.rules, machine.leave(self.core, seat))

    def follow(self, line: Mapping[str, Any]) -> State:
        """The state after one line of a log."""
        if "leave" in line:
            return self.leave(line["leave"])
        if line.get("timeout"):
            return self.timeout()
        if line.get("seat") != self.seat:
            raise NotExpected(
                Text(
                    f"轮到 {self.seat}，不是 {line.get('seat')}",
                    f"it is seat {self.seat}'s turn, not {line.get('seat')}'s",
                )
            )
        return self.apply({key: value for key, value in line.items() if key != "seat"})

    # ------------------------------------------------------------ looking
    def view(self, seat: int | None) -> dict[str, Any]:
        """What a seat (None: an onlooker) may see, and what it may be asked: JSON-safe."""
        self._viewer(seat)
        return views.view(self.core, seat)

    @property
    def events(self) -> list[dict[str, Any]]:
        """Everything the last step did, in order: deals, plays, tricks won, phases entered, rows applied."""
        return [event_json(self.rules.program, event) for event in self.core.events]

    @property
    def happened(self) -> list[str]:
        """The events of the last step in their short form: ``play 1 H7 H7``, ``row by_place first``."""
        return [event_text(self.rules.program, event) for event in self.core.events]

    def events_for(self, seat: int | None) -> list[dict[str, Any]]:
        """The events of the last step as a seat (None: an onlooker) may see them."""
        self._viewer(seat)
        return events_seen(self.rules.program, self.core.events, seat)

    def _viewer(self, seat: int | None) -> None:
        if seat is not None and (
            isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < self.rules.seats
        ):
            most = self.rules.seats - 1
            raise PositionError(
                Text(
                    f"没有座位 {quoted(seat)}，座位是 0 到 {most}",
                    f"there is no seat {quoted(seat)}: seats are 0 to {most}",
                )
            )

    def value(self, name: str, *index: int) -> Any:
        """A memory slot, for referees and tests: its value, or without an index a mapping of all its values.

        HiddenRead if it is not known, NotThere for a name or an index that the ruleset does not have.
        """
        slots = self.rules.program.layout.slots
        place = slots.get(name)
        if place is None:
            raise _not_there("memory", name, slots)
        if not index and place.sizes:
            found = {key: self._told(place, key) for key in place.indices()}
            return {key[0]: value for key, value in found.items()} if len(place.sizes) == 1 else found
        key = [index_of(part, size) for part, size in zip(index, place.sizes, strict=False)]
        if len(index) != len(place.sizes) or None in key:
            sizes = " × ".join(f"0–{size - 1}" for size in place.sizes) or "-"
            said = quoted(list(index))
            raise NotThere(
                Text(f"“{name}”没有下标 {said}，下标是：{sizes}", f'"{name}" has no index {said}; it goes by: {sizes}')
            )
        return self._told(place, index)

    def _told(self, place: SlotPlace, key: tuple[int, ...]) -> Any:
        value = self.core.m[place.at(*key)]
        if value is HIDDEN:
            name = place.slot.name
            raise HiddenRead(Text(f"不知道“{name}”的这一项", f'this state does not know this value of "{name}"'))
        return self.rules.program.encode(place.slot.type, value)

    def cards(self, zone: str, seat: int | None = None) -> list[str]:
        """The cards of a zone by name, for referees and tests; a pile from the top. HiddenRead if unknown."""
        zones = self.rules.program.layout.zones
        place = zones.get(zone)
        index = 0 if seat is None else index_of(seat, place.size if place is not None else 0)
        if place is None:
            raise _not_there("zones", zone, zones)
        if index is None or (seat is None and place.zone.per_seat):
            said, most = quoted(seat), place.size - 1
            raise NotThere(
                Text(
                    f"“{zone}”每家一份，要写座位 0 到 {most}，不是 {said}",
                    f'"{zone}" is one for each seat, 0 to {most}, not {said}',
                )
                if place.zone.per_seat
                else Text(f"“{zone}”不分座位，不用写 {said}", f'"{zone}" is not one for each seat: leave out {said}')
            )
        number = place.base + index
        held = self.core.z[number]
        if type(held) is Hidden:
            raise HiddenRead(Text(f"不知道“{zone}”里是什么牌", f'this state does not know the cards of "{zone}"'))
        return views.zone_names(self.rules.program, number, held)

    @property
    def trick(self) -> dict[str, Any] | None:
        """The trick on the table: its plays in order, and whose is the best so far."""
        return views.trick_json(self.rules.program, self.core.trick)

    # ------------------------------------------------------------ keeping
    @property
    def log(self) -> dict[str, Any]:
        """Ruleset, options, seed or dealt cards, and every move: ``rules.replay(state.log) == state``.

        The log of a position that was described, or of a view, begins there; no match can be replayed from it.
        """
        return positions.log_json(self.core)

    def to_json(self) -> str:
        """The state as a text that ``rules.from_json`` reads; it carries the log and a checksum."""
        return positions.to_json(self.core)

    def __eq__(self, other: object) -> bool:
        return self.core == other.core if isinstance(other, State) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.core)

    def __repr__(self) -> str:
        return f"<State {self.rules.name} {self.phase} seat={self.seat}>"

    def __reduce__(self) -> tuple[Any, ...]:
        core = self.core
        return _state, (self.rules, *sealed((core.position, core.events, entries(core), core.origin)))


def _state(rules: Rules, data: bytes, seal: bytes) -> State:
    if not isinstance(rules, Rules):
        raise DamagedState(Text("保存的内容被改过或不完整", "what was saved was changed or cut off"))
    position, events, lines, origin = opened(data, seal)
    return State(rules, Core(rules.program, position, events, logged(lines), origin))


__all__ = ["IllegalMove", "LegalMoves", "Move", "MoveLike", "Rules", "State", "load", "rulesets"]

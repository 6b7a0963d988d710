"""A match as text that people can read in Chinese and English, and that can be played again from its own lines.

Each visit to a phase is one line: ``出牌 · lead | 2: play H9``. What a move or a phase did stands behind it. The text
tells everything, all hands too: it is for referees, tests and for looking at a game afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from .game import Rules, State
from .play.move import parse_move, written
from .simulate import random_player
from .trials import LONGEST

_MOVE = re.compile(r"(\d+): ([^()]+)(?: \(.*\))?")


class Transcript:
    """The text of a match while it is played.

    >>> from random import Random
    >>> import hongwu_rules as hw
    >>> written = Transcript(hw.load(hw.rulesets()[0]), seed=3)
    >>> move = written.state.legal_moves().sample(Random(3))
    >>> written.play(move)
    >>> str(move) in written.lines()[-1]
    True
    """

    def __init__(self, rules: Rules, *, seed: int = 0) -> None:
        self.rules = rules
        self.seed = seed
        self.state: State = rules.start(seed=seed)
        self.deals = 0
        self._lines: list[str] = []
        self._phase = ""
        self._items: list[str] = []
        self._below: list[str] = []
        self._known: dict[str, Any] = {}
        self._take(self.state.events)

    def play(self, move: Any) -> None:
        """One more move."""
        self.state = self.state.apply(move)
        self._take(self.state.events)

    def lines(self) -> list[str]:
        """All lines so far."""
        return [*self._head(), *self._lines, *self._open(), *self._end()]

    # ------------------------------------------------------------------ writing

    def _head(self) -> list[str]:
        title = self.rules.ruleset.title
        moves = {m.name: m.text for phase in self.rules.ruleset.phases.values() for m in phase.moves.values()}
        return [
            f"# {title.zh} · {title.en}",
            *(f"# {name}: {text.zh} · {text.en}" for name, text in moves.items()),
            f"ruleset {self.rules.name}",
            f"seed {self.seed}",
        ]

    def _end(self) -> list[str]:
        returns = self.state.returns
        return [] if returns is None else [f"结果 · returns: {' '.join(map(str, returns))}"]

    def _open(self) -> list[str]:
        """The line of the phase that play is in."""
        if not self._phase:
            return []
        text = self.rules.ruleset.phases[self._phase].text
        label = text.zh if text.zh == text.en else f"{text.zh} · {text.en}"
        return [label + (f" | {'; '.join(self._items)}" if self._items else ""), *self._below]

    def _take(self, events: list[dict[str, Any]]) -> None:
        move = ""
        notes: list[str] = []

        def close() -> None:
            if move:
                self._items.append(move + (f" ({', '.join(notes)})" if notes else ""))
            else:
                self._items.extend(notes)

        played: list[str] = []
        for event in events:
            match event:
                case {"event": "phase", "phase": phase}:
                    close()
                    move, notes = "", []
                    self._lines += self._open()
                    self._phase, self._items, self._below = phase, [], []
                    if self.rules.ruleset.phases[phase].begins_deal:
                        self.deals += 1
                        memory = self.rules.ruleset.memory
                        kept = {k: v for k, v in self._known.items() if memory[k.split("[")[0]].lifetime == "match"}
                        self._known = kept
                        self._lines += ["", f"==== 第 {self.deals} 局 · deal {self.deals}"]
                case {"event": "made", "seat": seat, "move": name}:
                    played = event.get("cards", [])
                    move = f"{seat}: {written(name, played, event.get('choice'), picks='cards' in event)}"
                case {"event": "play", "cards": cards} if cards == played:
                    pass
                case _:
                    notes += self._note(event)
        close()

    def _note(self, event: Mapping[str, Any]) -> Iterator[str]:
        """What happened, in a few words."""
        cards = " ".join(event.get("cards", ()))
        match event["event"]:
            case "set":
                index = f"[{', '.join(map(str, event['index']))}]" if "index" in event else ""
                slot = self.rules.ruleset.memory[event["slot"]]
                name, value = slot.name + index, event["value"]
                if self._known.get(name, 0 if slot.type.name in ("int", "bool") else None) != value:
                    yield f"{'' if slot.text.zh == slot.name else slot.text.zh + ' '}{name} = {_word(value)}"
                self._known[name] = value
            case "row":
                yield f"表 · table {event['table']}: {event['row']}"
            case "shuffle":
                yield "洗牌 · shuffled"
            case "deal":
                yield "发牌 · dealt"
                self._below += [
                    f"    {event['zone']}[{seat}]: {' '.join(hand['cards'])}"
                    for seat, hand in enumerate(event["hands"])
                ]
            case "move":
                yield f"{event['from']} → {event['to']}: {cards}"
            case "trick":
                yield f"{event['seat']} 赢 · wins"
            case "play":
                yield f"{event['seat']} 出 · plays {cards}"
            case "show":
                yield f"{'' if event['seat'] is None else str(event['seat']) + ' '}亮 · shows {cards}"
            case "timeout":
                yield f"{event['seat']} 超时 · out of time"
            case "leave":
                yield f"{event['seat']} 离开 · leaves"


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return " ".join(value) or "-"
    return "none" if value is None else str(value)


def transcript(rules: Rules, *, seed: int = 0, deals: int = 1) -> str:
    """A match of random players, cut after so many deals."""
    written = Transcript(rules, seed=seed)
    tell(written, deals)
    return told(written, deals)


def tell(written: Transcript, deals: int) -> None:
    """Let random players play so many deals on; what was told stays told if the rules fail."""
    rng, deal, length = Random(written.seed), written.deals, 0
    while not written.state.over and written.deals <= deals and length <= LONGEST:
        written.play(random_player(written.state, rng))
        deal, length = written.deals, length + 1 if deal == written.deals else 0


def told(written: Transcript, deals: int) -> str:
    """The text so far, without what belongs to a later deal."""
    return "\n".join(_cut(written.lines(), deals)) + "\n"


def replayed(rules: Rules, text: str) -> str:
    """The transcript of the match that a transcript tells, made by playing its moves again."""
    lines = text.splitlines()
    told = dict(line.split(" ", 1) for line in lines if re.match(r"(seed|ruleset) ", line))
    written = Transcript(rules, seed=int(told["seed"]))
    for line in lines:
        for item in line.partition(" | ")[2].split("; "):
            if (found := _MOVE.fullmatch(item)) is not None:
                written.play(parse_move(found.group(2)).to_json())
    return "\n".join(_cut(written.lines(), sum(line.startswith("==== ") for line in lines))) + "\n"


def _cut(lines: list[str], deals: int) -> list[str]:
    """The lines without those of a later deal."""
    after = [number for number, line in enumerate(lines) if line.startswith("==== ")][deals:]
    return [*lines[: after[0] - 1], "", "…"] if after else lines

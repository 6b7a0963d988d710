"""A scenario file to a value; whatever is wrong in it is a finding with its place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ..cards import CardError, parse_cards
from ..diagnostics import Findings, RulesetError, Span, Text
from ..diagnostics.nearest import nearest
from ..errors import MoveError
from ..play.move import Move, parse_move
from ..source.nodes import Entry, Mapping, Node, Scalar, Sequence, plain
from ..source.reader import parse

START = Text("一份场景从 given: 和 cases: 写起", "a scenario begins with given: and cases:")
TOP = ("cite", "about", "given", "cases")
GIVEN = ("ruleset", "with", "options", "phase", "seat", "memory", "zones", "trick", "round", "deals", "seed")
CASE = ("try", "legal", "illegal", "do", "then")
THEN = ("phase", "seat", "over", "memory", "zones", "returns", "moves", "count", "events", "sees")
POSITION = ("phase", "seat", "memory", "zones", "trick", "round", "deals")


class ScenarioError(RulesetError):
    """Scenario files that cannot be used; ``diagnostics`` says why, each with its place."""


class Happening(NamedTuple):
    """One thing that is done: a move, or an event of a front-end."""

    word: str  # "move", "timeout" or "leave"
    move: Move | None = None
    seat: int = 0

    def __str__(self) -> str:
        return str(self.move) if self.word == "move" else self.word if self.word == "timeout" else f"leave {self.seat}"


class Wanted(NamedTuple):
    """One thing that must hold at the end of a case."""

    key: str
    value: Any
    span: Span


@dataclass(frozen=True, slots=True)
class Given:
    """Where a scenario starts. ``position`` is what `Rules.position` takes."""

    ruleset: str
    overlays: tuple[str, ...]
    options: dict[str, Any]
    position: dict[str, Any]
    seed: int
    span: Span

    @property
    def whole_match(self) -> bool:
        """Whether a match is started, instead of a position set up."""
        return "phase" not in self.position


@dataclass(frozen=True, slots=True)
class Case:
    """One thing to try (``tried``), or to do and to look at (``done``, ``then``).

    ``clauses`` are the reasons that must be among those given; None: the move must be legal.
    """

    number: int
    span: Span
    tried: Move | None = None
    clauses: tuple[str, ...] | None = None
    done: tuple[Happening, ...] = ()
    then: tuple[Wanted, ...] = ()

    @property
    def name(self) -> str:
        """The case in a few words: what is done."""
        what = f"try {self.tried}" if self.tried is not None else "do " + (", ".join(map(str, self.done)) or "-")
        return what if len(what) <= 60 else what[:57] + "…"


@dataclass(frozen=True, slots=True)
class Scenario:
    """A whole file."""

    file: str
    cite: tuple[str, ...]
    about: Text
    given: Given
    cases: tuple[Case, ...]


def read_scenario(name: str, data: bytes, findings: Findings, *, ruleset: str = "") -> Scenario | None:
    """The scenario that a file holds; None after noting in ``findings`` why it cannot be used.

    ``ruleset`` is the one to use where the file names none.
    """
    before = len(findings.items)
    _, root = parse(name, data, findings)
    if root is None:
        if findings.items[before:] and findings.items[-1].code == "HW007":  # it is no ruleset that is missing here
            findings.items[-1] = replace(findings.items[-1], help=(START,))
        return None
    found = _File(findings).read(name, root, ruleset)
    return found if len(findings.items) == before else None


def _text(node: Node | None) -> str:
    return str(node.value) if isinstance(node, Scalar) and node.value is not None else ""


@dataclass(slots=True)
class _File:
    findings: Findings

    def wrong(self, node: Node | Entry, zh: str, en: str, code: str = "HW103") -> None:
        self.findings.add(code, node.key.span if isinstance(node, Entry) else node.span, zh, en)

    def keys(self, node: Mapping, known: tuple[str, ...]) -> None:
        for entry in node:
            if entry.key.value in known:
                continue
            word = str(entry.key.value)
            near = nearest(word, known)
            hint = (Text(f"是不是 {near} ？", f"did you mean {near}?"),) if near else ()
            have = Text("这里可以写：" + "、".join(known), "here stand: " + ", ".join(known))
            self.findings.add(
                "HW101",
                entry.key.span,
                f"场景里没有“{word}”这个键",
                f'a scenario has no key "{word}"',
                help=(*hint, have),
            )

    def read(self, name: str, root: Mapping, ruleset: str) -> Scenario:
        self.keys(root, TOP)
        given = root.get("given")
        if not isinstance(given, Mapping):
            self.wrong(given or root, "要写 given，说明从哪里开始", "given is missing: say where to start", "HW102")
            given = Mapping((), root.span)
        about = root.get("about")
        zh, en = (_text(about.get("zh")), _text(about.get("en"))) if isinstance(about, Mapping) else ("", "")
        if not zh or not en:
            self.wrong(about or root, "about 要有 zh 和 en 两句话", "about needs a sentence in zh and in en", "HW102")
        cases = root.get("cases")
        if not isinstance(cases, Sequence) or not cases.items:
            self.wrong(cases or root, "cases 要是一列例子，至少一个", "cases is a list with at least one case", "HW102")
            cases = Sequence((), root.span)
        cite = root.get("cite")
        return Scenario(
            name,
            tuple(_text(cite).replace(",", " ").split()),
            Text(zh, en),
            self.given(given, ruleset),
            tuple(self.case(number, item) for number, item in enumerate(cases.items, 1)),
        )

    # ------------------------------------------------------------------ given

    def given(self, node: Mapping, ruleset: str) -> Given:
        self.keys(node, GIVEN)
        over = node.get("with")
        overlays = [_text(item) for item in over.items] if isinstance(over, Sequence) else _text(over).split()
        options = node.get("options")
        if options is not None and not isinstance(options, Mapping):
            self.wrong(options, "options 要写成 名字: 值", "options is written NAME: VALUE")
        seed = node.get("seed")
        if seed is not None and not (isinstance(seed, Scalar) and type(seed.value) is int):
            self.wrong(seed, "seed 要是一个整数", "seed is a whole number")
        position = {entry.key.value: plain(entry.value) for entry in node if entry.key.value in POSITION}
        for key, check in (("zones", self.zones), ("trick", self.trick), ("round", self.round), ("deals", self.deals)):
            if (part := node.get(key)) is not None:
                check(part)
        if (memory := node.get("memory")) is not None and not isinstance(memory, Mapping):
            self.wrong(memory, "memory 要写成 名字: 值", "memory is written NAME: VALUE")
        return Given(
            _text(node.get("ruleset")) or ruleset,
            tuple(overlays),
            plain(options) if isinstance(options, Mapping) else {},
            position,
            seed.value if isinstance(seed, Scalar) and isinstance(seed.value, int) else 0,
            node.span,
        )

    def cards(self, node: Node | None, at: Node) -> None:
        """Cards as a text or a list of names."""
        if isinstance(node, Scalar) and node.value is None:
            return
        items = node.items if isinstance(node, Sequence) else (node,)
        for item in items:
            if not isinstance(item, Scalar) or item.value is None:
                self.wrong(item or at, "这里要写牌，如 S5 S10", "cards are expected here, as in S5 S10")
                continue
            try:
                parse_cards(str(item.value))
            except CardError as fault:
                self.wrong(item, f"没有“{fault.word}”这张牌", f'there is no card "{fault.word}"', "HW201")

    def zones(self, node: Node) -> None:
        """Zones with their cards, per seat or not."""
        if not isinstance(node, Mapping):
            self.wrong(node, "写成 hand: {0: 牌, 1: 牌} 这样", "written as in hand: {0: CARDS, 1: CARDS}")
            return
        for zone in node:
            if not isinstance(zone.value, Mapping):
                self.cards(zone.value, node)
                continue
            for seat in zone.value:
                if type(seat.key.value) is not int:
                    self.wrong(seat, "座位要写数，如 0", "a seat is a number, as in 0")
                self.cards(seat.value, node)

    def trick(self, node: Node) -> None:
        for play in node.items if isinstance(node, Sequence) else ():
            if isinstance(play, Mapping):
                self.keys(play, ("seat", "cards"))
                self.cards(play.get("cards"), play)
            else:
                self.wrong(play, "每手写成 {seat: 0, cards: 牌}", "each play is written {seat: 0, cards: CARDS}")
        if not isinstance(node, Sequence):
            self.wrong(node, "trick 是一列出牌", "trick is a list of plays")

    def round(self, node: Node) -> None:
        if isinstance(node, Mapping):
            self.keys(node, ("passed", "made"))
        else:
            self.wrong(
                node,
                "round 写成 {passed: [座位], made: [动作]}",
                "round is written {passed: [SEATS], made: [MOVES]}",
            )

    def deals(self, node: Node) -> None:
        for deal in node.items if isinstance(node, Sequence) else ():
            self.zones(deal)
        if not isinstance(node, Sequence):
            self.wrong(node, "deals 是一列发牌", "deals is a list of deals")

    # ------------------------------------------------------------------ cases

    def case(self, number: int, node: Node) -> Case:
        if not isinstance(node, Mapping):
            self.wrong(node, "一个例子写成 try 或 do", "a case is written with try or do")
            return Case(number, node.span)
        self.keys(node, CASE)
        tried = node.get("try")
        if (tried is None) == (node.get("do") is None):
            self.wrong(node, "要写 try 或者 do，只写一个", "write either try or do", "HW102")
        if tried is not None:
            return Case(number, node.span, self.move(tried), self.verdict(node, tried))
        done = node.get("do")
        items = done.items if isinstance(done, Sequence) else (done,) if done is not None else ()
        then = node.get("then")
        if not isinstance(then, Mapping):
            self.wrong(then or node, "do 之后要写 then，看什么", "after do, then says what to look at", "HW102")
            then = Mapping((), node.span)
        happenings = tuple(found for item in items if (found := self.happening(item)) is not None)
        return Case(number, node.span, done=happenings, then=self.then(then))

    def move(self, node: Node) -> Move | None:
        try:
            return parse_move(_text(node))
        except MoveError as fault:
            self.wrong(node, fault.text.zh, fault.text.en)
            return None

    def verdict(self, node: Mapping, tried: Node) -> tuple[str, ...] | None:
        legal, illegal = node.get("legal"), node.get("illegal")
        if (legal is None) == (illegal is None) or (isinstance(legal, Scalar) and legal.value is not True):
            self.wrong(
                tried, "try 之后写 legal: true，或 illegal: 理由", "try needs legal: true, or illegal: CLAUSE", "HW102"
            )
        if illegal is None:
            return None
        if isinstance(illegal, Scalar) and illegal.value is True:
            return ()
        found = [_text(item) for item in illegal.items] if isinstance(illegal, Sequence) else _text(illegal).split()
        if not found or not all(found):
            self.wrong(illegal, "illegal 要写理由的名字，或 true", "illegal names the clause, or is true")
        return tuple(found)

    def happening(self, node: Node) -> Happening | None:
        words = _text(node).split()
        if words == ["timeout"]:
            return Happening("timeout")
        if len(words) == 2 and words[0] == "leave" and words[1].isdecimal():
            return Happening("leave", seat=int(words[1]))
        move = self.move(node)
        return Happening("move", move) if move is not None else None

    def then(self, node: Mapping) -> tuple[Wanted, ...]:
        self.keys(node, THEN)
        kinds = {"memory": Mapping, "zones": Mapping, "sees": Mapping, "returns": Sequence, "events": Sequence}
        out = []
        for entry in node:
            key, value = str(entry.key.value), entry.value
            unset = key == "returns" and isinstance(value, Scalar) and value.value is None
            listed = key == "moves" and isinstance(value, Sequence)
            if not isinstance(value, kinds.get(key, Scalar)) and not unset and not listed:
                self.wrong(value, f"{key} 的值写法不对", f"{key} is not written like this")
                continue
            if key == "zones":
                self.zones(value)
            out.append(Wanted(key, plain(value), entry.key.span))
        return tuple(out)

"""One move of a seat: its name, the cards picked, the value chosen. As text: ``play H7 H7``, ``bid 85``.

Where cards are picked as well, a card that is chosen stands after a sign of its own: ``swap S6 = H7``, and
``swap = H7`` where none is picked.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from .. import cards as deck
from ..cards import Packing
from ..cards.forms import Plan
from ..compile.program import CompiledMove, Program
from ..diagnostics import Text
from ..errors import MoveError, cut, quoted
from ..model.ir import Type

Choice = str | int | None
_NUMBER = re.compile(r"-?[0-9]{1,18}")
_new = object.__new__
KEPT = 1 << 14  # moves of one kind that are kept


Read = tuple[CompiledMove, int, Any]  # a move as the machine takes it: what it is, the cards picked, the value chosen


class Move:
    """A value: moves compare and hash by what they say; made by hand, a lone card may be picked or chosen.

    ``cards`` are names in the order of the pack, ``choice`` a word, suit, card, rank or number.

    >>> str(Move("play", cards=["S10", "H7"])), Move("bid", choice=85).to_json()
    ('play S10 H7', {'move': 'bid', 'choice': 85})
    """

    __slots__ = ("_cards", "_text", "choice", "chosen", "kind", "name", "picked", "picks", "packing")

    def __init__(self, name: str, *, cards: Iterable[str] = (), choice: Choice = None) -> None:
        if not isinstance(name, str) or name.split() != [name]:
            raise MoveError(
                Text(f"动作的名字是一个词，不是 {quoted(name)}", f"a move has a name of one word, not {quoted(name)}")
            )
        self.name = name
        self.choice = _choice(choice)
        # of a move that was listed: how its cards are packed, those picked, the value chosen and its type
        self.packing: Packing | None = None
        self.picked = 0
        self.chosen: Any = None
        self.kind: Type | None = None
        self.picks = False  # whether it is known to be of a kind that picks cards: a lone card chosen must say so
        self._text: str | None = None
        try:
            words = cards if isinstance(cards, str) else list(cards)
            ids = deck.parse_cards(words)
            if not all(words) or not all(isinstance(word, str) for word in words):
                raise TypeError
        except deck.CardError as fault:
            raise MoveError(Text(f"没有 {quoted(fault.word)} 这张牌", cut(str(fault), 200))) from None
        except (TypeError, AttributeError):
            raise MoveError(
                Text(f"这里要写牌，不是 {quoted(cards)}", f"cards are expected here, not {quoted(cards)}")
            ) from None
        self._cards: tuple[str, ...] | None = tuple(deck.NAMES[i] for i in sorted(ids))

    @property
    def cards(self) -> tuple[str, ...]:
        """The names of the cards, copies repeated."""
        if self._cards is None:
            assert self.packing is not None
            self._cards = tuple(self.packing.names(self.picked))
        return self._cards

    def packed(self, packing: Packing) -> int | None:
        """The cards as one int; None when there are more copies than the game has."""
        if self.packing is packing:
            return self.picked
        ids = [deck.IDS[name] for name in self.cards]
        if any(number > packing.copies for number in Counter(ids).values()):
            return None
        return packing.of(ids)

    def meant_for(self, made: CompiledMove) -> Move:
        """The move with a lone card where this kind of move has it: only a kind that picks and chooses has both."""
        kind = made.choice_type
        if kind is not None and made.zone is None and self.choice is None and len(self.cards) == 1:
            return Move(self.name, choice=self.cards[0])
        picks = kind is None and made.zone is not None and not self.cards
        if picks and isinstance(self.choice, str) and is_card(self.choice):
            return Move(self.name, cards=[self.choice])
        return self

    def to_json(self) -> dict[str, Any]:
        """The move as plain data: ``{"move": …, "cards": […], "choice": …}``, parts left out where empty."""
        out: dict[str, Any] = {"move": self.name}
        if self.cards:
            out["cards"] = list(self.cards)
        if self.choice is not None:
            out["choice"] = self.choice
        return out

    def __str__(self) -> str:
        if self.picks and not self.cards:
            return written(self.name, (), self.choice, picks=True)
        return self._key()

    def _key(self) -> str:
        """What it is compared by: the text of it, with a lone card written alike whichever it is."""
        if self._text is None:
            self._text = written(self.name, self.cards, self.choice, picks=bool(self.cards))
        return self._text

    def __repr__(self) -> str:
        return f"Move({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Move) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuild, (self.name, self.cards, self.choice, self.picks))


def _choice(value: object) -> Choice:
    """What may be chosen, numbers as numbers; MoveError for anything else."""
    if isinstance(value, str):
        return int(value) if _NUMBER.fullmatch(value) else value
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**18):
        return value
    raise MoveError(Text(f"不能选 {quoted(value)}", f"{quoted(value)} is nothing to choose"))


def written(name: str, cards: Iterable[str], choice: Choice, *, picks: bool) -> str:
    """The text of a move: what was chosen is marked where it could be taken for a card that was picked.

    >>> written("swap", (), "H7", picks=True), written("call", (), "H7", picks=False)
    ('swap = H7', 'call H7')
    """
    words = [name, *cards]
    if choice is not None:
        words += ["=", str(choice)] if picks and is_card(str(choice)) else [str(choice)]
    return " ".join(words)


def is_card(word: str | int) -> bool:
    """Whether a word reads as a card."""
    try:
        if isinstance(word, int):
            return False
        deck.parse_card(word)
    except deck.CardError:
        return False
    return True


class Moves(dict[Any, Move]):
    """The legal moves of one name, so far as they were listed lately: by the cards picked, or by cards and choice.

    A move is a value, so that all states may share it; what was worked out for it stays worked out.
    """

    __slots__ = ("_kind", "_name", "_packing", "_picks", "_program")

    def __init__(self, program: Program, made: CompiledMove) -> None:
        self._program = program
        self._name, self._kind, self._packing = made.name, made.choice_type, program.layout.pack
        self._picks = made.zone is not None

    def __missing__(self, key: Any) -> Move:
        if len(self) >= KEPT:
            self.clear()
        move = self[key] = self.new(key) if self._kind is None else self.new(*key)
        return move

    def new(self, picked: int, chosen: Any = None) -> Move:
        """A move that is not kept; the names of its cards are worked out only when somebody asks."""
        move = _new(Move)
        kind = self._kind
        move.name = self._name
        move.picked, move.packing, move.picks = picked, self._packing, self._picks
        move.kind, move.chosen = kind, chosen
        move.choice = None if kind is None else self._program.encode(kind, chosen)
        move._cards = None if picked else ()
        move._text = None
        return move

    def of_plan(self, plan: Plan) -> Iterable[Move]:
        """The moves of a plan; of a short one they stay with it, as the book of shapes keeps those."""
        if len(plan.slots) > 1 or not isinstance(plan.slots[0], tuple):
            return map(self.__getitem__, plan.plays())
        kept = tuple(map(self.__getitem__, plan.plays()))
        plan.kept = self, kept
        return kept


def moves_of(program: Program, made: CompiledMove) -> Moves:
    """The moves like one kind: of the same name, in whatever phase."""
    found: Moves | None = program.kept.get(made)
    if found is None:
        found = program.kept.setdefault((made.name, made.choice_type, made.zone is not None), Moves(program, made))
        program.kept[made] = found
    return found


def _rebuild(name: str, names: tuple[str, ...], choice: Choice, picks: bool) -> Move:
    move = Move(name, cards=names, choice=choice)
    move.picks = picks
    return move


def parse_move(text: str | Mapping[str, Any]) -> Move:
    """The move that a text writes: a name, then cards, then perhaps a choice; MoveError otherwise.

    What `Move.to_json` gives is read as well.

    >>> parse_move("play ♥7 H7").cards
    ('H7', 'H7')
    >>> parse_move("bid 85").choice
    85
    >>> parse_move("swap S6 = H7").to_json(), parse_move("swap = H7").to_json()
    ({'move': 'swap', 'cards': ['S6'], 'choice': 'H7'}, {'move': 'swap', 'choice': 'H7'})
    >>> parse_move({"move": "play", "cards": ["H7", "H7"]})
    Move('play H7 H7')
    """
    if isinstance(text, Mapping):
        return as_move(text)
    if not isinstance(text, str) or not text.split():
        raise MoveError(Text("这里要写一个动作，如 play S5 S5", "a move is expected here, as in play S5 S5"))
    name, *words = text.split()
    ids: list[str] = []
    choice: Choice = None
    marked = len(words) > 1 and words[-2] == "="
    if marked:
        choice = words[-1]
        words = words[:-2]
    if "=" in words or choice == "=":
        raise MoveError(
            Text("等号后面写选的那一个，如 swap S6 = H7", "one thing that is chosen stands after =, as in swap S6 = H7")
        )
    for place, word in enumerate(words):
        try:
            ids.append(deck.NAMES[deck.parse_card(word)])
        except deck.CardError:
            if marked or place != len(words) - 1:
                raise MoveError(Text(f"没有 {quoted(word)} 这张牌", f"no card is written {quoted(word)}")) from None
            choice = word
    move = Move(name, cards=ids, choice=choice)
    move.picks = marked
    return move


def as_move(value: object) -> Move:
    """A move given as `Move`, as text or as ``{"move": …}``; MoveError if it is none of them."""
    if isinstance(value, Move):
        return value
    if isinstance(value, str):
        return parse_move(value)
    if isinstance(value, Mapping) and isinstance(name := value.get("move"), str):
        found, choice = value.get("cards", ()), value.get("choice")
        strange = set(value) - {"move", "cards", "choice"}
        if not strange and isinstance(found, list | tuple | str):
            return Move(name, cards=found, choice=choice)
    raise MoveError(
        Text('动作要写成 {"move": …, "cards": […], "choice": …}', 'a move is {"move": …, "cards": […], "choice": …}')
    )

"""Everything a name in an expression may stand for, declared before any expression is read."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from .. import cards
from ..diagnostics import Findings, Related, Span, Text
from ..diagnostics.nearest import nearest
from ..model import Option
from ..model.ir import (
    BASIC,
    BOOL,
    CARD,
    COLOUR,
    GROUP,
    INT,
    LINE,
    RANK,
    SEAT,
    SHAPE,
    SUIT,
    TEAM,
    Const,
    Expr,
    Local,
    OptionRef,
    SlotRef,
    Type,
    Whole,
    ZoneRef,
)
from .words import COLLECTIONS, FOLDS, WORDS

CARD_LIKE = re.compile(r"^([SHDC♠♥♦♣黑红方梅]\w{1,2}|[A-Z](?:10|[2-9JQKA])|[王鬼])$")


@dataclass(frozen=True, slots=True)
class Signature:
    """A define as its callers see it: parameters, result, and where it stands."""

    params: tuple[tuple[str, Type], ...]
    result: Type
    span: Span
    number: int | None = None  # of a define that is just a number


@dataclass(frozen=True, slots=True)
class TableSignature:
    """A table as its callers see it."""

    given: Mapping[str, Type]
    gives: tuple[str, ...]


@dataclass(slots=True)
class World:
    """The names of one ruleset. ``define_of`` types a define when it is first used."""

    findings: Findings
    locate: Callable[[object, int, int], Span]
    removed: Mapping[str, Span] = field(default_factory=dict)
    options: dict[str, Option] = field(default_factory=dict)
    kinds: dict[str, Type] = field(default_factory=dict)
    slots: dict[str, tuple[tuple[str, ...], Type]] = field(default_factory=dict)
    zones: dict[str, bool] = field(default_factory=dict)
    defines: set[str] = field(default_factory=set)
    tables: dict[str, TableSignature] = field(default_factory=dict)
    groups: dict[str, int] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    shapes: dict[str, int] = field(default_factory=dict)
    odd_shapes: set[str] = field(default_factory=set)  # those with wings, of parts, or of named cards
    moves: list[str] = field(default_factory=list)  # every move of the file, once
    deck: frozenset[int] | None = None  # None until the deck is known: then any card may be named
    ladder: bool = False
    seats: int = 4
    teams: tuple[int, ...] = ()
    places: dict[str, Span] = field(default_factory=dict)  # where a name is declared
    faulty: set[str] = field(default_factory=set)  # names whose declaration has a finding: no second one at each use
    define_of: Callable[[str], Signature | None] = lambda _name: None

    def basic(self, text: str) -> Type | None:
        """The type with this name: a basic one or a kind, with ``?`` for may-be-unset."""
        name, optional = (text[:-1].strip(), True) if text.endswith("?") else (text, False)
        found = BASIC.get(name) or self.kinds.get(name)
        if found is None:
            return None
        return Type(found.name, optional, found.of, found.words, None, found.low, found.high, found.step)

    def resolve(self, name: str, at: Span) -> Expr | None:
        """What a bare name stands for, whatever is expected of it; None if nothing."""
        if name in self.options:
            return OptionRef(type=self.options[name].type, at=at, name=name)
        if name in self.slots:
            index, kind = self.slots[name]
            return SlotRef(type=kind, at=at, name=name) if not index else None
        if name in self.zones:
            return ZoneRef(type=BASIC["cards"], at=at, name=name)
        if name in COLLECTIONS:
            item = BASIC[COLLECTIONS[name][0]]
            return Whole(type=BASIC["cards"] if name == "deck" else Type("list", item=item), at=at, name=name)
        return self.literal(name, None, at)

    def literal(self, name: str, want: Type | None, at: Span) -> Expr | None:
        """A word, rank, suit, colour, card, group, line or shape written out."""
        if want is not None:
            if want.words and name in want.words:
                return Const(type=want.sure, at=at, value=want.words.index(name))
            for kind, table in ((GROUP, self.groups), (LINE, self.lines), (SHAPE, self.shapes)):
                if want.name == kind.name:
                    if name in table:
                        return Const(type=kind, at=at, value=table[name])
                    if kind is GROUP and name in cards.SUITS and name not in table:
                        plain = next((g for g in self.groups if g.endswith("[suit]")), None)
                        if plain is not None:
                            return Const(type=kind, at=at, value=self.groups[plain] + cards.SUITS.index(name))
                    return None
            if want.name == "rank" and name in cards.RANKS:
                return Const(type=RANK, at=at, value=cards.RANKS[name])
        if name in ("true", "false"):
            return Const(type=BOOL, at=at, value=name == "true")
        if name in cards.IDS:
            return Const(type=CARD, at=at, value=cards.IDS[name])
        if name in cards.RANKS:
            return Const(type=RANK, at=at, value=cards.RANKS[name])
        if name in cards.SUITS:
            return Const(type=SUIT, at=at, value=cards.SUITS.index(name))
        if name in cards.COLOURS:
            return Const(type=COLOUR, at=at, value=cards.COLOURS.index(name))
        return None

    def move(self, name: str, at: Span) -> Const | None:
        """The move with this name as a value; None after noting that there is none."""
        if name in self.moves:
            return Const(type=Type("word", of="move", words=tuple(self.moves)), at=at, value=self.moves.index(name))
        if not self.was_removed(name, at):
            near = nearest(name, self.moves)
            hint = (Text(f"是不是“{near}”？", f'did you mean "{near}"?'),) if near else ()
            self.findings.add("HW401", at, "这里要写一个动作的名字", "the name of a move is expected here", help=hint)
        return None

    def variable(self, name: str) -> bool:
        """Whether a name stands for something that has a value of its own (no written-out literal)."""
        return (
            name in self.options
            or name in self.slots
            or name in self.zones
            or name in self.defines
            or name in COLLECTIONS
        )

    def known(self) -> list[str]:
        """Every name that an expression could have meant."""
        names = [*self.options, *self.slots, *self.zones, *self.defines, *self.tables, *self.shapes, *self.lines]
        names += [g for g in self.groups if not g.endswith("]")]
        names += [w for kind in self.kinds.values() for w in kind.words]
        return [*names, *COLLECTIONS, *WORDS, *FOLDS, *cards.RANKS, *cards.SUITS]

    def was_removed(self, name: str, at: Span) -> bool:
        """Say that a name was taken out, if it was; true then."""
        if name not in self.removed:
            return False
        self.findings.add(
            "HW706",
            at,
            f"“{name}”已被 remove 去掉，这里还在用",
            f'"{name}" was removed, and this line still uses it',
            related=(Related(Text("在这里去掉的", "removed here"), self.removed[name]),),
            help=(Text("把这一行也去掉或改写", "remove or rewrite this line too"),),
        )
        return True

    def unknown(self, name: str, at: Span, *, also: list[str]) -> None:
        """Say that a name means nothing here, with the nearest one that does."""
        if name in self.faulty:
            return
        if self.was_removed(name, at):
            return
        if CARD_LIKE.match(name):
            self.findings.add(
                "HW201",
                at,
                f"没有“{name}”这张牌",
                f'there is no card "{name}"',
                help=(
                    Text(
                        "牌这样写：S5、S10、DA、CK、LJ（小王）、BJ（大王）",
                        "cards are written S5, S10, DA, CK, LJ (little joker), BJ (big joker)",
                    ),
                ),
            )
            return
        near = nearest(name, [*also, *self.known()])
        place = self.places.get(near or "")
        related = (Related(Text(f"“{near}”在这里", f'"{near}" is declared here'), place),) if place else ()
        hint = (Text(f"是不是“{near}”？", f'did you mean "{near}"?'),) if near else ()
        self.findings.add("HW401", at, f"不认识“{name}”这个名字", f'unknown name "{name}"', related=related, help=hint)


def normal(name: str) -> str:
    """Names compare as Python compares identifiers."""
    return unicodedata.normalize("NFKC", name)


def param_type(world: World, name: str) -> Type | None:
    """A parameter is named by its type, with a digit where two are alike: ``seat``, ``seat2``."""
    return world.basic(name.rstrip("0123456789"))


def local(name: str, kind: Type, at: Span) -> Local:
    """A reference to a local name."""
    return Local(type=kind, at=at, name=name)


INDEX_TYPES = {"seat": SEAT, "team": TEAM}
__all__ = ["INDEX_TYPES", "INT", "Signature", "TableSignature", "World", "local", "normal", "param_type"]

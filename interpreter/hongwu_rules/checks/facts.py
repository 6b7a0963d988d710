"""Which values are known to be set: what a condition tells, and what an expression needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ..diagnostics import Span
from ..model import Define
from ..model.ir import (
    Apply,
    Arith,
    Call,
    Compare,
    Const,
    Expr,
    Field,
    Fold,
    IfElse,
    In,
    IsNone,
    ListOf,
    Logic,
    Not,
    SlotRef,
    TrickRef,
    children,
)
from .notation import Notation

Facts = frozenset[str]  # texts of the slots that are set, ``name[*]`` for a slot of every seat, and TRICK
TRICK = "trick"
NONE_KNOWN: Facts = frozenset()
ORDER_WORDS = frozenset(
    {"group", "line", "step", "linked", "alike", "beats", "can_beat", "beaten", "forced", "parts"}
    | {"follows_group", "follows_sets", "follows_runs"}
)


@dataclass(frozen=True, slots=True)
class Need:
    """A value that is read at ``span`` and must be set; ``through``: the definitions on the way there."""

    key: str
    span: Span
    through: tuple[str, ...] = ()


@dataclass(slots=True)
class Reader:
    """Finds what an expression reads that may not be set yet."""

    defines: Mapping[str, Define]
    notation: Notation
    order: Callable[[], list[Need]] = list
    _needs: dict[str, list[Need]] = field(default_factory=dict)
    _tells: dict[tuple[str, bool], Facts] = field(default_factory=dict)

    # ---------------------------------------------------------------- what is read
    def needs(self, expr: Expr, facts: Facts, *, equal: bool = False) -> list[Need]:
        """What ``expr`` needs and ``facts`` does not give; ``equal``: an unset value is allowed here."""
        match expr:
            case SlotRef():
                found = [need for part in expr.index for need in self.needs(part, facts)]
                if expr.type.optional and not equal and not self.is_set(expr, facts):
                    found.append(Need(self.notation(expr), expr.at))
                return found
            case TrickRef():
                return [] if TRICK in facts else [Need(TRICK, expr.at)]
            case Call() if expr.word == "empty" and isinstance(expr.args[0], TrickRef):
                return []
            case Call():
                loose = expr.word == "position"
                found = [
                    need for i, part in enumerate(expr.args) for need in self.needs(part, facts, equal=loose and not i)
                ]
                return found + (self.ordered(expr.at, facts) if expr.word in ORDER_WORDS else [])
            case Compare():
                same = expr.op in ("==", "!=")
                return self.needs(expr.left, facts, equal=same) + self.needs(expr.right, facts, equal=same)
            case IsNone():
                return self.needs(expr.of, facts, equal=True)
            case In():
                return self.needs(expr.item, facts, equal=True) + self.needs(expr.container, facts, equal=True)
            case ListOf():
                return [need for part in expr.items for need in self.needs(part, facts, equal=equal)]
            case Logic():
                found = []
                for part in expr.parts:
                    found += self.needs(part, facts)
                    facts |= self.tells(part, holds=expr.op == "and")
                return found
            case IfElse():
                yes, no = facts | self.tells(expr.test, holds=True), facts | self.tells(expr.test, holds=False)
                found = self.needs(expr.test, facts)
                return found + self.needs(expr.yes, yes, equal=equal) + self.needs(expr.no, no, equal=equal)
            case Fold():
                return self._fold(expr, facts)
            case Apply():
                return self._apply(expr, facts)
        return [need for part in children(expr) for need in self.needs(part, facts)]

    def _fold(self, expr: Fold, facts: Facts) -> list[Need]:
        found: list[Need] = []
        for loop in expr.loops:
            found += self.needs(loop.source, facts)
            facts = frozenset(fact for fact in facts if f"[{loop.name}" not in fact and f", {loop.name}]" not in fact)
        if expr.cond is not None:
            found += self.needs(expr.cond, facts)
            facts |= self.tells(expr.cond, holds=True)
        return found + self.needs(expr.body, facts)

    def _apply(self, expr: Apply, facts: Facts) -> list[Need]:
        define = self.defines.get(expr.define)
        if define is None:
            return []
        found: list[Need] = []
        for arg, (_, kind) in zip(expr.args, define.params, strict=True):
            found += self.needs(arg, facts, equal=kind.optional)
        for need in self._of(define):
            if need.key not in facts and _whole(need.key) not in facts:
                found.append(Need(need.key, need.span, (define.name, *need.through)))
        return found

    def _of(self, define: Define) -> list[Need]:
        """What a definition needs when nothing is known."""
        if define.name not in self._needs:
            self._needs[define.name] = []  # a definition that needs itself adds nothing
            self._needs[define.name] = self.needs(define.body, NONE_KNOWN)
        return self._needs[define.name]

    def ordered(self, at: Span, facts: Facts) -> list[Need]:
        """What the order of the cards needs, where a word asks for it."""
        return [Need(need.key, need.span, need.through) for need in self.order() if need.key not in facts]

    # ---------------------------------------------------------------- what is known
    def is_set(self, expr: SlotRef, facts: Facts) -> bool:
        """Whether the slot is known to be set."""
        key = self.notation(expr)
        return key in facts or (bool(expr.index) and f"{expr.name}[*]" in facts)

    def surely(self, expr: Expr, facts: Facts) -> bool:
        """Whether a value is surely set."""
        if isinstance(expr, SlotRef):
            return not expr.type.optional or self.is_set(expr, facts)
        if isinstance(expr, Const):
            return expr.value is not None
        if isinstance(expr, IfElse):
            yes, no = facts | self.tells(expr.test, holds=True), facts | self.tells(expr.test, holds=False)
            return self.surely(expr.yes, yes) and self.surely(expr.no, no)
        if isinstance(expr, Apply) and not expr.args and expr.define in self.defines:
            return self.surely(self.defines[expr.define].body, facts)
        if isinstance(expr, Field) and expr.of.type.name == "trick" and expr.name == "winner":
            return True  # a trick that is there has a winner
        return not expr.type.optional

    def tells(self, expr: Expr, *, holds: bool) -> Facts:
        """What is set if the condition holds (or fails)."""
        match expr:
            case Not():
                return self.tells(expr.of, holds=not holds)
            case Logic():
                found = [self.tells(part, holds=holds) for part in expr.parts]
                if (expr.op == "and") == holds:
                    return NONE_KNOWN.union(*found)
                return found[0].intersection(*found[1:])
            case IsNone():
                return self._keys(expr.of) if expr.negated == holds else NONE_KNOWN
            case Compare():
                if expr.op in ("==", "!=") and (expr.op == "==") != holds:
                    return NONE_KNOWN
                return self._keys(expr.left) | self._keys(expr.right)
            case In():
                return self._keys(expr.item) if expr.negated != holds else NONE_KNOWN
            case Call() if expr.word == "empty" and isinstance(expr.args[0], TrickRef):
                return NONE_KNOWN if holds else frozenset({TRICK})
            case Apply() if expr.define in self.defines:
                key = (expr.define, holds)
                if key not in self._tells:
                    self._tells[key] = NONE_KNOWN
                    told = self.tells(self.defines[expr.define].body, holds=holds)
                    self._tells[key] = frozenset(fact for fact in told if "[" not in fact)
                return self._tells[key]
        return NONE_KNOWN

    def _keys(self, expr: Expr) -> Facts:
        if isinstance(expr, SlotRef) and expr.type.optional:
            return frozenset({self.notation(expr)})
        if isinstance(expr, Arith):
            return self._keys(expr.left) | self._keys(expr.right)
        return NONE_KNOWN


def _whole(key: str) -> str:
    """``bid[s]`` → ``bid[*]``."""
    return f"{key.split('[')[0]}[*]" if "[" in key else key


def without(facts: Facts, slot: str) -> Facts:
    """What is still known once a slot may have changed or been unset."""
    kept = set()
    for fact in facts:
        name, _, index = fact.partition("[")
        if name != slot and slot not in index.replace("]", " ").replace(",", " ").split():
            kept.add(fact)
    return frozenset(kept)

"""Why a move is legal or not: named reasons, in both languages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ..diagnostics import NOWHERE, Span, Text
from ..errors import HongwuError, cut


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason why not. ``id`` names the clause of the file, or one of the reasons every game has:
    ``over not_offered no_cards no_choice no_such_card not_held how_many no_shape other_shape choose_one not_among``.

    ``hint`` says what would do instead; it is worked out when it is asked for, from what the seat may know.
    """

    id: str
    zh: str
    en: str
    cite: str = ""  # clauses of the source document, separated by blanks
    place: Span = NOWHERE  # the line of the ruleset
    ask: Callable[[], Text | None] | None = field(default=None, compare=False, repr=False)

    @property
    def text(self) -> Text:
        """The reason in both languages."""
        return Text(self.zh, self.en)

    @property
    def hint(self) -> Text | None:
        """What the seat to act could do that this reason does not forbid; None where nothing short can be said."""
        return self.ask() if self.ask is not None else None

    @property
    def full(self) -> Text:
        """The reason with its hint."""
        hint = self.hint
        return self.text if hint is None else Text(f"{self.zh}（{hint.zh}）", f"{self.en} ({hint.en})")


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement of one move. ``reasons`` are in the order of the file, empty when it is legal."""

    reasons: tuple[Reason, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether the move is legal."""
        return not self.reasons

    def __bool__(self) -> bool:
        return self.ok


LEGAL = Verdict()


class IllegalMove(HongwuError):
    """A move that may not be made; ``verdict`` says why. Its text, made when it is read, also says what would do."""

    def __init__(self, move: object, verdict: Verdict) -> None:
        Exception.__init__(self, move, verdict)
        self.move = move
        self.verdict = verdict

    @property
    def text(self) -> Text:  # type: ignore[override]
        """The reasons and their hints in both languages."""
        why, move = [reason.full for reason in self.verdict.reasons], cut(str(self.move), 200)
        return Text(f"不能“{move}”：" + "；".join(t.zh for t in why), f"{move}: " + "; ".join(t.en for t in why))

    def __str__(self) -> str:
        return self.text.en

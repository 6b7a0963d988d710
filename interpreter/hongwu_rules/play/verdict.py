"""Why a move is legal or not: named reasons, in both languages."""

from __future__ import annotations

from dataclasses import dataclass

from ..diagnostics import NOWHERE, Span, Text
from ..errors import HongwuError


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason why not. ``id`` names the clause of the file, or one of the reasons every game has:
    ``over not_offered no_cards no_choice not_held how_many no_shape other_shape choose_one not_among``.
    """

    id: str
    zh: str
    en: str
    cite: str = ""  # clauses of the source document, separated by blanks
    place: Span = NOWHERE  # the line of the ruleset

    @property
    def text(self) -> Text:
        """The reason in both languages."""
        return Text(self.zh, self.en)


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
    """A move that may not be made; ``verdict`` says why."""

    def __init__(self, move: object, verdict: Verdict) -> None:
        self.move = move
        self.verdict = verdict
        why = [reason.text for reason in verdict.reasons]
        super().__init__(
            Text(f"不能“{move}”：" + "；".join(t.zh for t in why), f"{move}: " + "; ".join(t.en for t in why))
        )

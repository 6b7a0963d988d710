"""What every check is given, and what it gives back."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..diagnostics import Findings, Text
from ..model import Ruleset
from .evaluate import Evaluator
from .joint import Joint


@dataclass(frozen=True, slots=True)
class Proofs:
    """What a check of a whole ruleset has shown, what it could not show, and how many checks ran."""

    proved: list[Text]
    not_proved: list[Text]
    count: int


@dataclass(slots=True)
class Context:
    """One ruleset under examination."""

    ruleset: Ruleset
    findings: Findings
    evaluator: Evaluator
    joint: Joint
    proved: list[Text] = field(default_factory=list)
    not_proved: list[Text] = field(default_factory=list)

    def codes(self) -> set[str]:
        """The codes found so far."""
        return {item.code for item in self.findings.items}


def context(ruleset: Ruleset, findings: Findings) -> Context:
    """A fresh context."""
    evaluator = Evaluator(ruleset)
    return Context(ruleset, findings, evaluator, Joint(evaluator))


def plural(number: int, one: str, many: str = "") -> str:
    """``1 row``, ``4 rows``."""
    return f"{number} {one if number == 1 else many or one + 's'}"

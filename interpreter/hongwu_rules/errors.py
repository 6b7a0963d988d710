"""The exceptions of the Python interface. Faults in a ruleset's text are `Diagnostic` values instead."""

from __future__ import annotations

from .diagnostics import NOWHERE, Span, Text


class HongwuError(Exception):
    """Whatever this package raises on purpose. ``text`` has the sentence in both languages."""

    def __init__(self, text: Text) -> None:
        self.text = text
        super().__init__(text.en)


def quoted(value: object) -> str:
    """A value as it may stand in a message: cut short, and never an error of its own.

    >>> quoted("H7"), quoted(10**5000), len(quoted("x" * 1000))
    ("'H7'", 'int', 60)
    """
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a number too long to be written, a list that holds itself
        return type(value).__name__
    return cut(text)


def cut(text: str, most: int = 60) -> str:
    """A text as it may stand in a message: no longer than that."""
    return text if len(text) <= most else text[: most - 1] + "…"


class RulesFault(HongwuError):
    """A ruleset broke a promise in play: a table without a row, an unset value read, a measure that did not fall."""

    def __init__(self, code: str, text: Text, place: Span = NOWHERE) -> None:
        super().__init__(text)
        self.code = code
        self.place = place


class HiddenRead(HongwuError):
    """A rule needs something that this state does not know (a hand left out of a position, or of a view)."""


class PositionError(HongwuError):
    """A description given to ``position``, ``start`` or ``from_view`` does not fit the ruleset."""


class NotThere(PositionError, KeyError):
    """`State.value` or `State.cards` was asked for a name or an index that the ruleset does not have."""

    def __str__(self) -> str:
        return self.text.en


class DamagedState(HongwuError):
    """A saved state or log cannot be read: cut off, changed, or not one at all."""


class OtherRuleset(HongwuError):
    """A saved state, a log or a view belongs to another ruleset, or to other options."""


class NotExpected(HongwuError):
    """An event came where nothing waits for it: a timeout without an answer, somebody leaving a game that has no rule
    for it, a match of what is only material for other rulesets."""


class OptionError(HongwuError):
    """A setting names no option of the ruleset, or a value that the option does not permit."""


class MoveError(HongwuError):
    """A text or a mapping that cannot be read as a move."""

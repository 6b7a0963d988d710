"""Card games written as YAML: load a ruleset, ask what a seat may do, and play it.

The names below are imported when they are first used: a check of a file needs no machine to play it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .diagnostics import Diagnostic, RulesetError, Span, Text
    from .errors import (
        DamagedState,
        HiddenRead,
        HongwuError,
        MoveError,
        NotExpected,
        NotThere,
        OptionError,
        OtherRuleset,
        PositionError,
        RulesFault,
    )
    from .game import LegalMoves, Rules, State, load, rulesets
    from .play.move import Move, parse_move
    from .play.verdict import IllegalMove, Reason, Verdict
    from .source.files import SourceIOError

_HOME = {
    "diagnostics": ("Diagnostic", "RulesetError", "Span", "Text"),
    "errors": (
        "DamagedState",
        "HiddenRead",
        "HongwuError",
        "MoveError",
        "NotExpected",
        "NotThere",
        "OptionError",
        "OtherRuleset",
        "PositionError",
        "RulesFault",
    ),
    "game": ("LegalMoves", "Rules", "State", "load", "rulesets"),
    "play.move": ("Move", "parse_move"),
    "play.verdict": ("IllegalMove", "Reason", "Verdict"),
    "source.files": ("SourceIOError",),
}
_WHERE = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "DamagedState",
    "Diagnostic",
    "HiddenRead",
    "HongwuError",
    "IllegalMove",
    "LegalMoves",
    "Move",
    "MoveError",
    "NotExpected",
    "NotThere",
    "OptionError",
    "OtherRuleset",
    "PositionError",
    "Reason",
    "Rules",
    "RulesFault",
    "RulesetError",
    "SourceIOError",
    "Span",
    "State",
    "Text",
    "Verdict",
    "load",
    "parse_move",
    "rulesets",
]


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_WHERE[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__

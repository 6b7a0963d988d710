"""The little grammar around expressions: ``STEP [for … in …] [when …]``, ``PHASE [when …]``,
``COND by RANKS``, ``TYPE = START [seen by …]``. Split at bracket depth 0, so no quoting is needed."""

from __future__ import annotations

from typing import NamedTuple

OPEN, CLOSE = "([{", ")]}"


class Piece(NamedTuple):
    """A part of a text and the offset at which it starts."""

    text: str
    start: int


def trim(text: str, start: int = 0) -> Piece:
    """The text without blanks at its ends."""
    stripped = text.lstrip()
    return Piece(stripped.rstrip(), start + len(text) - len(stripped))


def find_outside(text: str, word: str, start: int = 0) -> int:
    """Where ``word`` stands outside brackets and quotes, or -1."""
    depth, quote = 0, ""
    for i, char in enumerate(text):
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char in OPEN:
            depth += 1
        elif char in CLOSE:
            depth -= 1
        if depth == 0 and not quote and i >= start and text.startswith(word, i):
            return i
    return -1


def cut(piece: Piece, word: str) -> tuple[Piece, Piece | None]:
    """The part before ``word`` (a word between blanks) and the part after it, or None.

    >>> cut(Piece("settle when out == 3", 0), "when")
    (Piece(text='settle', start=0), Piece(text='out == 3', start=12))
    """
    mark = f" {word} "
    at = find_outside(piece.text, mark)
    if at < 0:
        return piece, None
    return trim(piece.text[:at], piece.start), trim(piece.text[at + len(mark) :], piece.start + at + len(mark))


class StepParts(NamedTuple):
    """A step, its ``for`` parts (name, collection) and its guard."""

    action: Piece
    loops: tuple[tuple[Piece, Piece], ...]
    when: Piece | None


def step_parts(piece: Piece) -> StepParts:
    """Split ``STEP [for v in COLL]… [when COND]``.

    >>> step_parts(Piece("x += 1 for s in seats when s > 0", 0)).when
    Piece(text='s > 0', start=27)
    """
    rest, when = cut(piece, "when")
    action, tail = cut(rest, "for")
    loops: list[tuple[Piece, Piece]] = []
    while tail is not None:
        head, tail = cut(tail, "for")
        name, source = cut(head, "in")
        loops.append((name, source if source is not None else Piece("", head.start)))
    return StepParts(action, tuple(loops), when)

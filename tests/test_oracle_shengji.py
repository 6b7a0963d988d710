"""Every answer of an independent 升级 engine (``oracle/``, one JSON object a line) against the words of the language."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from hongwu_rules.cards.forms import Reading
from trick_games import Table, levels

ORACLE = Path(__file__).with_name("oracle")
WRONG: dict[str, set[int]] = {}  # rows believed wrong, by file, with the reason beside each


@cache
def table(level: str, trump: str) -> Table:
    return Table(game(), level=level, trump=trump)


@cache
def game() -> Any:
    return levels()


def rows(name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    with (ORACLE / f"shengji_{name}.jsonl").open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if number not in WRONG.get(name, ()):
                yield number, json.loads(line)


def test_following() -> None:
    """10,000 plays: a play is legal exactly if no duty is broken."""
    off = []
    for number, row in rows("follow"):
        at = table(row["level"], row["trump"])
        at.hand(1, row["hand"])
        at.lead(row["lead"])
        if (not at.broken(1, at.cards(row["play"]))) is not row["legal"]:
            off.append(number)
    assert off == []


def test_the_winner() -> None:
    """5,000 tricks."""
    off = [n for n, row in rows("winner") if table(row["level"], row["trump"]).winner(row["plays"]) != row["winner"]]
    assert off == []


def test_throws() -> None:
    """3,000 throws: one stands if no part of it is beaten."""
    off = []
    for number, row in rows("throw"):
        at = table(row["level"], row["trump"])
        for seat, hand in enumerate(row["others"], 1):
            at.hand(seat, hand)
        if (not at.word("beaten", at.g, at.cards(row["lead"]))) is not row["stands"]:
            off.append(number)
    assert off == []


def part(reading: Reading) -> dict[str, Any]:
    if reading.length > 1:
        return {"kind": "tractor", "pairs": reading.length}
    return {"kind": "pair" if reading.width == 2 else "single"}


def test_shapes() -> None:
    """2,500 sets of cards: the parts that they read as, in order."""
    off = []
    for number, row in rows("shape"):
        at = table(row["level"], row["trump"])
        reading = at.book.read(at.cards(row["cards"]))
        if reading is None or [part(r) for r in reading.parts or (reading,)] != row["parts"]:
            off.append(number)
    assert off == []

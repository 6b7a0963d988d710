"""Every answer of an independent 斗地主 engine (``oracle/``, one JSON object a line) against the ruleset.

A row holds a hand, the play to beat (none when leading) and all that may be played, as ranks. The sets must be equal.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import hongwu_rules as hw

ORACLE = Path(__file__).with_name("oracle") / "doudizhu_legal.jsonl"
ORDER = {
    rank: place
    for place, rank in enumerate(["3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2", "LJ", "BJ"])
}
WRONG: set[int] = set()  # rows believed wrong, with the reason and a second witness beside each


def rows() -> Iterator[tuple[int, dict[str, Any]]]:
    with ORACLE.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if number not in WRONG:
                yield number, json.loads(line)


def cards(ranks: str, suits: str = "SHDC") -> list[str]:
    """Cards of these ranks: of each rank the first in spades, then hearts, diamonds, clubs."""
    left: dict[str, Iterator[str]] = {}
    return [rank if rank in ("LJ", "BJ") else next(left.setdefault(rank, iter(suits))) + rank for rank in ranks.split()]


def ranks(names: Iterable[str]) -> str:
    """The ranks of some cards, sorted upward."""
    found = [name if name in ("LJ", "BJ") else name[1:] for name in names]
    return " ".join(sorted(found, key=ORDER.__getitem__))


def state_of(rules: hw.Rules, row: dict[str, Any]) -> hw.State:
    """Seat 1 holds the hand, and leads or answers seat 0."""
    given: dict[str, Any] = {"phase": "lead", "seat": 1, "memory": {"leader": 1, "landlord": 1, "call": 1}}
    if row["last"]:
        last = cards(row["last"], "CDHS")
        given |= {"phase": "answer", "trick": [{"seat": 0, "cards": last}]}
        given["memory"]["leader"] = 0
    given["zones"] = {"hand": {"1": cards(row["hand"])}}
    return rules.position(given)


def legal(state: hw.State) -> list[str]:
    return ["pass" if move.name == "decline" else ranks(move.cards) for move in state.legal_moves()]


def test_every_row() -> None:
    """3,000 hands of 1 to 20 cards."""
    rules = hw.load("doudizhu")
    off, number_of_rows = [], 0
    for number, row in rows():
        state = state_of(rules, row)
        found = legal(state)
        if sorted(found) != sorted(row["legal"]) or state.legal_moves().count() != len(found):
            off.append(number)
        number_of_rows += 1
    assert off == []
    assert number_of_rows == 3000 - len(WRONG)

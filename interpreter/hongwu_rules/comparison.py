"""Two rulesets on the same deals: what came out otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .coverage import KINDS
from .diagnostics import Text
from .simulate import Summary

NONE = "-"  # a ruleset that has no such thing
_RESULTS = Text("每局平均得失", "mean result of a deal")
_MOVES = Text("每局几步", "moves in a deal")
_SPREAD = {"min": Text("最少", "fewest"), "median": Text("居中", "median"), "max": Text("最多", "most")}


def differences(before: Summary, after: Summary) -> Iterator[tuple[Text, str, str, str]]:
    """All that two summaries disagree about, as (what is counted, of what, before, after)."""
    for name in ("min", "median", "max"):
        yield from _if_other(_MOVES, name, f"{before.spread[name]:g}", f"{after.spread[name]:g}")
    results = [_results(before), _results(after)]
    for name in dict.fromkeys([*results[0], *results[1]]):
        yield from _if_other(_RESULTS, name, results[0].get(name, NONE), results[1].get(name, NONE))
    for kind, what in KINDS.items():
        old, new = ({name: str(n) for name, n in one.counts.get(kind, {}).items()} for one in (before, after))
        for name in dict.fromkeys([*new, *old]):
            yield from _if_other(what, name, old.get(name, NONE), new.get(name, NONE))


def _if_other(what: Text, name: str, before: str, after: str) -> Iterator[tuple[Text, str, str, str]]:
    if before != after:
        yield what, name, before, after


def _results(summary: Summary) -> dict[str, str]:
    found = {f"seat {seat}": tally for seat, tally in enumerate(summary.seats)} | summary.sides
    return {name: f"{tally.mean:+.2f}" for name, tally in found.items()}


def _named(what: Text, name: str, summary: Summary) -> Text:
    if what is _MOVES:
        return _SPREAD[name]
    if what is _RESULTS:
        return Text(name.replace("seat", "座位"), name) if name.startswith("seat ") else summary.side(name)
    return Text(name, name)


def text(before: Summary, after: Summary, lang: str = "en") -> str:
    """The differences for people, in ``"zh"`` or ``"en"``."""
    rows = list(differences(before, after))
    players = ", ".join(after.players)
    head = Text(
        f"各打 {after.deals} 局，种子 {after.seed}，打牌的：{players}。不同的地方，左边是 {before.name}，右边是 {after.name}：",
        f"{after.deals} deal{'s' * (after.deals != 1)} each, seed {after.seed}, players: {players}. "
        f"What differs, {before.name} on the left, {after.name} on the right:",
    )
    if not rows:
        nothing = Text("这些局里没有什么不同", "nothing came out otherwise in these deals")
        return f"{head.in_(lang)}\n\n  {nothing.in_(lang)}\n"
    lines = [head.in_(lang)]
    columns = [max(len(row[i]) for row in rows) for i in (2, 3)]
    last: Text | None = None
    for what, name, old, new in rows:
        if what is not last:
            lines += ["", what.in_(lang)]
            last = what
        lines.append(
            f"  {old:>{columns[0]}}  {new:>{columns[1]}}  {_named(what, name, after if name in after.sides else before).in_(lang)}"
        )
    return "\n".join(lines) + "\n"


def to_json(before: Summary, after: Summary) -> dict[str, Any]:
    """Both summaries and the differences as plain data."""
    return {
        "before": before.to_json(),
        "after": after.to_json(),
        "differences": [
            {"zh": what.zh, "en": what.en, "name": name, "before": old, "after": new}
            for what, name, old, new in differences(before, after)
        ],
    }

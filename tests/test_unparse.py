"""Expressions written back read as the same expressions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from hongwu_rules.diagnostics import Findings
from hongwu_rules.language import build
from hongwu_rules.model import Ruleset
from hongwu_rules.overlay.layers import load_tree
from hongwu_rules.source.nodes import Entry, Mapping, Node, Scalar
from hongwu_rules.unparse import unparse, unparse_step

ROOT = Path(__file__).parents[1]
FILES = sorted([*(ROOT / "rulesets").glob("*.yaml"), *(ROOT / "tests" / "ok").glob("*.yaml")])


def bare(value: Any) -> Any:
    """A value without places, to compare by."""
    if is_dataclass(value) and not isinstance(value, type):
        return (
            type(value).__name__,
            *(bare(getattr(value, f.name)) for f in fields(value) if f.name not in ("at", "span")),
        )
    return [bare(item) for item in value] if isinstance(value, tuple) else value


def read(path: Path) -> tuple[Mapping, Ruleset]:
    findings = Findings()
    loaded = load_tree(path, findings=findings)
    assert loaded is not None
    ruleset = build(loaded.root, findings)
    assert ruleset is not None, findings.items
    return loaded.root, ruleset


def conditions(ruleset: Ruleset) -> Iterator[tuple[tuple[str, ...], str]]:
    """Where an expression stands in the file, and what it is written back as."""
    for phase in ruleset.phases.values():
        for key in ("seat", "first", "who", "stop", "measure", "round"):
            expr = getattr(phase, key)
            if expr is not None:
                yield ("phases", phase.name, key), unparse(expr, ruleset)
        for move in phase.moves.values():
            for clause in move.require:
                path = ("phases", phase.name, "moves", move.name, "require", clause.name)
                yield (*path, "that"), unparse(clause.that, ruleset)
    for define in ruleset.defines.values():
        yield ("define", define.name), unparse(define.body, ruleset)


def put(node: Node, path: tuple[str, ...], text: str) -> Node:
    """A copy with another text at a path; the dress of a value stays."""
    if not path:
        if isinstance(node, Mapping):
            return put(node, ("is",), text)
        return Scalar(text, node.span, text)
    if not isinstance(node, Mapping):
        return node  # the names of moves that several phases offer
    name = path[0]
    entries = [
        Entry(e.key, put(e.value, path[1:], text)) if re.split(r"[\[(]", str(e.key.value))[0] == name else e
        for e in node
    ]
    return Mapping(tuple(entries), node.span)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_written_back_reads_the_same(path: Path) -> None:
    root, ruleset = read(path)
    tree: Node = root
    written = list(conditions(ruleset))
    for where, text in written:
        tree = put(tree, where, text)
    findings = Findings()
    assert isinstance(tree, Mapping)
    again = build(tree, findings)
    assert again is not None, [(item.message.en, item.span) for item in findings.items]
    assert written == list(conditions(again))
    assert [bare(d) for d in again.defines.values()] == [bare(d) for d in ruleset.defines.values()]


def test_steps() -> None:
    _, ruleset = read(ROOT / "tests" / "ok" / "hearts.yaml")
    steps = [unparse_step(step, ruleset) for phase in ruleset.phases.values() for step in (*phase.do, *phase.then)]
    assert "shuffle(stock)" in steps
    assert "deal(stock, hand, 13)" in steps
    assert "move(trick, won[leader])" in steps
    assert "score[s] += charge(taken(s), shot).points for s in seats" in steps

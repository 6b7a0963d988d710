"""Moves: what a seat may do, and the clauses that may forbid it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..diagnostics import Text
from ..diagnostics.nearest import nearest
from ..diagnostics.slips import range_meant
from ..model import Clause, Move
from ..model.ir import BASIC, BOOL, CARDS, INT, SEAT, SHAPE, Const, Expr, ListOf, Type, Whole, ZoneRef
from ..source.nodes import Entry, Mapping, Node, Scalar, Sequence
from .advice import write
from .expressions import read
from .grammar import Piece
from .notation import bounds_of, cites, flag, piece, undress, wording, words
from .parser import Locals
from .parts import entries, expression
from .steps import Acts, read_steps
from .world import World


def declare_moves(world: World, shared: Node | None, phases: Node | None) -> None:
    """Note the names of all moves, in file order."""
    own = [entry.value.get("moves") for entry in entries(phases) if isinstance(entry.value, Mapping)]
    names = [str(entry.key.value) for node in (shared, *own) for entry in entries(node)]
    world.moves = list(dict.fromkeys(names))


def read_moves(world: World, acts: Acts, node: Node | None, shared: Mapping | None) -> dict[str, Move]:
    """The moves of a phase: its own, or names of the moves that several phases offer."""
    out: dict[str, Move] = {}
    if isinstance(node, Scalar | Sequence):
        names = (
            words(node)
            if isinstance(node, Scalar)
            else [Piece(str(i.value), 0) for i in node.items if isinstance(i, Scalar)]
        )
        for word in names:
            entry = shared.entry(word.text) if shared is not None else None
            if entry is None:
                at = (
                    world.locate(node, word.start, word.start + len(word.text))
                    if isinstance(node, Scalar)
                    else node.span
                )
                known = [str(e.key.value) for e in shared] if shared is not None else []
                near = nearest(word.text, known)
                hint = (Text(f"是不是“{near}”？", f'did you mean "{near}"?'),) if near else ()
                if not world.was_removed(word.text, at):
                    zh, en = f"moves 里没有“{word.text}”", f'there is no move "{word.text}" under moves'
                    world.findings.add("HW401", at, zh, en, help=hint)
                continue
            out[word.text] = read_move(world, acts, entry)
        return out
    for entry in entries(node):
        out[str(entry.key.value)] = read_move(world, acts, entry)
    return out


def read_move(world: World, acts: Acts, entry: Entry) -> Move:
    name, body = str(entry.key.value), entry.value if isinstance(entry.value, Mapping) else None
    get = body.get if body is not None else lambda _key: None
    names: dict[str, Type] = {"seat": SEAT}
    pick = expression(world, get("pick"), CARDS, names)
    if pick is not None and not isinstance(pick, ZoneRef):
        world.findings.add(
            "HW402", pick.at, "pick 要写一个放牌的地方", "pick names a zone", help=(write("hand[seat]"),)
        )
        pick = None
    count = read_count(world, get("count"), names)
    shapes = tuple(shape_names(world, get("shapes")))
    choose, kind = read_choose(world, get("choose"))
    if pick is not None:
        names["picked"] = CARDS
        if shapes:
            names["shape"] = SHAPE
    if kind is not None:
        names["chosen"] = kind
    # What a faulty pick or choice would have been is not known: no second finding at each use.
    lost = {word for word, key in (("picked", "pick"), ("chosen", "choose")) if get(key) is not None} - names.keys()
    known = frozenset(world.faulty)
    world.faulty |= lost
    require = tuple(read_clause(world, clause, names) for clause in entries(get("require")))
    do = read_steps(world, acts, get("do"), names)
    world.faulty = set(known)
    return Move(
        name=name,
        text=wording(body, name) or Text(name, name),
        pick=pick,
        count=count,
        shapes=shapes,
        choose=choose,
        quiet=flag(undress(found).node) if (found := get("quiet")) is not None else False,
        require=tuple(clause for clause in require if clause is not None),
        do=do,
        span=entry.key.span,
        cite=cites(body),
    )


def read_count(world: World, node: Node | None, names: Locals) -> tuple[Expr, Expr] | None:
    inner = undress(node).node if node is not None else None
    if not isinstance(inner, Scalar):
        return None
    spread = bounds_of(world, inner)
    if spread is not None:
        low, high = spread.low or 0, spread.high if spread.high is not None else 10**6
        return Const(type=INT, at=inner.span, value=low), Const(type=INT, at=inner.span, value=high)
    one = read(world, inner, piece(inner), INT, names)
    return (one, one) if one is not None else None


def shape_names(world: World, node: Node | None) -> Iterator[str]:
    inner = undress(node).node if node is not None else None
    if not isinstance(inner, Scalar):
        return
    for word in words(inner):
        if word.text in world.shapes:
            yield word.text
            continue
        at = world.locate(inner, word.start, word.start + len(word.text))
        near = nearest(word.text, world.shapes)
        hint = (Text(f"是不是“{near}”？", f'did you mean "{near}"?'),) if near else ()
        if not world.was_removed(word.text, at):
            zh, en = f"没有“{word.text}”这个牌型", f'there is no shape "{word.text}"'
            world.findings.add("HW401", at, zh, en, help=hint)


def read_choose(world: World, node: Node | None) -> tuple[Expr | None, Type | None]:
    """What is chosen from: a kind, suits, cards, seats, ranks, or a range of numbers."""
    inner = undress(node).node if node is not None else None
    if not isinstance(inner, Scalar):
        return None, None
    text, at = str(inner.value).strip(), inner.span
    spread = bounds_of(world, inner)
    if (
        spread is not None
        and spread.low is not None
        and spread.high is not None
        and spread.high - spread.low <= 10_000 * spread.step
    ):
        values = range(spread.low, spread.high + 1, spread.step)
        kind = replace(INT, low=spread.low, high=spread.high, step=spread.step)
        return ListOf(
            type=Type("list", item=kind), at=at, items=tuple(Const(type=INT, at=at, value=v) for v in values)
        ), kind
    if text in world.kinds:
        kind = world.kinds[text]
        return ListOf(
            type=Type("list", item=kind),
            at=at,
            items=tuple(Const(type=kind, at=at, value=i) for i in range(len(kind.words))),
        ), kind
    collection = {"suit": "suits", "seat": "seats", "rank": "ranks", "card": "deck"}.get(text)
    if collection is not None:
        kind = BASIC[text]
        return Whole(type=Type("list", item=kind), at=at, name=collection), kind
    near = range_meant(text) or nearest(text, ["suit", "seat", "rank", "card", *world.kinds])
    kinds = ", ".join(["suit", "seat", "rank", "card", *world.kinds, "70..240 step 5"])
    hint = (write(near),) if near else (Text(f"可以写：{kinds}", f"it can be: {kinds}"),)
    world.findings.add("HW401", at, f"不能从“{text}”里选", f'"{text}" is nothing to choose from', help=hint)
    return None, None


def read_clause(world: World, entry: Entry, names: Locals) -> Clause | None:
    if not isinstance(entry.value, Mapping):
        return None
    that = expression(world, entry.value.get("that"), BOOL, names)
    when = expression(world, entry.value.get("when"), BOOL, names)
    if that is None:
        return None
    name = str(entry.key.value)
    return Clause(
        name=name,
        that=that,
        when=when,
        text=wording(entry.value, name) or Text(name, name),
        span=entry.key.span,
        cite=cites(entry.value),
    )

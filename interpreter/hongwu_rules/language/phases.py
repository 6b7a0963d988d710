"""Phases: who is asked, what happens, and where play goes."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as Mapping_

from ..diagnostics import Related, Span, Text
from ..diagnostics.nearest import nearest
from ..model import Leave, Phase, Transition
from ..model.ir import BOOL, INT, SEAT, Type
from ..source.nodes import Entry, Mapping, Node, Scalar, Sequence, titled
from .expressions import read
from .grammar import Piece, cut
from .moves import read_moves
from .notation import cites, flag, piece, text_of, undress, wording, words
from .parts import entries, expression
from .steps import Acts, read_steps
from .world import World

Titles = Mapping_[str, str | None]  # phases, and how people call them
ROUND = Type("word", of="round", words=("once", "until_quiet", "until_out"))


def read_phases(world: World, acts: Acts, node: Node | None, shared: Mapping | None) -> dict[str, Phase]:
    """``phases``: the states of the game, in file order."""
    known = {str(entry.key.value): text_of(_title(entry.value)) for entry in entries(node)}
    return {str(entry.key.value): read_phase(world, acts, entry, known, shared) for entry in entries(node)}


def _title(node: Node) -> Node | None:
    return node.get("zh") if isinstance(node, Mapping) else None


def read_phase(world: World, acts: Acts, entry: Entry, known: Titles, shared: Mapping | None) -> Phase:
    name, body = str(entry.key.value), entry.value if isinstance(entry.value, Mapping) else None
    get = body.get if body is not None else lambda _key: None
    kind = (
        "final"
        if flag(get("final"))
        else "round"
        if get("round") is not None
        else "seat"
        if get("seat") is not None
        else "auto"
    )
    moves = read_moves(world, acts, get("moves"), shared)
    timeout = []
    for word in names_in(get("timeout")):
        if word[1].text in moves:
            timeout.append(word[1].text)
        else:
            at = world.locate(word[0], word[1].start, word[1].start + len(word[1].text))
            if world.was_removed(word[1].text, at):
                continue
            near = titled(get("moves"), word[1].text) or nearest(word[1].text, moves)
            hint = (Text(f"是不是“{near}”？", f'did you mean "{near}"?'),) if near else ()
            zh, en = f"这里没有“{word[1].text}”这个动作", f'there is no move "{word[1].text}" here'
            world.findings.add("HW401", at, zh, en, help=hint)
    begins = undress(found).node if (found := get("begins")) is not None else None
    return Phase(
        name=name,
        text=wording(body, name) or Text(name, name),
        kind=kind,  # type: ignore[arg-type]  # one of the four words above
        begins_deal=text_of(begins) == "deal",
        seat=expression(world, get("seat"), SEAT, {}),
        round=expression(world, get("round"), ROUND, {}),
        first=expression(world, get("first"), SEAT, {}),
        who=expression(world, get("who"), BOOL, {"seat": SEAT}),
        stop=expression(world, get("stop"), BOOL, {}),
        measure=expression(world, get("measure"), INT, {}),
        moves=moves,
        then=read_steps(world, acts, get("then"), {"seat": SEAT} if kind != "auto" else {}),
        do=read_steps(world, acts, get("do"), {}),
        next=tuple(read_next(world, get("next"), known)),
        timeout=tuple(timeout),
        span=entry.key.span,
        cite=cites(body),
    )


def names_in(node: Node | None) -> Iterator[tuple[Scalar, Piece]]:
    inner = undress(node).node if node is not None else None
    for item in inner.items if isinstance(inner, Sequence) else [inner]:
        if isinstance(item, Scalar):
            for word in words(item):
                yield item, word


def read_next(world: World, node: Node | None, known: Titles) -> Iterator[Transition]:
    """Where play goes: ``PHASE [when COND]``, in file order."""
    inner: Node | None = node
    shared: tuple[str, ...] = ()
    if isinstance(node, Mapping):  # a dress is worn by one way, or by the list of them
        dress = undress(node)
        inner = dress.node if isinstance(dress.node, Sequence) else Sequence((node,), node.span)
        shared = dress.cite
    for item in inner.items if isinstance(inner, Sequence) else [inner] if inner is not None else []:
        body = item if isinstance(item, Mapping) else None
        main = (body.get("is") or body.get("to")) if body else item
        if not isinstance(main, Scalar):
            continue
        target, cond = cut(piece(main), "when")
        at = world.locate(main, target.start, target.start + len(target.text))
        when = read(world, main, cond, BOOL, {}) if cond is not None else None
        if cond is None and body is not None and body.get("when") is not None:
            when = expression(world, body.get("when"), BOOL, {})
        if target.text not in known:
            unknown_phase(world, target.text, at, known)
            continue
        yield Transition(to=target.text, when=when, span=at, cite=cites(body) or shared)


def unknown_phase(world: World, name: str, span: Span, known: Titles) -> None:
    """Say that no phase has this name."""
    listing = Text("可去的阶段：" + "、".join(known), "phases you can go to: " + ", ".join(known))
    if name in world.removed:
        place = Related(Text("在这里去掉的", "removed here"), world.removed[name])
        world.findings.add(
            "HW706",
            span,
            f"阶段“{name}”已被 remove 去掉，这里还要去",
            f'the phase "{name}" was removed, and this line still goes there',
            related=(place,),
            help=(listing,),
        )
        return
    near = next((phase for phase, title in known.items() if title == name), None) or nearest(name, known)
    hint = (Text(f"是不是“{near}”？", f'did you mean "{near}"?'), listing) if near else (listing,)
    world.findings.add("HW302", span, f"没有阶段“{name}”", f'unknown phase "{name}"', help=hint)


def read_leave(world: World, acts: Acts, node: Node | None, known: Titles) -> Leave | None:
    """``leave``: what happens when somebody goes."""
    if not isinstance(node, Mapping):
        return None
    ways = list(read_next(world, node.get("next"), known))
    steps = read_steps(world, acts, node.get("do"), {"leaver": SEAT})
    return Leave(do=steps, to=ways[0].to if ways else "", span=node.span, cite=cites(node))

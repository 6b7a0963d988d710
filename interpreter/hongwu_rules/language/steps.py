"""Steps: assignments and effects, repeated and guarded, and the acts that are written out in place."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from ..diagnostics import Text
from ..diagnostics.nearest import nearest
from ..model import Assign, Effect, Step
from ..model.ir import BOOL, INT, Call, Expr, Logic, TrickRef, Type, ZoneRef, source_zone
from ..source.nodes import Mapping, Node, Scalar, Sequence
from .advice import STEP, write
from .expressions import Reader
from .grammar import Piece, StepParts, cut, step_parts
from .notation import cites, piece
from .parser import Fault, Locals
from .parts import entries
from .types import item_type
from .words import EFFECTS
from .world import INDEX_TYPES, World

SIGNS: dict[type[ast.operator], str] = {ast.Add: "+=", ast.Sub: "-=", ast.Mult: "*="}


class Acts:
    """The shared steps of a file; using one writes it out in place."""

    def __init__(self, node: Node | None) -> None:
        self.nodes = {str(entry.key.value): entry.value for entry in entries(node)}
        self.used: set[str] = set()


def read_steps(
    world: World, acts: Acts, node: Node | None, names: Locals, inside: tuple[str, ...] = ()
) -> tuple[Step, ...]:
    """The steps of ``do`` or ``then``, a list or labelled."""
    out: list[Step] = []
    for label, item in step_nodes(node):
        out += read_step(world, acts, label, item, names, inside)
    return tuple(out)


def step_nodes(node: Node | None) -> Iterator[tuple[str, Node]]:
    if isinstance(node, Sequence):
        for item in node.items:
            yield "", item
    elif isinstance(node, Mapping):
        for entry in entries(node):
            yield str(entry.key.value), entry.value
    elif isinstance(node, Scalar):
        yield "", node


def read_step(world: World, acts: Acts, label: str, node: Node, names: Locals, inside: tuple[str, ...]) -> list[Step]:
    body = node if isinstance(node, Mapping) else None
    main = (body.get("do") or body.get("is")) if body else node
    if not isinstance(main, Scalar):
        return []
    parts = step_parts(piece(main))
    local = dict(names)
    loops: list[tuple[str, Type, Expr]] = []
    try:
        for scalar, name, source in loop_texts(body, main, parts):
            reader = Reader(world, scalar, source, local)
            found = reader.read(None)
            kind = item_type(found.type)
            if kind is None or not name.text.isidentifier():
                raise reader.fail(
                    "HW402",
                    None,
                    "for 要写成 for 名字 in 一列东西",
                    "for is written: for NAME in COLLECTION",
                    Text("例如 for s in seats", "for instance: for s in seats"),
                )
            local[name.text] = kind
            loops.append((name.text, kind, found))
        when = step_guard(world, body, main, parts, local)
        if parts.action.text in acts.nodes:
            return use_act(world, acts, parts.action.text, main, local, loops, when, inside)
        action = read_action(Reader(world, main, parts.action, local))
    except Fault:
        return []
    return [Step(name=label, action=action, loops=tuple(loops), when=when, span=main.span, cite=cites(body))]


def loop_texts(body: Mapping | None, main: Scalar, parts: StepParts) -> Iterator[tuple[Scalar, Piece, Piece]]:
    for variable, collection in parts.loops:
        yield main, variable, collection
    extra = body.get("for") if body else None
    for node in extra.items if isinstance(extra, Sequence) else [extra] if extra is not None else []:
        if isinstance(node, Scalar):
            whole = piece(node)
            text = whole if not whole.text.startswith("for ") else Piece(whole.text[4:], whole.start + 4)
            name, source = cut(text, "in")
            yield node, name, source if source is not None else Piece("", name.start)


def step_guard(world: World, body: Mapping | None, main: Scalar, parts: StepParts, names: Locals) -> Expr | None:
    guards: list[Expr] = []
    if parts.when is not None:
        guards.append(Reader(world, main, parts.when, names).read(BOOL))
    extra = body.get("when") if body else None
    if isinstance(extra, Scalar):
        guards.append(Reader(world, extra, piece(extra), names).read(BOOL))
    return both(guards)


def both(guards: list[Expr]) -> Expr | None:
    """All of the guards, or None if there is none."""
    if len(guards) < 2:
        return guards[0] if guards else None
    return Logic(type=BOOL, at=guards[0].at, op="and", parts=tuple(guards))


def use_act(
    world: World,
    acts: Acts,
    name: str,
    main: Scalar,
    names: Locals,
    loops: list[tuple[str, Type, Expr]],
    when: Expr | None,
    inside: tuple[str, ...],
) -> list[Step]:
    acts.used.add(name)
    if name in inside:
        chain = " → ".join((*inside, name))
        world.findings.add(
            "HW406", main.span, f"acts 互相引用成了圈：{chain}", f"acts use each other in a ring: {chain}"
        )
        return []
    steps = read_steps(world, acts, acts.nodes[name], names, (*inside, name))
    return [
        replace(step, loops=(*loops, *step.loops), when=both([g for g in (when, step.when) if g is not None]))
        for step in steps
    ]


def read_action(reader: Reader) -> Assign | Effect:
    """``slot[index] = value`` (also += -= *=) or an effect with its arguments."""
    tree = reader.parse("exec")
    body = getattr(tree, "body", [])
    if len(body) != 1:
        two = Text("分成两步，各写一行", "make it two steps, each on a line of its own")
        raise reader.fail("HW402", None, "一步只做一件事", "a step does one thing", two)
    match body[0]:
        case ast.Assign(targets=[target]):
            return assignment(reader, target, "=", body[0].value)
        case ast.AugAssign() if type(body[0].op) in SIGNS:
            return assignment(reader, body[0].target, SIGNS[type(body[0].op)], body[0].value)
        case ast.Expr(value=ast.Call(func=ast.Name(id=word)) as call) if word in EFFECTS and not call.keywords:
            args = reader.arguments(call, word, EFFECTS[word])
            if word in ("move", "play") and "picked" not in reader.names and not from_somewhere(args[0]):
                zh, en = "不知道这些牌从哪里拿", "nothing says where these cards are taken from"
                hint = Text(
                    "写 cards(c for c in 地方 if …)，或放在有 pick 的动作里",
                    "write cards(c for c in ZONE if …), or do it in a move that picks",
                )
                raise reader.fail("HW402", call.args[0], zh, en, hint)
            return Effect(word=word, args=args, span=reader.whole())
        case ast.Expr(value=value):
            return unknown_action(reader, value)
        case _:
            raise reader.fail("HW402", None, "步骤只能是赋值或动作", "a step is an assignment or an action", STEP)


def from_somewhere(cards: Expr) -> bool:
    """Whether an expression itself says which zone its cards are taken from."""
    if isinstance(cards, Call) and cards.word == "top":
        return isinstance(cards.args[0], ZoneRef)
    return isinstance(cards, TrickRef) or source_zone(cards, None) is not None


def unknown_action(reader: Reader, value: ast.expr) -> Assign | Effect:
    name = value.func if isinstance(value, ast.Call) else value
    if isinstance(name, ast.Name):
        if name.id in reader.world.removed:
            raise reader.unknown(name.id, reader.at(name))
        near = nearest(name.id, EFFECTS)
        hint = (
            (Text(f"是不是“{near}”？", f'did you mean "{near}"?'),)
            if near
            else (Text("动作有：" + "、".join(EFFECTS), "the actions are: " + ", ".join(EFFECTS)),)
        )
        raise reader.fail("HW401", name, f"没有“{name.id}”这个动作", f'there is no action "{name.id}"', *hint)
    raise reader.fail("HW402", value, "步骤只能是赋值或动作", "a step is an assignment or an action", STEP)


def assignment(reader: Reader, target: ast.expr, op: str, value: ast.expr) -> Assign:
    world = reader.world
    base = target.value if isinstance(target, ast.Subscript) else target
    if not isinstance(base, ast.Name):
        zh, en = "等号左边要是 memory 里的名字", "the left side is a name of the memory"
        raise reader.fail("HW402", target, zh, en, STEP)
    name = base.id
    if name not in world.slots:
        if world.variable(name) or name in reader.names:
            raise reader.fail(
                "HW402",
                base,
                f"“{name}”不在 memory 里，不能改",
                f'"{name}" is not in the memory and cannot be changed',
                Text("在 memory 里声明一个名字来记", "declare a name under memory to keep it in"),
            )
        raise reader.unknown(name, reader.at(base), also=list(world.slots))
    wanted, kind = world.slots[name]
    parts: list[ast.expr] = []
    if isinstance(target, ast.Subscript):
        parts = list(target.slice.elts) if isinstance(target.slice, ast.Tuple) else [target.slice]
    if len(parts) != len(wanted):
        shape = f"[{', '.join(wanted)}]" if wanted else ""
        zh, en = f"“{name}”的下标不对", f'"{name}" has other indexes'
        raise reader.fail("HW402", target, zh, en, write(f"{name}{shape}"))
    index = tuple(reader.typed(part, INDEX_TYPES[want]) for part, want in zip(parts, wanted, strict=True))
    if op != "=" and kind.name != "int":
        raise reader.mismatch(target, INT, kind)
    drawn = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "random"
    if drawn:
        assert isinstance(value, ast.Call)
        if len(value.args) != 1 or op != "=":
            zh, en = "random 从一列东西里取一个", "random takes one of a collection"
            raise reader.fail("HW402", value, zh, en, write(f"{name} = random(seats)"))
        source = reader.node(value.args[0], Type("list", item=kind.sure))
        inside = item_type(source.type)
        if inside is None or not inside.same(kind):
            raise reader.mismatch(value.args[0], Type("list", item=kind.sure), source.type)
        return Assign(slot=name, index=index, op=op, value=source, random=True, span=reader.whole())
    return Assign(slot=name, index=index, op=op, value=reader.typed(value, kind), span=reader.whole())

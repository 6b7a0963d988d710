"""Reading a ruleset: from the merged tree of a file to a `Ruleset` whose names and types are settled."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..diagnostics import NOWHERE, Findings, Span, Text
from ..model import Define, Ruleset
from ..model.ir import INT, SEAT, Const, Type
from ..source.nodes import Entry, Node, Scalar
from ..source.nodes import Mapping as MappingNode
from .expressions import Reader
from .memory import declare_memory, declare_zones, ordered_zones, read_memory, read_zones
from .moves import declare_moves
from .notation import cites, flag, name_of, piece, text_of, undress, wording
from .parser import Fault
from .parts import entries, expression
from .phases import read_leave, read_phases, unknown_phase
from .ranking import declare_order, declare_shapes, read_order, read_shapes, read_trick
from .steps import Acts
from .tables import declare_tables, read_tables
from .things import read_deck, read_kinds, read_ladder, read_options, read_seats
from .world import Signature, World, param_type

Locate = Callable[[Scalar, int, int], Span]


def plain_locate(scalar: Scalar, start: int, end: int) -> Span:
    """Places inside a scalar, right for one that stands on one line without quotes."""
    return scalar.span.inside(start, end)


def build(
    root: MappingNode,
    findings: Findings,
    *,
    settings: Mapping[str, object] | None = None,
    removed: Mapping[str, Span] | None = None,
    locate: Locate = plain_locate,
) -> Ruleset | None:
    """The ruleset of a merged and well-shaped tree, or None after noting what is wrong.

    ``settings`` are values for options; they matter here only where the deck depends on one.
    """

    def place(scalar: object, start: int, end: int) -> Span:
        return locate(scalar, start, end) if isinstance(scalar, Scalar) else NOWHERE

    before = len(findings.items)
    world = World(findings, place, removed or {})
    get = root.get
    options = read_options(world, get("options"))
    world.options = options
    kinds = read_kinds(world, get("kinds"))
    seats = read_seats(world, get("seats"))
    values: dict[str, int | bool] = {name: option.default for name, option in options.items()}
    values.update({k: v for k, v in (settings or {}).items() if k in values and isinstance(v, int)})
    deck = read_deck(world, get("deck"), values)
    ladder = read_ladder(world, get("ladder"))
    declare_zones(world, get("zones"))
    declare_memory(world, get("memory"))
    declare_order(world, get("order"))
    declare_shapes(world, get("shapes"))
    declare_moves(world, get("moves"), get("phases"))
    defines = Defines(world, get("define"))
    declare_tables(world, get("tables"))
    zones = read_zones(world, get("zones"), ordered_zones(root))
    memory = read_memory(world, get("memory"))
    order = read_order(world, get("order"))
    shapes = read_shapes(world, get("shapes"), order)
    trick = read_trick(world, get("trick"))
    acts = Acts(get("acts"))
    shared = get("moves")
    phases = read_phases(world, acts, get("phases"), shared if isinstance(shared, MappingNode) else None)
    titles = {name: phase.text.zh for name, phase in phases.items()}
    tables = read_tables(world, get("tables"))
    leave = read_leave(world, acts, get("leave"), titles)
    returns = expression(world, get("returns"), INT, {"seat": SEAT})
    start_node = get("start")
    start = text_of(undress(start_node).node) if start_node is not None else ""
    if start_node is not None and start not in phases:
        unknown_phase(world, start or "", start_node.span, titles)
    unused_acts(world, acts, get("acts"))
    made = defines.all()
    if len([f for f in findings.items[before:] if not f.code.startswith("HW405")]) or any(
        d is None for d in made.values()
    ):
        return None
    return Ruleset(
        name=text_of(get("name")) or "",
        title=wording(get("title"), text_of(get("name"))) or Text("", ""),
        source=text_of(get("source")) or "",
        abstract=flag(get("abstract")),
        options=options,
        kinds=kinds,
        seats=seats,
        deck=deck,
        zones=zones,
        memory=memory,
        defines={name: found for name, found in made.items() if found is not None},
        order=order,
        shapes=shapes,
        trick=trick,
        start=start or "",
        phases=phases,
        tables=tables,
        returns=returns,
        leave=leave,
        ladder=ladder,
        span=named.span if (named := get("name")) is not None else root.span,  # a merged tree begins in its base
        cite=cites(returns_node) if (returns_node := get("returns")) is not None else (),
    )


def unused_acts(world: World, acts: Acts, node: Node | None) -> None:
    """An act that no step uses is read all the same, and said to be unused."""
    for entry in entries(node):
        if str(entry.key.value) not in acts.used:
            world.findings.add(
                "HW405",
                entry.key.span,
                f"acts 里的“{entry.key.value}”没有用到",
                f'the act "{entry.key.value}" is never used',
            )


class Defines:
    """The defines of a file, each typed when it is first used, so that their order does not matter."""

    def __init__(self, world: World, node: Node | None) -> None:
        self.world = world
        self.entries: dict[str, Entry] = {}
        self.done: dict[str, Define | None] = {}
        self.open: list[str] = []
        for entry in entries(node):
            name = name_of(entry.key)
            if name is None:
                world.findings.add(
                    "HW103",
                    entry.key.span,
                    "这里要一个名字，如 side(seat)",
                    "a name is expected here, as in side(seat)",
                )
                continue
            self.entries[name.name] = entry
            world.defines.add(name.name)
            world.places.setdefault(name.name, entry.key.span)
        world.define_of = self.signature

    def all(self) -> dict[str, Define | None]:
        """Every define, in file order."""
        for name in self.entries:
            self.signature(name)
        return {name: self.done.get(name) for name in self.entries}

    def signature(self, name: str) -> Signature | None:
        """The parameters and the result of a define; None if it is faulty or names itself."""
        if name in self.open:
            chain = [*self.open[self.open.index(name) :], name]
            at = self.entries[name].key.span
            if name not in self.done:
                self.world.findings.add(
                    "HW406",
                    at,
                    f"“{name}”绕一圈又用到自己：" + " → ".join(chain),
                    f'"{name}" comes back to itself: ' + " → ".join(chain),
                )
                self.done[name] = None
            return None
        if name not in self.done:
            self.open.append(name)
            found = self.one(name, self.entries[name])
            self.open.pop()
            self.done.setdefault(name, found)
            if found is None:
                self.done[name] = None
        made = self.done[name]
        if made is None:
            return None
        body = made.body
        number = body.value if isinstance(body, Const) and body.type.name == "int" and not made.params else None
        return Signature(made.params, body.type, made.span, number if isinstance(number, int) else None)

    def one(self, name: str, entry: Entry) -> Define | None:
        sign = name_of(entry.key)
        dress = undress(entry.value)
        if sign is None or not isinstance(dress.node, Scalar):
            return None
        params: list[tuple[str, Type]] = []
        for part in sign.parts:
            kind = param_type(self.world, part)
            if kind is None:
                self.world.findings.add(
                    "HW401",
                    entry.key.span,
                    f"参数用类型命名，没有“{part}”这个类型",
                    f'a parameter is named by its type, and there is no type "{part}"',
                )
                return None
            params.append((part, kind))
        try:
            body = Reader(self.world, dress.node, piece(dress.node), dict(params)).read(None)
        except Fault:
            return None
        return Define(name=name, params=tuple(params), body=body, span=entry.key.span, cite=dress.cite)

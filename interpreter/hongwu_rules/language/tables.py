"""Tables: keyed rows over declared inputs."""

from __future__ import annotations

from dataclasses import replace

from ..diagnostics import Related, Text
from ..diagnostics.nearest import nearest
from ..diagnostics.slips import range_meant
from ..model import Cell, Row, Table
from ..model.ir import BOOL, INT, Expr, Type
from ..source.nodes import Entry, Mapping, Node, Scalar
from .advice import write
from .expressions import read
from .notation import Range, bounds_of, cites, piece, text_of, undress, words
from .parts import entries
from .world import TableSignature, World


def declare_tables(world: World, node: Node | None) -> None:
    """Make the inputs and outputs of the tables known."""
    for entry in entries(node):
        if not isinstance(entry.value, Mapping):
            continue
        given: dict[str, Type] = {}
        for part in entries(entry.value.get("given")):
            inner = undress(part.value).node
            name = str(part.key.value)
            kind = input_type(world, name, inner) if isinstance(inner, Scalar) else None
            if name in world.defines:
                world.findings.add(
                    "HW106",
                    part.key.span,
                    f"表的输入“{name}”和 define 里的名字相同",
                    f'the input "{name}" has the name of a define',
                    related=(Related(Text("define 在这里", "the define is here"), world.places[name]),)
                    if name in world.places
                    else (),
                )
            if kind is None:
                world.findings.add(
                    "HW103",
                    part.key.span,
                    f"“{name}”写明范围，如 0..200 step 5、bool，或某类的词",
                    f'give the domain of "{name}", as in 0..200 step 5, bool, or words of a kind',
                    help=(write(meant),)
                    if isinstance(inner, Scalar) and (meant := range_meant(str(inner.value)))
                    else (),
                )
                kind = INT
            given[name] = kind
        gives = tuple(str(part.key.value) for part in entries(entry.value.get("gives")))
        world.tables[str(entry.key.value)] = TableSignature(given, gives)
        world.places.setdefault(str(entry.key.value), entry.key.span)


def input_type(world: World, name: str, node: Scalar) -> Type | None:
    """The domain of an input: ``bool``, ``0..200 step 5``, a kind, or neighbouring words of one."""
    text = str(node.value).strip()
    if text == "bool":
        return BOOL
    spread = bounds_of(world, node)
    if spread is not None and spread.low is not None and spread.high is not None:
        return replace(INT, low=spread.low, high=spread.high, step=spread.step)
    if text in world.kinds:
        kind = world.kinds[text]
        return replace(kind, low=0, high=len(kind.words) - 1)
    parts = text.split()
    fitting = [k for k in world.kinds.values() if parts and all(part in k.words for part in parts)]
    fitting.sort(key=lambda k: k.of != name)
    if not fitting:
        return None
    places = sorted(fitting[0].words.index(part) for part in parts)
    if places != list(range(places[0], places[-1] + 1)):
        return None
    return replace(fitting[0], low=places[0], high=places[-1])


def read_tables(world: World, node: Node | None) -> dict[str, Table]:
    """``tables``: keyed rows over the declared inputs."""
    out: dict[str, Table] = {}
    for entry in entries(node):
        name, body = str(entry.key.value), entry.value
        if not isinstance(body, Mapping):
            continue
        sign = world.tables[name]
        gives: dict[str, int] = {}
        for part in entries(body.get("gives")):
            inner = undress(part.value).node
            gives[str(part.key.value)] = (
                inner.value if isinstance(inner, Scalar) and isinstance(inner.value, int) else 0
            )
        rows = tuple(
            read_row(world, name, row, row.value, sign)
            for row in entries(body.get("rows"))
            if isinstance(row.value, Mapping)
        )
        zero = text_of(undress(found).node) if (found := body.get("sums_to_zero")) is not None else ""
        hit = text_of(undress(found).node) if (found := body.get("hit")) is not None else "unique"
        out[name] = Table(
            name=name,
            given=sign.given,
            gives=gives,
            hit=hit if hit in ("first", "collect") else "unique",  # type: ignore[arg-type]  # narrowed just here
            rows=rows,
            sums_to_zero=zero or "",
            span=entry.key.span,
            cite=cites(body),
        )
    return out


def read_row(world: World, table: str, entry: Entry, body: Mapping, sign: TableSignature) -> Row:
    keys: dict[str, Cell] = {}
    gives: dict[str, Expr] = {}
    for part in entries(body):
        name = str(part.key.value)
        inner = undress(part.value).node
        if name in sign.given and isinstance(inner, Scalar):
            cell = read_cell(world, sign.given[name], inner)
            if cell is not None:
                keys[name] = cell
        elif name in sign.gives and isinstance(inner, Scalar):
            found = read(world, inner, piece(inner), INT, dict(sign.given))
            if found is not None:
                gives[name] = found
        else:
            known = [*sign.given, *sign.gives]
            near = nearest(name, known)
            hint = (Text(f"是不是“{near}”？", f'did you mean "{near}"?'),) if near else ()
            world.findings.add(
                "HW101",
                part.key.span,
                f"表“{table}”没有“{name}”这一列",
                f'the table "{table}" has no column "{name}"',
                help=(*hint, Text("它有：" + "、".join(known), "it has: " + ", ".join(known))),
            )
    return Row(name=str(entry.key.value), keys=keys, gives=gives, span=entry.key.span, cite=cites(body))


def read_cell(world: World, kind: Type, node: Scalar) -> Cell | None:
    """What one key of a row accepts."""
    if kind.name == "int":
        spread = bounds_of(world, node)
        if spread is not None:
            off_step(world, kind, spread, node)
            return Cell(((spread.low, spread.high),), node.span)
        world.findings.add(
            "HW103",
            node.span,
            "这里写数或范围，如 40、5..35、..0、200..",
            "write a number or a range here, as in 40, 5..35, ..0, 200..",
            help=(write(meant),) if (meant := range_meant(str(node.value))) else (),
        )
        return None
    if kind.name == "bool":
        if isinstance(node.value, bool):
            return Cell(((int(node.value), int(node.value)),), node.span)
        world.findings.add("HW103", node.span, "这里写 true 或 false", "write true or false here")
        return None
    ranges = []
    for word in words(node):
        if word.text not in kind.words:
            near = nearest(word.text, kind.words)
            hint = (Text(f"是不是“{near}”？", f'did you mean "{near}"?'),) if near else ()
            at = world.locate(node, word.start, word.start + len(word.text))
            world.findings.add(
                "HW401", at, f"“{kind.of}”里没有“{word.text}”", f'"{kind.of}" has no word "{word.text}"', help=hint
            )
            return None
        place = kind.words.index(word.text)
        ranges.append((place, place))
    return Cell(tuple(ranges), node.span)


def off_step(world: World, kind: Type, spread: Range, node: Scalar) -> None:
    """HW105: an end of a range that the input never takes, as 78 where it goes by fives; HW506 tells of no value at all."""
    first, (low, high, _) = kind.low or 0, spread
    up = None if low is None else low + (first - low) % kind.step
    down = None if high is None else high - (high - first) % kind.step
    if (up, down) == (low, high) or (up is not None and down is not None and up > down):
        return
    zh = f"“{node.value}”的一头不会出现：从 {first} 起每 {kind.step} 一个"
    en = f'an end of "{node.value}" never comes up: values go by {kind.step}, from {first}'
    right = f"{'' if up is None else up}..{'' if down is None else down}"
    hint = (write(up if up == down else right),)
    world.findings.add("HW105", node.span, zh, en, help=hint)

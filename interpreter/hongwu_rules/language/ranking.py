"""Order, shapes and tricks: what is stronger, what is played together, what may win."""

from __future__ import annotations

from .. import cards
from ..diagnostics import Text
from ..model import Group, Line, Order, Shape, Shapes, TrickRules, Wings
from ..model.ir import BOOL, CARD, CARDS, INT, PLAY, SHAPE, Expr, Type
from ..source.nodes import Entry, Mapping, Node, Scalar, Sequence
from .expressions import read
from .grammar import cut
from .moves import read_clause, shape_names
from .notation import Dress, cites, name_of, piece, range_of, rank_list, rank_spans, text_of, undress, wording, words
from .parts import bare, entries, expression, one_of
from .world import World

OVER_RUFF = Type("word", of="over_ruff", words=("every_part", "largest_kind", "highest_card"))
EQUAL = Type("word", of="equal", words=("first", "last"))
FORCED_FROM = Type("word", of="forced_from", words=("thrown", "beaten"))
LONGEST = 20  # an open ``run: 3..`` is bounded by the steps of an order


def declare_order(world: World, node: Node | None) -> None:
    """Number the groups and lines of the order, strongest first."""
    group = line = 0
    for entry in entries(node):
        name = name_of(entry.key)
        if name is None or name.name == "runs":
            continue
        world.groups[f"{name.name}[suit]" if name.bracket else name.name] = group
        group += 4 if name.bracket else 1
        body = undress(entry.value).node
        if isinstance(body, Mapping):
            for label in entries(body):
                if str(label.key.value) in world.lines:
                    world.findings.add(
                        "HW203",
                        label.key.span,
                        f"“{label.key.value}”这一行有两次",
                        f'there are two lines named "{label.key.value}"',
                    )
                world.lines[str(label.key.value)] = line
                line += 1
        else:
            world.lines[name.name] = line
            line += 1


def read_order(world: World, node: Node | None) -> Order:
    """``order``: groups, their labelled lines, and over what a run may step."""
    groups: list[Group] = []
    close: Expr | None = None
    across: Expr | None = None
    for entry in entries(node):
        name = name_of(entry.key)
        if name is None:
            continue
        dress = undress(entry.value)
        if name.name == "runs":
            if isinstance(entry.value, Mapping):
                close = expression(world, entry.value.get("close_over"), BOOL, {"card": CARD})
                across = expression(world, entry.value.get("across_lines"), BOOL, {})
            continue
        lines: list[Line] = []
        if isinstance(dress.node, Mapping):
            lines = [found for label in entries(dress.node) if (found := read_line(world, label)) is not None]
        elif isinstance(dress.node, Scalar):
            ranks = rank_list(world, dress.node, piece(dress.node))
            if ranks is not None:
                spans = rank_spans(world, dress.node, piece(dress.node))
                line = Line(
                    name=name.name, that=None, ranks=ranks, rank_spans=spans, span=dress.node.span, cite=dress.cite
                )
                lines = [line]
        groups.append(
            Group(
                name=name.name,
                per_suit=bool(name.bracket),
                lines=tuple(lines),
                span=entry.key.span,
                cite=cites(entry.value),
            )
        )
    span = node.span if node is not None else world.locate(None, 0, 0)
    return Order(groups=tuple(groups), close_over=close, across_lines=across, span=span, cite=cites(node))


def read_line(world: World, label: Entry) -> Line | None:
    dress: Dress = undress(label.value)
    if not isinstance(dress.node, Scalar):
        return None
    that, by = cut(piece(dress.node), "by")
    ranks = rank_list(world, dress.node, by) if by is not None else ()
    cond = None if that.text == "true" else read(world, dress.node, that, BOOL, {"card": CARD})
    if ranks is None or (cond is None and that.text != "true"):
        world.faulty.add("order")
        return None
    spans = rank_spans(world, dress.node, by) if by is not None else ()
    return Line(
        name=str(label.key.value), that=cond, ranks=ranks, rank_spans=spans, span=label.key.span, cite=dress.cite
    )


def declare_shapes(world: World, node: Node | None) -> None:
    """Number the shapes in file order."""
    for entry in entries(node):
        if isinstance(entry.value, Mapping) and entry.key.value not in ("alike_by", "runs_within", "require"):
            world.shapes[str(entry.key.value)] = len(world.shapes)
            if any(key in entry.value for key in ("wings", "cards", "parts")):
                world.odd_shapes.add(str(entry.key.value))
            world.places.setdefault(str(entry.key.value), entry.key.span)


def read_shapes(world: World, node: Node | None, order: Order) -> Shapes:
    """``shapes``: width times length, read in file order."""
    body = node if isinstance(node, Mapping) else None
    alike = text_of(undress(found).node) if body and (found := body.get("alike_by")) is not None else "card"
    default = spread_of(world, body.get("runs_within") if body else None, order)
    items: list[Shape] = []
    for entry in entries(node):
        if str(entry.key.value) in world.shapes and isinstance(entry.value, Mapping):
            items.append(read_shape(world, entry, entry.value, order, default))
    span = node.span if node is not None else world.locate(None, 0, 0)
    locals_ = {"body": CARDS, "wings": CARDS, "shape": SHAPE}
    clauses = [read_clause(world, clause, locals_) for clause in entries(body.get("require") if body else None)]
    return Shapes(
        alike_by="step" if alike == "step" else "card",
        items=tuple(items),
        require=tuple(clause for clause in clauses if clause is not None),
        span=span,
        cite=cites(node),
    )


def read_shape(world: World, entry: Entry, body: Mapping, order: Order, default: tuple[int, ...]) -> Shape:
    sizes: list[tuple[int, int]] = []
    for key in ("alike", "run"):
        node = body.get(key)
        inner = undress(node).node if node is not None else None
        spread = range_of(inner) if isinstance(inner, Scalar) else None
        if inner is not None and (
            spread is None or (spread.low or 0) < 1 or (spread.high is not None and spread.high < (spread.low or 0))
        ):
            world.findings.add(
                "HW103", inner.span, "这里写张数或范围，如 2 或 1..7", "write a number or a range here, as in 2 or 1..7"
            )
        low = spread.low or 1 if spread else 1
        high = (spread.high if spread and spread.high is not None else LONGEST) if spread else 1
        sizes.append((low, high))
    within = body.get("within")
    parts = tuple(shape_names(world, body.get("parts")))
    plain_parts(world, body.get("parts"))
    node = bare(body, "count")
    spread = range_of(node) if isinstance(node, Scalar) else None
    if node is not None and (spread is None or (spread.low or 0) < 1):
        world.findings.add("HW103", node.span, "这里写几部分，如 2..", "write the number of parts here, as in 2..")
    names = {"width": INT, "length": INT}
    name = str(entry.key.value)
    return Shape(
        name=name,
        text=wording(body, name) or Text(name, name),
        width=sizes[0],
        length=sizes[1],
        within=spread_of(world, within, order) if within is not None else default if sizes[1][1] > 1 else (),
        power=expression(world, body.get("power"), INT, names),
        when=expression(world, body.get("when"), BOOL, {}),
        parts=parts,
        count=((spread.low or 2), spread.high) if spread else (2, None),
        wings=read_wings(world, body.get("wings")),
        cards=card_list(world, body.get("cards")),
        span=entry.key.span,
        cite=cites(body),
    )


def read_wings(world: World, node: Node | None) -> Wings | None:
    """``wings``: so many sets of so many alike for each set of the body."""
    if not isinstance(node, Mapping):
        return None
    numbers = [found.value if isinstance(found := bare(node, key), Scalar) else 1 for key in ("alike", "each")]
    width, each = (number if isinstance(number, int) else 1 for number in numbers)
    distinct = expression(world, node.get("distinct"), BOOL, {})
    return Wings(width=width, each=each, distinct=distinct, span=node.span, cite=cites(node))


def card_list(world: World, node: Node | None) -> tuple[int, ...]:
    """``BJ LJ``: cards of the deck by id."""
    inner = undress(node).node if node is not None else None
    found: list[int] = []
    for word in words(inner) if isinstance(inner, Scalar) else ():
        card = cards.IDS.get(word.text.upper())
        if card is not None and (world.deck is None or card in world.deck):
            found.append(card)
            continue
        at = world.locate(inner, word.start, word.start + len(word.text))
        zh, en = f"这副牌里没有“{word.text}”", f'"{word.text}" is not in this deck'
        if card is None:
            zh, en = f"没有“{word.text}”这张牌", f'there is no card "{word.text}"'
        hint = Text("牌这样写：S5、S10、BJ（大王）", "cards are written S5, S10, BJ (big joker)")
        world.findings.add("HW201", at, zh, en, help=(hint,) if card is None else ())
    return tuple(sorted(found))


def plain_parts(world: World, node: Node | None) -> None:
    """A shape of parts is made of sets and runs, of nothing that carries wings or names its cards."""
    inner = undress(node).node if node is not None else None
    for word in words(inner) if isinstance(inner, Scalar) else ():
        if word.text in world.odd_shapes:
            at = world.locate(inner, word.start, word.start + len(word.text))
            zh, en = f"“{word.text}”不能是别的牌型的一部分", f'"{word.text}" cannot be a part of another shape'
            hint = Text("各部分只能是有 alike 而没有 wings 的牌型", "parts are shapes with `alike` and without `wings`")
            world.findings.add("HW402", at, zh, en, help=(hint,))


def spread_of(world: World, node: Node | None, order: Order) -> tuple[int, ...]:
    """``A..10``: the ranks from one to the other, as the first line of the order with both has them."""
    inner = undress(node).node if node is not None else None
    if not isinstance(inner, Scalar) or "order" in world.faulty:
        return ()
    ends = [cards.RANKS.get(part.strip().upper()) for part in str(inner.value).split("..")]
    if len(ends) == 2:
        for group in order.groups:
            for line in group.lines:
                if ends[0] in line.ranks and ends[1] in line.ranks:
                    places = sorted((line.ranks.index(ends[0]), line.ranks.index(ends[1])))
                    return line.ranks[places[0] : places[1] + 1]
    in_deck = {cards.RANK_OF[card] for card in world.deck or ()}
    in_order = {rank for group in order.groups for line in group.lines for rank in line.ranks}
    if len(ends) == 2 and any(end in in_deck and end not in in_order for end in ends):
        return ()  # the order lacks it, and that is said of the order
    world.findings.add(
        "HW201",
        inner.span,
        f"“{inner.value}”不是大小表同一行里的两个点数",
        f'"{inner.value}" is not two ranks of one line of the order',
    )
    return ()


def read_trick(world: World, node: Node | None) -> TrickRules:
    """``trick``: what may compete outside the group that was led, and how plays of several parts compare."""
    body = node if isinstance(node, Mapping) else None
    ruff = body.get("ruff") if body else None
    that = ruff.get("that") if isinstance(ruff, Mapping) and ruff.get("is") is None else ruff
    cond = expression(world, that, BOOL, {"play": PLAY})
    span = ruff.span if ruff is not None else world.locate(None, 0, 0)
    get = body.get if body is not None else lambda _key: None
    forced = bare(body, "forced")
    return TrickRules(
        ruff=cond,
        text=wording(ruff),
        over_ruff=one_of(world, get("over_ruff"), OVER_RUFF),
        equal=one_of(world, get("equal"), EQUAL),
        forced=tuple(
            tuple(shape_names(world, item)) for item in (forced.items if isinstance(forced, Sequence) else [forced])
        )
        if forced is not None
        else (),
        forced_from=one_of(world, get("forced_from"), FORCED_FROM),
        span=span,
        cite=cites(ruff) or cites(node),
    )

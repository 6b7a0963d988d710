"""The sections that name things: options, kinds, seats, the deck, the ladder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from .. import cards
from ..diagnostics import Related, Span, Text
from ..diagnostics.nearest import nearest
from ..model import Deck, Kind, Ladder, Option, Seats
from ..model.ir import BOOL, CARD, INT, Type
from ..source.nodes import Entry, Mapping, Node, Scalar, Sequence
from .evaluate import NotStatic, evaluate
from .notation import cites, piece, range_of, rank_list, text_of, undress, wording, words
from .parts import bare, entries, expression
from .world import World


def read_options(world: World, node: Node | None) -> dict[str, Option]:
    """``options``: each a bool, a bounded int or a word of its choices."""
    out: dict[str, Option] = {}
    for entry in entries(node):
        name, body = str(entry.key.value), entry.value
        if not isinstance(body, Mapping):
            continue
        found = one_option(world, name, entry, body)
        if found is None:
            world.faulty.add(name)
        else:
            out[name] = found
            world.places[name] = entry.key.span
    return out


def one_option(world: World, name: str, entry: Entry, body: Mapping) -> Option | None:
    default, span = body.get("default"), entry.key.span
    choices = body.get("choices")
    if isinstance(choices, Mapping):
        named = list(entries(choices))
        labels = tuple(str(c.key.value) for c in named)
        texts = tuple(wording(c.value, str(c.key.value)) or Text("", "") for c in named)
        kind = Type("word", of=name, words=labels)
        value: int | bool = 0
        chosen = text_of(default)
        if chosen in labels:
            value = labels.index(chosen)
        elif isinstance(default, Scalar):
            near = nearest(str(chosen), labels)
            hint = (Text(f"是不是“{near}”？", f'did you mean "{near}"?'),) if near else ()
            world.findings.add(
                "HW104",
                default.span,
                f"默认值“{chosen}”不在 choices 里",
                f'the default "{chosen}" is not one of the choices',
                help=hint,
            )
    elif isinstance(default, Scalar) and isinstance(default.value, bool):
        kind, value, texts = BOOL, default.value, ()
    elif isinstance(default, Scalar) and isinstance(default.value, int):
        bounds = body.get("range")
        spread = range_of(bounds) if isinstance(bounds, Scalar) else None
        if spread is None or spread.low is None or spread.high is None or spread.low > spread.high:
            at = bounds.span if bounds is not None else span
            world.findings.add(
                "HW102",
                at,
                f"选项“{name}”是数，要写范围，如 range: 0..12",
                f'the option "{name}" is a number and needs its range, as in range: 0..12',
            )
            return None
        kind = replace(INT, low=spread.low, high=spread.high, step=spread.step)
        value, texts = default.value, ()
        if not (spread.low <= value <= spread.high) or (value - spread.low) % spread.step:
            world.findings.add(
                "HW105",
                default.span,
                f"默认值 {value} 不在范围 {spread.low}..{spread.high} 里",
                f"the default {value} is outside the range {spread.low}..{spread.high}",
                related=(Related(Text("范围在这里", "the range is here"), bounds.span),) if bounds is not None else (),
            )
            return None
    else:
        at = default.span if default is not None else span
        world.findings.add(
            "HW103",
            at,
            "默认值要是 true、false、一个数，或 choices 里的词",
            "a default is true, false, a number, or a word of the choices",
        )
        return None
    return Option(
        name=name,
        type=kind,
        default=value,
        text=wording(body, name) or Text(name, name),
        choices=texts,
        span=span,
        cite=cites(body),
    )


def read_kinds(world: World, node: Node | None) -> dict[str, Kind]:
    """``kinds``: ordered words, lowest first, long form or short."""
    out: dict[str, Kind] = {}
    for entry in entries(node):
        dress = undress(entry.value)
        if isinstance(dress.node, Mapping):
            named = list(entries(dress.node))
            labels = [str(w.key.value) for w in named]
            texts = [wording(w.value, str(w.key.value)) or Text("", "") for w in named]
        elif isinstance(dress.node, Scalar):
            labels = [w.text for w in words(dress.node)]
            texts = [Text(w, w) for w in labels]
        else:
            continue
        name = str(entry.key.value)
        out[name] = Kind(
            name=name, words=tuple(labels), texts=tuple(texts), span=entry.key.span, cite=cites(entry.value)
        )
        world.kinds[name] = Type("word", of=name, words=tuple(labels))
        world.places[name] = entry.key.span
    return out


def read_seats(world: World, node: Node | None) -> Seats:
    """``seats``: how many, which way round, who plays together."""
    count = 4
    teams: tuple[int, ...] = ()
    if not isinstance(node, Mapping):
        return Seats(count=count)
    given = bare(node, "count")
    if isinstance(given, Scalar) and isinstance(given.value, int):
        count = given.value
    side = bare(node, "teams")
    if isinstance(side, Scalar) and side.value == "opposite":
        teams = tuple(s % (count // 2) for s in range(count)) if count % 2 == 0 else ()
        if not teams:
            world.findings.add(
                "HW603", side.span, f"{count}个座位不能两两对家", f"{count} seats cannot sit as opposite partners"
            )
    elif isinstance(side, Sequence):
        teams = read_teams(world, side, count)
    direction = expression(world, node.get("direction"), DIRECTION, {})
    world.seats, world.teams = count, teams
    return Seats(count=count, direction=direction, teams=teams, span=node.span, cite=cites(node))


def read_teams(world: World, side: Sequence, count: int) -> tuple[int, ...]:
    team_of: dict[int, int] = {}
    for number, item in enumerate(side.items):
        members = (
            [(m.value, m.span) for m in item.items if isinstance(m, Scalar)]
            if isinstance(item, Sequence)
            else [
                (int(w.text) if w.text.isdigit() else w.text, world.locate(item, w.start, w.start + len(w.text)))
                for w in words(item)
            ]
            if isinstance(item, Scalar)
            else []
        )
        for seat, at in members:
            if not isinstance(seat, int) or not 0 <= seat < count:
                zh, en = f"没有座位“{seat}”", f'there is no seat "{seat}"'
                last = count - 1
                hint = Text(f"座位从 0 数起：{count} 人是 0 到 {last}", f"seats count from 0: here from 0 to {last}")
                world.findings.add("HW603", at, zh, en, help=(hint,))
                return ()
            if seat in team_of:
                zh, en = f"座位“{seat}”已在一队里", f'seat "{seat}" is in a team already'
                hint = Text("每个座位只写一次", "write each seat once")
                world.findings.add("HW603", at, zh, en, help=(hint,))
                return ()
            team_of[seat] = number
    missing = [s for s in range(count) if s not in team_of]
    if missing:
        text = " ".join(map(str, missing))
        world.findings.add("HW603", side.span, f"座位 {text} 不在任何队里", f"seats without a team: {text}")
        return ()
    return tuple(team_of[s] for s in range(count))


def read_deck(world: World, node: Node | None, settings: dict[str, int | bool]) -> Deck:
    """``deck``: packs, the cards kept, swapped cards, points."""
    body = node if isinstance(node, Mapping) else None
    packs_node = bare(body, "packs")
    packs = packs_node.value if isinstance(packs_node, Scalar) and isinstance(packs_node.value, int) else 1
    keep_node = body.get("keep") if body else None
    keep = expression(world, keep_node, BOOL, {"card": CARD})
    copies: dict[int, int] = {}
    for card in range(cards.SIZE):
        try:
            if keep is None or evaluate(keep, settings, {"card": card}):
                copies[card] = packs
        except NotStatic:
            if keep_node is not None:
                world.findings.add(
                    "HW408",
                    keep_node.span,
                    "留哪些牌只能看牌本身和选项",
                    "which cards are kept may depend only on the card and on options",
                )
            break
    alias: dict[int, int] = {}
    for key, value, entry in card_pairs(world, body.get("swap") if body else None):
        if copies.get(key, 0) < 1:
            world.findings.add(
                "HW201",
                entry.key.span,
                f"牌里没有 {cards.NAMES[key]}，换不了",
                f"{cards.NAMES[key]} is not in the deck, so it cannot be swapped",
            )
            continue
        copies[key] -= 1
        copies[value] = copies.get(value, 0) + 1
        if not copies[key]:
            del copies[key]
    for key, value, entry in card_pairs(world, body.get("counts_as") if body else None):
        if key not in copies:
            world.findings.add(
                "HW201", entry.key.span, f"牌里没有 {cards.NAMES[key]}", f"{cards.NAMES[key]} is not in the deck"
            )
            continue
        alias[key] = value
    points = read_points(world, body.get("points") if body else None, copies, alias)
    total = bare(body, "total")
    world.deck = frozenset(copies)
    span = node.span if node is not None else world.locate(None, 0, 0)
    return Deck(
        packs=packs,
        cards=dict(sorted(copies.items())),
        alias=alias,
        points=points,
        total=total.value if isinstance(total, Scalar) and isinstance(total.value, int) else None,
        total_span=total.span if total is not None else span,
        changed_span=changed_below(body, total) if body is not None and total is not None else None,
        span=span,
        cite=cites(node),
        packs_span=packs_node.span if packs_node is not None else span,
        keep_span=keep_node.span if keep_node is not None else span,
    )


def changed_below(deck: Mapping, total: Node) -> Span | None:
    """Where a file on top of the one that says the total changes the points, or the cards that bear them."""
    if total.span.file != deck.span.file:  # the total is that of a file on top itself
        return None
    points = undress(found).node if (found := deck.get("points")) is not None else None
    places = [*((entry.key.span, undress(entry.value).node) for entry in entries(points))]
    places += [(entry.key.span, entry.value) for entry in deck if entry.key.value in ("keep", "packs", "swap")]
    for at, value in places:
        own = next((span for span in (undress(value).node.span, at) if span.file != total.span.file), None)
        if own is not None:
            return at if at.file == own.file else own
    return None


def card_of(world: World, node: Scalar) -> int | None:
    """The card that a scalar names; None after noting that there is none."""
    try:
        return cards.parse_card(str(node.value))
    except cards.CardError:
        world.findings.add(
            "HW201",
            node.span,
            f"没有“{node.value}”这张牌",
            f'there is no card "{node.value}"',
            help=(
                Text(
                    "牌这样写：S5、S10、DA、LJ（小王）、BJ（大王）",
                    "cards are written S5, S10, DA, LJ (little joker), BJ (big joker)",
                ),
            ),
        )
        return None


def card_pairs(world: World, node: Node | None) -> Iterator[tuple[int, int, Entry]]:
    for entry in entries(undress(node).node if node is not None else None):
        inner = undress(entry.value).node
        if isinstance(inner, Scalar):
            key, value = card_of(world, entry.key), card_of(world, inner)
            if key is not None and value is not None:
                yield key, value, entry


def read_points(world: World, node: Node | None, copies: dict[int, int], alias: dict[int, int]) -> dict[int, int]:
    """``points``: a rank or a card, and what it is worth; a card wins over its rank."""
    by_rank: dict[int, int] = {}
    by_card: dict[int, int] = {}
    for entry in entries(undress(node).node if node is not None else None):
        inner = undress(entry.value).node
        value = inner.value if isinstance(inner, Scalar) and isinstance(inner.value, int) else 0
        word = str(entry.key.value).upper()
        if word in cards.RANKS:
            by_rank[cards.RANKS[word]] = value
        else:
            card = card_of(world, entry.key)
            if card is not None and card not in copies:
                world.findings.add(
                    "HW201", entry.key.span, f"牌里没有 {cards.NAMES[card]}", f"{cards.NAMES[card]} is not in the deck"
                )
            elif card is not None:
                by_card[card] = value
    out: dict[int, int] = {}
    for card in copies:
        value = by_card.get(card, by_rank.get(cards.RANK_OF[alias.get(card, card)], 0))
        if value:
            out[card] = value
    return out


def read_ladder(world: World, node: Node | None) -> Ladder | None:
    """``ladder``: the steps of promotions, lowest first, and the stops."""
    if not isinstance(node, Mapping):
        return None
    world.ladder = True
    steps_node, stops_node = bare(node, "steps"), bare(node, "stops")
    steps = rank_list(world, steps_node, piece(steps_node)) if isinstance(steps_node, Scalar) else None
    stops = rank_list(world, stops_node, piece(stops_node)) if isinstance(stops_node, Scalar) else ()
    if steps is None or stops is None or not isinstance(steps_node, Scalar):
        return None
    if len(set(steps)) < len(steps):
        again = next(i for i, step in enumerate(steps) if step in steps[:i])
        word = words(steps_node)[again]
        at = world.locate(steps_node, word.start, word.start + len(word.text))
        zh, en = f"“{word.text}”这一级前面已经有了", f'the level "{word.text}" stands on the ladder already'
        world.findings.add("HW604", at, zh, en, help=(Text("每一级只写一次", "write each level once"),))
    if len(steps) > 2 and list(steps) == sorted(steps, reverse=True) and isinstance(steps_node, Scalar):
        zh, en = "阶梯反了：第一级最高", "the ladder is upside down: its first step is the highest"
        right = " ".join(word.text for word in reversed(words(steps_node)))
        hint = Text(f"从低到高写：{right}", f"write the lowest first: {right}")
        world.findings.add("HW604", steps_node.span, zh, en, help=(hint,))
    for stop, word in zip(stops, words(stops_node) if isinstance(stops_node, Scalar) else (), strict=False):
        if stop not in steps and isinstance(stops_node, Scalar):
            at = world.locate(stops_node, word.start, word.start + len(word.text))
            world.findings.add(
                "HW604",
                at,
                f"必打级“{word.text}”不在阶梯里",
                f'the stop "{word.text}" is not a step of the ladder',
                related=(Related(Text("阶梯在这里", "the ladder is here"), steps_node.span),),
                help=(
                    Text(
                        f"从 stops 里去掉 {word.text}，或在 steps 里添上它",
                        f"take {word.text} out of the stops, or add it to the steps",
                    ),
                ),
            )
    return Ladder(steps=steps, stops=stops, span=node.span, cite=cites(node))


DIRECTION = Type("word", of="direction", words=("clockwise", "counter_clockwise"))

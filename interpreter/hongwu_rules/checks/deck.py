"""Every card has one place in the order (HW202, HW203, HW206), and the cards deal out (HW601, HW603)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ..cards import NAMES, RANK_NAMES, SUIT_OF
from ..diagnostics import NOWHERE, Related, Span, Text
from ..model import Effect, Group, Line, Phase, Step
from ..model.ir import Call, Const, Expr, Local, ZoneRef, walk
from .context import Context, plural
from .inline import put
from .joint import LIMIT
from .ranges import Values, few
from .sites import all_sites, all_steps, phase_steps, place

SHOWN = 6
CONFIGURATIONS = 256  # settings of memory and options tried for a card that is not plainly placed


@dataclass(frozen=True, slots=True)
class _Place:
    """One line that a card could stand on; ``truth`` None: it depends."""

    group: Group
    line: Line
    truth: bool | None


def check_order(context: Context) -> None:
    """The order against the deck."""
    order = context.ruleset.order
    if not order.groups:
        return
    before = len(context.findings.items)
    _ranked_twice(context)
    _phantoms(context)
    places = {card: _places(context, card) for card in context.ruleset.deck.cards}
    _dead_lines(context, places)
    open_cards = _unplaced(context, places)
    if len(context.findings.items) == before and not open_cards:
        kinds = len(places)
        context.proved.append(
            Text(f"{kinds}种牌各有一个大小", f"{plural(kinds, 'kind')} of card, each with one place in the order")
        )


def _rank(context: Context, card: int) -> int:
    found = context.evaluator.card_field(card, "rank")
    assert found is not None
    return found


def _fits_line(context: Context, card: int, group: Group, line: Line) -> bool:
    """Whether the card could stand on the line as far as suit and rank go."""
    if group.per_suit and SUIT_OF[context.ruleset.deck.alias.get(card, card)] is None:
        return False
    return not line.ranks or _rank(context, card) in line.ranks


def _places(context: Context, card: int, env: Mapping[str, Values] | None = None) -> list[_Place]:
    """The lines that the card may stand on, up to the first that surely takes it."""
    known = {**(env or {}), "card": few(card)}
    found: list[_Place] = []
    for group in context.ruleset.order.groups:
        for line in group.lines:
            if not _fits_line(context, card, group, line):
                continue
            truth = (
                True
                if line.that is None
                else context.evaluator.values(context.evaluator.inline(line.that), known).truth
            )
            if truth is not False:
                found.append(_Place(group, line, truth))
            if truth is True:
                return found
    return found


def _unplaced(context: Context, places: dict[int, list[_Place]]) -> list[int]:
    """HW202; gives back the cards of which it cannot be told."""
    missing: list[int] = []
    doubtful: list[int] = []
    example: Text | None = None
    for card, found in places.items():
        if any(spot.truth for spot in found):
            continue
        if not found:
            missing.append(card)
            continue
        told = _left_out(context, card, found)
        if told is None:
            doubtful.append(card)
        elif isinstance(told, Text):
            missing.append(card)
            example = example or told
    if missing:
        names = [NAMES[card] for card in missing]
        shown = " ".join(names[:SHOWN]) + (" …" if len(names) > SHOWN else "")
        groups = context.ruleset.order.groups
        last = groups[-1].lines[-1] if groups[-1].lines else None
        span = _order_span(context, missing)
        context.findings.add(
            "HW202",
            span,
            f"大小表里没有 {shown} 的位置",
            f"{shown} {'has' if len(names) == 1 else 'have'} no place in the order",
            witness=example or Text(f"牌里有 {shown}，没有一行收", f"in the deck, but on no line: {shown}"),
            related=(Related(Text("最后一行在这里", "the last line is here"), last.span),)
            if last is not None and last.span not in (NOWHERE, span)
            else (),
            help=(
                Text(
                    f"在一行里写上 {_rank_names(context, missing)}，或从牌里去掉",
                    f"put {_rank_names(context, missing)} on a line, or take the cards out of the deck",
                ),
            ),
        )
    elif doubtful:
        names = [NAMES[card] for card in doubtful]
        context.not_proved.append(
            Text(
                f"{len(names)}种牌（{names[0]} 等）总有大小：打的时候查",
                f"that {plural(len(names), 'kind')} of card ({names[0]} …) always have a place: checked in play",
            )
        )
    return missing or doubtful


def _rank_names(context: Context, missing: list[int]) -> str:
    return " ".join(dict.fromkeys(RANK_NAMES[_rank(context, card)] for card in missing))


def _order_span(context: Context, missing: list[int]) -> Span:
    """The line with ranks that most likely should have had the card, else the order."""
    order = context.ruleset.order
    for group in reversed(order.groups):
        for line in reversed(group.lines):
            if line.ranks and not any(_fits_line(context, card, group, line) for card in missing):
                return line.span if line.span != NOWHERE else order.span
    return order.span


def _left_out(context: Context, card: int, found: list[_Place]) -> Text | Literal[True] | None:
    """A setting in which no line takes the card; True if there is none, None if that cannot be told."""
    env = {"card": few(card)}
    lines = [context.evaluator.inline(spot.line.that) for spot in found if spot.line.that is not None]
    known = [_with_card(expr, card) for expr in lines]
    cases = context.joint.cases(known, every=True)
    if cases is None or len(cases) > min(LIMIT, CONFIGURATIONS):
        return None
    for case in cases:
        truths = [context.evaluator.values(expr, {**case, **env}).truth for expr in known]
        if all(truth is False for truth in truths):
            told = context.joint.told({k: v for k, v in case.items() if k != "card"}, known)
            name = NAMES[card]
            return Text(f"{name}，当 {told.zh}", f"{name}, when {told.en}") if told else Text(name, name)
        if not any(truths):
            return None
    return True


def _with_card(expr: Expr, card: int) -> Expr:
    """The condition for one card."""
    kind = next((part.type for part in walk(expr) if isinstance(part, Local) and part.name == "card"), None)
    return expr if kind is None else put(expr, {"card": Const(type=kind, value=card)})


def _ranked_twice(context: Context) -> None:
    for group in context.ruleset.order.groups:
        for line in group.lines:
            twice = sorted({rank for rank in line.ranks if line.ranks.count(rank) > 1}, reverse=True)
            if twice:
                names = " ".join(RANK_NAMES[rank] for rank in twice)
                spots = [_rank_at(line, i) for i, rank in enumerate(line.ranks) if rank == twice[0]]
                context.findings.add(
                    "HW203",
                    spots[1],
                    f"“{line.name}”行里 {names} 写了两次",
                    f'{names} stands twice on the line "{line.name}"',
                    related=(Related(Text("先写在这里", "first written here"), spots[0]),),
                    witness=Text(
                        f"{names} 既大于又小于中间的牌", f"{names} would be both above and below the cards between"
                    ),
                    help=(Text("每个点数只留一处", "keep each rank in one place"),),
                )


def _rank_at(line: Line, number: int) -> Span:
    """Where one rank of a line is written."""
    return line.rank_spans[number] if number < len(line.rank_spans) else line.span


def _phantoms(context: Context) -> None:
    """HW206: ranks and cards that the order names and the deck has not."""
    deck = context.ruleset.deck
    ranks = {_rank(context, card) for card in deck.cards}
    for group in context.ruleset.order.groups:
        for line in group.lines:
            ghosts = [i for i, rank in enumerate(line.ranks) if rank not in ranks and line.ranks.index(rank) == i]
            if ghosts:
                names = " ".join(RANK_NAMES[line.ranks[i]] for i in ghosts)
                _phantom(context, _rank_at(line, ghosts[0]), names, line)
            for part in walk(line.that) if line.that is not None else ():
                if (
                    isinstance(part, Const)
                    and part.type.name == "card"
                    and isinstance(part.value, int)
                    and part.value not in deck.cards
                ):
                    _phantom(context, place(part, line.span), NAMES[part.value], line)


def _phantom(context: Context, span: Span, names: str, line: Line) -> None:
    deck = context.ruleset.deck
    kept = deck.keep_span if deck.keep_span != NOWHERE else deck.span
    context.findings.add(
        "HW206",
        span,
        f"“{line.name}”行排了 {names}，可是这副牌里没有",
        f'the line "{line.name}" ranks {names}, which the deck does not have',
        related=(Related(Text("牌在这里写明", "the deck is given here"), kept),) if kept != NOWHERE else (),
        help=(Text(f"从这一行去掉 {names}，或把它留在牌里", f"take {names} off the line, or keep it in the deck"),),
    )


def _dead_lines(context: Context, places: dict[int, list[_Place]]) -> None:
    """HW203: a line whose cards all stand on earlier lines; HW206: a line that no card fits."""
    if context.codes() & {"HW206"}:
        return
    taken = {id(spot.line) for found in places.values() for spot in found}
    earlier: list[Line] = []
    for group in context.ruleset.order.groups:
        for line in group.lines:
            if id(line) in taken:
                earlier.append(line)
                continue
            mine = [
                card for card in places if _fits_line(context, card, group, line) and _possible(context, card, line)
            ]
            if not mine:
                context.findings.add(
                    "HW206",
                    line.span,
                    f"没有一张牌合得上“{line.name}”行",
                    f'no card of the deck fits the line "{line.name}"',
                    help=(Text("改正它的条件，或删去这一行", "correct its condition, or remove the line"),),
                )
                continue
            holders = list({id(places[card][-1].line): places[card][-1].line for card in mine}.values())
            names = " ".join(NAMES[card] for card in mine[:SHOWN])
            context.findings.add(
                "HW203",
                line.span,
                f"“{line.name}”行的牌前面都已经排过：{names}",
                f'the cards of the line "{line.name}" all stand on earlier lines: {names}',
                related=tuple(
                    Related(Text("先排在这里", "they stand here first"), other.span) for other in holders[:3]
                ),
                witness=Text(names, names),
                help=(Text("把这一行移到前面，或删去", "move the line up, or remove it"),),
            )


def _possible(context: Context, card: int, line: Line) -> bool:
    if line.that is None:
        return True
    return context.evaluator.values(context.evaluator.inline(line.that), {"card": few(card)}).truth is not False


# -------------------------------------------------------------------- dealing
def check_points(context: Context) -> None:
    """HW602: the card points add up to what the file says."""
    deck = context.ruleset.deck
    points = sum(worth * deck.cards.get(card, 0) for card, worth in deck.points.items())
    if deck.total is not None and deck.total != points:
        by_worth: dict[int, int] = {}
        for card, worth in deck.points.items():
            by_worth[worth] = by_worth.get(worth, 0) + deck.cards.get(card, 0)
        sums = " + ".join(f"{number} x {worth}" for worth, number in sorted(by_worth.items())) or "0"
        at, total = deck.changed_span or deck.total_span, f"deck.total: {points}"
        related = (
            () if at == deck.total_span else (Related(Text("总分写在这里", "the total is here"), deck.total_span),)
        )
        context.findings.add(
            "HW602",
            at,
            f"写的是一共{deck.total}分，加起来是{points}分",
            f"the file says {deck.total} points in all, and they add up to {points}",
            related=related,
            witness=Text(f"{sums} = {points}", f"{sums} = {points}"),
            help=(
                Text(
                    f"在自己的文件里也写 {total}，或改各张的分", f"write {total} in this file too, or change the points"
                )
                if related
                else Text(
                    f"改成 total: {points}，或改各张的分", f"write total: {points}, or change the points of the cards"
                ),
            ),
        )
    elif points:
        context.proved.append(Text(f"牌分一共{points}", f"the card points add up to {points}"))


def check_deal(context: Context) -> None:
    """HW601: what is dealt is what there is."""
    found = False
    for phase in context.ruleset.phases.values():
        deals = [step for step in phase_steps(phase) if isinstance(step.action, Effect) and step.action.word == "deal"]
        if deals:
            found = True
            _deal(context, phase, deals)
    if not found and any(
        isinstance(step.action, Effect) and step.action.word == "shuffle" for step in all_steps(context.ruleset)
    ):
        context.not_proved.append(
            Text(
                "牌是一张张取的，够不够发：打的时候查",
                "that the cards deal out, since they are drawn one by one: checked in play",
            )
        )


def _deal(context: Context, phase: Phase, deals: list[Step]) -> None:
    size, seats = context.evaluator.deck_size, context.ruleset.seats.count
    total = few(0)
    sums: list[str] = []
    for step in deals:
        assert isinstance(step.action, Effect)
        hand, number = step.action.args[1], step.action.args[2]
        zone = context.ruleset.zones.get(hand.name) if isinstance(hand, ZoneRef) else None
        each = context.evaluator.values(number).sure()
        if step.when is not None or step.loops:
            total = total.plus(each.times(few(seats)).join(few(0)))
        else:
            times = seats if zone is not None and zone.per_seat else 1
            total = total.plus(each.times(few(times)))
            sums.append(f"{times} x {context.evaluator.notation(number)}")
    low, high = total.ends
    said = " + ".join(sums)
    span = deals[0].span if deals[0].span != NOWHERE else phase.span
    deck = context.ruleset.deck
    related = tuple(
        Related(text, where)
        for text, where in (
            (Text(f"{deck.packs}副牌", f"{plural(deck.packs, 'pack')}"), deck.packs_span),
            (Text(f"留下{size}张", f"{size} cards are kept"), deck.keep_span),
        )
        if where != NOWHERE
    )
    if high is not None and low is not None and low == high:
        if low > size:
            zh, en = (
                f"牌不够发：要{low}张，只有{size}张",
                f"the cards do not deal out: {low} wanted, {size} in the deck",
            )
            _wrong_deal(context, span, Text(zh, en), related, witness=f"{said} = {low} > {size}")
        elif low < size and not _rest_taken(context, deals):
            zh = f"牌没发完：发{low}张，牌有{size}张，剩下{size - low}张没有去处"
            _wrong_deal(
                context,
                span,
                Text(
                    zh,
                    f"the cards do not deal out: {low} dealt, {size} in the deck, and nothing takes the other {size - low}",
                ),
                related,
                witness=f"{said} = {low} < {size}",
            )
        else:
            rest = Text(f"，余{size - low}张", f", {size - low} left over") if low < size else Text("", "")
            context.proved.append(Text(f"{size}张牌发得开：{said}{rest.zh}", f"{size} cards deal out: {said}{rest.en}"))
    elif low is not None and low > size:
        _wrong_deal(
            context,
            span,
            Text(
                f"牌不够发：至少要{low}张，只有{size}张",
                f"the cards do not deal out: at least {low} wanted, {size} in the deck",
            ),
            related,
            witness=f"{said} > {size}",
        )
    elif high is not None and high > size and not any(step.when is not None or step.loops for step in deals):
        _wrong_deal(
            context,
            span,
            Text(
                f"有的选项下牌不够发：会要{high}张，只有{size}张",
                f"with some options the cards do not deal out: up to {high} wanted, {size} in the deck",
            ),
            related,
            witness=f"{said} = {high} > {size}",
        )
    else:
        context.not_proved.append(
            Text(
                f"阶段“{phase.name}”的牌够发：打的时候查", f'that the cards deal out in "{phase.name}": checked in play'
            )
        )


def _wrong_deal(context: Context, span: Span, message: Text, related: tuple[Related, ...], *, witness: str) -> None:
    size, seats = context.evaluator.deck_size, context.ruleset.seats.count
    fits = Text(
        f"{seats}人分{size}张，每人{size // seats}张" + (f"，余{size % seats}张" if size % seats else ""),
        f"{size} cards for {seats} seats are {size // seats} each"
        + (f" and {size % seats} over" if size % seats else ""),
    )
    context.findings.add(
        "HW601", span, message.zh, message.en, related=related, witness=Text(witness, witness), help=(fits,)
    )


def _rest_taken(context: Context, deals: list[Step]) -> bool:
    """Whether anything takes cards from the pile that was dealt from."""
    piles = {
        step.action.args[0].name
        for step in deals
        if isinstance(step.action, Effect) and isinstance(step.action.args[0], ZoneRef)
    }
    for step in all_steps(context.ruleset):
        if isinstance(step.action, Effect) and step.action.word in ("move", "play") and step not in deals:
            named = [
                part
                for arg in step.action.args[:1]
                for part in walk(context.evaluator.inline(arg))
                if isinstance(part, ZoneRef)
            ]
            if any(zone.name in piles for zone in named):
                return True
    picks = [move.pick for phase in context.ruleset.phases.values() for move in phase.moves.values()]
    return any(isinstance(pick, ZoneRef) and pick.name in piles for pick in picks)


def check_teams(context: Context) -> None:
    """HW603: teams that cover every seat alike, and nobody asking for a partner who has none."""
    seats = context.ruleset.seats
    sizes = {team: seats.teams.count(team) for team in set(seats.teams)}
    if seats.teams and (len(seats.teams) != seats.count or min(seats.teams) < 0):
        context.findings.add(
            "HW603",
            seats.span,
            f"{seats.count}个座位，分队却写了{len(seats.teams)}个",
            f"{seats.count} seats, but the teams name {len(seats.teams)}",
            help=(Text("每个座位写在一队里，只写一次", "put every seat in one team, once"),),
        )
        return
    wanted = {"partner": 2, "team": 0, "opponents": 0}
    asked: set[str] = set()
    for site in all_sites(context.ruleset):
        for part in walk(site.expr):
            if not isinstance(part, Call) or part.word not in wanted or part.word in asked:
                continue
            each = wanted[part.word]
            if seats.teams and (not each or set(sizes.values()) == {each}):
                continue
            asked.add(part.word)
            why = (
                Text("这里没有分队", "there are no teams")
                if not seats.teams
                else Text("各队人数不是两人", "not every team has two seats")
            )
            context.findings.add(
                "HW603",
                place(part, site.span),
                f"用到 {part.word}，可是{why.zh}",
                f"{part.word}() is used, but {why.en}",
                related=(Related(Text("座位在这里写明", "the seats are given here"), seats.span),)
                if seats.span != NOWHERE
                else (),
                help=(
                    Text(
                        "在 seats 里写明各队，如四人对家为一队",
                        "write the teams under seats, such as partners facing each other",
                    ),
                ),
            )

"""What would do instead: a hint for each reason why a move is refused, worked out when somebody asks for it.

A hint comes from the broken clause itself: the cards that it lets pass, what the lead asks for, what may be chosen;
else the first legal moves of that kind in canonical order, or what can be done instead. It reads only what the clauses
of the moves read, which the seat to act may know, and tries a bounded number of moves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from ..cards.duties import demand_of
from ..cards.lanes import Pool, runs_of
from ..cards.picks import lowest
from ..compile.asks import CompiledClause, Part, so_many
from ..compile.program import CompiledMove
from ..diagnostics import Text
from ..errors import HiddenRead
from .judge import TROUBLE, held_by, judge
from .legal import Offer
from .move import Move
from .state import State
from .verdict import Reason, Verdict

TRIED = 2000  # moves tried for one hint
SHOWN = 3  # picks in one hint
LISTED = 12  # single cards, or choices, in one hint
SUITS = (Text("黑桃", "spade"), Text("红桃", "heart"), Text("方块", "diamond"), Text("梅花", "club"))
MORE = Text("…", "…")


def judged(state: State, move: Move) -> Verdict:
    """The verdict on a move; its reasons know how to find their hints."""
    verdict = judge(state, move)
    if verdict.ok:
        return verdict
    return Verdict(tuple(replace(reason, ask=Ask(state, move, reason)) for reason in verdict.reasons))


@dataclass(frozen=True, slots=True)
class Ask:
    """A hint that nobody has asked for yet."""

    state: State
    move: Move
    reason: Reason

    def __call__(self) -> Text | None:
        """The hint; None where there is nothing to say."""
        state = self.state
        made = state.program.phases[state.phase].moves.get(self.move.name)
        if made is None or state.seat is None:
            return None
        try:
            return _Hinter(state, self.move, made, state.seat).hint(self.reason)
        except (*TROUBLE, HiddenRead):
            return None


class _Hinter:
    """Finds the hint for one reason."""

    def __init__(self, state: State, move: Move, made: CompiledMove, seat: int) -> None:
        self.state, self.move, self.made, self.seat = state, move.meant_for(made), made, seat
        self.program = state.program
        self.pack = state.program.layout.pack
        self.g = state

    def hint(self, reason: Reason) -> Text | None:
        match reason.id:
            case "no_cards" | "no_choice":
                return None
            case "not_held":
                return self.missing()
            case "choose_one" | "not_among":
                return self.choices() or self.instead()
            case "no_shape" | "other_shape":
                return self.shapes() or self.instead()
            case "how_many":
                return self.moves()
        for clause in self.made.clauses:
            if clause.clause.name == reason.id and clause.clause.span == reason.place:
                return self.clause(clause)
        return None

    # ------------------------------------------------------------------ clauses

    def clause(self, clause: CompiledClause) -> Text | None:
        """What satisfies a clause that the move breaks."""
        g, seat = self.g, self.seat
        picked = self.move.packed(self.pack) or 0 if self.made.zone is not None else 0
        if self.made.choices is not None and self.made.zone is None:
            return self.choices() or self.instead()
        if clause.when is None or clause.when_gate:
            failing = [part for part in clause.parts if not part.holds(g, seat, picked, self.chosen())]
            if any(part.kind == "gate" for part in failing):
                return self.instead()
            if len(failing) == 1 and (found := self.part(failing[0], picked)) is not None:
                return found
        return self.moves()

    def chosen(self) -> Any:
        kind = self.made.choice_type
        return None if kind is None or self.move.choice is None else self.program.decode(kind, self.move.choice)

    def part(self, part: Part, picked: int) -> Text | None:
        """What satisfies one part of a clause, where its kind tells; None: look at moves."""
        g, seat, pack = self.g, self.seat, self.pack
        hand = held_by(g, seat, self.made)
        match part.kind:
            case "pointwise" if part.mask is not None:
                fit = hand & part.mask(g, seat, 0, None)
                if not fit:
                    return None
                cards = self.cards(fit)
                return Text(f"合这条的牌：{cards}", f"cards that fit: {cards}")
            case "at_most" if part.mask is not None and part.bound is not None:
                some, most = (
                    hand & part.mask(g, seat, 0, None),
                    part.bound(g, seat, so_many(self.pack.count(picked)), None),
                )
                cards = self.cards(some if most > 0 else hand - some)
                if most <= 0:
                    return Text(f"合这条的牌：{cards}", f"cards that fit: {cards}") if hand != some else None
                return Text(f"{cards} 里最多 {most} 张", f"at most {most} of {cards}")
            case "beats":
                return self.moves(lowest=True)
            case "follows_group":
                return self.group(hand, pack.count(picked))
            case "follows_sets":
                return self.sets(hand)
            case "follows_runs":
                return self.runs(hand)
        return None

    def led(self, hand: int) -> int:
        """The cards of the hand that are of the group led."""
        trick = self.g.trick
        return hand & self.g.table().group_mask[trick.led] if trick is not None and trick.led >= 0 else 0

    def group(self, hand: int, size: int) -> Text | None:
        """The cards of the group led, and how many of them must go."""
        trick, held = self.g.trick, self.led(hand)
        if trick is None or not held:
            return None
        number, cards = self.pack.count(held), self.cards(held)
        suit = self.g.table().group_suits[trick.led]
        name = SUITS[suit] if suit is not None else Text("首出的那一门", "of the suit led")
        due = min(size, number)
        zh, s = f"你还有 {number} 张{name.zh}：{cards}", "s" * (number != 1)
        en = f"you still hold {number} {name.en if suit is None else name.en + s}: {cards}"
        return Text(zh, en) if due == number else Text(f"{zh}，要出 {due} 张", f"{en}; play {due} of them")

    def sets(self, hand: int) -> Text | None:
        """The cards alike in the group led, and how many of these sets must go."""
        trick, held = self.g.trick, self.led(hand)
        lead = None if trick is None else trick.plays[0].reading
        if lead is None or not held:
            return None
        book, demand = self.g.book(), demand_of(lead)
        goal = book.duties.sets(held, demand)
        found = [
            lowest(self.pack, held & book.lanes.cell_mask[cell], min(copies, demand.sets[0]))
            for _, cell, copies in book.lanes.look(held).cells
            if copies > 1
        ]
        if not found or demand.sets[0] != 2:
            return None
        listed = self.listed(found)
        return Text(
            f"你有对子 {listed.zh}，要出 {goal[0]} 对", f"you hold the pairs {listed.en}; play {goal[0]} of them"
        )

    def runs(self, hand: int) -> Text | None:
        """The longest runs in the group led that the lead asks for."""
        trick, held = self.g.trick, self.led(hand)
        lead = None if trick is None else trick.plays[0].reading
        if lead is None or not held:
            return None
        book, demand = self.g.book(), demand_of(lead)
        look, found = book.lanes.look(held), []
        for (width, _), lengths in zip(demand.runs, book.duties.runs(held, demand), strict=True):
            for length in sorted(set(lengths), reverse=True):
                starts = runs_of(look.alike(width), length)
                for first in range(starts.bit_length()):
                    if starts >> first & 1:
                        cells = Pool(look).run(width, first, length)
                        found.append(sum(lowest(self.pack, held & book.lanes.cell_mask[cell], width) for cell in cells))
        if not found:
            return None
        listed = self.listed(found)
        return Text(f"手里连着的有 {listed.zh}", f"what you hold in a row: {listed.en}")

    # ------------------------------------------------------------------ moves, choices, shapes

    def candidates(self, most: int) -> tuple[list[tuple[int, Any]], bool]:
        """The first legal moves of this kind, and whether all were tried."""
        offer = Offer(self.state, self.made)
        if not offer.size:
            return [], True
        tried = islice(offer.candidates(), TRIED)
        return list(islice((one for one in tried if offer.passes(*one)), most)), offer.size <= TRIED

    def moves(self, *, lowest: bool = False) -> Text | None:
        """The first legal moves of this kind; if there is none, what can be done instead."""
        found, all_tried = self.candidates(SHOWN + 1)
        if not found:
            return self.instead() if all_tried else None
        if self.made.choices is None:
            listed = self.listed([picked for picked, _ in found])
        else:
            words = [self.cards(picked) + " " + self.word(chosen).en for picked, chosen in found[:SHOWN]]
            listed = self.joined([Text(word, word) for word in words], more=len(found) > SHOWN)
        if lowest:
            return Text(f"能管上的，从小到大：{listed.zh}", f"the lowest that would do: {listed.en}")
        return Text(f"这样就可以：{listed.zh}", f"this would do: {listed.en}")

    def choices(self) -> Text | None:
        """What may be chosen."""
        if self.made.choices is None:
            return None
        values = list(dict.fromkeys(chosen for _, chosen in self.candidates(TRIED)[0]))
        if not values:
            return None
        listed = self.joined([self.word(value) for value in values[:LISTED]], more=len(values) > LISTED, gap=" ")
        return Text(f"可以选：{listed.zh}", f"what may be chosen: {listed.en}")

    def shapes(self) -> Text | None:
        """For each shape that is allowed here, the first play that the hand has."""
        offer = Offer(self.state, self.made)
        book, items = self.g.book(), self.program.ruleset.shapes.items
        found: dict[int, int] = {}
        for plan in offer.plans or ():
            if plan.reading.shape in found:
                continue
            for picked in islice(book.members(plan, offer.hand), SHOWN):
                if offer.passes(picked, None):
                    found[plan.reading.shape] = picked
                    break
        lines = [
            Text(f"{items[shape].text.zh} {self.cards(picked)}", f"{items[shape].text.en} {self.cards(picked)}")
            for shape, picked in sorted(found.items())[:SHOWN]
        ]
        if not lines or self.made.choices is not None:
            return None
        listed = self.joined(lines, more=len(found) > SHOWN)
        return Text(f"比如{listed.zh}", f"such as {listed.en}")

    def instead(self) -> Text | None:
        """The other moves of the phase of which one is legal."""
        names = []
        for made in self.program.phases[self.state.phase].moves.values():
            if made is self.made:
                continue
            offer = Offer(self.state, made)
            if offer.size and any(offer.passes(*one) for one in islice(offer.candidates(), TRIED)):
                names.append(Text(f"{made.name}（{made.model.text.zh}）", made.name))
        listed = self.joined(names, more=False)
        if not names:
            return None
        return Text(f"没有能这样做的，现在可以：{listed.zh}", f"nothing would do; what can be done now: {listed.en}")

    def missing(self) -> Text | None:
        """The cards of the move that are not in the hand."""
        hand = Counter(self.pack.names(held_by(self.g, self.seat, self.made)))
        cards = self.some(list((Counter(self.move.cards) - hand).elements()))
        return Text(f"没有 {cards}", f"not there: {cards}") if cards else None

    # ------------------------------------------------------------------ words

    def word(self, value: Any) -> Text:
        """A value that may be chosen, as it is written in a move."""
        kind = self.made.choice_type
        assert kind is not None
        word = str(self.program.encode(kind, value))
        texts = self.program.ruleset.kinds[kind.of].texts if kind.of in self.program.ruleset.kinds else ()
        return Text(f"{word}（{texts[value].zh}）" if texts and texts[value].zh != word else word, word)

    def cards(self, cards: int) -> str:
        """Cards by name, weakest groups first as the pack has them; the rest of very many as dots."""
        return self.some(self.pack.names(cards))

    def some(self, names: list[str]) -> str:
        """The names of cards; of very many the first."""
        return " ".join(names if len(names) <= LISTED else [*names[:LISTED], MORE.en])

    def listed(self, picks: Sequence[int]) -> Text:
        """The first picks; of big ones fewer."""
        shown = max(1, min(SHOWN, LISTED // max(1, self.pack.count(picks[0]))))
        words = [self.cards(picked) for picked in picks[:shown]]
        return self.joined([Text(word, word) for word in words], more=len(picks) > shown)

    def joined(self, items: Sequence[Text], *, more: bool, gap: str = "") -> Text:
        rest = (MORE,) if more else ()
        return Text(
            (gap or "、").join(item.zh for item in (*items, *rest)),
            (gap or ", ").join(item.en for item in (*items, *rest)),
        )


__all__ = ["Ask", "judged"]

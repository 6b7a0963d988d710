"""The legal moves of a state: lazy, counted and sampled without listing where that is possible."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from random import Random
from typing import Any

from ..cards.duties import demand_of
from ..cards.follow import Blocks, Owed, following
from ..cards.picks import Lazy, Subsets, lowest
from ..cards.shapes import Plan
from ..compile.program import CompiledClause, CompiledMove, Part
from ..compile.working import Working
from ..errors import MoveError
from .judge import TROUBLE, broken, examine, held_by
from .move import Move, Read, as_move, moves_of
from .state import State

Test = Callable[[Working, int, int, Any], bool]
FOLLOWING = frozenset({"follows_group", "follows_sets", "follows_runs"})
NARROWING = FOLLOWING | {"at_most"}
TRIES = 100  # draws before a sample falls back to listing


def _passes(clause: CompiledClause) -> Test:
    """A clause whose ``when`` looks at the move, as a test of a candidate."""
    return lambda g, seat, picked, chosen: not broken(clause, g, seat, picked, chosen)


class Offer:
    """One kind of move on offer: what is picked and chosen from, and the tests left for each candidate.

    Clauses that do not look at the move settle whether there is anything; those that look at one card at
    a time or at the shape, that ask for a play that beats the trick or follows it, or that bound the number of
    some cards, narrow what is listed; only what is left is tested.
    """

    __slots__ = ("choices", "g", "hand", "made", "moves", "picks", "plans", "program", "seat", "subsets", "tests")

    def __init__(self, state: State, made: CompiledMove) -> None:
        self.program = state.program
        self.made = made
        self.moves = moves_of(state.program, made)
        self.g = state.working()
        seat = self.g.seat
        assert seat is not None
        self.seat: int = seat
        self.tests: list[Test] = []
        self.plans: list[Plan] | None = None
        self.subsets: Lazy | None = None
        self.choices: list[Any] = [None]
        self.hand = 0
        self.picks = 1  # how many picks there are before the tests
        self._prepare()

    @property
    def size(self) -> int:
        """How many candidates there are before the tests."""
        return self.picks * len(self.choices)

    def _prepare(self) -> None:
        made, g, seat = self.made, self.g, self.seat
        mask = -1
        beating = False
        by_shape = made.shapes is not None
        choice_tests: list[Test] = []
        forms: list[Test] = []  # what depends on the form of a play alone
        narrow: list[Part] = []
        for clause in made.clauses:
            if clause.when is not None:
                if not clause.when_gate:
                    (forms if by_shape and clause.formal else self.tests).append(_passes(clause))
                    continue
                if not clause.when(g, seat, 0, None):
                    continue
            for part in clause.parts:
                if part.kind == "gate":
                    if not part.holds(g, seat, 0, None):
                        self.picks = 0
                        return
                elif part.kind == "choice":
                    choice_tests.append(part.holds)
                elif part.kind == "pointwise" and part.mask is not None:
                    mask &= part.mask(g, seat, 0, None)
                elif part.kind == "beats" and by_shape:
                    beating = True
                elif part.kind == "form" and by_shape:
                    forms.append(part.holds)
                elif part.kind in NARROWING and not by_shape:
                    narrow.append(part)
                else:
                    self.tests.append(part.holds)
        if made.choices is not None:
            self.choices = list(made.choices(g, seat, 0, None))
            for test in choice_tests:
                self.choices = [c for c in self.choices if test(g, seat, 0, c)]
            if not self.choices:
                return
        if made.zone is not None:
            self._prepare_picks(mask, beating=beating, narrow=narrow)
            if forms and self.plans:
                pick, hand = g.book().pick, self.hand
                self.plans = [
                    plan
                    for plan in self.plans
                    if (one := pick(plan, hand, 0)) and all(test(g, seat, one, None) for test in forms)
                ]
                self.picks = sum([plan.ways for plan in self.plans])

    def _prepare_picks(self, mask: int, *, beating: bool, narrow: Sequence[Part]) -> None:
        made, g, program = self.made, self.g, self.program
        whole = held_by(program, g, self.seat, made)
        self.hand = hand = whole & mask if mask != -1 else whole
        pack = program.layout.pack
        if made.shapes is None:
            low = made.low(g, self.seat, 0, None) if made.low is not None else 1
            high = made.high(g, self.seat, 0, None) if made.high is not None else pack.count(hand)
            if low == high and narrow:
                self.subsets = self._narrowed(narrow, whole, low)
            else:
                self.tests += [part.holds for part in narrow]
                self.subsets = Subsets(hand, pack, program.classes, low, high)
            self.picks = self.subsets.count()
            return
        beat = None
        if beating and (g.trick is None or (beat := g.trick.best_play.reading) is None):
            self.picks = 0
            return
        plans = g.book().plans(hand, made.shapes, beat)
        if made.low is not None and made.high is not None:
            low, high = made.low(g, self.seat, 0, None), made.high(g, self.seat, 0, None)
            plans = [plan for plan in plans if low <= plan.reading.size <= high]
        self.plans = plans
        self.picks = sum([plan.ways for plan in plans])

    def _narrowed(self, narrow: Sequence[Part], whole: int, size: int) -> Blocks:
        """The picks of ``size`` cards that pass these parts; those that cannot be seen to are left as tests."""
        g, hand, book = self.g, self.hand, self.g.book()
        kinds = {part.kind for part in narrow}
        blocks: Blocks | None = None
        if "follows_group" in kinds and g.trick is not None:
            led, lead = g.trick.led, g.trick.plays[0].reading
            owed = None
            if lead is not None:
                sets, runs = "follows_sets" in kinds, "follows_runs" in kinds
                owed = Owed(book.duties, book.lanes, demand_of(lead), sets=sets, runs=runs)
            if led >= 0:
                mask = g.table().group_mask[led]
                blocks, seen = following(book.choosing, whole, free=hand, size=size, led=mask, owed=owed)
                done = FOLLOWING if seen else frozenset({"follows_group"})
                narrow = [part for part in narrow if part.kind not in done]
        if blocks is None:
            blocks = Blocks(book.choosing, (book.choosing.block(0, ((hand, size),)),))
        for part in narrow:
            if part.mask is None or part.bound is None:
                self.tests.append(part.holds)
                continue
            some = lowest(self.program.layout.pack, whole, size)
            blocks = blocks.at_most(part.mask(g, self.seat, 0, None), part.bound(g, self.seat, some, None))
        return blocks

    def __iter__(self) -> Iterator[Move]:
        """Each legal move of this kind once: fewest cards first, then weakest."""
        moves = self.moves
        if not self.picks:
            return iter(())
        if self.tests or (self.made.choice_type is not None and self.made.zone is not None):
            return (self.move(*found) for found in self.candidates() if self.passes(*found))
        if self.plans is not None:
            return chain.from_iterable(map(moves.of_plan.__getitem__, self.plans))
        if self.subsets is not None:
            return map(moves.new, self.subsets)
        return iter([moves[0]] if self.made.choice_type is None else [moves[0, chosen] for chosen in self.choices])

    def candidates(self) -> Iterator[tuple[int, Any]]:
        """What is left to test, in order."""
        for chosen in self.choices:
            if self.plans is not None:
                for plan in self.plans:
                    for picked in plan.plays():
                        yield picked, chosen
            elif self.subsets is not None:
                for picked in self.subsets:
                    yield picked, chosen
            elif self.picks:
                yield 0, chosen

    def passes(self, picked: int, chosen: Any) -> bool:
        """Whether a candidate passes the tests that are left."""
        g, seat = self.g, self.seat
        return all(test(g, seat, picked, chosen) for test in self.tests)

    def move(self, picked: int, chosen: Any) -> Move:
        """A candidate as a move."""
        if self.subsets is not None:
            return self.moves.new(picked, chosen)
        return self.moves[picked if self.made.choice_type is None else (picked, chosen)]

    def at(self, place: int) -> tuple[int, Any]:
        """The candidate at a place, without listing those before it."""
        which, place = divmod(place, self.picks)
        chosen = self.choices[which]
        if self.subsets is not None:
            return self.subsets.at(place), chosen
        for plan in self.plans or ():
            if place < plan.ways:
                return self.g.book().pick(plan, self.hand, place), chosen
            place -= plan.ways
        return 0, chosen


class LegalMoves:
    """All that the seat to act may do. ``bool``, ``in``, iteration, ``count`` and ``sample``.

    Cards that no line of the ruleset tells apart make one listed move; ``in`` accepts each of its members.
    """

    __slots__ = ("_offers", "_state")

    def __init__(self, state: State) -> None:
        self._state = state
        self._offers: tuple[Offer, ...] | None = None

    @property
    def offers(self) -> tuple[Offer, ...]:
        """The kinds of move on offer that have candidates, in file order."""
        if self._offers is None:
            self._offers = self._find()
        return self._offers

    def _find(self) -> tuple[Offer, ...]:
        state = self._state
        program = state.program
        if state.position.seat is None:
            return ()
        try:
            found = [Offer(state, made) for made in program.phases[state.position.phase].moves.values()]
        except TROUBLE as error:
            raise program.fault(error) from error
        return tuple([offer for offer in found if offer.picks and offer.choices])

    def __iter__(self) -> Iterator[Move]:
        for offer in self.offers:
            if offer.tests:
                return self._tested()
        return chain.from_iterable(self.offers)

    def _tested(self) -> Iterator[Move]:
        try:
            for offer in self.offers:
                yield from offer
        except TROUBLE as error:
            raise self._state.program.fault(error) from error

    def __bool__(self) -> bool:
        return any(True for _ in self)

    def __contains__(self, move: object) -> bool:
        try:
            return examine(self._state, as_move(move)) is not None
        except MoveError:
            return False

    def count(self, limit: int | None = None) -> int | None:
        """How many moves, exactly; None if there are more than ``limit``."""
        return self._count(self.offers, limit)

    def _count(self, offers: Sequence[Offer], limit: int | None) -> int | None:
        exact = sum(offer.size for offer in offers if not offer.tests)
        if limit is not None and exact > limit:
            return None
        tested = (move for offer in offers if offer.tests for move in offer)
        if limit is None:
            return exact + sum(1 for _ in tested)
        more = sum(1 for _ in islice(tested, limit - exact + 1))
        return None if exact + more > limit else exact + more

    def sample(self, rng: Random) -> Move:
        """One of the legal moves, each as likely as any other; IndexError if there is none."""
        return self._draw(self.offers, rng)

    def count_kind(self, name: str, *, limit: int | None = None) -> int | None:
        """How many legal moves have this name, exactly; None if there are more than ``limit``."""
        return self._count([offer for offer in self.offers if offer.made.name == name], limit)

    def kinds(self) -> list[str]:
        """The names of the moves of which at least one is legal, in file order."""
        return [offer.made.name for offer in self.offers if not offer.tests or any(True for _ in offer)]

    def of_kind(self, name: str) -> Iterator[Move]:
        """The legal moves with this name."""
        for offer in self.offers:
            if offer.made.name == name:
                yield from offer

    def sample_kind(self, name: str, rng: Random) -> Move:
        """One of the legal moves with this name, each as likely as any other."""
        return self._draw(tuple(offer for offer in self.offers if offer.made.name == name), rng)

    def _draw(self, offers: tuple[Offer, ...], rng: Random) -> Move:
        total = sum(offer.size for offer in offers)
        tested = any(offer.tests for offer in offers)
        for _ in range(min(TRIES, 4 * total) if tested else 1) if total else ():
            place = rng.randrange(total)
            for offer in offers:
                if place < offer.size:
                    picked, chosen = offer.at(place)
                    if offer.passes(picked, chosen):
                        return offer.move(picked, chosen)
                    break
                place -= offer.size
        found = [move for offer in offers for move in offer]
        return found[rng.randrange(len(found))] if found else self._none()

    def _none(self) -> Move:
        raise IndexError("there is no legal move")


def clock_move(state: State) -> Read | None:
    """The move that is made for a seat whose time is up: the first legal one of those the phase names."""
    phase = state.program.phases[state.position.phase]
    for name in phase.model.timeout:
        made = phase.moves[name]
        try:
            offer = Offer(state, made)
            for picked, chosen in offer.candidates():
                if offer.passes(picked, chosen):
                    return Read(made, picked, chosen)
        except TROUBLE as error:
            raise state.program.fault(error) from error
    return None

"""The legal moves of a state: lazy, counted and sampled without listing where that is possible."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from random import Random
from typing import Any

from ..cards.follow import Block, Blocks, following
from ..cards.picks import Alike, Lazy, Subsets
from ..cards.shapes import Fits, Lot, Plan
from ..compile.asks import Asks, Function, so_many
from ..compile.program import CompiledMove, Program
from ..errors import MoveError
from .judge import TROUBLE, examine
from .move import Move, Read, as_move, moves_of
from .state import State

TRIES = 100  # draws before a sample falls back to listing …
FEW = 32  # … which it does at once with up to so many candidates


def below(rng: Random, number: int) -> int:
    """A number from 0 to ``number - 1``, each as likely as any other, as ``randrange`` draws it; 0 if there is no other."""
    if number <= 1:
        return 0
    bits = number.bit_length()
    drawn = rng.getrandbits(bits)
    while drawn >= number:
        drawn = rng.getrandbits(bits)
    return drawn


class Offer:
    """One kind of move on offer: what is picked and chosen from, and the tests left for each candidate.

    Clauses that do not look at the move settle whether there is anything; those that look at one card at
    a time or at the shape, that ask for a play that beats the trick or follows it, or that bound the number of
    some cards, narrow what is listed; only what is left is tested.
    """

    # where a move asks for nothing else
    shaped = False  # whether the picks are plays of some shapes
    subsets: Lazy | None = None
    choices: Sequence[Any] = (None,)
    tests: Sequence[Function] = ()
    hand = 0
    open = False  # whether there are candidates
    _fits: Fits | None = None
    _lots: Sequence[Lot] | None = None
    _plans: Sequence[Plan] | None = None
    _picks: int | None = None

    def __init__(self, state: State, made: CompiledMove) -> None:
        self.made = made
        self.g = state
        seat = state.seat
        assert seat is not None
        self.seat: int = seat
        ready = made.ready(state, seat)
        if ready is None:
            return
        which, hand, low, high = ready
        asks = made.asks
        if which:
            asks = asks.settled.get(which) or asks.under(which)
        if asks.tests:
            self.tests = asks.tests
        if made.choosable is not None:
            found = made.choosable(state, seat, 0, None)
            for test in asks.choices:
                found = [chosen for chosen in found if test(state, seat, 0, chosen)]
            if not found:
                return
            self.choices = found
        if made.zone is None:
            self.open, self._picks = True, 1
        elif made.shapes is not None:
            self._prepare_plays(asks, hand, low, high)
        else:
            self._prepare_picks(asks, hand, low, high)

    @property
    def plans(self) -> Sequence[Plan]:
        """The plays before the tests, form by form."""
        if self._plans is None:
            self._plans = self.g.book().plans(self.hand, self._fits)
        return self._plans

    @property
    def lots(self) -> Sequence[Lot]:
        """The plays before the tests, for counting and drawing."""
        if self._lots is None:
            self._lots = self.g.book().lots(self.hand, self._fits)
        return self._lots

    @property
    def size(self) -> int:
        """How many candidates there are before the tests."""
        picks = self._picks
        if picks is None:
            picks = self._picks = sum([lot.ways for lot in self.lots]) if self.shaped else 0
        return picks * len(self.choices)

    def _prepare_picks(self, asks: Asks, whole: int, low: int | None, high: int | None) -> None:
        g, seat, hand = self.g, self.seat, whole
        for mask in asks.masks:
            hand &= mask(g, seat, 0, None)
        self.hand = hand
        subsets: Lazy
        if low is not None and low == high and asks.alike is None and (asks.follows or asks.bounds):
            self.subsets = subsets = self._narrowed(asks, whole, low)
        else:
            if asks.follows or asks.bounds:
                self.tests = [*self.tests, *asks.follows.values(), *[part.holds for part in asks.bounds]]
            program = g.program
            pack = program.layout.pack
            low, high = 1 if low is None else low, pack.count(hand) if high is None else high
            if asks.alike is None:
                subsets = Subsets(hand, pack, program.classes, low, high)
            else:
                subsets = Alike(hand, asks.alike(g), pack, program.classes, low, high)
            self.subsets = subsets
        self._picks = picks = subsets.ways
        self.open = picks > 0

    def _prepare_plays(self, asks: Asks, hand: int, low: int | None, high: int | None) -> None:
        g, seat = self.g, self.seat
        for mask in asks.masks:
            hand &= mask(g, seat, 0, None)
        self.hand = hand
        self.shaped, beat = True, None
        if asks.beating:
            beat = None if g.trick is None else g.trick.best_play.reading
            if beat is None:
                return
        book = g.book()
        if book.throws and beat is None and low is None and not asks.forms:
            self._fits = asks.fits
            self.open = bool(self.lots)
            return
        plans = book.plans(hand, asks.fits, beat)
        if low is not None and high is not None:
            plans = [plan for plan in plans if low <= plan.reading.size <= high]
        for test in asks.forms:
            plans = [plan for plan in plans if test(g, seat, plan.reading, None)]
        self._plans = self._lots = plans
        self.open = bool(plans)

    def _narrowed(self, asks: Asks, whole: int, size: int) -> Lazy:
        """The picks of ``size`` cards that follow and keep within the bounds; what cannot be seen to is left as tests."""
        g, hand = self.g, self.hand
        trick, owes = g.trick, asks.owes
        table, book = g.order or g.program.order_of(g)
        if owes is not None and trick is not None and trick.led >= 0:
            lead = trick.plays[0].reading
            owed = None if lead is None or size == 1 else book.owed(lead, *owes)
            mask = table.group_mask[trick.led]
            blocks, seen = following(book.choosing, whole, free=hand, size=size, led=mask, owed=owed)
            if not seen:
                self.tests = [*self.tests, *[test for kind, test in asks.follows.items() if kind != "follows_group"]]
        else:
            if asks.follows:
                self.tests = [*self.tests, *asks.follows.values()]
            blocks = [Block(book.choosing, 0, ((hand, size),) if size else ())]
        for part in asks.bounds if hand & asks.bounded else ():
            assert part.mask is not None and part.bound is not None
            some = part.mask(g, self.seat, 0, None)
            if hand & some:
                most = part.bound(g, self.seat, so_many(size), None)
                blocks = [left for block in blocks for left in block.at_most(some, most)]
        return blocks[0] if len(blocks) == 1 else Blocks(blocks)

    def __iter__(self) -> Iterator[Move]:
        """Each legal move of this kind once: fewest cards first, then weakest."""
        if not self.open:
            return iter(())
        moves = moves_of(self.g.program, self.made)
        if self.tests or (self.made.choice_type is not None and self.made.zone is not None):
            return (self.move(*found) for found in self.candidates() if self.passes(*found))
        if self.shaped:
            of_plan = moves.of_plan
            return chain.from_iterable(
                [kept[1] if (kept := plan.kept)[0] is moves else of_plan(plan) for plan in self.plans]
            )
        if self.subsets is not None:
            return map(moves.new, self.subsets)
        return iter([moves[0]] if self.made.choice_type is None else [moves[0, chosen] for chosen in self.choices])

    def candidates(self) -> Iterator[tuple[int, Any]]:
        """What is left to test, in order."""
        for chosen in self.choices:
            if self.shaped:
                for plan in self.plans:
                    for picked in plan.plays():
                        yield picked, chosen
            elif self.subsets is not None:
                for picked in self.subsets:
                    yield picked, chosen
            elif self.open:
                yield 0, chosen

    def passes(self, picked: int, chosen: Any) -> bool:
        """Whether a candidate passes the tests that are left."""
        g, seat = self.g, self.seat
        return all(test(g, seat, picked, chosen) for test in self.tests)

    def move(self, picked: int, chosen: Any) -> Move:
        """A candidate as a move."""
        moves = moves_of(self.g.program, self.made)
        if self.subsets is not None or (self.shaped and self.g.book().throws):
            return moves.new(picked, chosen)  # there are too many to keep
        return moves[picked if self.made.choice_type is None else (picked, chosen)]

    def draw(self, rng: Random) -> Move:
        """One of the candidates, where nothing is left to test: it is known to be legal."""
        subsets, made = self.subsets, self.made
        if subsets is not None and made.choice_type is None:
            picked, chosen = subsets.at(below(rng, subsets.ways)), None
            move = moves_of(self.g.program, made).new(picked)
        else:
            picked, chosen = self.at(below(rng, self.size))
            move = self.move(picked, chosen)
        self.g.found = move, (made, picked, chosen)
        return move

    def at(self, place: int) -> tuple[int, Any]:
        """The candidate at a place, without listing those before it."""
        choices = self.choices
        chosen = choices[0]
        if len(choices) > 1:
            which, place = divmod(place, self.size // len(choices))
            chosen = choices[which]
        if self.subsets is not None:
            return self.subsets.at(place), chosen
        for lot in self.lots if self.shaped else ():
            if place < lot.ways:
                return lot.at(place), chosen
            place -= lot.ways
        return 0, chosen


class Plain:
    """The offer of a move that picks and chooses nothing and that no clause forbids: the same in every state."""

    __slots__ = ("listed", "made")

    open, size, tests = True, 1, ()

    def __init__(self, program: Program, made: CompiledMove) -> None:
        self.made = made
        self.listed = (moves_of(program, made).new(0),)
        program.kept[made] = self

    def __iter__(self) -> Iterator[Move]:
        return iter(self.listed)

    def draw(self, rng: Random) -> Move:
        """The only move."""
        return self.listed[0]

    def at(self, place: int) -> tuple[int, Any]:
        """The only candidate."""
        return 0, None

    def passes(self, picked: int, chosen: Any) -> bool:
        """Nothing is tested."""
        return True

    def move(self, picked: int, chosen: Any) -> Move:
        """The only move."""
        return self.listed[0]


class LegalMoves:
    """All that the seat to act may do. ``bool``, ``in``, iteration, ``count`` and ``sample``.

    Cards that no line of the ruleset tells apart make one listed move; ``in`` accepts each of its members.
    """

    __slots__ = ("_offers", "_state")

    def __init__(self, state: State) -> None:
        self._state = state
        self._offers: list[Offer | Plain] | None = None

    @property
    def offers(self) -> list[Offer | Plain]:
        """The kinds of move on offer that have candidates, in file order."""
        if self._offers is None:
            self._offers = self._find()
        return self._offers

    def _find(self) -> list[Offer | Plain]:
        state = self._state
        found: list[Offer | Plain] = []
        if state.seat is None:
            return found
        program = state.program
        try:
            for made in program.phases[state.phase].moves.values():
                if made.plain:
                    found.append(program.kept.get(made) or Plain(program, made))
                else:
                    offer = Offer(state, made)
                    if offer.open:
                        found.append(offer)
        except TROUBLE as error:
            raise program.fault(error) from error
        return found

    def __iter__(self) -> Iterator[Move]:
        offers = self._offers = self._offers or self._find()
        if len(offers) == 1 and not offers[0].tests:
            return iter(offers[0])
        for offer in offers:
            if offer.tests:
                return self._tested()
        return chain.from_iterable(offers)

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

    def _count(self, offers: Sequence[Offer | Plain], limit: int | None) -> int | None:
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
        offers = self._offers
        if offers is None:
            offers = self._offers = self._find()
        return self._draw(offers, rng) if len(offers) != 1 or offers[0].tests else offers[0].draw(rng)

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
        return self._draw([offer for offer in self.offers if offer.made.name == name], rng)

    def _draw(self, offers: Sequence[Offer | Plain], rng: Random) -> Move:
        sizes = [offer.size for offer in offers]
        total = sum(sizes)
        tested = any(offer.tests for offer in offers)
        tries = 1 if not tested else 0 if total <= FEW else TRIES
        for _ in range(tries if total else 0):
            place = below(rng, total)
            for offer, size in zip(offers, sizes, strict=True):
                if place < size:
                    picked, chosen = offer.at(place)
                    if offer.passes(picked, chosen):
                        move = offer.move(picked, chosen)
                        self._state.found = move, (offer.made, picked, chosen)
                        return move
                    break
                place -= size
        found = [move for offer in offers for move in offer]
        return found[rng.randrange(len(found))] if found else self._none()

    def _none(self) -> Move:
        raise IndexError("there is no legal move")


def clock_move(state: State) -> Read | None:
    """The move that is made for a seat whose time is up: the first legal one of those the phase names."""
    phase = state.program.phases[state.phase]
    for name in phase.model.timeout:
        made = phase.moves[name]
        try:
            offer = Offer(state, made)
            for picked, chosen in offer.candidates():
                if offer.passes(picked, chosen):
                    return made, picked, chosen
        except TROUBLE as error:
            raise state.program.fault(error) from error
    return None

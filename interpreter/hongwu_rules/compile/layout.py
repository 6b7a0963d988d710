"""Where everything lies: memory slots and zones flattened to places in two lists, cards to tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from .. import cards
from ..cards import Packing
from ..model import Ruleset, Slot, Zone


@dataclass(frozen=True, slots=True)
class SlotPlace:
    """A memory slot: ``base`` is its first place, ``sizes`` how many values each index has."""

    slot: Slot
    base: int
    sizes: tuple[int, ...]

    @property
    def size(self) -> int:
        """How many places it takes."""
        total = 1
        for n in self.sizes:
            total *= n
        return total

    def indices(self) -> Iterator[tuple[int, ...]]:
        """Every index, in the order of the places."""
        return product(*(range(n) for n in self.sizes))

    def at(self, *index: int) -> int:
        """The place of one index."""
        place = 0
        for n, i in zip(self.sizes, index, strict=True):
            if not 0 <= i < n:
                raise IndexError(i)
            place = place * n + i
        return self.base + place


@dataclass(frozen=True, slots=True)
class ZonePlace:
    """A zone: ``base`` is its first place, one place for each seat if it is per seat."""

    zone: Zone
    base: int
    size: int


@dataclass(frozen=True)
class Layout:
    """The places of one ruleset."""

    ruleset: Ruleset

    @cached_property
    def seats(self) -> int:
        """How many seats."""
        return self.ruleset.seats.count

    @cached_property
    def teams(self) -> int:
        """How many teams."""
        return max(self.ruleset.seats.teams, default=-1) + 1

    @cached_property
    def pack(self) -> Packing:
        """How cards are packed."""
        return Packing(max((n for n in self.ruleset.deck.cards.values()), default=1) or 1)

    @cached_property
    def slots(self) -> Mapping[str, SlotPlace]:
        """Match memory first, then deal memory, each in file order."""
        size = {"seat": self.seats, "team": self.teams}
        found: dict[str, SlotPlace] = {}
        base = 0
        for slot in sorted(self.ruleset.memory.values(), key=lambda s: s.lifetime == "deal"):
            place = SlotPlace(slot, base, tuple(size[i] for i in slot.index))
            found[slot.name] = place
            base += place.size
        return found

    @cached_property
    def zones(self) -> Mapping[str, ZonePlace]:
        """Zones in file order."""
        found: dict[str, ZonePlace] = {}
        base = 0
        for zone in self.ruleset.zones.values():
            size = self.seats if zone.per_seat else 1
            found[zone.name] = ZonePlace(zone, base, size)
            base += size
        return found

    @cached_property
    def slot_at(self) -> tuple[tuple[SlotPlace, tuple[int, ...]], ...]:
        """For each memory place, its slot and index."""
        return tuple((place, key) for place in self.slots.values() for key in place.indices())

    @cached_property
    def zone_at(self) -> tuple[tuple[Zone, int | None], ...]:
        """For each zone place, its zone and seat."""
        return tuple((p.zone, i if p.zone.per_seat else None) for p in self.zones.values() for i in range(p.size))

    @cached_property
    def empty(self) -> tuple[tuple[int, ...] | int, ...]:
        """What all zones hold before the first deal."""
        return tuple(() if zone.ordered else 0 for zone, _ in self.zone_at)

    @cached_property
    def deck(self) -> int:
        """The whole deck, packed."""
        pack = self.pack
        return sum(pack.one[card] * n for card, n in self.ruleset.deck.cards.items())

    @cached_property
    def deck_ids(self) -> tuple[int, ...]:
        """Every card of the deck by id, copies repeated."""
        return tuple(self.pack.ids(self.deck))

    @cached_property
    def alias(self) -> tuple[int, ...]:
        """For each card id the card that it counts as."""
        return tuple(self.ruleset.deck.alias.get(i, i) for i in range(cards.SIZE))

    @cached_property
    def rank(self) -> tuple[int, ...]:
        """The rank that each card counts as."""
        return tuple(cards.RANK_OF[i] for i in self.alias)

    @cached_property
    def suit(self) -> tuple[int | None, ...]:
        """The suit that each card counts as."""
        return tuple(cards.SUIT_OF[i] for i in self.alias)

    @cached_property
    def colour(self) -> tuple[int | None, ...]:
        """The colour of each card; none for a joker."""
        return tuple(None if s is None else cards.COLOUR_OF_SUIT[s] for s in self.suit)

    @cached_property
    def ranks(self) -> tuple[int, ...]:
        """The ranks in the deck, lowest first."""
        return tuple(sorted({self.rank[i] for i, n in self.ruleset.deck.cards.items() if n}))

    @cached_property
    def points(self) -> tuple[int, ...]:
        """The points of each card id."""
        return tuple(self.ruleset.deck.points.get(i, 0) for i in range(cards.SIZE))

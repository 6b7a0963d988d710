"""A trick: the plays on the table, which is the best so far, and whether a follower gave the group led."""

from __future__ import annotations

from typing import NamedTuple

from . import Packing
from .contest import Contest, Measure
from .forms import Reading

new_tuple = tuple.__new__  # a named tuple in half the time


class Play(NamedTuple):
    """Cards (packed) that a seat put on the table; ``group`` is -1 where they are mixed.

    ``measure``: how a play that took the lead in a trick of several parts lies in them.
    """

    seat: int
    cards: int
    reading: Reading | None
    group: int
    measure: Measure | None = None


def standing(group: int, best: int, *, led: int) -> int:
    """Whether a play of a group ranks before (1), with (0) or behind (-1) the best play, by its group.

    A ruff ranks before the group led, and of ruffs in two groups the one that stands earlier in the order.
    """
    if group == best:
        return 0
    if led in (group, best):
        return 1 if best == led else -1
    return 1 if group < best else -1


def higher(play: Play, best: Play, lead: Play, later: bool = False) -> bool:
    """Whether ``play`` beats ``best`` in the trick that ``lead`` began; both may compete.

    More power beats anything of less. Else the play needs the shape, width and length of the lead;
    within one group the higher top wins, else the one whose group ranks first. Equal beats only if ``later``.
    """
    new, old = play.reading, best.reading
    if new is None or old is None or lead.reading is None:
        return False
    if new.power != old.power:
        return new.power > old.power
    if new.shape != old.shape or new.width != old.width or new.length != old.length:
        return False
    if play.group != best.group:
        return standing(play.group, best.group, led=lead.group) > 0
    return new.top > old.top or (later and new.top == old.top)


class Trick(NamedTuple):
    """``plays`` in order; ``best`` is the place of the highest among them, ``led`` the group led.

    >>> trick = Trick.start(Play(0, 1, Reading(0, 1, 1, 0, 3, 0), 0))
    >>> trick = trick.add(Play(1, 4, Reading(0, 1, 1, 0, 5, 0), 0), competes=True)
    >>> trick.winner, trick.lead.seat
    (1, 0)
    """

    plays: tuple[Play, ...]
    best: int
    led: int

    @classmethod
    def start(cls, play: Play) -> Trick:
        """The trick that begins with ``play``."""
        return cls((play,), 0, play.group)

    def add(self, play: Play, *, competes: bool, contest: Contest | None = None) -> Trick:
        """The trick with one more play. A play that does not compete never becomes the best.

        ``contest`` compares the plays to a lead of several parts; without one, nothing beats such a lead.
        """
        plays, best_at, led = self
        if not competes:
            return new_tuple(Trick, ((*plays, play), best_at, led))
        lead, best = plays[0], plays[best_at]
        wins = False
        if contest is not None and lead.reading is not None and lead.reading.parts:
            rank = standing(play.group, best.group, led=lead.group)
            if rank >= 0:
                against = None if rank else best.measure or contest.of_lead(lead.reading)
                measure = contest.measure(play.cards, lead.reading, against)
                play, wins = play._replace(measure=measure), measure is not None
        else:
            wins = higher(play, best, lead, contest is not None and contest.later)
        return new_tuple(Trick, ((*plays, play), len(plays) if wins else best_at, led))

    @property
    def lead(self) -> Play:
        """The first play."""
        return self.plays[0]

    @property
    def last(self) -> Play:
        """The latest play."""
        return self.plays[-1]

    @property
    def best_play(self) -> Play:
        """The highest play so far; of equals the first."""
        return self.plays[self.best]

    @property
    def winner(self) -> int:
        """The seat of the highest play so far."""
        return self.plays[self.best].seat


def follows_group(picked: int, hand: int, led_group_mask: int, packing: Packing) -> bool:
    """Whether ``picked`` has as many cards of the group led as it can: all of it, or all that the hand has.

    >>> from hongwu_rules.cards import parse_cards
    >>> pack = Packing(1)
    >>> spades = pack.mask(range(13))
    >>> hand = pack.of(parse_cards("S7 H7 H6"))
    >>> follows_group(pack.of(parse_cards("S7 H6")), hand, spades, pack)
    True
    >>> follows_group(pack.of(parse_cards("H7 H6")), hand, spades, pack)
    False
    """
    given = picked & led_group_mask
    return given == picked or given == hand & led_group_mask

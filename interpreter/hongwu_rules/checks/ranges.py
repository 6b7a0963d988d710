"""Sets of values that an expression may have: a few exact ones, or a range with a step."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import gcd, inf

from ..records import Record, record

Atom = int | str | None
FEW = 64  # up to so many values are kept one by one


@record()
class Values(Record):
    """What an expression may be. ``exact`` lists every value; without it ``low..high`` (None: no bound)
    holds the ints that leave ``base`` when divided by ``step``. None among the values means unset.

    >>> few(1, 2).plus(span(0, None, step=5)).low
    1
    """

    exact: frozenset[Atom] | None = None
    low: int | None = None
    high: int | None = None
    step: int = 1
    base: int = 0
    unset: bool = False

    @property
    def may_unset(self) -> bool:
        return self.unset if self.exact is None else None in self.exact

    @property
    def may_be_true(self) -> bool:
        return self.exact is None or any(self.exact)

    @property
    def may_be_false(self) -> bool:
        return self.exact is None or not all(self.exact)

    @property
    def truth(self) -> bool | None:
        """True or False if that is sure, else None."""
        exact = self.exact
        if exact is None:
            return None
        return True if all(exact) else None if any(exact) else False

    @property
    def ends(self) -> tuple[int | None, int | None]:
        """The smallest and the largest int."""
        if self.exact is None:
            return self.low, self.high
        ints = [value for value in self.exact if isinstance(value, int)]
        return (min(ints), max(ints)) if ints else (0, 0)

    @property
    def grid(self) -> tuple[int, int]:
        """Step and remainder that all values share (step 0: one value only)."""
        if self.exact is None:
            return self.step, self.base
        ints = sorted(value for value in self.exact if isinstance(value, int))
        step = 0
        for value in ints[1:]:
            step = gcd(step, value - ints[0])
        first = ints[0] if ints else 0
        return step, first % step if step else first

    def holds(self, value: Atom) -> bool:
        """Whether ``value`` is one of them."""
        if self.exact is not None:
            return value in self.exact
        if value is None:
            return self.unset
        if not isinstance(value, int):
            return True
        below = self.low is not None and value < self.low
        above = self.high is not None and value > self.high
        return not below and not above and (value - self.base) % self.step == 0

    def join(self, other: Values) -> Values:
        """Everything that either may be."""
        if self.exact is not None and other.exact is not None:
            return of(self.exact | other.exact)
        if any(isinstance(v, str) for side in (self, other) for v in side.exact or ()):
            return ANY
        unset = self.may_unset or other.may_unset
        if self.exact is not None and all(v is None for v in self.exact):
            return Values(None, other.low, other.high, other.step, other.base, unset)
        if other.exact is not None and all(v is None for v in other.exact):
            return Values(None, self.low, self.high, self.step, self.base, unset)
        (a, b), (c, d) = self.ends, other.ends
        (s, r), (t, q) = self.grid, other.grid
        step = gcd(gcd(s, t), r - q)
        low = None if a is None or c is None else min(a, c)
        high = None if b is None or d is None else max(b, d)
        return span(low, high, step=step or 1, base=r, unset=unset)

    def meet(self, low: int | None, high: int | None) -> Values:
        """The ints among them within these bounds, and unset if that was possible."""
        if self.exact is not None:
            kept = {
                v
                for v in self.exact
                if not isinstance(v, int) or ((low is None or v >= low) and (high is None or v <= high))
            }
            return Values(frozenset(kept))
        a = self.low if low is None else low if self.low is None else max(low, self.low)
        b = self.high if high is None else high if self.high is None else min(high, self.high)
        return span(a, b, step=self.step, base=self.base, unset=self.unset)

    def sure(self) -> Values:
        """The same, known to be set."""
        if self.exact is not None:
            return Values(self.exact - {None})
        return Values(None, self.low, self.high, self.step, self.base, False)

    def plus(self, other: Values) -> Values:
        exact = _each(self, other, lambda a, b: a + b)
        if exact is not None:
            return exact
        (a, b), (c, d) = self.ends, other.ends
        (s, r), (t, q) = self.grid, other.grid
        return span(_sum(a, c), _sum(b, d), step=gcd(s, t) or 1, base=r + q)

    def negative(self) -> Values:
        if self.exact is not None:
            return of(-v for v in self.exact if isinstance(v, int))
        low, high = self.ends
        return span(None if high is None else -high, None if low is None else -low, step=self.step, base=-self.base)

    def times(self, other: Values) -> Values:
        exact = _each(self, other, lambda a, b: a * b)
        if exact is not None:
            return exact
        corners = [_product(x, y) for x in _open(self.ends) for y in _open(other.ends)]
        low, high = _closed(min(corners)), _closed(max(corners))
        (s, r), (t, q) = self.grid, other.grid
        if s == 0:
            return span(low, high, step=abs(r) * t or 1, base=r * q)
        if t == 0:
            return span(low, high, step=abs(q) * s or 1, base=r * q)
        return span(low, high, step=gcd(gcd(s * t, s * q), r * t) or 1, base=r * q)

    def divided(self, other: Values, *, rest: bool) -> Values:
        """``//``, or ``%`` with ``rest``."""
        exact = _each(self, other, lambda a, b: 0 if b == 0 else a % b if rest else a // b)
        if exact is not None:
            return exact
        (a, b), (c, d) = self.ends, other.ends
        if c is None or d is None or c <= 0:
            return Values()
        if rest:
            return span(0, d - 1)
        low = None if a is None else min(a // c, a // d)
        high = None if b is None else max(b // c, b // d)
        return span(low, high)

    def compare(self, op: str, other: Values) -> Values:
        """``==`` and its kin; equality with an unset value is false, order with one is anybody's guess."""
        if self.exact is not None and other.exact is not None:
            return _compared(op, self.exact, other.exact)
        if op in ("==", "!="):
            return self._equal(other) if op == "==" else self._equal(other).opposite()
        if any(isinstance(v, str) for side in (self, other) for v in side.exact or ()):
            return MAYBE
        (a, b), (c, d) = self.ends, other.ends
        if self.may_unset or other.may_unset:
            return MAYBE
        if op in (">", ">="):
            return other.compare("<" if op == ">" else "<=", self)
        strict = op == "<"
        if b is not None and c is not None and (b < c if strict else b <= c):
            return YES
        if a is not None and d is not None and (a >= d if strict else a > d):
            return NO
        return MAYBE

    def _equal(self, other: Values) -> Values:
        (a, b), (c, d) = self.ends, other.ends
        for one, two in ((self, other), (other, self)):
            if one.exact is not None and not any(v is not None and two.holds(v) for v in one.exact):
                return NO
        apart = (b is not None and c is not None and b < c) or (a is not None and d is not None and d < a)
        (s, r), (t, q) = self.grid, other.grid
        step = gcd(s, t)
        words = any(isinstance(v, str) for side in (self, other) for v in side.exact or ())
        if not words and (apart or (step > 1 and (r - q) % step)):
            return NO
        return MAYBE

    def opposite(self) -> Values:
        """``not`` of a condition."""
        return {True: NO, False: YES, None: MAYBE}[self.truth]


def _sum(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b


def _open(ends: tuple[int | None, int | None]) -> tuple[float, float]:
    low, high = ends
    return (-inf if low is None else low), (inf if high is None else high)


def _product(a: float, b: float) -> float:
    return 0 if a == 0 or b == 0 else a * b


def _closed(end: float) -> int | None:
    return None if end in (inf, -inf) else int(end)


def _each(one: Values, two: Values, do: Callable[[int, int], int]) -> Values | None:
    if one.exact is None or two.exact is None or len(one.exact) * len(two.exact) > 4 * FEW:
        return None
    first = [v for v in one.exact if isinstance(v, int)]
    second = [v for v in two.exact if isinstance(v, int)]
    return of(do(a, b) for a in first for b in second)


def _compared(op: str, one: frozenset[Atom], two: frozenset[Atom]) -> Values:
    """What comparing a value of one set with a value of the other may give."""
    if not one or not two:
        return EMPTY
    if op in ("==", "!="):
        common = (one & two) - {None}
        found = NO if not common else YES if len(one) == len(two) == 1 else MAYBE
        return found if op == "==" else found.opposite()
    if op in (">", ">="):
        op, one, two = "<" if op == ">" else "<=", two, one
    first = [value for value in one if isinstance(value, int)]
    second = [value for value in two if isinstance(value, int)]
    if not first or not second:
        return NO  # nothing else has an order
    low, high = min(first), max(second)
    holds = low < high if op == "<" else low <= high
    low, high = min(second), max(first)
    fails = high >= low if op == "<" else high > low
    fails = fails or len(first) < len(one) or len(second) < len(two)
    return MAYBE if holds and fails else YES if holds else NO


def of(values: Iterable[Atom]) -> Values:
    """The set of these values, as a range where they are many."""
    exact = frozenset(values)
    if len(exact) <= FEW or any(isinstance(v, str) for v in exact):
        return Values(exact)
    whole = Values(exact)
    (low, high), (step, base) = whole.ends, whole.grid
    return Values(None, low, high, step or 1, base, None in exact)


def few(*values: Atom) -> Values:
    """Just these values."""
    return Values(frozenset(values))


def span(low: int | None, high: int | None, *, step: int = 1, base: int | None = None, unset: bool = False) -> Values:
    """The ints from ``low`` to ``high``, by ``step``."""
    step = abs(step) or 1
    base = (base if base is not None else (low or 0)) % step
    if low is not None:
        low += (base - low) % step
    if high is not None:
        high -= (high - base) % step
    if low is not None and high is not None and (high - low) // step < FEW:
        exact: set[Atom] = set(range(low, high + 1, step))
        return Values(frozenset(exact | {None} if unset else exact))
    return Values(None, low, high, step, base, unset)


ANY = Values(unset=True)
YES, NO, MAYBE = few(True), few(False), few(True, False)
EMPTY = few()

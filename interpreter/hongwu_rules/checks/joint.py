"""Conditions looked at over every combination of the few values that they depend on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice, product

from ..diagnostics import Text
from ..model.ir import Arith, Call, Compare, Const, Expr, Field, IfElse, In, IsNone, ListOf, Logic, Not, Type
from .evaluate import Env, Evaluator
from .ranges import Values, few, span

LIMIT = 4096  # combinations looked at for one condition
TRIED = 8  # values of one part, where an example is looked for


@dataclass(slots=True)
class _Leaf:
    """A part that has a value of its own: how often it occurs, and with which constants it is compared."""

    type: Type
    expr: Expr
    count: int = 0
    cuts: set[int] | None = None  # None: it also stands where only its very value tells


class Joint:
    """Asks sure questions about conditions: always, never, implied."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self._constant: dict[int, tuple[Expr, bool | None]] = {}

    # ---------------------------------------------------------------- questions
    def constant(self, expr: Expr) -> bool | None:
        """True or False if the condition is so whatever happens, else None."""
        found = self._constant.get(id(expr))
        if found is None:
            found = self._constant[id(expr)] = (expr, self._settled(expr))
        return found[1]

    def _settled(self, expr: Expr) -> bool | None:
        written = self.evaluator.inline(expr)
        quick = self.evaluator.values(written).truth
        if quick is not None:
            return quick
        cases = self.cases([written])
        truth: bool | None = None
        for number, case in enumerate(cases or ()):
            now = self.evaluator.values(written, case).truth
            if now is None or (number and now is not truth):
                return None
            truth = now
        return truth

    def implies(self, one: Sequence[Expr], other: Expr) -> bool:
        """Whether ``other`` surely holds whenever all of ``one`` may hold (false if that cannot be told)."""
        first, second = [self.evaluator.inline(e) for e in one], self.evaluator.inline(other)
        cases = self.cases([*first, second])
        if cases is None:
            return False
        values = self.evaluator.values
        return all(
            values(second, case).truth is True or any(values(e, case).truth is False for e in first) for case in cases
        )

    def none_holds(self, exprs: Sequence[Expr], *, given: Sequence[Expr] = ()) -> Env | None:
        """A combination in which surely none of ``exprs`` holds (and ``given`` may), or None."""
        written, known = [self.evaluator.inline(e) for e in exprs], [self.evaluator.inline(e) for e in given]
        values = self.evaluator.values
        for case in self.cases([*written, *known], every=True) or ():
            if all(values(e, case).truth is False for e in written) and not any(
                values(e, case).truth is False for e in known
            ):
                return case
        return None

    def found_by_trying(self, exprs: Sequence[Expr]) -> Env | None:
        """Plain values under which surely none of ``exprs`` holds, looked for among the first few of each part."""
        written = [self.evaluator.inline(e) for e in exprs]
        leaves = self.leaves(written)
        tries = [_first_few(self.evaluator.values(leaf.expr)) for leaf in leaves.values()]
        for chosen in islice(product(*tries), LIMIT):
            case: Env = dict(zip(leaves, chosen, strict=True))
            if all(self.evaluator.values(e, case).truth is False for e in written):
                return case
        return None

    # ---------------------------------------------------------------- combinations
    def leaves(self, exprs: Iterable[Expr]) -> dict[str, _Leaf]:
        """The parts with a value of their own, by their text."""
        found: dict[str, _Leaf] = {}
        for expr in exprs:
            self._collect(expr, found)
        return found

    def cases(self, exprs: Sequence[Expr], *, every: bool = False) -> list[Env] | None:
        """Every combination of what occurs more than once (with ``every``: of all parts); None if too many."""
        leaves = {key: leaf for key, leaf in self.leaves(exprs).items() if every or leaf.count > 1}
        pieces: list[list[Values]] = []
        size = 1
        for leaf in leaves.values():
            now = self._pieces(leaf)
            pieces.append(now)
            size *= max(1, len(now))
            if size > LIMIT:
                return None
        return [dict(zip(leaves, chosen, strict=True)) for chosen in product(*pieces)]

    def told(self, case: Env, exprs: Sequence[Expr]) -> Text | None:
        """A combination in words, without the parts of which nothing is known."""
        leaves = self.leaves([self.evaluator.inline(e) for e in exprs])
        notation = self.evaluator.notation
        parts = [f"{key} {notation.values(leaves[key].type, case[key])}" for key in case if key in leaves]
        parts = [part for part in parts if not part.endswith("= ?")]
        return Text("，".join(parts), ", ".join(parts)) if parts else None

    def _pieces(self, leaf: _Leaf) -> list[Values]:
        values = self.evaluator.values(leaf.expr)
        if leaf.cuts is not None and leaf.type.name == "int":
            return _cut(values, sorted(leaf.cuts))
        if values.exact is None:
            return [values]
        return [
            few(value)
            for value in sorted(values.exact, key=lambda v: (v is None, str(type(v)), v if v is not None else 0))
        ]

    def _collect(self, expr: Expr, found: dict[str, _Leaf]) -> None:
        match expr:
            case Const():
                return
            case Compare():
                self._side(expr.left, expr.right, found)
                self._side(expr.right, expr.left, found)
                return
            case In() if isinstance(expr.container, ListOf):
                self._side(expr.item, expr.container, found)
                for item in expr.container.items:
                    self._collect(item, found)
                return
            case Not() | IsNone():
                self._collect(expr.of, found)
                return
            case Logic():
                for part in expr.parts:
                    self._collect(part, found)
                return
            case Arith():
                self._collect(expr.left, found)
                self._collect(expr.right, found)
                return
            case IfElse():
                for part in (expr.test, expr.yes, expr.no):
                    self._collect(part, found)
                return
            case Call() if expr.word in ("int", "min", "max"):
                for part in expr.args:
                    self._collect(part, found)
                return
            case Field() if expr.of.type.name == "card":
                self._collect(expr.of, found)
                return
        self._leaf(expr, found).cuts = None

    def _leaf(self, expr: Expr, found: dict[str, _Leaf]) -> _Leaf:
        leaf = found.setdefault(self.evaluator.notation(expr), _Leaf(expr.type, expr, 0, set()))
        leaf.count += 1
        return leaf

    def _side(self, side: Expr, against: Expr, found: dict[str, _Leaf]) -> None:
        """One side of a comparison; a plain number on the other side is a cut and no more."""
        numbers = against.items if isinstance(against, ListOf) else (against,)
        plain = [n.value for n in numbers if isinstance(n, Const) and isinstance(n.value, int)]
        simple = not isinstance(side, Const | Arith | IfElse | Logic | Compare | Not | In | IsNone | ListOf)
        if isinstance(side, Call) and side.word in ("int", "min", "max"):
            simple = False
        if isinstance(side, Field) and side.of.type.name == "card":
            simple = False
        if not simple or len(plain) != len(numbers):
            self._collect(side, found)
            return
        leaf = self._leaf(side, found)
        if leaf.cuts is not None:
            leaf.cuts.update(plain)


def _first_few(values: Values) -> list[Values]:
    """Some single values out of what a part may be; the whole where they cannot be told apart."""
    if values.exact is not None:
        return [few(value) for value in sorted(values.exact, key=lambda v: (v is None, str(type(v)), v))[:TRIED]]
    if values.low is None:
        return [values]
    found = range(values.low, values.low + values.step * TRIED, values.step)
    return [few(value) for value in found if values.holds(value)]


def _cut(values: Values, cuts: list[int]) -> list[Values]:
    """The pieces of ``values`` between and at the cuts."""
    pieces: list[Values] = [few(None)] if values.may_unset else []
    rest = values.sure()
    low: int | None = None
    for cut in cuts:
        for piece in (rest.meet(low, cut - 1), rest.meet(cut, cut)):
            if _some(piece):
                pieces.append(piece)
        low = cut + 1
    last = rest.meet(low, None)
    if _some(last):
        pieces.append(last)
    return pieces or [span(None, None)]


def _some(piece: Values) -> bool:
    if piece.exact is not None:
        return bool(piece.exact)
    return piece.low is None or piece.high is None or piece.low <= piece.high

"""Tables: a row for every result, and no two where one is meant (HW501 to HW507)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations, product
from math import gcd, prod

from ..diagnostics import NOWHERE, Related, Span, Text
from ..model import Cell, Row, Table
from ..model.ir import Const, Expr, Lookup, Type, walk
from .boxes import Box, Budget, TooMany, left_over, meet, merged, size
from .context import Context, plural
from .ranges import Values, few
from .sites import all_sites
from .trends import check_trends

SUM_LIMIT = 5_000  # points over which an output is added up
FEW_RUNS = 200  # pieces into which one call may fall
PAIRS = 20  # pairs of rows named in one table
SHOWN = 4  # gaps named one by one
_FAR = 10**9


@dataclass(frozen=True, slots=True)
class Axis:
    """One input of a table as a grid: point ``i`` stands for ``low + step * i``, or ``values[i]``."""

    name: str
    type: Type
    low: int
    step: int
    count: int
    values: tuple[int, ...] = ()

    def at(self, point: int) -> int:
        """The value of a point."""
        return self.values[point] if self.values else self.low + self.step * point

    def ends(self, low: int | None, high: int | None) -> tuple[int, int]:
        """The points from ``low`` to ``high``; an empty pair (1, 0) if there are none."""
        if self.values:
            inside = [i for i, v in enumerate(self.values) if (low is None or v >= low) and (high is None or v <= high)]
            return (inside[0], inside[-1]) if inside else (1, 0)
        first = 0 if low is None else max(0, -(-(low - self.low) // self.step))
        last = self.count - 1 if high is None else min(self.count - 1, (high - self.low) // self.step)
        return (first, last) if first <= last else (1, 0)


def axis(context: Context, name: str, kind: Type) -> Axis:
    """The grid of one input."""
    if kind.name == "int" or (not kind.words and kind.name not in ("bool",) and kind.low is not None):
        low = -_FAR if kind.low is None else kind.low
        high = _FAR if kind.high is None else kind.high
        return Axis(name, kind, low, kind.step, max(0, (high - low) // kind.step + 1))
    whole = context.ruleset.kinds.get(kind.of)
    if whole is not None and kind.words != whole.words:  # some words of a kind only
        values = tuple(sorted(whole.words.index(word) for word in kind.words if word in whole.words))
        return Axis(name, Type("word", of=kind.of, words=whole.words), 0, 1, len(values), values)
    known = context.evaluator.domain(kind.sure).exact or frozenset()
    points = tuple(sorted(v for v in known if isinstance(v, int)))
    return Axis(name, kind, 0, 1, len(points), points)


def boxes(row: Row, axes: list[Axis]) -> list[Box]:
    """What a row covers; cells outside the domain cover nothing."""
    sides: list[list[tuple[int, int]]] = []
    for a in axes:
        cell = row.keys.get(a.name)
        ranges = cell.ranges if cell is not None else ((None, None),)
        ends = [a.ends(low, high) for low, high in ranges]
        sides.append([(low, high) for low, high in ends if low <= high])
    return [tuple(box) for box in product(*sides)]


def check_tables(context: Context) -> None:
    """Look at every table."""
    lookups: dict[str, list[Lookup]] = {name: [] for name in context.ruleset.tables}
    for site in all_sites(context.ruleset):
        for part in walk(site.expr):
            if isinstance(part, Lookup) and part.table in lookups:
                lookups[part.table].append(part)
    for table in context.ruleset.tables.values():
        _Check(context, table, lookups[table.name]).run()


class _Check:
    def __init__(self, context: Context, table: Table, lookups: list[Lookup]) -> None:
        self.context = context
        self.table = table
        self.lookups = lookups
        self.declared = [axis(context, name, kind) for name, kind in table.given.items()]
        self.axes = [self.reachable(number, a) for number, a in enumerate(self.declared)]
        self.whole: Box = tuple((0, a.count - 1) for a in self.axes)
        self.rows = [(row, boxes(row, self.axes)) for row in table.rows]
        self.budget = Budget()
        self.title = Text(f"表“{table.name}”", f'the table "{table.name}"')

    def reachable(self, number: int, a: Axis) -> Axis:
        """The grid without the values that no step of the rules leads to, as with scores in steps of 5."""
        asked = [self.context.evaluator.values(lookup.args[number]) for lookup in self.lookups]
        if a.values or not asked or any(v.exact is None and v.step == 1 for v in asked):
            return a
        first = asked[0].ends[0]
        if first is None:
            first = asked[0].grid[1]
        step = 0
        for values in asked:
            own, base = values.grid
            step = gcd(gcd(step, own), base - first)
        if step % a.step or step <= a.step or (first - a.low) % a.step:
            return a
        low = a.low + (first - a.low) % step
        return replace(a, low=low, step=step, count=max(0, (a.at(a.count - 1) - low) // step + 1))

    # ---------------------------------------------------------------- the checks in turn
    def run(self) -> None:
        before = len(self.context.findings.items)
        reached = self.reached()
        self.cannot_happen(reached)
        if self.table.hit == "collect":
            self.added_twice()
            self.zero_sum(clean=len(self.context.findings.items) == before)
            return
        try:
            if self.table.hit == "unique":
                self.same_rows()
            else:
                self.dead_rows()
            self.gaps(reached)
        except TooMany:
            self.context.not_proved.append(
                Text(f"{self.title.zh}太大，没有逐格查过", f"{self.title.en} is too big to be looked at cell by cell")
            )
            return
        clean = len(self.context.findings.items) == before
        if clean:
            numbers = [not a.values for a in self.axes]
            check_trends(self.context, self.table, self.rows, numbers, self.says, self.key_span)
            rows, results = plural(len(self.rows), "row"), size(reached)
            once = Text("各一次", " once") if self.table.hit == "unique" else Text("", "")
            many = plural(results, "result") if results < _FAR else "results"
            count = f"{results}种" if results < _FAR else ""
            self.context.proved.append(
                Text(
                    f"{self.title.zh}的{len(self.rows)}行盖全了{count}结果{once.zh}",
                    f"{self.title.en}: {rows} cover all {many}{once.en}",
                )
            )
        self.zero_sum(clean=clean)

    def reached(self) -> list[Box]:
        """The part of the domain that the rules may ask about, as far as that is known."""
        inside = [box for lookup in self.lookups for box in self.asked(lookup)]
        self.stays_inside()
        if not inside:
            return [self.whole]
        distinct: list[Box] = []
        for box in inside:
            distinct += left_over([box], distinct)
        return merged(distinct)

    def asked(self, lookup: Lookup) -> list[Box]:
        """What one call may ask for, within the domain."""
        sides: list[list[tuple[int, int]]] = []
        for a, arg in zip(self.axes, lookup.args, strict=True):
            values = self.context.evaluator.values(arg)
            runs = [a.ends(*values.ends)]
            if values.exact is not None:
                each = sorted({a.ends(v, v) for v in values.exact if isinstance(v, int)})
                runs = [run for (run,) in merged([(end,) for end in each if end[0] <= end[1]])]
            sides.append([run for run in runs if run[0] <= run[1]])
        if prod(len(side) for side in sides) > FEW_RUNS:
            sides = [[(side[0][0], side[-1][1])] for side in sides]
        return [tuple(box) for box in product(*sides)]

    def stays_inside(self) -> None:
        """Whether each input surely stays within its declared bounds; else that is checked in play."""
        loose: list[str] = []
        for lookup in self.lookups:
            for a, arg in zip(self.declared, lookup.args, strict=True):
                if not self.holds_all(a, self.context.evaluator.values(arg)) and a.name not in loose:
                    loose.append(a.name)
        if loose:
            names = "、".join(loose)
            self.context.not_proved.append(
                Text(
                    f"{self.title.zh}的{names}总在写明的范围里：打的时候查",
                    f"{', '.join(loose)} of {self.title.en} stays within the declared bounds: checked in play",
                )
            )

    @staticmethod
    def holds_all(a: Axis, values: Values) -> bool:
        if values.exact is not None:
            known = set(a.values)
            return all(
                isinstance(v, int)
                and (v in known if known else a.low <= v < a.low + a.step * a.count and (v - a.low) % a.step == 0)
                for v in values.exact
            )
        low, high = values.ends
        if a.values or low is None or high is None or values.may_unset:
            return False
        step, base = values.grid
        return low >= a.low and high < a.low + a.step * a.count and step % a.step == 0 and (base - a.low) % a.step == 0

    def cannot_happen(self, reached: list[Box]) -> None:
        for row, covered in self.rows:
            if any(meet(box, part) for box in covered for part in reached):
                continue
            bad = self.outside(row)
            cell = bad[1] if bad else None
            span = cell.span if cell is not None and cell.span != NOWHERE else row.span
            name = bad[0].name if bad else ""
            domain = self.domain(bad[0]) if bad else None
            self.context.findings.add(
                "HW506",
                span,
                f"{self.title.zh}的“{row.name}”行不可能出现",
                f'the row "{row.name}" of {self.title.en} cannot happen',
                witness=Text(f"{name} 只会是 {domain}", f"{name} can only be {domain}")
                if bad
                else self.says(reached[0]),
                help=(Text("改正这一行的条件，或删去这一行", "correct what the row asks for, or remove it"),),
            )

    def outside(self, row: Row) -> tuple[Axis, Cell] | None:
        """The cell of a row that no value of the domain fits."""
        for a in self.declared:
            cell = row.keys.get(a.name)
            if cell is not None and all(a.ends(low, high) == (1, 0) for low, high in cell.ranges):
                return a, cell
        return None

    def domain(self, a: Axis) -> str:
        notation = self.context.evaluator.notation
        if a.values:
            return " | ".join(notation.value(a.type, v) for v in a.values)
        step = f" step {a.step}" if a.step > 1 else ""
        return f"{a.low}..{a.at(a.count - 1)}{step}"

    def same_rows(self) -> None:
        """Rows that are alike, that contradict each other, and every other overlap."""
        self.budget.spend(len(self.rows) ** 2 // 8)
        before = len(self.context.findings.items)
        for (one, first), (two, second) in combinations(self.rows, 2):
            if len(self.context.findings.items) - before >= PAIRS:
                return
            shared = [box for x in first for y in second if (box := meet(x, y)) is not None]
            if not shared:
                continue
            same = sorted(first) == sorted(second)
            key = self.key_span(two)
            related = (Related(Text(f"“{one.name}”行在这里", f'the row "{one.name}" is here'), self.key_span(one)),)
            names = f"“{one.name}”和“{two.name}”", f'"{one.name}" and "{two.name}"'
            if same and self.outputs(one) == self.outputs(two):
                self.twice(one, two)
            elif same:
                self.context.findings.add(
                    "HW505",
                    key,
                    f"{self.title.zh}的{names[0]}两行条件相同，结果不同",
                    f"the rows {names[1]} of {self.title.en} ask for the same and give different results",
                    related=related,
                    witness=self.says(shared[0]),
                    help=(Text("改正其中一行的条件，或删去一行", "correct what one of them asks for, or remove one"),),
                )
            else:
                self.context.findings.add(
                    "HW502",
                    key,
                    f"{self.title.zh}的{names[0]}两行都合得上",
                    f"the rows {names[1]} of {self.title.en} both fit",
                    related=related,
                    witness=self.says(shared[0]),
                    help=(
                        Text(
                            "让两行的范围不相交；若先到先得是本意，写 hit: first",
                            "let the two ranges not meet; if the first row is meant to win, write hit: first",
                        ),
                    ),
                )

    def added_twice(self) -> None:
        """Rows that are alike in a table that adds up."""
        known: dict[object, Row] = {}
        for row, covered in self.rows:
            first = known.setdefault((tuple(sorted(covered)), self.outputs(row)), row)
            if first is not row and covered:
                self.twice(first, row)

    def twice(self, one: Row, two: Row) -> None:
        """HW504: a row written a second time; where all rows that fit are added up, it counts double."""
        what = Text("", "")
        if self.table.hit == "collect":
            what = Text("，会算两遍", ", so both are added up")
        self.context.findings.add(
            "HW504",
            self.key_span(two),
            f"{self.title.zh}的“{one.name}”和“{two.name}”两行一模一样{what.zh}",
            f'the rows "{one.name}" and "{two.name}" of {self.title.en} are alike{what.en}',
            related=(Related(Text(f"“{one.name}”行在这里", f'the row "{one.name}" is here'), self.key_span(one)),),
            help=(Text("删去一行", "remove one of them"),),
        )

    def outputs(self, row: Row) -> tuple[str, ...]:
        notation = self.context.evaluator.notation
        return tuple(
            notation(row.gives[name]) if name in row.gives else str(default)
            for name, default in self.table.gives.items()
        )

    def dead_rows(self) -> None:
        for number, (row, covered) in enumerate(self.rows):
            earlier = [(other, box) for other, others in self.rows[:number] for box in others]
            if not covered or left_over(covered, [box for _, box in earlier], self.budget):
                continue
            copied = next(
                (
                    other
                    for other, others in self.rows[:number]
                    if sorted(others) == sorted(covered) and self.outputs(other) == self.outputs(row)
                ),
                None,
            )
            if copied is not None:
                self.twice(copied, row)
                continue
            covering = [other for other, box in earlier if any(meet(box, mine) for mine in covered)]
            covering = list({other.name: other for other in covering}.values())
            names = (
                "、".join(f"“{other.name}”" for other in covering),
                ", ".join(f'"{other.name}"' for other in covering),
            )
            self.context.findings.add(
                "HW503",
                self.key_span(row),
                f"{self.title.zh}的“{row.name}”行永远轮不到，前面的{names[0]}已经占全",
                f'the row "{row.name}" of {self.title.en} is never reached: {names[1]} come{"s" * (len(covering) == 1)} first',
                related=tuple(
                    Related(Text("先轮到这一行", "this row comes first"), self.key_span(other)) for other in covering
                ),
                help=(Text("把它移到前面，或删去", "move it up, or remove it"),),
            )

    def gaps(self, reached: list[Box]) -> None:
        holes = merged(left_over(reached, [box for _, covered in self.rows for box in covered], self.budget))
        if not holes:
            return
        count = size(holes)
        span, related = self.beside(holes[0])
        shown = [self.says(box) for box in holes[:SHOWN]]
        more = (
            Text(f"；另有{len(holes) - SHOWN}处", f"; and {len(holes) - SHOWN} more")
            if len(holes) > SHOWN
            else Text("", "")
        )
        number = Text(f"{count}种", f"{count} results that can" if count > 1 else "a result that can")
        if count >= _FAR:
            number = Text("一些", "results that can")
        self.context.findings.add(
            "HW501",
            span,
            f"{self.title.zh}缺了行：{number.zh}会出现的结果没有对应的行",
            f"{self.title.en} has no row for {number.en} really happen",
            related=related,
            witness=Text(
                "没有的：" + "；".join(t.zh for t in shown) + more.zh,
                "not covered: " + "; ".join(t.en for t in shown) + more.en,
            ),
            help=(Text("添一行，或放宽相邻一行的范围", "add a row, or widen the row next to it"),),
        )

    def beside(self, hole: Box) -> tuple[Span, tuple[Related, ...]]:
        """The rows on both sides of a hole: the one after it first, as a reader meets it."""
        before: tuple[int, Row] | None = None
        after: tuple[int, Row] | None = None
        for row, covered in self.rows:
            for box in covered:
                apart = [i for i, (a, b) in enumerate(zip(box, hole, strict=True)) if meet((a,), (b,)) is None]
                if len(apart) != 1:
                    continue
                (low, high), (first, last) = box[apart[0]], hole[apart[0]]
                if high < first and (before is None or high > before[0]):
                    before = (high, row)
                if low > last and (after is None or low < after[0]):
                    after = (low, row)
        ends, whole = Text("到这里为止", "ends here"), Text("表在这里", "the table is here")
        if after is not None:
            related = (Related(ends, self.key_span(before[1])),) if before is not None else ()
            return self.key_span(after[1]), related
        if before is not None:
            return self.key_span(before[1]), (Related(whole, self.table.span),) if self.table.span != NOWHERE else ()
        return self.table.span, ()

    def key_span(self, row: Row) -> Span:
        for cell in row.keys.values():
            if cell.span != NOWHERE:
                return cell.span
        return row.span

    def says(self, box: Box) -> Text:
        """A box in words: ``place = 3``."""
        notation = self.context.evaluator.notation
        parts: list[str] = []
        for a, (low, high) in zip(self.axes, box, strict=True):
            first, last = notation.value(a.type, a.at(low)), notation.value(a.type, a.at(high))
            if low == high:
                parts.append(f"{a.name} = {first}")
            elif a.values and (low, high) != (0, a.count - 1):
                parts.append(f"{a.name} = {' | '.join(notation.value(a.type, a.at(i)) for i in range(low, high + 1))}")
            elif not a.values:
                parts.append(f"{a.name} = {first}..{last}")
        return Text("，".join(parts) or "任何情况", ", ".join(parts) or "anything")

    # ---------------------------------------------------------------- sums
    def zero_sum(self, *, clean: bool) -> None:
        """HW507: the declared output adds up to nothing over the whole domain."""
        name = self.table.sums_to_zero
        if not name or not clean:
            return
        results = prod(a.count for a in self.declared)
        if results > SUM_LIMIT:
            self.context.not_proved.append(
                Text(
                    f"{self.title.zh}的 {name} 加起来为零：格子太多，没有加过",
                    f"{name} of {self.title.en} sums to zero: too many cells to add up",
                )
            )
            return
        total = few(0)
        formulas: list[Expr] = []
        rows = [(row, boxes(row, self.declared)) for row in self.table.rows]
        for point in product(*(range(a.count) for a in self.declared)):
            for row in self.hits(rows, tuple((i, i) for i in point)):
                cell = row.gives.get(name)
                if cell is None:
                    total = total.plus(few(self.table.gives.get(name, 0)))
                    continue
                if not isinstance(cell, Const):
                    formulas.append(cell)
                env = {a.name: few(a.at(i)) for a, i in zip(self.declared, point, strict=True)}
                total = total.plus(self.context.evaluator.values(cell, env))
        if total.exact == frozenset({0}):
            places = Text(
                f"{self.title.zh}的 {name} 加起来是零",
                f"{name} of {self.title.en} sums to zero over {plural(results, 'result')}",
            )
            self.context.proved.append(places)
        elif not total.holds(0) or (total.exact is not None and len(total.exact) == 1):
            self._broken(name, total)
        else:
            self.context.not_proved.append(
                Text(
                    f"{self.title.zh}的 {name} 加起来为零：算式太活",
                    f"{name} of {self.title.en} sums to zero: its formulas leave it open",
                )
            )

    def hits(self, rows: list[tuple[Row, list[Box]]], point: Box) -> list[Row]:
        fitting = [row for row, covered in rows if any(meet(box, point) for box in covered)]
        return fitting if self.table.hit == "collect" else fitting[:1]

    def _broken(self, name: str, total: Values) -> None:
        notation = self.context.evaluator.notation
        cells = [
            notation(row.gives[name]) if name in row.gives else str(self.table.gives.get(name, 0))
            for row in self.table.rows
        ]
        found = notation.values(Type("int"), total).removeprefix("= ")
        shown = " + ".join(f"({cell})" if cell.startswith("-") else cell for cell in cells)
        self.context.findings.add(
            "HW507",
            self.table.span,
            f"{self.title.zh}的 {name} 加起来应是零，却是 {found}",
            f"{name} of {self.title.en} should sum to zero, but sums to {found}",
            related=tuple(
                Related(
                    Text(f"这里是 {notation(row.gives[name])}", f"{notation(row.gives[name])} here"), row.gives[name].at
                )
                for row in self.table.rows
                if name in row.gives and row.gives[name].at != NOWHERE
            ),
            witness=Text(f"{shown} = {found}", f"{shown} = {found}"),
            help=(Text("改正一行的数，或去掉 sums_to_zero", "correct a row, or drop sums_to_zero"),),
        )

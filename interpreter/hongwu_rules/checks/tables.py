"""Tables: a row for every result, and no two where one is meant (HW501 to HW506; HW507 and HW508 stand beside)."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product
from math import gcd, prod

from ..diagnostics import NOWHERE, Related, Span, Text
from ..model import Cell, Row, Table
from ..model.ir import Lookup, walk
from .axes import FAR, Axis, axis, boxes
from .boxes import Box, Budget, TooMany, left_over, meet, merged, size
from .context import Context, plural
from .ranges import Values
from .sites import all_sites
from .sums import check_sum
from .trends import check_trends

FEW_RUNS = 200  # pieces into which one call may fall
PAIRS = 20  # pairs of rows named in one table
SHOWN = 4  # gaps named one by one


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
            if len(self.context.findings.items) == before:
                check_sum(self.context, self.table, self.declared, self.title)
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
            many = plural(results, "result") if results < FAR else "results"
            count = f"{results}种" if results < FAR else ""
            self.context.proved.append(
                Text(
                    f"{self.title.zh}的{len(self.rows)}行盖全了{count}结果{once.zh}",
                    f"{self.title.en}: {rows} cover all {many}{once.en}",
                )
            )
            check_sum(self.context, self.table, self.declared, self.title)

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
        if count >= FAR:
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

"""HW507: an output of a table that is declared to add up to nothing."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from ..diagnostics import NOWHERE, Related, Text
from ..model import Row, Table
from ..model.ir import Type
from .axes import Axis, boxes
from .boxes import Box, meet
from .context import Context, plural
from .ranges import Values, few

SUM_LIMIT = 5_000  # points over which an output is added up


def check_sum(context: Context, table: Table, axes: Sequence[Axis], title: Text) -> None:
    """Add up the declared output, if there is one, over the whole domain (``axes``)."""
    name = table.sums_to_zero
    if not name:
        return
    results = prod(a.count for a in axes)
    if results > SUM_LIMIT:
        context.not_proved.append(
            Text(
                f"{title.zh}的 {name} 加起来为零：格子太多，没有加过",
                f"{name} of {title.en} sums to zero: too many cells to add up",
            )
        )
        return
    total = few(0)
    rows = [(row, boxes(row, axes)) for row in table.rows]
    for point in product(*(range(a.count) for a in axes)):
        for row in _hits(table, rows, tuple((i, i) for i in point)):
            cell = row.gives.get(name)
            if cell is None:
                total = total.plus(few(table.gives.get(name, 0)))
                continue
            env = {a.name: few(a.at(i)) for a, i in zip(axes, point, strict=True)}
            total = total.plus(context.evaluator.values(cell, env))
    if total.exact == frozenset({0}):
        context.proved.append(
            Text(
                f"{title.zh}的 {name} 加起来是零",
                f"{name} of {title.en} sums to zero over {plural(results, 'result')}",
            )
        )
    elif not total.holds(0) or (total.exact is not None and len(total.exact) == 1):
        _broken(context, table, name, total, title)
    else:
        context.not_proved.append(
            Text(
                f"{title.zh}的 {name} 加起来为零：算式太活",
                f"{name} of {title.en} sums to zero: its formulas leave it open",
            )
        )


def _hits(table: Table, rows: Sequence[tuple[Row, list[Box]]], point: Box) -> list[Row]:
    fitting = [row for row, covered in rows if any(meet(box, point) for box in covered)]
    return fitting if table.hit == "collect" else fitting[:1]


def _broken(context: Context, table: Table, name: str, total: Values, title: Text) -> None:
    notation = context.evaluator.notation
    cells = [notation(row.gives[name]) if name in row.gives else str(table.gives.get(name, 0)) for row in table.rows]
    found = notation.values(Type("int"), total).removeprefix("= ")
    shown = " + ".join(f"({cell})" if cell.startswith("-") else cell for cell in cells)
    context.findings.add(
        "HW507",
        table.span,
        f"{title.zh}的 {name} 加起来应是零，却是 {found}",
        f"{name} of {title.en} should sum to zero, but sums to {found}",
        related=tuple(
            Related(
                Text(f"这里是 {notation(row.gives[name])}", f"{notation(row.gives[name])} here"), row.gives[name].at
            )
            for row in table.rows
            if name in row.gives and row.gives[name].at != NOWHERE
        ),
        witness=Text(f"{shown} = {found}", f"{shown} = {found}"),
        help=(Text("改正一行的数，或去掉 sums_to_zero", "correct a row, or drop sums_to_zero"),),
    )


__all__ = ["check_sum"]

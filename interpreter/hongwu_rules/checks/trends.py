"""HW508: a column of a table that climbs or falls all the way, but for one step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from ..diagnostics import NOWHERE, Related, Span, Text
from ..model import Row, Table
from ..model.ir import Const
from .boxes import Box
from .context import Context

FEWEST = 4  # rows in a row before a trend can be spoken of
_Piece = tuple[Box, Row]  # a part of what a row covers


def check_trends(
    context: Context,
    table: Table,
    rows: Sequence[tuple[Row, list[Box]]],
    numbers: Sequence[bool],
    says: Callable[[Box], Text],
    key_span: Callable[[Row], Span],
) -> None:
    """Look at each output along each input that is a number (``numbers``), all other inputs being equal.

    ``rows`` are those that can happen, with what they cover. Each output is spoken of once.
    """
    for output in table.gives:
        for axis in (i for i, number in enumerate(numbers) if number):
            odd = next((odd for line in _lines(rows, axis) if (odd := _odd_step(table, output, line, axis))), None)
            if odd is not None:
                _report(context, table, output, odd, says, key_span)
                break


def _lines(rows: Sequence[tuple[Row, list[Box]]], axis: int) -> list[list[_Piece]]:
    """The pieces of rows that lie one behind the other along an input."""
    lines: dict[Box, list[_Piece]] = {}
    for row, boxes in rows:
        for box in boxes:
            lines.setdefault(box[:axis] + box[axis + 1 :], []).append((box, row))
    return [sorted(line, key=lambda piece: piece[0][axis]) for line in lines.values() if len(line) >= FEWEST]


def _odd_step(table: Table, output: str, line: list[_Piece], axis: int) -> tuple[_Piece, _Piece] | None:
    """The two pieces between which alone the output goes the other way."""
    if any(one[0][axis][1] >= two[0][axis][0] for one, two in pairwise(line)):
        return None  # they overlap: which of them counts is another matter
    values: list[int] = []
    for _, row in line:
        cell = row.gives.get(output)
        if cell is not None and not (isinstance(cell, Const) and isinstance(cell.value, int)):
            return None
        values.append(table.gives[output] if cell is None else int(cell.value or 0))
    if len(set(values)) < 3:
        return None  # two results that take turns are no trend
    steps = [(b > a) - (b < a) for a, b in pairwise(values)]
    for way in (1, -1):
        against = [number for number, step in enumerate(steps) if step == -way]
        if len(against) == 1 and steps.count(way) >= 2:
            return line[against[0]], line[against[0] + 1]
    return None


def _report(
    context: Context,
    table: Table,
    output: str,
    odd: tuple[_Piece, _Piece],
    says: Callable[[Box], Text],
    key_span: Callable[[Row], Span],
) -> None:
    (first, one), (then, two) = odd
    low, high = (_value(table, output, row) for row in (one, two))
    rises = low > high  # the others go up
    context.findings.add(
        "HW508",
        _written(output, two, key_span),
        f"表“{table.name}”的 {output} 一路{'升' if rises else '降'}，只有这里反过来：{low} 之后是 {high}",
        f'{output} of the table "{table.name}" {"rises" if rises else "falls"} all the way, except here: '
        f"{high} comes after {low}",
        related=(Related(Text(f"前一行给 {low}", f"the row before gives {low}"), _written(output, one, key_span)),),
        witness=Text(
            f"{says(first).zh}：{low}；{says(then).zh}：{high}", f"{says(first).en}: {low}; {says(then).en}: {high}"
        ),
        help=(
            Text(
                "看看是不是写反了；本来如此就加注释 # hongwu: ignore[HW508] 理由",
                "see whether two numbers were swapped; if it is meant, remark `# hongwu: ignore[HW508] why`",
            ),
        ),
    )


def _written(output: str, row: Row, key_span: Callable[[Row], Span]) -> Span:
    """Where the number stands; the key of the row where it is the table's default."""
    cell = row.gives.get(output)
    return key_span(row) if cell is None or cell.at == NOWHERE else cell.at


def _value(table: Table, output: str, row: Row) -> int:
    cell = row.gives.get(output)
    return table.gives[output] if not isinstance(cell, Const) else int(cell.value or 0)

"""Tables to Python source: one function for each output."""

from __future__ import annotations

from ..diagnostics import Span
from ..model import Cell, Row, Table
from .expressions import Writer, identifier
from .source import Module


def write_table(module: Module, writer: Writer, table: Table, number: int) -> None:
    """The functions of a table; each notes the row that it used while a step runs."""
    names = {name: identifier("a", name) for name in table.given}
    params = "".join(f", {name}" for name in names.values())
    for output, default in table.gives.items():
        body: list[tuple[str, Span]] = []
        collect = table.hit == "collect"
        if collect:
            body.append(("total = 0", table.span))
        for place, row in enumerate(table.rows):
            body.append((f"if {_fits(row, names)}:", row.span))
            body.append((f'    if g.rows is not None: g.rows["row", {number}, {place}] = None', row.span))
            cell = row.gives.get(output)
            code = str(default) if cell is None else writer.value(writer.simplify(cell), names)
            body.append(
                (f"    total += {code}" if collect else f"    return {code}", row.span if cell is None else cell.at)
            )
        values = ", ".join(names.values())
        given = tuple((name, kind.words) for name, kind in table.given.items())
        body.append(
            ("return total" if collect else f"raise no_row({table.name!r}, {given!r}, ({values},))", table.span)
        )
        module.function(writer.name("t", table.name, output), f"g{params}", body)


def _fits(row: Row, names: dict[str, str]) -> str:
    """The condition of a row."""
    tests = [_within(names[key], cell) for key, cell in row.keys.items()]
    return " and ".join(test for test in tests if test) or "True"


def _within(name: str, cell: Cell) -> str:
    parts = []
    for low, high in cell.ranges:
        if low is None and high is None:
            return ""
        if low is not None and low == high:
            parts.append(f"{name} == {low}")
        else:
            parts.append(f"{'' if low is None else f'{low} <= '}{name}{'' if high is None else f' <= {high}'}")
    return parts[0] if len(parts) == 1 else f"({' or '.join(parts)})"

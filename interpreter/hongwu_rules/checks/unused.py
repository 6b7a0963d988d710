"""What a file declares and nothing uses (HW405), and definitions that need themselves (HW406)."""

from __future__ import annotations

from itertools import pairwise

from ..diagnostics import Related, Span, Text
from ..model import Assign
from ..model.ir import Apply, Const, Expr, Field, Lookup, OptionRef, SlotRef, ZoneRef, walk
from .context import Context, plural
from .recursion import define_cycles
from .sites import all_sites, all_steps, place


def check_recursion(context: Context) -> None:
    """HW406: a definition that needs itself, straight or through others."""
    defines = context.ruleset.defines
    needs = {
        name: [part.define for part in walk(define.body) if isinstance(part, Apply)] for name, define in defines.items()
    }
    for chain in define_cycles(needs):
        shown = " -> ".join(chain)
        related = tuple(
            Related(Text(f"“{name}”用到“{after}”", f'"{name}" needs "{after}"'), defines[name].span)
            for name, after in pairwise(chain[1:])
        )
        context.findings.add(
            "HW406",
            defines[chain[0]].span,
            f"定义“{chain[0]}”绕了一圈又用到自己",
            f'the definition "{chain[0]}" needs itself',
            witness=Text(shown, shown),
            related=related,
            help=(
                Text("断开这一圈：让其中一个不再用到下一个", "break the circle: let one of them do without the next"),
            ),
        )


def check_unused(context: Context) -> None:
    """HW405: options, definitions, memory, zones, shapes, tables and their outputs without a use."""
    ruleset = context.ruleset
    used = _used(context)
    unused = _Unused(context)
    for option in ruleset.options.values():
        if ("option", option.name) not in used:
            unused.add(option.span, Text(f"选项“{option.name}”", f'the option "{option.name}"'), "读", "reads")
    for define in ruleset.defines.values():
        if ("define", define.name) not in used:
            unused.add(define.span, Text(f"定义“{define.name}”", f'the definition "{define.name}"'), "用", "uses")
    for slot in ruleset.memory.values():
        if ("slot", slot.name) not in used:
            unused.add(
                slot.span, Text(f"记忆“{slot.name}”", f'the memory "{slot.name}"'), "读", "reads", slot=slot.name
            )
    for zone in ruleset.zones.values():
        if ("zone", zone.name) not in used:
            unused.add(zone.span, Text(f"放牌的“{zone.name}”", f'the zone "{zone.name}"'), "用", "uses")
    for table in ruleset.tables.values():
        if ("table", table.name) not in used:
            unused.add(table.span, Text(f"表“{table.name}”", f'the table "{table.name}"'), "查", "looks at")
            continue
        for output in table.gives:
            if (f"table {table.name}", output) not in used:
                column = Text(f"表“{table.name}”的“{output}”", f'"{output}" of the table "{table.name}"')
                cells = [row.gives[output] for row in table.rows if output in row.gives]
                unused.add(place(cells[0], table.span) if cells else table.span, column, "读", "reads")
    listed = any(move.shapes for phase in ruleset.phases.values() for move in phase.moves.values())
    for shape in ruleset.shapes.items:
        if listed and ("shape", shape.name) not in used:
            unused.add(shape.span, Text(f"牌型“{shape.name}”", f'the shape "{shape.name}"'), "准出", "allows")
    total = sum(
        map(
            len, (ruleset.options, ruleset.defines, ruleset.memory, ruleset.zones, ruleset.tables, ruleset.shapes.items)
        )
    )
    if not unused.found:
        what = plural(total, "declared thing")
        context.proved.append(Text(f"声明的{total}样东西都有用处", f"{what}, each used"))


def _used(context: Context) -> set[tuple[str, str]]:
    """Everything that something reads; a definition counts only if something that counts uses it."""
    ruleset = context.ruleset
    used: set[tuple[str, str]] = set()
    waiting: list[str] = []
    shapes = [shape.name for shape in ruleset.shapes.items]
    for site in all_sites(ruleset):
        if not site.define:
            _note(site.expr, shapes, used)
    for phase in ruleset.phases.values():
        for move in phase.moves.values():
            used.update(("shape", name) for name in move.shapes)
    done: set[str] = set()
    waiting = [name for kind, name in used if kind == "define"]
    while waiting:
        name = waiting.pop()
        if name in done or name not in ruleset.defines:
            continue
        done.add(name)
        more: set[tuple[str, str]] = set()
        _note(ruleset.defines[name].body, shapes, more)
        used |= more
        waiting += [other for kind, other in more if kind == "define"]
    return used


def _note(expr: Expr, shapes: list[str], used: set[tuple[str, str]]) -> None:
    for part in walk(expr):
        match part:
            case OptionRef():
                used.add(("option", part.name))
            case Apply():
                used.add(("define", part.define))
            case SlotRef():
                used.add(("slot", part.name))
            case ZoneRef():
                used.add(("zone", part.name))
            case Lookup():
                used.add(("table", part.table))
            case Field() if isinstance(part.of, Lookup):
                used.add((f"table {part.of.table}", part.name))
            case Const() if part.type.name == "shape" and part.value is not None:
                used.add(("shape", part.value if isinstance(part.value, str) else shapes[int(part.value)]))


class _Unused:
    def __init__(self, context: Context) -> None:
        self.context = context
        self.found = 0

    def add(self, span: Span, what: Text, zh: str, en: str, *, slot: str = "") -> None:
        self.found += 1
        steps = [
            step
            for step in all_steps(self.context.ruleset)
            if slot and isinstance(step.action, Assign) and step.action.slot == slot
        ]
        given = Text("这里给它值，可是没有哪里读它", "a value is given here, which nothing reads")
        self.context.findings.add(
            "HW405",
            span,
            f"{what.zh}没有一处{zh}它",
            f"nothing {en} {what.en}",
            related=tuple(Related(given, step.span) for step in steps[:1]),
            help=(Text("用上它，或把它删去", "use it, or remove it"),),
        )

"""Who sees what: for each slot and zone, source of a number with one bit for each viewer.

Bit ``s`` is seat ``s``, the bit after the seats an onlooker, who is no seat: nothing equals him.
"""

from __future__ import annotations

from ..diagnostics import NOWHERE
from ..model.ir import SEAT, Apply, Call, Compare, Const, Expr, Local, Logic, SlotRef, Type, ZoneRef, walk
from .expressions import Names, Writer

_NOBODY = Const(type=Type("seat", optional=True), value=None)


def sight(writer: Writer, seen: Expr | None, names: Names) -> str:
    """Source of the number of everybody for whom ``seen`` (local ``viewer``) holds."""
    n = writer.layout.seats
    if seen is None:
        return str((2 << n) - 1)
    plain = writer.simplify(seen)
    if isinstance(plain, Const):
        return str((2 << n) - 1 if plain.value else 0)
    own = _own(plain)
    if isinstance(own, Const) and isinstance(own.value, int):
        return str(1 << own.value)
    if own is not None:
        return f"(1 << {writer.value(own, names)})"
    if isinstance(plain, Logic) and plain.op == "or":
        return "(" + " | ".join(sight(writer, part, names) for part in plain.parts) + ")"
    if not any(isinstance(part, Local) and part.name == "viewer" for part in walk(plain)):
        return f"({(2 << n) - 1} if {writer.test(plain, names)} else 0)"
    bits: list[str] = []
    for bit in range(n + 1):
        viewer = Const(type=SEAT, at=NOWHERE, value=bit) if bit < n else _NOBODY
        asked = writer.simplify(plain, {"viewer": viewer})
        if isinstance(asked, Const):
            if asked.value:
                bits.append(str(1 << bit))
        elif bit < n or not _indexed_by_nobody(asked):
            bits.append(f"({1 << bit} if {writer.test(asked, names)} else 0)")
    return f"({' | '.join(bits)})" if bits else "0"


def _own(expr: Expr) -> Expr | None:
    """The other side of ``viewer == …``, where that is always a seat."""
    if isinstance(expr, Compare) and expr.op == "==":
        for viewer, other in ((expr.left, expr.right), (expr.right, expr.left)):
            if isinstance(viewer, Local) and viewer.name == "viewer" and not other.type.optional:
                return other if isinstance(other, Local | Const) else None
    return None


def _indexed_by_nobody(expr: Expr) -> bool:
    """Whether something is looked up for an onlooker, who has no seat."""
    for part in walk(expr):
        if isinstance(part, SlotRef | ZoneRef | Call | Apply):
            for inner in part.args if isinstance(part, Call | Apply) else part.index:
                if isinstance(inner, Const) and inner.value is None and inner.type.name == "seat":
                    return True
    return False

"""One entry for each word of the vocabulary: how a call of it is written in Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ..model.ir import Call, Const, Expr, Field, Local, ZoneRef

if TYPE_CHECKING:
    from .expressions import Names, Writer

WordWriter = Callable[["Writer", Call, "Names"], str]


def _pile(writer: Writer, expr: Expr, names: Names) -> str:
    """A zone that is read by place."""
    if isinstance(expr, ZoneRef):
        place = f"z[{writer.zone_place(expr, names)}]"
        return place if writer.ordered(expr) else f"ids({place})"
    return f"ids({writer.value(expr, names)})"


def _plain(form: str) -> WordWriter:
    """A word written as a form over its arguments: ``{0}``, ``{1}`` …, ``{all}``, ``{T}``, ``{B}``."""

    def write(writer: Writer, call: Call, names: Names) -> str:
        args = [writer.value(arg, names) for arg in call.args]
        parts = {"all": ", ".join(args)}
        if "{T}" in form:
            parts["T"] = writer.table_code()
        if "{B}" in form:
            parts["B"] = writer.book_code()
        return form.format(*args, **parts)

    return write


def _by_type(forms: Mapping[str, str]) -> WordWriter:
    """A word that means one thing or another by the type of its first argument."""
    writers = {name: _plain(form) for name, form in forms.items()}

    def write(writer: Writer, call: Call, names: Names) -> str:
        return writers[call.args[0].type.name](writer, call, names)

    return write


def _len(writer: Writer, call: Call, names: Names) -> str:
    arg = call.args[0]
    if isinstance(arg, Local) and names.get(arg.name) == "reading":
        return "reading.size"
    if isinstance(arg, ZoneRef) and writer.ordered(arg):
        return f"len(z[{writer.zone_place(arg, names)}])"
    if arg.type.name != "cards":
        return f"len({writer.value(arg, names)})"
    open_ = isinstance(arg, Field) or (isinstance(arg, Local) and arg.name == "picked")  # never unknown ones
    return f"{'number' if open_ else 'count'}({writer.value(arg, names)})"


def _group(writer: Writer, call: Call, names: Names) -> str:
    arg = call.args[0]
    if isinstance(arg, Local) and names.get(arg.name) == "reading":
        return "unmixed(reading.group)"
    return _BY_GROUP(writer, call, names)


def _empty(writer: Writer, call: Call, names: Names) -> str:
    return f"(not {writer.some(call.args[0], names)})"


def _alike_word(one: str, two: str) -> WordWriter:
    """``alike`` and ``pairs``: by card, or by the step of the order."""
    by_card, by_step = _plain(one), _plain(two)

    def write(writer: Writer, call: Call, names: Names) -> str:
        chosen = by_card if writer.layout.ruleset.shapes.alike_by == "card" else by_step
        return chosen(writer, call, names)

    return write


def _alike(writer: Writer, call: Call, names: Names) -> str:
    if len(call.args) > 1:
        first, *rest = [writer.value(arg, names) for arg in call.args]
        if writer.layout.ruleset.shapes.alike_by == "card":  # which needs no order, and none that may be hidden
            return "(" + " and ".join(f"kind_of[{first}] == kind_of[{other}]" for other in rest) + ")"
        return "(" + " and ".join(f"{writer.book_code()}.alike({first}, {other})" for other in rest) + ")"
    if call.args[0].type.name == "card":
        return "True"
    return _alike_word("alike({0})", "alike_by_step({T}, {0})")(writer, call, names)


def _top(writer: Writer, call: Call, names: Names) -> str:
    return f"one[{_pile(writer, call.args[0], names)}[0]]"


def _nth(writer: Writer, call: Call, names: Names) -> str:
    return f"nth({_pile(writer, call.args[0], names)}, {writer.value(call.args[1], names)})"


def _position(writer: Writer, call: Call, names: Names) -> str:
    item, box = call.args
    items = _pile(writer, box, names) if box.type.name == "cards" else writer.value(box, names)
    return f"position({writer.value(item, names)}, {items})"


def _made(writer: Writer, call: Call, names: Names) -> str:
    move = call.args[0]
    assert isinstance(move, Const) and isinstance(move.value, int)
    bit = writer.noted[move.type.words[move.value]]
    return f"(g.made & {bit} != 0)"


_BY_GROUP = _by_type({"card": "{T}.group[{0}]", "cards": "unmixed({T}.group_of({0}))"})
WORDS: dict[str, WordWriter] = {
    "len": _len,
    "empty": _empty,
    "min": _plain("min({all})"),
    "max": _plain("max({all})"),
    "int": _plain("int({0})"),
    "points": _by_type({"card": "points_of[{0}]", "cards": "points({0})"}),
    "pairs": _alike_word("pairs({0})", "pairs_by_step({T}, {0})"),
    "suit": _by_type({"card": "suit_of[{0}]", "cards": "common_suit({0})"}),
    "colour": _by_type({"card": "colour_of[{0}]", "suit": "suit_colour[{0}]", "cards": "common_colour({0})"}),
    "top": _top,
    "nth": _nth,
    "position": _position,
    "next": _plain("next_seat[{0}]"),
    "others": _plain("others[{0}]"),
    "seats_from": _plain("seats_from[{0}]"),
    "partner": _plain("partner[{0}]"),
    "team": _plain("team[{0}]"),
    "opponents": _plain("opponents[{0}]"),
    "group": _group,
    "line": _plain("{T}.line[{0}]"),
    "step": _by_type({"card": "{T}.step[{0}]", "rank": "ladder[{0}]"}),
    "alike": _alike,
    "linked": _plain("{T}.linked({0}, {1})"),
    "beats": _plain("beats_trick({B}, {0}, {1})"),
    "can_beat": _plain("can_beat({B}, {0}, {1})"),
    "follows_group": _plain("follows_group({0}, {1}, {2}, {T})"),
    "follows_sets": _plain("follows_sets({0}, {1}, {2}, {B})"),
    "follows_runs": _plain("follows_runs({0}, {1}, {2}, {B})"),
    "beaten": _plain("beaten(g, {0})"),
    "forced": _plain("forced(g, {0})"),
    "parts": _plain("parts({B}, {0})"),
    "made": _made,
    "up": _plain("up({0}, {1})"),
    "down": _plain("down({0}, {1})"),
    "is_stop": _plain("is_stop({0})"),
}

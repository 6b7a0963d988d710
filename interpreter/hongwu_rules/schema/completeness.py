"""Keys of one section that depend on each other: what one asks for, and what excludes another."""

from __future__ import annotations

from collections.abc import Callable

from ..diagnostics import Text
from ..diagnostics.nearest import nearest
from ..diagnostics.slips import truth
from ..model.fields import base_name, is_dressed
from ..model.sections import SECTIONS
from ..overlay.patches import did_you_mean
from ..source.nodes import Mapping, Scalar, titled
from .say import clip, read_range, write

Note = Callable[..., None]  # (code, span, Text, help=…, related=…)
_PLAIN_KEYS = frozenset({"cite", "zh", "en", "remove", "before", "after"})


def lacks_of(section: str, node: Mapping, note: Note) -> list[str]:
    """The keys that a section lacks because of the others it has; other faults are noted."""
    rule = _RULES.get(section)
    lacks = rule(node, note) if rule is not None else []
    wordings = [name for name in ("zh", "en") if name in SECTIONS[section].fields]
    worded = [name for name in wordings if name in node]
    # What has a wording in one language is read by those of the other as well.
    return lacks + [name for name in wordings if worded and name not in worded]


def _phase(node: Mapping, note: Note) -> list[str]:
    lacks: list[str] = []
    final = node.get("final")
    if isinstance(final, Scalar) and final.value is True:
        for entry in node:
            if entry.key.value != "final" and entry.key.value not in _PLAIN_KEYS:
                note("HW106", entry.key.span, Text(
                    f"“{entry.key.value}”与 final 不能同时写：打完了就什么也不做",
                    f'"{entry.key.value}" cannot go with `final`: nothing happens once the match is over',
                ))  # fmt: skip
        return []
    asks = [key for key in ("seat", "round") if key in node]
    if len(asks) == 2:
        _apart(
            node,
            "seat",
            "round",
            note,
            Text("一个阶段要么问一家，要么轮流问", "a phase asks either one seat or several in turn"),
        )
    if asks and "moves" not in node:
        lacks.append("moves")
    if "round" in node and "first" not in node:
        lacks.append("first")
    if not asks:
        for key in ("moves", "timeout", "then"):
            if key in node:
                lacks.append("seat")
                break
    for key in ("first", "who", "stop"):
        if key in node and "round" not in node:
            _needs(node, key, "round", note)
    if asks and "do" in node:
        _apart(
            node,
            asks[0],
            "do",
            note,
            Text("每个动作之后做的写在 then", "what is done after each move is written under `then`"),
        )
    return lacks


def _shape(node: Mapping, note: Note) -> list[str]:
    if "count" in node and "parts" not in node:
        _needs(node, "count", "parts", note)
    if "cards" in node:
        why = Text("写明了是哪几张牌，就没有别的大小", "a shape of named cards has no other size")
        for key in ("alike", "run", "within", "wings", "parts"):
            _apart(node, "cards", key, note, why)
        return []
    if "parts" not in node:
        return ["alike"] if "alike" not in node else []
    for key in ("alike", "run", "within", "wings", "power"):
        why = Text("由几部分组成的牌型，大小都在各部分里", "a shape made of parts takes its size from them")
        _apart(node, "parts", key, note, why)
    return []


def _move(node: Mapping, note: Note) -> list[str]:
    return ["pick"] if "pick" not in node and ("shapes" in node or "count" in node) else []


def _option(node: Mapping, note: Note) -> list[str]:
    default = node.get("default")
    if "range" in node and "choices" in node:
        _apart(
            node,
            "range",
            "choices",
            note,
            Text("数用 range，词用 choices", "numbers have a `range`, words have `choices`"),
        )
        return []
    if not isinstance(default, Scalar):
        return []
    value, choices, ends = default.value, node.get("choices"), node.get("range")
    if isinstance(value, bool):
        for key in ("range", "choices"):
            if key in node:
                _apart(node, "default", key, note, Text("真假值没有范围", "a yes or no has neither range nor choices"))
    elif isinstance(value, int):
        if "choices" in node:
            _apart(
                node, "default", "choices", note, Text("默认值要是其中一个词", "the default must be one of the words")
            )
        elif ends is None:
            return ["range"]
        elif isinstance(ends, Scalar) and isinstance(ends.value, str) and (found := read_range(ends.value)):
            low, high, step = found
            if low is not None and high is not None and low > high:
                return []  # said of the range itself
            off = step > 0 and low is not None and (value - low) % step
            if (low is not None and value < low) or (high is not None and value > high) or off:
                note(
                    "HW105",
                    default.span,
                    Text(f"默认值 {value} 不在 {ends.value} 里", f"the default {value} is not in {ends.value}"),
                )
    elif isinstance(value, str):
        if (meant := truth(value)) and "range" not in node and choices is None:
            note(
                "HW103",
                default.span,
                Text(f"“{clip(value)}”在这里写作 {meant}", f'"{clip(value)}" is written {meant} here'),
                help=(write(meant),),
            )
        elif "range" in node:
            note(
                "HW103",
                default.span,
                Text(f"默认值要是数，“{clip(value)}”不是", f'the default must be a number, and "{clip(value)}" is not'),
                help=(Text("写范围里的一个数", "write a number of the range"),),
            )
        elif choices is None:
            return ["choices"]
        elif isinstance(choices, Mapping) and value not in choices:
            names = [str(entry.key.value) for entry in choices if entry.key.value not in ("cite", "remove")]
            note(
                "HW104", default.span,
                Text(f"默认值“{clip(value)}”不在可选的词里：{'、'.join(names)}", f'the default "{clip(value)}" is not one of the words: {", ".join(names)}'),
                help=did_you_mean(titled(choices, value) or nearest(value, names)),
            )  # fmt: skip
    return []


def _ruleset(node: Mapping, note: Note) -> list[str]:
    return ["shapes"] if "shapes" not in node and any("shapes" in move for move in _moves(node)) else []


def _moves(root: Mapping) -> list[Mapping]:
    """Every move of a file."""
    holders = [root]
    phases = root.get("phases")
    if isinstance(phases, Mapping):
        holders += [entry.value for entry in phases if isinstance(entry.value, Mapping)]
    found = [holder.get("moves") for holder in holders]
    return [
        entry.value
        for moves in found
        if isinstance(moves, Mapping)
        for entry in moves
        if isinstance(entry.value, Mapping)
    ]


_RULES: dict[str, Callable[[Mapping, Note], list[str]]] = {
    "ruleset": _ruleset,
    "phase": _phase,
    "shape": _shape,
    "move": _move,
    "option": _option,
}


def _apart(node: Mapping, one: str, other: str, note: Note, why: Text) -> None:
    """Two keys that exclude each other, noted at the later one."""
    found = [entry for entry in node if entry.key.value in (one, other)]
    if len(found) == 2:
        first, last = found
        note("HW106", last.key.span, Text(
            f"“{last.key.value}”与“{first.key.value}”不能同时写：{why.zh}",
            f'"{last.key.value}" and "{first.key.value}" exclude each other: {why.en}',
        ), related=((Text("另一个在这里", "the other one is here"), first.key.span),))  # fmt: skip


def _needs(node: Mapping, key: str, other: str, note: Note) -> None:
    entry = node.entry(key)
    if entry is not None:
        note("HW106", entry.key.span, Text(
            f"“{key}”只能与“{other}”一起写", f'"{key}" only goes with "{other}"',
        ))  # fmt: skip


def looks_like_patch(section: str, node: Mapping, siblings: list[str], name: str, keys: list[str]) -> list[str]:
    """What makes an entry of an overlay, complete as it may be, look like a change of something else.

    ``keys`` are those of a row that say when it counts.
    """
    if section == "row" and keys and nearest(name, siblings) and not any(key in node for key in keys):
        return keys
    if section == "phase" and "next" not in node and "final" not in node:
        return ["next"]
    if (
        section == "move"
        and nearest(name, siblings)
        and not any(key in node for key in ("pick", "choose", "do", "quiet", "like"))
    ):
        return ["do"]
    return []


def plainly_dressed(node: Mapping) -> bool:
    """Whether a mapping is a dress, perhaps one that lost its value."""
    return is_dressed(node) or (bool(node.entries) and all(base_name(entry.key.value) in _PLAIN_KEYS for entry in node))

"""The operators of mutation testing: each makes one small fault at one place of a ruleset file.

Structural operators break how a file hangs together, as an editor's slip does; value operators change what it says.
The value operators leave wordings and citations alone, which are no rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

from hongwu_rules.language.words import FIELDS
from hongwu_rules.model.fields import base_name
from hongwu_rules.model.sections import ANYWHERE, LABELLED, SECTIONS, field_of
from hongwu_rules.source.nodes import Mapping, Scalar, Sequence
from mutations import Mutant, variants
from places import DEFINING, IDENTITY, KEYWORDS, TOKEN, File, Place

_CONDITIONS = frozenset({"that", "when", "who", "stop", "keep", "close_over", "across_lines", "distinct"})
_NUMBERS = frozenset({"measure", "power", "returns"})
_ORDERED = frozenset({"steps", "within", "runs_within", "parts"})  # rows of words in an order
_ASSIGNS = re.compile(r"\s*([^\W\d]\w*)\s*(?:\[[^\]]*\])?\s*=(?!=)")

Change = tuple[str, str | None]


def mutants_of(file: File, operator: str) -> Iterator[tuple[Place, Mutant]]:
    """Every mutant of one operator, in the order of the file."""
    seen = {file.text.text}
    for place in file.places:
        for change, text in OPERATORS[operator](file, place):
            if text is not None and text not in seen:
                seen.add(text)
                yield place, Mutant(place.line, operator, " ".join(change.split())[:160], text)


def _said(place: Place) -> str:
    return str(place.node.value) if isinstance(place.node, Scalar) else "…"


# ---------------------------------------------------------------------- structural


def misspelt(name: str, known: Iterable[str]) -> str:
    """A name with two letters exchanged, or one too many: never another known name.

    >>> misspelt("dealer", [])
    'deaelr'
    """
    middle = len(name) // 2
    for at in (middle, *range(1, len(name) - 1)):
        if at + 1 < len(name) and name[at] != name[at + 1]:
            found = name[:at] + name[at + 1] + name[at] + name[at + 2 :]
            if found not in known and not found[0].isdigit():
                return found
    found = name + name[-1]
    while found in known:
        found += name[-1]
    return found


def misspell(file: File, place: Place) -> Iterator[Change]:
    """A name written wrong: where it is used, where it is defined for others, or a key of the language."""
    if place.entry is not None:
        key = str(place.entry.key.value)
        name = base_name(key)
        if file.refers(place, name):
            wrong = misspelt(name, file.known)
            yield f"{name}: → {wrong}:", file.written(place.entry.key, wrong + key[len(name) :])
    if isinstance(place.node, Scalar) and place.key not in IDENTITY and isinstance(place.node.value, str):
        value = place.node.value
        for found in TOKEN.finditer(value):
            if found.group() not in KEYWORDS:
                wrong = misspelt(found.group(), file.known)
                new = value[: found.start()] + wrong + value[found.end() :]
                yield f"{found.group()} → {wrong} in {value}", file.written(place.node, new)


def drop_definition(file: File, place: Place) -> Iterator[Change]:
    """Something that other lines name, and that no file below defines."""
    section = place.section
    if section is None or section.name not in DEFINING or place.path in file.patched or place.entry is None:
        return
    name = base_name(str(place.entry.key.value))
    if name in section.fields or name in ANYWHERE:
        return
    if file.uses[name]:
        yield name, file.cut(place)


def drop_phase(file: File, place: Place) -> Iterator[Change]:
    """A phase that no file below has."""
    if place.section is not None and place.section.name == "phases" and place.path not in file.patched:
        yield place.key, file.cut(place)


def drop_last_transition(file: File, place: Place) -> Iterator[Change]:
    """The last of the ways out of a phase: its "otherwise"."""
    if place.section is None or place.section.name not in ("phase", "leave") or place.key != "next":
        return
    node = place.node.get("is") if isinstance(place.node, Mapping) else place.node
    if isinstance(node, Sequence):
        last = next(one for one in file.places if one.inside is node and one.node is node.items[-1])
        yield f"{place.path[-2]}: the last of {len(node.items)}", file.cut(last)
    else:
        yield f"{place.path[-2]}: the only one", file.cut(place)


def drop_required(file: File, place: Place) -> Iterator[Change]:
    """A key without which its section is not complete."""
    if place.section is None or place.entry is None or place.path in file.patched:
        return
    found = place.section.fields.get(place.key)
    if found is not None and found.required and place.key != "hongwu" and len(place.path) > 0:
        if place.section.name == "dress" and place.above is not None and place.above.path in file.patched:
            return
        text = file.cut(place)
        if len(file.siblings(place)) > 1:
            yield ".".join(place.path[-2:]), text


def double_key(file: File, place: Place) -> Iterator[Change]:
    """A key written twice."""
    if place.entry is not None:
        yield place.key, file.doubled(place)


def other_type(file: File, place: Place) -> Iterator[Change]:
    """A number for a condition or a text, a yes for a number, a number for a list or a section."""
    if place.key == "cite":
        return
    node, found = place.node, place.found
    if isinstance(node, Mapping) and "is" in node and place.found is not None and place.found.dress:
        return  # the value itself comes in its turn
    start, end = file.bounds(node)
    if not isinstance(node, Scalar):
        new = "7"
    elif isinstance(node.value, bool):
        new = "maybe"
    elif isinstance(node.value, int):
        new = "[7]" if found is not None and "text" not in found.accepts else "true"
    elif place.rule in _NUMBERS or file.defines.get(base_name(place.rule), "bool") != "bool":
        new = "true"
    elif place.named_in in ("row", "gives"):
        new = "[7]"
    elif found is not None and {"int", "text"} <= found.accepts and place.rule not in _CONDITIONS:
        new = "true" if "bool" not in found.accepts or place.rule in ("first", "seat") else "[7]"
    else:
        new = "7"
    yield f"{place.rule}: {_said(place)} → {new}", file.put(start, end, new)


def unset_slot(file: File, place: Place) -> Iterator[Change]:
    """A step that gives a slot of the memory a value (one that counts it up or down is only dropped, as a value)."""
    step = _step(place)
    if step is None or place.path in file.patched:
        return
    found = _ASSIGNS.match(_said(step[1]))
    if found and found.group(1) in file.text.ruleset.memory:
        yield _said(step[1]), file.cut(step[0])


def drop_row(file: File, place: Place) -> Iterator[Change]:
    """A row of a table."""
    if place.section is not None and place.section.name == "rows" and place.path not in file.patched:
        yield place.key, file.cut(place)


def _step(place: Place) -> tuple[Place, Place] | None:
    """A step as (the whole, its text)."""
    found = place.found
    if found is None or found.section != "step" or place.key == "is":
        return None
    if isinstance(place.node, Scalar):
        return place, place
    entry = place.node.entry("do") if isinstance(place.node, Mapping) else None
    if entry is None or not isinstance(entry.value, Scalar) or not isinstance(place.node, Mapping):
        return None
    return place, Place((*place.path, "do"), entry.value, entry, None, SECTIONS["step"], place, place.node)


# ---------------------------------------------------------------------- value


def _of_value(file: File, place: Place, *operators: str) -> Iterator[Change]:
    """The changes of `mutations.variants` to a value that is no wording and no name of the file."""
    if not isinstance(place.node, Scalar) or place.key in IDENTITY or place.rule in ("extends", "before", "after"):
        return
    value = place.node.value
    text = "true" if value is True else "false" if value is False else str(value)
    for operator, new in variants(text, file.text.pools):
        if operator in operators and new.strip():
            start, end = file.text.offsets(place.node.span)
            bare = place.node.style == "plain" and re.fullmatch(r"-?\d+|true|false", new)
            yield f"{text} → {new}", file.put(start, end, new) if bare else file.written(place.node, new)


def one_step(file: File, place: Place) -> Iterator[Change]:
    """A number one higher or one lower."""
    if place.rule != "remove":
        yield from _of_value(file, place, "number ± 1")


def flip(file: File, place: Place) -> Iterator[Change]:
    """A comparison the other way."""
    yield from _of_value(file, place, "flip comparison")


def negate(file: File, place: Place) -> Iterator[Change]:
    """A condition that holds when it did not."""
    if not isinstance(place.node, Scalar) or place.key in IDENTITY:
        return
    value, text = place.node.value, _said(place)
    if isinstance(value, bool):
        yield f"{text} → {not value}", file.written(place.node, "false" if value else "true")
        return
    yes = place.rule in _CONDITIONS and place.named_in not in ("option", "row")
    yes |= place.named_in == "lines" and re.search(r"[=<>(]| in ", text) is not None
    yes |= place.named_in == "define" and file.defines.get(base_name(place.rule)) == "bool"
    if yes and place.named_in != "given":
        cond, mark, ranks = text.partition(" by ")
        yield text, file.written(place.node, f"not ({cond}){mark}{ranks}")
    elif " when " in text:
        head, _, guard = text.partition(" when ")
        yield text, file.written(place.node, f"{head} when not ({guard})")
    for found in re.finditer(r"(seen|counted) by (.*?)(?= counted by |$)", text):
        who = found.group(2)
        new = {"all": "nobody", "nobody": "all"}.get(who, f"not ({who})")
        yield text, file.written(place.node, text[: found.start(2)] + new + text[found.end(2) :])


def swap_neighbours(file: File, place: Place) -> Iterator[Change]:
    """Two neighbours of an order, a ladder, a table, or a row of words that is read in its order."""
    ordered = place.rule in _ORDERED or place.named_in in ("lines", "kinds") or place.path[:1] == ("order",)
    if ordered and place.named_in not in ("move", "phase"):
        yield from _of_value(file, place, "swap neighbours")
    if place.section is not None and place.section.name in ("lines", "rows", "kind", "order"):
        inside = place.inside.entries if isinstance(place.inside, Mapping) else ()
        entries = [e for e in inside if e.key.value not in place.section.fields]
        entries = [e for e in entries if e.key.value not in ("cite", "remove", "zh", "en")]
        for one, two in pairwise(entries):
            if one is place.entry:
                other = next(p for p in file.places if p.entry is two)
                yield f"{one.key.value} {two.key.value}", file.swapped(place, other)


def drop_line(file: File, place: Place) -> Iterator[Change]:
    """A line of an order, or one of the ranks on it."""
    if place.path[:1] != ("order",):
        return
    if place.section is not None and place.section.name in ("lines", "order") and place.key not in ("runs", "cite"):
        yield place.key, file.cut(place)
    if "runs" not in place.path:
        yield from _of_value(file, place, "drop word")


def swap_name(file: File, place: Place) -> Iterator[Change]:
    """Another name of the same kind: of the nearest two."""
    if not isinstance(place.node, Scalar) or place.key in IDENTITY or not isinstance(place.node.value, str):
        return
    if place.rule in ("extends", "before", "after", "remove") or "next" in place.path[-3:]:
        return
    value = place.node.value
    for found in TOKEN.finditer(value):
        name, field = found.group(), value[: found.start()].endswith(".")
        others = _fields_like(name) if field else file.text.pools.get(name, ())
        for other in others[:2]:
            new = value[: found.start()] + other + value[found.end() :]
            yield f"{value} → {new}", file.written(place.node, new)


def _fields_like(name: str) -> tuple[str, ...]:
    """The fields of the same type that a value with this field has."""
    return tuple(
        other
        for fields in FIELDS.values()
        if name in fields
        for other, kind in fields.items()
        if other != name and kind.rstrip("?") == fields[name].rstrip("?")
    )


def retarget(file: File, place: Place) -> Iterator[Change]:
    """A transition to one of the two nearest other phases."""
    if not isinstance(place.node, Scalar) or not ({"next", "start"} & set(place.path[-3:])) or place.key == "cite":
        return
    value = _said(place)
    target = value.split(" when ")[0].strip()
    for other in file.text.pools.get(target, ())[:2]:
        if target in file.text.ruleset.phases and other in file.text.ruleset.phases:
            yield f"{value} → {other}", file.written(place.node, other + value[len(target) :])


def drop_guarded(file: File, place: Place) -> Iterator[Change]:
    """A transition under a condition."""
    if place.entry is None and place.above is not None and "next" in place.above.path[-2:]:
        node = place.node.get("is") if isinstance(place.node, Mapping) else place.node
        if isinstance(node, Scalar) and " when " in str(node.value):
            yield str(node.value), file.cut(place)


def drop_clause(file: File, place: Place) -> Iterator[Change]:
    """A reason why a move may be illegal."""
    if place.section is not None and place.section.name == "require" and place.key != "cite":
        yield place.key, file.cut(place)


def drop_optional(file: File, place: Place) -> Iterator[Change]:
    """A key that may be missing, a change to what a file below says, or the condition of a step."""
    if isinstance(place.node, Scalar) and " when " in _said(place) and "next" not in place.path[-3:]:
        value = _said(place)
        yield f"without the condition: {value}", file.written(place.node, value.partition(" when ")[0])
    section = place.section
    if section is None or place.entry is None or place.key in ("cite", "next", "name", "source", "title"):
        return
    named = place.key not in section.fields and place.key not in ANYWHERE and place.key not in LABELLED
    if named:
        if place.path in file.patched and section.name not in ("require", "rows", "lines", "steps"):
            yield ".".join(place.path), file.cut(place)
        return
    found = field_of(section, place.key)
    if found is not None and (not found.required or place.path in file.patched):
        if place.key in ("zh", "en") and place.path in file.patched:
            return
        yield ".".join(place.path[-3:]), file.cut(place)


def drop_step(file: File, place: Place) -> Iterator[Change]:
    """A step."""
    step = _step(place)
    if step is not None:
        yield _said(step[1]), file.cut(step[0])
    elif place.section is not None and place.section.name == "steps" and place.key != "cite":
        yield place.key, file.cut(place)


Operator = Callable[[File, Place], Iterator[Change]]

STRUCTURAL: dict[str, Operator] = {
    "misspell a name": misspell,
    "drop a definition that is used": drop_definition,
    "drop a phase": drop_phase,
    "drop the last transition of a phase": drop_last_transition,
    "drop a required key": drop_required,
    "double a key": double_key,
    "give a value of another type": other_type,
    "unset a memory slot's assignment": unset_slot,
    "drop a table row": drop_row,
}
VALUE: dict[str, Operator] = {
    "± one step": one_step,
    "flip a comparison": flip,
    "negate a condition": negate,
    "swap neighbours": swap_neighbours,
    "drop an order line": drop_line,
    "swap a name": swap_name,
    "retarget a transition": retarget,
    "drop a guarded transition": drop_guarded,
    "drop a clause": drop_clause,
    "drop an optional key": drop_optional,
    "drop a step": drop_step,
}
OPERATORS: dict[str, Operator] = STRUCTURAL | VALUE

"""The shape of a ruleset file: known keys, required keys, values of the right kind and size.

The only module that imports cerberus. Each section is checked by itself with a flat validator that
is built once; Cerberus sees neither the tree nor positions, and never recurses.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

try:
    from cerberus import TypeDefinition, Validator
    from cerberus.errors import BaseErrorHandler, ValidationError
    from cerberus.schema import UnvalidatedSchema
except RuntimeError as error:  # pragma: no cover - Cerberus refuses to be imported by `python -OO`
    raise ImportError(
        "rulesets cannot be checked under `python -OO`: Cerberus does not run there; use `python` or `python -O`"
    ) from error

from ..diagnostics import Findings, Related, Span, Text
from ..diagnostics.nearest import nearest
from ..diagnostics.slips import WORDS as SAID_SO
from ..model.fields import Field, Section, is_dressed
from ..model.sections import ANYWHERE, FORMAT, KEYS, LABELLED, SECTIONS, field_of
from ..overlay.layers import wrong_format
from ..overlay.merge import FILL, Removed, empty_section
from ..overlay.patches import did_you_mean, first_line
from ..source import nodes
from ..source.nodes import Entry, Node, Scalar
from .completeness import lacks_of, looks_like_patch, plainly_dressed
from .meant import looks_like, meant
from .say import bad_name, clip, in_a_list, is_name, is_word, of_form, out_of_range, wrong_kind

__all__ = ["KEYS", "validate"]

LIMIT = 100
_DRESS = SECTIONS["dress"]
_TYPES = {
    "text": TypeDefinition("text", (str,), ()),
    "int": TypeDefinition("int", (int,), (bool,)),
    "bool": TypeDefinition("bool", (bool,), ()),
    "list": TypeDefinition("list", (nodes.Sequence,), ()),
    "map": TypeDefinition("map", (nodes.Mapping,), ()),
}
_KEY = Field(Text("合得上的值", "what fits"), frozenset({"text", "int", "bool"}), dress=True, form="cell")
_LATER = replace(_KEY)  # in a table where several rows may fit
_YIELD = Field(Text("查出来的数", "what the row yields"), frozenset({"text", "int", "bool"}), dress=True)
_STEP_PLACES = frozenset({"before", "after"})
Help = tuple[Text, ...] | Callable[[], tuple[Text, ...]]


class _Validator(Validator):  # type: ignore[misc]
    types_mapping = {**Validator.types_mapping, **_TYPES}  # noqa: RUF012 - Cerberus reads it from the class


class _Handler(BaseErrorHandler):  # type: ignore[misc]
    """Keeps the errors of one run as they come."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[ValidationError] = []

    def start(self, validator: Any) -> None:
        self.found = []

    def emit(self, error: Any) -> None:
        self.found.append(error)

    def __call__(self, errors: Any) -> list[Any]:
        return list(errors)


def _rules(found: Field) -> dict[str, Any]:
    """A field in Cerberus's words. It skips a rule that does not fit the type in silence, hence always `type`."""
    rules: dict[str, Any] = {"type": sorted(found.accepts), "required": found.required}
    if found.choices and not found.or_option and "list" not in found.accepts:
        rules["allowed"] = list(found.choices)
    if found.low is not None:
        rules["min"] = found.low
    if found.high is not None:
        rules["max"] = found.high
    return rules


def rules_of(fields: Mapping[str, Field]) -> dict[str, dict[str, Any]]:
    """The rules of Cerberus for the keys of a section."""
    return {name: _rules(found) for name, found in fields.items()}


class _Validators(threading.local):
    """One validator for all sections and entries of the same rules, in each thread: it keeps the state of its run."""

    def __init__(self) -> None:
        self.made: dict[object, Any] = {}
        self.alike: dict[str, Any] = {}  # by the rules: half of the sections share theirs with another

    def of(self, key: object, fields: Mapping[str, Field]) -> Any:
        if key not in self.made:
            rules = rules_of(fields)
            text = repr(rules)
            if text not in self.alike:
                # that Cerberus accepts the rules is tested once and for all, as it takes longer than a ruleset
                self.alike[text] = _Validator(UnvalidatedSchema(rules), error_handler=_Handler)
            self.made[key] = self.alike[text]
        return self.made[key]


_VALIDATORS = _Validators()


def validate(
    root: nodes.Mapping,
    findings: Findings,
    *,
    overlay_files: frozenset[str] = frozenset(),
    complete: bool = True,
    removed: Sequence[Removed] = (),
    limit: int = LIMIT,
) -> int:
    """Check the shape of a whole ruleset, after ``extends`` and overlays were applied.

    ``overlay_files``, ``complete`` and ``removed`` are those of `overlay.Loaded`. At most ``limit``
    findings are added, the first by place; the answer is how many more there were.

    >>> from hongwu_rules.source.reader import parse
    >>> findings = Findings()
    >>> _, root = parse("x.yaml", b"hongwu: 1\\nabstract: true\\ndekc: {packs: 2}", findings)
    >>> validate(root, findings)
    0
    >>> findings.items[0].code, findings.items[0].span.line, findings.items[0].help[0].en
    ('HW101', 3, 'did you mean `deck`?')
    """
    check = _Check(root, overlay_files, complete, removed)
    version = root.get("hongwu")
    if isinstance(version, Scalar) and type(version.value) is int and version.value != FORMAT:
        known = {(item.code, item.span) for item in findings.items}
        if ("HW107", version.span) not in known:
            wrong_format(findings, version)
    top = root.entries[0].key if root.entries else Scalar("", first_line(root.span))
    check.section(root, SECTIONS["ruleset"], top)
    check.lost_extends(root, top, findings)
    return check.report(findings, limit)


class _Check:
    """One walk over a tree."""

    def __init__(
        self, root: nodes.Mapping, overlay_files: frozenset[str], complete: bool, removed: Sequence[Removed]
    ) -> None:
        self.overlay_files, self.complete, self.removed = overlay_files, complete, removed
        abstract, options = root.get("abstract"), root.get("options")
        self.abstract = isinstance(abstract, Scalar) and abstract.value is True
        # Under a misspelt key they are options all the same: that key is the fault.
        options = options or next((e.value for e in root if looks_like(str(e.key.value), "options")), None)
        self.options = {entry.key.value for entry in options} if isinstance(options, nodes.Mapping) else set()
        self.lacks: list[str] = []  # the sections that the ruleset lacks
        self.halves = 0  # entries that are not whole
        self.row: Section | None = None  # what the rows of the table at hand look like
        self.faults: list[tuple[str, Span, Text, tuple[Related, ...], Help]] = []

    def note(
        self, code: str, span: Span, text: Text, help: Help = (), related: Sequence[tuple[Text, Span]] = ()
    ) -> None:
        self.faults.append((code, span, text, tuple(Related(*item) for item in related), help))

    def report(self, findings: Findings, limit: int) -> int:
        """Write the first faults by place; how many were left out."""
        self.faults.sort(key=lambda fault: (fault[1].file, fault[1].line, fault[1].column, fault[0]))
        left = max(0, len(self.faults) - limit)
        for i, (code, span, text, related, given) in enumerate(self.faults[:limit]):
            hints = given() if callable(given) else given
            if left and i == limit - 1:
                hints = (
                    *hints,
                    Text(f"这样的毛病还有 {left} 处，没有列出", f"{left} more faults like this are not listed"),
                )
            findings.add(code, span, *text, related=related, help=hints)
        return left

    # ------------------------------------------------------------------ one section

    def section(
        self,
        node: nodes.Mapping,
        section: Section,
        key: Scalar,
        *,
        among: nodes.Mapping | None = None,
        in_list: bool = False,
    ) -> None:
        """Check one mapping. ``among`` is the mapping whose entry it is, ``key`` the key it stands under."""
        if section.name == "table":
            self.row = _row_section(node)
        document: dict[str, Any] = {}
        known: dict[str, tuple[Entry, Field]] = {}
        bad: set[int] = set()
        strange: list[str] = []
        entries: list[tuple[Entry, Field, bool]] = []
        for entry in node:
            name = entry.key.value
            if isinstance(name, int) and not isinstance(name, bool) and section.names == "card":
                name = str(name)
            found = field_of(section, name) if isinstance(name, str) else None
            if not isinstance(name, str) and section.entry is not None:
                said = bad_name(name, section.names)
                self.note(said[0], entry.key.span, *said[1:])
            elif found is None or not isinstance(name, str) or (in_list and name in _STEP_PLACES):
                self.unknown(entry, section, in_list=in_list)
                strange.append(str(name))
            elif found is section.entry:
                if not is_name(name, section.names):
                    said = bad_name(name, section.names)
                    self.note(said[0], entry.key.span, *said[1:])
                entries.append((entry, found, True))
            else:
                entries.append((entry, found, False))
                if not self._lost_value(entry.value, found):
                    document[name] = _payload(entry.value, found)
                known[name] = (entry, found)
        lacks = self._fixed(document, known, section, bad)
        for entry, found, named in entries:
            if (
                named
                and not self._lost_value(entry.value, found)
                and not self.one(entry.key, entry.value, found, section.name)
            ):
                bad.add(id(entry))
        lacks += [name for name in lacks_of(section.name, node, self.note) if name not in lacks]
        lacks = [name for name in lacks if not any(looks_like(other, name) for other in strange)]  # one fault, not two
        self.missing(lacks, node, section, key, among)
        for entry, found, named in entries:
            if id(entry) not in bad:
                self.inside(entry.key, entry.value, found, node if named else None)

    def _fixed(
        self, document: dict[str, Any], known: dict[str, tuple[Entry, Field]], section: Section, bad: set[int]
    ) -> list[str]:
        """Check the keys with a fixed meaning; the required keys that are missing."""
        fields = {**section.fields, **ANYWHERE, **(LABELLED if section.label else {})}
        cache = (section.name, tuple(section.fields)) if section.name == "row" else section.name
        validator = _VALIDATORS.of(cache, fields)
        validator.validate(document, normalize=False)
        lacks = []
        for fault in validator.error_handler.found:
            name = str(fault.document_path[-1])
            if fault.rule == "required":
                if name not in known:
                    lacks.append(name)
            else:
                entry, found = known[name]
                bad.add(id(entry))
                self.fault(fault.rule, entry.key, entry.value, found)
        for entry, found in known.values():
            if id(entry) not in bad and not self.form(entry.key, entry.value, found):
                bad.add(id(entry))
        order = list(section.fields)
        return sorted(lacks, key=order.index)

    def one(self, key: Scalar, value: Node, found: Field, where: str) -> bool:
        """Check one entry or list item; whether it is sound."""
        validator = _VALIDATORS.of(("one", where, found.about), {"entry": found})
        validator.validate({"entry": _payload(value, found)}, normalize=False)
        for fault in validator.error_handler.found:
            self.fault(fault.rule, key, value, found)
            return False
        return self.form(key, value, found)

    def inside(self, key: Scalar, value: Node, found: Field, among: nodes.Mapping | None) -> None:
        """Go on to what a sound value holds."""
        if isinstance(value, nodes.Mapping):
            dress = found.dress and (is_dressed(value) or self._lost_value(value, found))
            section = _DRESS if dress else self.row if found.section == "row" else SECTIONS.get(found.section)
            if section is not None:
                self.section(value, section, key, among=among)
            if dress and isinstance(inner := value.get("is"), nodes.Sequence):
                self.items(inner, found)
        elif isinstance(value, nodes.Sequence):
            self.items(value, found)

    def items(self, value: nodes.Sequence, found: Field) -> None:
        if found.items is None:
            return
        for item in value.items:
            key = Scalar(found.items.about.en, first_line(item.span))
            if not self.one(key, item, found.items, "item"):
                continue
            if isinstance(item, nodes.Mapping):
                dress = found.items.dress and is_dressed(item)
                section = _DRESS if dress else SECTIONS.get(found.items.section)
                if section is not None:
                    self.section(item, section, Scalar(section.about.en, first_line(item.span)), in_list=True)

    @staticmethod
    def _lost_value(value: Node, found: Field) -> bool:
        """A dress without its value: ``{cite: D1}`` where a scalar belongs."""
        return (
            found.dress
            and not found.section
            and isinstance(value, nodes.Mapping)
            and not is_dressed(value)
            and plainly_dressed(value)
        )

    # ------------------------------------------------------------------ faults

    def fault(self, rule: str, key: Scalar, value: Node, found: Field) -> None:
        """What Cerberus found wrong with one value, in words."""
        inner = _bare(value, found)
        name = clip(key.value)
        if isinstance(inner, Scalar) and inner.value is None:
            code, span, zh, en = empty_section(key)
            self.note(code, span, Text(zh, en), (FILL,))
        elif rule == "type":
            code, text, hints = wrong_kind(name, inner, found)
            text = in_a_list(text, name, found)
            # A list or section may be long: what does not belong there is shown by its key.
            self.note(code, inner.span if isinstance(inner, Scalar) else key.span, text, hints)
        elif rule == "allowed" and isinstance(inner, Scalar):
            self.choice(name, inner, found.choices)
        elif rule in ("min", "max") and isinstance(inner, Scalar):
            code, text, hints = out_of_range(name, inner.value, found)
            self.note(code, inner.span, text, hints)

    def form(self, key: Scalar, value: Node, found: Field) -> bool:
        """What Cerberus cannot see: texts of a certain form, options in place of words, empty sections."""
        inner = _bare(value, found)
        if (
            found.filled
            and isinstance(inner, nodes.Mapping | nodes.Sequence)
            and not (inner.entries if isinstance(inner, nodes.Mapping) else inner.items)
        ):
            code, span, zh, en = empty_section(key)
            self.note(code, span, Text(zh, en), (FILL,))
            return False
        if not isinstance(inner, Scalar) or not isinstance(inner.value, str):
            return True
        if (
            found.or_option
            and is_word(inner.value)
            and inner.value not in found.choices
            and inner.value not in self.options
        ):
            self.choice(clip(key.value), inner, (*found.choices, *map(str, self.options)), found.choices)
            return False
        if found.choices and "list" in found.accepts and inner.value not in found.choices:
            self.choice(clip(key.value), inner, found.choices, (*found.choices, "[[0, 2], [1, 3]]"))
            return False
        said = of_form(found, clip(key.value), inner.value)
        if said is not None:
            self.note(said[0], inner.span, *said[1:])
        return said is None

    def choice(self, name: str, value: Scalar, words: tuple[str, ...], shown: tuple[str, ...] = ()) -> None:
        names = shown or words
        self.note(
            "HW104", value.span,
            Text(f"“{name}”只能是 {'、'.join(names)}，不能是“{clip(value.value)}”", f'"{name}" is one of {", ".join(names)}, not "{clip(value.value)}"'),
            lambda: did_you_mean(near if (near := SAID_SO.get(str(value.value))) in words else nearest(str(value.value), words)),
        )  # fmt: skip

    def unknown(self, entry: Entry, section: Section, *, in_list: bool = False) -> None:
        """A key that means nothing where it stands."""
        key = str(entry.key.value)
        shown = clip("null" if entry.key.value is None else entry.key.value)
        if in_list and key in _STEP_PLACES:
            self.note(
                "HW101", entry.key.span,
                Text(f"“{key}”只能写在有标签的步骤里", f'"{key}" only goes with steps that have labels'),
                (Text("给每一步一个名字，去掉“-”", "give every step a name instead of the dash"),),
            )  # fmt: skip
            return
        what = section.about
        self.note(
            "HW101",
            entry.key.span,
            Text(f"{what.zh}里没有“{shown}”这个键", f'"{shown}" means nothing in {what.en}'),
            lambda: meant(key, section, self.options),
        )

    def missing(
        self, lacks: list[str], node: nodes.Mapping, section: Section, key: Scalar, among: nodes.Mapping | None
    ) -> None:
        """Required keys that are not there; in an overlay, perhaps a change of something that is not there."""
        if not self.complete or (self.abstract and not section.label and section.name != "title"):
            return
        half_worded = len(lacks) == 1 and {*lacks} ^ {"zh", "en"} <= {str(entry.key.value) for entry in node}
        if key.span.file in self.overlay_files and section.label and not half_worded:
            others = [str(entry.key.value) for entry in among or () if entry.key.span.file != key.span.file]
            if others:
                keys = [name for name, found in section.fields.items() if found is _KEY]
                gone = [item.name for item in self.removed]
                lacks = lacks or looks_like_patch(section.name, node, [*others, *gone], str(key.value), keys)
                if lacks:
                    self.nothing_to_change(key, section, others, lacks)
                return
        if not lacks:
            return
        if section.name == "ruleset":
            self.lacks = lacks
            lacks = [name for name in lacks if not self.taken_out(name)]
            if not lacks:
                return
        self.halves += section.label
        names, words = "、".join(lacks), ", ".join(f"`{name}`" for name in lacks)
        hints = tuple(
            Text(f"{name}：{found.about.zh}", f"{name}: {found.about.en}")
            for name in lacks
            if (found := section.fields.get(name))
        )
        where = (
            Text("这份规则", "this ruleset")
            if section.name == "ruleset"
            else Text(f"“{clip(key.value)}”", f'"{clip(key.value)}"')
        )
        self.note("HW102", key.span, Text(f"{where.zh}缺了 {names}", f"{where.en} lacks {words}"), hints)

    def taken_out(self, name: str) -> bool:
        """Say that a section was removed that every ruleset needs, if it was; true then."""
        gone = next((item for item in self.removed if item.path == (name,)), None)
        if gone is not None:
            hint = Text(f"不要删去 {name}，写上要改的地方", f"do not remove {name}; write what is to change in it")
            zh, en = f"每份规则都要有 {name}，不能删去", f"every ruleset needs {name}, so it cannot be removed"
            self.note("HW102", gone.span, Text(zh, en), (hint,))
        return gone is not None

    def lost_extends(self, root: nodes.Mapping, top: Scalar, findings: Findings) -> None:
        """A file of changes without the line that says what it changes: that one fault in place of all that follow."""
        file = top.span.file
        strays = [item for item in findings.items if item.code == "HW702" and item.span.file == file]
        if "extends" in root or file in self.overlay_files or len(self.lacks) < 2 or self.halves + len(strays) < 2:
            return
        findings.items[:] = [item for item in findings.items if item not in strays]
        self.faults.clear()
        zh, en = "这份规则只写了改动，却没有 extends", "this ruleset holds only changes, and lacks `extends`"
        hint = Text("写明在哪份规则上改，如 extends: hearts.yaml", "say what it changes, as in extends: hearts.yaml")
        self.note("HW102", top.span, Text(zh, en), (hint,))

    def nothing_to_change(self, key: Scalar, section: Section, others: list[str], lacks: list[str]) -> None:
        name, words = str(key.value), ", ".join(f"`{item}`" for item in lacks)
        gone = [item for item in self.removed if item.name == name]
        if gone:
            hint = Text(
                "不要既删去又改：去掉 remove 里的这一项", "do not remove and change it: take it out of `remove`"
            )
            zh, en = f"“{clip(name)}”已删去，这里又要改它", f'"{clip(name)}" was removed, and this line changes it'
            self.note("HW702", key.span, Text(zh, en), (hint,), [(Text("在这里删去的", "removed here"), gone[0].span)])
            return
        self.note(
            "HW702", key.span,
            Text(
                f"所依的规则里没有“{clip(name)}”可改；要是新加的{section.about.zh}，又缺了 {'、'.join(lacks)}",
                f'the ruleset below has no "{clip(name)}" to change; as something new, it lacks {words}',
            ),
            lambda: did_you_mean(nearest(name, others)),
        )  # fmt: skip


# ---------------------------------------------------------------------- small things


def _bare(value: Node, found: Field) -> Node:
    """A value without its dress."""
    inner = value.get("is") if found.dress and isinstance(value, nodes.Mapping) else None
    return value if inner is None else inner


def _payload(value: Node, found: Field) -> Any:
    """What Cerberus sees: plain scalars; lists and mappings as they are, never looked into."""
    inner = _bare(value, found)
    return inner.value if isinstance(inner, Scalar) else inner


def _row_section(table: nodes.Mapping) -> Section | None:
    """The keys of a table's rows: its inputs and outputs. None if the table itself is not sound."""
    given, gives = table.get("given"), table.get("gives")
    if not isinstance(given, nodes.Mapping) or not isinstance(gives, nodes.Mapping):
        return None
    hit = table.get("hit")
    key = _KEY if hit is None or (isinstance(hit, Scalar) and hit.value == "unique") else _LATER
    fields = {
        entry.key.value: found
        for part, found in ((given, key), (gives, _YIELD))
        for entry in part
        if isinstance(entry.key.value, str) and entry.key.value not in ANYWHERE
    }
    return Section("row", SECTIONS["row"].about, fields, label=True)

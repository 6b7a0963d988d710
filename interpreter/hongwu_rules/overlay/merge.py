"""Laying one ruleset over another: merging, removing, placing and copying, every value with its own place."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ..diagnostics import Findings, Related, Span, Text
from ..diagnostics.nearest import nearest
from ..diagnostics.slips import truth
from ..model.fields import Field, Section, base_name, is_dressed
from ..model.sections import SECTIONS, field_of
from ..source.nodes import Entry, Mapping, Node, Scalar, Sequence, plain
from .patches import (  # fmt: skip
    IDENTITY,
    ROOT,
    STEP,
    Path,
    as_step,
    did_you_mean,
    find_entry,
    first_line,
    is_removal,
    placed_by,
    removals,
    section_of,
    split_path,
    with_entry,
    with_value,
)

DRESS = SECTIONS["dress"]
_DRESS_KEYS = frozenset(DRESS.fields) | {"cite", "before", "after"}


@dataclass(frozen=True, slots=True)
class Removed:
    """Something that an overlay took out. ``kind`` is the section it stood in (``phases``, ``slots``, ``define`` …)."""

    name: str
    kind: str
    path: Path
    span: Span  # the item of `remove`
    was: Span  # where it had been written


FILL = Text("在下面缩进写上内容，或删去这一行", "write something below it, further to the right, or remove the line")


def empty_section(key: Scalar) -> tuple[str, Span, str, str]:
    """The finding for a key with nothing behind it."""
    return "HW103", key.span, f"“{key.value}”这一节是空的", f'the section "{key.value}" is empty'


@dataclass(slots=True)
class Merger:
    """Lays files over each other and notes what goes wrong, what changed and what was removed."""

    findings: Findings
    removed: list[Removed] = field(default_factory=list)
    changes: int = 0
    forgiving: frozenset[str] = frozenset()  # files laid side by side: removing the same thing twice is no fault

    def lay(self, below: Mapping, above: Mapping) -> Mapping:
        """``below`` with everything that ``above`` says laid over it."""
        return self._merge(below, above, ROOT, ())

    # ------------------------------------------------------------------ merging

    def _merge(self, below: Mapping, above: Mapping, section: Section | None, path: Path) -> Mapping:
        base, kept = below, []
        for entry in above:
            if is_removal(section, entry):
                base, left = self._remove_all(base, entry, section, path, copies="like" in below or "like" in above)
                kept += left
        entries = {base_name(entry.key.value): entry for entry in base}
        places: list[tuple[str, str, Scalar]] = []
        for entry in above:
            key = str(entry.key.value)
            if is_removal(section, entry) or (section is not None and section.label and key in ("before", "after")):
                continue
            found = field_of(section, key) if section is not None else None
            name = base_name(key)
            old = entries.get(name)
            changes = self.changes
            value = self._value(old.value if old else None, entry, found, (*path, name))
            if section is ROOT and key in IDENTITY:
                self.changes = changes  # another name is no other game
            elif old is None or repr(plain(old.value)) != repr(plain(value)):  # 1 is not true
                self.changes += 1
            # A patched mapping stays where its parent wrote it; a replaced value is the overlay's own.
            patched = old is not None and (
                value is old.value or (isinstance(value, Mapping) and not _says_all(entry.value))
            )
            entries[name] = Entry(old.key if old is not None and patched else entry.key, value)
            wishes = [
                (name, where, at) for where in ("before", "after") if (at := placed_by(entry.value, where, found))
            ]
            places += wishes[:1]
            if len(wishes) > 1:
                self.findings.add(
                    "HW106", wishes[1][2].span, "before 与 after 只能写一个", "write `before` or `after`, not both"
                )
        if kept:
            old = entries.get("remove")
            more = old.value.items if old and isinstance(old.value, Sequence) else ()
            entries["remove"] = Entry(Scalar("remove", kept[0].span, "remove"), Sequence((*more, *kept), kept[0].span))
        order = list(entries.values())
        self._place(order, places)
        return Mapping(tuple(order), below.span if below.entries else above.span, below.flow and above.flow)

    def _value(self, old: Node | None, entry: Entry, found: Field | None, path: Path) -> Node:
        new = entry.value
        if old is None:
            section = section_of(new, found)
            if isinstance(new, Mapping) and section is not None:
                return self._merge(Mapping((), new.span, new.flow), new, section, path)
            return new
        if isinstance(new, Scalar) and new.value is None and isinstance(old, Mapping):
            self.findings.add(*empty_section(entry.key), related=(_written(old.span),), help=(FILL,))
            return old
        if found is not None and found.section == "step" and (isinstance(old, Mapping) or isinstance(new, Mapping)):
            if isinstance(new, Scalar) and isinstance(old, Mapping):
                old = Mapping(
                    tuple(item for item in old if item.key.value not in ("do", "for", "when")), old.span, old.flow
                )
            old, new = as_step(old), as_step(new)
            if isinstance(old, Mapping) and isinstance(new, Mapping):
                return self._merge(old, new, STEP, path)
        if found is not None and found.dress:
            bare = not isinstance(old, Mapping) or is_dressed(old)
            dress = isinstance(new, Mapping) and (is_dressed(new) or (bare and _only_dress(new)))
            if bare and (dress or (is_dressed(old) and not isinstance(new, Mapping))):
                return self._merge(_clothe(old), _clothe(new), DRESS, path)
            if dress or is_dressed(old):
                return self._clash(old, entry, path)
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            return self._merge(old, new, section_of(new, found), path)
        if isinstance(old, Mapping) or isinstance(new, Mapping):
            return self._clash(old, entry, path)
        return new

    def _clash(self, old: Node, entry: Entry, path: Path) -> Node:
        """Two things that are not alike: a fault, and the old one stays."""
        was, now = _kind(old), _kind(entry.value)
        self.findings.add(
            "HW703",
            first_line(entry.value.span) if isinstance(entry.value, Scalar) else entry.key.span,
            f"“{entry.key.value}”原来是{was.zh}，这里改成了{now.zh}",
            f'"{entry.key.value}" is {was.en} in the ruleset below, and {now.en} here',
            related=(_written(old.span),),
            help=(self._instead(old, entry, path),),
        )
        self.changes += 1
        return old

    def _instead(self, old: Node, entry: Entry, path: Path) -> Text:
        """What to write in place of something of another kind."""
        name, value = ".".join(path), entry.value
        if isinstance(value, Scalar) and isinstance(old, Mapping):
            written = value.text or str(value.value)
            if "default" in old:
                default = old.get("default")
                if isinstance(default, Scalar) and isinstance(default.value, bool):
                    written = truth(value.value) or written
                return Text(f"写 {name}.default: {written}", f"write {name}.default: {written}")
            if "zh" in old and "en" in old:
                return Text(
                    f"写 {name}: {{zh: {written}, en: …}}", f"write {name}: {{zh: …, en: …}}, in both languages"
                )
        was = _kind(old)
        return Text(
            f"写成{was.zh}；要整个换掉，先用 `remove: [{name}]` 删去",
            f"write {was.en}; to replace the whole, first take it out with `remove: [{name}]`",
        )

    def _place(self, order: list[Entry], places: list[tuple[str, str, Scalar]]) -> None:
        followers: dict[str, list[str]] = {}
        for name, where, at in places:
            sibling = base_name(at.value)
            names = [base_name(item.key.value) for item in order]
            if sibling not in names or sibling == name:
                close = nearest(sibling, [other for other in names if other != name])
                self.findings.add(
                    "HW702",
                    at.span,
                    f"这里没有“{at.value}”，“{name}”不知道排在哪里",
                    f'there is no "{at.value}" beside "{name}", so it cannot stand {where} it',
                    help=did_you_mean(close),
                )
                continue
            before = names.index(name)
            moving = order.pop(before)
            names.pop(before)
            target = names.index(sibling)
            if where == "after":
                # Several that ask to stand after one sibling keep the order of the file.
                chain = followers.setdefault(sibling, [])
                target += 1
                while target < len(names) and names[target] in chain:
                    target += 1
                chain.append(name)
            order.insert(target, moving)
            self.changes += target != before

    # ------------------------------------------------------------------ removing

    def _remove_all(
        self, base: Mapping, order: Entry, section: Section | None, path: Path, *, copies: bool
    ) -> tuple[Mapping, list[Scalar]]:
        """Carry out one ``remove:``; also the items that a copied move (``like``) must lose later."""
        left: list[Scalar] = []
        if not isinstance(order.value, Sequence) or len(removals(order)) < len(order.value.items):
            self._bad_paths(order)
        for item in removals(order):
            names = split_path(str(item.value))
            hit = self._cut(base, names, item, section, path)
            if hit is not None:
                base = hit
                self.changes += 1
            elif copies and section is not None and section.name == "move":
                left.append(item)
                self.changes += 1
            else:
                self._missed(base, names, item, path)
        return base, left

    def _bad_paths(self, order: Entry) -> None:
        """Whatever a ``remove:`` holds besides paths."""
        value = order.value
        for item in value.items if isinstance(value, Sequence) else (value,):
            if not isinstance(item, Scalar) or not isinstance(item.value, str) or not item.value.strip():
                self.findings.add(
                    "HW103",
                    first_line(item.span) if item.span.end_column > item.span.column else order.key.span,
                    "`remove` 后面要写路径，例如 [phases.bury]",
                    "`remove` takes paths, such as [phases.bury]",
                )

    def _cut(
        self, tree: Mapping, names: list[str], item: Scalar, section: Section | None, path: Path
    ) -> Mapping | None:
        entry = find_entry(tree, names[0])
        found = field_of(section, names[0]) if section is not None else None
        here = (*path, names[0])
        if entry is None:
            hit = None
        elif len(names) == 1:
            self._note(entry, found, section, item, here)
            return Mapping(tuple(other for other in tree if other is not entry), tree.span, tree.flow)
        elif isinstance(entry.value, Mapping):
            hit = self._cut(entry.value, names[1:], item, section_of(entry.value, found), here)
        else:
            hit = None
        if hit is not None and entry is not None:
            return Mapping(tuple(Entry(e.key, hit) if e is entry else e for e in tree), tree.span, tree.flow)
        if section is not None and section.name == "move" and "like" in tree:
            # The rest may be part of the move that this one copies: decided when the copy is made.
            later = Scalar(".".join(names), item.span, item.text, item.style)
            old = tree.get("remove")
            items = (*(old.items if isinstance(old, Sequence) else ()), later)
            return with_entry(tree, "remove", Entry(Scalar("remove", item.span, "remove"), Sequence(items, item.span)))
        return None

    def _note(self, entry: Entry, found: Field | None, section: Section | None, item: Scalar, path: Path) -> None:
        name, inner = base_name(entry.key.value), section_of(entry.value, found)
        self.removed.append(Removed(name, section.name if section is not None else "", path, item.span, entry.key.span))
        if (
            isinstance(entry.value, Mapping)
            and inner is not None
            and (inner.entry is not None or inner.name == "memory")
        ):
            for part in entry.value:
                self._note(part, field_of(inner, str(part.key.value)), inner, item, (*path, base_name(part.key.value)))

    def _missed(self, base: Mapping, names: list[str], item: Scalar, path: Path) -> None:
        full = (*path, *map(base_name, names))
        gone = next((r for r in self.removed if full[: len(r.path)] == tuple(map(base_name, r.path))), None)
        if (
            gone is not None
            and gone.span.file in self.forgiving
            and item.span.file in self.forgiving
            and len(gone.path) == len(full)
        ):
            return
        tree: Node = base
        at = 0
        while at < len(names) and isinstance(tree, Mapping) and (entry := find_entry(tree, names[at])):
            tree, at = entry.value, at + 1
        related = (Related(Text("已在这里删去", "it was taken out here already"), gone.span),) if gone else ()
        hints: tuple[Text, ...] = ()
        if isinstance(tree, Mapping) and at < len(names):
            close = nearest(names[at], [base_name(entry.key.value) for entry in tree])
            hints = did_you_mean(".".join([*names[:at], close, *names[at + 1 :]]) if close else None)
        elif isinstance(tree, Sequence):
            hints = (Text("没有标签的列表只能整个换掉", "a list without labels can only be replaced as a whole"),)
        self.findings.add(
            "HW702",
            item.span,
            f"要删去“{item.value}”，可是没有这一项",
            f'"{item.value}" is to be removed, but there is nothing of that name',
            related=related,
            help=hints,
        )

    # ------------------------------------------------------------------ copying

    def copy_moves(self, tree: Mapping) -> Mapping:
        """Write out every move that is ``like`` another one."""
        moves = tree.get("moves")
        shared: dict[str, Entry] = {}
        if isinstance(moves, Mapping):
            moves = self._copies(moves, {}, ("moves",))
            shared = {base_name(entry.key.value): entry for entry in moves}
            tree = with_value(tree, "moves", moves)
        phases = tree.get("phases")
        if isinstance(phases, Mapping):
            for entry in phases:
                inner = entry.value.get("moves") if isinstance(entry.value, Mapping) else None
                if isinstance(inner, Mapping) and isinstance(entry.value, Mapping):
                    name = str(entry.key.value)
                    done = self._copies(inner, shared, ("phases", name, "moves"))
                    phases = with_value(phases, name, with_value(entry.value, "moves", done))
            tree = with_value(tree, "phases", phases)
        return tree

    def _copies(self, moves: Mapping, shared: dict[str, Entry], path: Path) -> Mapping:
        own = {base_name(entry.key.value): entry for entry in moves}
        done: dict[str, Node] = {}

        def written_out(name: str, ring: tuple[str, ...]) -> Node:
            if name in done:
                return done[name]
            node = own[name].value
            like = node.get("like") if isinstance(node, Mapping) else None
            if isinstance(node, Mapping) and isinstance(like, Scalar) and isinstance(like.value, str):
                rest = with_entry(node, "like", None)
                source: Node | None = None
                if like.value in own and like.value != name and like.value not in ring:
                    source = written_out(like.value, (*ring, name))
                elif like.value in shared:
                    source = shared[like.value].value
                else:
                    self._no_source(like, name, ring, [*own, *shared])
                node = (
                    self._merge(source, rest, SECTIONS["move"], (*path, name)) if isinstance(source, Mapping) else rest
                )
            done[name] = node
            return node

        for name in own:
            written_out(name, ())
        return Mapping(
            tuple(replace(entry, value=done[base_name(entry.key.value)]) for entry in moves), moves.span, moves.flow
        )

    def _no_source(self, like: Scalar, name: str, ring: tuple[str, ...], known: list[str]) -> None:
        if like.value == name or like.value in ring:
            chain = " → ".join((*ring, name, str(like.value)))
            self.findings.add(
                "HW702", like.span, f"这些动作互相照抄：{chain}", f"these moves copy each other in a ring: {chain}"
            )
            return
        close = nearest(str(like.value), [other for other in known if other != name])
        self.findings.add(
            "HW702",
            like.span,
            f"没有“{like.value}”这个动作可以照抄",
            f'there is no move "{like.value}" to copy',
            help=did_you_mean(close),
        )


def _only_dress(node: Mapping) -> bool:
    return bool(node.entries) and all(entry.key.value in _DRESS_KEYS for entry in node)


def _says_all(node: Node) -> bool:
    return not isinstance(node, Mapping) or "is" in node or "do" in node


def _clothe(node: Node) -> Mapping:
    if isinstance(node, Mapping):
        return node
    return Mapping((Entry(Scalar("is", node.span, "is"), node),), node.span, flow=True)


def _kind(node: Node) -> Text:
    if isinstance(node, Mapping):
        return Text("带键的一节", "a section with keys")
    return Text("一个列表", "a list") if isinstance(node, Sequence) else Text("单独一个值", "a single value")


def _written(span: Span) -> Related:
    return Related(Text("原来写在这里", "it is written here in the ruleset below"), first_line(span))

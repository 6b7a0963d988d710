"""From the name of a ruleset to one tree: what it extends, and the house rules laid over it."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..diagnostics import Findings, Related, Span, Text
from ..model.sections import FORMAT
from ..source.nodes import Mapping, Node, Scalar, plain
from ..source.reader import SourceFile, SourceIOError, parse, read_file
from . import patches
from .library import Library, Place, Problem, Reader, Sources, bundled_folder, bundled_names
from .merge import Merger, Removed
from .patches import IDENTITY, first_line, walk_leaves, walk_removals
from .paths import spread

__all__ = ["Library", "Loaded", "Place", "Removed", "Sources", "bundled_folder", "bundled_names", "load_tree"]

DEEPEST = 8  # files under the main one
_MAY_REPEAT = frozenset({"zh", "en", "cite", "before", "after", "like"})
_OF_A_STEP = frozenset({"do", "for", "when"})
_NEEDED = frozenset(name for name, key in patches.ROOT.fields.items() if key.required)  # what a game must have


@dataclass(frozen=True, slots=True)
class Loaded:
    """One tree made of all the files of a ruleset, and where they came from.

    ``chain`` lists the main file, then what it extends, up to the first that extends nothing;
    ``overlays`` what was laid over it, in order. ``overlay_files`` are all files that change another.
    ``complete`` is false when a file of the chain could not be had: then much may seem to be missing.
    """

    root: Mapping
    main: Place
    chain: tuple[str, ...]
    overlays: tuple[str, ...]
    overlay_files: frozenset[str]
    files: dict[str, SourceFile]
    removed: tuple[Removed, ...]
    complete: bool
    sources: Sources

    def removed_names(self) -> dict[str, Span]:
        """What was taken out and not put back, by name, with the place of the order to do so."""
        return {item.name: item.span for item in self.removed if not _stands(self.root, item.path)}


@dataclass(frozen=True, slots=True)
class _Layer:
    place: Place
    root: Mapping

    @property
    def extends(self) -> Scalar | None:
        value = self.root.get("extends")
        return value if isinstance(value, Scalar) and isinstance(value.value, str) and value.value.strip() else None

    @property
    def abstract(self) -> bool:
        """Whether it says that it is no game itself, only material for games."""
        value = self.root.get("abstract")
        return isinstance(value, Scalar) and value.value is True

    @property
    def top(self) -> Span:
        """Where a remark about the whole file stands."""
        found = self.root.entry("extends")
        return (
            first_line(found.value.span)
            if found
            else self.root.entries[0].key.span
            if self.root.entries
            else self.root.span
        )


@dataclass(frozen=True, slots=True)
class _Line:
    """A file and what it extends, the lowest first; ``complete``: nothing under it was missing."""

    layers: tuple[_Layer, ...]
    complete: bool

    @property
    def game(self) -> bool:
        """Whether it is a whole game, and not a change of one: it adds to shared parts, if any, all that they lack."""
        *under, top = self.layers
        if not self.complete or top.abstract or not all(layer.abstract for layer in under):
            return False
        shared = {str(entry.key.value) for layer in under for entry in layer.root}
        return shared | {str(entry.key.value) for entry in top.root} >= _NEEDED > shared & _NEEDED


def load_tree(
    main: str | Path,
    *,
    findings: Findings,
    overlays: Sequence[str | Path] = (),
    bundled: Path | None = None,
    reader: Reader = read_file,
    library: Library | None = None,
) -> Loaded | None:
    """Read a ruleset, everything it extends and the overlays, and lay them over each other.

    ``main`` and ``overlays`` are paths or names of bundled rulesets; one that cannot be read raises
    `SourceIOError`, since a person named it. Whatever is wrong inside a file is a finding. None only
    if nothing of the main file can be used. A ``library`` of one's own has the files read
    (``library.files``) even then.

    >>> findings = Findings()
    >>> library = Library(texts={"a.yaml": b"name: a", "b.yaml": b"extends: a.yaml\\nname: b"})
    >>> load_tree("b.yaml", findings=findings, library=library).chain
    ('b.yaml', 'a.yaml')
    """
    if library is None:
        library = Library(bundled if bundled is not None else bundled_folder(), reader=reader)
    return _Loader(library, findings).load(main, overlays)


@dataclass(slots=True)
class _Loader:
    library: Library
    findings: Findings
    read: dict[str, _Layer | None] = field(default_factory=dict)

    def load(self, main: str | Path, overlays: Sequence[str | Path]) -> Loaded | None:
        place = self.library.named(main)
        line = self.line(place)
        places = [self.library.named(overlay) for overlay in overlays]
        lines = [self.line(overlay) for overlay in places]  # read all: each may have faults of its own
        if line is None:
            return None
        # Where something below is missing, "this changes nothing" would be said of everything.
        complete = line.complete and all(other is not None and other.complete for other in lines)
        below = _files_below(line, lines)
        merger = Merger(self.findings if complete else Findings())
        tree = Mapping((), line.layers[0].root.span)
        for layer in line.layers if line.complete else line.layers[-1:]:
            # What extends shared parts is a game, unless it says that it is none either.
            shared = patches.with_entry(tree, "abstract", None)
            own = patches.with_entry(layer.root, "extends", None)
            must_change = complete and layer is not line.layers[0] and len(shared.entries) == len(tree.entries)
            tree = self.lay(merger, shared, own, layer, must_change=must_change, below=below)
        above = self.above(line, lines)
        merger.forgiving = frozenset(layer.place.shown for layer in above)
        for layer in above:
            own = Mapping(tuple(e for e in layer.root if e.key.value not in IDENTITY), layer.root.span, layer.root.flow)
            tree = self.lay(merger, tree, own, layer, must_change=complete, below=below)
        self.clashes(line, lines, above)
        tree = merger.copy_moves(tree)
        return Loaded(
            root=tree,
            main=place,
            chain=tuple(layer.place.shown for layer in reversed(line.layers)),
            overlays=tuple(layer.place.shown for layer in above),
            overlay_files=frozenset(layer.place.shown for layer in (*line.layers, *above) if layer.extends)
            | merger.forgiving,
            files=self.library.files,
            removed=tuple(merger.removed),
            complete=complete,
            sources=Sources(
                place.shown, tuple(item.shown for item in places), dict(self.library.contents), dict(self.library.links)
            ),
        )

    # ------------------------------------------------------------------ files

    def open(self, place: Place) -> _Layer | None:
        """A file, parsed once; None if it is no ruleset at all, which is a finding in it."""
        if place.identity not in self.read:
            file, root = parse(place.shown, self.library.read(place), self.findings)
            self.library.files[place.shown] = file
            root = spread(root, self.findings) if root is not None else None
            self.read[place.identity] = None if root is None else _Layer(place, root)
            version = root.get("hongwu") if root is not None else None
            if isinstance(version, Scalar) and type(version.value) is int and version.value != FORMAT:
                wrong_format(self.findings, version)
        return self.read[place.identity]

    def line(self, place: Place) -> _Line | None:
        """A file and everything it extends."""
        layer = self.open(place)
        if layer is None:
            return None
        layers = [layer]
        while (wanted := layer.extends) is not None:
            found = self.library.parent(str(wanted.value).strip(), layer.place)
            if isinstance(found, Problem):
                self.findings.add("HW701", wanted.span, *found.text, help=found.help)
                break
            names = [item.place.shown for item in layers]
            if any(item.place.identity == found.identity for item in layers):
                self.ring(wanted, layers, found)
                break
            if len(layers) > DEEPEST:
                chain = " → ".join([*names, found.shown])
                self.findings.add(
                    "HW701", wanted.span,
                    f"`extends` 叠得太深，最多 {DEEPEST} 层：{chain}", f"the chain of `extends` is deeper than {DEEPEST}: {chain}",
                )  # fmt: skip
                break
            try:
                below = self.open(found)
            except SourceIOError as error:
                self.findings.add("HW701", wanted.span, *error.text)
                break
            if below is None:
                break
            layer = below
            layers.append(layer)
        self.check_extends(layer)
        return _Line(tuple(reversed(layers)), layer.root.entry("extends") is None)

    def check_extends(self, layer: _Layer) -> None:
        entry = layer.root.entry("extends")
        if entry is not None and layer.extends is None:
            span = (
                first_line(entry.value.span)
                if entry.value.span.end_column > entry.value.span.column
                else entry.key.span
            )
            self.findings.add(
                "HW103", span, "`extends` 后面要写一份规则的文件名", "`extends` takes the file name of one ruleset",
                help=(Text("例如 extends: hearts.yaml", "for instance: extends: hearts.yaml"),),
            )  # fmt: skip

    def ring(self, wanted: Scalar, layers: list[_Layer], found: Place) -> None:
        names = [item.place.shown for item in layers]
        start = next(i for i, item in enumerate(layers) if item.place.identity == found.identity)
        chain = " → ".join([*names[start:], found.shown])
        step = Text("其中一份不要写 extends", "let one of them extend nothing")
        if start == len(names) - 1:
            zh, en = f"“{found.shown}”在自己身上改", f'"{found.shown}" extends itself'
            if posixpath.basename(found.shown) in {posixpath.basename(name) for name in self.library.names()}:
                step = Text(
                    f"这份文件和自带的“{found.shown}”同名，所以找到的是它自己；给它改个名字",
                    f'the file has the name of the bundled "{found.shown}" and is found before it; give it another name',
                )
            else:
                step = Text(
                    "写上要在哪份规则上改，或删去 extends", "name the ruleset that it changes, or remove `extends`"
                )
        else:
            zh, en = f"几份规则互相依赖，绕成一圈：{chain}", f"these rulesets extend each other in a ring: {chain}"
        others = [item.extends for item in layers[start:-1]]
        related = tuple(Related(Text("圈里的另一处", "another part of the ring"), item.span) for item in others if item)
        self.findings.add(
            "HW701",
            wanted.span,
            zh,
            en,
            related=related,
            help=(step,),
        )

    # ------------------------------------------------------------------ laying

    def lay(
        self,
        merger: Merger,
        tree: Mapping,
        own: Mapping,
        layer: _Layer,
        *,
        must_change: bool,
        below: dict[str, set[str]],
    ) -> Mapping:
        """What one file says laid over what is there; if that changes nothing, it is a fault."""
        before, faults, was = merger.changes, len(merger.findings.items), tree
        tree = merger.lay(tree, own)
        if must_change and merger.changes == before and len(merger.findings.items) == faults:
            self.findings.add(
                "HW702", layer.top,
                f"“{layer.place.shown}”什么也没有改", f'"{layer.place.shown}" changes nothing',
                help=(Text("写下要改的地方，或删去这份文件", "write what is to change, or do without this file"),),
            )  # fmt: skip
        elif must_change:
            self.repeats(was, own, below[layer.place.identity])
        return tree

    def repeats(self, before: Mapping, own: Mapping, below: set[str]) -> None:
        """HW704: values that the files below have already; wording and citations may be written again."""
        said, was = (
            walk_leaves(own),
            {path: node for path, node in walk_leaves(before).items() if node.span.file in below},
        )
        same = {path for path, node in said.items() if path in was and repr(plain(was[path])) == repr(plain(node))}
        for path, node in said.items():
            old = was.get(path)
            step = {(*path[:-1], part) for part in _OF_A_STEP if path[-1] in _OF_A_STEP}  # written as one line
            if old is None or path not in same or path[-1] in _MAY_REPEAT or step & said.keys() - same:
                continue
            name = ".".join(part for part in path if part != "is")
            self.findings.add(
                "HW704", first_line(node.span),
                f"“{name}”改成的和原来一样", f'"{name}" is set to what it is already',
                related=(Related(Text("原来就是这样", "it is so already"), first_line(old.span)),),
                help=(Text("删去这一行，或写上要改成的", "remove the line, or write what it should become"),),
            )  # fmt: skip

    def above(self, line: _Line, lines: Iterable[_Line | None]) -> list[_Layer]:
        """The layers to put on top, each once: those of the overlays that are not there already."""
        there = {layer.place.identity for layer in line.layers}
        above: list[_Layer] = []
        for other in lines:
            if other is None:
                continue
            known = [i for i, layer in enumerate(other.layers) if layer.place.identity in there]
            new = other.layers[known[-1] + 1 :] if known else other.layers
            if not new:
                name = other.layers[-1].place.shown
                self.findings.add(
                    "HW702", other.layers[-1].top,
                    f"“{name}”已经在里面了，不用再加", f'"{name}" is part of the ruleset already, so laying it on top changes nothing',
                )  # fmt: skip
            elif other.game and not line.layers[-1].abstract:
                self.two_games(other.layers[-1], line.layers[-1].place.shown)
            elif len(new) > 1 and (other.layers[known[-1]].abstract if known else other.complete):
                top, made_for, main = new[-1], new[-2].place.shown, line.layers[-1].place.shown
                under = ", ".join(layer.place.shown for layer in reversed(line.layers))
                self.findings.add(
                    "HW701", top.top,
                    f"“{top.place.shown}”是给另一份规则“{made_for}”写的，不能加在“{main}”上",
                    f'"{top.place.shown}" is made for another ruleset, "{made_for}", and cannot be laid over "{main}"',
                    help=(
                        Text(f"“{main}”用到的规则：{under}", f'"{main}" is made of: {under}'),
                        Text("要用它，就复制一份，把 extends 改成这份规则", "to use it, copy it and let it extend this ruleset"),
                    ),
                )  # fmt: skip
            else:
                fresh = new if known or other.complete else other.layers[-1:]
                above += fresh
                there |= {layer.place.identity for layer in fresh}
        return above

    def two_games(self, top: _Layer, main: str) -> None:
        name = top.place.shown
        entry = top.root.entry("name")
        self.findings.add(
            "HW701", first_line(entry.value.span) if entry is not None else top.top,
            f"“{name}”自己就是一种完整的玩法，不能叠在“{main}”上",
            f'"{name}" is a whole game by itself and cannot be laid over "{main}"',
            help=(
                Text("叠上去的（overlay）是家规：只写要改的几行，用 extends 说明改的是哪种玩法",
                     "an overlay is a house rule: only the lines that change, with `extends` naming the game that they change"),
                Text(f"要打“{name}”，就单独写它的名字；“{main}”有哪些家规，看 hongwu-rules list {main}",
                     f'to play "{name}", name it alone; for the house rules of "{main}": hongwu-rules list {main}'),
                Text(f"只想借用其中几条，先开一份家规再写进去：hongwu-rules new 文件 --extends {main}",
                     f"to borrow a few of its rules, begin a house rule and write them there: hongwu-rules new FILE --extends {main}"),
            ),
        )  # fmt: skip

    def clashes(self, line: _Line, lines: Iterable[_Line | None], above: list[_Layer]) -> None:
        """Values that two overlays set differently, neither knowing the other."""
        below: dict[str, set[str]] = {}
        for whole in lines:
            layers = whole.layers if whole is not None else ()
            for i, layer in enumerate(layers):
                below[layer.place.identity] = {under.place.identity for under in layers[:i]}
        parent = line.layers[-2].place.identity if len(line.layers) > 1 else ""
        sets: list[tuple[_Layer, dict[patches.Path, Node], dict[patches.Path, Scalar]]] = []
        beside = [line.layers[-1]] if parent else []
        for layer in (*beside, *above):
            leaves, gone = walk_leaves(layer.root), walk_removals(layer.root)
            for other, their_leaves, their_gone in sets:
                if other.place.identity in below.get(layer.place.identity, ()):
                    continue
                if other in beside and not self._sibling(layer, parent):
                    continue
                self._compare(leaves, their_leaves)
                self._removed(gone, their_leaves)
                self._removed(their_gone, leaves)
            sets.append((layer, leaves, gone))

    def _sibling(self, layer: _Layer, parent: str) -> bool:
        wanted = layer.extends
        found = self.library.parent(str(wanted.value).strip(), layer.place) if wanted is not None else None
        return isinstance(found, Place) and found.identity == parent

    def _compare(self, ours: dict[patches.Path, Node], theirs: dict[patches.Path, Node]) -> None:
        for path, node in ours.items():
            other = theirs.get(path)
            if other is not None and plain(other) != plain(node):
                self._clash(path, node.span, other.span)

    def _removed(self, gone: dict[patches.Path, Scalar], leaves: dict[patches.Path, Node]) -> None:
        for path, item in gone.items():
            hit = next((node for at, node in leaves.items() if at[: len(path)] == path), None)
            if hit is not None:
                self._clash(path, hit.span, item.span)

    def _clash(self, path: patches.Path, one: Span, other: Span) -> None:
        name = ".".join(part for part in path if part != "is")
        self.findings.add(
            "HW705", first_line(one),
            f"两份家规对“{name}”说法不同", f'two house rules disagree about "{name}"',
            related=(Related(Text("另一份这样写", "the other one says so here"), first_line(other)),),
            help=(Text("只用其中一份，或让一份在另一份上改", "use only one of them, or let one extend the other"),),
        )  # fmt: skip


def _files_below(line: _Line, lines: Iterable[_Line | None]) -> dict[str, set[str]]:
    """For each file, those that it changes: what it extends, or the main file's where it extends nothing."""
    below: dict[str, set[str]] = {}
    whole = {layer.place.shown for layer in line.layers}
    for other in (line, *lines):
        layers = other.layers if other is not None else ()
        for number, layer in enumerate(layers):
            under = {one.place.shown for one in layers[:number]}
            below.setdefault(layer.place.identity, under or (set() if other is line else whole))
    return below


def wrong_format(findings: Findings, version: Scalar) -> None:
    """The finding for a file in another version of the language."""
    findings.add(
        "HW107", version.span,
        f"这份文件按语言的第 {version.value} 版写成，这里只懂第 {FORMAT} 版",
        f"this file is written for version {version.value} of the language; this program knows version {FORMAT}",
        help=(Text(f"写 hongwu: {FORMAT}，或换用新的程序", f"write `hongwu: {FORMAT}`, or use a newer program"),),
    )  # fmt: skip


def _stands(tree: Node, path: patches.Path) -> bool:
    for name in path:
        entry = patches.find_entry(tree, name) if isinstance(tree, Mapping) else None
        if entry is None:
            return False
        tree = entry.value
    return True

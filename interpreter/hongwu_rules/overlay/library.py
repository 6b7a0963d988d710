"""Finding ruleset files: beside the file that asks, then among the bundled rulesets."""

from __future__ import annotations

import errno
import os
import posixpath
import re
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

from ..diagnostics import Text
from ..diagnostics.nearest import nearest
from ..source.reader import SourceFile, SourceIOError, read_file

SUFFIX = ".yaml"
_FOLDERS = ("", "base", "house")
Reader = Callable[[Path], bytes]


@dataclass(frozen=True, slots=True)
class Place:
    """A file that was found. ``shown`` is its name in messages, ``root`` the folder it may not leave."""

    shown: str
    path: Path
    root: Path
    bundled: bool = False

    @property
    def identity(self) -> str:
        """The same for every spelling of one file."""
        return os.path.realpath(self.path)


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a file that was asked for is not to be had."""

    text: Text
    help: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True)
class Sources:
    """Everything that was read for one ruleset: enough to load it again without a disk. It pickles."""

    main: str
    overlays: tuple[str, ...]
    texts: Mapping[str, bytes]  # shown name → content
    links: Mapping[tuple[str, str], str]  # (asking file, what it asked for) → shown name


@dataclass(slots=True)
class Library:
    """Finds files by name and keeps what was read.

    ``texts`` gives files that are in memory (standard input, for one) by the name they are shown
    under; they win over the disk. ``closed`` libraries know nothing else.

    >>> library = Library.of(Sources("a.yaml", (), {"a.yaml": b"hongwu: 1"}, {}))
    >>> library.read(library.named("a.yaml"))
    b'hongwu: 1'
    """

    bundled: Path | None = None
    reader: Reader = read_file
    texts: dict[str, bytes] = field(default_factory=dict)
    links: dict[tuple[str, str], str] = field(default_factory=dict)
    closed: bool = False
    contents: dict[str, bytes] = field(default_factory=dict)  # what was read
    files: dict[str, SourceFile] = field(default_factory=dict)  # filled by `load_tree`, also when it fails
    _shown: dict[str, str] = field(default_factory=dict)  # shown name → identity

    @classmethod
    def of(cls, sources: Sources) -> Library:
        """A library of just these sources, asking no disk."""
        return cls(texts=dict(sources.texts), links=dict(sources.links), closed=True)

    def read(self, place: Place) -> bytes:
        """The content of a file; the reader's error if it cannot be read."""
        if place.shown not in self.contents:
            given = self.texts.get(place.shown)
            try:
                self.contents[place.shown] = self.reader(place.path) if given is None else given
            except SourceIOError:
                near = None if os.path.lexists(place.path) else self._near(place)
                if near is None:
                    raise
                text = Text(
                    f"没有这个文件：{place.path}，是不是 {near}？",
                    f"there is no file {place.path}; did you mean {near}?",
                )
                raise SourceIOError(text) from None
        return self.contents[place.shown]

    def named(self, wanted: str | Path) -> Place:
        """The file that a person names: a path if it exists, else a bundled ruleset.

        If there is neither, the place is the path as it was written, and reading it fails.
        """
        if not _can_name(str(wanted)):
            raise SourceIOError(no_name(str(wanted)))
        shown = Path(wanted).as_posix()
        path = Path(wanted)
        if shown not in self.texts and not self.closed and not os.path.lexists(path):
            found = self._among_bundled(shown)
            if found is not None:
                return found
        return self._place(shown, path, Path(os.path.realpath(path)).parent, bundled=False)

    def parent(self, wanted: str, asker: Place) -> Place | Problem:
        """The file that ``asker`` extends."""
        if self.closed:
            shown = self.links.get((asker.shown, wanted), "")
            return Place(shown, Path(shown), asker.root) if shown in self.texts else self._missing(wanted, asker)
        if not _can_name(wanted):
            step = Text(
                "写同一个文件夹里的文件，或自带规则的名字", "name a file in the same folder, or a bundled ruleset"
            )
            return Problem(no_name(wanted), (step,))
        found = self._beside(wanted, asker) or self._among_bundled(wanted)
        if found is None:
            return self._missing(wanted, asker)
        if isinstance(found, Place):
            self.links[(asker.shown, wanted)] = found.shown
        return found

    def suggestion(self, wanted: str, beside: Path | None = None) -> str | None:
        """The known name that is most like one that was not found."""
        names = [*self.names(), *self.texts]
        names += [] if self.closed else _yaml_names(beside if beside is not None else Path.cwd())
        # Without the ending, which is alike in all of them; a name that people read counts as well.
        stems = {name.removesuffix(SUFFIX): name for name in names}
        close = nearest(wanted.removesuffix(SUFFIX), stems) or self._titled(wanted)
        return close if close is None or not wanted.endswith(SUFFIX) else stems[close]

    def _titled(self, wanted: str) -> str | None:
        """The bundled game with the title that was written in place of its name."""
        titles: dict[str, str] = {}
        for name in bundled_names(self.bundled) if self.bundled is not None else []:
            text = self.reader(Path(self.bundled or "") / f"{name}{SUFFIX}").decode(errors="replace")
            found = re.search(r"^title: \{zh: ([^,}]+), en: ([^}]+)\}", text, re.M)
            titles |= dict.fromkeys(found.groups() if found else (), name)
        close = nearest(wanted, titles, likeness=0.8)
        return titles[close] if close is not None else None

    def names(self) -> list[str]:
        """Every bundled file, as ``extends`` may name it."""
        if self.bundled is None:
            return []
        return [posixpath.join(folder, name) for folder in _FOLDERS for name in _yaml_names(self.bundled / folder)]

    def _place(self, shown: str, path: Path, root: Path, *, bundled: bool) -> Place:
        place = Place(shown, path, root, bundled)
        # Two files of one name (the bundled one, and a local one) must not be mistaken for each other.
        if self._shown.setdefault(shown, place.identity) != place.identity:
            place = Place(f"rulesets/{shown}" if bundled else path.as_posix(), path, root, bundled)
            self._shown.setdefault(place.shown, place.identity)
        return place

    def _beside(self, wanted: str, asker: Place) -> Place | Problem | None:
        for name in _spellings(wanted):
            path = asker.path.parent / name
            shown = posixpath.normpath(posixpath.join(posixpath.dirname(asker.shown), name))
            if shown in self.texts:
                return Place(shown, path, asker.root, asker.bundled)
            if not self._allowed(name, asker):
                return Problem(
                    Text(f"“{wanted}”在这份规则的文件夹之外", f'"{wanted}" lies outside the folder of this ruleset'),
                    (
                        Text(
                            "把它放到同一个文件夹里，或用自带规则的名字",
                            "put it into the same folder, or name a bundled ruleset",
                        ),
                    ),
                )
            match _what(path):
                case "file" if not _exact(path):
                    return self._missing(wanted, asker)
                case "file":
                    return self._place(shown, path, asker.root, bundled=asker.bundled)
                case "folder":
                    return Problem(Text(f"“{wanted}”是一个文件夹，不是规则", f'"{wanted}" is a folder, not a ruleset'))
                case "loop":
                    return Problem(Text(f"“{wanted}”是绕圈的链接", f'"{wanted}" is a link that leads back to itself'))
                case "other":
                    return Problem(Text(f"“{wanted}”不是普通文件", f'"{wanted}" is not a regular file'))
                case _:
                    continue
        return None

    def _allowed(self, name: str, asker: Place) -> bool:
        """Whether a path stays in the project, both as it is written and where links lead."""
        written = os.path.normpath(Path(os.path.realpath(asker.path.parent)) / name)
        roots = [root for root in (asker.root, self.bundled) if root is not None]
        return all(any(_within(real, root) for root in roots) for real in (written, os.path.realpath(written)))

    def _among_bundled(self, wanted: str) -> Place | None:
        if self.bundled is None or posixpath.isabs(wanted) or ".." in wanted.split("/"):
            return None
        for folder in _FOLDERS:
            for name in _spellings(wanted):
                path = self.bundled / folder / name
                if _what(path) == "file" and _exact(path):
                    return self._place(posixpath.join(folder, name), path, self.bundled, bundled=True)
        return None

    def _near(self, place: Place) -> str | None:
        """A bundled ruleset of nearly this name."""
        return nearest(place.path.name.removesuffix(SUFFIX), [name.removesuffix(SUFFIX) for name in self.names()])

    def _missing(self, wanted: str, asker: Place) -> Problem:
        close = self.suggestion(wanted, asker.path.parent)
        text = Text(
            f"“{asker.shown}”要在“{wanted}”上改，可是没有这份规则",
            f'"{asker.shown}" extends "{wanted}", and there is no such ruleset',
        )
        games = [] if self.bundled is None else bundled_names(self.bundled)
        known = Text("自带的有：" + "、".join(games), "these are bundled: " + ", ".join(games))
        hint = (Text(f"是不是 `{close}`？", f"did you mean `{close}`?"),) if close else (known,) if games else ()
        where = Text(
            "先在同一个文件夹里找，再找自带的规则", "it is looked for beside the file, then among the bundled rulesets"
        )
        return Problem(text, (*hint, where))


def bundled_folder() -> Path:
    """The folder of the rulesets that come with the package; in a checkout, the one beside ``interpreter/``."""
    package = Path(str(resources.files("hongwu_rules")))
    shipped = package / "rulesets"
    return shipped if shipped.is_dir() else package.resolve().parents[1] / "rulesets"


def bundled_names(folder: Path | None = None) -> list[str]:
    """The names of the bundled games, without ``.yaml``; neither shared parts nor house rules."""
    return [name.removesuffix(SUFFIX) for name in _yaml_names(folder if folder is not None else bundled_folder())]


def bundled_files() -> list[str]:
    """Every bundled file as the command line may name it: the games, then ``base/…`` and ``house/…``."""
    return [name.removesuffix(SUFFIX) for name in Library(bundled_folder()).names()]


def _can_name(wanted: str) -> bool:
    """Whether a file can have this name at all."""
    try:
        return b"\0" not in os.fsencode(wanted)
    except UnicodeEncodeError:  # half of a character
        return False


def no_name(wanted: str) -> Text:
    """That no file can be called so."""
    shown = ascii(wanted)
    return Text(
        f"{shown} 不能是文件名：里面有看不见的字符",
        f"{shown} cannot be the name of a file: it holds a character that no name may have",
    )


def _spellings(wanted: str) -> tuple[str, ...]:
    return (wanted,) if wanted.endswith(SUFFIX) else (wanted, wanted + SUFFIX)


def _with_suffix(wanted: str) -> str:
    return _spellings(wanted)[-1]


def _what(path: Path) -> str:
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        return "loop" if getattr(error, "errno", None) == errno.ELOOP else "missing"
    if stat.S_ISDIR(mode):
        return "folder"
    return "file" if stat.S_ISREG(mode) else "other"


def _exact(path: Path) -> bool:
    """Whether the file is spelt so in its folder: some systems find ``Mine.yaml`` for ``mine.yaml``."""
    try:
        return path.name in {entry.name for entry in path.parent.iterdir()}
    except OSError:
        return True


def _within(real: str, folder: Path) -> bool:
    root = os.path.realpath(folder)
    return real == root or real.startswith(root.rstrip(os.sep) + os.sep)


def _yaml_names(folder: Path) -> list[str]:
    try:
        return sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(SUFFIX) and entry.is_file())
    except OSError:
        return []

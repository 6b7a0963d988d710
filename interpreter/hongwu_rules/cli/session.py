"""What a command talks to: the two outputs, the language, colour and format of the answer."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TextIO

from ..diagnostics import NOWHERE, Diagnostic, Span, Text, render
from ..diagnostics.codes import exit_code
from ..diagnostics.excerpt import Paint
from ..diagnostics.width import encodable

Progress = Callable[[int, int], None]
_BAR = 30
_EVERY = 0.1  # seconds between two pictures of a progress bar


class Output:
    """A stream that never fails: an unknown character is written as an escape, a closed pipe is let go."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
        self.encoding = getattr(stream, "encoding", None) or "utf-8"
        self.full: OSError | None = None  # why nothing more could be written, other than a closed pipe

    @property
    def terminal(self) -> bool:
        """Whether a person looks at it."""
        try:
            return self._stream is not None and self._stream.isatty()
        except ValueError:  # closed
            return False

    def write(self, text: str) -> None:
        """Write and flush."""
        if self._stream is None:
            return
        try:
            self._stream.write(encodable(text, self.encoding))
            self._stream.flush()
        except (OSError, ValueError) as error:
            if isinstance(error, OSError) and not isinstance(error, BrokenPipeError):
                self.full = error
            self._let_go()

    def exact(self, text: str, escape: Callable[[str], str]) -> None:
        """Write what a program reads: other characters than ASCII escaped its way where they cannot be written."""
        try:
            text.encode(self.encoding)
        except (UnicodeEncodeError, LookupError):
            text = "".join(char if char.isascii() else escape(char) for char in text)
        self.write(text)

    def line(self, text: str = "") -> None:
        """Write one line."""
        self.write(text + "\n")

    def _let_go(self) -> None:
        """Forget the stream, and keep Python from complaining about it when it ends."""
        stream, self._stream = self._stream, None
        with contextlib.suppress(OSError, ValueError, AttributeError):
            nothing = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nothing, stream.fileno())  # type: ignore[union-attr]
            os.close(nothing)


def own_version() -> str:
    """The version of the installed project; "?" when it is run from a folder."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("hongwu-rules")
    except PackageNotFoundError:
        return "?"


def locale_language(environ: Mapping[str, str]) -> str:
    """``"zh"`` where the locale is Chinese, else ``"en"``; ``HONGWU_LANG`` wins.

    >>> locale_language({"LANG": "zh_CN.UTF-8"}), locale_language({"LC_ALL": "C", "LANG": "zh_CN.UTF-8"})
    ('zh', 'en')
    """
    for name in ("HONGWU_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = environ.get(name, "")
        if value:
            return "zh" if value.lower().startswith("zh") else "en"
    if sys.platform == "win32":
        import locale

        return "zh" if (locale.getlocale()[0] or "").lower().startswith(("zh", "chinese")) else "en"
    return "en"


def wants_colour(flag: str | None, environ: Mapping[str, str], *, terminal: bool) -> bool:
    """The flag decides, then FORCE_COLOR, then NO_COLOR, then whether it is a terminal that can.

    >>> wants_colour("never", {"FORCE_COLOR": "1"}, terminal=True), wants_colour(None, {"NO_COLOR": "1"}, terminal=True)
    (False, False)
    """
    if flag in ("always", "never"):
        return flag == "always"
    if environ.get("FORCE_COLOR"):
        return True
    if environ.get("NO_COLOR") or environ.get("TERM") == "dumb":
        return False
    return terminal


def _in_json(char: str) -> str:
    return json.dumps(char)[1:-1]


def _in_xml(char: str) -> str:
    return f"&#{ord(char)};"


@dataclass(slots=True)
class Session:
    """One run of the command."""

    lang: str
    format: str
    out: Output
    err: Output
    paint: Paint

    @property
    def version(self) -> str:
        """Our version, where the format has a place for it."""
        return own_version() if self.format == "sarif" else ""

    def pick(self, zh: str, en: str) -> str:
        """The sentence in the language of this run."""
        return zh if self.lang == "zh" else en

    def say(self, zh: str, en: str) -> None:
        """A line for people, on the standard output."""
        self.out.line(self.pick(zh, en))

    def data(self, data: object) -> None:
        """An answer as JSON."""
        self.out.exact(json.dumps(data, ensure_ascii=False, indent=1) + "\n", _in_json)

    @property
    def for_programs(self) -> bool:
        """Whether the answer is read by a program, so that nothing else may stand in it."""
        return self.format in ("json", "sarif", "junit")

    def show(self, result: render.Result) -> int:
        """Print what was found; the exit code."""
        text = render.FORMATS[self.format](result, self.lang, paint=self.paint)
        if self.for_programs:
            self.out.exact(text, _in_xml if self.format == "junit" else _in_json)
        else:
            self.out.write(text)
        return exit_code(result.diagnostics)

    def refuse(self, diagnostics: Sequence[Diagnostic], lines: Mapping[str, Sequence[str]] | None = None) -> int:
        """Say why the command could not be done, in the format asked for; the exit code."""
        checked = render.Checked("", diagnostics=tuple(diagnostics))
        result = render.Result((checked,), lines or {}, version=self.version)
        if self.format in ("text", "short", "github"):
            target = self.out if self.format == "github" else self.err
            paint = self.paint if target.terminal else Paint(on=False, encoding=target.encoding)
            target.write(render.findings(result, self.format, self.lang, paint=paint))
            return exit_code(result.diagnostics)
        return self.show(result)

    def refuse_one(self, code: str, text: Text, *help: Text, file: str = "") -> int:
        """`refuse` for one reason that has no line."""
        span = Span(file, 0, 0, 0, 0) if file else NOWHERE
        return self.refuse([Diagnostic(code, text, span, help=help)])

    def progress(self, zh: str, en: str) -> Progress:
        """A bar on the terminal's error output, called as ``progress(done, total)``; nothing elsewhere."""
        if not self.err.terminal or self.for_programs:
            return lambda done, total: None
        label, last = self.pick(zh, en), 0.0

        def draw(done: int, total: int) -> None:
            nonlocal last
            now = time.monotonic()
            if done >= total:
                self.err.write("\r\x1b[K")
            elif now - last >= _EVERY:
                last = now
                full = _BAR * done // max(total, 1)
                self.err.write(f"\r{label} [{'#' * full}{' ' * (_BAR - full)}] {done}/{total}")

        return draw

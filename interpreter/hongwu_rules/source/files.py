"""Files on disk as bytes, and the comments in a file that switch a finding off."""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from ..diagnostics import Findings, Span, Text
from ..errors import HongwuError
from .scan import Scanner
from .text import MAX_BYTES, Places, SourceFile

_IGNORE = re.compile(r"#\s*hongwu:\s*ignore\[([^\]]*)\]\s*(.*)")


class SourceIOError(HongwuError):
    """A file cannot be read: missing, a folder, no permission, not a plain file, or too big."""


def read_file(path: Path) -> bytes:
    """The bytes of a file of at most MAX_BYTES; SourceIOError says why not. Never waits for a pipe or a device."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise SourceIOError(Text(f"{path} 是文件夹，不是文件", f"{path} is a folder, not a file"))
        if not stat.S_ISREG(mode):
            raise SourceIOError(
                Text(f"{path} 不是普通文件（管道、设备之类）", f"{path} is not a regular file (a pipe or a device)")
            )
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with os.fdopen(handle, "rb") as stream:
            size = os.fstat(handle).st_size
            data = stream.read(MAX_BYTES + 1) if size <= MAX_BYTES else b""
    except FileNotFoundError:
        near = _nearest(path)
        zh, en = (f"，是不是 {near}？", f"; did you mean {near}?") if near else ("", "")
        raise SourceIOError(Text(f"没有这个文件：{path}{zh}", f"there is no file {path}{en}")) from None
    except PermissionError:
        raise SourceIOError(Text(f"没有权限读 {path}", f"no permission to read {path}")) from None
    except (OSError, ValueError, RuntimeError) as error:
        raise SourceIOError(Text(f"读不了 {path}：{error}", f"cannot read {path}: {error}")) from None
    size = max(size, len(data))
    if size > MAX_BYTES:
        raise SourceIOError(
            Text(
                f"{path} 太大：{size:,} 字节，最多 {MAX_BYTES:,} 字节",
                f"{path} is too big: {size:,} bytes, the limit is {MAX_BYTES:,}",
            )
        )
    return data


def _nearest(path: Path) -> str | None:
    try:
        names = sorted(entry.name for _, entry in zip(range(1000), os.scandir(path.parent), strict=False))
    except (OSError, ValueError):
        return None
    found = get_close_matches(path.name, names, n=1)
    return str(path.with_name(found[0])) if found else None


@dataclass(frozen=True, slots=True)
class Suppression:
    """``# hongwu: ignore[HW501] reason``: ``line`` is the line it speaks about, ``span`` where the comment is."""

    code: str
    line: int
    span: Span
    reason: str = ""


def suppressions(file: SourceFile) -> list[Suppression]:
    """The suppressions of a file, one for each code. A comment on a line of its own speaks about the next line.

    >>> from hongwu_rules.source.text import make_file
    >>> found = suppressions(make_file("x.yaml", b"", "a: 1  # hongwu: ignore[HW501] house rule"))
    >>> [(one.code, one.line, one.reason) for one in found]
    [('HW501', 1, 'house rule')]
    """
    if "hongwu:" not in file.text:
        return []
    places = Places(file.name, file.text)
    result: list[Suppression] = []
    for start, end in Scanner(places, file.text, Findings()).run().comments:
        found = _IGNORE.match(file.text, start, end)
        if not found:
            continue
        line = places.row(start)
        if not file.lines[line].lstrip().startswith("#"):
            line += 1
        else:
            line += 1
            while line < len(file.lines) and file.lines[line].lstrip()[:1] in ("", "#"):
                line += 1
            line += 1
        span = places.span(start, end)
        codes = [code.strip() for code in found[1].split(",")]
        result += [Suppression(code, line, span, found[2].strip()) for code in codes if code]
    return result

"""How wide text is on a terminal, and how a line of a file is shown so that every character is seen."""

from __future__ import annotations

import codecs
import re
import unicodedata

_PIECES = re.compile(r"[\u2e80-\u9fff\uff00-\uffef]\s*|[^\s\u2e80-\u9fff\uff00-\uffef]+\s*")
_PLAIN_SIGNS = str.maketrans({"→": ">", "…": "...", "“": '"', "”": '"', "‘": "'", "’": "'", "×": "x", "·": "-"})
_CONTROL_PICTURES = {code: chr(0x2400 + code) for code in range(0x20)} | {0x7F: "\u2421", ord("\t"): "→"}


def visible(char: str) -> str:
    """A character as an excerpt shows it: tabs and invisible characters get a visible stand-in.

    >>> visible("\\t"), visible("\\u200b"), visible("牌")
    ('→', '<U+200B>', '牌')
    """
    code = ord(char)
    if code in _CONTROL_PICTURES:
        return _CONTROL_PICTURES[code]
    if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
        return f"<U+{code:04X}>"
    return char


def width(text: str) -> int:
    """Columns that a text takes on a terminal.

    >>> width("红桃 H7"), width("e\\u0301")
    (7, 1)
    """
    total = 0
    for char in text:
        if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me"):
            continue
        total += 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1
    return total


def shown(text: str, encoding: str = "utf-8") -> str:
    """A piece of a line with every character visible, also where ``encoding`` has no such character.

    >>> shown("庄\\t1", "ascii")
    '\\\\u5e84>1'
    """
    return encodable("".join(map(visible, text)), encoding)


def encodable(text: str, encoding: str) -> str:
    """The text with stand-ins for what ``encoding`` cannot hold: plain signs for plain signs, else escapes."""
    try:
        text.encode(encoding)
        return text
    except (UnicodeEncodeError, LookupError):
        text = text.translate(_PLAIN_SIGNS)
        name = encoding if _known(encoding) else "ascii"
        return text.encode(name, "backslashreplace").decode(name)


def _known(encoding: str) -> bool:
    try:
        return bool(codecs.lookup(encoding))
    except LookupError:
        return False


_NO_START = "，。；：、！？）》”’,.;:!?)"


def wrap(text: str, columns: int) -> list[str]:
    """A paragraph as lines no wider than ``columns``: broken at spaces and between Chinese characters.

    >>> wrap("大王最大，小王其次。 BJ beats LJ", 12)
    ['大王最大，小', '王其次。 BJ', 'beats LJ']
    """
    lines, line = [], ""
    for piece in _PIECES.findall(" ".join(text.split())):
        if line and width(line + piece.rstrip()) > columns and piece[0] not in _NO_START:
            lines.append(line.rstrip())
            line = piece.lstrip()
        else:
            line += piece
    return [*lines, line.rstrip()] if line.strip() else lines


def utf16_column(line: str, column: int) -> int:
    """A column in code points (from 1) as a column in UTF-16 units, as editors and SARIF count.

    >>> utf16_column("😀 a", 3)
    4
    """
    before = line[: max(column - 1, 0)]
    return column + sum(ord(char) > 0xFFFF for char in before)

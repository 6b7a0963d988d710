"""Bytes to text to lines: encodings, places in a text, and the characters that only look like YAML's."""

from __future__ import annotations

import re
import string
from bisect import bisect_right
from contextlib import suppress
from dataclasses import dataclass

from ..diagnostics import Findings, Span, Text
from .nodes import Scalar

MAX_BYTES = 1 << 20
MAX_LINES = 50_000
MAX_NODES = 50_000
MAX_DEPTH = 64
MAX_FINDINGS = 300  # of this layer, in one file
WORDINGS = frozenset({"zh", "en"})
TEXT_KEYS = WORDINGS | {"title"}  # their values are prose

# YAML 1.2 and editors break lines at these only. NEL, LS and PS stay ordinary characters here, although PyYAML
# would break lines at them: they are handed to it under other names (see MASK).
_BREAK = re.compile(r"\r\n|\r|\n")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")

# Characters that would mean something to YAML, and what stands for them while it reads; put back afterwards.
_MASKED = "\x85\u2028\u2029\ufeff,[]{}:>|%@`\"'-*&!?#"
MASK = {char: chr(0xFDD0 + number) for number, char in enumerate(_MASKED)}
UNMASK = str.maketrans({mask: char for char, mask in MASK.items()})

ODD_SPACES = "\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
BREAKS_ELSEWHERE = "\x85\u2028\u2029"
INVISIBLE = "\xad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
COLONS = "：﹕︰"
_MEANT = {
    "，": ",", "、": ",", "﹐": ",", "；": ";", "（": "(", "）": ")", "［": "[", "］": "]", "【": "[", "】": "]",
    "〔": "[", "〕": "]", "｛": "{", "｝": "}", "“": '"', "”": '"', "„": '"', "‟": '"', "＂": '"', "「": '"', "」": '"',
    "『": '"', "』": '"', "‘": "'", "’": "'", "‚": "'", "＇": "'", "《": "<", "》": ">", "〈": "<", "〉": ">",
    "＃": "#", "－": "-", "−": "-", "–": "-", "‐": "-", "‑": "-", "。": ".", "．": ".", "…": "..", "！": "!", "？": "?",
    "＝": "=", "＋": "+", "＊": "*", "／": "/", "％": "%", "＆": "&", "｜": "|", "＞": ">", "＜": "<", "＠": "@",
    "＿": "_", "｀": "`", "＄": "$", "＾": "^", "～": "..", "＼": "\\",
}  # fmt: skip
_MEANT |= dict.fromkeys(COLONS, ":")
_MEANT |= {chr(ord(char) + 0xFEE0): char for char in string.digits + string.ascii_letters}
LOOKALIKE = re.compile("[" + "".join(map(re.escape, _MEANT)) + ODD_SPACES + BREAKS_ELSEWHERE + INVISIBLE + "]")
_NAMES = {
    "\xa0": Text("不换行空格", "a no-break space"),
    "\u3000": Text("全角空格", "a full-width space"),
    "\ufeff": Text("文件中间的 BOM（看不见）", "a byte order mark in the middle of the file (invisible)"),
    "\x85": Text("特殊换行符 NEL（看不见）", "the invisible line mark NEL"),
    "\u2028": Text("特殊换行符 LS（看不见）", "the invisible line mark LS"),
    "\u2029": Text("特殊换行符 PS（看不见）", "the invisible line mark PS"),
} | dict.fromkeys("“”‘’„‟‚", Text("弯引号", "a curly quotation mark"))
_NAMES |= dict.fromkeys(COLONS, Text("全角冒号", "a full-width colon"))
_NAMES |= {"，": Text("全角逗号", "a full-width comma"), "、": Text("顿号", "a Chinese list comma")}


def meant(char: str) -> str:
    """What the writer of a lookalike meant: the ASCII character, a space, or nothing."""
    if char in INVISIBLE:
        return ""
    return _MEANT.get(char, " ")


def describe(char: str) -> Text:
    """A lookalike in words, the character itself included where it can be seen."""
    if char in _NAMES:
        name = _NAMES[char]
    elif char in INVISIBLE:
        name = Text("看不见的零宽字符", "an invisible character")
    elif char in ODD_SPACES:
        name = Text("特殊空格", "an unusual space")
    elif meant(char).isalnum():
        name = Text("全角的数字或字母", "a full-width digit or letter")
    else:
        name = Text("全角符号", "a full-width sign")
    if meant(char).strip():
        return Text(f"{name.zh}“{char}”", f"{name.en} `{char}`")
    return Text(f"{name.zh} U+{ord(char):04X}", f"{name.en} U+{ord(char):04X}")


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file as read. ``lines`` are without their ends, which may be LF, CRLF or CR."""

    name: str
    data: bytes
    text: str
    lines: tuple[str, ...]


class Places:
    """Offsets of a text as lines and columns."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.size = len(text)
        self.starts = [0]
        self.ends: list[int] = []
        for found in _BREAK.finditer(text):
            self.ends.append(found.start())
            self.starts.append(found.end())
        self.ends.append(len(text))

    def row(self, offset: int) -> int:
        """The line of an offset, from 0."""
        return bisect_right(self.starts, offset) - 1

    def line_end(self, offset: int) -> int:
        """Where the line of this offset ends, its line break left out."""
        return self.ends[self.row(offset)]

    def span(self, start: int, end: int) -> Span:
        """The span of a piece of the text."""
        start = min(max(start, 0), self.size)
        end = min(max(end, start), self.size)
        starts = self.starts
        row = last = bisect_right(starts, start) - 1
        if row + 1 < len(starts) and end >= starts[row + 1]:
            last = self.row(end)
        return Span(self.name, row + 1, start - starts[row] + 1, last + 1, end - starts[last] + 1)


def make_file(name: str, data: bytes, text: str) -> SourceFile:
    """The file of a decoded text."""
    return SourceFile(name, data, text, tuple(_BREAK.split(text)))


def _guess_utf16(data: bytes) -> str | None:
    if data[:4] in (b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff"):
        return "utf-32"
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf-16"
    head = data[:4096]
    if len(head) >= 4 and len(data) % 2 == 0:
        low, high = head[::2].count(0), head[1::2].count(0)
        if high * 5 > len(head) and low == 0:
            return "utf-16-le"
        if low * 5 > len(head) and high == 0:
            return "utf-16-be"
    return None


def decode(name: str, data: bytes, findings: Findings) -> tuple[SourceFile, bool]:
    """The text of a file, and whether it can be used; findings HW005 HW008 HW001 (control bytes)."""
    if len(data) > MAX_BYTES:
        findings.add(
            "HW005",
            Span(name, 1, 1, 1, 1),
            f"文件太大：{len(data):,} 字节，最多 {MAX_BYTES:,} 字节",
            f"the file is too big: {len(data):,} bytes, the limit is {MAX_BYTES:,}",
            help=(Text("确认这是一个玩法文件", "make sure that this is a ruleset"),),
        )
        return make_file(name, data, ""), False
    wide = _guess_utf16(data)
    bad = 0
    if wide is None:
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            bad = error.start
        else:
            text = text.removeprefix("\ufeff")
            file = make_file(name, data, text)
            return file, not _controls(file, findings)
    return _undecodable(name, data, wide, bad, findings), False


def _undecodable(name: str, data: bytes, wide: str | None, bad: int, findings: Findings) -> SourceFile:
    """Report HW008 with the likely encoding; the file gets the text of that guess, so that lines can be shown."""
    label = {"utf-32": "UTF-32"}.get(wide, "UTF-16") if wide else ""
    text = data.decode(wide, "replace").removeprefix("\ufeff") if wide else data.decode("utf-8", "replace")
    if not wide:
        broken = text.count("\ufffd")
        readable = sum(char > "\x7f" for char in text) - broken
        if broken > readable and broken > 1:
            with suppress(UnicodeDecodeError):
                text, label = data.decode("gb18030"), "GBK"
    file = make_file(name, data, text)
    good = data[:bad].decode("utf-8", "ignore").removeprefix("\ufeff")
    span = Places(name, good).span(len(good), len(good))
    span = span._replace(end_column=span.column + 1)
    save = Text("在编辑器里“另存为”，编码选 UTF-8", "save it again with the encoding UTF-8")
    if label:
        zh, en = f"文件的编码像是 {label}，不是 UTF-8", f"the file looks like {label}, not UTF-8"
    else:
        zh = f"文件不是 UTF-8：这里的字节 0x{data[bad]:02X} 读不出来"
        en = f"the file is not UTF-8: the byte 0x{data[bad]:02X} here cannot be read"
    findings.add("HW008", span, zh, en, help=(save,))
    return file


def _controls(file: SourceFile, findings: Findings) -> bool:
    places: Places | None = None
    for number, found in enumerate(_CONTROL.finditer(file.text)):
        if number == 20:
            break
        places = places or Places(file.name, file.text)
        code = ord(found[0])
        findings.add(
            "HW001",
            places.span(found.start(), found.end()),
            f"这里有一个看不见的控制字符 U+{code:04X}，YAML 里不能有",
            f"here is an invisible control character, U+{code:04X}, which YAML does not allow",
            help=(Text("删掉它，或从干净的副本重新粘贴", "delete it, or paste the text again from a clean copy"),),
        )
    return places is not None


_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|[ \t]*(\r\n|\r|\n)[ \t]*|(.))", re.S)
_SHORT = dict(zip('0abtnvfre "/\\N_LP\t', '\0\a\b\t\n\v\f\r\x1b "/\\\x85\xa0\u2028\u2029\t', strict=True))


def _units(raw: str, quote: str) -> list[tuple[str, int, int]]:
    """The characters that a written scalar stands for, each with the offsets of how it is written."""
    units: list[tuple[str, int, int]] = []
    i = 0
    while i < len(raw):
        width, char = 1, raw[i]
        if quote == "'" and raw.startswith("''", i):
            width = 2
        elif quote == '"' and char == "\\" and (found := _ESCAPE.match(raw, i)):
            width = len(found[0])
            code = found[1] or found[2] or found[3]
            if code:
                char = chr(min(int(code, 16), 0x10FFFF))
            else:
                char = "" if found[4] else _SHORT.get(found[5], found[5])
        if char:
            units.append((char, i, i + width))
        i += width
    return units


def locate(file: SourceFile, scalar: Scalar, start: int, end: int) -> Span:
    """The place in the file of ``value[start:end]`` of a string scalar, also when it is folded over lines."""
    span = scalar.span
    value = scalar.value
    if not isinstance(value, str) or not 0 < span.line <= span.end_line <= len(file.lines):
        return span
    if span.line == span.end_line:  # mostly it is written as it reads
        at = span.column + (scalar.style == "quoted")  # of its first character
        if file.lines[span.line - 1][at - 1 : span.end_column - (scalar.style == "quoted") - 1] == value:
            start = min(max(start, 0), len(value))
            return span._replace(column=at + start, end_column=at + min(max(end, start), len(value)))
    rows = list(file.lines[span.line - 1 : span.end_line])
    rows[-1] = rows[-1][: span.end_column - 1]
    offset = span.column - 1
    raw = "\n".join(rows)
    quote = raw[offset : offset + 1] if scalar.style == "quoted" else ""
    body = raw[offset + len(quote) : len(raw) - len(quote)]
    base = offset + len(quote)
    units = _units(body, quote)
    if len(units) == len(value) and "\n" not in body:
        spots = [(base + a, base + b) for _, a, b in units]
    else:
        spots = _align(value, units, base)
    spots.append((base + len(body),) * 2)
    start = min(max(start, 0), len(value))
    end = min(max(end, start), len(value))
    first = spots[start][0]
    last = spots[end - 1][1] if end > start else first
    places = Places(file.name, raw)
    found = places.span(first, max(first, last))
    return found._replace(line=found.line + span.line - 1, end_line=found.end_line + span.line - 1)


def _align(value: str, units: list[tuple[str, int, int]], base: int) -> list[tuple[int, int]]:
    """Folding changes only white space: walk value and written form side by side by the other characters."""
    spots: list[tuple[int, int]] = []
    j = 0
    for char in value:
        if char not in " \t\n":
            while j < len(units) and units[j][0] in " \t\n" and units[j][0] != char:
                j += 1
        if j < len(units):
            blank = units[j][0] in " \t\n"
            spot = (base + units[j][1], base + units[j][2])
            if char in " \t\n" and not blank:  # no room left: folded away
                spot = (spot[0], spot[0])
            else:
                j += 1
        else:
            spot = (base + units[-1][2],) * 2 if units else (base, base)
        spots.append(spot)
    return spots

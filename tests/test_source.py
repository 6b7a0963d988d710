"""Raw bytes to a tree with places: each slip of typing gives one finding, where it is, in plain words."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hongwu_rules.diagnostics import Findings
from hongwu_rules.source import reader as source
from hongwu_rules.source.nodes import Mapping, Node, Scalar, Sequence, plain
from hongwu_rules.source.reader import MAX_BYTES, SourceFile, SourceIOError, locate, parse, read_file, suppressions

GAME = Path(__file__).parent.parent / "rulesets"
LOADERS = ["C", "pure"] if hasattr(yaml, "CSafeLoader") else ["pure"]


@pytest.fixture(params=LOADERS)
def loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both parsers of PyYAML, which differ in what they accept."""
    monkeypatch.setattr(source, "LOADER", yaml.CSafeLoader if request.param == "C" else yaml.SafeLoader)


def read(text: str | bytes) -> tuple[SourceFile, Mapping | None, list[str]]:
    findings = Findings()
    file, root = parse("x.yaml", text.encode() if isinstance(text, str) else text, findings)
    return file, root, [f"{one.code} {one.span.line}:{one.span.column}" for one in findings.items]


def codes(text: str | bytes) -> str:
    return ", ".join(read(text)[2])


# Each row: the bad file, and what must be found: code, line and column, by hand. The number is that of the list of bad
# inputs in the design.
BAD = {
    "06 empty": ("", "HW007 1:1"),
    "06 blanks": ("\n  \n\n", "HW007 1:1"),
    "07 comments": ("# nothing\n  # at all\n", "HW007 1:1"),
    "08 marker only": ("---\n", "HW007 1:1"),
    "09 two documents": ("a: 1\n---\nb: 2\n", "HW007 2:1"),
    "09 two documents after an end mark": ("a: 1\n...\nb: 2\n", "HW007 3:1"),
    "10 list": ("# x\n- a\n- b\n", "HW007 2:1"),
    "11 full-width colon alone": ("庄家：4", "HW004 1:3"),
    "11 full-width colon first": ("庄家：4\nseats: 4\n", "HW004 1:3"),
    "11 full-width colon between": ("a: 1\n庄家：4\nb: 2\n", "HW004 2:3"),
    "11 full-width colon with space": ("a: 1\n  \nseats： 4\n", "HW004 3:6"),
    "11 full-width colon over a section": ("deck：\n  packs: 2\n", "HW004 1:5"),
    "11 full-width colon, text": ("zh：你好，世界\nen: x\n", "HW004 1:3"),
    "11 full-width colon in flow": ("a: {zh: 好, en：x}\n", "HW004 1:14"),
    "11 text root": ("hello\n", "HW007 1:1"),
    "12 tab indent": ("a:\n  b:\n\t c: 1\n", "HW001 3:1"),
    "12 tab behind spaces": ("a:\n  \tb: 1\n", "HW001 2:3"),
    "12 tabs all over": ("a:\n\tb: 1\n\tc: 1\n\td: 1\n", "HW001 2:1"),
    "12 tab in brackets": ("a: {b: 1,\n\tc: 2}\n", "HW001 2:1"),
    "12 tab in a block": ("a: >-\n\tb\n", "HW001 2:1"),
    "13 tab after colon": ("a:\tb\nc: 1\n", "HW001 1:3"),
    "13 tab after dash": ("a:\n  -\tb\n", "HW001 2:4"),
    "14 NEL": ("a: 1\r\nb: 2\rc: x\x85y\n", "HW004 3:5"),
    "14 LS": ("a: 1\nb: x\u2028y\n", "HW004 2:5"),
    "16 BOM inside": ("a: 1\n\ufeffb: 2\n", "HW004 2:1"),
    "19 NUL": ("a: 1\nb: 好\0\n", "HW001 2:5"),
    "19 control": ("a: \x07\n", "HW001 1:4"),
    "20 surrogate": (b"a: 1\nb: \xed\xa0\x80", "HW008 2:4"),
    "20 overlong": (b"a: \xc0\xaf", "HW008 1:4"),
    "21 zero-width in a key": ("pa\u200bcks: 2\n", "HW004 1:3"),
    "22 NBSP indent": ("a:\n\xa0 b: 1\n", "HW004 2:1"),
    "22 full-width indent": ("a:\n\u3000b: 1\n", "HW004 2:1"),
    "22 full-width space after colon": ("a:\u3000b\n", "HW004 1:3"),
    "23 curly quotes": ("a: “x”\n", "HW004 1:4"),
    "23 full-width comma in an expression": ("that: f(a，b)\n", "HW004 1:10"),
    "23 full-width comma in a folded expression": ("a:\n  that: >-\n    f(a，b)\n", "HW004 3:8"),
    "23 full-width brackets": ("that: （a or b）\n", "HW004 1:7"),
    "23 full-width comma in a list": ("a: [大王，小王]\n", "HW004 1:7"),
    "23 full-width comma before a key": ("a: {zh: 好，en: x}\n", "HW004 1:10"),
    "25 double quote": ('a: 1\nb: "x\nc: 2\nd: 3\n', "HW001 2:4"),
    "25 single quote, another one below": ("a: 'x\nb: 'y'\n", "HW001 1:4"),
    "26 list": ("a: [1, 2\nb: 3\nc: 4\n", "HW001 1:4"),
    "26 mapping": ("a: {b: 1\nc: 4\n", "HW001 1:4"),
    "26 inner": ("a: {x: [1, 2}\nb: 1\n", "HW001 1:8"),
    "26 never closed": ("a: [1,\n  2,\n", "HW001 1:4"),
    "26 one too many": ("b: [1]]\n", "HW001 1:7"),
    "26 missing comma": ("a: {b: 1 c: 2}\n", "HW001 1:10"),
    "27 two colons": ("a: b: c\n", "HW001 1:5"),
    "27 two colons in a text": ("zh: 注意: 不行\n", "HW001 1:7"),
    "28 no space": ("a:1\nb: 2\n", "HW001 1:2"),
    "28 no space below": ("a:\n  b:1\nc: 2\n", "HW001 2:4"),
    "28 no space in flow": ("a: {b:1, c: 2}\n", "HW001 1:6"),
    "28 no colon": ("b: 1\n庄家 4\nc: 2\n", "HW001 2:1"),
    "28 no colon at the top": ("庄家 4\nc: 2\n", "HW001 1:1"),
    "29 dedent": ("a:\n    b: 1\n  c: 2\n", "HW001 3:3"),
    "29 too deep": ("a: 1\n  b: 2\n", "HW001 2:3"),
    "30 dash among keys": ("a:\n  b: 1\n  - c\n", "HW001 3:3"),
    "30 dash below a value": ("do: x\n  - a\n", "HW001 2:3"),
    "30 key among dashes": ("- a\nb: 1\n", "HW001 2:1"),
    "32 twice": ("a: 1\nb: {c: 1, c: 2}\na: 3\n", "HW002 2:11, HW002 3:1"),
    "33 number and text": ('1: a\n"1": b\n', "HW002 2:1"),
    "24 full-width digit": ("５: 1\n5: 2\n", "HW004 1:1, HW002 2:1"),
    "24 full-width letters": ("a: ｂａｓｅ\nzh: ２\n", "HW004 1:4"),
    "24 full-width tilde": ("a: 0～10\n", "HW004 1:5"),
    "34 complex key": ("? [a]\n: 1\n", "HW006 1:1"),
    "34 list as key": ("[a]: 1\nb: 1\n", "HW006 1:1"),
    "35 empty key": ("a: 1\n: 1\n", "HW006 2:1"),
    "35 null key": ("null: 1\n~: 2\na: 1\n", "HW006 1:1, HW006 2:1"),
    "36 long key": ("a: 1\n" + "k" * 2000 + ": 1\n", "HW001 2:1"),
    "37 no": ("a: no\non: 1\noff: 2\n", "HW003 1:4, HW003 2:1, HW003 3:1"),
    "38 numbers": ("a: [1:2, 010, 1_000, 0x1F, 1e3]\n", "HW003 1:5, HW003 1:10, HW003 1:15, HW003 1:22, HW003 1:28"),
    "39 date": ("a: 2024-13-45\n", "HW003 1:4"),
    "40 5000 digits": ("a: " + "9" * 5000, "HW005 1:4"),
    "41 infinity": ("a: .inf\nb: .NaN\n", "HW003 1:4, HW003 2:4"),
    "42 tags": ("a: !!bool foo\nb: !!timestamp foo\nc: !!int x\n", "HW006 1:4, HW006 2:4, HW006 3:4"),
    "42 python": ("a: !!python/object:os.system {}\n", "HW006 1:4"),
    "43 include": ("a: !include x\n", "HW006 1:4"),
    "44 merge": ("a: 1\n<<: {b: 1}\n", "HW006 2:1"),
    "44 merge of a scalar": ("<<: 1\n", "HW006 1:1"),
    "45 undefined alias": ("a: *x\n", "HW006 1:4"),
    "45 anchors": ("a: &y 1\nb: &y 2\n", "HW006 1:4, HW006 2:4"),
    "46 recursive": ("a: &a [*a]\n", "HW006 1:4, HW006 1:8"),
    "48 flow": ("a: " + "[" * 64 + "]" * 64, "HW005 1:67"),  # the mapping is level 1, so bracket 64 is level 65
    "48 flow, 100000": ("a: " + "[" * 100_000, "HW005 1:67"),
    "48 dashes": ("- " * 100_000, "HW005 1:129"),
    "48 block": ("".join(" " * i + "a:\n" for i in range(70)), "HW005 65:65"),
    "51 rows": ("a:\n" + "- 1\n" * 100_000, "HW005 50000:1"),
    "59 operator first": ("that: >= 5\n", "HW001 1:7"),
    "59 percent first": ("that: % 5\n", "HW001 1:7"),
    "59 bracket first": ("that: [a, b] == c\n", "HW009 1:7"),
    "59 set first": ("that: {2, 3} == c\nb: 1\n", "HW009 1:7"),
    "59 quote first": ('that: "a" == b\n', "HW001 1:11"),
    "59 announcing nothing": ("that: >\nb: 1\n", "HW001 1:7"),
    "flow call": ("x: {if: beats(a, b), to: x}\n", "HW009 1:9"),
    "flow calls": ("x: {if: f(a, b), or: g(c, b)}\n", "HW009 1:9, HW009 1:22"),
    "flow index": ("x: {set: x[1]}\n", "HW009 1:10"),
    "flow set": ("x: {if: a in {1, 2}, to: x}\n", "HW009 1:9"),
    "flow list": ("do: [move(a, b), stop]\n", "HW009 1:6"),
    "flow text": ("x: {zh: 好, en: You may, if you like}\n", "HW009 1:16"),
    "directive": ("%YAML 1.2\n---\na: 1\n", "HW006 1:1"),
    "escape": ('a: "\\q"\n', "HW001 1:5"),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.usefixtures("loader")
def test_bad(name: str) -> None:
    text, expected = BAD[name]
    assert codes(text) == expected


@pytest.mark.parametrize("name", BAD)
def test_every_finding_has_two_languages(name: str) -> None:
    findings = Findings()
    parse("x.yaml", BAD[name][0].encode() if isinstance(BAD[name][0], str) else BAD[name][0], findings)
    for one in findings.items:
        for text in (one.message, *one.help, *(r.text for r in one.related)):
            assert text.zh and text.en
            assert "{}" not in text.zh + text.en
            shown = re.sub(r"`[^`]*`|zh: [^,]*", "", text.en)
            assert not re.search("[\u4e00-\u9fff]", shown)
        assert one.help


GOOD = {
    "15 BOM": (b"\xef\xbb\xbfa: 1\n", {"a": 1}),
    "14 line ends": ("a: 1\r\nb: 2\rc: 3\n", {"a": 1, "b": 2, "c": 3}),
    "tabs that mean nothing": ("a: b\t\nc: d\t# x\n\t\n\t# y\ne: f\tg\n", {"a": "b", "c": "d", "e": "f g"}),
    "31 no value": ("moves:\nb: {c: , d:}\n", {"moves": None, "b": {"c": None, "d": None}}),
    "plain words": (
        "a: [0..8, 5.., ..0, -3, 1.5, A..3, =, none]\n",
        {"a": ["0..8", "5..", "..0", -3, 1.5, "A..3", "=", "none"]},
    ),
    "rank lists": ("a: 2 3 010\nb: [2, 10, K]\n", {"a": "2 3 010", "b": [2, 10, "K"]}),
    "text is left alone": (
        "title: {zh: 红五（太湖）, en: no}\nx:\n  zh: 好，（是）：“对”\n  en: \"a，b\"\n  y: '，'  # ，\n",
        {"title": {"zh": "红五（太湖）", "en": "no"}, "x": {"zh": "好，（是）：“对”", "en": "a，b", "y": "，"}},
    ),
    "folded": ("a: >-\n  b and\n  c\n\nd: e\n  f\n", {"a": "b and c", "d": "e f"}),
    "question mark in flow": ("place: {is: seat?, cite: D1}\n", {"place": {"is": "seat?", "cite": "D1"}}),
    "url": ("a: http://x.y/z\n", {"a": "http://x.y/z"}),
    "names": ("score[seat]: int = 0\n红五(card): card == H5\n", {"score[seat]": "int = 0", "红五(card)": "card == H5"}),
    "list at the level of its key": ("a:\n- b\n- c: 1\n  d: 2\ne: 1\n", {"a": ["b", {"c": 1, "d": 2}], "e": 1}),
    "true as a key": ("true: false\nb: ~\n", {"true": False, "b": None}),
    "a suit with a variation mark": ("a: ♥️5 🂱\n", {"a": "♥️5 🂱"}),
    "quotes over lines": ('a: "b\n  c"\nd: 1\n', {"a": "b c", "d": 1}),
}


@pytest.mark.parametrize("name", GOOD)
@pytest.mark.usefixtures("loader")
def test_good(name: str) -> None:
    text, expected = GOOD[name]
    _, root, found = read(text)
    assert found == []
    assert root is not None
    assert plain(root) == expected
    assert [type(v) for v in plain(root).values()] == [type(v) for v in expected.values()]


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("庄家：4\nb: 1\n", {"庄家": 4, "b": 1}),
        ("x: {if: beats(a, b), to: x}\n", {"x": {"if": "beats(a, b)", "to": "x"}}),
        ("x: {set: x[1]}\n", {"x": {"set": "x[1]"}}),
        ("a: {zh: 好，en: x}\n", {"a": {"zh": "好", "en": "x"}}),
        ("that: {2, 3} == c\n", {"that": "{2, 3} == c"}),
        ("a: {b: 甲、乙}\n", {"a": {"b": "甲,乙"}}),
        ("pa\u200bcks: 2\n", {"packs": 2}),
    ],
)
def test_repaired(text: str, tree: object) -> None:
    """One slip, one finding: the tree is the one that was meant, so that nothing else is found in it."""
    _, root, found = read(text)
    assert len(found) == 1
    assert root is not None
    assert plain(root) == tree


def test_related_places() -> None:
    findings = Findings()
    parse("x.yaml", b"a: 1\nb: 2\na: 3\n", findings)
    assert [(r.span.line, r.span.column) for r in findings.items[0].related] == [(1, 1)]
    findings = Findings()
    parse("x.yaml", b"a: {x: [1, 2}\n", findings)
    assert [(r.span.line, r.span.column) for r in findings.items[0].related] == [(1, 13)]


def test_empty_file_shows_a_start_that_is_good() -> None:
    findings = Findings()
    parse("x.yaml", b"", findings)
    starter = findings.items[0].help[0].en.split("\n", 1)[1]
    assert len(starter.splitlines()) == 5
    assert codes(starter) == ""


@pytest.mark.parametrize(
    ("data", "word"),
    [
        ("name: 大连红五\n".encode("gbk"), "GBK"),
        ("name: 大连\n".encode("utf-16"), "UTF-16"),
        (b"a: 1\nb: 2\n".decode().encode("utf-16-le"), "UTF-16"),
        (b"a: 1\nb: 2\n".decode().encode("utf-32"), "UTF-32"),
    ],
)
def test_encodings_are_guessed(data: bytes, word: str) -> None:
    findings = Findings()
    file, root = parse("x.yaml", data, findings)
    assert root is None
    assert [one.code for one in findings.items] == ["HW008"]
    assert word in findings.items[0].message.en
    assert word in findings.items[0].message.zh
    assert file.lines[0].startswith(("name: 大连", "a: 1"))


def test_too_many_bytes() -> None:
    _, root, found = read(b"#" * (MAX_BYTES + 1))
    assert root is None
    assert found == ["HW005 1:1"]


def alias_bomb() -> str:
    lines = ["a0: &a0 [x, x]"] + [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 9)]
    return "\n".join(lines)


HEAVY = {
    "alias bomb": alias_bomb(),
    "rows": "- {a: 1, b: 2}\n" * 60_000,
    "one line": "a: " + "x" * 1_000_000,
    "quotes": "a: [" + '"' * 500_000,
    "full-width": "：" * 300_000,
    "cut expressions": "{a: (b, " * 100_000,
    "slips": "a：b\n" * 40_000,
    "colons": "a: " * 300_000,
    "tabs": "\t" * 1_000_000,
    "comments": "#\n" * 40_000,
    "anchors": "&a " * 300_000,
}


@pytest.mark.parametrize("name", HEAVY)
def test_heavy_files_are_quick(name: str) -> None:
    start = time.process_time()
    _, root, found = read(HEAVY[name][:MAX_BYTES].encode()[:MAX_BYTES])
    assert time.process_time() - start < 5  # well below one on a quiet machine; minutes where anything is quadratic
    assert root is not None or found
    assert len(found) <= 300


# -- places


def scalars(node: Node) -> list[Scalar]:
    if isinstance(node, Scalar):
        return [node]
    if isinstance(node, Sequence):
        return [found for item in node.items for found in scalars(item)]
    return [found for entry in node.entries for found in (entry.key, *scalars(entry.value))]


def piece(file: SourceFile, scalar: Scalar, start: int, end: int) -> str:
    span = locate(file, scalar, start, end)
    assert span.line == span.end_line
    return file.lines[span.line - 1][span.column - 1 : span.end_column - 1]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("a: one two three\n", "two"),
        ("a: 'one ''x'' two'\n", "two"),
        ('a: "one \\u0041\\n two"\n', "two"),
        ('a: "one\n  two\n\n  three"\n', "three"),
        ("a: one\n  two\n  three\n", "three"),
        ("a: >-\n  one\n  two  three\n", "three"),
        ("a: |\n  one\n    two\n  three\n", "three"),
        ("a:\r\n  - b: 🂱 红五 two\r\n", "two"),
        ("x: {a: 红 f(one, two), b: 1}\n", "two"),
        ("b: 1\n庄家：one two\n", "two"),
    ],
)
def test_locate(text: str, word: str) -> None:
    file, root, _ = read(text)
    assert root is not None
    scalar = next(one for one in scalars(root) if isinstance(one.value, str) and word in one.value)
    at = str(scalar.value).index(word)
    assert piece(file, scalar, at, at + len(word)) == word
    assert locate(file, scalar, -5, 10_000).line == scalar.span.line  # never raises


@pytest.mark.parametrize("path", sorted(GAME.rglob("*.yaml")), ids=lambda path: path.name)
def test_bundled_rulesets(path: Path) -> None:
    """No finding, and every word of every value is found again at its place."""
    data = path.read_bytes()
    file, root, found = read(data)
    assert found == []
    assert root is not None
    for scalar in scalars(root):
        if isinstance(scalar.value, str):
            at = 0
            for word in scalar.value.split():
                at = scalar.value.index(word, at)
                assert piece(file, scalar, at, at + len(word)) == word
                at += len(word)


def test_spans() -> None:
    text = "a:\n  b: [1,\n    2]\n\n  # c\n\nd:\ne:\n  -\n  - x: 1\nf: >-\n    g\n    h\n\n\ni: 'j'\n"
    _, root, _ = read(text)
    assert root is not None
    ends = {str(e.key.value): (e.value.span[1:]) for e in root}
    assert ends["a"] == (2, 3, 3, 7)  # the block ends with its last child, not at the next key
    assert ends["d"] == (7, 1, 7, 2)  # nothing there: the place of the key
    assert ends["e"] == (9, 3, 10, 9)
    assert ends["f"] == (12, 5, 13, 6)
    assert ends["i"] == (16, 4, 16, 7)
    listed = root.get("e")
    assert isinstance(listed, Sequence)
    assert listed.items[0].span[1:] == (9, 3, 9, 4)  # nothing there: the dash
    assert root.span[1:] == (1, 1, 16, 7)
    styles = [e.value.style for e in root if isinstance(e.value, Scalar)]
    assert styles == ["plain", "block", "quoted"]


def test_written_text() -> None:
    _, root, _ = read('a: 1.50\nb: "x"\ntrue: ~\nc: 007\n')
    assert root is not None
    assert [s.text for s in scalars(root)] == ["a", "1.50", "b", "x", "true", "~", "c", "007"]


# -- suppressions


def test_suppressions() -> None:
    text = (
        "a: 1  # hongwu: ignore[HW501] house rule\n"
        "# hongwu: ignore[HW301, HW302]\n"
        "# and why\n"
        "b: 2\n"
        "c: '# hongwu: ignore[HW401]'\n"
        "d: |\n"
        "  # hongwu: ignore[HW402]\n"
        "e: x#hongwu: ignore[HW403]\n"
        "f: {g: 1, # hongwu:ignore[HW404]\n"
        "  h: 2}\n"
    )
    file = read(text)[0]
    found = [(s.code, s.line, s.span.line, s.span.column, s.reason) for s in suppressions(file)]
    assert found == [
        ("HW501", 1, 1, 7, "house rule"),
        ("HW301", 4, 2, 1, ""),
        ("HW302", 4, 2, 1, ""),
        ("HW404", 9, 9, 11, ""),
    ]


# -- files


def test_read_file(tmp_path: Path) -> None:
    good = tmp_path / "good.yaml"
    good.write_bytes(b"a: 1\n")
    assert read_file(good) == b"a: 1\n"
    with pytest.raises(SourceIOError, match=r"did you mean .*good\.yaml"):
        read_file(tmp_path / "godo.yaml")
    with pytest.raises(SourceIOError, match="folder"):
        read_file(tmp_path)
    big = tmp_path / "big.yaml"
    with big.open("wb") as stream:
        stream.truncate(10_000_000)
    with pytest.raises(SourceIOError, match="10,000,000"):
        read_file(big)
    with pytest.raises(SourceIOError):
        read_file(tmp_path / "a\0b")


def test_read_file_never_waits(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    ring = tmp_path / "ring"
    ring.symlink_to(ring)
    for path in (pipe, Path("/dev/zero")):
        with pytest.raises(SourceIOError, match="not a regular file"):
            read_file(path)
    with pytest.raises(SourceIOError):
        read_file(ring)


def test_read_file_without_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(13, "no")

    closed = tmp_path / "closed.yaml"
    closed.write_bytes(b"")
    monkeypatch.setattr(os, "open", refuse)  # the mode bits do not stop the superuser
    with pytest.raises(SourceIOError, match="permission"):
        read_file(closed)


# -- whatever the bytes

SAMPLE = """\
title: {zh: 红五（海）, en: Red Five}
memory:
  deal:
    score[seat]: {is: int = 0, zh: 得分, en: score}
phases:
  play:   # a comment
    round: once
    moves:
      take:
        pick: hand[seat]
        count: 1..8
        require:
          own:
            that: >-
              all(c.rank == 5 for c in picked)
              and seat != 3
            zh: "不行: 不对"
            en: 'no'
    next:
      - play when x[1] > 2
      - done
"""
SIGNS = st.sampled_from(
    [*"：，（）“”\u3000\xa0\u200b\ufeff\u2028\x85\t[]{}()'\"#:,-&*!|>%@`?<~\\ \n\r\0", "\r\n", "- ", ": ", "---", "\n\t", "{a: f(b, c)}"]
)  # fmt: skip
EDITS = st.lists(
    st.tuples(st.integers(0, len(SAMPLE)), st.integers(0, 12), st.one_of(st.just(""), SIGNS)), min_size=1, max_size=5
)


def survives(data: bytes) -> None:
    findings = Findings()
    start = time.process_time()
    file, root = parse("x.yaml", data, findings)
    assert time.process_time() - start < 5
    suppressions(file)
    assert root is not None or any(one.code != "HW003" for one in findings.items)
    for one in findings.items:
        span = one.span
        assert 1 <= span.line <= span.end_line <= len(file.lines)
        assert 1 <= span.column <= len(file.lines[span.line - 1]) + 2
    if root is not None:
        for scalar in scalars(root):
            locate(file, scalar, 1, 3)


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    survives(data)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.one_of(SIGNS, st.sampled_from(["a", "红", "1", "zh", "x: ", "\n  "])), max_size=40))
def test_any_signs(parts: list[str]) -> None:
    survives("".join(parts).encode("utf-8", "surrogatepass"))


@pytest.mark.usefixtures("loader")
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(EDITS)
def test_any_mutation(edits: list[tuple[int, int, str]]) -> None:
    text = SAMPLE
    for at, length, new in edits:
        text = text[:at] + new + text[at + length :]
    survives(text.encode())


@settings(max_examples=100, deadline=None)
@given(EDITS.filter(lambda edits: not any("!" in new or "&" in new or "*" in new for _, _, new in edits)))
def test_both_loaders_read_the_same(edits: list[tuple[int, int, str]]) -> None:
    text = SAMPLE
    for at, length, new in edits:
        text = text[:at] + new + text[at + length :]
    results = []
    kept = source.LOADER
    try:
        for source.LOADER in (kept, yaml.SafeLoader):
            _, root, found = read(text)
            results.append((root, found))
    finally:
        source.LOADER = kept
    assert results[0] == results[1]

"""The formats of findings: excerpts with carets, colours, limits, and what programs read."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET

import pytest

from hongwu_rules.diagnostics import Diagnostic, Related, Span, Text
from hongwu_rules.diagnostics.codes import CODES
from hongwu_rules.diagnostics.excerpt import Paint, block
from hongwu_rules.diagnostics.render import FORMATS, MOST, Checked, Result, sort
from hongwu_rules.diagnostics.width import encodable, shown, utf16_column, width, wrap

LINES = {
    "a.yaml": [
        "phases:",
        "  末墩:",
        "    do:",
        "      - count",
        "    next:",
        "      - settel",
    ],
    "base.yaml": ["每人: 25", "底牌: 8"],
}
UNKNOWN = Diagnostic(
    "HW302",
    Text("没有阶段 settel", 'unknown phase "settel"'),
    Span("a.yaml", 6, 9, 6, 15),
    related=(Related(Text("去路属于这个阶段", "the way on belongs to this phase"), Span("a.yaml", 2, 3, 2, 5)),),
    help=(Text("是不是 `settle`？", "did you mean `settle`?"),),
)
WARNING = Diagnostic("HW301", Text("走不到", "unreachable"), Span("a.yaml", 2, 3, 2, 5))


def result(*found: Diagnostic, **more: object) -> Result:
    return Result((Checked("a.yaml", ("a.yaml", "base.yaml"), found, checks=64),), LINES, 0.31)


def test_a_block_shows_the_lines_with_carets_and_labels() -> None:
    assert block(UNKNOWN, LINES, "en").splitlines() == [
        'error[HW302] unknown phase "settel"',
        "  --> a.yaml:6:9",
        "    |",
        "  2 |   末墩:",
        "    |   ---- the way on belongs to this phase",
        "...",
        "  6 |       - settel",
        "    |         ^^^^^^",
        "    |",
        "    = did you mean `settle`?",
        "    = more: hongwu-rules explain HW302",
    ]


def test_a_block_in_chinese() -> None:
    text = block(UNKNOWN, LINES, "zh")
    assert text.startswith("错误[HW302] 没有阶段 settel\n")
    assert text.endswith("    = 详见：hongwu-rules explain HW302")


def test_a_place_in_another_file_has_a_part_of_its_own() -> None:
    found = Diagnostic(
        "HW601",
        Text("牌数不对", "the cards do not deal out"),
        Span("a.yaml", 4, 9, 4, 14),
        related=(Related(Text("4 家各 25 张", "4 seats x 25"), Span("base.yaml", 1, 5, 1, 7)),),
        witness=Text("4 x 25 + 8 = 108", "4 x 25 + 8 = 108,\nbut 2 x 54 - 8 = 100"),
    )
    assert block(found, LINES, "en").splitlines()[5:] == [
        "  ::: base.yaml:1:5",
        "  1 | 每人: 25",
        "    |       -- 4 seats x 25",
        "    |",
        "    = shown by: 4 x 25 + 8 = 108,",
        "      but 2 x 54 - 8 = 100",
        "    = more: hongwu-rules explain HW601",
    ]


@pytest.mark.parametrize(
    ("line", "span", "under"),
    [
        ("庄家: 大王 x", (5, 7), "      ^^^^"),
        ("a: 😀😀 b", (4, 6), "   ^^^^"),
        ("\tbase: 5", (1, 2), "^"),
        ("e\u0301e\u0301: x", (6, 7), "   ^"),  # two letters, each with a combining accent: two columns wide
        ("a\u200bb: 1", (2, 3), " ^^^^^^^^"),  # shown as <U+200B>
        ("a:", (2, 2), " ^"),  # a place of no width still gets a caret
        ("a: b", (4, 90), "   ^"),  # an end past the end of the line
    ],
)
def test_carets_stand_under_what_they_mean(line: str, span: tuple[int, int], under: str) -> None:
    found = Diagnostic("HW001", Text("", "x"), Span("f", 1, span[0], 1, span[1]))
    caret = block(found, {"f": [line]}, "en").splitlines()[4]
    assert caret == f"    | {under}"


def test_a_tab_is_visible() -> None:
    found = Diagnostic("HW001", Text("", "x"), Span("f", 1, 1, 1, 2))
    assert "  1 | →base: 5" in block(found, {"f": ["\tbase: 5"]}, "en")


def test_a_place_over_several_lines_is_underlined_on_its_first() -> None:
    found = Diagnostic("HW102", Text("", "x"), Span("a.yaml", 3, 5, 5, 3))
    assert block(found, LINES, "en").splitlines()[3:5] == ["  3 |     do:", "    |     ^^^"]


def test_a_long_line_is_cut_around_the_place() -> None:
    line = "x" * 500_000 + "！" + "y" * 500_000
    found = Diagnostic("HW004", Text("", "x"), Span("f", 1, 500_001, 1, 500_002))
    text = block(found, {"f": [line]}, "en")
    rows = text.splitlines()
    assert all(width(row) < 130 for row in rows)
    source, caret = rows[3], rows[4]
    assert width(source[: source.index("！")]) == caret.index("^")
    assert caret.endswith(" ^^")


def test_a_place_outside_the_file_or_without_a_file_is_no_failure() -> None:
    for span in (
        Span("a.yaml", 99, 1, 99, 2),
        Span("", 0, 0, 0, 0),
        Span("gone.yaml", 3, 1, 3, 2),
        Span("a.yaml", 0, 0, 0, 0),
    ):
        found = Diagnostic("HW101", Text("", "x"), span, related=(Related(Text("", "there"), span),))
        for make in FORMATS.values():
            assert "x" in make(result(found), "en")


def test_colours_are_added_and_nothing_else_changes() -> None:
    import re

    plain, painted = (block(UNKNOWN, LINES, "en", paint=Paint(on=on)) for on in (False, True))
    assert painted != plain
    assert re.sub(r"\x1b\[[\d;]*m", "", painted) == plain
    assert "\x1b" not in plain


def test_an_escape_sequence_in_a_file_does_not_reach_the_terminal() -> None:
    found = Diagnostic("HW101", Text("", "unknown key \x1b[2J"), Span("f", 1, 1, 1, 2))
    assert "\x1b" not in block(found, {"f": ["\x1b[2J: 1"]}, "en")


def test_where_characters_cannot_be_shown_the_carets_still_fit() -> None:
    found = Diagnostic("HW101", Text("", "x"), Span("f", 1, 5, 1, 6))
    rows = block(found, {"f": ["庄家: x"]}, "en", paint=Paint(on=False, encoding="ascii")).splitlines()
    assert rows[3] == "  1 | \\u5e84\\u5bb6: x"
    assert rows[4].index("^") == rows[3].index("x")


def test_the_summary_of_a_faulty_ruleset() -> None:
    last = FORMATS["text"](result(UNKNOWN, WARNING), "en").splitlines()[-1]
    assert last == "1 error, 1 warning in a.yaml (+1 file it extends) - 64 checks, 0.31 s"
    last = FORMATS["text"](result(UNKNOWN, WARNING), "zh").splitlines()[-1]
    assert last == "a.yaml：1 个错误、1 个警告（连同所依的 1 个文件），检查 64 项，用时 0.31 秒"


def test_the_summary_of_a_clean_ruleset_says_what_was_proved_and_what_not() -> None:
    proved = (Text("7 个阶段都走得到", "7 phases all reachable"), Text("表没有缺口", "no gap in 2 tables"))
    clean = Checked("a.yaml", ("a.yaml",), (), proved, (Text("表 x", "table x"),))
    text = FORMATS["text"](Result((clean,)), "en")
    assert text == "ok  a.yaml: 7 phases all reachable; no gap in 2 tables\n    not proved: table x\n"
    assert "；" in FORMATS["text"](Result((clean,)), "zh")


def test_findings_come_by_file_and_place_and_each_once() -> None:
    second = Diagnostic("HW101", Text("", "b"), Span("b.yaml", 1, 1, 1, 2))
    first = Diagnostic("HW101", Text("", "a"), Span("a.yaml", 10, 1, 10, 2))
    assert sort([second, first, UNKNOWN, first]) == [UNKNOWN, first, second]


@pytest.mark.parametrize("name", ["text", "short", "json"])
def test_no_more_than_a_hundred_are_shown_and_the_rest_counted(name: str) -> None:
    many = [Diagnostic("HW103", Text("", f"row {n}"), Span("a.yaml", n, 1, n, 2)) for n in range(1, 2001)]
    text = FORMATS[name](result(*many), "en")
    assert f"row {MOST}" in text
    assert f"row {MOST + 1}" not in text
    assert str(2000 - MOST) in text
    if name != "json":
        assert "2000 errors in a.yaml" in text


def test_short() -> None:
    assert FORMATS["short"](result(UNKNOWN), "en").splitlines()[0] == (
        'a.yaml:6:9: error HW302 unknown-phase: unknown phase "settel" (did you mean `settle`?)'
    )


def test_json_has_the_agreed_shape() -> None:
    data = json.loads(FORMATS["json"](result(UNKNOWN, WARNING), "en"))
    assert data["ok"] is False
    assert data["files"] == ["a.yaml", "base.yaml"]
    assert data["proved"] == []
    warning, error = data["diagnostics"]
    assert warning["severity"] == "warning"
    assert error == {
        "code": "HW302",
        "name": "unknown-phase",
        "severity": "error",
        "message": 'unknown phase "settel"',
        "file": "a.yaml",
        "line": 6,
        "column": 9,
        "end_line": 6,
        "end_column": 15,
        "related": [
            {
                "message": "the way on belongs to this phase",
                "file": "a.yaml",
                "line": 2,
                "column": 3,
                "end_line": 2,
                "end_column": 5,
            }
        ],
        "witness": None,
        "help": ["did you mean `settle`?"],
    }
    assert json.loads(FORMATS["json"](result(), "zh"))["ok"] is True


def test_github_shows_ten_of_each_kind_errors_first() -> None:
    many = [Diagnostic("HW301", Text("", f"w{n}"), Span("a.yaml", n, 1, n, 2)) for n in range(1, 13)]
    many += [Diagnostic("HW302", Text("", f"e{n}:\n100%"), Span("a,b.yaml", n, 1, n, 2)) for n in range(1, 13)]
    rows = FORMATS["github"](result(*many), "en").splitlines()
    assert (
        rows[0] == "::error file=a%2Cb.yaml,line=1,col=1,endLine=1,endColumn=2,title=HW302 unknown-phase::e1:%0A100%25"
    )
    assert [row.split()[0] for row in rows[:21]] == ["::error"] * 10 + ["::warning"] * 10 + ["::notice::4"]


def test_sarif_counts_columns_in_utf16() -> None:
    found = Diagnostic("HW101", Text("", "x"), Span("f", 1, 4, 1, 5))
    data = json.loads(FORMATS["sarif"](Result((Checked("f", ("f",), (found,)),), {"f": ["😀: a"]}, version="1"), "en"))
    run = data["runs"][0]
    assert data["version"] == "2.1.0"
    assert run["columnKind"] == "utf16CodeUnits"
    region = run["results"][0]["locations"][0]["physicalLocation"]["region"]
    assert (region["startColumn"], region["endColumn"]) == (5, 6)
    assert run["tool"]["driver"]["rules"][0]["id"] == run["results"][0]["ruleId"] == "HW101"


def test_junit_is_xml_whatever_the_file_holds() -> None:
    nasty = Diagnostic("HW101", Text("", 'key "<a&b>" \x00\ud800 \x1b'), Span("f", 1, 1, 1, 2))
    text = FORMATS["junit"](Result((Checked("f", ("f",), (nasty,)), Checked("g", ("g",)))), "en")
    root = ET.fromstring(text)
    assert (root.get("tests"), root.get("failures")) == ("2", "1")
    assert root[0][0][0].get("type") == "HW101"


def test_every_code_has_both_languages_and_a_number_of_its_own() -> None:
    assert len({code.name for code in CODES.values()}) == len(CODES)
    for key, code in CODES.items():
        assert key == code.code
        assert code.title.zh
        assert code.title.en


def test_widths() -> None:
    assert width("红五 H5") == 7
    assert shown("a\u00a0b") == "a\u00a0b"
    assert shown("\ufeffa\u2028\x00") == "<U+FEFF>a<U+2028>␀"
    assert utf16_column("a😀b", 3) == 4
    assert encodable("“牌”→ é", "cp936") == "“牌”→ é"
    assert encodable("“牌”→ é", "ascii") == '"\\u724c"> \\xe9'
    assert encodable("牌", "no-such-encoding") == "\\u724c"
    assert all(width(line) <= 20 for line in wrap("红五最大，大王其次，小王再次。" * 5, 20))

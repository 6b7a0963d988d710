"""Bad inputs through the command line: exit code, place, no traceback, JSON that parses, never 0 when nothing was checked.

The numbers are those of the list of bad inputs in the design. Number 58 (a pattern that never ends) does not exist:
nothing in a ruleset is a pattern. What a file's bytes can do wrong (6-48) is taken from the table of ``test_source``.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hongwu_rules.cli import main
from hongwu_rules.game import load
from hongwu_rules.source.files import SourceIOError
from test_source import BAD, HEAVY

BASE = Path(__file__).parent / "bad" / "base.yaml"
HEAD = "hongwu: 1\nname: house\ntitle: {zh: 家规, en: House rules}\nextends: base.yaml\n"

Check = Callable[..., tuple[int, list[str]]]


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A folder with a sound game in it."""
    monkeypatch.chdir(tmp_path)
    for name in ("HONGWU_LANG", "LC_ALL", "LC_MESSAGES", "HONGWU_TRACEBACK"):
        monkeypatch.delenv(name, raising=False)
    shutil.copy(BASE, "base.yaml")


@pytest.fixture
def check(capsys: pytest.CaptureFixture[str]) -> Check:
    """Run ``check``: the exit code and what was found where. Every format for people and programs must hold."""

    def call(*arguments: str, text_too: bool = True) -> tuple[int, list[str]]:
        status = main(["check", *arguments, "--format", "json"])
        data = json.loads(capsys.readouterr().out)
        assert data["ok"] is (status == 0)
        found = [place(one) for one in data["diagnostics"]]
        assert found or status == 0
        if text_too:
            for lang in ("zh", "en"):
                assert main(["check", *arguments, "--lang", lang]) == status
                said = "".join(capsys.readouterr())
                assert "Traceback" not in said
                assert "HW999" not in said
                for one in found:
                    assert one.split()[-1] in said
        return status, found

    return call


def place(one: dict[str, Any]) -> str:
    """A finding of the JSON in short; the file is left out where it is ``x.yaml``."""
    file = "" if one["file"] in ("x.yaml", None) else f"{one['file']}:"
    return f"{file}{one['line']}:{one['column']} {one['code']}" if one["line"] else f"{file} {one['code']}".strip()


def write(text: str | bytes, name: str = "x.yaml") -> str:
    Path(name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return name


def changed(*pairs: tuple[str, str]) -> str:
    """The sound game with texts replaced, each there exactly once."""
    text = BASE.read_text(encoding="utf-8")
    for old, new in pairs:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


# ------------------------------------------------------------------ 1-5: what is named


@pytest.mark.parametrize("name", ["gone.yaml", "base.yaml/x.yaml", "no/such/folder.yaml", "a" * 5000, "a\0b"])
def test_01_a_file_that_is_not_there(name: str, check: Check) -> None:
    status, found = check(name)
    assert status == 2
    assert [one.split()[-1] for one in found] == ["HW-io"]


def test_02_a_folder(check: Check) -> None:
    Path("empty").mkdir()
    assert check("empty") == (2, ["empty: HW-io"])
    assert check(".")[0] == 0
    write(HEAD + "start: dael\n", "other.yaml")
    assert check(".") == (1, ["other.yaml:5:8 HW302"])


def test_03_a_file_without_permission(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    really_open = os.open

    def refuse(name: Any, *more: Any, **others: Any) -> int:
        if str(name).endswith("base.yaml"):
            raise PermissionError(13, "Permission denied", str(name))
        return really_open(name, *more, **others)

    monkeypatch.setattr(os, "open", refuse)
    assert check("base.yaml") == (2, ["base.yaml: HW-io"])
    write(HEAD + "start: deal\n")
    assert check("x.yaml") == (1, ["4:10 HW701"])  # what a file asks for is a fault of the file


def test_04_no_regular_file(check: Check) -> None:
    os.mkfifo("pipe.yaml")
    assert check("pipe.yaml") == (2, ["pipe.yaml: HW-io"])
    assert check("/dev/zero") == (2, ["/dev/zero: HW-io"])
    write(HEAD.replace("base.yaml", "pipe.yaml"))
    assert check("x.yaml") == (1, ["4:10 HW701"])


def test_05_the_standard_input(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    for data, code in ((b"", "1:1 HW007"), (b"a: 1\n\tb: 2\n", "2:1 HW001"), (b"\xff\xfe", "1:1 HW008")):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        assert check("-", "--stdin-filename", "x.yaml", text_too=False) == (1, [code])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(BASE.read_bytes())))
    assert check("-", text_too=False) == (0, [])


# ------------------------------------------------------------------ 6-51: what is in the file


@pytest.mark.parametrize("name", BAD)
def test_06_to_48_bytes_that_are_no_ruleset(name: str, check: Check) -> None:
    text, expected = BAD[name]
    write(text)
    status, found = check("x.yaml")
    assert status == 1
    wanted = [f"{spot} {code}" for code, spot in (one.split() for one in expected.split(", "))]
    assert set(wanted) <= set(found)


def test_06_an_empty_file_shows_how_to_start(capsys: pytest.CaptureFixture[str]) -> None:
    write("")
    assert main(["check", "x.yaml", "--lang", "en"]) == 1
    assert "hongwu: 1\n" in capsys.readouterr().out


def test_14_line_ends_of_every_kind(check: Check) -> None:
    text = BASE.read_text(encoding="utf-8")
    for end in ("\r\n", "\r"):
        write(text.replace("\n", end))
        assert check("x.yaml") == (0, [])
        write((HEAD + "options:\n  bsae: {default: 5}\n").replace("\n", end))
        assert check("x.yaml") == (1, ["6:3 HW702"])


def test_15_a_byte_order_mark_is_accepted(check: Check) -> None:
    write(b"\xef\xbb\xbf" + BASE.read_bytes())
    assert check("x.yaml") == (0, [])


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "gbk", "gb18030"])
def test_17_and_18_other_encodings_are_named(encoding: str, capsys: pytest.CaptureFixture[str]) -> None:
    write(BASE.read_text(encoding="utf-8").encode(encoding))
    for lang in ("zh", "en"):
        assert main(["check", "x.yaml", "--lang", lang]) == 1
        said = capsys.readouterr().out
        assert "HW008" in said
        assert {"gbk": "GBK", "gb18030": "GBK", "utf-32": "UTF-32"}.get(encoding, "UTF-16") in said
        assert "UTF-8" in said


@pytest.mark.parametrize(
    ("pairs", "spot", "near"),
    [
        ([("packs: 1", "packs: ２")], "12:10 HW004", "write the plain `2`"),
        ([("define:\n  done:", "define:\n  红五: empty(gone)\n  done:"), ("stop: done", "stop: done or 紅五")], "104:19 HW401", "红五"),
        ([("settle when done\n      - answer", "ｓettle when done\n      - answer")], "94:9 HW004", "write the plain `s`"),
    ],
)  # fmt: skip
def test_24_digits_and_words_in_other_forms(
    pairs: list[tuple[str, str]], spot: str, near: str, check: Check, capsys: pytest.CaptureFixture[str]
) -> None:
    write(changed(*pairs))
    assert check("x.yaml") == (1, [spot])
    main(["check", "x.yaml", "--lang", "en"])
    assert near in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new", "spot"),
    [
        ("    moves: {play: {like: play}}", "    moves:", "92:5 HW103"),
        ("      first: {place: 1, pay: 1}\n      second: {place: 2, pay: -1}\n", "", "154:5 HW103"),
        ("start: deal", "start:", "58:1 HW103"),
    ],
)
def test_31_a_section_without_anything(old: str, new: str, spot: str, check: Check) -> None:
    write(changed((old, new)))
    assert check("x.yaml") == (1, [spot])


@pytest.mark.parametrize("name", HEAVY)
def test_46_to_51_heavy_files(name: str, check: Check) -> None:
    write(HEAVY[name])
    start = time.process_time()
    status, found = check("x.yaml", text_too=False)
    assert time.process_time() - start < 10
    assert status == 1
    assert len(found) <= 100


def test_49_ten_megabytes(check: Check) -> None:
    write(b"# x\n" * 2_500_000)
    assert check("x.yaml") == (2, ["HW-io"])  # such a file is not read at all


# ------------------------------------------------------------------ 52-59: what is in the ruleset


def test_52_keys_of_several_kinds(check: Check) -> None:
    write(changed(("seats: {count: 2,", "seats: {3: 1, true: 2, 1.5: 3, count: 2,")))
    assert check("x.yaml") == (1, ["9:9 HW101", "9:15 HW101", "9:24 HW101"])


def test_53_two_thousand_wrong_rows(capsys: pytest.CaptureFixture[str]) -> None:
    rows = "".join(f"      r{i}: {{place: yes, pya: 1}}\n" for i in range(2000))
    write(changed(("      second: {place: 2, pay: -1}\n", rows)))
    start = time.process_time()
    assert main(["check", "x.yaml", "--format", "json"]) == 1
    assert time.process_time() - start < 10
    data = json.loads(capsys.readouterr().out)
    assert len(data["diagnostics"]) == 100
    assert data["left_out"] > 100
    main(["check", "x.yaml", "--lang", "en"])
    assert f"{data['left_out']} more not shown" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("value", "codes", "word"),
    [("yes", {"HW003", "HW103"}, "number"), ('"4"', {"HW103"}, "without quotes: 4"), ("4.5", {"HW103"}, "fraction")],
)
def test_54_and_55_other_kinds_of_values(
    value: str, codes: set[str], word: str, check: Check, capsys: pytest.CaptureFixture[str]
) -> None:
    write(changed(("packs: 1", f"packs: {value}")))
    status, found = check("x.yaml")
    assert status == 1
    assert {one.split()[-1] for one in found} == codes
    assert {one.split()[0] for one in found} == {"12:10"}
    main(["check", "x.yaml", "--lang", "en"])
    assert word in capsys.readouterr().out


@pytest.mark.parametrize(
    "expression",
    [
        "not " * 45 + "done",
        " and ".join(["done"] * 300),
        "deals == 1" + " or deals == 1" * 300,
        "max(" * 300 + "1" + ")" * 300 + " == 1",
        "(" * 300 + "done" + ")" * 300,
    ],
)
def test_56_large_expressions(expression: str, check: Check) -> None:
    write(changed(("    stop: done\n", f"    stop: done or {expression}\n")))
    start = time.process_time()
    assert check("x.yaml", text_too=False) == (1, ["103:11 HW005"])
    assert time.process_time() - start < 10


def test_56_brackets_alone_nest_nothing(check: Check) -> None:
    write(changed(("    stop: done\n", f"    stop: {'(' * 45}done{')' * 45}\n")))
    assert check("x.yaml") == (0, [])


@pytest.mark.parametrize("ring", ["again: again", "again: other\n  other: again", "again(seat): again(next(seat))"])
def test_57_a_definition_that_needs_itself(ring: str, check: Check) -> None:
    write(changed(("define:\n", f"define:\n  {ring}\n")))
    status, found = check("x.yaml")
    assert status == 1
    assert found[0] == "47:3 HW406"
    assert {one.split()[-1] for one in found} == {"HW406"}


@pytest.mark.parametrize(
    ("value", "spot"),
    [(">= 5", "7:11 HW001"), ("!done", "7:11 HW006"), ("[a] == b", "7:11 HW009"), ("{a, b} == c", "7:11 HW009"), ("", "7:5 HW103"), ("|", "7:11 HW001")],
)  # fmt: skip
def test_59_a_condition_that_is_none_for_yaml(value: str, spot: str, check: Check) -> None:
    write(HEAD + f"phases:\n  answer:\n    stop: {value}\n")
    status, found = check("x.yaml")
    assert status == 1
    assert spot in found
    assert {one.split()[-1] for one in found} <= {spot.split()[-1], "HW103", "HW402"}


# ------------------------------------------------------------------ 60-63: several files


def test_60_chains_that_are_broken(check: Check) -> None:
    for wanted in ("x.yaml", "gone.yaml", "../secret.yaml", "/etc/passwd", "folder", "BASE.YAML", "loop.yaml"):
        Path("folder").mkdir(exist_ok=True)
        if not Path("loop.yaml").is_symlink():
            Path("loop.yaml").symlink_to("loop.yaml")
        write(HEAD.replace("base.yaml", wanted) + "start: deal\n")
        assert check("x.yaml") == (1, ["4:10 HW701"]), wanted
    write(HEAD.replace("base.yaml", "y.yaml"))
    write(HEAD.replace("base.yaml", "x.yaml"), "y.yaml")
    assert check("x.yaml") == (1, ["y.yaml:4:10 HW701"])
    for number in range(20):
        write(HEAD.replace("base.yaml", f"f{number + 1}.yaml"), f"f{number}.yaml")
    shutil.copy("base.yaml", "f20.yaml")
    status, found = check("f0.yaml")
    assert status == 1
    assert [one.split()[-1] for one in found] == ["HW701"]
    assert main(["check", "loop.yaml"]) == 2


def test_61_a_broken_parent_is_told_once_and_the_child_as_well(check: Check) -> None:
    write("a: [1\nb: 2\n", "parent.yaml")
    child = HEAD.replace("base.yaml", "parent.yaml") + "phases:\n  lead: {next: b, next: c}\n"
    write(child)
    write(child, "y.yaml")
    status, found = check("x.yaml", "y.yaml")
    assert status == 1
    assert sorted(found) == ["6:19 HW002", "parent.yaml:1:4 HW001", "y.yaml:6:19 HW002"]


def test_62_a_change_of_what_was_removed(check: Check) -> None:
    write(HEAD + "remove: [tables.price]\n", "first.yaml")
    write(HEAD.replace("base.yaml", "first.yaml") + "tables:\n  price: {hit: unique}\n")
    status, found = check("x.yaml")
    assert status == 1
    assert "6:3 HW702" in found


def test_63_two_house_rules_that_disagree(check: Check, capsys: pytest.CaptureFixture[str]) -> None:
    write(HEAD + "options:\n  match_deals: {default: 5}\n", "five.yaml")
    write(HEAD.replace("house", "two") + "options:\n  match_deals: {default: 2}\n", "two.yaml")
    assert check("base.yaml", "--with", "five.yaml", "--with", "two.yaml") == (1, ["two.yaml:6:26 HW705"])
    main(["check", "base.yaml", "--with", "five.yaml", "--with", "two.yaml"])
    assert "five.yaml:6:26" in capsys.readouterr().out


# ------------------------------------------------------------------ 64-66: sizes


def test_64_phases_that_go_to_themselves(check: Check) -> None:
    write(changed(("    next: lead\n\n  settle:", "    next: clear\n\n  settle:")))
    status, found = check("x.yaml")
    assert status == 1
    assert {one.split()[-1] for one in found} <= {"HW305", "HW312", "HW313", "HW408"}
    assert "128:3" in found[0]


@pytest.mark.parametrize(
    ("phases", "found"),
    [
        ("phases: {}\n", ["60:1 HW103"]),
        ("phases:\n  deal: {final: true, zh: 完, en: end}\n", None),
        ("phases:\n  deal: {begins: deal, zh: 完, en: end, next: deal}\n", None),
        ("phases:\n  null: {final: true, zh: 完, en: end}\n", ["60:1 HW103", "61:3 HW006"]),
        ("phases:\n  3: {final: true, zh: 完, en: end}\n", ["61:3 HW103"]),
        ('phases:\n  "3": {final: true, zh: 完, en: end}\n', ["61:3 HW103"]),
        ("phases:\n  not: {final: true, zh: 完, en: end}\n", ["61:3 HW103"]),
    ],
)
def test_64_few_and_odd_phases(phases: str, found: list[str] | None, check: Check) -> None:
    text = BASE.read_text(encoding="utf-8")
    write(text[: text.index("phases:")] + phases + "returns: 0\n")
    status, got = check("x.yaml")
    assert status == 1
    if found is not None:
        assert got == found
    else:
        assert not {one.split()[-1] for one in got} & {"HW101", "HW102", "HW103", "HW302"}


def test_64_a_phase_named_on_is_a_phase(check: Check) -> None:
    """Here it is; other YAML readers would take it as true, so that is said."""
    write(
        changed(
            ("    next: lead\n\n  lead:", "    next: on\n\n  on:"),
            ("    next: lead\n\n  settle:", "    next: on\n\n  settle:"),
        )
    )
    assert check("x.yaml") == (1, ["85:11 HW003", "87:3 HW003", "135:11 HW003"])


def test_64_a_thousand_phases(check: Check) -> None:
    more = "".join(f"  p{i}: {{zh: 第, en: p, do: [shuffle(stock)], next: p{i + 1}}}\n" for i in range(1000))
    write(
        changed(("      - deal\n\n  over:", f"      - p0 when deals == 2\n      - deal\n\n{more}  p1000: {{zh: 完, en: p, next: deal}}\n\n  over:"))
    )  # fmt: skip
    start = time.process_time()
    assert check("x.yaml", text_too=False) == (0, [])
    assert time.process_time() - start < 20


def test_65_tables_of_every_size(check: Check) -> None:
    write(changed(("      second: {place: 2, pay: -1}\n", "")))
    assert check("x.yaml") == (1, ["155:22 HW501"])
    columns = ", ".join(f"c{i}: 0..9" for i in range(6))
    rows = "".join(
        f"      r{i}: {{{', '.join(f'c{k}: {(i + k) % 10}' for k in range(6))}, each: {i % 5}}}\n" for i in range(200)
    )
    big = f"tables:\n  big:\n    given: {{{columns}}}\n    gives: {{each: 1}}\n    hit: first\n    rows:\n{rows}      rest: {{each: 2}}\n"
    use = ", ".join(["deals % 10"] * 6)
    write(changed(("tables:\n", big), ("count: deals += 1", f"count: deals += 1 when big({use}).each > 0")))
    start = time.process_time()
    status, found = check("x.yaml", text_too=False)
    assert time.process_time() - start < 20
    assert status in (0, 1)
    assert {one.split()[-1] for one in found} <= {"HW503", "HW504", "HW506"}


@pytest.mark.parametrize("count", ["0", "1000000", "-1"])
def test_66_players_out_of_reason(count: str, check: Check) -> None:
    write(changed(("seats: {count: 2,", f"seats: {{count: {count},")))
    assert check("x.yaml") == (1, ["9:16 HW105"])


# ------------------------------------------------------------------ 68-74: around it


@pytest.mark.parametrize("form", ["text", "json", "short"])
def test_68_only_the_head_is_read(form: str) -> None:
    """More than a pipe holds, of which one line is wanted."""
    write("a: 1\n" + "".join(f"k{i}: {'x' * 500}\n" for i in range(400)))
    command = f"{sys.executable} -m hongwu_rules check x.yaml --format {form} | head -n 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, timeout=60, check=False)
    assert done.returncode == 1
    assert done.stderr == b""
    assert done.stdout.count(b"\n") == 1


def test_68_a_poor_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    write(HEAD + "start: dael\n")
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("NO_COLOR", "1")
    assert main(["check", "x.yaml"]) == 1
    assert "\x1b" not in capsys.readouterr().out


@pytest.mark.parametrize("form", ["text", "short", "json", "sarif", "github", "junit"])
def test_70_every_format_of_many_bad_files_at_once(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    names = [write(text, f"bad{number}.yaml") for number, (text, _) in enumerate(BAD.values())]
    assert main(["check", *names, "gone.yaml", "--format", form]) == 2
    said = capsys.readouterr()
    assert "Traceback" not in said.out + said.err
    assert "HW999" not in said.out + said.err
    if form in ("json", "sarif"):
        json.loads(said.out)


@pytest.mark.parametrize("spelling", ["./x.yaml", "folder/../x.yaml", "link.yaml"])
def test_72_one_file_under_two_names(spelling: str, check: Check) -> None:
    Path("folder").mkdir()
    write(HEAD + "start: dael\n")
    Path("link.yaml").symlink_to("x.yaml")
    assert check("x.yaml", spelling, "x.yaml", str(Path("x.yaml").resolve())) == (1, ["5:8 HW302"])


def test_74_python_without_docstrings() -> None:
    write(HEAD + "start: dael\n")
    for form in ("text", "json"):
        done = subprocess.run(
            [sys.executable, "-OO", "-m", "hongwu_rules", "check", "x.yaml", "--format", form],
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 2
        assert b"Traceback" not in done.stdout + done.stderr
        assert b"-OO" in done.stdout + done.stderr
        if form == "json":
            assert json.loads(done.stdout)["ok"] is False


def test_60_names_that_no_file_can_have(check: Check) -> None:
    head = "hongwu: 1\nname: x\ntitle: {zh: 甲, en: x}\nextends: "
    _, found = check(write(head + '"a\\0b"\n'))
    assert found == ["4:10 HW701"]
    with pytest.raises(SourceIOError, match="cannot be the name"):
        load("x\0y")
    with pytest.raises(SourceIOError, match="cannot be the name"):
        load("dalian", overlays=["\ud800"])

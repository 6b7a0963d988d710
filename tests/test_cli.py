"""The command line: what it accepts, what it prints, and the exit code of everything that can go wrong."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import hongwu_rules.loading
from hongwu_rules.cli import main
from hongwu_rules.cli.session import locale_language, wants_colour
from hongwu_rules.overlay.library import bundled_folder, bundled_names

DALIAN = bundled_folder() / "dalian.yaml"
HOUSE = "hongwu: 1\nname: house\ntitle: {zh: 家规, en: House rules}\nextends: dalian\n"
FAULTY = HOUSE + "phases:\n  clear: {next: laed}\n"
GOOD = HOUSE + "options:\n  base: {default: 5}\n"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """English, no colours asked for or forbidden, an empty folder."""
    for name in ("HONGWU_LANG", "LC_ALL", "LC_MESSAGES", "FORCE_COLOR", "NO_COLOR", "HONGWU_TRACEBACK"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command in this process: exit code, output, error output."""

    def call(*arguments: str | Path) -> tuple[int, str, str]:
        status = main([str(one) for one in arguments])
        got = capsys.readouterr()
        for text in (got.out, got.err):
            assert "Traceback" not in text
            assert "HW999" not in text
        return status, got.out, got.err

    return call


def start(
    *arguments: str, python: tuple[str, ...] = (), env: dict[str, str] | None = None, **more: Any
) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a process of its own."""
    command = [sys.executable, *python, "-m", "hongwu_rules", *arguments]
    return subprocess.run(
        command, capture_output=True, env={**os.environ, **(env or {})}, timeout=60, check=False, **more
    )


def write(name: str, text: str) -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


# ------------------------------------------------------------------ check: what it takes


def test_a_bundled_ruleset_is_clean_and_says_what_was_proved(run: Run) -> None:
    status, out, err = run("check", "dalian.yaml")
    assert (status, err) == (0, "")
    assert out.startswith("bundled ruleset: ")
    assert "ok  dalian" in out
    assert "phases" in out


def test_a_clean_ruleset_in_chinese(run: Run) -> None:
    status, out, _ = run("check", "dalian", "--lang", "zh")
    assert status == 0
    assert "自带规则" in out
    assert "阶段" in out


def test_without_a_name_every_bundled_ruleset_is_checked(run: Run) -> None:
    status, out, _ = run("check", "--format", "json")
    data = json.loads(out)
    assert (status, data["ok"]) == (0, True)
    assert len([name for name in data["files"] if Path(name).stem in bundled_names()]) == len(bundled_names())


def test_a_faulty_line_is_named(run: Run) -> None:
    write("mine.yaml", FAULTY)
    status, out, _ = run("check", "mine.yaml")
    assert status == 1
    assert "error[HW302]" in out
    assert "mine.yaml:6:17" in out
    assert "did you mean" in out
    assert "lead" in out
    assert out.splitlines()[-1].startswith("1 error in mine.yaml (+1 file it extends) - ")


@pytest.mark.parametrize("form", ["text", "short", "json", "sarif", "github", "junit"])
def test_every_format_names_the_place(form: str, run: Run) -> None:
    write("mine.yaml", FAULTY)
    status, out, err = run("check", "mine.yaml", "--format", form)
    assert (status, err) == (1, "")
    assert "HW302" in out
    assert "mine.yaml" in out
    if form in ("json", "sarif"):
        json.loads(out)


def test_a_file_wins_over_a_bundled_name(run: Run) -> None:
    shutil.copy(DALIAN, "dalian.yaml")
    status, out, _ = run("check", "dalian.yaml")
    assert status == 0
    assert "bundled" not in out


def test_a_missing_file_is_refused_with_the_nearest(run: Run) -> None:
    write("my_rules.yaml", GOOD)
    status, out, err = run("check", "my_rulse.yaml")
    assert status == 2
    assert "HW-io" in out + err
    assert "my_rules.yaml" in out + err
    status, out, err = run("check", "dalain.yaml")
    assert status == 2
    assert "did you mean dalian" in out + err


def test_a_folder_stands_for_its_yaml_files(run: Run) -> None:
    write("rules/b.yaml", GOOD)
    write("rules/a.yaml", FAULTY)
    write("rules/notes.txt", "no rules")
    status, out, _ = run("check", "rules", "--format", "json")
    assert status == 1
    assert [name for name in json.loads(out)["files"] if name.startswith("rules")] == ["rules/a.yaml", "rules/b.yaml"]


def test_a_folder_without_rules_is_refused(run: Run) -> None:
    Path("empty").mkdir()
    status, out, err = run("check", "empty")
    assert status == 2
    assert "no .yaml file" in out + err


def test_an_unreadable_file_is_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write("locked.yaml", GOOD)
    path.chmod(0)
    really_open = os.open

    def refuse(name: Any, *more: Any, **others: Any) -> int:
        if "locked" in str(name):  # a superuser may read it all the same
            raise PermissionError(13, "Permission denied", str(name))
        return really_open(name, *more, **others)

    monkeypatch.setattr(os, "open", refuse)
    status, out, err = run("check", "locked.yaml")
    path.chmod(0o600)
    assert status == 2
    assert "permission" in (out + err).lower()


def test_a_pipe_or_a_device_is_refused_at_once(run: Run) -> None:
    os.mkfifo("pipe.yaml")
    for name in ("pipe.yaml", "/dev/zero"):
        status, out, err = run("check", name)
        assert status == 2
        assert "regular file" in out + err


def test_the_standard_input_has_the_name_it_is_given() -> None:
    done = start("check", "-", "--stdin-filename", "rules/mine.yaml", input=FAULTY.encode())
    assert done.returncode == 1
    assert b"rules/mine.yaml:6:17" in done.stdout
    done = start("check", "-", input=GOOD.encode())
    assert done.returncode == 0
    assert b"<stdin>" in done.stdout


def test_an_empty_standard_input_is_a_finding() -> None:
    done = start("check", "-", "--format", "short", stdin=subprocess.DEVNULL)
    assert done.returncode == 1
    assert b"HW007" in done.stdout


def test_a_file_named_twice_is_checked_once(run: Run) -> None:
    write("mine.yaml", FAULTY)
    Path("link.yaml").symlink_to("mine.yaml")
    _, out, _ = run("check", "mine.yaml", "./mine.yaml", Path("mine.yaml").resolve(), "link.yaml", "--format", "json")
    assert len(json.loads(out)["diagnostics"]) == 1
    _, out, _ = run("check", "dalian", "dalian.yaml")
    assert out.count("ok  ") == 1


def test_several_rulesets_each_get_a_summary(run: Run) -> None:
    write("a.yaml", FAULTY)
    write("b.yaml", GOOD)
    status, out, _ = run("check", "a.yaml", "b.yaml", "gone.yaml")
    assert status == 2
    assert "1 error in a.yaml" in out
    assert "ok  b.yaml" in out
    assert "gone.yaml" in out


def test_a_folder_of_nothing_is_never_a_success(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hongwu_rules.overlay.library.bundled_names", lambda folder=None: [])
    status, _, _ = run("check")
    assert status == 2


# ------------------------------------------------------------------ check: options, overlays, play


def test_options_are_set_and_refused(run: Run) -> None:
    assert run("check", "dalian", "--set", "base=5", "--set", "must_beat=true")[0] == 0
    for setting in ("base=0", "base=many", "bsae=5", "must_beat=7"):
        status, out, err = run("check", "dalian", "--set", setting)
        assert status in (1, 2), setting
        assert setting.split("=")[0] in out + err


@pytest.mark.parametrize("words", [["base"], ["=5"], ["base="], ["base=5", "base=6"]])
def test_a_setting_that_is_none_is_a_fault_of_use(words: list[str], run: Run) -> None:
    status, _, err = run("check", "dalian", *(one for word in words for one in ("--set", word)))
    assert status == 2
    assert "--set" in err


def test_an_overlay_is_laid_over(run: Run) -> None:
    write("good.yaml", GOOD)
    write("bad.yaml", FAULTY)
    assert run("check", "dalian", "--with", "good.yaml")[0] == 0
    status, out, _ = run("check", "dalian", "--with", "bad.yaml")
    assert status == 1
    assert "bad.yaml:6:17" in out
    assert run("check", "dalian", "--with", "gone.yaml")[0] == 2


def test_two_overlays_that_disagree_are_refused_with_both_places(run: Run) -> None:
    write("five.yaml", GOOD)
    write("two.yaml", GOOD.replace("house", "two").replace("5}", "2}"))
    status, out, _ = run("check", "dalian", "--with", "five.yaml", "--with", "two.yaml")
    assert status == 1
    assert "HW705" in out
    assert "five.yaml:6" in out
    assert "two.yaml:6" in out


def test_random_matches_are_played_and_reported(run: Run) -> None:
    status, out, _ = run("check", "dalian", "--play", "2", "--deals", "1", "--seed", "3")
    assert status == 0
    assert "2 " in out
    assert out == run("check", "dalian", "--play", "2", "--deals", "1", "--seed", "3")[1]


# ------------------------------------------------------------------ use


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["chekc"],
        ["check", "--plya", "3"],
        ["check", "--play", "-1"],
        ["check", "--play", "x"],
        ["check", "--seed"],
        ["check", "--format", "xml"],
        ["check", "--stdin-filename", "x.yaml"],
        ["list", "--lang", "fr"],
        ["simulate"],
        ["new", "x.yaml"],
        ["show", "nothing_like_it"],
        ["test", "gone.yaml"],
        ["explain", "HW000"],
    ],
)
def test_wrong_use_is_2_and_stays_json(words: list[str], run: Run) -> None:
    status, out, err = run(*words)
    assert status == 2
    assert out == ""
    assert err
    status, out, err = run(*words, *(() if "xml" in words else ("--format", "json")))
    assert status == 2
    if "xml" not in words and words:
        assert json.loads(out)["ok"] is False
        assert err == ""


def test_a_misspelt_command_or_option_is_recognised(run: Run) -> None:
    assert "did you mean check?" in run("chekc")[2]
    assert "did you mean --play?" in run("check", "--plya", "3")[2]
    assert "是不是 check" in run("chekc", "--lang", "zh")[2]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_help_exists_in_both_languages(lang: str, run: Run) -> None:
    status, out, _ = run("--help", "--lang", lang)
    assert status == 0
    for command in ("check", "test", "list", "new", "simulate", "show", "explain"):
        assert command in out
        status, text, _ = run(command, "--help", "--lang", lang)
        assert status == 0
        assert ("用法" in text) == (lang == "zh")


def test_version(run: Run) -> None:
    status, out, _ = run("--version")
    assert status == 0
    assert out.startswith("hongwu-rules ")
    assert f"Python {sys.version_info[0]}.{sys.version_info[1]}" in out
    assert "language 1" in out


def test_the_language_comes_from_the_locale(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write("mine.yaml", FAULTY)
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert "错误[HW302]" in run("check", "mine.yaml")[1]
    assert "error[HW302]" in run("check", "mine.yaml", "--lang", "en")[1]
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    assert "error[HW302]" in run("check", "mine.yaml")[1]
    assert locale_language({"LANG": "zh_TW.Big5"}) == "zh"
    assert locale_language({"LC_MESSAGES": "de_DE", "LANG": "zh_CN"}) == "en"
    assert locale_language({"HONGWU_LANG": "zh", "LC_ALL": "C"}) == "zh"


def test_colour_by_flag_then_environment_then_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write("mine.yaml", FAULTY)
    assert "\x1b" not in run("check", "mine.yaml")[1]
    assert "\x1b[" in run("check", "mine.yaml", "--color", "always")[1]
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run("check", "mine.yaml")[1]
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in run("check", "mine.yaml")[1]
    assert "\x1b" not in run("check", "mine.yaml", "--color=never")[1]
    assert "\x1b" not in run("check", "mine.yaml", "--format", "json")[1]
    assert wants_colour(None, {}, terminal=True)
    assert not wants_colour(None, {"TERM": "dumb"}, terminal=True)
    assert not wants_colour("auto", {}, terminal=False)


# ------------------------------------------------------------------ outputs that fail


@pytest.mark.parametrize("encoding", ["ascii", "cp936", "latin-1"])
@pytest.mark.parametrize("form", ["text", "short", "json", "github", "junit"])
def test_an_output_that_knows_few_characters(encoding: str, form: str) -> None:
    write("mine.yaml", FAULTY.replace("}", "}  # 红桃五的家规😀"))
    done = start(
        "check", "mine.yaml", "--lang", "zh", "--format", form, env={"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    )
    assert done.returncode == 1
    assert done.stderr == b""
    text = done.stdout.decode(encoding)
    assert "HW302" in text
    if form == "json":
        data = json.loads(text)
        assert any("阶段" in one["message"] for one in data["diagnostics"])


def test_a_closed_pipe_is_no_failure() -> None:
    write("mine.yaml", FAULTY)
    read, written = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "hongwu_rules", "check", "mine.yaml"]
    done = subprocess.run(command, stdout=written, stderr=subprocess.PIPE, timeout=60, check=False)
    os.close(written)
    assert done.returncode == 1
    assert done.stderr == b""


def test_no_output_at_all_is_no_failure() -> None:
    write("mine.yaml", FAULTY)
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m hongwu_rules check mine.yaml >&- 2>&-"],
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1


def test_a_full_disk_is_said() -> None:
    if not Path("/dev/full").exists():
        return
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "hongwu_rules", "explain", "HW302"],
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )
    assert done.returncode == 2
    assert b"could not be written" in done.stderr


def test_optimised_python_gets_a_clear_sentence() -> None:
    for form in ("text", "json"):
        done = start("check", "dalian", "--format", form, python=("-OO",))
        assert done.returncode == 2
        assert b"Cerberus" in done.stdout + done.stderr
        if form == "json":
            assert json.loads(done.stdout)["ok"] is False
    assert start("explain", "HW302", python=("-OO",)).returncode == 0
    assert start("check", "dalian", python=("-O",)).returncode == 0


@pytest.mark.parametrize("form", ["text", "json"])
def test_an_interrupt_is_130(form: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(hongwu_rules.loading, "check", interrupt)
    assert main(["check", "dalian", "--format", form]) == 130
    got = capsys.readouterr()
    assert "Traceback" not in got.out + got.err
    if form == "json":
        assert json.loads(got.out)["ok"] is False


def test_ctrl_c_while_playing() -> None:
    command = [sys.executable, "-m", "hongwu_rules", "check", "dalian", "--play", "1000000"]
    listen = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # what runs in the background may be deaf to it
    for seconds in (3, 10, 30):
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=listen) as process:
            time.sleep(seconds)
            process.send_signal(signal.SIGINT)
            try:
                _, err = process.communicate(timeout=60)
            finally:
                process.kill()
        if process.returncode != -signal.SIGINT:  # on a busy machine Python itself may not have begun yet
            break
    assert process.returncode == 130
    assert b"Traceback" not in err


@pytest.mark.parametrize("form", ["text", "json", "sarif", "junit", "github", "short"])
def test_a_fault_of_ours_is_101_and_stays_in_the_format(
    form: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("no good")

    monkeypatch.setattr(hongwu_rules.loading, "check", fail)
    assert main(["check", "dalian", "--format", form]) == 101
    got = capsys.readouterr()
    assert "HW999" in got.out + got.err
    assert "Traceback" not in got.out + got.err
    if form in ("json", "sarif"):
        json.loads(got.out)


# ------------------------------------------------------------------ the other commands


def test_list(run: Run) -> None:
    status, out, _ = run("list")
    assert status == 0
    assert [line.split()[0] for line in out.splitlines()] == bundled_names()
    data = json.loads(run("list", "--format", "json")[1])
    assert [one["name"] for one in data] == bundled_names()


def test_list_of_one_ruleset(run: Run) -> None:
    status, out, _ = run("list", "dalian")
    assert status == 0
    assert "base = 1" in out
    assert "1..1000" in out
    assert "who can beat must beat" in out
    assert "lost only when somebody does beat a play" in out
    assert "要得起必须要" in run("list", "dalian", "--lang", "zh")[1]
    data = json.loads(run("list", "dalian", "--set", "base=5", "--format", "json")[1])
    base = next(one for one in data["options"] if one["name"] == "base")
    assert (base["value"], base["default"], base["values"]) == ("5", "1", "1..1000")
    assert set(base) >= {"zh", "en", "cite"}


def test_list_names_the_house_rules_that_fit(run: Run) -> None:
    def houses(*words: str) -> list[str]:
        return [one["name"] for one in json.loads(run("list", *words, "--format", "json")[1])["house_rules"]]

    write("mine.yaml", "hongwu: 1\nname: mine\ntitle: {zh: 我, en: mine}\nextends: anhui\nladder: {stops: K}\n")
    Path("anhui_copy.yaml").write_bytes((bundled_folder() / "anhui.yaml").read_bytes())
    assert "anhui_stops" in houses("anhui") and houses("mine.yaml") == houses("anhui")
    assert houses("zhejiang_partners") == houses("wangjiang") != []  # what fits the game below fits this one too
    assert "anhui_stops" not in houses("anhui", "--with", "house/anhui_stops.yaml")
    assert houses("anhui_copy.yaml") == []  # they are made for the bundled game
    assert "no bundled house rules" in run("list", "anhui_copy.yaml")[1]


def test_new_writes_an_overlay_that_loads(run: Run) -> None:
    status, out, _ = run("new", "mine.yaml", "--extends", "dalian")
    assert status == 0
    assert "mine.yaml" in out
    text = Path("mine.yaml").read_text(encoding="utf-8")
    assert "extends: dalian" in text
    for name in ("base", "must_beat", "beyond_check"):
        assert f"\n# options.{name}.default: " in text
    found = json.loads(run("check", "mine.yaml", "--format", "json")[1])["diagnostics"]
    assert [one["code"] for one in found if one["severity"] != "hint"] in ([], ["HW702"])  # it changes nothing so far
    write("mine.yaml", text.replace("# options.base.default: 1", "options.base.default: 5"))
    assert run("check", "mine.yaml")[0] == 0
    assert "base = 5" in run("list", "mine.yaml")[1]


def test_every_setting_of_a_new_overlay_can_be_taken_as_it_is(run: Run) -> None:
    run("new", "mine.yaml", "--extends", "dalian")
    text = Path("mine.yaml").read_text(encoding="utf-8")
    write("mine.yaml", text.replace("\n# options.", "\noptions.").replace("base.default: 1", "base.default: 5"))
    assert run("check", "mine.yaml")[0] == 0
    assert run("list", "mine.yaml")[1].count(" = ") == text.count("\n# options.")


def test_new_never_writes_over_a_file(run: Run) -> None:
    write("mine.yaml", "precious")
    status, _, err = run("new", "mine.yaml", "--extends", "dalian")
    assert status == 2
    assert "exists" in err
    assert Path("mine.yaml").read_text(encoding="utf-8") == "precious"
    assert run("new", "no/such/folder.yaml", "--extends", "dalian")[0] == 2
    assert run("new", "other.yaml", "--extends", "dalain")[0] == 2
    assert not Path("other.yaml").exists()


def test_new_on_a_file_of_ones_own(run: Run) -> None:
    shutil.copy(DALIAN, "table.yaml")
    assert run("new", "mine.yaml", "--extends", "table.yaml", "--set", "base=5", "--set", "must_beat=true")[0] == 0
    assert "extends: table.yaml" in Path("mine.yaml").read_text(encoding="utf-8")
    assert run("check", "mine.yaml")[0] == 0
    assert "extends: dalian" in run("new", "-", "--extends", "dalian")[1]


SCENARIO = """\
cite: D8
about: {zh: 大王管不住红五, en: a big joker does not beat the five of hearts}
given:
  ruleset: dalian
  phase: answer
  seat: 1
  memory: {leader: 0}
  zones: {hand: {0: S10, 1: BJ S10, 2: SK, 3: SK}}
  trick: [{seat: 0, cards: H5}]
cases:
  - {try: play BJ, illegal: beat}
"""


def test_scenarios_pass_fail_and_are_counted(run: Run) -> None:
    write("good.yaml", SCENARIO)
    status, out, _ = run("test", "good.yaml")
    assert status == 0
    assert "1 case" in out
    write("bad.yaml", SCENARIO.replace("illegal: beat", "legal: true"))
    status, out, _ = run("test", "good.yaml", "bad.yaml")
    assert status == 1
    assert "bad.yaml" in out
    assert "1 of 2 cases failed" in out
    data = json.loads(run("test", "bad.yaml", "--format", "json")[1])
    assert (data["ok"], data["cases"], len(data["failures"])) == (False, 1, 1)


def test_scenarios_on_another_copy_of_the_rules(run: Run) -> None:
    write("good.yaml", SCENARIO)
    text = DALIAN.read_text(encoding="utf-8")
    write("copy.yaml", text)
    assert run("test", "good.yaml", "--ruleset", "copy.yaml")[0] == 0
    write("copy.yaml", text.replace("that: beats(picked, trick)", "that: len(picked) == 1"))
    assert run("test", "good.yaml", "--ruleset", "copy.yaml")[0] == 1


def test_no_scenario_is_no_success(run: Run) -> None:
    Path("empty").mkdir()
    assert run("test", "empty")[0] == 2
    assert run("test")[0] == 2
    write("broken.yaml", "cases: [")
    assert run("test", "broken.yaml")[0] in (1, 2)


def test_simulate(run: Run) -> None:
    status, out, err = run("simulate", "dalian", "--deals", "3", "--seed", "5")
    assert (status, err) == (0, "")
    assert out == run("simulate", "dalian", "--deals", "3", "--seed", "5")[1]
    assert isinstance(json.loads(run("simulate", "dalian", "--deals", "2", "--format", "json")[1]), dict)
    assert run("simulate", "dalian", "--deals", "1", "--players", "nobody")[0] == 2
    told = run("simulate", "dalian", "--deals", "1", "--seed", "5", "--transcript")[1]
    assert "==== 第 1 局 · deal 1" in told and "==== 第 2 局" not in told
    lines = json.loads(run("simulate", "dalian", "--deals", "1", "--seed", "5", "--transcript", "--format", "json")[1])
    assert lines["lines"] == told.splitlines()


def test_simulate_against_another_ruleset(run: Run) -> None:
    words = ("simulate", "dalian", "--set", "base=3", "--with", "house/dalian_face_down.yaml", "--against", "dalian")
    status, out, err = run(*words, "--deals", "3")
    assert (status, err) == (0, "") and "nothing came out otherwise" in out  # the setting is for both
    data = json.loads(run("simulate", "shengji", "--against", "dalian", "--deals", "2", "--format", "json")[1])
    assert (data["before"]["ruleset"], data["after"]["ruleset"]) == ("dalian", "shengji")
    only = {one["name"] for one in data["differences"] if one["after"] == "-"}
    assert {"answer.decline", "payment.sky"} <= only
    assert run("simulate", "dalian", "--against", "no_such_game")[0] == 2
    assert run("simulate", "dalian", "--against", "dalian", "--transcript")[0] == 2


def test_show_is_the_same_every_time(run: Run) -> None:
    status, out, _ = run("show", "dalian")
    assert status == 0
    assert "answer" in out
    assert out == run("show", "dalian")[1]
    assert json.loads(run("show", "dalian", "--format", "json")[1])["name"] == "dalian"


def test_a_faulty_ruleset_is_explained_by_every_command(run: Run) -> None:
    write("mine.yaml", FAULTY)
    for command in ("list", "show", "simulate"):
        status, _, err = run(command, "mine.yaml")
        assert status == 1
        assert "mine.yaml:6:17" in err
        assert "laed" in err


def test_progress_is_shown_on_a_terminal_only(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    run("simulate", "dalian", "--deals", "3")
    assert "playing" in screen.getvalue() or screen.getvalue().endswith("\x1b[K")


def test_new_refuses_a_name_under_which_it_would_extend_itself(run: Run) -> None:
    for name in ("dalian.yaml", "dalian"):
        status, _, err = run("new", name, "--extends", "dalian")
        assert status == 1 and "HW701" in err and "give it another name" in err
        assert not Path("dalian").exists() and not Path("dalian.yaml").exists()


def test_new_refuses_a_place_from_which_its_parent_cannot_be_had(run: Run) -> None:
    run("new", "table.yaml", "--extends", "dalian", "--set", "base=5")
    Path("sub").mkdir()
    status, _, err = run("new", "sub/mine.yaml", "--extends", "table.yaml")
    assert status == 1 and "outside the folder" in err and not Path("sub/mine.yaml").exists()


def test_new_adds_the_ending_and_finds_a_good_name(run: Run) -> None:
    assert run("new", "mine", "--extends", "dalian", "--set", "base=5")[1].startswith("wrote mine.yaml")
    for name in ("true", "on", "not", "5"):
        assert run("new", f"{name}.yaml", "--extends", "dalian", "--set", "base=5")[0] == 0
        assert f"name: house_{name}\n" in Path(f"{name}.yaml").read_text(encoding="utf-8")
        assert run("check", f"{name}.yaml")[0] == 0
    assert run("new", "more.yaml", "--extends", "5.yaml", "--set", "must_beat=true")[0] == 0
    assert run("check", "more.yaml")[0] == 0


@pytest.mark.parametrize(
    "words",
    [
        ["check", ""],
        ["check", " "],
        ["check", "dalian", "--with", ""],
        ["simulate", ""],
        ["simulate", "dalian", "--against", ""],
        ["new", "", "--extends", "dalian"],
        ["test", ""],
        ["list", ""],
        ["explain", ""],
    ],
)
def test_an_empty_argument_is_a_wrong_use(words: list[str], run: Run) -> None:
    Path("game.yaml").write_text("hongwu: 1", encoding="utf-8")
    status, out, err = run(*words)
    assert status == 2 and not out and "an argument is empty" in err


def test_material_for_other_rulesets_is_not_played(run: Run) -> None:
    for name in ("base/sheng_ji", "base/climbing"):
        status, out, err = run("simulate", name, "--deals", "1")
        assert status == 2 and not out and "not itself a game" in err
        status, out, _ = run("check", name, "--play", "1")
        assert status == 0 and "not proved: random matches: it is material for other rulesets" in " ".join(out.split())


def test_an_interrupt_while_the_command_is_still_being_imported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from hongwu_rules.__main__ import main as installed

    def interrupted() -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("hongwu_rules.cli.main", interrupted)
    assert installed() == 130
    got = capsys.readouterr()
    assert not got.out and got.err.startswith("interrupted")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--deals", "0", "--play", "1"), "at least 1, not 0"),
        (("--play", "-1"), "at least 0, not -1"),
        (("--seed", "9" * 20), "less than 10^18"),
        (("--play", "x"), "a whole number is expected, not 'x'"),
        (("--deals", "3"), "--deals goes with --play"),
    ],
)
def test_numbers_that_do_not_fit(run: Run, words: tuple[str, ...], said: str) -> None:
    status, _, err = run("check", "dalian", *words)
    assert status == 2 and said in err
    _, _, chinese = run("check", "dalian", *words, "--lang", "zh")
    assert re.search("[\u4e00-\u9fff]", chinese.splitlines()[0])


def test_what_is_left_to_play_is_named_with_the_command(run: Run) -> None:
    status, out, _ = run("check", "dalian", "--set", "base=5")
    assert status == 0 and "not proved" in out
    assert out.splitlines()[-1].strip() == "try it in play: hongwu-rules check dalian --set base=5 --play 100"
    assert "try it in play" not in run("check", "dalian", "--play", "1")[1]


def test_too_many_players(run: Run) -> None:
    status, _, err = run("simulate", "dalian", "--deals", "1", "--players", ",".join(["random"] * 5))
    assert status == 2 and "1 to 4 players are named, not 5" in err

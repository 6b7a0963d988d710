"""Whatever a user can read exists in Chinese and in English: codes, wordings of rulesets, help, errors, sentences."""

from __future__ import annotations

import argparse
import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import hongwu_rules as hw
from hongwu_rules import errors
from hongwu_rules.cli import main
from hongwu_rules.cli.arguments import build
from hongwu_rules.coverage import KINDS
from hongwu_rules.diagnostics import Findings, Text
from hongwu_rules.diagnostics.absent import ABSENT
from hongwu_rules.diagnostics.codes import CODES
from hongwu_rules.diagnostics.explain import page, read_page
from hongwu_rules.diagnostics.steps import NEXT
from hongwu_rules.errors import HongwuError
from hongwu_rules.game import load, rulesets
from hongwu_rules.language.words import COLLECTIONS, EFFECTS, FOLDS, RANDOM, WORDS
from hongwu_rules.model import Ruleset
from hongwu_rules.model.sections import SECTIONS
from hongwu_rules.overlay.layers import load_tree
from hongwu_rules.overlay.library import bundled_folder
from hongwu_rules.simulate import PlayerError, simulate
from hongwu_rules.source.files import SourceIOError
from hongwu_rules.source.nodes import Mapping, Node, Scalar

PACKAGE = Path(hw.__file__).parent
HOUSE = sorted((bundled_folder() / "house").glob("*.yaml"))
CHINESE = re.compile("[\u4e00-\u9fff]")
NOT_ENGLISH = re.compile("[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]")
QUOTED = re.compile(r"`[^`]*`|\"[^\"]*\"|'[^']*'")  # what a file says itself may be Chinese


def said_in_both(text: Text, where: object) -> None:
    assert text.zh.strip() and text.en.strip(), where
    assert text.zh != text.en, where
    assert CHINESE.search(text.zh), where
    assert not NOT_ENGLISH.search(QUOTED.sub("", text.en)), where


# ---------------------------------------------------------------- codes
@pytest.mark.parametrize("code", CODES)
def test_a_code(code: str) -> None:
    said_in_both(CODES[code].title, code)
    stored = read_page(code)
    said_in_both(Text(stored.zh, re.sub(r"\([^)]*\)", "", stored.en)), code)  # an example in brackets may be Chinese
    assert page(code, "zh") != page(code, "en")


@pytest.mark.parametrize("code", NEXT)
def test_a_next_step(code: str) -> None:
    assert code in CODES
    said_in_both(NEXT[code], code)


@pytest.mark.parametrize("code", ABSENT)
def test_a_code_that_is_never_given(code: str) -> None:
    said_in_both(ABSENT[code].title, code)
    said_in_both(ABSENT[code].why, code)


# ---------------------------------------------------------------- rulesets
def wordings(ruleset: Ruleset) -> Iterator[tuple[str, Text]]:
    """Every text of a ruleset that a player may read, with what it belongs to."""
    yield "title", ruleset.title
    for option in ruleset.options.values():
        yield option.name, option.text
        yield from zip(option.type.words, option.choices, strict=True) if option.choices else ()
    for kind in ruleset.kinds.values():
        yield from zip(kind.words, kind.texts, strict=True)
    for slot in ruleset.memory.values():
        yield slot.name, slot.text
    yield from ((zone.name, zone.text) for zone in ruleset.zones.values())
    for shape in ruleset.shapes.items:
        yield shape.name, shape.text
    for clause in ruleset.shapes.require:
        yield clause.name, clause.text
    if ruleset.trick.text is not None:
        yield "ruff", ruleset.trick.text
    for phase in ruleset.phases.values():
        yield phase.name, phase.text
        for move in phase.moves.values():
            yield f"{phase.name}.{move.name}", move.text
            yield from ((f"{phase.name}.{move.name}.{clause.name}", clause.text) for clause in move.require)


@pytest.mark.parametrize("path", [*rulesets(), *HOUSE], ids=lambda path: Path(path).stem)
def test_a_ruleset(path: str | Path) -> None:
    for name, text in wordings(load(path).ruleset):
        said_in_both(text, name)


@pytest.mark.parametrize("name", rulesets())
def test_every_wording_that_is_written_is_looked_at(name: str) -> None:
    """Wherever a file writes ``zh`` and ``en`` under one key, the model has both."""
    known = {text for _, text in wordings(load(name).ruleset)}
    loaded = load_tree(name, findings=Findings())
    assert loaded is not None
    written = list(both(loaded.root))
    assert len(written) > 30
    for text in written:
        assert text in known


def both(node: Node) -> Iterator[Text]:
    """Every pair of wordings in a tree."""
    if isinstance(node, Mapping):
        zh, en = node.get("zh"), node.get("en")
        if isinstance(zh, Scalar) and isinstance(en, Scalar):
            yield Text(str(zh.value), str(en.value))
        for entry in node:
            yield from both(entry.value)


# ---------------------------------------------------------------- the reference words
def test_sections_fields_and_words() -> None:
    for section in SECTIONS.values():
        for name, field in section.fields.items():
            said_in_both(field.about, f"{section.name}.{name}")
    for name, word in (*WORDS.items(), *EFFECTS.items()):
        said_in_both(word.text, name)
    for name, text in (*FOLDS.items(), *((name, text) for name, (_, text) in COLLECTIONS.items()), ("random", RANDOM)):
        said_in_both(text, name)
    for kind, text in KINDS.items():
        said_in_both(text, kind)


# ---------------------------------------------------------------- help
def parsers(lang: str) -> dict[str, argparse.ArgumentParser]:
    """The parser of the whole command and of each command."""
    root = build(lang)
    (commands,) = (one for one in root._actions if isinstance(one, argparse._SubParsersAction))
    return {"": root, **commands.choices}


def help_texts(parser: argparse.ArgumentParser) -> dict[str, str]:
    """Every sentence of a page of help, by what it is about."""
    found = {"description": parser.description or ""}
    for group in parser._action_groups:
        if group._group_actions:
            found[f"group {[one.dest for one in group._group_actions]}"] = group.title or ""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            found |= {f"command {one.dest}": one.help or "" for one in action._choices_actions}
        else:
            found[f"argument {action.dest}"] = action.help or ""
    return found


@pytest.mark.parametrize("command", parsers("en"))
def test_help(command: str) -> None:
    zh, en = (help_texts(parsers(lang)[command]) for lang in ("zh", "en"))
    assert zh.keys() == en.keys() and len(zh) >= 4
    for what in zh:
        said_in_both(Text(zh[what], en[what]), what)


@pytest.mark.parametrize("command", parsers("en"))
@pytest.mark.parametrize(("environ", "lang"), [({"LANG": "zh_CN.UTF-8"}, "zh"), ({"LANG": "C"}, "en")])
def test_help_follows_the_locale(
    command: str,
    environ: dict[str, str],
    lang: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in ("HONGWU_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", environ["LANG"])
    asked = [command, "--help"] if command else ["--help"]
    assert main(asked) == 0
    text = capsys.readouterr().out
    assert text.startswith("用法：" if lang == "zh" else "usage: ")
    assert bool(CHINESE.search(text)) is (lang == "zh")
    assert main([*asked, "--lang", lang]) == 0
    assert capsys.readouterr().out == text


@pytest.mark.parametrize(
    "arguments",
    [
        ["chek"],
        [],
        ["check", "--lnag", "zh"],
        ["show"],
        ["explain", "HW000"],
        ["check", "--play", "many"],
        ["check", "--play"],
        ["check", "--format", "xml"],
        ["check", "--set", "novalue"],
        ["check", "nothing_of_this_name"],
        ["check", "dalian", "--set", "no_such_option=1"],
        ["check", "dalian", "--set", "base=0"],
        ["simulate", "dalian", "--players", "clever"],
        ["new", "-", "--extends", "nothing_of_this_name"],
        ["test", "no_such_folder"],
        ["list", "nothing_of_this_name"],
        ["check", "dalian", "--transcript=yes"],
        ["simulate", "dalian", "--transcript=yes"],
    ],
    ids=" ".join,
)
def test_what_the_command_refuses(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    said = {}
    for lang in ("zh", "en"):
        assert main([*arguments, "--lang", lang]) == 2
        out = capsys.readouterr()
        said[lang] = out.err + out.out
    said_in_both(Text(said["zh"], said["en"]), arguments)


# ---------------------------------------------------------------- errors
def _position(**given: Any) -> Callable[[], object]:
    return lambda: load("dalian").position(given)


def _lead() -> hw.State:
    """A lead from a hand that nobody gave."""
    return load("dalian").position({"phase": "lead", "seat": 0, "memory": {"leader": 0}})


def _state() -> hw.State:
    return load("dalian").start(seed=7)


FAULTS: dict[type[HongwuError], Callable[[], object]] = {
    errors.PositionError: _position(phase="nowhere"),
    errors.OptionError: lambda: load("dalian", options={"base": 0}),
    errors.MoveError: lambda: hw.parse_move(""),
    errors.NotExpected: lambda: _state().leave(1),
    errors.DamagedState: lambda: load("dalian").from_json("{}"),
    errors.OtherRuleset: lambda: load("doudizhu").from_json(_state().to_json()),
    errors.NotThere: lambda: _state().value("levle"),
    errors.HiddenRead: lambda: list(_lead().legal_moves()),
    errors.RulesFault: lambda: _stuck(),
    hw.IllegalMove: lambda: _state().apply("bid free"),
    PlayerError: lambda: simulate(load("dalian"), deals=1, players=["clever"]),
    SourceIOError: lambda: load("no/such/file.yaml"),
}


def _stuck() -> object:
    """A table without a row for what happened."""
    return simulate(load(Path(__file__).parent / "bad" / "HW903_no_row.yaml"), deals=30)


def subclasses(of: type[HongwuError]) -> set[type[HongwuError]]:
    found = set(of.__subclasses__())
    return found.union(*map(subclasses, found))


@pytest.mark.parametrize("kind", FAULTS, ids=lambda kind: kind.__name__)
def test_an_error_speaks_both_languages(kind: type[HongwuError]) -> None:
    with pytest.raises(kind) as caught:
        FAULTS[kind]()
    assert type(caught.value) is kind
    said_in_both(caught.value.text, kind)
    assert str(caught.value) == caught.value.text.en


def test_every_error_of_the_interface_is_tried() -> None:
    assert subclasses(HongwuError) == set(FAULTS)


@pytest.mark.parametrize("name", rulesets())
def test_reasons_speak_both_languages(name: str) -> None:
    """The reasons that every game has, and their hints: whatever a candidate is refused for."""
    rules = load(name)
    state = rules.start(seed=1)
    for move in ("play BJ BJ BJ BJ", "play S3", "decline BJ", "bid 1000", "fly", "play"):
        for reason in state.judge(move).reasons:
            said_in_both(reason.full, (move, reason.id))


# ---------------------------------------------------------------- every sentence of the package
def literal(node: ast.expr) -> list[str] | None:
    """The texts that an expression may be, ``\\0`` for what is filled in; None where it is no literal."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.JoinedStr():
            return ["".join(str(v.value) if isinstance(v, ast.Constant) else "\0" for v in node.values)]
        case ast.IfExp():
            either = literal(node.body), literal(node.orelse)
            return None if either[0] is None or either[1] is None else [*either[0], *either[1]]
        case ast.BinOp(op=ast.Add()):
            return [a + b for a in literal(node.left) or ["\0"] for b in literal(node.right) or ["\0"]]
    return None


def takers(tree: ast.Module) -> dict[str, tuple[int, int]]:
    """The functions of a module that are given the two languages, and at which places."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            names = [arg.arg for arg in (*node.args.posonlyargs, *node.args.args)]
            if {"zh", "en"} <= set(names):
                own = names[0] == "self"
                found[node.name] = (names.index("zh") - own, names.index("en") - own)
    return found


def pairs(path: Path) -> Iterator[tuple[int, list[str], list[str]]]:
    """Every pair of sentences that a module writes out, with its line."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    places = {"Text": (0, 1), "add": (2, 3), **takers(tree)}
    places |= {"pick": (0, 1), "say": (0, 1)} if path.parent.name == "cli" else {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        zh, en = places.get(name, (99, 99))
        if max(zh, en) >= len(node.args) or any(isinstance(arg, ast.Starred) for arg in node.args[: en + 1]):
            continue
        one, two = literal(node.args[zh]), literal(node.args[en])
        if one is not None and two is not None:
            yield node.lineno, one, two


# Not sentences: the form of a name, and a key of the language.
SAME = {"NAME", "returns"}


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_every_sentence_of_a_module(path: Path) -> None:
    for line, chinese, english in pairs(path):
        where = f"{path.name}:{line}"
        for zh in chinese:
            assert CHINESE.search(zh) or zh in SAME or not re.search("[A-Za-z]{3}", zh), where
        for en in english:
            sample = "\nhongwu: 1\n"  # a few lines of a file follow, and a title has both languages
            assert not NOT_ENGLISH.search(QUOTED.sub("", en.partition(sample)[0])), where
        if len(chinese) == len(english) == 1:
            assert bool(chinese[0]) is bool(english[0]), where
            words = re.search("[A-Za-z]{3}", english[0].replace("\0", ""))
            assert chinese != english or not words or chinese[0] in SAME, where


def test_the_sentences_are_found() -> None:
    """The search above sees what it should."""
    assert sum(1 for path in PACKAGE.rglob("*.py") for _ in pairs(path)) > 900

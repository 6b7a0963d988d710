"""The shape of a file. Places (line, column) were counted by hand in the texts below."""

from __future__ import annotations

import re
import threading
import time
from pathlib import Path

import pytest
from cerberus import SchemaError

from hongwu_rules.diagnostics import Diagnostic, Findings, Text
from hongwu_rules.diagnostics.absent import ABSENT
from hongwu_rules.diagnostics.codes import CODES
from hongwu_rules.model.sections import SECTIONS, field_of
from hongwu_rules.overlay.layers import Library, load_tree
from hongwu_rules.schema.validation import KEYS, rules_of, validate
from hongwu_rules.schema.validation import _Validator as Validator
from hongwu_rules.source.nodes import Entry, Mapping, Scalar
from hongwu_rules.source.reader import parse

GAME = """\
hongwu: 1
name: small
title: {zh: 小, en: small}
options:
  stake: {default: 1, range: 1..9, zh: 底分, en: stake}
  side:
    default: counter_clockwise
    choices: {clockwise: {zh: 顺, en: cw}, counter_clockwise: {zh: 逆, en: ccw}}
    zh: 方向
    en: direction
kinds:
  call: low high
  bid: {cite: D1, pass: {}, one: {zh: 一, en: one}}
seats: {count: 4, direction: side}
deck:
  packs: 2
  points: {5: 5, K: 10}
zones:
  stock: seen by nobody
  hand[seat]: {is: seen by viewer == seat, cite: D2}
memory:
  match:
    score[seat]: int = 0
  deal:
    pair[seat, seat]: {is: int = 0, zh: 对, en: pair}
define:
  always: true
  three(card): 3
order:
  all:
    top: card == H5
    rest: {is: true by A K Q, cite: D4 D5}
  plain[suit]: A K Q
  runs: {close_over: true, across_lines: stake == 2}
shapes:
  alike_by: step
  single: {alike: 1}
  run: {alike: 1..2, run: 3.., within: A..3, when: stake > 1}
trick: {ruff: {that: 'true', cite: D6}}
acts:
  pay:
    - score[s] += 1 for s in seats
start: deal
phases:
  deal:
    begins: deal
    do:
      - shuffle(stock)
      - {do: 'deal(stock, hand, 3)', when: stake > 0}
    next: ask
  ask:
    round: once
    first: 0
    timeout: [pass, play]
    moves:
      pass: {quiet: true, cite: [D7, D8]}
      play:
        pick: hand[seat]
        shapes: single run
        require:
          one:
            that: len(picked) == 1
            zh: 一张
            en: one
        do:
          play: play(picked)
    next:
      - over when stake == 3
      - {is: deal, cite: D9}
  over: {final: true}
tables:
  pay:
    given: {place: 1..4, won: bool}
    gives: {points: 0}
    hit: first
    rows:
      first: {place: 1, won: true, points: 2, cite: D3}
      other: {place: 2.., points: stake * 2}
leave: {do: [pay], next: over}
returns: score[seat]
"""


def check(text: str, *, limit: int = 100) -> tuple[list[Diagnostic], int]:
    findings = Findings()
    _, root = parse("x.yaml", text.encode(), findings)
    assert root is not None, findings.items
    given = len(findings.items)
    left = validate(root, findings, limit=limit)
    return findings.items[given:], left


def places(found: list[Diagnostic]) -> list[tuple[str, int, int]]:
    return [(item.code, item.span.line, item.span.column) for item in found]


def changed(old: str, new: str) -> str:
    assert GAME.count(old) == 1, old
    return GAME.replace(old, new)


def test_a_whole_game_is_clean() -> None:
    assert check(GAME) == ([], 0)


@pytest.mark.parametrize(
    "key", ["hongwu", "name", "title", "seats", "deck", "zones", "order", "shapes", "start", "phases", "returns"]
)
def test_a_game_needs(key: str) -> None:
    lines, skip = [], False
    for line in GAME.splitlines():
        if not line.startswith(" "):
            skip = line.startswith(f"{key}:")
        lines += [] if skip else [line]
    found, _ = check("\n".join(lines))
    assert places(found) == [("HW102", 1, 1)]  # at the first key of the file
    assert f"`{key}`" in found[0].message.en and key in found[0].message.zh


def test_without_moves_that_use_them_shapes_are_not_needed() -> None:
    text = changed("        shapes: single run\n", "        count: 1\n")
    before, _, rest = text.partition("shapes:\n")
    assert check(before + rest[rest.index("trick:") :])[0] == []


def test_shared_parts_need_not_be_a_game() -> None:
    assert check("hongwu: 1\nabstract: true\nseats: {direction: clockwise}\n")[0] == []
    found, _ = check("hongwu: 1\nabstract: true\nmoves: {a: {require: {b: {zh: 甲, en: b}}}}\n")
    assert places(found) == [("HW102", 3, 23)]  # but a clause is a clause


# ---------------------------------------------------------------------- keys


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "hint"),
    [
        ("  packs: 2", "  pakcs: 2", 16, 3, "did you mean `packs`?"),
        ("zones:\n", "zoens:\n", 18, 1, "did you mean `zones`?"),
        ("zones:\n", "points: {K: 10}\nzones:\n", 18, 1, '"points" belongs in the deck'),
        ("zones:\n", "pionts: {K: 10}\nzones:\n", 18, 1, "did you mean `points`, which belongs in the deck?"),
        ("that: len(picked) == 1", "thta: len(picked) == 1", 62, 13, "did you mean `that`?"),
        ("    first: 0", "    firts: 0", 53, 5, "did you mean `first`?"),
        ("first: {place: 1", "first: {palce: 1", 77, 15, "did you mean `place`?"),
        ("zones:\n", "3: 4\nzones:\n", 18, 1, None),
    ],
)
def test_unknown_key(old: str, new: str, line: int, column: int, hint: str | None) -> None:
    found, _ = check(changed(old, new))
    assert ("HW101", line, column) in places(found)
    here = next(item for item in found if item.code == "HW101")
    assert hint is None or here.help[0].en == hint


def test_one_fault_not_two_for_a_misspelt_key() -> None:
    assert places(check(changed("that: len(picked) == 1", "thta: len(picked) == 1"))[0]) == [("HW101", 62, 13)]


def test_keys_of_mixed_kinds_never_crash() -> None:
    """A tree may hold what `parse` would refuse."""
    findings = Findings()
    _, root = parse("x.yaml", GAME.encode(), findings)
    assert root is not None
    odd = tuple(Entry(Scalar(key, root.span), Scalar(1, root.span)) for key in (None, 3, True, 1.5, "x y"))
    for name in ("deck", "zones", "phases", "order", "define"):
        section = root.get(name)
        assert isinstance(section, Mapping)
        entries = tuple(
            Entry(e.key, Mapping((*section.entries, *odd), section.span)) if e.key.value == name else e for e in root
        )
        validate(Mapping(entries, root.span), findings)
    validate(Mapping((*root.entries, *odd), root.span), findings)
    validate(Mapping(odd, root.span), findings)
    validate(Mapping((), root.span), findings)
    assert {item.code for item in findings.items} <= {"HW101", "HW102", "HW103"}


@pytest.mark.parametrize("name", ["3", "null", "true", "on it", "'3'", "7up", "not", "🂡"])
def test_names_of_phases(name: str) -> None:
    text = changed("  over: {final: true}", f"  over: {{final: true}}\n  {name}: {{final: true}}")
    findings = Findings()
    _, root = parse("x.yaml", text.encode(), findings)
    if root is not None:
        validate(root, findings)
    assert [(item.span.line, item.span.column) for item in findings.items] == [(71, 3)]


@pytest.mark.parametrize("name", ["on", "红五", "pass", "_x1"])
def test_these_are_names(name: str) -> None:
    assert check(changed("  over: {final: true}", f"  over: {{final: true}}\n  {name}: {{final: true}}"))[0] == []


# ---------------------------------------------------------------------- kinds of values


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "hint"),
    [
        ("  packs: 2", "  packs: yes", 16, 10, "write a number from 1 to 9"),
        ("  packs: 2", '  packs: "2"', 16, 10, "without quotes: 2"),
        ("  packs: 2", "  packs: true", 16, 10, None),
        ("  packs: 2", "  packs: {is: two, cite: D1}", 16, 15, None),
        ("hongwu: 1", "hongwu: '1'", 1, 9, "without quotes: 1"),
        ("quiet: true", "quiet: yes", 56, 21, "write true"),
        ("title: {zh: 小", "title: {zh: 80", 3, 13, 'put it in quotes: "80"'),
        ("deck:\n  packs: 2\n  points: {5: 5, K: 10}\n", "deck: 2\n", 15, 7, None),
        ("    next: ask", "    next: {to: ask}", 50, 5, None),
        ("      - shuffle(stock)", "      - 3", 48, 9, None),
        ("      first: {place: 1, won: true", "      first: {place: 1.5, won: true", 77, 22, None),
        ("stock: seen by nobody", "stock: true", 19, 10, None),
        ("  three(card): 3", "  three(card): [3]", 28, 3, "a condition that begins with a bracket must be put in quotes as a whole"),
        ("  call: low high", "  call: low-high", 12, 9, None),
        ("range: 1..9", "range: 1-9", 5, 30, "write 1..9"),
        ("range: 1..9", "range: one to nine", 5, 30, "for instance 5..200 step 5"),
        ("alike: 1..2", "alike: some", 38, 16, "for instance 2..5"),
        ("start: deal", "start: deal when x", 43, 8, None),
        ("timeout: [pass, play]", "timeout: [pass, 3]", 54, 21, 'put it in quotes: "3"'),
    ],
)  # fmt: skip
def test_wrong_type(old: str, new: str, line: int, column: int, hint: str | None) -> None:
    found, _ = check(changed(old, new))
    assert places(found) == [("HW103", line, column)]
    assert hint is None or found[0].help[0].en == hint


@pytest.mark.parametrize(
    ("old", "new", "line", "column"),
    [
        ("tables:\n  pay:", "tables:\n  non:\n  pay:", 72, 3),
        ("    moves:\n      pass:", "    moves:\n    who: true\n    x:\n      pass:", 55, 5),
        ("  over: {final: true}", "  over: {}", 70, 3),
        ("timeout: [pass, play]", "timeout: []", 54, 5),
        ("        pick: hand[seat]\n", "        pick:\n", 58, 9),
    ],
)
def test_empty_sections(old: str, new: str, line: int, column: int) -> None:
    found, _ = check(changed(old, new))
    assert ("HW103", line, column) in places(found)
    assert "is empty" in next(item for item in found if item.code == "HW103").message.en


def test_empty_phases_and_rows() -> None:
    head = GAME[: GAME.index("phases:")]
    found, _ = check(head + "phases: {}\ntables: {t: {given: {a: 1..2}, gives: {b: 0}, rows: {}}}\nreturns: 0\n")
    assert places(found) == [("HW103", 44, 1), ("HW103", 45, 47)]


# ---------------------------------------------------------------------- choices and numbers


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "hint"),
    [
        ("hit: first", "hit: frist", 75, 10, "did you mean `first`?"),
        ("hit: first", "hit: {is: frist, cite: D3}", 75, 15, "did you mean `first`?"),
        ("direction: side", "direction: clokwise", 14, 30, "did you mean `clockwise`?"),
        ("round: once", "round: until_quite", 52, 12, "did you mean `until_quiet`?"),
        ("begins: deal", "begins: match", 46, 13, None),
        ("default: counter_clockwise", "default: counterclockwise", 7, 14, "did you mean `counter_clockwise`?"),
    ],
)
def test_bad_choice(old: str, new: str, line: int, column: int, hint: str | None) -> None:
    found, _ = check(changed(old, new))
    assert places(found) == [("HW104", line, column)]
    assert hint is None or found[0].help[0].en == hint


def test_an_expression_over_options_is_left_alone() -> None:
    assert check(changed("round: once", "round: until_out if stake == 1 else until_quiet"))[0] == []


@pytest.mark.parametrize(
    ("old", "new", "line", "column"),
    [
        ("count: 4", "count: 0", 14, 16),
        ("count: 4", "count: 1000000", 14, 16),
        ("  packs: 2", "  packs: 10", 16, 10),
        ("default: 1, range", "default: 10, range", 5, 20),
        ("range: 1..9", "range: 0..8 step 2", 5, 20),  # 1 is not among 0, 2, 4 …
        ("range: 1..9", "range: 9..1", 5, 30),
        ("alike: 1..2", "alike: 0..2", 38, 16),
        ("alike: 1..2", "alike: 0", 38, 16),
    ],
)
def test_out_of_range(old: str, new: str, line: int, column: int) -> None:
    found, _ = check(changed(old, new))
    assert ("HW105", line, column) in places(found)


@pytest.mark.parametrize(
    ("old", "new", "line", "column"),
    [
        ("  over: {final: true}", "  over: {final: true, next: deal}", 70, 23),
        ("    round: once", "    seat: 0\n    round: once", 53, 5),
        ("    begins: deal", "    begins: deal\n    who: true", 47, 5),
        ("    timeout: [pass, play]", "    do: [pay]\n    timeout: [pass, play]", 54, 5),
        ("range: 1..9", "range: 1..9, choices: {a: {zh: 甲, en: a}}", 5, 36),
        ("default: 1, range", "default: true, range", 5, 26),
    ],
)
def test_keys_that_exclude_each_other(old: str, new: str, line: int, column: int) -> None:
    found, _ = check(changed(old, new))
    assert ("HW106", line, column) in places(found)


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "lacks"),
    [
        ("    first: 0\n", "", 51, 3, "first"),
        ("    round: once\n    first: 0\n", "", 51, 3, "seat"),
        ("        pick: hand[seat]\n", "", 57, 7, "pick"),
        ("            zh: 一张\n", "", 61, 11, "zh"),
        (", zh: 底分", "", 5, 3, "zh"),
        (", range: 1..9", "", 5, 3, "range"),
        ("{do: 'deal(stock, hand, 3)', ", "{", 49, 9, "do"),
        ("{is: seen by viewer == seat, cite: D2}", "{cite: D2}", 20, 3, "is"),
        ("{zh: 小, en: small}", "{zh: 小}", 3, 1, "en"),
        ("{count: 4, direction: side}", "{direction: side}", 14, 1, "count"),
    ],
)
def test_missing_keys(old: str, new: str, line: int, column: int, lacks: str) -> None:
    found, _ = check(changed(old, new))
    assert places(found) == [("HW102", line, column)]
    assert f"`{lacks}`" in found[0].message.en


def test_another_version_of_the_language() -> None:
    assert places(check(changed("hongwu: 1", "hongwu: 3"))[0]) == [("HW107", 1, 9)]


def test_steps_in_a_list_cannot_be_placed() -> None:
    found, _ = check(changed("when: stake > 0}", "when: stake > 0, after: x}"))
    assert places(found) == [("HW101", 49, 55)]


# ---------------------------------------------------------------------- overlays


def over(text: str, base: str = GAME) -> list[Diagnostic]:
    findings = Findings()
    library = Library(texts={"base.yaml": base.encode(), "house.yaml": b"extends: base.yaml\n" + text.encode()})
    loaded = load_tree("house.yaml", findings=findings, library=library)
    assert loaded is not None
    validate(
        loaded.root, findings, overlay_files=loaded.overlay_files, complete=loaded.complete, removed=loaded.removed
    )
    return findings.items


@pytest.mark.parametrize(
    ("text", "column", "hint"),
    [
        ("phases: {aks: {timeout: play}}", 10, "did you mean `ask`?"),
        ("phases: {aks: {measure: 3}}", 10, "did you mean `ask`?"),
        ("options: {staek: {default: 3}}", 11, "did you mean `stake`?"),
        ("order: {all: {tpo: {cite: D1}}}", 15, "did you mean `top`?"),
        ("order: {all: {tpo: {after: rest}}}", 15, "did you mean `top`?"),
        ("phases: {ask: {moves: {play: {require: {oen: {when: yes}}}}}}", 41, "did you mean `one`?"),
        ("phases: {ask: {moves: {paly: {require: {}}}}}", 24, "did you mean `play`?"),
        ("phases: {ask: {moves: {play: {do: {paly: {when: yes}}}}}}", 36, "did you mean `play`?"),
        ("tables: {pya: {hit: unique}}", 10, "did you mean `pay`?"),
    ],
)
def test_a_change_of_what_is_not_there(text: str, column: int, hint: str) -> None:
    found = over(text + "\n")
    found = [item for item in found if item.code != "HW003"]
    assert places(found) == [("HW702", 2, column)]
    assert found[0].span.file == "house.yaml" and found[0].help[0].en == hint


def test_new_things_are_no_such_change() -> None:
    assert over("phases: {extra: {final: true}}\noptions: {more: {default: true, zh: 多, en: more}}\n") == []
    assert over("phases: {ask: {moves: {show: {}}}}\n") == []


def test_a_change_of_what_was_removed_says_where() -> None:
    findings = Findings()
    texts = {
        "base": GAME,
        "mid": "extends: base\nremove: [options.side]\nseats: {direction: clockwise}\n",
        "top": "extends: mid\noptions: {side: {default: 1}}\n",
    }
    library = Library(texts={f"{name}.yaml": text.encode() for name, text in texts.items()})
    loaded = load_tree("top.yaml", findings=findings, library=library)
    assert loaded is not None
    validate(
        loaded.root, findings, overlay_files=loaded.overlay_files, complete=loaded.complete, removed=loaded.removed
    )
    assert places(findings.items) == [("HW702", 2, 11)]
    assert findings.items[0].related[0].span[:3] == ("mid.yaml", 2, 10)


def test_under_a_missing_parent_nothing_is_said_to_be_missing() -> None:
    findings = Findings()
    library = Library(texts={"house.yaml": b"extends: gone.yaml\nphases: {ask: {timeout: 3}}\n"})
    loaded = load_tree("house.yaml", findings=findings, library=library)
    assert loaded is not None
    validate(loaded.root, findings, overlay_files=loaded.overlay_files, complete=loaded.complete)
    assert places(findings.items) == [("HW701", 1, 10), ("HW103", 2, 25)]


# ---------------------------------------------------------------------- many faults, and the rest


def test_two_thousand_wrong_rows() -> None:
    rows = "".join(f"      r{i}: {{place: [1], pay: 2, points: 1.5}}\n" for i in range(2000))
    text = changed("      other: {place: 2.., points: stake * 2}\n", rows)
    findings = Findings()
    _, root = parse("x.yaml", text.encode(), findings)
    assert root is not None
    check(GAME)  # the validators are made once
    start = time.process_time()
    left = validate(root, findings)
    assert time.process_time() - start < 20  # a second, on a quiet machine; it was a minute where it was quadratic
    assert len(findings.items) == 100 and left == 3 * 2000 - 100
    assert [item.order for item in findings.items] == sorted(item.order for item in findings.items)
    assert findings.items[0].span.line == 78 and findings.items[-1].span.line == 78 + 33
    assert findings.items[-1].help[-1].en == f"{left} more faults like this are not listed"


def test_a_thousand_unknown_keys_and_phases() -> None:
    text = GAME + "".join(f"k{i}: 1\n" for i in range(1000))
    start = time.process_time()
    assert check(text, limit=5)[1] == 995
    text = changed("  over: {final: true}\n", "".join(f"  p{i}: {{final: true}}\n" for i in range(1000)))
    assert check(text) == ([], 0)
    assert time.process_time() - start < 10


def test_threads_do_not_mix() -> None:
    bad = changed("count: 4", "count: 0")
    answers: list[bool] = []

    def work(text: str, wanted: int) -> None:
        answers.extend(len(check(text)[0]) == wanted for _ in range(15))

    threads = [threading.Thread(target=work, args=pair) for pair in ((GAME, 0), (bad, 1), (GAME, 0))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [True] * 45


def test_every_key_is_explained_in_both_languages() -> None:
    assert set(KEYS["phase"]) == {
        "begins", "seat", "round", "first", "who", "stop", "measure", "moves", "timeout", "then", "do", "next", "final", "zh", "en",
    }  # fmt: skip
    assert {"cite", "remove"} == set(KEYS["any"]) and {"before", "after"} == set(KEYS["entry"])
    for section, keys in KEYS.items():
        for key, text in keys.items():
            assert isinstance(text, Text) and text.zh and text.en, (section, key)
            assert any("\u4e00" <= char <= "\u9fff" for char in text.zh), (section, key)
            assert section in ("any", "entry") or field_of(SECTIONS[section], key) is not None


def test_every_section_can_be_reached() -> None:
    seen, todo = {"row", "dress"}, ["ruleset"]
    while todo:
        name = todo.pop()
        seen.add(name)
        section = SECTIONS[name]
        fields = [*section.fields.values(), *([section.entry] if section.entry else [])]
        fields += [found.items for found in fields if found.items]
        todo += [found.section for found in fields if found.section and found.section not in seen]
    assert seen == set(SECTIONS)


def test_codes_are_in_the_catalog() -> None:
    package = Path(validate.__code__.co_filename).parents[1]
    for path in package.rglob("*.py"):  # of the whole package, not only of the schema
        text = path.read_text(encoding="utf-8")
        absent = set(ABSENT) if path.name in ("absent.py", "explain.py") else set()
        assert set(re.findall(r"\"(HW\d{3})\"", text)) - {"HW000", "HW320"} <= set(CODES) | absent  # two are examples


def test_cerberus_accepts_what_it_is_told_of_every_section() -> None:
    """A check leaves this out, as it takes Cerberus longer than a ruleset does."""
    for section in SECTIONS.values():
        named = [section.entry] if section.entry is not None else []
        for fields in (section.fields, *({"entry": found} for found in [*section.fields.values(), *named])):
            rules = rules_of(fields)
            assert dict(Validator(rules).schema) == rules
    with pytest.raises(SchemaError):
        Validator({"key": {"type": ["text"], "least": 1}})

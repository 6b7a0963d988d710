"""Each kind of proof that a check prints has a faulty twin, a file of ``tests/bad`` of which it is not said."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from hongwu_rules.diagnostics import Text
from hongwu_rules.game import load, rulesets
from hongwu_rules.loading import Report, check
from hongwu_rules.overlay.library import bundled_folder
from hongwu_rules.trials import play_matches

TESTS = Path(__file__).parent
HOUSE = sorted(str(path) for path in (bundled_folder() / "house").glob("*.yaml"))
OK = sorted(str(path) for path in (TESTS / "ok").glob("*.yaml"))
# What is said, as a pattern of the English sentence; the faulty twin and the code that it is given instead.
TWINS: dict[str, tuple[str, str]] = {
    r"\d+ kinds of card, each with one place in the order": ("HW202_left_out", "HW202"),
    r"\d+ cards deal out: .*": ("HW601_too_many", "HW601"),
    r"the card points add up to \d+": ("HW602_points", "HW602"),
    r"\d+ conditions, none found always true or always false": ("HW403_always", "HW403"),
    r'the table "by_place": \d+ rows cover all .*': ("HW501_gap", "HW501"),
    r'the table "by_place": \d+ rows .* once': ("HW502_overlap", "HW502"),
    r'\w+ of the table "\w+" sums to zero over \d+ results?': ("HW507_not_zero", "HW507"),
    r"in (\d+) of \1 phases that ask a seat, whoever holds a card has a legal move": ("HW407_answer", "HW407"),
    r"every clause reads only what its player may see": ("HW409_other_hand", "HW409"),
    r"cards that no phase has opened are seen only by those who held them": ("HW410_next_hand", "HW410"),
    r"every value is set before it is read": ("HW408_unset", "HW408"),
    r"\d+ phases, all reachable, .*": ("HW301_nobody_comes", "HW301"),
    r"\d+ phases, .* all can end": ("HW305_trap", "HW305"),
    r"every loop within a deal (has a measure .*|ends)": ("HW313_wait", "HW313"),
    r"every loop within a deal has a measure \([1-9]\d* proved, .*": ("HW312_circle", "HW312"),
    r"\d+ declared things, each used": ("HW405_define", "HW405"),
}
IN_PLAY = r"\d+ random match(es)? of \d+ deals? got through and lost no card .*"
SOME_PHASES = r"in \d+ of \d+ phases that ask a seat, whoever holds a card has a legal move"
ANY_TABLE = r'the table "\w+": \d+ rows? cover all( \d+)? results?( once)?'


@cache
def report(name: str) -> Report:
    return check(name)


def bad(name: str) -> Report:
    return report(str(TESTS / "bad" / f"{name}.yaml"))


def says(found: Report, pattern: str) -> list[Text]:
    return [text for text in found.proved if re.fullmatch(pattern, text.en)]


@pytest.mark.parametrize("name", [*rulesets(), *OK, str(TESTS / "bad" / "base.yaml")], ids=lambda name: Path(name).stem)
def test_every_proof_that_is_printed_is_of_a_kind_with_a_twin(name: str) -> None:
    for text in report(name).proved:
        assert any(re.fullmatch(pattern, text.en) for pattern in (*TWINS, SOME_PHASES, ANY_TABLE)), text.en
        assert text.zh != text.en and re.search("[\u4e00-\u9fff]", text.zh)


@pytest.mark.parametrize("pattern", TWINS)
def test_the_sound_game_has_the_proof_and_its_twin_has_not(pattern: str) -> None:
    name, code = TWINS[pattern]
    twin = bad(name)
    assert code in {item.code for item in twin.diagnostics}
    assert not says(twin, pattern), name
    sound = [found for found in (bad("base"), *map(report, OK), *map(report, rulesets())) if says(found, pattern)]
    assert sound, pattern


@pytest.mark.parametrize("path", sorted((TESTS / "bad").glob("HW90*.yaml")), ids=lambda path: path.stem)
def test_random_play_is_refused_its_proof(path: Path) -> None:
    """What a check of the text lets pass, and a played match does not."""
    matches = re.findall(r"(?m)^# play: (\d+)$", path.with_suffix(".expect").read_text(encoding="utf-8"))
    assert play_matches(load(path), int(matches[0]), 12, 0)[0]


def test_random_play_gives_its_proof() -> None:
    found, stats = play_matches(load(TESTS / "bad" / "base.yaml"), 2, 12, 0)
    assert not found and re.fullmatch(IN_PLAY, stats.text.en)


def test_what_is_not_proved_is_printed_as_such() -> None:
    assert report(str(TESTS / "bad" / "base.yaml")).not_proved == []
    unsure = [text.en for text in report("anhui").not_proved]
    assert 'that there is always a legal move in "bury": checked in play' in unsure


@pytest.mark.parametrize("name", [*rulesets(), *HOUSE, *OK], ids=lambda name: Path(name).stem)
def test_nothing_is_found_in_what_is_correct(name: str) -> None:
    """No error, no warning, and no hint either."""
    assert [(item.code, item.span.line, item.message.en) for item in report(name).diagnostics] == []

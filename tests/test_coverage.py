"""How often each part of a ruleset had its say: in random play, in a check that plays, in the scenarios."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from hongwu_rules.cli import main
from hongwu_rules.coverage import Coverage, Prober, added, kept_out, never, never_text, parts
from hongwu_rules.game import load, rulesets
from hongwu_rules.simulate import simulate
from hongwu_rules.trials import play_matches

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tools"))

import reached  # noqa: E402

HEARTS = ROOT / "tests" / "ok" / "hearts.yaml"


@pytest.mark.parametrize("name", rulesets())
def test_every_part_of_a_ruleset_is_reached(name: str) -> None:
    """So a zero in random play is never a part that nobody has seen at work; two deals show the ways always taken."""
    found = reached.reached(name, deals=2)
    assert {part.kind for part in found} >= {"moves", "clauses", "shapes", "ways"}
    assert [str(part) for part in found if not part.reached] == []


def test_the_command_prints_what_random_play_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert reached.main(["dalian", "--deals", "2"]) == 0
    text = capsys.readouterr().out
    assert "dalian: 65 parts" in text and "0 by nothing" in text
    assert "deal → settle_eights" in text and "D26_eight_alike" in text


def test_what_nothing_reaches_is_named(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    kept = reached.scenarios_of
    monkeypatch.setattr(
        reached,
        "scenarios_of",
        lambda name: [one for one in kept(name) if "D26" not in one.cite and "D4" not in one.cite],
    )
    assert reached.main(["dalian", "--deals", "2"]) == 1
    assert "deal → settle_eights" in capsys.readouterr().out


# ---------------------------------------------------------------- counting by hand
def test_one_trick_of_hearts() -> None:
    """Seat 0 leads the two of clubs, the others follow: four plays, one lead of a shape, one way after the other."""
    rules = load(HEARTS)
    coverage = Coverage(rules)
    state = rules.position(
        {
            "phase": "lead",
            "seat": 0,
            "memory": {"leader": 0},
            "zones": {"hand": {0: "C2 SA", 1: "C5 S3", 2: "C9 S4", 3: "CK HA"}},
        }
    )
    refused = state.judge("play SA")
    coverage.judged(state, "play", refused)
    for move in ("play C2", "play C5", "play C9", "play CK"):
        read = next(one for one in state.legal_moves() if str(one) == move)
        coverage.moving(state, read)
        state = state.apply(read)
        coverage.reached(state)
    counts = coverage.counts()
    assert counts["moves"] == {"lead.play": 1, "follow.play": 3}
    assert counts["clauses"]["lead.play.two_of_clubs"] == 1 and sum(counts["clauses"].values()) == 1
    assert counts["shapes"] == {"single": 1}
    assert {name: n for name, n in counts["ways"].items() if n} == {
        "lead → follow": 1,
        "follow → trick_end": 1,
        "trick_end → lead": 1,
    }
    assert never(counts)["rows"] == parts(rules.ruleset)["rows"]
    (told,) = never_text(counts, kept_out(rules))
    assert "charge.shooter" in told.en and "去路" in told.zh


def test_a_clause_about_attached_cards_is_counted() -> None:
    """Two threes in a row with both jokers as wings are refused by a clause of the shapes, and tried now and then."""
    rules = load("doudizhu")
    state = rules.position(
        {
            "phase": "lead",
            "seat": 0,
            "memory": {"leader": 0, "landlord": 0, "call": 1},
            "zones": {"hand": {0: "S3 H3 D3 S4 H4 D4 S6 S9 BJ LJ", 1: "S7", 2: "S8"}},
        }
    )
    names = [name for name in parts(rules.ruleset)["clauses"] if name.startswith("shapes.")]
    assert names == [f"shapes.{clause.name}" for clause in rules.ruleset.shapes.require] and names
    coverage = Coverage(rules)
    prober = Prober(Random(3))
    for _ in range(300):
        prober.probe(state, coverage)
    counts = coverage.counts()["clauses"]
    assert set(counts) == set(parts(rules.ruleset)["clauses"])
    assert {name for name in names if counts[name]} == {"shapes.not_both_jokers"}
    assert state.judge("play S3 H3 D3 S4 H4 D4 BJ LJ").reasons[0].id == "not_both_jokers"


def test_counts_are_added_by_name() -> None:
    names = {"moves": ["a", "b"]}
    total = added([{"moves": Counter(a=2)}, {"moves": Counter(a=1, elsewhere=7)}], names)
    assert total == {"moves": {"a": 3, "b": 0}}
    assert never(total) == {"moves": ["b"]}
    assert "every clause" in never_text({"moves": Counter(a=1)}, {"moves": []})[0].en
    assert [text.en for text in never_text({"moves": Counter(a=1, b=0)}, {"moves": ["b"]})] == [
        "kept out by the options: moves b"
    ]


# ---------------------------------------------------------------- what the options keep out
def test_what_the_options_of_dalian_keep_out() -> None:
    """By default there are no bombs, eight alike win at once, nobody must beat, and the highest bid may be made."""
    assert kept_out(load("dalian")) == {
        "moves": [],
        "clauses": ["bid.bid.beyond_off", "answer.decline.must_beat"],
        "shapes": ["bomb", "eight"],
        "steps": [],
        "ways": [],
        "rows": [],
    }
    other = kept_out(load("dalian", options={"eights_win": False, "must_beat": True, "bombs": True}))
    assert other["clauses"] == ["bid.bid.beyond_off"] and other["shapes"] == []
    assert other["ways"] == ["deal → settle_eights", "settle_eights → deal_end"]


def test_what_the_options_of_shengji_keep_out() -> None:
    off = kept_out(load("shengji"))
    assert off["moves"] == ["steal.steal", "steal.decline"]
    assert {"bury → steal", "steal → bury", "steal → lead"} <= set(off["ways"])
    assert "steal.steal.own_call" in off["clauses"]
    assert kept_out(load("shengji", options={"kitty_stealing": True}))["moves"] == []


@pytest.mark.parametrize("name", rulesets())
def test_what_is_kept_out_never_comes_up(name: str) -> None:
    rules = load(name)
    off, counts = kept_out(rules), simulate(rules, deals=15, seed=3).counts
    for kind, names in off.items():
        assert set(names) <= set(parts(rules.ruleset)[kind])
        assert not [part for part in names if counts[kind][part]]


# ---------------------------------------------------------------- check --play
def test_a_check_that_plays_counts_too() -> None:
    rules = load(HEARTS)
    found, stats = play_matches(rules, 2, 3, 1)
    assert not found
    counts = stats.counts
    assert counts["moves"]["lead.play"] == 13 * stats.deals and counts["moves"]["follow.play"] == 39 * stats.deals
    assert sum(counts["moves"].values()) == stats.moves
    assert {kind: list(of_kind) for kind, of_kind in counts.items()} == parts(rules.ruleset)


OFF = {"zh": "按现在的设定不会出现：", "en": "kept out by the options: "}


@pytest.mark.parametrize(("lang", "word"), [("zh", "一次也没有出现："), ("en", "never came up: ")])
def test_check_says_what_never_came_up(lang: str, word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "dalian", "--play", "1", "--deals", "2", "--lang", lang]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert word in text and "answer.decline.must_beat" in text.partition(OFF[lang])[2]
    assert main(["check", "dalian", "--lang", lang]) == 0
    assert word not in capsys.readouterr().out


def test_check_counts_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "dalian", str(HEARTS), "--play", "1", "--deals", "2", "--format", "json"]) == 0
    played = json.loads(capsys.readouterr().out)["played"]
    assert [one["ruleset"] for one in played] == ["dalian.yaml", HEARTS.as_posix()]
    for one, name in zip(played, ("dalian", HEARTS), strict=True):
        names = parts(load(name).ruleset)
        assert {kind: list(of_kind) for kind, of_kind in one["counts"].items()} == names
        assert one["never"] == {kind: [n for n in names[kind] if not one["counts"][kind][n]] for kind in names}
        assert (one["matches"], one["deals"]) == (1, 2)
    assert main(["check", "dalian", "--format", "json"]) == 0
    assert "played" not in json.loads(capsys.readouterr().out)


def test_everything_that_came_up_is_said_so() -> None:
    _, stats = play_matches(load(ROOT / "tests" / "bad" / "base.yaml"), 30, 12, 0)
    assert [text.en for text in stats.never_text] == ["kept out by the options: clauses answer.decline.must_beat"]

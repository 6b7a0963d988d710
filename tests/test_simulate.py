"""Many deals between simple players, counted; and random matches as a check."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from random import Random

import pytest

from hongwu_rules.cli import main
from hongwu_rules.comparison import differences, text, to_json
from hongwu_rules.coverage import parts
from hongwu_rules.errors import RulesFault
from hongwu_rules.game import Rules, load, rulesets
from hongwu_rules.loading import check
from hongwu_rules.simulate import PLAYERS, PlayerError, random_player, seed_of, simulate
from hongwu_rules.transcript import Transcript, tell
from hongwu_rules.trials import play_matches

OK = Path(__file__).parent / "ok"
HEARTS = (OK / "hearts.yaml").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def hearts() -> Rules:
    return load(OK / "hearts.yaml")


def changed(tmp_path: Path, old: str, new: str, text: str = HEARTS) -> Rules:
    """A copy of the game with one change; it must still load."""
    assert old in text
    path = tmp_path / "changed.yaml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    return load(path)


def test_the_counts_add_up(hearts: Rules) -> None:
    summary = simulate(hearts, deals=8, seed=2)
    counts = summary.counts
    assert summary.deals == len(summary.lengths) == 8
    assert set(summary.lengths) == {52}  # thirteen tricks of four plays
    assert counts["moves"] == {"lead.play": 8 * 13, "follow.play": 8 * 39}
    assert counts["shapes"]["single"] == 8 * 13  # only the lead asks for a shape
    assert counts["ways"]["lead → follow"] == counts["ways"]["follow → trick_end"] == 8 * 13
    assert counts["ways"]["trick_end → settle"] == 8
    assert sum(counts["rows"].values()) >= 8
    assert counts["clauses"]["follow.play.follow_suit"] > 0
    assert [tally.number for tally in summary.seats] == [8] * 4
    # A deal is worth 26 penalty points in all, or three times 26 after a shot; hearts pays them as losses.
    total = sum(tally.total for tally in summary.seats)
    assert total <= -8 * 26 and total % 26 == 0


def test_everything_is_listed_and_what_never_came_up(hearts: Rules) -> None:
    summary = simulate(hearts, deals=1, seed=0)
    for kind, names in parts(hearts.ruleset).items():
        assert list(summary.counts[kind]) == names
    assert "charge.shooter" in summary.never["rows"]
    assert "charge.shooter" in summary.text("en") and "一次也没有出现" in summary.text("zh")


def test_the_same_seed_gives_the_same_summary(hearts: Rules) -> None:
    first, again, other = (simulate(hearts, deals=3, seed=seed).to_json() for seed in (5, 5, 6))
    assert first == again != other


def test_results_by_side() -> None:
    summary = simulate(load(OK / "summit.yaml"), deals=10, seed=1)
    assert {"team 0", "team 1", "bidder", "not bidder"} <= set(summary.sides)
    assert summary.sides["bidder"].number == 10
    assert summary.matches >= 2  # a match has eight deals
    assert "队 0" in summary.text("zh")


def test_players(hearts: Rules) -> None:
    rules = load("dalian")
    summary = simulate(rules, deals=2, seed=1, players=["first", "random"])
    assert summary.deals == 2 and summary.players == ("first", "random")
    state = rules.start(seed=3)
    assert PLAYERS["first"](state, Random(0)) == next(iter(state.legal_moves()))
    for bad in (["clever"], [], ["first"] * 5):
        with pytest.raises(PlayerError):
            simulate(hearts, deals=1, players=bad)


def test_random_player_draws_the_kind_first() -> None:
    """Three bids and one decline are on offer: a decline is drawn half of the time, not a quarter."""
    state = load("dalian").start(seed=1)
    assert state.phase == "bid" and state.legal_moves().count() == 4
    rng = Random(0)
    declined = sum(random_player(state, rng).name == "decline" for _ in range(400))
    assert 150 < declined < 250


def test_progress_is_told(hearts: Rules) -> None:
    told: list[tuple[int, int]] = []
    simulate(hearts, deals=3, progress=lambda done, total: told.append((done, total)))
    assert told[0] == (1, 3) and told[-1] == (3, 3)


# ---------------------------------------------------------------- random matches as a check


@pytest.mark.parametrize("path", sorted(OK.glob("*.yaml")), ids=lambda path: path.stem)
def test_correct_games_get_through(path: Path) -> None:
    found, stats = play_matches(load(path), 6, 3, 1)
    assert found == [] and stats.matches == 6 and 6 <= stats.deals <= 18
    assert "6 random matches" in stats.text.en and "6 场" in stats.text.zh


def test_matches_are_cut_after_so_many_deals() -> None:
    _, stats = play_matches(load("dalian", options={"match_deals": 0}), 2, 4, 1)
    assert (stats.deals, stats.cut) == (8, 2)


def test_a_state_without_a_move_is_found(tmp_path: Path) -> None:
    """The first card is now asked for whenever the leader holds an ace: later leads have no answer to that."""
    rules = changed(
        tmp_path,
        "that: C2 in picked or C2 not in hand[seat]",
        "that: C2 in picked or count(c.rank == A for c in hand[seat]) == 0",
    )
    found, _ = play_matches(rules, 20, 2, 1)
    assert [item.code for item in found] == ["HW901"]  # once, however many matches met it
    assert found[0].span.line == 62  # the phase `lead`
    assert found[0].witness is not None and re.match(r"in \d+ of 20 matches, such as seed \d+", found[0].witness.en)
    clause = HEARTS[: HEARTS.index("that: C2 in picked")].count("\n")  # the line above it names the clause
    assert found[0].related[0].span.line == clause
    with pytest.raises(RulesFault, match="no move is legal"):
        simulate(rules, deals=20, seed=1)


def test_the_witness_leads_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = changed(
        tmp_path,
        "that: C2 in picked or C2 not in hand[seat]",
        "that: C2 in picked or count(c.rank == A for c in hand[seat]) == 0",
    )
    found, _ = play_matches(rules, 20, 2, 1)
    assert found[0].witness is not None
    count, command = re.findall(r"after (\d+) moves?.*?To see it from the start: (.*)", found[0].witness.en)[0]
    status = main(shlex.split(command)[1:])
    told = capsys.readouterr()
    assert status == 1 and "HW901" in told.err
    made = re.findall(r"(?:\| |; )\d: (\w+(?: \w+)*)", told.out)
    state = rules.start(seed=int(command.split()[-2]))
    for move in made:
        state = state.apply(move)
    assert len(made) == int(count) and not state.over and not state.legal_moves()


def test_a_transcript_of_a_deal_without_end_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hongwu_rules.transcript.LONGEST", 30)
    written = Transcript(load(OK / "hearts.yaml"), seed=1)
    tell(written, 1)
    assert not written.state.over and written.deals == 1


def test_an_empty_hand_is_told_as_such(tmp_path: Path) -> None:
    """27 cards each leave nothing to take up; who puts eight away all the same runs out before the others."""
    path = tmp_path / "house.yaml"
    head = "hongwu: 1\nname: house\ntitle: {zh: 家规, en: House rules}\nextends: anhui\n"
    path.write_text(head + "phases.deal.do.deal: deal(stock, hand, 27)\n", encoding="utf-8")
    found, _ = play_matches(load(path), 1, 2, 0)
    assert [item.code for item in found] == ["HW901"]
    assert "no cards left" in found[0].help[0].en


def test_a_fault_of_the_rules_has_its_place(tmp_path: Path) -> None:
    """After the first trick nobody holds the two of clubs any more."""
    rules = changed(tmp_path, "- leader = trick.winner", "- leader = the(s for s in seats if C2 in hand[s])")
    found, _ = play_matches(rules, 2, 2, 1)
    assert len(found) == 1 and found[0].code == "HW906"
    assert found[0].span.line == HEARTS[: HEARTS.index("- leader = trick.winner")].count("\n") + 1


def test_a_deal_that_goes_on_and_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hongwu_rules.trials.LONGEST", 30)
    found, _ = play_matches(load(OK / "hearts.yaml"), 1, 1, 1)
    assert [item.code for item in found] == ["HW902"]


WIDE = """\
hongwu: 1
name: house
title: {zh: 家规, en: House rules}
extends: base.yaml
deck: {keep: card.suit is not none}
order.all.rest: true by K Q J 10 9 8 7 6 5 4 3 2
phases.deal.do.ten_each: deal(stock, hand, 26)
phases.bid.moves.double:
  pick: hand[seat]
  count: NUMBER
  do: [show(picked), stakes = double]
  require.mixed:
    that: count(c.suit == H for c in picked) == 4 and count(c.suit == S for c in picked) == 2
    zh: 四红桃二黑桃
    en: Four hearts and two spades
"""


@pytest.mark.parametrize(("number", "sets", "cut"), [("3", 0, 0), ("6", 230_230, 0), ("10", 5_311_735, 2)])
def test_a_pick_that_nothing_narrows_is_told_with_its_size(tmp_path: Path, number: str, sets: int, cut: int) -> None:
    """Some of 26 cards, by the binomial coefficient: 2600 are too few to be told, over five million too many to play."""
    (tmp_path / "base.yaml").write_text((OK.parent / "bad" / "base.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    path = tmp_path / "house.yaml"
    path.write_text(WIDE.replace("NUMBER", number), encoding="utf-8")
    found, stats = play_matches(load(path), 2, 1, 1)
    assert found == [] and (stats.longest == 0) == bool(cut)
    said = [f"{sets} sets of up to {number} of 26 cards" in text.en for text in stats.not_proved]
    assert said == [True] * bool(sets)
    assert [str(sets) in text.zh for text in stats.not_proved] == said
    assert [wide.rare for wide in stats.wide.values()] == [bool(cut)] * len(said)


@pytest.mark.parametrize("game", [*rulesets(), *(str(path) for path in sorted(OK.glob("*.yaml")))])
def test_no_pick_of_the_games_is_that_wide(game: str) -> None:
    _, stats = play_matches(load(game), 1, 1, 3)
    assert stats.not_proved == []


def test_seeds_of_a_series_differ() -> None:
    assert len({seed_of(1, n) for n in range(50)} | {seed_of(2, n) for n in range(50)}) == 100


def test_checked_rulesets_are_what_is_played() -> None:
    assert check("dalian").ruleset is not None


# ------------------------------------------------------------------ two rulesets on the same deals


def differing(before: Rules, after: Rules) -> dict[str, dict[str, tuple[str, str]]]:
    pair = [simulate(rules, deals=6, seed=4) for rules in (before, after)]
    found: dict[str, dict[str, tuple[str, str]]] = {}
    for what, name, old, new in differences(*pair):
        found.setdefault(what.en, {})[name] = (old, new)
    return found


def test_the_same_rules_differ_in_nothing(hearts: Rules) -> None:
    assert differing(hearts, hearts) == {}
    summary = simulate(hearts, deals=1)
    assert "nothing came out otherwise" in text(summary, summary) and "没有什么不同" in text(summary, summary, "zh")


def test_another_payment_changes_the_results_alone(hearts: Rules, tmp_path: Path) -> None:
    found = differing(hearts, changed(tmp_path, "returns: -score[seat]", "returns: -2 * score[seat]"))
    assert set(found) == {"mean result of a deal"}
    results = found["mean result of a deal"]
    assert {"seat 0", "seat 1", "seat 2", "seat 3"} <= set(results)
    for old, new in results.values():
        assert abs(float(new) - 2 * float(old)) < 0.02  # both are rounded
    # All four together lose 26 points a deal, or 78 after a shot.
    assert sum(float(results[f"seat {seat}"][1]) for seat in range(4)) <= -2 * 26 + 0.1


def test_one_more_clause_leaves_all_else_alone(hearts: Rules, tmp_path: Path) -> None:
    clause = "          no_spade:\n            that: S2 not in picked\n            zh: 不出黑桃二\n            en: No\n            when: SA in picked\n"
    found = differing(hearts, changed(tmp_path, "          follow_suit:\n", clause + "          follow_suit:\n"))
    assert found == {"clauses that said no": {"follow.play.no_spade": ("-", "0")}}


def test_differences_as_text_and_data(hearts: Rules, tmp_path: Path) -> None:
    other = changed(tmp_path, "returns: -score[seat]", "returns: -2 * score[seat]")
    before, after = simulate(hearts, deals=2), simulate(other, deals=2)
    lines = text(before, after).splitlines()
    assert lines[0].startswith("2 deals each, seed 0, players: random.") and lines[2] == "mean result of a deal"
    assert [line[-6:] for line in lines[3:7]] == ["seat 0", "seat 1", "seat 2", "seat 3"]
    data = to_json(before, after)
    assert data["before"]["ruleset"] == "hearts" and data["differences"][0]["name"] == "seat 0"
    assert set(data["differences"][0]) == {"zh", "en", "name", "before", "after"}

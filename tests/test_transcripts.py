"""One match of each bundled ruleset in readable text, played again line by line.

A ruleset without one fails here. ``python tests/test_transcripts.py`` writes them anew, to be read before they are kept.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

import hongwu_rules as hw
from hongwu_rules.transcript import replayed, transcript

FOLDER = Path(__file__).parent / "transcripts"
SEEDS = 20  # matches to choose from
LONGEST = 380  # lines; longer matches are cut after fewer deals
DEALS = 8


@pytest.mark.parametrize("name", hw.rulesets())
def test_the_match_goes_as_it_went(name: str) -> None:
    path = FOLDER / f"{name}.txt"
    assert path.is_file(), "no transcript: python tests/test_transcripts.py"
    kept = path.read_text(encoding="utf-8")
    new = replayed(hw.load(name), kept)
    for number, (then, now) in enumerate(zip(kept.splitlines(), new.splitlines(), strict=False), 1):
        assert now == then, f"{path.name}:{number}"
    assert new == kept


def test_every_transcript_is_of_a_ruleset() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(hw.rulesets())


@pytest.mark.parametrize("name", hw.rulesets())
def test_it_can_be_read(name: str) -> None:
    lines = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 400
    assert any(line.startswith("==== 第 1 局 · deal 1") for line in lines)
    phases = {line.partition(" | ")[0] for line in lines if " | " in line and not line.startswith(("#", " "))}
    assert all(" · " in phase for phase in phases), phases


def test_a_changed_line_is_noticed() -> None:
    kept = (FOLDER / "dalian.txt").read_text(encoding="utf-8")
    line = next(line for line in kept.splitlines() if " play " in line)
    assert replayed(hw.load("dalian"), kept) == kept
    assert replayed(hw.load("dalian"), kept.replace(line, line + "; 9 赢 · wins", 1)) != kept.replace(
        line, line + "; 9 赢 · wins", 1
    )
    with pytest.raises(hw.HongwuError):
        replayed(hw.load("dalian"), kept.replace(" play ", " play BJ BJ ", 1))


def telling(text: str) -> int:
    """How many different phases, kinds of move and table rows a transcript has."""
    lines = [line for line in text.splitlines() if not line.startswith(("#", "=", " "))]
    phases = {(line.partition(" | ")[0], move) for line in lines for move in re.findall(r"\d: (\w+)", line) or [""]}
    return len(phases) + len(set(re.findall(r"table \w+: \w+", text))) + 3 * ("结果" in text)


def fitting(rules: hw.Rules, seed: int) -> str:
    """The transcript of one match, cut so that it is not too long."""
    text = ""
    for deals in range(1, DEALS + 1):
        more = transcript(rules, seed=seed, deals=deals)
        if text and (len(more.splitlines()) > LONGEST or more == text):
            break
        text = more
    return text


def write(name: str) -> int:
    """Write the transcript of one ruleset, of some seeds the most telling; how many lines."""
    rules = hw.load(name)
    text = max((fitting(rules, seed) for seed in range(SEEDS)), key=telling)
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.txt").write_text(text, encoding="utf-8")
    return len(text.splitlines())


if __name__ == "__main__":
    for one in sys.argv[1:] or hw.rulesets():
        sys.stdout.write(f"{one}: {write(one)} lines\n")

"""Files that nobody meant: mutilated copies of the rulesets never break the checker, nor slow it down."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

TOOLS = str(Path(__file__).parents[1] / "tools")
COUNT = 150  # of the thousands that `tools/mutilate.py` tries


@pytest.fixture(autouse=True)
def tools(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(TOOLS)


def test_a_sample_of_mutilated_files_breaks_nothing() -> None:
    import mutilate

    files = mutilate.originals()
    assert {"dalian.yaml", "summit.yaml"} <= set(files)
    found = 0
    for number in range(COUNT):
        copy = mutilate.mutilated(files, 7, number)
        outcome = mutilate.try_copy(copy)
        assert not outcome.failure, f"copy {number} of seed 7, {copy.name} ({copy.how}): {outcome.failure}"
        found += bool(outcome.found)
        assert all(item.span.line > 0 or item.code.startswith("HW80") for item in outcome.found), outcome.found
    assert found > COUNT * 0.8  # most of what was done to them is noticed


def test_the_same_numbers_give_the_same_copy() -> None:
    import mutilate

    files = mutilate.originals()
    copies = [mutilate.mutilated(files, 3, number) for number in range(40)]
    assert copies == [mutilate.mutilated(files, 3, number) for number in range(40)]
    assert len({copy.data for copy in copies}) == 40 and all(copy.data != files[copy.name] for copy in copies[:5])
    assert copies != [mutilate.mutilated(files, 4, number) for number in range(40)]


def test_failures_are_noticed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    import mutilate

    def broken(*_: object, **__: object) -> None:
        raise KeyError("lost")

    assert mutilate.main(["--count", "3", "--seed", "1"]) == 0
    monkeypatch.setattr(mutilate, "check", broken)
    assert mutilate.main(["--count", "3", "--seed", "1", "--keep", str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert "KeyError: 'lost'" in out and "3 failed" in out and len(list(tmp_path.iterdir())) == 3
    monkeypatch.setattr(mutilate, "check", lambda *_, **__: sum(range(40_000_000)))
    monkeypatch.setattr(mutilate, "STOP", 0.05)
    assert "broken off" in mutilate.try_copy(mutilate.mutilated(mutilate.originals(), 1, 1)).failure
    assert "tools" not in sys.modules

"""Did you mean …?"""

from __future__ import annotations

import pytest

from hongwu_rules.diagnostics.nearest import nearest


@pytest.mark.parametrize(
    ("word", "known", "meant"),
    [
        ("settel", ["deal", "settle", "settle_places"], "settle"),
        ("anwser", ["lead", "answer"], "answer"),
        ("紅五", ["大王", "红五"], "红五"),
        ("红伍", ["大王", "红五"], "红五"),
        ("红５", ["大王", "红五"], "红五"),
        ("ＨＩＴ", ["hit", "rows"], "hit"),
        ("H55", ["H5", "S5"], "H5"),
        ("bid", ["deal", "over"], None),
        ("a", ["b"], None),
        ("R5", ["5", "R"], None),
        ("三", ["3"], "3"),
        ("", ["b"], None),
        ("x" * 500, ["x" * 499], None),
        ("aab", ["aac", "aad"], "aac"),
        ("deal", [], None),
    ],
)
def test_nearest(word: str, known: list[str], meant: str | None) -> None:
    assert nearest(word, known) == meant

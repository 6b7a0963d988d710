"""What each bundled ruleset is compiled to, kept as text in both languages.

``python tests/test_show_golden.py`` writes the files anew; read what changed before it is kept. Lines are left out of
the places, so that a comment more in a ruleset changes nothing here; ``test_show.py`` looks at them.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from hongwu_rules.game import load, rulesets
from hongwu_rules.show import show

FOLDER = Path(__file__).parent / "show"
LANGUAGES = ("zh", "en")


def shown(name: str, lang: str) -> str:
    """The text of ``hongwu-rules show``, with the file of each place but not the line."""
    return re.sub(r"(\[[\w/.]+):\d+\]", r"\1]", show(load(name), lang))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", rulesets())
def test_what_is_compiled_is_what_was_read_and_kept(name: str, lang: str) -> None:
    assert shown(name, lang) == (FOLDER / f"{name}.{lang}.txt").read_text(encoding="utf-8")


def test_every_ruleset_has_its_text_and_no_other_is_there() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {
        f"{name}.{lang}.txt" for name in rulesets() for lang in LANGUAGES
    }


def test_a_changed_rule_changes_the_text(tmp_path: Path) -> None:
    path = tmp_path / "house.yaml"
    path.write_text(
        "hongwu: 1\nname: dalian\ntitle: {zh: 家规, en: House}\nextends: dalian\n"
        "tables: {payment: {rows: {solo: {each: 4}}}}\n",
        encoding="utf-8",
    )
    kept = (FOLDER / "dalian.en.txt").read_text(encoding="utf-8").splitlines()
    changed = [line for line in show(load(path), "en").splitlines() if "solo: contract solo" in line]
    assert changed and changed[0].split("[")[0] not in {line.split("[")[0] for line in kept}


def main() -> None:
    """Write the texts anew."""
    FOLDER.mkdir(exist_ok=True)
    for name in sys.argv[1:] or rulesets():
        for lang in LANGUAGES:
            (FOLDER / f"{name}.{lang}.txt").write_text(shown(name, lang), encoding="utf-8")


if __name__ == "__main__":
    main()

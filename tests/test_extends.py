"""Finding what a file extends, and overlays on the command line. Places were counted by hand."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from hongwu_rules.diagnostics import Findings
from hongwu_rules.overlay.layers import Library, bundled_folder, bundled_names, load_tree
from hongwu_rules.source.nodes import plain
from hongwu_rules.source.reader import SourceIOError
from overlay_table import Table, at, keys, table

__all__ = ["table"]  # the fixture


# ---------------------------------------------------------------------- the chain


def test_chain_and_overlay_files(table: Table) -> None:
    table.write(house="extends: base\nreturns: 1\n", top="extends: house.yaml\nreturns: 2\n")
    assert plain(at(table.load("top.yaml"), "returns")) == 2
    assert table.loaded is not None
    assert table.loaded.chain == ("top.yaml", "house.yaml", "base.yaml")
    assert table.loaded.overlay_files == {"top.yaml", "house.yaml"}
    assert list(table.loaded.files) == ["top.yaml", "house.yaml", "base.yaml"]


def test_missing_parent(table: Table) -> None:
    table.write(house="name: house\nextends: bsae.yaml\nphases: {bruy: {next: x}}\n")
    root = table.load("house.yaml")
    assert table.places() == [("HW701", "house.yaml", 2, 10)]
    assert '"house.yaml" extends "bsae.yaml"' in table.found[0].message.en
    assert table.helps()[0] == "did you mean `base.yaml`?"
    assert table.loaded is not None and not table.loaded.complete
    assert plain(at(root, "phases")) == {"bruy": {"next": "x"}}  # what the file says itself can still be checked


def test_missing_grandparent_says_who_asked(table: Table) -> None:
    table.write(house="extends: nowhere.yaml\n", top="extends: house.yaml\nreturns: 2\n")
    table.load("top.yaml")
    assert table.places() == [("HW701", "house.yaml", 1, 10)]
    assert '"house.yaml" extends "nowhere.yaml"' in table.found[0].message.en


def test_extends_itself(table: Table) -> None:
    table.write(house="name: house\nextends: ./house.yaml\n")
    table.load("house.yaml")
    assert table.places() == [("HW701", "house.yaml", 2, 10)]
    assert table.found[0].message.en == '"house.yaml" extends itself'


def test_ring_prints_the_chain(table: Table) -> None:
    table.write(a="extends: b.yaml\n", b="extends: c.yaml\n", c="name: c\nextends: b.yaml\n")
    table.load("a.yaml")
    assert table.places() == [("HW701", "c.yaml", 2, 10)]
    assert "b.yaml → c.yaml → b.yaml" in table.found[0].message.en
    assert [item.span[:3] for item in table.found[0].related] == [("b.yaml", 1, 10)]


def test_too_deep(table: Table) -> None:
    files = {f"f{i}": f"extends: f{i + 1}.yaml\nreturns: {i}\n" for i in range(20)}
    table.write(**files, f20="returns: 20\n")
    table.load("f12.yaml")  # eight files under it
    assert table.found == []
    table.load("f11.yaml")
    assert table.places() == [("HW701", "f19.yaml", 1, 10)]
    table.load("f0.yaml")
    assert table.places() == [("HW701", "f8.yaml", 1, 10)]


@pytest.mark.parametrize("wanted", ["../secret.yaml", "sub/../../secret.yaml", "/etc/passwd", "link.yaml"])
def test_outside_the_project(table: Table, wanted: str) -> None:
    (table.folder.parent / "secret.yaml").write_text("name: secret\n")
    Path("link.yaml").symlink_to(table.folder.parent / "secret.yaml")
    table.write(house=f"extends: {wanted}\n")
    table.load("house.yaml")
    assert table.places() == [("HW701", "house.yaml", 1, 10)]
    assert "outside" in table.found[0].message.en
    assert "secret" not in plain(table.load("house.yaml"))


def test_a_subfolder_is_inside_and_its_parent_is_looked_for_there(table: Table) -> None:
    table.write(
        sub__mid="extends: low.yaml\nreturns: 1\n", sub__low="returns: 0\n", house="extends: sub/mid.yaml\nreturns: 2\n"
    )
    table.load("house.yaml")
    assert table.found == []
    assert table.loaded is not None and table.loaded.chain == ("house.yaml", "sub/mid.yaml", "sub/low.yaml")


def test_link_that_leads_to_itself_and_folder(table: Table) -> None:
    Path("loop.yaml").symlink_to("loop.yaml")
    Path("folder.yaml").mkdir()
    table.write(a="extends: loop.yaml\n", b="extends: folder.yaml\n")
    table.load("a.yaml")
    assert table.places() == [("HW701", "a.yaml", 1, 10)] and "leads back" in table.found[0].message.en
    table.load("b.yaml")
    assert table.places() == [("HW701", "b.yaml", 1, 10)] and "a folder" in table.found[0].message.en


def test_pipe(table: Table) -> None:
    os.mkfifo("pipe.yaml")
    table.write(house="extends: pipe.yaml\n")
    table.load("house.yaml")
    assert table.places() == [("HW701", "house.yaml", 1, 10)] and "regular file" in table.found[0].message.en


def test_another_case_is_another_name(table: Table) -> None:
    table.write(house="extends: Base.yaml\n")
    table.load("house.yaml")
    assert table.places() == [("HW701", "house.yaml", 1, 10)]
    assert table.helps()[0] == "did you mean `base.yaml`?"


@pytest.mark.parametrize(
    ("text", "column"), [("extends: 3", 10), ("extends:", 1), ("extends: [base.yaml]", 10), ("extends: ''", 10)]
)
def test_extends_names_one_file(table: Table, text: str, column: int) -> None:
    table.write(house=f"name: house\n{text}\n")
    table.load("house.yaml")
    assert table.places() == [("HW103", "house.yaml", 2, column)]


def test_a_broken_parent_is_told_once_and_in_the_parent(table: Table) -> None:
    table.write(
        base="hongwu: 1\nphases: [a, b\n", house="extends: base.yaml\nremove: [phases.x]\nphases: {bruy: {next: x}}\n"
    )
    root = table.load("house.yaml")
    assert {(code, file) for code, file, _, _ in table.places()} == {("HW001", "base.yaml")}
    assert len(table.found) == 1
    assert table.loaded is not None and not table.loaded.complete
    assert keys(at(root, "phases")) == ["bruy"]


def test_nothing_of_a_broken_file(table: Table) -> None:
    table.write(house="- a\n")
    findings = Findings()
    library = Library(table.bundled)
    assert load_tree("house.yaml", findings=findings, library=library) is None
    assert [item.code for item in findings.items] == ["HW007"]
    assert list(library.files) == ["house.yaml"]


def test_a_parent_of_another_version(table: Table) -> None:
    table.write(base="name: old\nhongwu: 2\nreturns: 1\n", house="hongwu: 1\nextends: base.yaml\nreturns: 2\n")
    table.load("house.yaml")
    assert table.places() == [("HW107", "base.yaml", 2, 9)]


def test_shared_parts_do_not_make_a_game_abstract(table: Table) -> None:
    table.write(
        house="extends: base/shared.yaml\nname: house\n", more="extends: base/shared.yaml\nabstract: true\nreturns: 1\n"
    )
    assert "abstract" not in table.load("house.yaml")
    assert table.found == []
    assert plain(at(table.load("more.yaml"), "abstract")) is True


def test_changes_nothing(table: Table) -> None:
    table.write(
        house="name: house\nextends: base.yaml\ntitle: {zh: 家, en: house}\n",
        same="extends: base.yaml\noptions: {stake: {default: 1}}\n",
    )
    table.load("house.yaml")
    assert table.places() == [("HW702", "house.yaml", 2, 10)]
    assert table.found[0].message.en == '"house.yaml" changes nothing'
    table.load("same.yaml")
    assert table.places() == [("HW702", "same.yaml", 1, 10)]


# ---------------------------------------------------------------------- finding


def test_bundled_files_are_found_by_name(table: Table) -> None:
    table.load("game")
    assert table.loaded is not None and table.loaded.chain == ("game.yaml",) and table.loaded.main.bundled
    table.write(house="extends: shared\nseats: {count: 3}\n")
    table.load("house.yaml")
    assert table.found == []
    assert table.loaded is not None and table.loaded.chain == ("house.yaml", "base/shared.yaml")


def test_bundled_house_rule_reaches_the_games(table: Table) -> None:
    root = table.load("rule")
    assert table.found == []
    assert plain(at(root, "seats", "count")) == 5
    assert table.loaded is not None and table.loaded.chain == ("house/rule.yaml", "game.yaml")


def test_a_path_wins_and_names_stay_apart(table: Table) -> None:
    table.write(game="name: mine\nextends: house/rule.yaml\nseats: {count: 6}\n")
    root = table.load("game.yaml")
    assert table.found == []
    assert plain(at(root, "seats", "count")) == 6
    assert table.loaded is not None and not table.loaded.main.bundled
    assert table.loaded.chain == ("game.yaml", "house/rule.yaml", "rulesets/game.yaml")


def test_what_a_person_names_must_be_there(table: Table) -> None:
    findings = Findings()
    with pytest.raises(SourceIOError):
        load_tree("nothing.yaml", findings=findings, bundled=table.bundled)
    with pytest.raises(SourceIOError):
        load_tree("base.yaml", findings=findings, overlays=["nothing.yaml"], bundled=table.bundled)
    assert findings.items == []
    assert Library(table.bundled).suggestion("gmae.yaml") == "game.yaml"
    assert Library(table.bundled).suggestion("gmae") == "game"


def test_the_real_bundled_folder() -> None:
    assert (bundled_folder() / "dalian.yaml").is_file()
    assert "dalian" in bundled_names() and not any("/" in name for name in bundled_names())


# ---------------------------------------------------------------------- overlays


def test_overlays_are_laid_in_order(table: Table) -> None:
    table.write(
        one="name: one\nextends: base.yaml\nreturns: 1\nphases: {bury: {do: [a]}}\n",
        two="name: two\nextends: base.yaml\noptions: {stake: {default: 2}}\n",
        three="options: {stake: {range: 1..3}}\n",
    )
    root = table.load("base.yaml", "one.yaml", "two.yaml", "three.yaml")
    assert table.found == []
    assert plain(at(root, "returns")) == 1 and plain(at(root, "name")) == "base"
    assert plain(at(root, "options", "stake")) == {"default": 2, "range": "1..3", "zh": "底分", "en": "stake"}
    assert table.loaded is not None
    assert table.loaded.chain == ("base.yaml",)
    assert table.loaded.overlays == ("one.yaml", "two.yaml", "three.yaml")
    assert table.loaded.overlay_files == {"one.yaml", "two.yaml", "three.yaml"}


def test_overlays_that_name_the_same_parent_as_the_main_file(table: Table) -> None:
    table.write(
        one="name: one\nextends: base.yaml\nreturns: 1\n",
        two="name: two\nextends: base.yaml\noptions: {stake: {default: 2}}\n",
    )
    root = table.load("one.yaml", "two.yaml")
    assert table.found == []
    assert (plain(at(root, "returns")), plain(at(root, "name")), plain(at(root, "options", "stake", "default"))) == (
        1,
        "one",
        2,
    )


@pytest.mark.parametrize(("main", "overlays"), [("base.yaml", ["one.yaml", "two.yaml"]), ("one.yaml", ["two.yaml"])])
def test_two_overlays_that_disagree(table: Table, main: str, overlays: list[str]) -> None:
    table.write(
        one="extends: base.yaml\noptions:\n  stake: {default: 3}\nphases: {play: {then: {count: {when: s == 1}}}}\n",
        two="extends: base.yaml\noptions: {stake: {default: 2}}\nphases: {play: {then: {count: 'score[s] += 1 when s == 1'}}}\n",
    )
    table.load(main, *overlays)
    assert table.places() == [("HW705", "two.yaml", 2, 28)]
    assert table.found[0].related[0].span[:3] == ("one.yaml", 3, 20)
    assert "options.stake.default" in table.found[0].message.en


def test_one_removes_what_the_other_changes(table: Table) -> None:
    table.write(
        one="extends: base.yaml\nremove: [phases.bury]\n",
        two="extends: base.yaml\nphases: {bury: {next: over}}\n",
    )
    table.load("base.yaml", "one.yaml", "two.yaml")
    assert table.places() == [("HW705", "two.yaml", 2, 23)]
    assert table.found[0].related[0].span[:3] == ("one.yaml", 2, 10)
    table.load("base.yaml", "two.yaml", "one.yaml")
    assert table.places() == [("HW705", "two.yaml", 2, 23)]


def test_both_remove_the_same(table: Table) -> None:
    table.write(
        one="extends: base.yaml\nremove: [phases.bury]\n", two="extends: base.yaml\nremove: [phases.bury]\nreturns: 3\n"
    )
    table.load("base.yaml", "one.yaml", "two.yaml")
    assert table.found == []


def test_an_overlay_on_an_overlay_is_no_clash(table: Table) -> None:
    table.write(one="extends: base.yaml\nreturns: 1\n", two="extends: one.yaml\nreturns: 2\n")
    assert plain(at(table.load("base.yaml", "two.yaml"), "returns")) == 2
    assert table.found == []
    assert table.loaded is not None and table.loaded.overlays == ("one.yaml", "two.yaml")
    assert plain(at(table.load("base.yaml", "one.yaml", "two.yaml"), "returns")) == 2
    assert table.found == []


def test_an_overlay_for_another_ruleset(table: Table) -> None:
    table.write(one="name: one\nextends: game.yaml\nseats: {count: 3}\n")
    table.load("base.yaml", "one.yaml")
    assert table.places() == [("HW701", "one.yaml", 2, 10)]
    assert "made for another ruleset" in table.found[0].message.en


def test_an_overlay_for_another_game_of_the_same_parts(table: Table) -> None:
    table.write(
        parts="abstract: true\nreturns: 0\n",
        one="name: one\nextends: parts.yaml\nseats: {count: 3}\n",
        other="name: other\nextends: parts.yaml\nseats: {count: 4}\n",
        house="extends: other.yaml\nreturns: 1\n",
        all="extends: parts.yaml\nreturns: 2\n",
    )
    table.load("one.yaml", "house.yaml")
    assert table.places() == [("HW701", "house.yaml", 1, 10)]
    assert 'made for another ruleset, "other.yaml"' in table.found[0].message.en
    assert plain(at(table.load("one.yaml", "all.yaml"), "returns")) == 2  # made for every game of these parts
    assert table.found == []


GAME = (
    "hongwu: 1\nname: {}\ntitle: {{zh: 一, en: one}}\nzones: {{}}\norder: {{}}\nphases: {{}}\nstart: a\n"
    "deck: {{packs: 1}}\nreturns: 0\nseats: {{count: 4}}\n"
)


def test_a_whole_game_is_no_overlay(table: Table) -> None:
    """One finding, and no cascade of what the two say differently."""
    table.write(
        parts="abstract: true\nseats: {count: 4}\n",
        one=GAME.format("one"),
        two="extends: parts.yaml\n" + GAME.format("two").replace("seats: {count: 4}\n", ""),
        rule="extends: two.yaml\nreturns: 1\n",
    )
    for main, overlay, line in (("one", "two", 3), ("two", "one", 2), ("base", "two", 3), ("rule", "one", 2)):
        table.load(f"{main}.yaml", f"{overlay}.yaml")
        assert table.places() == [("HW701", f"{overlay}.yaml", line, 7)], main
        assert "whole game" in table.found[0].message.en and "--extends" in table.helps()[-1]
    table.load("two.yaml", "rule.yaml")
    assert table.found == []
    table.load("parts.yaml", "two.yaml")
    assert table.found == [], "shared parts are no game: the game is laid over them as it would be by itself"


def test_no_bundled_game_is_laid_over_another() -> None:
    """Each pair of games is one finding; where one is made from the other, or is part of it, as before."""
    chains = {name: _chain(name) for name in bundled_names()}
    for main, under in chains.items():
        for other, its in chains.items():
            findings = Findings()
            load_tree(main, findings=findings, overlays=[other], bundled=bundled_folder())
            said = [item.message.en for item in findings.items if item.code in ("HW701", "HW702", "HW705")]
            if other in under:
                assert len(said) == 1 and "part of the ruleset already" in said[0]
            elif main not in its:
                assert len(said) == 1 and ("whole game" in said[0] or "made for another ruleset" in said[0]), said
            else:
                assert said == []


def _chain(name: str) -> list[str]:
    loaded = load_tree(name, findings=Findings(), bundled=bundled_folder())
    assert loaded is not None
    return [file.removesuffix(".yaml") for file in loaded.chain]


def test_an_overlay_that_is_there_already(table: Table) -> None:
    table.write(one="name: one\nextends: base.yaml\nreturns: 1\n")
    table.load("one.yaml", "base.yaml")
    assert table.places() == [("HW702", "base.yaml", 1, 1)]


def test_an_overlay_that_changes_nothing(table: Table) -> None:
    table.write(one="returns: 0\n")
    table.load("base.yaml", "one.yaml")
    assert table.places() == [("HW702", "one.yaml", 1, 1)]


# ---------------------------------------------------------------------- in memory


def test_sources_pickle_and_load_again_without_a_disk(
    table: Table, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    table.write(one="extends: base\nreturns: 1\n", two="extends: ./base.yaml\noptions: {stake: {default: 2}}\n")
    first = table.load("one.yaml", "two.yaml")
    assert table.loaded is not None
    sources = pickle.loads(pickle.dumps(table.loaded.sources))
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.chdir(empty)

    def no_disk(path: Path) -> bytes:
        raise AssertionError(path)

    library = Library.of(sources)
    library.reader = no_disk
    findings = Findings()
    again = load_tree(sources.main, findings=findings, overlays=sources.overlays, library=library)
    assert again is not None and findings.items == []
    assert again.root == first
    assert again.sources == sources


def test_standard_input_has_a_name_and_its_folder(table: Table) -> None:
    library = Library(table.bundled, texts={"typed.yaml": b"extends: base.yaml\nreturns: 9\n"})
    findings = Findings()
    loaded = load_tree("typed.yaml", findings=findings, library=library)
    assert findings.items == [] and loaded is not None
    assert loaded.chain == ("typed.yaml", "base.yaml")
    assert plain(at(loaded.root, "returns")) == 9


def test_a_reader_of_ones_own(table: Table) -> None:
    asked: list[str] = []

    def reading(then: Callable[[Path], bytes]) -> Callable[[Path], bytes]:
        def read(path: Path) -> bytes:
            asked.append(path.name)
            return then(path)

        return read

    table.write(house="extends: base.yaml\nreturns: 1\n")
    load_tree("house.yaml", findings=Findings(), bundled=table.bundled, reader=reading(Path.read_bytes))
    assert asked == ["house.yaml", "base.yaml"]

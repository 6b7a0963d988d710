"""Laying one ruleset over another. Places (file, line, column) were counted by hand in the texts below."""

from __future__ import annotations

import pytest

from hongwu_rules.source.nodes import Mapping, plain
from overlay_table import Table, at, keys, table

__all__ = ["table"]  # the fixture


# ---------------------------------------------------------------------- merging


def test_alone_a_file_stays_as_it_is(table: Table) -> None:
    root = table.load("base.yaml")
    assert table.found == []
    assert plain(at(root, "phases", "bury")) == {"do": ["shuffle(stock)"], "next": "play"}
    assert (
        table.loaded is not None and table.loaded.chain == ("base.yaml",) and table.loaded.overlay_files == frozenset()
    )


def test_keys_merge_and_everything_else_replaces(table: Table) -> None:
    table.write(
        house="""\
extends: base.yaml
name: house
options: {stake: {default: 5}}
phases:
  bury:
    do: ['deal(stock, hand, 3)']
  extra: {final: true}
"""
    )
    root = table.load("house.yaml")
    assert table.found == []
    assert plain(at(root, "options", "stake")) == {"default": 5, "range": "1..9", "zh": "底分", "en": "stake"}
    assert plain(at(root, "phases", "bury")) == {"do": ["deal(stock, hand, 3)"], "next": "play"}
    assert keys(at(root, "phases")) == ["bury", "play", "over", "extra"]
    assert plain(at(root, "name")) == "house" and plain(at(root, "title")) == {"zh": "底", "en": "base"}
    assert "extends" not in root


def test_each_value_keeps_its_place(table: Table) -> None:
    table.write(house="extends: base.yaml\noptions: {stake: {default: 5}}\n")
    root = table.load("house.yaml")
    default, low = at(root, "options", "stake", "default"), at(root, "options", "stake", "range")
    assert default.span[:3] == ("house.yaml", 2, 28)
    assert low.span[:3] == ("base.yaml", 5, 30)
    options = root.entry("options")
    assert options is not None and options.key.span[:3] == ("base.yaml", 4, 1)


def test_a_step_is_patched_part_by_part(table: Table) -> None:
    table.write(
        house="""\
extends: base.yaml
phases:
  play:
    then:
      count: {do: 'score[s] += 2'}
      add: out += 2
"""
    )
    root = table.load("house.yaml")
    assert table.found == []
    assert plain(at(root, "phases", "play", "then", "count")) == {
        "do": "score[s] += 2",
        "for": "s in seats",
        "when": "s == 0",
    }
    # A step written as text is a whole step: the old guard goes, the clause that is cited stays.
    assert plain(at(root, "phases", "play", "then", "add")) == {"cite": "D2", "do": "out += 2"}
    loop = at(root, "phases", "play", "then", "count", "for")
    assert loop.span == ("base.yaml", 36, 32, 36, 42)
    assert at(root, "phases", "play", "then", "count", "when").span == ("base.yaml", 36, 48, 36, 54)


def test_a_dress_goes_over_a_bare_value_and_the_other_way(table: Table) -> None:
    table.write(
        house="""\
extends: base.yaml
order:
  all:
    top: {cite: D8, zh: 红五}
memory: {deal: {out: {is: int = 1, zh: 出完}}}
""",
        top="extends: house.yaml\nmemory: {deal: {out: int = 2}}\n",
    )
    root = table.load("top.yaml")
    assert table.found == []
    assert plain(at(root, "order", "all", "top")) == {"is": "card == H5", "cite": "D8", "zh": "红五"}
    assert at(root, "order", "all", "top", "is").span[:3] == ("base.yaml", 8, 10)
    assert plain(at(root, "memory", "deal", "out")) == {"is": "int = 2", "zh": "出完"}


def test_names_are_the_same_whatever_their_index(table: Table) -> None:
    table.write(house="extends: base.yaml\nmemory: {match: {'score[ seat ]': int = 7}}\n")
    root = table.load("house.yaml")
    assert plain(at(root, "memory", "match")) == {"score[ seat ]": "int = 7"}


@pytest.mark.parametrize(
    ("patch", "line", "column"),
    [
        ("options: 3", 2, 10),
        ("phases: {play: {then: [out = 1]}}", 2, 17),  # labelled steps replaced by a list: shown by the key
        ("phases: {bury: {do: {more: out = 1}}}", 2, 17),  # and a list cannot be patched by label
        ("order: {all: A K}", 2, 14),
        ("order: {all: {is: A K}}", 2, 9),
        ("options: {stake: [1]}", 2, 11),
        ("returns: {one: 1}", 2, 1),
    ],
)  # fmt: skip
def test_another_kind_of_thing(table: Table, patch: str, line: int, column: int) -> None:
    table.write(house=f"extends: base.yaml\n{patch}\n")
    table.load("house.yaml")
    assert table.places() == [("HW703", "house.yaml", line, column)]
    assert table.found[0].related[0].span.file == "base.yaml"


def test_an_empty_section_over_a_full_one(table: Table) -> None:
    table.write(house="extends: base.yaml\nphases:\nreturns: 1\n")
    root = table.load("house.yaml")
    assert table.places() == [("HW103", "house.yaml", 2, 1)]
    assert "bury" in keys(at(root, "phases"))


# ---------------------------------------------------------------------- placing


def test_before_and_after(table: Table) -> None:
    table.write(
        house="""\
extends: base.yaml
order:
  all:
    one: {is: card == S5, after: top}
    two: {is: card == D5, after: top}
    zero: {is: card == C5, before: top}
phases:
  play:
    then:
      early: {do: out = 0, before: count}
      add: {after: win}
"""
    )
    root = table.load("house.yaml")
    assert table.found == []
    assert keys(at(root, "order", "all")) == ["zero", "top", "one", "two", "rest"]
    assert plain(at(root, "order", "all", "one")) == {"is": "card == S5"}
    assert keys(at(root, "phases", "play", "then")) == ["early", "count", "win", "add"]


def test_a_phase_can_be_placed_too(table: Table) -> None:
    table.write(house="extends: base.yaml\nphases: {mid: {after: bury, do: [], next: play}}\n")
    root = table.load("house.yaml")
    assert keys(at(root, "phases")) == ["bury", "mid", "play", "over"]
    assert keys(at(root, "phases", "mid")) == ["do", "next"]


def test_placed_beside_what_is_not_there(table: Table) -> None:
    table.write(house="extends: base.yaml\norder: {all: {one: {is: card == S5, after: tpo}}}\n")
    table.load("house.yaml")
    assert table.places() == [("HW702", "house.yaml", 2, 44)]
    assert table.helps() == ["did you mean `top`?"]


def test_before_or_after_not_both(table: Table) -> None:
    table.write(house="extends: base.yaml\norder: {all: {one: {is: card == S5, after: top, before: rest}}}\n")
    table.load("house.yaml")
    assert table.places() == [("HW106", "house.yaml", 2, 44)]


# ---------------------------------------------------------------------- removing


def test_remove_by_path_and_from_inside(table: Table) -> None:
    table.write(
        house="""\
extends: base.yaml
remove: [memory.match.score, phases.play.then.add.when]
phases:
  play:
    remove: [then.win]
moves:
  call:
    remove: require.level
"""
    )
    root = table.load("house.yaml")
    assert table.found == []
    assert plain(at(root, "memory", "match")) == {}
    assert plain(at(root, "phases", "play", "then", "add")) == {"do": "out += 1", "cite": "D2"}
    assert keys(at(root, "phases", "play", "then")) == ["count", "add"]
    assert keys(at(root, "moves", "call", "require")) == ["one"]
    # The call of the phase copies what is left of the shared one.
    assert keys(at(root, "phases", "play", "moves", "call", "require")) == ["one"]
    assert table.loaded is not None
    gone = {(item.name, item.kind): item.span[:3] for item in table.loaded.removed}
    assert gone[("score", "slots")] == ("house.yaml", 2, 10)
    assert gone[("win", "steps")] == ("house.yaml", 5, 14)
    assert table.loaded.removed_names()["level"] == ("house.yaml", 8, 13, 8, 26)


def test_removing_a_section_removes_all_its_names(table: Table) -> None:
    table.write(house="extends: base.yaml\nremove: [memory.deal, order.all]\norder: {all: A K Q}\n")
    root = table.load("house.yaml")
    assert plain(at(root, "order")) == {"all": "A K Q"}
    assert table.loaded is not None
    assert [(item.name, item.kind) for item in table.loaded.removed] == [
        ("deal", "memory"), ("out", "slots"), ("all", "order"), ("top", "lines"), ("rest", "lines"),
    ]  # fmt: skip
    # `order.all` was put back, so only its lines are gone for good.
    assert set(table.loaded.removed_names()) == {"deal", "out", "top", "rest"}


@pytest.mark.parametrize(
    ("item", "hint"),
    [
        ("phases.brury", "did you mean `phases.bury`?"),
        ("phasse.bury", "did you mean `phases.bury`?"),
        ("moves.call.require.leval", "did you mean `moves.call.require.level`?"),
        ("phases.bury.do.0", "a list without labels can only be replaced as a whole"),
        ("returns.x", None),
    ],
)
def test_removing_what_is_not_there(table: Table, item: str, hint: str | None) -> None:
    table.write(house=f"extends: base.yaml\nremove:\n  - {item}\n")
    table.load("house.yaml")
    assert table.places() == [("HW702", "house.yaml", 3, 5)]
    assert table.helps() == ([hint] if hint else [])


def test_removing_twice_names_the_first_place(table: Table) -> None:
    table.write(
        house="extends: base.yaml\nremove: [phases.bury]\n",
        top="extends: house.yaml\nremove: [phases.bury]\nreturns: 2\n",
    )
    table.load("top.yaml")
    assert table.places() == [("HW702", "top.yaml", 2, 10)]
    assert table.found[0].related[0].span[:3] == ("house.yaml", 2, 10)


def test_remove_takes_paths_only(table: Table) -> None:
    table.write(house="extends: base.yaml\nremove: [3, phases.bury]\nmoves: {call: {remove: }}\n")
    table.load("house.yaml")
    assert table.places() == [("HW103", "house.yaml", 2, 10), ("HW103", "house.yaml", 3, 16)]


def test_nothing_to_remove_in_a_file_of_its_own(table: Table) -> None:
    table.write(alone="name: alone\nremove: [phases.bury]\n")
    table.load("alone.yaml")
    assert table.places() == [("HW702", "alone.yaml", 2, 10)]


# ---------------------------------------------------------------------- copying


def test_like_copies_after_all_changes(table: Table) -> None:
    table.write(
        house="""\
extends: base.yaml
moves:
  call: {require: {one: {that: len(picked) == 2}}}
  again:
    like: call
    remove: [require.level]
    require: {more: {that: 'true', zh: 多, en: more}}
""",
        top="extends: house.yaml\nremove: [moves.again.require.one]\nmoves: {again: {quiet: true}}\n",
    )
    root = table.load("house.yaml")
    assert table.found == []
    assert keys(at(root, "moves", "again", "require")) == ["one", "more"]
    assert plain(at(root, "moves", "again", "require", "one", "that")) == "len(picked) == 2"
    copied = at(root, "phases", "play", "moves", "call")
    assert keys(copied) == ["pick", "require", "quiet"]
    assert at(copied, "require", "one", "that").span[:3] == ("house.yaml", 3, 32)
    # What a copy has can be removed and patched from further up.
    again = at(table.load("top.yaml"), "moves", "again")
    assert table.found == []
    assert keys(at(again, "require")) == ["more"] and plain(at(again, "quiet")) is True


def test_removing_from_a_copy_what_it_has_not(table: Table) -> None:
    table.write(house="extends: base.yaml\nremove: [phases.play.moves.call.require.oen]\n")
    table.load("house.yaml")
    assert table.places() == [("HW702", "house.yaml", 2, 10)]
    assert table.helps() == ["did you mean `require.one`?"]


def test_like_nothing_and_like_each_other(table: Table) -> None:
    table.write(
        alone="""\
moves:
  a: {like: b}
  b: {like: a}
  call: {}
  c: {like: cal}
"""
    )
    table.load("alone.yaml")
    assert table.places() == [("HW702", "alone.yaml", 3, 13), ("HW702", "alone.yaml", 5, 13)]
    assert "a → b → a" in table.found[0].message.en
    assert table.helps() == ["did you mean `call`?"]


# ---------------------------------------------------------------------- paths as keys


def test_a_path_says_the_same_as_keys_inside_keys(table: Table) -> None:
    table.write(
        nested="""\
extends: base.yaml
order: {all: {one: {is: card == S5, after: top}}}
memory: {deal: {out: {zh: 出完}}}
phases:
  play:
    moves: {call: {require: {level: {that: len(picked) == 1}}}}
    then: {count: {when: s == 1}}
    next: [over when out == 2, play]
  mid: {after: bury, do: [], next: play}
""",
        paths="""\
extends: base.yaml
order.all.one: {is: card == S5, after: top}
memory.deal.out.zh: 出完
phases.play.moves.call.require.level.that: len(picked) == 1
phases.play.then.count.when: s == 1
phases:
  play.next: [over when out == 2, play]
  mid: {after: bury, do: []}
phases.mid.next: play
""",
    )
    nested = table.load("nested.yaml")
    assert table.found == []
    paths = table.load("paths.yaml")
    assert table.found == []
    assert plain(paths) == plain(nested)
    assert keys(at(paths, "phases")) == keys(at(nested, "phases")) == ["bury", "mid", "play", "over"]


def test_each_part_of_a_path_keeps_its_place(table: Table) -> None:
    table.write(
        house="extends: base.yaml\nphases.extra.next: play\nmemory.deal.seen[seat]: int = 0\nphases.extra.do: []\n"
    )
    root = table.load("house.yaml")
    assert table.found == []
    phases = at(root, "phases")
    assert isinstance(phases, Mapping)
    extra = phases.entry("extra")
    assert extra is not None and extra.key.span == ("house.yaml", 2, 8, 2, 13)
    assert isinstance(extra.value, Mapping) and keys(extra.value) == ["next", "do"]
    assert [entry.key.span[1:3] for entry in extra.value] == [(2, 14), (4, 14)]
    assert keys(at(root, "memory", "deal")) == ["out", "seen[seat]"]


def test_a_path_that_says_something_twice(table: Table) -> None:
    table.write(
        house="""\
extends: base.yaml
phases: {play: {next: over}}
phases.play.next: play
options.stake: {default: 2}
options.stake.default: 3
order.all.top: card == S5
order.all.top.cite: D8
""",
        top="extends: base.yaml\nremove: [phases.play.then.add]\nphases.play.remove: [then.win]\n",
    )
    table.load("house.yaml")
    assert table.places() == [
        ("HW002", "house.yaml", 3, 13),
        ("HW002", "house.yaml", 5, 15),
        ("HW002", "house.yaml", 7, 11),
    ]
    assert [item.related[0].span[:3] for item in table.found] == [
        ("house.yaml", 2, 17), ("house.yaml", 4, 17), ("house.yaml", 6, 11),
    ]  # fmt: skip
    assert keys(at(table.load("top.yaml"), "phases", "play", "then")) == ["count"]
    assert table.found == []


def test_a_path_that_leads_nowhere(table: Table) -> None:
    table.write(
        house="extends: base.yaml\norder.all.one: {is: card == S5, after: tpo}\n",
        other="extends: base.yaml\nphases.play.then.add.do.more: 3\n",
        dots="extends: base.yaml\nreturns: 1\nphases..next: play\n.returns: 2\n",
    )
    table.load("house.yaml")
    assert table.places() == [("HW702", "house.yaml", 2, 40)]
    table.load("other.yaml")
    assert table.places() == [("HW703", "other.yaml", 2, 22)]
    dots = table.load("dots.yaml")  # left as they are, for the check of the file's shape
    assert table.found == [] and {"phases..next", ".returns"} <= set(keys(dots))


def test_paths_clash_like_other_keys(table: Table) -> None:
    table.write(
        one="extends: base.yaml\nphases.play.then.add.when: out < 2\n",
        two="extends: base.yaml\nphases: {play: {then: {add: {when: out < 1}}}}\n",
        three="extends: base.yaml\nremove: [phases.play.then.add]\n",
    )
    table.load("base.yaml", "one.yaml", "two.yaml")
    assert table.places() == [("HW705", "two.yaml", 2, 36)]
    assert table.found[0].related[0].span[:3] == ("one.yaml", 2, 28)
    table.load("base.yaml", "one.yaml", "three.yaml")
    assert table.places() == [("HW705", "one.yaml", 2, 28)]
    assert table.found[0].related[0].span[:3] == ("three.yaml", 2, 10)

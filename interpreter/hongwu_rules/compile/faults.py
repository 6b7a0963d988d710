"""Broken promises of a ruleset, noticed in play."""

from __future__ import annotations

from ..diagnostics import Text
from ..errors import RulesFault

UNSET = Text("用到了还没有定下来的值", "a value is used that has not been set yet")
NO_ZERO = Text("除数是零", "a division by zero")
NONE_FITS = Text("这里要选出一个来，可是没有一个符合", "one has to be picked out here, and nothing fits")
NOT_THERE = Text("要拿的牌不在那里", "cards are to be taken from where they do not lie")
TOO_FEW = Text("牌不够发", "there are too few cards to deal")
TOO_LONG = Text("自动的阶段转了十万次还没停", "automatic phases ran 100,000 times without an end")


def unset(zh: str = "", en: str = "") -> RulesFault:
    """Something unset was read."""
    return RulesFault("HW408", Text(zh, en) if en else UNSET)


def broken(text: Text) -> RulesFault:
    """A step that cannot be done."""
    return RulesFault("HW906", text)


def out_of_range(name: str, value: object, low: int | None, high: int | None) -> RulesFault:
    """A memory slot left the range that it declares."""
    span = f"{'' if low is None else low}..{'' if high is None else high}"
    return RulesFault("HW904", Text(f"{name} 成了 {value}，超出 {span}", f"{name} became {value}, outside {span}"))


def no_row(table: str, given: tuple[tuple[str, tuple[str, ...]], ...], values: tuple[object, ...]) -> RulesFault:
    """A table without a row for what happened. ``given`` has the names of the inputs, with their words."""
    shown = []
    for (name, words), value in zip(given, values, strict=True):
        if isinstance(value, int) and words and 0 <= value < len(words):
            shown.append(f"{name} = {words[value]}")
        else:
            shown.append(f"{name} = {str(value).lower() if isinstance(value, bool) else value}")
    case = ", ".join(shown)
    return RulesFault("HW903", Text(f"表“{table}”里没有管 {case} 的行", f'no row of the table "{table}" fits {case}'))


def measure_stuck(phase: str, before: int, after: int) -> RulesFault:
    """A measure that did not fall."""
    return RulesFault(
        "HW905",
        Text(
            f"阶段“{phase}”的 measure 没有变小：{before} 之后是 {after}",
            f'the measure of "{phase}" did not fall: {before}, then {after}',
        ),
    )


def measure_negative(phase: str, value: int) -> RulesFault:
    """A measure below zero."""
    text = Text(f"阶段“{phase}”的 measure 是负数：{value}", f'the measure of "{phase}" is below zero: {value}')
    return RulesFault("HW905", text)


def no_seat(phase: str) -> RulesFault:
    """A phase of one seat without a seat."""
    return unset(f"阶段“{phase}”不知道该谁行动", f'nobody is set to act in "{phase}"')


def no_first(phase: str) -> RulesFault:
    """A round without a seat to begin with."""
    return unset(f"阶段“{phase}”不知道从谁问起", f'nobody is set to be asked first in "{phase}"')


def no_way(phase: str) -> RulesFault:
    """No way out of a phase is open."""
    text = Text(f"阶段“{phase}”没有一条出路走得通", f'no way out of "{phase}" is open')
    return RulesFault("HW309", text)

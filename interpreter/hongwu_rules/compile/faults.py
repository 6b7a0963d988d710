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


LARGEST = 10**18  # what a number of the memory, or a result, may come to


def shown(number: object) -> str:
    """A number as it may stand in a message: one that has grown without end, by its size."""
    if not isinstance(number, int) or abs(number) <= LARGEST**2:
        return str(number)
    return f"{'-' if number < 0 else ''}10^{int(number.bit_length() * 0.30103)}"


def unset(zh: str = "", en: str = "") -> RulesFault:
    """Something unset was read."""
    return RulesFault("HW408", Text(zh, en) if en else UNSET)


def broken(text: Text) -> RulesFault:
    """A step that cannot be done."""
    return RulesFault("HW906", text)


def out_of_range(name: str, value: object, low: int | None, high: int | None) -> RulesFault:
    """A memory slot left the range that it declares."""
    if low is None and high is None:
        return too_big(name, value)
    span = f"{'' if low is None else low}..{'' if high is None else high}"
    now = shown(value)
    return RulesFault("HW904", Text(f"{name} 成了 {now}，超出 {span}", f"{name} became {now}, outside {span}"))


def too_big(name: str, value: object) -> RulesFault:
    """A number that grew without end."""
    now = shown(value)
    text = Text(f"{name} 成了 {now}，数最大到 10^18", f"{name} became {now}; numbers go up to 10^18")
    return RulesFault("HW904", text)


def payable(value: int) -> int:
    """What the match was worth to a seat."""
    if not -LARGEST <= value <= LARGEST:
        raise too_big("returns", value)
    return value


def no_row(table: str, given: tuple[tuple[str, tuple[str, ...]], ...], values: tuple[object, ...]) -> RulesFault:
    """A table without a row for what happened. ``given`` has the names of the inputs, with their words."""
    found = []
    for (name, words), value in zip(given, values, strict=True):
        if isinstance(value, int) and words and 0 <= value < len(words):
            found.append(f"{name} = {words[value]}")
        else:
            found.append(f"{name} = {str(value).lower() if isinstance(value, bool) else shown(value)}")
    case = ", ".join(found)
    return RulesFault("HW903", Text(f"表“{table}”里没有管 {case} 的行", f'no row of the table "{table}" fits {case}'))


def measure_stuck(phase: str, before: int, after: int) -> RulesFault:
    """A measure that did not fall."""
    return RulesFault(
        "HW905",
        Text(
            f"阶段“{phase}”的 measure 没有变小：{shown(before)} 之后是 {shown(after)}",
            f'the measure of "{phase}" did not fall: {shown(before)}, then {shown(after)}',
        ),
    )


def measure_negative(phase: str, value: int) -> RulesFault:
    """A measure below zero."""
    now = shown(value)
    text = Text(f"阶段“{phase}”的 measure 是负数：{now}", f'the measure of "{phase}" is below zero: {now}')
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

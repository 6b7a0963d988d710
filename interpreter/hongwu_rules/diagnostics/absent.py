"""Codes that the checker's plan has and this language has no use for: the fault cannot be written in it."""

from __future__ import annotations

from dataclasses import dataclass

from . import Text
from .codes import answers_to


@dataclass(frozen=True, slots=True)
class Absent:
    """A code that is never given. ``why`` says what keeps the fault out, ``see`` which codes catch what comes near."""

    code: str
    name: str
    title: Text
    why: Text
    see: tuple[str, ...]


_ROWS: tuple[tuple[str, str, Text, Text, str], ...] = (
    (
        "HW204",
        "rank-cycle",
        Text("大小绕成一圈", "cards that beat each other in a ring"),
        Text(
            "大小不是一对一对写的，而是一行一行排下来：一张牌只站一处，站在前面的大，所以绕不成圈。",
            "Cards are not ranked pair by pair but in lines, the strongest first: each card stands in one place, and the "
            "earlier place is the stronger one. That cannot go round in a ring.",
        ),
        "HW203",
    ),
    (
        "HW205",
        "rank-not-total",
        Text("两张牌分不出大小", "two cards of which neither beats the other"),
        Text(
            "同一门里，一张牌要么排在前、要么排在后、要么同一级（就是一样大，由 trick.equal 定）；不同门的牌，由 trick.ruff 定能不能"
            "争。会出错的只有漏排的牌。",
            "In one group a card stands earlier, later, or on the same step (then they are equal, and trick.equal decides); "
            "between groups trick.ruff decides. What can go wrong is a card left out of the order.",
        ),
        "HW202",
    ),
    (
        "HW207",
        "trump-and-plain",
        Text("一张牌既是主又是副", "a card that is a trump and a plain card at once"),
        Text(
            "一张牌站在头一个合得上的行里，别的行就不算了，所以只属于一门。排在后面、牌全被前面占去的行会报出来。",
            "A card stands on the first line that fits it and on no other, so it belongs to one group. A later line whose "
            "cards are all taken is found.",
        ),
        "HW203",
    ),
    (
        "HW208",
        "tie-without-rule",
        Text("两张牌一样大，没说谁赢", "equal cards and no rule which wins"),
        Text(
            "总有规矩：一样大时先出的赢，除非 trick 里写 equal: last。几副牌里相同的牌也是这样。",
            "There always is a rule: of equal plays the first one wins, unless the trick says `equal: last`. That holds for "
            "the copies of several packs too.",
        ),
        "",
    ),
    (
        "HW304",
        "start-phase",
        Text("没有开始的阶段，或有几个", "no phase to start with, or several"),
        Text(
            "开始的阶段不是在各阶段里标出来，而是由最外层的 start 写一次：漏写、写两次、写错名字都会报出来，写不出第二个。",
            "The first phase is not marked in the phases: the one key `start` at the top names it. Leaving it out, writing it "
            "twice and misspelling it are found; a second one cannot be written.",
        ),
        "HW102 HW002 HW302",
    ),
    (
        "HW306",
        "final-has-exit",
        Text("终局还有去路", "a final phase that goes on"),
        Text(
            "final 和 next 是两个不能同写的键，写了就报 HW106。",
            "`final` and `next` are two keys that exclude each other; together they are HW106.",
        ),
        "HW106",
    ),
    (
        "HW307",
        "ambiguous-transition",
        Text("两条去路同时成立", "two ways out that are open at once"),
        Text(
            "next 里的去路有先后：走头一条成立的。两条同时成立不是错，靠后的永远轮不到才是错。",
            "The ways of `next` have an order, and the first that holds is taken. That two hold at once is no fault; that the "
            "later one never gets its turn is.",
        ),
        "HW308",
    ),
    (
        "HW314",
        "unknown-actor",
        Text("轮到的人不存在", "a seat to act that does not exist"),
        Text(
            "轮到谁是一个条件式，写出来一定是座位：名字不认识是 HW401，别的种类（连数字也算）是 HW402，还没有定下来是 HW408。",
            "Whose turn it is stands in an expression that must be a seat: an unknown name is HW401, anything else (a number "
            "too) is HW402, and one that is not set yet is HW408.",
        ),
        "HW401 HW402 HW408",
    ),
    (
        "HW509",
        "hit-policy",
        Text("表的取法写错", "a wrong hit policy of a table"),
        Text(
            "hit 只能写 unique、first、collect，别的词是 HW104；表给出的都是数，所以没有加不起来的文字；也没有 else 这一行，占全"
            "一切的行若不在最后，它后面的行就是 HW503。",
            "`hit` takes unique, first or collect, and any other word is HW104. What a table gives are numbers, so there is no "
            "text to add up. There is no `else` row: where a row that fits everything is not the last, those after it are HW503.",
        ),
        "HW104 HW503",
    ),
)

ABSENT: dict[str, Absent] = {row[0]: Absent(*row[:4], tuple(row[4].split())) for row in _ROWS}


def find_absent(text: str) -> Absent | None:
    """The absent code that a person means by ``hw304``, ``304`` or ``start-phase``; None if there is none.

    >>> find_absent("304").name, find_absent("HW302")
    ('start-phase', None)
    """
    word = text.strip().strip("[]").casefold()
    return next((one for one in ABSENT.values() if answers_to(word, one.code, one.name)), None)

"""Slips of the pen: how people write a thing, and how it is written here. The one home of these tables."""

from __future__ import annotations

import re
import unicodedata
from typing import Final, NamedTuple

from . import Text

TRUTH: Final = dict.fromkeys(("yes", "on", "y", "是", "真", "对", "有", "要"), "true") | dict.fromkeys(
    ("no", "off", "n", "否", "假", "不", "无", "没有", "不要"), "false"
)
WORDS: Final = {"对家": "opposite", "对门": "opposite", "顺时针": "clockwise", "逆时针": "counter_clockwise"}
# Chinese names of sections and keys; of several, the one that belongs where it stands is meant.
KEYS: Final = {
    "名字": ("name",), "标题": ("title",), "出处": ("cite", "source"), "设定": ("options",), "选项": ("options",),
    "词": ("kinds",), "座位": ("seats", "seat"), "人数": ("count",), "牌": ("deck", "cards"), "用牌": ("deck",),
    "几副": ("packs",), "分": ("points",), "分数": ("points",), "总分": ("total",), "梯子": ("ladder",),
    "级": ("steps", "ladder"), "必打": ("stops",), "地方": ("zones",), "记忆": ("memory",), "定义": ("define",),
    "大小": ("order",), "牌型": ("shapes",), "一轮": ("trick",), "步骤": ("acts", "do"), "动作": ("moves",),
    "开始": ("start",), "阶段": ("phases",), "离开": ("leave",), "表": ("tables",), "得分": ("returns",),
    "默认": ("default",), "默认值": ("default",), "范围": ("range",), "可选": ("choices",), "规矩": ("require",),
    "条件": ("that", "when"), "行": ("rows",), "输入": ("given",), "输出": ("gives",), "去路": ("next",),
    "下一步": ("next",), "超时": ("timeout",), "做": ("do",), "然后": ("then",), "终局": ("final",), "选": ("choose",),
    "方向": ("direction",), "队": ("teams",), "中文": ("zh",), "英文": ("en",),
}  # fmt: skip
_SUITS: Final = {
    "♠": "S", "黑桃": "S", "♥": "H", "红桃": "H", "红心": "H", "♦": "D", "方块": "D", "方片": "D",
    "♣": "C", "梅花": "C", "草花": "C", "S": "S", "H": "H", "D": "D", "C": "C",
}  # fmt: skip
_JOKERS: Final = {"大王": "BJ", "大鬼": "BJ", "小王": "LJ", "小鬼": "LJ"}
_RANKS: Final = {"一": "A", "十": "10"} | dict(zip("二三四五六七八九", "23456789", strict=True))
_SUIT, _RANK = "|".join(_SUITS), "10|[2-9JQKA]|[一二三四五六七八九十]"
# Patterns are compiled when they are first asked for: a sound file asks for none.
_CARD: Final = rf"(?i)(?P<a>{_SUIT})-?(?P<b>{_RANK})|(?P<c>{_RANK})(?P<d>{_SUIT})"
_BETWEEN = r"(?:\.{2,}|…+|~|～|-{1,2}|—+|–|至|到|\bto\b)"
_UNITS = "分张块元级个倍局轮人家对把点条副"
_RANGE: Final = rf"(-?\d+)?\s*[{_UNITS}]?\s*({_BETWEEN})\s*(\d+)?\s*[{_UNITS}]?(?:\s*(?:step|by|每隔?|步长)\s*(\d+))?"
_OPEN: Final = (
    rf"(?P<low>\d+)\s*[{_UNITS}]?\s*(?:以上|\+|及以上)|(?:>=|至少)\s*(?P<least>\d+)|(?:<=|至多|最多)\s*(?P<most>\d+)"
)


def truth(word: object) -> str | None:
    """The ``true`` or ``false`` that a word like ``yes`` or ``是`` stands for.

    >>> truth("Yes"), truth("否"), truth("maybe")
    ('true', 'false', None)
    """
    return TRUTH.get(unicodedata.normalize("NFKC", word).strip().casefold()) if isinstance(word, str) else None


def range_meant(text: str) -> str | None:
    """The range that was meant by another way to write one.

    >>> range_meant("80~115"), range_meant("0到10"), range_meant("70..240 by 5"), range_meant("40分以上")
    ('80..115', '0..10', '70..240 step 5', '40..')
    >>> range_meant("80..115") is range_meant("x - 3") is None
    True
    """
    text = text.strip()
    found = re.fullmatch(_RANGE, text)
    meant = None
    if found and (found[1] or found[3]):
        meant = f"{found[1] or ''}..{found[3] or ''}" + (f" step {found[4]}" if found[4] else "")
    elif found := re.fullmatch(_OPEN, text):
        meant = f"..{found['most']}" if found["most"] else f"{found['low'] or found['least']}.."
    return meant if meant != text else None


def card_meant(word: str) -> str | None:
    """The card that a word names in another way.

    >>> card_meant("h7"), card_meant("红桃K"), card_meant("10♠"), card_meant("大王"), card_meant("R7")
    ('H7', 'HK', 'S10', 'BJ', None)
    """
    if word in _JOKERS or word.upper() in ("LJ", "BJ"):
        return _JOKERS.get(word, word.upper())
    found = re.fullmatch(_CARD, word.replace("\ufe0f", ""))
    if not found:
        return None
    suit, rank = (found["a"] or found["d"]).upper(), (found["b"] or found["c"]).upper()
    return _SUITS[suit] + _RANKS.get(rank, rank)


class Slip(NamedTuple):
    """A piece of an expression that is written otherwise here: ``right`` in its place, and why, if that is not plain."""

    start: int
    end: int
    right: str
    why: Text | None = None


_NO_UNIT = Text("数后面不写单位", "a number stands without a unit")
_PERCENT = Text("规则里没有百分号", "there is no percent sign")
_FOR_IN = Text("for 的名字后面少了 in", "the word `in` is missing behind the name after `for`")
# Each a pattern and what is to be written for it; the first in the text counts, of two at one place the longer.
_IN_EXPRESSIONS: Final[tuple[tuple[str, str, Text | None], ...]] = (
    (r"===", "==", None), (r"!==|<>|≠", "!=", None), (r"=>|≥|≧|>\s+=", ">=", None),
    (r"=<|≤|≦|<\s+=", "<=", None), (r"[×✕✖∗·]", "*", None), (r"÷", "//", None), (r"&&|&", "and", None),
    (r"\|\|?", "or", None), (r"!(?!=)|¬", "not", None),
    (r"(?<!\w)(?:并且|而且|且|和|与)(?!\w)", "and", None), (r"(?<!\w)(?:或者|或是|或)(?!\w)", "or", None),
    (r"(?<!\w)(?:不在|不含)(?!\w)", "not in", None), (r"(?<!\w)(?:在|属于)(?!\w)", "in", None),
    (r"(?<!\w)(?:不是|不等于)(?!\w)", "!=", None), (r"(?<!\w)(?:等于|是)(?!\w)", "==", None),
    (r"(?<!\w)(?:不|非|没有)(?!\w)", "not", None), (r"(?<!\w)(?:如果|若)(?!\w)", "if", None),
    (r"(?<!\w)(?:否则|不然)(?!\w)", "else", None), (r"(?<!\w)(?:对于|对)(?!\w)", "for", None),
    (r"(?<!\w)(?:大于等于|不小于|至少|不少于)(?!\w)", ">=", None),
    (r"(?<!\w)(?:小于等于|不大于|至多|最多|不超过)(?!\w)", "<=", None),
    (r"(?<!\w)大于(?!\w)", ">", None), (r"(?<!\w)小于(?!\w)", "<", None), (r"(?<!\w)(?:乘以?|倍)(?!\w)", "*", None),
    (r"(?<!\w)除以?(?!\w)", "//", None), (r"(?<!\w)加(?!\w)", "+", None), (r"(?<!\w)减(?!\w)", "-", None),
    (r"(?<!\w)(?:AND|And)(?!\w)", "and", None), (r"(?<!\w)(?:OR|Or)(?!\w)", "or", None),
    (r"(?<!\w)(?:NOT|Not)(?!\w)", "not", None),
    (r"(?<!\w)no\s+(\w+)\s+in(?!\w)", r"\1 not in", None),
    (r"(?<!\w)(\w+)\s+(?:not|no)\s+contains?\s+(\w+)", r"\2 not in \1", None),
    (r"(?<!\w)(\w+)\s+contains?\s+(\w+)", r"\2 in \1", None), (r"(?<=[\w)\]])\s+[xX]\s+(?=[\w(])", " * ", None),
    (r"(?<!\w)for\s+([^\W\d]\w*)(?=\s+(?!in\b)[^\W\d])", r"for \1 in", _FOR_IN),
    (rf"(?<!\w)(\d+)\s*[{_UNITS}](?!\w)", r"\1", _NO_UNIT),
    (r"(?<=\d)\s*%(?!\s*[\w(])", "", _PERCENT),
)  # fmt: skip
_CARD_WORD: Final = (
    r"[♠♥♦♣]\ufe0f?(?:10|[2-9JQKA])|(?<!\w)(?:10|[2-9])(?:[♠♥♦♣]\ufe0f?|[SHDCshdc](?!\w))|(?<!\w)[JQKA][♠♥♦♣]"
)


def slips_in(text: str) -> list[Slip]:
    """The slips of an expression that cannot be read, in its order.

    >>> [(slip.start, slip.right) for slip in slips_in("a ≥ 3分 并且 7H in b")]
    [(2, '>='), (4, '3'), (7, 'and'), (10, 'H7')]
    """
    text = re.sub("'[^']*'|\"[^\"]*\"", lambda quoted: "'" * len(quoted[0]), text)
    found = [
        Slip(m.start(), m.end(), m.expand(right), why)
        for rule, right, why in _IN_EXPRESSIONS
        for m in re.finditer(rule, text)
    ]
    found += [Slip(m.start(), m.end(), card_meant(m[0]) or m[0]) for m in re.finditer(_CARD_WORD, text)]
    found.sort(key=lambda slip: (slip.start, -slip.end))
    kept: list[Slip] = []
    for slip in found:
        if not kept or slip.start >= kept[-1].end:
            kept.append(slip)
    return kept


def mended(text: str, slips: list[Slip]) -> str:
    """The expression with every slip put right.

    >>> mended("a≥3 并且 b", slips_in("a≥3 并且 b"))
    'a >= 3 and b'
    """
    for slip in reversed(slips):
        alone = slip.right.isalpha() or not slip.right[:1].isalnum()  # a word or a sign, and no number or card
        right = f" {slip.right} " if slip.right and alone else slip.right
        text = text[: slip.start] + right + text[slip.end :]
    return " ".join(text.split())

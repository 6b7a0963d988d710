"""Did you mean …? The known word that a misspelt one comes closest to."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from difflib import SequenceMatcher

# Forms of one character that people mix: traditional and simplified, banker's numerals, words for digits.
_TRADITIONAL = "紅級莊對單順連過張點獨無頭門開關結贏輸勝負發換貼還進貢雙數墊殺將國東馬車條萬風槓聽揀閒閑鬥農彈飛機帶計號種類場讓請應調詢變寶爛賣買報搶"
_SIMPLIFIED = "红级庄对单顺连过张点独无头门开关结赢输胜负发换贴还进贡双数垫杀将国东马车条万风杠听拣闲闲斗农弹飞机带计号种类场让请应调询变宝烂卖买报抢"
_NUMERALS = {
    "一": "1",
    "二": "2",
    "三": "3",
    "四": "4",
    "五": "5",
    "六": "6",
    "七": "7",
    "八": "8",
    "九": "9",
    "〇": "0",
}
_BANKERS = dict(zip("壹贰貳叁參肆伍陆陸柒捌玖", "122334566789", strict=True))
_VARIANTS = str.maketrans(dict(zip(_TRADITIONAL, _SIMPLIFIED, strict=True)) | _NUMERALS | _BANKERS)

_ENOUGH, _ENOUGH_SHORT = 0.6, 0.65  # in two or three letters one common letter says little
_LONGEST = 80


def fold(word: str) -> str:
    """A word with full-width forms, case, accents and variants of a character levelled.

    >>> fold("紅桃Ｋ") == fold("红桃k")
    True
    """
    return unicodedata.normalize("NFKC", word).casefold().translate(_VARIANTS)


def nearest(word: str, candidates: Iterable[str], *, likeness: float = _ENOUGH) -> str | None:
    """The candidate most like ``word``, the first of equals; None if nothing is like it by ``likeness``.

    >>> nearest("settel", ["deal", "settle", "settle_places"])
    'settle'
    >>> nearest("bid", ["deal", "over"]) is None
    True
    """
    if len(word) > _LONGEST:
        return None
    wanted = fold(word)
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(wanted)
    best, best_ratio = None, 0.0
    for candidate in candidates:
        known = fold(candidate)
        if known == wanted:
            return candidate
        if len(known) == 1:
            continue  # one letter is like too many words
        floor = max(likeness, best_ratio, 0.0 if len(known) > 3 else _ENOUGH_SHORT)
        matcher.set_seq1(known)
        if matcher.real_quick_ratio() <= floor or matcher.quick_ratio() <= floor:
            continue
        ratio = matcher.ratio()
        if ratio > floor:
            best, best_ratio = candidate, ratio
    return best

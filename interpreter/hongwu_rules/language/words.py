"""The words that a ruleset may use: their types, and a line about each in both languages.

This is the one home of the vocabulary. The reader checks against it, the compiler has one entry for
each word, and the reference for rule writers is compared with it by a test.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..diagnostics import Text


@dataclass(frozen=True, slots=True)
class Word:
    """A function. Each parameter lists the types it accepts, ``"card cards"``; a leading ``*`` repeats it.

    ``result`` is a type, ``"same"`` for the type of the first argument, ``"list seat"`` for a list,
    and ends with ``?`` where the answer may be unset.
    """

    params: tuple[str, ...]
    result: str
    text: Text


FOLDS: dict[str, Text] = {
    "any": Text("有一个符合就成立", "true if one of them fits"),
    "all": Text("每一个都符合才成立", "true if every one of them fits"),
    "count": Text("有几个符合", "how many of them fit"),
    "sum": Text("加起来", "their sum"),
    "min": Text("最小的", "the smallest"),
    "max": Text("最大的", "the largest"),
    "the": Text("第一个符合的（必须有）", "the first one that fits (there must be one)"),
    "most": Text("值最大的那一个，相同取先", "the item with the largest value, the first of equals"),
    "cards": Text("把符合的牌合在一起", "the cards that fit, as one set"),
}

COLLECTIONS: dict[str, tuple[str, Text]] = {
    "seats": ("seat", Text("所有座位，按出牌顺序", "all seats in the order of play")),
    "teams": ("team", Text("所有的队", "all teams")),
    "suits": ("suit", Text("四种花色", "the four suits")),
    "ranks": ("rank", Text("牌里有的点数", "the ranks in the deck")),
    "deck": ("card", Text("整副牌", "every card of the deck")),
}

WORDS: dict[str, Word] = {
    "len": Word(("cards list",), "int", Text("有几张", "how many")),
    "empty": Word(("cards list trick",), "bool", Text("是不是一张也没有", "whether there is none")),
    "min": Word(("int", "*int"), "int", Text("较小的数", "the smaller number")),
    "max": Word(("int", "*int"), "int", Text("较大的数", "the larger number")),
    "int": Word(("bool int",), "int", Text("成立为1，否则为0", "1 if true, else 0")),
    "points": Word(("card cards",), "int", Text("牌面分", "the card points")),
    "pairs": Word(("cards",), "int", Text("里面有几对相同的牌", "how many pairs of identical cards")),
    "suit": Word(
        ("card cards",),
        "suit?",
        Text("花色；王没有花色；几张牌须同花", "the suit; none for a joker, or for mixed cards"),
    ),
    "colour": Word(("card suit",), "colour?", Text("红或黑", "red or black")),
    "top": Word(("cards",), "cards", Text("牌堆最上面的一张", "the first card of a pile")),
    "nth": Word(("cards", "int"), "card?", Text("牌堆的第几张", "the n-th card of a pile")),
    "position": Word(
        ("any", "list"), "int", Text("在列出的里面排第几，不在为0", "its place in the list, 0 if it is not there")
    ),
    "next": Word(("seat",), "seat", Text("下家", "the seat that plays next")),
    "others": Word(("seat",), "list seat", Text("别的座位，从下家起", "the other seats, from the next one on")),
    "seats_from": Word(("seat",), "list seat", Text("从这个座位起的所有座位", "all seats, from this one on")),
    "partner": Word(("seat",), "seat", Text("对家（两人一队）", "the partner, in teams of two")),
    "team": Word(("seat",), "team", Text("他的队", "the team of a seat")),
    "opponents": Word(("seat",), "list seat", Text("不同队的座位", "the seats of other teams")),
    "group": Word(
        ("card cards",),
        "group?",
        Text("属于哪一门（几张牌须同门）", "the group that a card belongs to; none for mixed cards"),
    ),
    "line": Word(("card",), "line", Text("在大小表的哪一行", "the line of the order that a card stands on")),
    "step": Word(("card rank",), "int", Text("在大小里排第几级，越大越强", "how high it stands, higher is stronger")),
    "alike": Word(("card cards", "*card"), "bool", Text("是不是相同的牌", "whether the cards are alike")),
    "linked": Word(("card", "card"), "bool", Text("是不是相连", "whether one stands next to the other in a run")),
    "beats": Word(("cards", "trick"), "bool", Text("能不能大过桌上的牌", "whether the cards beat the trick so far")),
    "can_beat": Word(
        ("cards", "trick"),
        "bool",
        Text("手里有没有大得过的", "whether a play that beats the trick can be made of them"),
    ),
    "follows_group": Word(
        ("cards", "cards", "trick"),
        "bool",
        Text(
            "出牌、手牌、本轮：首出的一门有就跟", "play, hand, trick: as many cards of the group led as asked and held"
        ),
    ),
    "follows_sets": Word(
        ("cards", "cards", "trick"),
        "bool",
        Text(
            "出牌、手牌、本轮：首出有几对就跟几对，手里有就要跟",
            "play, hand, trick: as many sets alike (pairs and so on) as were led, as far as the hand has them",
        ),
    ),
    "follows_runs": Word(
        ("cards", "cards", "trick"),
        "bool",
        Text(
            "出牌、手牌、本轮：首出几对相连就跟几对相连，没有就跟最长的",
            "play, hand, trick: runs of sets as long as those led, else the longest that the hand has",
        ),
    ),
    "beaten": Word(
        ("cards",),
        "cards",
        Text(
            "甩的牌里，别家大得过的那些部分（看别家的手牌）",
            "of cards thrown, those parts that another hand beats (it looks into the other hands)",
        ),
    ),
    "forced": Word(
        ("cards",),
        "cards",
        Text("甩牌不成时必须出的那一部分", "the part that must be led instead of a throw that fails"),
    ),
    "parts": Word(
        ("cards",), "list cards", Text("这手牌由哪几部分组成", "the parts that a play is made of, each as cards")
    ),
    "made": Word(
        ("move",),
        "bool",
        Text(
            "刚问的这一轮里有没有人做过这个动作",
            "whether this move was made in the round that is being asked or just ended",
        ),
    ),
    "up": Word(("rank", "int"), "rank", Text("升几级，遇必打停", "so many steps up the ladder, halting at a stop")),
    "down": Word(("rank", "int"), "rank", Text("降几级，到底为止", "so many steps down the ladder")),
    "is_stop": Word(("rank",), "bool", Text("是不是必打的级", "whether the ladder stops there")),
}

EFFECTS: dict[str, Word] = {
    "shuffle": Word(("zone",), "", Text("把整副牌收拢洗好", "gather the whole deck there, in random order")),
    "deal": Word(("zone", "hands", "int"), "", Text("每家发几张", "deal so many cards to every seat")),
    "move": Word(("cards trick", "zone"), "", Text("把牌放到另一处", "move cards to another place")),
    "play": Word(("cards",), "", Text("出牌", "play the cards to the trick")),
    "show": Word(
        ("card cards",),
        "",
        Text("亮牌，人人看到；`hand[s]` 里的牌算 s 亮的", "show cards to everybody; those of `hand[s]` are shown by s"),
    ),
}

FIELDS: dict[str, dict[str, str]] = {
    "card": {"rank": "rank", "suit": "suit?", "colour": "colour?"},
    "play": {"seat": "seat", "cards": "cards", "shape": "shape?"},
    "trick": {"lead": "play", "last": "play", "best": "play", "winner": "seat?", "led": "group?", "plays": "list play"},
}

RANDOM = Text("随机取一个（只能单独写在等号右边）", "one drawn at random (only as a whole right side)")

"""The sections of a ruleset file: which keys each has, what they mean and what may stand under them.

Everything that knows the layout of a file reads it from here: the merging of house rules, the
checking of a file's shape, and the reference for rule writers.
"""

from __future__ import annotations

from typing import Final

from ..diagnostics import Text
from .fields import SCALAR, Field, Section, container, rule, section, texts, value

FORMAT = 1  # what `hongwu:` must say


_WORDS = value("一个词", "one word", "text", form="word")
_STEP = value("一步", "a step", "text", "map", section="step")
_STEPS = {"items": _STEP, "section": "steps"}

_ALL: tuple[Section, ...] = (
    Section(
        "ruleset",
        Text("整份规则", "the top level of the file"),
        {
            "hongwu": value("所用语言的版本，现在是 1", "the version of this language: 1", "int", required=True),
            "name": value("规则的名字", "the name of the ruleset", "text", required=True, form="word"),
            "title": section("给人看的标题", "the title that people see", "title", required=True),
            "source": value("`cite` 所指的文件", "the document whose clauses `cite` names", "text"),
            "extends": value("在哪份规则上改", "the ruleset that this one changes", "text"),
            "abstract": value("只供别的规则取用，自己不能打", "true: material for others, not itself a game", "bool"),
            "options": section("可以改的设定", "settings that a table may change", "options"),
            "kinds": section("有高低的词", "ordered words, the lowest first", "kinds"),
            "seats": section("座位", "how many play, and how they sit", "seats", required=True),
            "deck": section("用什么牌", "which cards are played with", "deck", required=True),
            "ladder": section("级的梯子", "the ladder of levels", "ladder"),
            "zones": section(
                "放牌的地方，谁看得见", "where cards lie and who sees them", "zones", required=True, filled=True
            ),
            "memory": section("要记住的事", "what is remembered", "memory"),
            "define": section("本规则自己的词", "words of this ruleset", "define"),
            "order": section("牌的大小", "which cards are higher", "order", required=True, filled=True),
            "shapes": section("牌型", "the shapes that may be played together", "shapes"),
            "trick": section("一轮牌怎么比", "how a trick is decided", "trick"),
            "acts": section("几处共用的步骤", "steps used in several places", "acts"),
            "moves": section("几个阶段共用的动作", "moves that several phases offer", "moves"),
            "start": value(
                "从哪个阶段开始", "the phase that play starts in", "text", required=True, dress=True, form="word"
            ),
            "phases": section("各个阶段", "the phases of play", "phases", required=True, filled=True),
            "leave": section("有人离开怎么办", "what happens when a player leaves", "leave"),
            "tables": section("结算等各种表", "tables, such as the settlement", "tables"),
            "returns": rule("打完后每家的得分", "what the match was worth to each seat", required=True),
        },
    ),
    Section("title", Text("标题", "a title"), texts(required=True)),
    container("options", "设定", "settings", "word", section("一个设定", "a setting", "option")),
    Section(
        "option",
        Text("一个设定", "a setting"),
        {
            "default": value("不另说时的值", "its value unless a table says otherwise", *SCALAR, required=True),
            "range": value(
                "数的范围，如 5..200 step 5", "the numbers allowed, such as 5..200 step 5", "text", form="range"
            ),
            "choices": section("可选的词", "the words to choose from", "choices", filled=True),
            **texts(required=True),
        },
        label=True,
    ),
    container("choices", "可选的词", "the words of a setting", "word", section("一个词", "one word", "choice")),
    Section("choice", Text("设定里的一个词", "a word of a setting"), texts(required=True), label=True),
    container(
        "kinds",
        "有高低的词",
        "ordered words",
        "word",
        value(
            "从低到高的几个词",
            "its words, the lowest first",
            "text",
            "map",
            section="kind",
            dress=True,
            filled=True,
            form="words",
        ),
    ),
    container("kind", "一种词", "one kind of words", "word", section("其中一个词", "one of its words", "word")),
    Section("word", Text("一个词", "a word of a kind"), texts(), label=True),
    Section(
        "seats",
        Text("座位", "the seats"),
        {
            "count": value("几个人", "how many play", "int", required=True, dress=True, low=1, high=12),
            "direction": value(
                "下家在哪一边",
                "on which side the next player sits",
                "text",
                dress=True,
                choices=("clockwise", "counter_clockwise"),
                or_option=True,
            ),
            "teams": value("谁和谁一家", "who plays with whom", "text", "list", dress=True, choices=("opposite",)),
        },
    ),
    Section(
        "deck",
        Text("用牌", "the deck"),
        {
            "packs": value("几副牌", "how many packs of 54", "int", required=True, dress=True, low=1, high=9),
            "keep": rule("留下哪些牌（对每张 card）", "which cards stay in (read for each card)"),
            "swap": section("把一张换成另一张", "one copy of a card replaced by another", "swap"),
            "counts_as": section("哪张牌当作哪张牌", "a card that counts as another", "counts_as"),
            "points": section("牌值几分", "the points of cards", "points"),
            "total": value(
                "一共几分（会核对）", "the points of the whole deck, which is checked", "int", dress=True, low=0
            ),
        },
    ),
    container(
        "swap", "换牌", "cards replaced", "card", value("换上的牌", "the card that comes in", "text", dress=True)
    ),
    container(
        "counts_as",
        "当作",
        "cards that count as others",
        "card",
        value("当作的牌", "what it counts as", "text", dress=True),
    ),
    container(
        "points",
        "分牌",
        "points",
        "card",
        value("几分", "its points", "int", dress=True, low=-1000, high=1000),
    ),
    Section(
        "ladder",
        Text("级的梯子", "the ladder of levels"),
        {
            "steps": value("各级，从低到高", "the levels, the lowest first", "text", required=True, dress=True),
            "stops": value("必打的级", "the levels that may not be passed over", "text", "int", dress=True),
        },
    ),
    container("zones", "放牌的地方", "zones", "zone", value("谁看得见", "who sees it: seen by …", "text", dress=True)),
    Section(
        "memory",
        Text("要记住的事", "the memory"),
        {
            "match": section("整场都记住的", "what lasts for the match", "slots"),
            "deal": section("每局重来的", "what starts anew with each deal", "slots"),
        },
    ),
    container(
        "slots",
        "记住的事",
        "things remembered",
        "slot",
        value("种类 = 起始值", "TYPE = START, and who sees it", "text", dress=True),
    ),
    container("define", "本规则自己的词", "words of this ruleset", "define", rule("它的意思", "what it means")),
    container(
        "order",
        "牌的大小",
        "the order of cards",
        "group",
        value(
            "一门牌，大的在前",
            "a group of cards, the highest first",
            *SCALAR,
            "map",
            section="lines",
            dress=True,
            filled=True,
        ),
        runs=section("顺子能怎么接", "how far a run may reach", "runs"),
    ),
    container("lines", "一门牌", "a group of cards", "word", rule("哪些牌在这一行", "which cards stand on this line")),
    Section(
        "runs",
        Text("顺子的接法", "the rules of runs"),
        {
            "close_over": rule("可以跨过哪些没有的牌", "over which missing cards a run may step"),
            "across_lines": rule("能不能跨行相连", "whether a run may go from one line to the next"),
        },
    ),
    container(
        "shapes",
        "牌型",
        "shapes",
        "word",
        section("一种牌型", "a shape", "shape"),
        alike_by=value(
            "怎样算相同：同一张牌，或同一级大小",
            "what makes cards alike: the same card, or the same step of the order",
            "text",
            required=True,
            dress=True,
            choices=("card", "step"),
        ),
        runs_within=value("顺子只能在这些点数里", "the ranks that every run must keep to", "text", dress=True),
        require=section("带牌要守的规矩", "the reasons why cards may not be attached", "require"),
    ),
    Section(
        "shape",
        Text("一种牌型", "a shape"),
        {
            "alike": value(
                "每级几张相同的",
                "how many alike on each step",
                "int",
                "text",
                dress=True,
                low=1,
                form="span",
            ),
            "run": value("几级相连", "how many neighbouring steps", "int", "text", dress=True, low=1, form="span"),
            "within": value("只能在这些点数里", "the ranks that it must keep to", "text", dress=True),
            "wings": section("另外带上的牌", "the cards that are attached to it", "wings"),
            "cards": value("就是这几张牌", "exactly these cards", "text", dress=True),
            "parts": value(
                "由哪些牌型一起组成，按这个次序来读",
                "the shapes that it is put together from, in the order in which it is read",
                "text",
                dress=True,
                form="words",
            ),
            "count": value("由几部分组成", "how many parts it has", "int", "text", dress=True, low=1, form="span"),
            "power": rule("压得过所有力量更小的牌型", "it beats every shape of less power"),
            "when": rule("什么设定下才有", "under which settings it exists"),
            **texts(),
        },
        label=True,
    ),
    Section(
        "wings",
        Text("带上的牌", "the attached cards"),
        {
            "alike": value(
                "一份是几张相同的",
                "how many alike make one set of them",
                "int",
                required=True,
                dress=True,
                low=1,
                high=99,
            ),
            "each": value(
                "主体每一组带几份", "how many sets go with each set of the body", "int", dress=True, low=1, high=99
            ),
            "distinct": rule("各份不能相同", "whether no two of these sets may be alike"),
        },
    ),
    Section(
        "trick",
        Text("一轮牌的比法", "the rules of a trick"),
        {
            "ruff": value(
                "别门的牌何时能赢", "when cards of another group may win", *SCALAR, "map", section="ruff", dress=True
            ),
            "over_ruff": value(
                "首出由几部分组成时，比哪一部分",
                "what plays are compared by when the lead has several parts",
                "text",
                dress=True,
                choices=("every_part", "largest_kind", "highest_card"),
                or_option=True,
            ),
            "equal": value(
                "一样大时谁赢：先出的或后出的",
                "which of equal plays wins, the first or the last",
                "text",
                dress=True,
                choices=("first", "last"),
                or_option=True,
            ),
            "forced": value(
                "甩牌不成时先出哪种：一项里的牌型不分先后",
                "which part is led instead of a throw that fails: its shape, those of one entry alike",
                "text",
                "list",
                dress=True,
                filled=True,
                items=value("一种或几种牌型", "one or more shapes", "text", form="words"),
            ),
            "forced_from": value(
                "从甩出的全部里挑，还是只从被管住的里挑",
                "whether it is one of all the parts thrown, or of those that are beaten",
                "text",
                dress=True,
                choices=("thrown", "beaten"),
                or_option=True,
            ),
        },
    ),
    Section(
        "ruff",
        Text("别门的牌何时能赢", "cards of another group"),
        {"that": rule("必须成立的条件", "what must hold", required=True), **texts()},
    ),
    container("acts", "共用的步骤", "shared steps", "word", value("几步", "its steps", "list", "map", **_STEPS)),
    container("steps", "步骤", "steps", "word", _STEP),
    Section(
        "step",
        Text("一步", "a step"),
        {
            "do": value("做什么", "what is done", "text", required=True),
            "for": value("对哪些各做一次", "for each of what", "text"),
            "when": value("什么时候才做", "only when this holds", *SCALAR),
            **texts(),
        },
        label=True,
    ),
    container("moves", "能做的动作", "moves", "word", section("一个动作", "a move", "move")),
    Section(
        "move",
        Text("一个动作", "a move"),
        {
            "like": value("照抄哪个动作再改", "another move that this one copies and changes", "text", form="word"),
            "pick": value("从哪里拿牌", "where its cards are picked from", "text", dress=True),
            "count": value("拿几张", "how many cards", "int", "text", dress=True, low=0),
            "shapes": value("必须是哪些牌型", "the shapes that the cards must have", "text", dress=True, form="words"),
            "choose": value("选什么", "what is chosen", "text", dress=True),
            "quiet": value("算不出（过牌）", "true: it counts as a pass", "bool", dress=True),
            "require": section("不合规矩的理由", "the reasons why it may be illegal", "require"),
            "do": value("然后做什么", "what it does", "list", "map", **_STEPS),
            **texts(),
        },
        label=True,
    ),
    container("require", "规矩", "clauses", "word", section("一条规矩", "a clause", "clause")),
    Section(
        "clause",
        Text("一条规矩", "a clause"),
        {
            "that": rule("必须成立的条件", "what must hold", required=True),
            "when": rule("什么时候才管", "when the clause counts"),
            **texts(required=True),
        },
        label=True,
    ),
    container("phases", "阶段", "phases", "word", section("一个阶段", "a phase", "phase", filled=True)),
    Section(
        "phase",
        Text("一个阶段", "a phase"),
        {
            "begins": value(
                "从这里开始新的一局", "deal: a new deal begins here", "text", dress=True, choices=("deal",)
            ),
            "seat": rule("轮到谁", "who is asked"),
            "round": value(
                "轮流问到什么时候",
                "how often everybody is asked in turn",
                "text",
                dress=True,
                choices=("once", "until_quiet", "until_out"),
                or_option=True,
            ),
            "first": rule("从谁问起", "who is asked first"),
            "who": rule("问哪些人", "which seats are asked"),
            "stop": rule("什么时候不再问", "when the asking ends at once"),
            "measure": rule("每次回来都变小的数，保证打得完", "a number that falls each time, so that play must end"),
            "moves": value("能做的动作", "what may be done", "map", "text", section="moves", filled=True, form="words"),
            "timeout": value(
                "超时替他做什么",
                "the move made for a player who is too late",
                "text",
                "list",
                items=_WORDS,
                dress=True,
                filled=True,
            ),
            "then": value("每个动作之后做什么", "what is done after each move", "list", "map", **_STEPS),
            "do": value("自动做什么", "what is done without asking", "list", "map", **_STEPS),
            "next": value(
                "接着到哪里",
                "where play goes from here",
                "text",
                "list",
                dress=True,
                items=value("一条去路", "one way on", "text", dress=True),
            ),
            "final": value("打完了", "true: the match is over", "bool"),
            **texts(),
        },
        label=True,
    ),
    Section(
        "leave",
        Text("有人离开的办法", "the rules of leaving"),
        {
            "do": value("做什么（leaver 是离开的人）", "what is done (`leaver` has gone)", "list", "map", **_STEPS),
            "next": value("接着到哪里", "where play goes then", "text", required=True, dress=True, form="word"),
        },
    ),
    container("tables", "表", "tables", "word", section("一张表", "a table", "table")),
    Section(
        "table",
        Text("一张表", "a table"),
        {
            "given": section(
                "查表用的值和范围",
                "what it is looked up by, with the values possible",
                "given",
                required=True,
                filled=True,
            ),
            "gives": section(
                "查出来的数和默认值",
                "what it yields, with what stands when a row says nothing",
                "gives",
                required=True,
                filled=True,
            ),
            "hit": value(
                "几行合得上时怎么办",
                "what happens when several rows fit",
                "text",
                dress=True,
                choices=("unique", "first", "collect"),
            ),
            "sums_to_zero": value(
                "这一项加起来是零", "the output that adds up to nothing", "text", dress=True, form="word"
            ),
            "rows": section("各行", "the rows", "rows", required=True, filled=True),
        },
        label=True,
    ),
    container(
        "given", "查表用的值", "inputs of a table", "word", value("可能的值", "the values possible", "text", dress=True)
    ),
    container(
        "gives",
        "查出来的数",
        "outputs of a table",
        "word",
        value("默认值", "what stands by default", "int", dress=True),
    ),
    container("rows", "各行", "the rows of a table", "word", section("一行", "a row", "row", filled=True)),
    Section("row", Text("一行", "a row"), label=True),
    Section(
        "dress",
        Text("带出处的值", "a value with its clause"),
        {"is": value("值", "the value itself", *SCALAR, "list", required=True), **texts()},
        label=True,
    ),
)

SECTIONS: Final[dict[str, Section]] = {section.name: section for section in _ALL}
_PATHS = value("一条路径，如 phases.follow", "a path such as phases.follow", "text")

# Keys that are allowed in every section, and those that any labelled entry may have.
ANYWHERE: Final[dict[str, Field]] = {
    "cite": value(
        "出处：源文件里的条号",
        "the clauses of the source that it comes from",
        "text",
        "int",
        "list",
        items=value("一条", "a clause", "text", "int"),
    ),
    "remove": value(
        "从所依的规则里删去什么", "what to take out of the ruleset below", "text", "list", items=_PATHS, filled=True
    ),
}
LABELLED: Final[dict[str, Field]] = {
    "before": value("排在哪一项前面", "the sibling that it stands before", "text"),
    "after": value("排在哪一项后面", "the sibling that it stands after", "text"),
}

# Every key of the language and its meaning, by section; "any" and "entry" hold the shared ones.
KEYS: Final[dict[str, dict[str, Text]]] = {
    **{section.name: {key: found.about for key, found in section.fields.items()} for section in _ALL if section.fields},
    "any": {key: found.about for key, found in ANYWHERE.items()},
    "entry": {key: found.about for key, found in LABELLED.items()},
}


def field_of(section: Section, key: str) -> Field | None:
    """What may stand under a key; None if the key means nothing there.

    >>> field_of(SECTIONS["phase"], "timeout").about.en
    'the move made for a player who is too late'
    >>> field_of(SECTIONS["phases"], "bury").section
    'phase'
    """
    if found := section.fields.get(key):
        return found
    if key in ANYWHERE and not (key == "remove" and section.entry):
        return ANYWHERE[key]
    if section.label and key in LABELLED:
        return LABELLED[key]
    return section.entry

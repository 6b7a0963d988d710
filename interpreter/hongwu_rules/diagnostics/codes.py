"""The catalog of everything the checker can say: one frozen code for each kind of finding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from . import Diagnostic, Text

Severity = Literal["error", "warning", "hint"]


@dataclass(frozen=True, slots=True)
class Code:
    """One kind of finding. ``title`` says it in a few words; its page (``explain``) says it at length."""

    code: str
    name: str
    severity: Severity
    title: Text


_E: Severity = "error"
_W: Severity = "warning"
_H: Severity = "hint"

# Released codes are never renumbered or used again for something else; wording may change.
_ROWS: tuple[tuple[str, str, Severity, str, str], ...] = (
    # the YAML itself
    ("HW001", "yaml-syntax", _E, "不是正确的 YAML", "not correct YAML"),
    ("HW002", "duplicate-key", _E, "同一个键写了两次", "the same key twice"),
    (
        "HW003",
        "yaml-type-trap",
        _W,
        "别的 YAML 程序会读成另一种值",
        "another YAML reader takes this value as something else",
    ),
    ("HW004", "lookalike-character", _E, "看着像、其实不是的字符", "a character that only looks like the right one"),
    ("HW005", "too-big", _E, "文件太大或嵌套太深", "the file is too big or too deep"),
    ("HW006", "yaml-feature-off", _E, "这里不用的 YAML 写法", "a part of YAML that is not used here"),
    ("HW007", "not-one-mapping", _E, "文件里不是一份规则", "the file is not one ruleset"),
    ("HW008", "bad-encoding", _E, "文件不是 UTF-8 编码", "the file is not UTF-8"),
    ("HW009", "flow-broke-expression", _E, "花括号里的逗号拆断了条件", "braces cut a condition at its comma"),
    # the shape of the file
    ("HW101", "unknown-field", _E, "不认识的键", "a key that means nothing here"),
    ("HW102", "missing-field", _E, "缺了必须写的键", "a required key is missing"),
    ("HW103", "wrong-type", _E, "值的种类不对", "a value of the wrong kind"),
    ("HW104", "bad-choice", _E, "不在可选的词里", "not one of the allowed words"),
    ("HW105", "out-of-range", _E, "数目超出范围", "a number out of range"),
    ("HW106", "fields-clash", _E, "两个键不能同时写", "two keys that exclude each other"),
    ("HW107", "format-version", _E, "文件按另一版语言写成", "written for another version of the language"),
    # deck and order
    ("HW201", "unknown-card", _E, "牌里没有这张牌", "no such card in the deck"),
    ("HW202", "card-without-rank", _E, "有牌没排大小", "a card has no place in the order"),
    ("HW203", "card-ranked-twice", _E, "同一张牌排了两次大小", "a card stands twice in the order"),
    ("HW206", "phantom-card", _W, "排了大小，牌里却没有", "ranked, but not in the deck"),
    # the graph of phases
    ("HW301", "unreachable-phase", _W, "永远走不到的阶段", "a phase that nothing leads to"),
    ("HW302", "unknown-phase", _E, "没有这个阶段", "no phase has this name"),
    ("HW303", "dead-end-phase", _E, "阶段没有出路", "a phase without a way out"),
    ("HW305", "cannot-finish", _E, "从这里打不到终局", "the end cannot be reached from here"),
    ("HW308", "shadowed-transition", _W, "前面的去路已经全占了", "an earlier way always comes first"),
    ("HW309", "missing-otherwise", _E, "缺了“否则”的去路", "no way is left when no condition holds"),
    ("HW310", "unhandled-move", _E, "动作做了等于没做", "a move of which nothing comes"),
    ("HW311", "never-raised-event", _W, "等的动作这里没人能做", "a wait for a move that nobody can make here"),
    ("HW312", "automatic-loop", _E, "自动阶段绕成圈", "automatic phases run in a circle"),
    ("HW313", "endless-loop", _W, "可能没完没了的圈", "a loop that may never end"),
    ("HW315", "turn-stays", _W, "绕来绕去总是同一家", "a loop in which it is always the same seat's turn"),
    ("HW316", "idle-phase", _W, "什么也不做的阶段", "a phase that does nothing"),
    ("HW317", "deal-never-begins", _W, "一局局地打，却没有开始一局的阶段", "deal after deal, and no phase begins one"),
    # conditions
    ("HW401", "unknown-name", _E, "条件里有不认识的名字", "an unknown name in a condition"),
    ("HW402", "type-mismatch", _E, "条件里种类不合", "the kinds of two values do not fit"),
    ("HW403", "constant-condition", _W, "条件总是真或总是假", "a condition that is always true or always false"),
    ("HW404", "contradiction", _E, "条件自相矛盾", "a condition that nothing can satisfy"),
    ("HW405", "unused-predicate", _W, "定义了却没人用", "defined and never used"),
    ("HW406", "predicate-recursion", _E, "定义互相绕圈", "definitions that need each other"),
    ("HW407", "no-legal-move", _E, "可能一步都不能走", "there may be no legal move"),
    ("HW408", "not-available-here", _E, "读了还没有的值", "a value read before it is set"),
    ("HW409", "reads-hidden", _E, "规矩看了不该看的牌", "a rule reads what the player may not see"),
    ("HW410", "shows-too-much", _W, "牌让没拿过的人看见了", "cards shown to a seat that never held them"),
    ("HW411", "not-given", _W, "出牌时牌的大小还没定", "cards are played before their order is settled"),
    ("HW412", "never-given", _W, "记着，却从不改变", "remembered, but nothing ever sets it"),
    ("HW413", "same-twice", _W, "两个记忆总是一样", "two pieces of memory that are always the same"),
    ("HW414", "no-expression", _E, "读不成一个条件或数", "no condition and no number"),
    # tables
    ("HW501", "table-gap", _E, "表里缺了行", "a table without a row for something that can happen"),
    ("HW502", "table-overlap", _E, "两行都合得上", "two rows of a table fit at once"),
    ("HW503", "dead-row", _W, "永远轮不到的行", "a row that is never reached"),
    ("HW504", "duplicate-row", _W, "两行一模一样", "two rows that are alike"),
    ("HW505", "conflicting-rows", _E, "条件相同、结果不同的行", "rows with equal keys and different results"),
    ("HW506", "row-cannot-happen", _W, "不可能出现的行", "a row for what cannot happen"),
    ("HW507", "not-zero-sum", _E, "输赢加起来不是零", "the payments do not add up to nothing"),
    ("HW508", "odd-step", _H, "一路升上去，只有一处反着走", "a result that goes the other way in one place"),
    # sums
    ("HW601", "deal-adds-up", _E, "牌数对不上", "the cards do not deal out"),
    ("HW602", "points-add-up", _E, "分数对不上", "the points do not add up"),
    ("HW603", "seats-and-teams", _E, "座位与搭档对不上", "seats and teams do not fit"),
    ("HW604", "ladder", _W, "级的梯子有问题", "the ladder of levels has a flaw"),
    # house rules
    ("HW701", "extends-chain", _E, "找不到所依的规则，或互相依赖", "the chain of `extends` is broken"),
    ("HW702", "override-hits-nothing", _E, "改的东西原来没有", "a change that hits nothing"),
    ("HW703", "override-changes-kind", _E, "改成了另一种东西", "a change that makes it another kind of thing"),
    ("HW704", "override-does-nothing", _H, "改成的和原来一样", "a change to what was there already"),
    ("HW705", "house-rules-clash", _E, "两份家规说法不同", "two house rules disagree"),
    ("HW706", "dangling-after-remove", _E, "删掉的东西还有人用", "what was removed is still used"),
    # remarks in the file
    ("HW801", "unused-suppression", _W, "没有用上的“忽略”注释", "an `ignore` remark that ignores nothing"),
    ("HW802", "unknown-suppression-code", _W, "“忽略”注释里的代码不存在", "an `ignore` remark with an unknown code"),
    # random play
    ("HW901", "play-stuck", _E, "打到一半走不下去", "play got stuck"),
    ("HW902", "play-too-long", _W, "打了很久还没打完", "play did not come to an end"),
    ("HW903", "play-no-settlement", _E, "打完了却没有结算", "play ended without a settlement"),
    ("HW904", "out-of-declared-range", _E, "记的数超出写明的范围", "a number left its declared range"),
    ("HW905", "measure-did-not-fall", _E, "计量没有变小", "a measure did not fall"),
    ("HW906", "step-cannot-be-done", _E, "有一步做不成", "a step that cannot be done"),
    # not about the rules
    ("HW999", "internal-error", _E, "程序自己出错了", "a fault of this program"),
    ("HW-io", "cannot-read", _E, "文件读不到", "a file that cannot be read"),
    ("HW-use", "usage", _E, "命令用法不对", "the command was not understood"),
)

CODES: dict[str, Code] = {row[0]: Code(row[0], row[1], row[2], Text(row[3], row[4])) for row in _ROWS}


def severity(code: str) -> Severity:
    """How serious findings of this code are.

    >>> severity("HW301")
    'warning'
    """
    found = CODES.get(code)
    return found.severity if found else "error"


def exit_code(diagnostics: list[Diagnostic]) -> int:
    """0 for nothing or hints, 1 for errors and warnings, 2 where a file or the command was unusable.

    >>> exit_code([])
    0
    """
    codes = {item.code for item in diagnostics}
    if "HW999" in codes:
        return 101
    if codes & {"HW-io", "HW-use"}:
        return 2
    return 1 if any(severity(code) != "hint" for code in codes) else 0


def find_code(text: str) -> Code | None:
    """The code that a person means by ``hw302``, ``302`` or ``unknown-phase``; None if there is none.

    >>> find_code("hw302").name, find_code("unknown-phase").code
    ('unknown-phase', 'HW302')
    """
    word = text.strip().strip("[]").casefold()
    return next((code for code in CODES.values() if answers_to(word, code.code, code.name)), None)


def answers_to(word: str, code: str, name: str) -> bool:
    """Whether a code is meant by ``word``, which is in lower case and without brackets."""
    return word in (code.casefold(), code[2:].lstrip("-").casefold(), name)

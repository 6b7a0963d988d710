"""The commands and their options, with help in both languages."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from typing import NoReturn

from ..diagnostics import Text
from ..diagnostics.nearest import nearest
from ..diagnostics.render import FORMATS

LANGUAGES = ("zh", "en")
_OF_COMMANDS = ("text", "json")


class UsageError(Exception):
    """The command line was not understood. ``help`` are next steps."""

    def __init__(self, text: Text, *help: Text) -> None:
        self.text = text
        self.help = help
        super().__init__(text.en)


class Answered(Exception):
    """The parser has answered by itself (``--help``, ``--version``)."""

    def __init__(self, text: str) -> None:
        self.text = text
        super().__init__(text)


# argparse speaks English only; what people meet of it, in Chinese.
_SENTENCES: tuple[tuple[str, str], ...] = (
    (r"the following arguments are required: (.*)", "还缺：{0}"),
    (r"unrecognized arguments: (.*)", "不认识的参数：{0}"),
    (r"argument (.*): expected one argument", "{0} 后面要写一个值"),
    (r"argument (.*): expected at least one argument", "{0} 后面至少写一个值"),
    (r"argument (.*): invalid choice: (.*) \(choose from (.*)\)", "{0}：没有 {1}，可以写 {2}"),
    (r"argument (.*): invalid (?:\w+) value: (.*)", "{0}：{1} 不是这里要的值"),
    (r"argument (.*): a whole number is expected, not (.*)", "{0}：要写一个整数，{1} 不是"),
    (r"argument (.*): the number must be at least (\d+), not (.*)", "{0}：至少是 {1}，不能是 {2}"),
    (r"argument (.*): the number must be less than (.*), not (.*)", "{0}：要小于 {1}，不能是 {2}"),
    (r"argument (.*): not allowed with argument (.*)", "{0} 不能与 {1} 同时用"),
    (r"argument (.*): ignored explicit argument (.*)", "{0} 后面不带值，却写了 {1}"),
    (r"ambiguous option: (.*) could match (.*)", "{0} 可能是 {1}，请写完整"),
)


def _in_chinese(message: str) -> str:
    for pattern, sentence in _SENTENCES:
        found = re.fullmatch(pattern, message, re.DOTALL)
        if found:
            return sentence.format(*found.groups())
    return message


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Help at a fixed width, the same on every machine."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28, width=100)


class _ChineseFormatter(_Formatter):
    def add_usage(
        self,
        usage: str | None,
        actions: Sequence[argparse.Action],  # type: ignore[override]
        groups: Sequence[argparse._MutuallyExclusiveGroup],  # type: ignore[override]
        prefix: str | None = None,
    ) -> None:
        super().add_usage(usage, actions, groups, "用法：" if prefix is None else prefix)


class _Parser(argparse.ArgumentParser):
    """A parser that raises instead of printing and leaving."""

    known: tuple[str, ...] = ()  # commands, for "did you mean"

    def error(self, message: str) -> NoReturn:
        steps: list[Text] = []
        wrong = re.search(r"invalid choice: '?([^' ]+)'?|unrecognized arguments: (\S+)", message)
        if wrong:
            word = wrong.group(1) or wrong.group(2)
            options = [option for action in self._actions for option in action.option_strings]
            near = nearest(word.split("=")[0], [*self.known, *options])
            if near:
                steps.append(Text(f"是不是 {near} ？", f"did you mean {near}?"))
        steps.append(Text(f"用法见：{self.prog} --help", f"see: {self.prog} --help"))
        raise UsageError(Text(_in_chinese(message), message), *steps)

    def print_help(self, file: object = None) -> None:
        raise Answered(self.format_help())


class _Version(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        raise Answered("")


def whole(low: int) -> Callable[[str], int]:
    """A reader of whole numbers from ``low`` up."""

    def number(text: str) -> int:
        if not re.fullmatch(r"-?\d+", text):
            raise argparse.ArgumentTypeError(f"a whole number is expected, not {text!r}")
        if len(text) > 18 or int(text) < low:
            limit = f"at least {low}" if text.startswith("-") or len(text) <= 18 else "less than 10^18"
            raise argparse.ArgumentTypeError(f"the number must be {limit}, not {text}")
        return int(text)

    return number


def build(lang: str) -> argparse.ArgumentParser:
    """The parser of the whole command, with help in one language."""

    def t(zh: str, en: str) -> str:
        return zh if lang == "zh" else en

    formatter: type[argparse.HelpFormatter] = _ChineseFormatter if lang == "zh" else _Formatter

    def common(parser: argparse.ArgumentParser, formats: Sequence[str] = _OF_COMMANDS) -> None:
        add = parser.add_argument_group(t("通用", "everywhere")).add_argument
        add("-h", "--help", action="help", help=t("显示这段说明", "show this help"))
        add(
            "--lang", choices=LANGUAGES, help=t("用哪种语言说（默认看系统）", "language of the answers (by the locale)")
        )
        if formats:
            add("--format", choices=formats, default="text", help=t("答案的格式", "format of the answer"))
            add("--color", choices=("auto", "always", "never"), help=t("要不要颜色", "colours or not"))

    def command(name: str, zh: str, en: str, formats: Sequence[str] = _OF_COMMANDS) -> argparse.ArgumentParser:
        parser: argparse.ArgumentParser = commands.add_parser(
            name, help=t(zh, en), description=t(zh, en), add_help=False, formatter_class=formatter, allow_abbrev=False
        )
        parser._positionals.title = t("参数", "arguments")
        parser._optionals.title = t("选项", "options")
        common(parser, formats)
        return parser

    def ruleset(parser: argparse.ArgumentParser, *, count: str | None = None, what: str = "RULESET") -> None:
        text = t("规则文件，或自带规则的名字", "a file, or the name of a bundled ruleset")
        parser.add_argument("ruleset" if count in (None, "?") else "rulesets", nargs=count, metavar=what, help=text)

    def setting(parser: argparse.ArgumentParser) -> None:
        text = t("定一个选项，可多次", "set an option; repeatable")
        parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help=text)

    def options(parser: argparse.ArgumentParser) -> None:
        setting(parser)
        text = t("叠上一份家规，可多次", "lay a house rule over it; repeatable")
        parser.add_argument("--with", action="append", default=[], dest="overlays", metavar="OVERLAY", help=text)

    def seed(parser: argparse.ArgumentParser) -> None:
        text = t("随机数的种子（默认 0）", "seed of all chance (default 0)")
        parser.add_argument("--seed", type=whole(0), default=0, metavar="N", help=text)

    root = _Parser(
        prog="hongwu-rules",
        add_help=False,
        formatter_class=formatter,
        allow_abbrev=False,
        description=t(
            "用 YAML 写的牌规：检查、证明、打牌。", "Card games written as YAML: checked, proved and played."
        ),
    )
    root._positionals.title = t("参数", "arguments")
    root._optionals.title = t("选项", "options")
    common(root, ())
    root.add_argument("--version", action=_Version, nargs=0, help=t("版本", "the versions"))
    commands = root.add_subparsers(
        title=t("命令", "commands"), dest="command", metavar=t("命令", "COMMAND"), parser_class=_Parser, required=True
    )

    check = command(
        "check",
        "检查规则；不写文件就检查所有自带规则",
        "check rulesets; all bundled ones if none is named",
        tuple(FORMATS),
    )
    ruleset(check, count="*")
    options(check)
    check.add_argument(
        "--stdin-filename",
        metavar="FILE",
        help=t("从标准输入读（-）时当作哪个文件", "the file that the standard input (-) stands for"),
    )
    check.add_argument(
        "--play", type=whole(0), default=0, metavar="N", help=t("再随机打 N 场", "also play N random matches")
    )
    check.add_argument(
        "--deals",
        type=whole(1),
        metavar="D",
        help=t("每场最多打几局（默认 12）", "cut each match after D deals (12)"),
    )
    seed(check)

    test = command("test", "运行规则场景", "run rule scenarios")
    test.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help=t("场景文件或文件夹（默认 tests/rules）", "files or folders (tests/rules)"),
    )
    test.add_argument("--ruleset", metavar="FILE", help=t("改用这份规则来试", "try them on this copy of their ruleset"))

    listing = command(
        "list", "列出自带规则，或一份规则的选项和家规", "the bundled rulesets, or options and house rules of one"
    )
    ruleset(listing, count="?")
    options(listing)

    new = command("new", "写出一份带说明的家规文件", "write a commented overlay to start a house rule from")
    new.add_argument(
        "file", metavar="FILE", help=t("要写的文件（- 为标准输出）", "the file to write (- for the standard output)")
    )
    new.add_argument(
        "--extends", required=True, metavar="RULESET", help=t("在哪份规则上改", "the ruleset that it changes")
    )
    setting(new)

    simulate = command("simulate", "让简单的牌手打许多局，数一数", "let simple players play many deals, and count")
    ruleset(simulate)
    options(simulate)
    simulate.add_argument(
        "--deals", type=whole(1), default=100, metavar="N", help=t("打几局（默认 100）", "how many deals (100)")
    )
    simulate.add_argument(
        "--players",
        metavar="NAME,...",
        help=t("每座用哪个牌手：random 或 first（默认 random）", "who sits at each seat: random or first (random)"),
    )
    instead = simulate.add_mutually_exclusive_group()
    instead.add_argument(
        "--transcript",
        action="store_true",
        help=t("不数，把一场牌一步步写出来", "tell one match step by step instead of counting"),
    )
    instead.add_argument(
        "--against",
        metavar="RULESET",
        help=t(
            "再照这份规则打同样的局，只说哪里不同", "play the same deals by this one too, and say only what differs"
        ),
    )
    seed(simulate)

    show = command("show", "显示规则编译成了什么", "what a ruleset was compiled to")
    ruleset(show)
    options(show)

    explain = command(
        "explain", "说明一个代码；不写就列出全部", "the page of a diagnostic code; all codes if none is named"
    )
    explain.add_argument("code", nargs="?", metavar="CODE", help=t("例如 HW302", "such as HW302"))

    words = {option for parser in commands.choices.values() for option in parser._option_string_actions}
    root.known = (*commands.choices, *sorted(words))
    return root

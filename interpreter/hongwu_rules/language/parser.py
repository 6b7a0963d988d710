"""From a text to a syntax tree of the standard library, with places and plain words for what is wrong."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Mapping, Sequence

from ..diagnostics import Span, Text
from ..diagnostics.slips import Slip, mended, slips_in
from ..model.ir import Type
from ..source.nodes import Scalar
from .advice import EXAMPLE, PART, misplaced
from .grammar import Piece
from .types import type_name
from .world import World

MAX_LENGTH, MAX_NODES, MAX_DEPTH = 2000, 400, 40
LONGEST_SHOWN = 80
ENDLESS = frozenset(
    ["+", "-", "*", "//", "%", "==", "!=", "<", "<=", ">", ">=", "and", "or", "not", "in", "is", "if", "else"]
)
Locals = Mapping[str, Type]
PYTHON_WORDS = frozenset(
    [
        "pass",
        "lambda",
        "import",
        "def",
        "class",
        "while",
        "return",
        "yield",
        "await",
        "async",
        "del",
        "global",
        "with",
        "try",
        "except",
        "raise",
        "assert",
        "break",
        "continue",
        "from",
        "as",
        "nonlocal",
        "finally",
        "elif",
        "None",
        "True",
        "False",
    ]
)


class Fault(Exception):
    """An expression that cannot be used; the finding is already noted."""


class Parser:
    """One text of a file: its syntax tree, the places inside it, and how its faults are said."""

    def __init__(self, world: World, scalar: Scalar, piece: Piece, names: Locals) -> None:
        self.world = world
        self.scalar = scalar
        self.piece = piece
        self.names = dict(names)

    # ---------------------------------------------------------------- places and faults
    def at(self, node: ast.AST) -> Span:
        """The place of a node in the file."""
        line = self.piece.text

        def point(offset: int) -> int:
            return len(line.encode()[:offset].decode(errors="replace"))

        start, end = getattr(node, "col_offset", 0), getattr(node, "end_col_offset", len(line.encode()))
        return self.world.locate(self.scalar, self.piece.start + point(start), self.piece.start + point(end))

    def whole(self) -> Span:
        """The place of the whole text."""
        return self.world.locate(self.scalar, self.piece.start, self.piece.start + len(self.piece.text))

    def part(self, start: int, end: int) -> Span:
        """The place of a piece of the text."""
        return self.world.locate(self.scalar, self.piece.start + start, self.piece.start + end)

    def fail(self, code: str, node: ast.AST | None, zh: str, en: str, *help: Text) -> Fault:
        """Note a finding and give back what to raise."""
        self.world.findings.add(code, self.at(node) if node is not None else self.whole(), zh, en, help=help)
        return Fault()

    def mismatch(self, node: ast.AST, want: Type, got: Type) -> Fault:
        """A value of one type where another is needed."""
        w, g = type_name(want), type_name(got)
        hint: tuple[Text, ...] = ()
        if (want.name, got.name) == ("bool", "int"):
            hint = (Text("写上和多少比，如 > 0", "write what it is compared with, as in > 0"),)
        return self.fail("HW402", node, f"这里要{w.zh}，写的却是{g.zh}", f"{w.en} is expected here, not {g.en}", *hint)

    def unknown(self, name: str, at: Span, also: Sequence[str] = ()) -> Fault:
        """A name that means nothing here."""
        world = self.world
        said = misplaced(world, name, self.names) if name not in world.faulty and name not in world.removed else None
        if said is not None:
            world.findings.add(said.code, at, *said.text, help=(said.help,))
        else:
            world.unknown(name, at, also=list(also))
        return Fault()

    def parse(self, mode: str = "eval") -> ast.AST:
        """The text as Python sees it, refused early where it is too long, too deep or no expression."""
        text = self.piece.text
        if not text:
            raise self.fail("HW103", None, "这里缺一个条件或数值", "an expression is missing here")
        if len(text) > MAX_LENGTH:
            raise self.fail(
                "HW005", None, f"表达式超过{MAX_LENGTH}个字", f"the expression is longer than {MAX_LENGTH} characters"
            )
        if text.startswith((" ", "\t")) or "\n" in text:
            text = " ".join(text.split())
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # Python has its own opinion of `5if x`
                tree = ast.parse(text, mode=mode)
        except SyntaxError as fault:
            if "too many nested" in (fault.msg or ""):
                raise self.fail("HW005", None, "表达式嵌套太深", "the expression is nested too deeply") from None
            raise self.syntax(fault, mode) from None
        except (ValueError, RecursionError, MemoryError):
            raise self.fail("HW005", None, "表达式嵌套太深", "the expression is nested too deeply") from None
        count = 0
        level: list[tuple[ast.AST, int]] = [(tree, 0)]
        while level:
            node, depth = level.pop()
            count += 1
            if count > MAX_NODES or depth > MAX_DEPTH:
                raise self.fail(
                    "HW005", None, "表达式太大，请用 define 拆开", "the expression is too large; split it with define"
                )
            level.extend((child, depth + 1) for child in ast.iter_child_nodes(node))
        return tree

    def syntax(self, fault: SyntaxError, mode: str) -> Fault:
        """A text that is no expression, said in plain words."""
        text = self.piece.text
        slips = slips_in(text)
        if slips:
            return self.slip(slips, mode)
        column = min(max((fault.offset or 1) - 1, 0), max(len(text) - 1, 0))
        words = text.replace("(", " ").replace(")", " ").split()
        keyword = next((w for w in words if w in PYTHON_WORDS), None)
        unpaired = next((pair for pair in ("()", "[]", "{}") if text.count(pair[0]) != text.count(pair[1])), None)
        if text.startswith(("=", "<", ">", "!", "*", "%", "|", "&")):
            zh, en = f"条件不能以“{text[0]}”开头", f'a condition cannot start with "{text[0]}"'
            hint = Text(
                "运算符前面要写出比较的东西，如 points >= 40",
                "write what is compared before it, as in points >= 40",
            )
        elif " = " in f" {text} " and "==" not in text:
            zh, en = "比较要写两个等号", "a comparison is written with two equals signs"
            hint = Text("写 ==", "write ==")
        elif unpaired:
            zh, en = "括号不成对", "a bracket has no partner"
            few = unpaired[text.count(unpaired[0]) > text.count(unpaired[1])]
            hint = Text(f"补上“{few}”，或删去多的那个", f"add `{few}`, or remove the one too many")
        elif (last := text.split()[-1]) in ENDLESS:
            column = len(text) - len(last)
            zh, en = f"“{last}”后面还缺东西", f'something is missing behind "{last}"'
            hint = Text(f"写完它，或删去“{last}”", f'finish it, or remove "{last}"')
        elif keyword:
            zh, en = f"“{keyword}”不能用在条件里", f'"{keyword}" cannot be used in a condition'
            small = Text(f"写小写的 {keyword.lower()}", f"write {keyword.lower()} in small letters")
            hint = small if keyword in ("None", "True", "False") else EXAMPLE
        else:
            zh, en = "这里读不成一个条件或数", "this cannot be read as a condition or a number"
            hint = EXAMPLE
        self.world.findings.add("HW414", self.part(column, column + 1), zh, en, help=(hint,))
        return Fault()

    def slip(self, slips: list[Slip], mode: str) -> Fault:
        """An expression in the writing of another language: the first slip, and how all of it is to be written."""
        first, text = slips[0], self.piece.text
        wrong = text[first.start : first.end].strip()
        right = " ".join(first.right.split())
        zh, en = f"“{wrong}”在这里写作“{right}”", f"`{wrong}` is written `{right}` here"
        if first.why is not None:
            zh, en = f"“{wrong}”：{first.why.zh}", f"`{wrong}`: {first.why.en}"
        whole = mended(text, slips)
        hint = Text(f"写 {right}", f"write {right}") if right else PART
        if right and len(whole) <= LONGEST_SHOWN and readable(whole, mode):
            hint = Text(f"写 {whole}", f"write {whole}")
        self.world.findings.add("HW414", self.part(first.start, first.end), zh, en, help=(hint,))
        return Fault()


def readable(text: str, mode: str) -> bool:
    """Whether a text can be read at all."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text, mode=mode)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def last_name(node: ast.Attribute) -> ast.AST:
    """The name behind the dot, as a place."""
    spot = ast.copy_location(ast.Name(node.attr), node)
    spot.col_offset = (node.end_col_offset or 0) - len(node.attr.encode())
    return spot

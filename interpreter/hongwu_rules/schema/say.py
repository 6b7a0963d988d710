"""The wording of findings about a file's shape, and how the small texts inside values must look."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from ..diagnostics import Text
from ..diagnostics.slips import range_meant, truth
from ..language.notation import upside_down
from ..model.fields import NAME_PATTERNS, TAKEN, Field, base_name
from ..source.nodes import Mapping, Node, Scalar, Sequence

Said = tuple[str, Text, tuple[Text, ...]]  # code, message, help
_RANGE = re.compile(r"(-?\d{1,9})?\s*\.\.\s*(-?\d{1,9})?(?:\s+step\s+(\d{1,9}))?")
_WANTED = {
    "text": Text("文字", "a text"),
    "int": Text("一个数", "a number"),
    "bool": Text("true 或 false", "true or false"),
    "list": Text("一个列表", "a list"),
    "map": Text("下面分键的一节", "a section with keys of its own"),
}


def read_range(text: str) -> tuple[int | None, int | None, int] | None:
    """``5..200 step 5`` as its two ends and its step; None if it is no range.

    >>> read_range("5..200 step 5"), read_range("3.."), read_range("3-5")
    ((5, 200, 5), (3, None, 1), None)
    """
    found = _RANGE.fullmatch(text.strip())
    if found is None or found[1] is found[2] is None:
        return None
    return (int(found[1]) if found[1] else None, int(found[2]) if found[2] else None, int(found[3] or 1))


def is_word(text: str) -> bool:
    """Whether a text can be a name."""
    return is_name(text, "word")


def is_name(key: str, pattern: str) -> bool:
    """Whether a key can be the name of an entry.

    >>> is_name("score[seat]", "slot"), is_name("炸弹", "word"), is_name("not", "word")
    (True, True, False)
    """
    normal = unicodedata.normalize("NFKC", key)
    return NAME_PATTERNS[pattern][0].fullmatch(normal) is not None and base_name(normal) not in TAKEN


def write(text: object) -> Text:
    """The hint to write just this."""
    return Text(f"写 {text}", f"write {text}")


def clip(value: object, longest: int = 40) -> str:
    """A value for a message, cut if it is long."""
    text = (
        {True: "true", False: "false", None: "null"}.get(value, str(value))
        if isinstance(value, bool | None)
        else str(value)
    )
    return text if len(text) <= longest else text[: longest - 1] + "…"


def wrong_kind(key: str, node: Node, found: Field) -> Said:
    """A value of a kind that cannot stand here."""
    order = [kind for kind in _WANTED if kind in found.accepts]
    if "map" in order and len(order) > 1 and not isinstance(node, Mapping):
        order.remove("map")
        order.append("map")
    wanted = [_WANTED[kind] for kind in order]
    if {"text", "int", "bool"} <= found.accepts:
        wanted = [Text("单独一个值", "a single value"), *(_WANTED[kind] for kind in order if kind in ("list", "map"))]
    zh, en = "或".join(text.zh for text in wanted), " or ".join(text.en for text in wanted)
    is_zh, is_en = _what(node)
    return (
        "HW103",
        Text(f"“{key}”要写{zh}，{is_zh}", f'"{key}" takes {en}, but {is_en}'),
        _kind_help(node, found, order),
    )


def in_a_list(text: Text, key: str, found: Field) -> Text:
    """The same said of an item of a list, which has no key but what it is."""
    if key != found.about.en:
        return text
    return Text(text.zh.replace(f"“{key}”", found.about.zh), text.en.replace(f'"{key}"', found.about.en))


def _what(node: Node) -> Text:
    if isinstance(node, Mapping):
        return Text("这里是下面分键的一节", "here is a section with keys")
    if isinstance(node, Sequence):
        return Text("这里是一个列表", "here is a list")
    shown = clip(node.value)
    if isinstance(node.value, bool):
        return Text(f"“{shown}”是真假值", f'"{shown}" is a yes or no')
    if isinstance(node.value, int):
        return Text(f"“{shown}”是数", f'"{shown}" is a number')
    if isinstance(node.value, float):
        return Text(f"“{shown}”是小数", f'"{shown}" is a number with a fraction')
    return Text(f"“{shown}”是文字", f'"{shown}" is a text')


def _kind_help(node: Node, found: Field, order: list[str]) -> tuple[Text, ...]:
    if isinstance(node, Scalar) and isinstance(node.value, str):
        word = unicodedata.normalize("NFKC", node.value).strip()
        boolean = truth(word)
        if "bool" in order and boolean:
            return (write(boolean),)
        if "int" in order and re.fullmatch(r"-?\d{1,9}", word):
            number = int(word)
            return (
                (Text(f"不要引号：{number}", f"without quotes: {number}"),)
                if node.style != "plain"
                else (write(number),)
            )
        if "int" in order and found.low is not None and found.high is not None:
            return (Text(f"写 {found.low} 到 {found.high} 的数", f"write a number from {found.low} to {found.high}"),)
    if isinstance(node, Scalar) and isinstance(node.value, float) and not found.items:
        low, _, high = node.text.partition(".")
        if found.form in ("range", "span", "cell") and int(low) < int(high):
            return (Text(f"范围用两个点：{low}..{high}", f"a range has two dots: {low}..{high}"),)
        if "int" in order:
            return (
                Text("只能写整数；要更细就把单位改小", "write a whole number; for less than one, use a smaller unit"),
            )
    if isinstance(node, Scalar) and "text" in order:
        return (Text(f'加上引号："{clip(node.value)}"', f'put it in quotes: "{clip(node.value)}"'),)
    if isinstance(node, Mapping) and found.dress and order == ["text"]:
        if "to" in node or "if" in node or "when" in node:
            return (Text("写成一行：阶段 when 条件", "write it as one text: PHASE when CONDITION"),)
        return (Text("写成一行文字，或 {is: 文字, cite: D1}", "write it as one text, or as {is: TEXT, cite: D1}"),)
    if isinstance(node, Sequence) and order == ["map"]:
        return (
            Text("不用列表：去掉每项前的“-”，给每项一个名字", "no list: give each entry a name instead of the dash"),
        )
    parts = [item for item in node.items if isinstance(item, Scalar)] if isinstance(node, Sequence) else []
    if (
        parts
        and isinstance(node, Sequence)
        and len(parts) == len(node.items)
        and "text" in order
        and "bool" not in order
    ):
        words = " ".join(clip(item.value) for item in parts)
        return (Text(f"去掉方括号：{words}", f"without the brackets: {words}"),)
    cut = isinstance(node, Mapping) and any(isinstance(e.value, Scalar) and e.value.value is None for e in node)
    if "text" in order and not isinstance(node, Scalar) and node.flow and (cut or isinstance(node, Sequence)):
        return (
            Text(
                "以括号开头的条件要整个加上引号",
                "a condition that begins with a bracket must be put in quotes as a whole",
            ),
        )
    return ()


def of_form(found: Field, key: str, text: str) -> Said | None:
    """What is wrong with the way a text is written, if anything."""
    shown = clip(text)
    if found.form == "word" and not is_word(text):
        return (
            "HW103",
            Text(f"“{key}”要写一个词，“{shown}”不是", f'"{key}" takes one word, and "{shown}" is none'),
            (),
        )
    if found.form == "words":
        odd = next((word for word in text.replace(",", " ").split() if not is_word(word)), None if text.strip() else "")
        if odd is not None:
            return (
                "HW103",
                Text(
                    f"“{key}”要写几个词，中间空格；“{clip(odd)}”不是词",
                    f'"{key}" takes words with blanks between them; "{clip(odd)}" is no word',
                ),
                (),
            )
    if found.form not in ("range", "span"):
        return None
    ends = read_range(text)
    example = "5..200 step 5" if found.form == "range" else "2..5"
    if ends is None or ends[0] is None or (found.form == "range" and ends[1] is None):
        return (
            "HW103",
            Text(f"“{key}”要写范围，“{shown}”不是", f'"{key}" takes a range, and "{shown}" is none'),
            (write(meant),) if (meant := range_meant(text)) else (Text(f"例如 {example}", f"for instance {example}"),),
        )
    low, high, step = ends
    if high is not None and low is not None and low > high:
        said, hint = upside_down(shown, low, high)
        return "HW105", said, (hint,)
    if step < 1:
        return ("HW105", Text("step 至少是 1", "a step is at least 1"), ())
    if found.low is not None and low is not None and low < found.low:
        return (
            "HW105",
            Text(f"“{shown}”太小，至少从 {found.low} 起", f'"{shown}" begins too low: at least {found.low}'),
            (),
        )
    return None


def out_of_range(key: str, value: object, found: Field) -> Said:
    """A number that is too small or too big."""
    if found.low is not None and found.high is not None:
        limit = Text(f"在 {found.low} 到 {found.high} 之间", f"from {found.low} to {found.high}")
    else:
        limit = Text(f"至少是 {found.low}", f"at least {found.low}")
    return (
        "HW105",
        Text(f"“{key}”要{limit.zh}，不能是 {clip(value)}", f'"{key}" must be {limit.en}, not {clip(value)}'),
        (),
    )


def bad_name(key: object, pattern: str) -> Said:
    """A name that is no name."""
    looks = NAME_PATTERNS[pattern][1]
    said = Text(f"“{clip(key)}”不能当名字", f'"{clip(key)}" cannot be a name')
    if isinstance(key, str) and base_name(key) in TAKEN:
        return (
            "HW103",
            said,
            (Text("条件里已经用了这个词，换一个名字", "conditions use this word already: choose another name"),),
        )
    hint = Text(
        f"写成 {looks.zh}：名字用字母、汉字、数字和 _，不以数字开头",
        f"write {looks.en}: letters, Chinese ones too, digits and _, not beginning with a digit",
    )
    return ("HW103", said, (hint,))


def known_keys(keys: Iterable[str]) -> tuple[Text, ...]:
    """The hint that lists what would be known."""
    names = ", ".join(keys)
    return (Text(f"这里可以写：{names}", f"known here: {names}"),) if names else ()

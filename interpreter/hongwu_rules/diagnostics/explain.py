"""The pages of the diagnostic codes: Markdown files with a Chinese and an English part and shared examples."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from . import Text
from .absent import ABSENT, Absent
from .codes import CODES
from .width import wrap

COLUMNS = 88
FOLDER = Path(__file__).parent / "pages"

_KINDS = {"error": Text("错误", "error"), "warning": Text("警告", "warning"), "hint": Text("提示", "hint")}
_PARTS = {"中文": "zh", "English": "en", "错例 · Faulty": "faulty", "改好 · Repaired": "repaired"}


@dataclass(frozen=True, slots=True)
class Example:
    """A fenced block of a page; ``whole`` if it is a complete file, so that it can be tried."""

    text: str
    whole: bool


@dataclass(frozen=True, slots=True)
class Page:
    """A page cut into its parts."""

    code: str
    zh: str
    en: str
    faulty: tuple[Example, ...]
    repaired: tuple[Example, ...]


def read_page(code: str) -> Page:
    """The page of a code as it is stored.

    >>> read_page("HW302").code
    'HW302'
    """
    parts: dict[str, list[str]] = {name: [] for name in _PARTS.values()}
    current: list[str] = []
    for line in (FOLDER / f"{code}.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            current = parts[_PARTS[line[3:].strip()]]
        else:
            current.append(line)
    texts = {name: "\n".join(lines).strip() for name, lines in parts.items()}
    return Page(code, texts["zh"], texts["en"], _fenced(texts["faulty"]), _fenced(texts["repaired"]))


def _fenced(text: str) -> tuple[Example, ...]:
    blocks: list[Example] = []
    inside: list[str] | None = None
    kind = ""
    for line in text.splitlines():
        if not line.startswith("```"):
            if inside is not None:
                inside.append(line)
        elif inside is None:
            inside, kind = [], line[3:].strip()
        else:
            blocks.append(Example("\n".join(inside) + "\n", kind.endswith(" file")))
            inside = None
    return tuple(blocks)


def page(code: str, lang: str) -> str:
    """The page of a code in one language, as text for a terminal.

    >>> print(page("HW302", "en").splitlines()[0])
    HW302 unknown-phase (error): no phase has this name
    """
    known, stored = CODES[code], read_page(code)
    kind, title = _KINDS[known.severity].in_(lang), known.title.in_(lang)
    head = Text(f"{code} {known.name}（{kind}）：{title}", f"{code} {known.name} ({kind}): {title}").in_(lang)
    out = [head, ""]
    for paragraph in (stored.zh if lang == "zh" else stored.en).split("\n\n"):
        out += [*wrap(paragraph.replace("**", ""), COLUMNS), ""]
    for heading, blocks in ((Text("错例：", "Faulty:"), stored.faulty), (Text("改好：", "Repaired:"), stored.repaired)):
        if blocks:
            out += [heading.in_(lang), ""]
        for block in blocks:
            out += [f"    {line}".rstrip() for line in block.text.splitlines()] + [""]
    return "\n".join(out)


def absent_page(absent: Absent, lang: str) -> str:
    """What there is to say about a fault that cannot be written in this language.

    >>> print(absent_page(ABSENT["HW306"], "en"))
    HW306 final-has-exit (cannot happen here): a final phase that goes on
    <BLANKLINE>
    `final` and `next` are two keys that exclude each other; together they are HW106.
    <BLANKLINE>
    See: hongwu-rules explain HW106
    <BLANKLINE>
    """
    head = Text(
        f"{absent.code} {absent.name}（这里出不了这种错）：{absent.title.zh}",
        f"{absent.code} {absent.name} (cannot happen here): {absent.title.en}",
    )
    see = [f"{Text('参看：', 'See: ').in_(lang)}hongwu-rules explain {code}" for code in absent.see]
    return "\n".join([head.in_(lang), "", *wrap(absent.why.in_(lang), COLUMNS), "", *see, *[""] * bool(see)])


_FAMILIES = {
    "0": Text("YAML 本身", "the YAML itself"),
    "1": Text("文件的样子", "the shape of the file"),
    "2": Text("牌和大小", "cards and their order"),
    "3": Text("阶段和动作", "phases and moves"),
    "4": Text("条件", "conditions"),
    "5": Text("表", "tables"),
    "6": Text("数目", "sums"),
    "7": Text("家规", "house rules"),
    "8": Text("文件里的注释", "remarks in the file"),
    "9": Text("随机打牌（check --play）", "random play (check --play)"),
}


def contents(lang: str) -> str:
    """Every code with its title, by family, and at the end those that this language has no use for.

    >>> contents("en").splitlines()[:2]
    ['the YAML itself', '  HW001   error    not correct YAML']
    """
    lines: list[str] = []
    for first, family in _FAMILIES.items():
        found = [code for code in CODES.values() if code.code[2] == first and code.code != "HW999"]
        lines += [family.in_(lang)]
        lines += [f"  {one.code}   {_padded(_KINDS[one.severity], lang)}  {one.title.in_(lang)}" for one in found] + [
            ""
        ]
    lines += [Text("不关规则的", "not about the rules").in_(lang)]
    rest = [CODES[code] for code in ("HW-io", "HW-use", "HW999")]
    lines += [f"  {one.code:6}  {_padded(_KINDS[one.severity], lang)}  {one.title.in_(lang)}" for one in rest]
    lines += ["", Text("这种语言里出不了的错", "what cannot go wrong in this language").in_(lang)]
    lines += [f"  {one.code}   {one.title.in_(lang)}" for one in ABSENT.values()]
    return "\n".join(lines) + "\n"


def _padded(kind: Text, lang: str) -> str:
    return kind.zh if lang == "zh" else f"{kind.en:7}"

"""The pages of the diagnostic codes: Markdown files with a Chinese and an English part and shared examples."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from . import Text
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

"""From a file to a checked ruleset: every stage in its order, each only where the one before was sound."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .diagnostics import Diagnostic, Findings, Span, Text
from .diagnostics.causes import causes
from .diagnostics.codes import severity
from .diagnostics.nearest import nearest
from .diagnostics.steps import with_steps
from .errors import OptionError
from .language import build
from .model import Option, Ruleset
from .overlay.layers import load_tree
from .overlay.library import Library, Sources, bundled_folder
from .source.nodes import Scalar
from .source.reader import SourceFile, locate, suppressions

Settings = Mapping[str, object]


@dataclass(slots=True)
class Report:
    """What a check of one file came to.

    ``ruleset`` is None where there is an error. ``proved`` and ``not_proved`` are empty unless the
    whole ruleset could be checked; ``count`` is how many checks ran.
    """

    diagnostics: list[Diagnostic]
    files: dict[str, SourceFile]
    ruleset: Ruleset | None = None
    sources: Sources | None = None
    settings: dict[str, int | bool] = field(default_factory=dict)
    proved: list[Text] = field(default_factory=list)
    not_proved: list[Text] = field(default_factory=list)
    count: int = 0

    @property
    def errors(self) -> list[Diagnostic]:
        """The findings that forbid the use of the ruleset."""
        return [item for item in self.diagnostics if severity(item.code) == "error"]


def check(
    main: str | Path,
    *,
    options: Settings | None = None,
    overlays: Sequence[str | Path] = (),
    library: Library | None = None,
) -> Report:
    """Check a ruleset: a path, or the name of a bundled one. Options may be given as text.

    Raises `SourceIOError` for a file that cannot be read and `OptionError` for a setting that does not
    fit; everything that is wrong inside a file is a finding.
    """
    findings = Findings()
    library = library or Library(bundled_folder())
    loaded = load_tree(main, findings=findings, overlays=overlays, library=library)
    report = Report([], library.files)
    ruleset: Ruleset | None = None
    if loaded is not None:
        from .schema.validation import validate  # Cerberus takes its time: only once there is something to check

        report.sources = loaded.sources
        validate(
            loaded.root,
            findings,
            overlay_files=loaded.overlay_files,
            complete=loaded.complete,
            removed=loaded.removed,
        )
        if not _errors(findings):
            ruleset = build(
                loaded.root,
                findings,
                settings=_early(options),
                removed=loaded.removed_names(),
                locate=_Locator(library.files),
            )
        if ruleset is not None and not _errors(findings):
            from .checks import run_checks

            report.settings = settings_of(ruleset.options, options or {})
            proofs = run_checks(ruleset, findings)
            report.proved, report.not_proved, report.count = proofs.proved, proofs.not_proved, proofs.count
    report.diagnostics = _kept(findings.items, library.files)
    report.ruleset = ruleset if not report.errors else None
    return report


def _errors(findings: Findings) -> bool:
    return any(severity(item.code) == "error" for item in findings.items)


class _Locator:
    """Places inside a scalar, by the file that it stands in."""

    def __init__(self, files: Mapping[str, SourceFile]) -> None:
        self.files = files

    def __call__(self, scalar: Scalar, start: int, end: int) -> Span:
        file = self.files.get(scalar.span.file)
        return locate(file, scalar, start, end) if file is not None else scalar.span


def _kept(items: list[Diagnostic], files: Mapping[str, SourceFile]) -> list[Diagnostic]:
    """The findings that no comment suppresses, in order, and what is wrong with the suppressions."""
    from .diagnostics.absent import ABSENT
    from .diagnostics.codes import CODES

    kept = sorted(dict.fromkeys(items), key=lambda item: item.order)
    extra = Findings()
    for file in files.values():
        for note in suppressions(file):
            if note.code in ABSENT:
                zh, en = (
                    f"{note.code} 在这里出不来，不用忽略",
                    f"{note.code} cannot happen here, so there is nothing to ignore",
                )
                why = Text(f"为什么：hongwu-rules explain {note.code}", f"why: hongwu-rules explain {note.code}")
                extra.add("HW802", note.span, zh, en, help=(why,))
                continue
            if note.code not in CODES:
                near = nearest(note.code, CODES)
                hint = (Text(f"是不是 {near}？", f"did you mean {near}?"),) if near else ()
                extra.add("HW802", note.span, f"没有代码 {note.code}", f"there is no code {note.code}", help=hint)
                continue
            hit = [d for d in kept if d.code == note.code and d.span.file == file.name and d.span.line == note.line]
            if not hit:
                zh, en = f"这里没有 {note.code}，不用忽略", f"there is no {note.code} here to ignore"
                extra.add("HW801", note.span, zh, en, help=(Text("删去这条注释", "remove this remark"),))
            kept = [d for d in kept if d not in hit]
    return causes(with_steps(sorted([*kept, *extra.items], key=lambda item: item.order)))


# ---------------------------------------------------------------- options
def _early(given: Settings | None) -> dict[str, object]:
    """Settings as far as they can be read before the options are known: for what the deck depends on."""
    out: dict[str, object] = {}
    for name, value in (given or {}).items():
        if isinstance(value, str) and value.lstrip("-").isdecimal():
            out[name] = int(value)
        elif value in ("true", "false"):
            out[name] = value == "true"
        else:
            out[name] = value
    return out


def settings_of(options: Mapping[str, Option], given: Settings) -> dict[str, int | bool]:
    """Every option with its value; OptionError for a name or a value that does not fit."""
    for name in given:
        if name not in options:
            near = nearest(name, options)
            zh, en = f"没有选项“{name}”", f'there is no option "{name}"'
            if near:
                zh, en = f"{zh}，是不是“{near}”？", f'{en}; did you mean "{near}"?'
            else:
                zh, en = f"{zh}；有：{'、'.join(options)}", f"{en}; there are: {', '.join(options)}"
            raise OptionError(Text(zh, en))
    return {name: _value(option, given[name]) if name in given else option.default for name, option in options.items()}


def _value(option: Option, value: object) -> int | bool:
    kind = option.type
    if kind.name == "bool":
        if isinstance(value, bool):
            return value
        if value in ("true", "false"):
            return value == "true"
        raise _no(option, value, "true, false")
    if kind.words:
        if isinstance(value, str) and value in kind.words:
            return kind.words.index(value)
        raise _no(option, value, ", ".join(kind.words))
    number = int(value) if isinstance(value, str) and value.lstrip("-").isdecimal() and value.isascii() else value
    low, high = kind.low or 0, kind.high or 0
    if (
        isinstance(number, int)
        and not isinstance(number, bool)
        and low <= number <= high
        and (number - low) % kind.step == 0
    ):
        return number
    raise _no(option, value, f"{low}..{high}" + (f" step {kind.step}" if kind.step != 1 else ""))


def _no(option: Option, value: object, what: str) -> OptionError:
    return OptionError(
        Text(
            f"选项“{option.name}”不能是 {value}，可以是：{what}",
            f'the option "{option.name}" cannot be {value}; it can be: {what}',
        )
    )

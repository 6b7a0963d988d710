"""``hongwu-rules check``: what is wrong with rulesets, or what was proved about them."""

from __future__ import annotations

import argparse
import gc
import shlex
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..diagnostics import Diagnostic, Span, Text, render
from ..errors import OptionError
from ..source.files import SourceIOError
from ..source.text import MAX_BYTES
from .arguments import UsageError
from .rules import settings
from .session import Session
from .targets import Target, find, trouble

if TYPE_CHECKING:
    from ..game import Rules
    from ..trials import Stats


DEALS = 12  # in each match, unless the command says otherwise
RARELY = 100_000  # new objects between two collections


def run(args: argparse.Namespace, session: Session) -> int:
    """Check every ruleset named, print what was found; the exit code.

    A check lives for half a second: looking for garbage as often as Python does costs it more than the garbage.
    """
    usual = gc.get_threshold()
    gc.set_threshold(RARELY)
    try:
        return _run(args, session)
    finally:
        gc.set_threshold(*usual)


def _run(args: argparse.Namespace, session: Session) -> int:
    from ..overlay.library import bundled_files, bundled_names

    if args.deals is not None and not args.play:
        raise UsageError(Text("--deals 要和 --play 一起用", "--deals goes with --play"))
    options = settings(args.set)
    targets, problems = find(args.rulesets or bundled_names(), bundled_files())
    if args.stdin_filename and Target("-") not in targets:
        raise UsageError(
            Text("--stdin-filename 要和 - 一起用（从标准输入读）", "--stdin-filename goes with -, the standard input")
        )
    if not targets and not problems:
        problems.append(trouble("没有可检查的规则", "there is nothing to check", ""))
    checked: list[render.Checked] = []
    lines: dict[str, Sequence[str]] = {}
    started = time.perf_counter()
    for target in targets:
        try:
            checked.append(_one(target, options, args, session, lines))
        except (SourceIOError, OptionError) as error:
            code = "HW-io" if isinstance(error, SourceIOError) else "HW-use"
            problems.append(Diagnostic(code, error.text, Span(target.where, 0, 0, 0, 0)))
    if problems:
        checked.append(render.Checked("", diagnostics=tuple(problems)))
    seconds = time.perf_counter() - started
    return session.show(render.Result(tuple(checked), lines, seconds, session.version))


def _one(
    target: Target, options: dict[str, str], args: argparse.Namespace, session: Session, lines: dict[str, Sequence[str]]
) -> render.Checked:
    from ..loading import check
    from ..overlay.library import Library, bundled_folder

    where, library = target.where, Library(bundled_folder())
    if where == "-":
        where = Path(args.stdin_filename or "<stdin>").as_posix()
        library.texts[where] = _standard_input()
    report = check(where, options=options, overlays=args.overlays, library=library)
    lines.update((name, file.lines) for name, file in report.files.items())
    found = list(report.diagnostics)
    proved, not_proved = list(report.proved), list(report.not_proved)
    played: dict[str, Any] | None = None
    remarks: tuple[Text, ...] = ()
    if args.play and report.ruleset is not None and report.ruleset.abstract:
        not_proved.append(
            Text(
                "随机的对局：它只供别的规则取用，自己不能打",
                "random matches: it is material for other rulesets, not itself a game",
            )
        )
    elif args.play and report.ruleset is not None:
        from ..game import rules_of

        more, stats = _play(rules_of(report), args, session)
        found += more
        played, remarks = stats.to_json(), tuple(stats.never_text)
        not_proved += stats.not_proved
        if not more:
            proved.append(stats.text)
    elif args.rulesets and report.ruleset is not None and report.not_proved:
        words = ["hongwu-rules check", shlex.quote(where), *(f"--with {shlex.quote(one)}" for one in args.overlays)]
        again = " ".join([*words, *(f"--set {shlex.quote(one)}" for one in args.set), "--play 100"])
        remarks = (Text(f"试打：{again}", f"try it in play: {again}"),)
    note, name = None, where
    if target.bundled:
        name, path = next(iter(report.files), where), library.named(where).path
        note = Text(f"自带规则：{path}", f"bundled ruleset: {path}")
    return render.Checked(
        name,
        tuple(report.files),
        tuple(found),
        tuple(proved),
        tuple(not_proved),
        checks=report.count,
        note=note,
        remarks=remarks,
        played=played,
    )


def _standard_input() -> bytes:
    """What is piped in: no more than a little past the size at which it is refused anyway."""
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None or sys.stdin.isatty():
        raise UsageError(
            Text("- 要从标准输入读，可是没有东西送进来", "- reads the standard input, and nothing is piped into it"),
            Text("例如：hongwu-rules check - < my.yaml", "such as: hongwu-rules check - < my.yaml"),
        )
    data: bytes = stream.read(MAX_BYTES + 1)
    return data


def _play(rules: Rules, args: argparse.Namespace, session: Session) -> tuple[list[Diagnostic], Stats]:
    from ..trials import play_matches

    return play_matches(rules, args.play, args.deals or DEALS, args.seed, session.progress("打牌", "playing"))

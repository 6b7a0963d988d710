"""The command ``hongwu-rules``: arguments, exit codes, and nothing that knows a rule.

Exit codes: 0 clean, 1 findings or failed scenarios, 2 the command or a file could not be used, 101 a fault of
this program, 130 interrupted. A command imports what it needs only when it runs, so that `explain` and
`--version` answer at once.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ..diagnostics import NOWHERE, Diagnostic, Findings, RulesetError, Text
from ..diagnostics.excerpt import Paint
from ..diagnostics.steps import with_steps
from ..diagnostics.width import encodable
from ..errors import HongwuError, RulesFault
from .arguments import LANGUAGES, Answered, UsageError, build
from .session import Output, Session, locale_language, own_version, wants_colour

Command = Callable[[argparse.Namespace, Session], int]

_COMMANDS = {
    "check": "check",
    "test": "scenarios",
    "list": "listing",
    "new": "new",
    "simulate": "simulate",
    "show": "show",
    "explain": "explain",
}
_FORMATS = ("text", "short", "json", "sarif", "github", "junit")
_LIGHT = ("explain",)  # commands that need none of the libraries


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code.

    >>> main(["explain", "HW000", "--lang", "en"])
    2
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    session = _session(arguments, os.environ)
    try:
        status = _run(arguments, session)
    except UsageError as error:
        status = session.refuse_one("HW-use", error.text, *error.help)
    except RulesetError as error:
        status = session.refuse(error.diagnostics, _lines(error.diagnostics))
    except RulesFault as error:
        found = with_steps([Diagnostic(error.code, error.text, error.place)])
        status = session.refuse(found, _lines(found))
    except HongwuError as error:
        from ..source.files import SourceIOError

        code = "HW-io" if isinstance(error, SourceIOError) else "HW-use"
        status = session.refuse_one(code, error.text)
    except KeyboardInterrupt:
        status = _interrupted(session)
    except Exception as error:
        status = _internal(error, session)
    if session.out.full:
        reason = session.out.full.strerror or str(session.out.full)
        session.err.line(session.pick(f"输出写不下去：{reason}", f"the answer could not be written: {reason}"))
        return 2
    return status


def _wanted(arguments: Sequence[str], name: str, choices: Sequence[str]) -> str | None:
    """The value of an option, read before the arguments are understood: a complaint needs it too."""
    found = None
    for index, word in enumerate(arguments):
        if word == "--":
            break
        value = arguments[index + 1] if word == name and index + 1 < len(arguments) else None
        if word.startswith(name + "="):
            value = word[len(name) + 1 :]
        if value in choices:
            found = value
    return found


def _session(arguments: Sequence[str], environ: Mapping[str, str]) -> Session:
    out, err = Output(sys.stdout), Output(sys.stderr)
    colour = wants_colour(_wanted(arguments, "--color", ("auto", "always", "never")), environ, terminal=out.terminal)
    lang = _wanted(arguments, "--lang", LANGUAGES) or locale_language(environ)
    if lang == "zh" and "--lang" not in " ".join(arguments) and encodable("错误", out.encoding) != "错误":
        lang = "en"  # nobody asked for Chinese, and this output could not show it
    return Session(
        lang=lang,
        format=_wanted(arguments, "--format", _FORMATS) or "text",
        out=out,
        err=err,
        paint=Paint(on=colour, encoding=out.encoding),
    )


def _run(arguments: list[str], session: Session) -> int:
    try:
        options = build(session.lang).parse_args(arguments)
    except Answered as answer:
        session.out.write(answer.text or _versions() + "\n")
        return 0
    if sys.flags.optimize >= 2 and options.command not in _LIGHT:
        text = Text(
            "python -OO 去掉了 Cerberus 要用的说明文字，这样不能检查规则",
            "python -OO strips the docstrings that Cerberus needs, so rulesets cannot be read this way",
        )
        return session.refuse_one(
            "HW-use", text, Text("请不用 -OO（-O 可以）再运行一次", "run it without -OO (-O is fine)")
        )
    if any(not word.strip() for value in vars(options).values() for word in _words(value)):
        text = Text(
            "有一个参数是空的：是不是用了一个没有值的变量？", "an argument is empty: perhaps a variable without a value"
        )
        raise UsageError(text, Text("写上文件或规则的名字", "write the name of a file or of a ruleset"))
    command: Command = importlib.import_module(f".{_COMMANDS[options.command]}", __name__).run
    return command(options, session)


def _words(value: object) -> list[str]:
    """The words that somebody wrote for one argument."""
    return [word for word in (value if isinstance(value, list) else [value]) if isinstance(word, str)]


def _lines(diagnostics: Sequence[Diagnostic]) -> dict[str, Sequence[str]]:
    """The lines of the files that findings are about, as far as they can be had."""
    from ..overlay.library import Library, bundled_folder
    from ..source.reader import SourceIOError, parse

    library, lines = Library(bundled_folder()), {}
    for name in {span.file for item in diagnostics for span in (item.span, *(one.span for one in item.related))}:
        try:
            lines[name] = parse(name, library.read(library.named(name)), Findings())[0].lines
        except SourceIOError:
            continue  # no excerpt then
    return dict(lines)


def _versions() -> str:
    python = ".".join(map(str, sys.version_info[:3]))
    return f"hongwu-rules {own_version()} (language 1, Python {python})"


def _interrupted(session: Session) -> int:
    if session.for_programs:
        session.refuse_one("HW-use", Text("被中断了", "interrupted"))
    else:
        session.err.line(session.pick("被中断了", "interrupted"))
    return 130


def _internal(error: Exception, session: Session) -> int:
    """Our own fault, said in a way that is worth reporting; ``HONGWU_TRACEBACK=1`` shows all of it."""
    if os.environ.get("HONGWU_TRACEBACK"):
        import traceback

        session.err.write("".join(traceback.format_exception(error)))
    place, trace = "", error.__traceback__
    while trace:
        path = Path(trace.tb_frame.f_code.co_filename)
        if "hongwu_rules" in path.parts:
            place = f"{path.name}:{trace.tb_lineno}"
        trace = trace.tb_next
    what = f"{type(error).__name__} at {place}: {error}" if str(error) else f"{type(error).__name__} at {place}"
    finding = Diagnostic(
        "HW999",
        Text(f"程序内部出错 HW999：{what}", f"internal error HW999: {what}"),
        NOWHERE,
        help=(
            Text("这不是规则文件的错；请把这一行和所用的文件告诉我们", "this is not a fault of your file; please report this line with the file"),
        ),
    )  # fmt: skip
    session.refuse([finding])
    return 101

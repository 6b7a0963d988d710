"""``hongwu-rules test``: runs rule scenarios and says which went another way."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..diagnostics import Text
from .arguments import UsageError
from .session import Session

DEFAULT = "tests/rules"


def run(args: argparse.Namespace, session: Session) -> int:
    """Run the scenarios in the files and folders named."""
    from ..scenarios import ScenarioError
    from ..scenarios import run as run_scenarios

    paths = args.paths or [DEFAULT]
    if not args.paths and not Path(DEFAULT).is_dir():
        raise UsageError(
            Text(
                f"这里没有 {DEFAULT} 文件夹，请写明场景文件",
                f"there is no folder {DEFAULT} here; name the scenario files",
            )
        )
    for path in paths:
        if not Path(path).exists():
            text = Text(f"没有 {path} 这个文件或文件夹", f"there is no file or folder {path}")
            return session.refuse_one("HW-io", text, file=path)
    try:
        results = list(run_scenarios(paths, args.ruleset))
    except ScenarioError as error:
        session.refuse(error.diagnostics)
        return 2  # the scenarios cannot be used, whatever the rules are
    failed = [one for one in results if not one.ok]
    if session.for_programs:
        data = {
            "ok": bool(results) and not failed,
            "cases": len(results),
            "failures": [
                {
                    "file": one.path,
                    "line": one.line,
                    "case": one.case,
                    "expected": one.expected.in_(session.lang),
                    "came": one.came.in_(session.lang),
                }
                for one in failed
            ],
        }
        session.data(data)
        return _status(len(results), len(failed))
    for one in failed:
        line = session.pick(
            f"{one.path}:{one.line}（{one.case}）：应当：{one.expected.zh}；结果：{one.came.zh}",
            f"{one.path}:{one.line} ({one.case}): expected {one.expected.en}, came {one.came.en}",
        )
        session.out.line(" ".join(line.split("\n")))
    cases, files = len(results), len({one.path for one in results})
    if not results:
        session.err.line(session.pick("没有找到场景，什么也没有试", "no scenario was found, nothing was tried"))
    elif failed:
        session.say(
            f"{cases} 个场景中有 {len(failed)} 个不对", f"{len(failed)} of {cases} case{'s' * (cases > 1)} failed"
        )
    else:
        said = f"{cases} case{'s' * (cases > 1)} in {files} file{'s' * (files > 1)}"
        session.out.line(session.paint.good("ok") + session.pick(f"  {files} 个文件，{cases} 个场景", f"  {said}"))
    return _status(cases, len(failed))


def _status(cases: int, failed: int) -> int:
    return 2 if not cases else 1 if failed else 0

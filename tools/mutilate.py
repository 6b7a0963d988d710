#!/usr/bin/env python3
"""Does the checker survive files that are no longer what anybody wrote?

Seeded copies of the rulesets are mutilated (bytes flipped, lines cut, moved and doubled, values swapped, bytes put in
that are no UTF-8 …) and checked. A traceback, an internal error, or more than two seconds of one processor is a
failure; what the checker finds in a copy is not asked. Where nothing is found, the copy is also loaded and dealt.

    python tools/mutilate.py                            2,000 copies
    python tools/mutilate.py --count 150 --seed 7
    python tools/mutilate.py --only 1234 --show         one of them, with what was found
    python tools/mutilate.py --keep /tmp/mutilated      write each copy that failed to this folder

Exit 0 if there was no failure, else 1.
"""

from __future__ import annotations

import argparse
import json
import re
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import FrameType
from xml.etree import ElementTree

from hongwu_rules import HongwuError, load
from hongwu_rules.diagnostics import Diagnostic, render
from hongwu_rules.loading import check
from hongwu_rules.overlay.library import Library, bundled_folder

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 2.0  # of one processor: more is a failure
STOP = 20.0  # and here a check is broken off
AGAIN = 2  # times that a slow one is tried again
Operator = Callable[[bytes, Random], bytes]

_VALUE = re.compile(rb"(?<=: )[^\n#]+")
_WORD = re.compile(rb"[A-Za-z_]\w*")
_NUMBER = re.compile(rb"\b\d+\b")
_NO_TEXT = (
    b"\xff",
    b"\xc3\x28",
    b"\xed\xa0\x80",
    b"\xc0\xaf",
    b"\xf8\x88\x80\x80\x80",
    "红桃".encode("gbk"),
    b"\0",
    b"\x1b",
)
_SIGNS = "\t\r\x85\u2028\ufeff\u200b\u3000\xa0：，“（🂡é５{}[]\"'|>%@`#\\,()-"
_PIECES = (
    "- ",
    ": ",
    "? ",
    "&a ",
    "*a",
    "<<: *a",
    "!!x ",
    "---\n",
    "...\n",
    "..",
    "not ",
    "(" * 80,
    "[" * 80,
    "{" * 80,
)
_STRANGE = (*_NO_TEXT, *(text.encode() for text in (*_SIGNS, *_PIECES)))
_NUMBERS = (
    *(b"0", b"1", b"-1", b"2", b"3", b"99", b"1000", b"65536", b"2147483648", b"9" * 25, b"9" * 5000),
    *(b"1e9", b"0x1F", b"010", b"1_000", b".5", b"1:2", b".inf", b".nan", b"2024-13-45"),
    *(b"true", b"null", b"~", b"no", b"''"),
)


# ---------------------------------------------------------------- the operators
def flip_bytes(data: bytes, rng: Random) -> bytes:
    """Some bits of some bytes."""
    out = bytearray(data)
    for _ in range(rng.randint(1, 6)):
        out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
    return bytes(out)


def other_bytes(data: bytes, rng: Random) -> bytes:
    """Some bytes replaced by others that can be typed."""
    out = bytearray(data)
    for _ in range(rng.randint(1, 6)):
        out[rng.randrange(len(out))] = rng.randrange(32, 127)
    return bytes(out)


def lose_bytes(data: bytes, rng: Random) -> bytes:
    """A piece of up to forty bytes cut out, wherever it is."""
    at = rng.randrange(len(data))
    return data[:at] + data[at + rng.randint(1, 40) :]


def cut_off(data: bytes, rng: Random) -> bytes:
    """The end lost."""
    return data[: rng.randrange(len(data))]


def cut_lines(data: bytes, rng: Random) -> bytes:
    """Up to five lines cut."""
    lines = data.splitlines(keepends=True)
    at = rng.randrange(len(lines))
    return b"".join(lines[:at] + lines[at + rng.randint(1, 5) :])


def move_lines(data: bytes, rng: Random) -> bytes:
    """Up to three lines moved to another place."""
    lines = data.splitlines(keepends=True)
    at, number = rng.randrange(len(lines)), rng.randint(1, 3)
    moved = lines[at : at + number]
    del lines[at : at + number]
    to = rng.randint(0, len(lines))
    return b"".join(lines[:to] + moved + lines[to:])


def double_lines(data: bytes, rng: Random) -> bytes:
    """Up to eight lines doubled, where they are or elsewhere."""
    lines = data.splitlines(keepends=True)
    at = rng.randrange(len(lines))
    more = lines[at : at + rng.randint(1, 8)]
    to = at if rng.random() < 0.5 else rng.randint(0, len(lines))
    return b"".join(lines[:to] + more + lines[to:])


def indent_line(data: bytes, rng: Random) -> bytes:
    """A line further in or out."""
    lines = data.splitlines(keepends=True)
    at = rng.randrange(len(lines))
    lines[at] = (
        rng.choice((b"  ", b" ", b"\t", b"    ", b"- ")) + lines[at] if rng.random() < 0.5 else lines[at].lstrip(b" ")
    )
    return b"".join(lines)


def _swap(data: bytes, rng: Random, pattern: re.Pattern[bytes]) -> bytes:
    found = list(pattern.finditer(data))
    if len(found) < 2:
        return data
    one, two = sorted(rng.sample(found, 2), key=lambda match: match.start())
    middle = data[one.end() : two.start()]
    return data[: one.start()] + two.group() + middle + one.group() + data[two.end() :]


def swap_values(data: bytes, rng: Random) -> bytes:
    """The values of two lines swapped."""
    return _swap(data, rng, _VALUE)


def swap_words(data: bytes, rng: Random) -> bytes:
    """Two words swapped."""
    return _swap(data, rng, _WORD)


def change_number(data: bytes, rng: Random) -> bytes:
    """A number replaced by another, or by what YAML may or may not take for one."""
    found = list(_NUMBER.finditer(data))
    if not found:
        return data
    match = rng.choice(found)
    return data[: match.start()] + rng.choice(_NUMBERS) + data[match.end() :]


def empty_value(data: bytes, rng: Random) -> bytes:
    """A value dropped, its key kept."""
    found = list(_VALUE.finditer(data))
    if not found:
        return data
    match = rng.choice(found)
    return data[: match.start()] + data[match.end() :]


def insert_strange(data: bytes, rng: Random) -> bytes:
    """Something put in: no UTF-8, control characters, full-width signs, YAML's own signs."""
    out = data
    for _ in range(rng.randint(1, 2)):
        at = rng.randint(0, len(out))
        out = out[:at] + rng.choice(_STRANGE) + out[at:]
    return out


OPERATORS: tuple[Operator, ...] = (
    *(flip_bytes, other_bytes, lose_bytes, cut_off, cut_lines, move_lines, double_lines, indent_line),
    *(swap_values, swap_words, change_number, empty_value, insert_strange),
)


# ---------------------------------------------------------------- copies
@dataclass(frozen=True, slots=True)
class Copy:
    """One mutilated file: ``name`` is what it is checked as, ``how`` what was done to it."""

    number: int
    name: str
    data: bytes
    how: str


def originals() -> dict[str, bytes]:
    """The bundled rulesets with their bases and house rules, and the correct games among the tests."""
    found = {
        path.relative_to(folder).as_posix(): path for folder in (bundled_folder(),) for path in folder.rglob("*.yaml")
    }
    found |= {path.name: path for path in (ROOT / "tests" / "ok").glob("*.yaml")}
    return {name: path.read_bytes() for name, path in sorted(found.items())}


def mutilated(files: dict[str, bytes], seed: int, number: int) -> Copy:
    """A copy of one of the files; the same numbers give the same copy, whatever the other copies are."""
    rng = Random(f"{seed}:{number}")
    name = list(files)[number % len(files)]
    data, done = files[name], []
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        operator = rng.choice(OPERATORS)
        done.append(operator.__name__)
        data = operator(data, rng) if data else data
    return Copy(number, name, data, " ".join(done))


# ---------------------------------------------------------------- trying one
@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one copy: ``failure`` is empty if the checker behaved."""

    failure: str
    seconds: float
    found: tuple[Diagnostic, ...] = ()
    slow: bool = False  # and that is all


class _Stuck(BaseException):
    """The check was broken off."""


def _alarm(_signal: int, _frame: FrameType | None) -> None:
    raise _Stuck


def try_copy(copy: Copy) -> Outcome:
    """Check a copy, write down what was found in each language and format, and load it where it is sound.

    A busy machine makes one check slow; a copy is slow if it is so each time.
    """
    outcome = _once(copy)
    for _ in range(AGAIN):
        if not outcome.slow:
            break
        outcome = _once(copy)
    return outcome


def _once(copy: Copy) -> Outcome:
    timed = hasattr(signal, "setitimer")
    before = signal.signal(signal.SIGPROF, _alarm) if timed else None
    if timed:
        signal.setitimer(signal.ITIMER_PROF, STOP)
    start = time.process_time()
    seconds, found, failure = 0.0, list[Diagnostic](), ""
    try:
        library = _library(copy)
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # Python's own would land on the screen of a card player
            report = check(copy.name, library=library)
        seconds = time.process_time() - start
        found = report.diagnostics
        _write_down(found, {name: file.lines for name, file in report.files.items()}, copy.name)
        if report.ruleset is not None and not report.ruleset.abstract:
            _deal(copy)
    except _Stuck:
        failure = f"broken off after {STOP:g} s\n{traceback.format_exc()}"
    except Exception:
        failure = traceback.format_exc()
    finally:
        if timed:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, before)
    seconds = seconds or time.process_time() - start
    if not failure and any(item.code == "HW999" for item in found):
        failure = "HW999"
    slow = not failure and seconds > SECONDS
    return Outcome(f"{seconds:.1f} s" if slow else failure, seconds, tuple(found), slow)


def _library(copy: Copy) -> Library:
    library = Library(bundled_folder())
    library.texts[copy.name] = copy.data
    return library


def _write_down(found: Sequence[Diagnostic], lines: dict[str, Sequence[str]], name: str) -> None:
    result = render.Result((render.Checked(name, tuple(lines), tuple(found)),), lines)
    for lang in ("zh", "en"):
        for kind, write in render.FORMATS.items():
            text = write(result, lang)
            text.encode()  # nothing in it that could not be printed
            if kind in ("json", "sarif"):
                json.loads(text)
            elif kind == "junit":
                ElementTree.fromstring(text)


def _deal(copy: Copy) -> None:
    try:
        state = load(copy.name, library=_library(copy)).start(seed=1)
        state.legal_moves().count(limit=100)
    except HongwuError:
        pass  # a fault in play has its name: `check --play` is there to find it


def main(arguments: Sequence[str] | None = None) -> int:
    """Try the copies, and say which failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, metavar="NUMBER", help="only this copy")
    parser.add_argument("--show", action="store_true", help="print what was found in each copy")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="write the copies that failed to this folder")
    args = parser.parse_args(arguments)
    files, failed, slowest, sound = originals(), 0, 0.0, 0
    numbers = range(args.count) if args.only is None else [args.only]
    for number in numbers:
        copy = mutilated(files, args.seed, number)
        outcome = try_copy(copy)
        slowest = max(slowest, outcome.seconds)
        sound += not outcome.found
        if args.show:
            print(f"{number} {copy.name} ({copy.how}): {outcome.seconds:.2f} s")
            for item in outcome.found:
                print(f"  {item.span.file}:{item.span.line}:{item.span.column} {item.code} {item.message.en}")
        if outcome.failure:
            failed += 1
            print(f"FAILED {number} {copy.name} ({copy.how}):\n{outcome.failure}", flush=True)
        if args.keep and (outcome.failure or args.only is not None):
            args.keep.mkdir(parents=True, exist_ok=True)
            (args.keep / f"{number}_{Path(copy.name).name}").write_bytes(copy.data)
        if sys.stderr.isatty():
            print(f"\r{number + 1}/{args.count}", end="", file=sys.stderr, flush=True)
    print(f"seed {args.seed}: {len(numbers)} copies, {failed} failed; {sound} had no finding; slowest {slowest:.2f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

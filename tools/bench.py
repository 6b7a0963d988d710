#!/usr/bin/env python3
"""How many decisions a second, beside another engine.

A decision is: ask for the legal moves, take one at random, apply it. Whole deals are played through the public
interface, on one core. The peer has an environment of its own, which this tool makes; peer and ours run in
alternation, each time in a fresh process; the figure is the ratio of the medians.

    python tools/bench.py                                 RLCard's Dou Dizhu engine against dalian, full listing
    python tools/bench.py --mode sampling --pairs 9
    python tools/bench.py --ruleset my.yaml --set base=5 --peer rlcard-env --at-least 3
    python tools/bench.py --worst 2000                    of so many leads from 20 cards the dearest to RLCard, in both
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FEWEST_PAIRS = 5
MODES = ("listing", "sampling")

# A deal plays one deal to its end and says how many decisions that took.
Deal = Callable[[random.Random], int]


@dataclass(frozen=True, slots=True)
class Peer:
    """Another engine. ``install`` are the arguments of pip, one run each; ``make`` runs in its environment."""

    about: str
    install: tuple[tuple[str, ...], ...]
    make: Callable[[int], Deal]
    mode: str = "listing"  # what its decisions do, whatever is asked of ours


def _rlcard(seed: int) -> Deal:
    """RLCard's engine itself: the game object, which lists all actions after every step."""
    import numpy  # type: ignore[import-not-found, unused-ignore]
    from rlcard.games.doudizhu.game import DoudizhuGame  # type: ignore[import-not-found, unused-ignore]

    game = DoudizhuGame()
    game.np_random = numpy.random.RandomState(seed)

    def deal(rng: random.Random) -> int:
        state, _ = game.init_game()
        count = 0
        while not game.is_over():
            state, _ = game.step(rng.choice(state["actions"]))
            count += 1
        return count

    return deal


def _rlcard_env(seed: int) -> Deal:
    """RLCard's environment around that engine, with the features that it computes for learning."""
    import rlcard  # type: ignore[import-not-found, unused-ignore]

    env = rlcard.make("doudizhu", config={"seed": seed})

    def deal(rng: random.Random) -> int:
        state, _ = env.reset()
        count = 0
        while not env.is_over():
            state, _ = env.step(rng.choice(list(state["legal_actions"])))
            count += 1
        return count

    return deal


def _pokerkit(seed: int) -> Deal:
    """Six-seat no-limit hold'em: everything automatic but what a player decides; a random legal action."""
    from pokerkit import Automation, NoLimitTexasHoldem  # type: ignore[import-not-found, unused-ignore]

    automatic = tuple(Automation)
    random.seed(seed)  # it shuffles with the global one

    def deal(rng: random.Random) -> int:
        state = NoLimitTexasHoldem.create_state(automatic, True, 0, (1, 2), 2, 200, 6)
        count = 0
        while state.status:
            kinds = [kind for kind, can in _pokerkit_kinds(state) if can()]
            kind = rng.choice(kinds)
            if kind == "fold":
                state.fold()
            elif kind == "call":
                state.check_or_call()
            else:
                low = state.min_completion_betting_or_raising_to_amount
                high = state.max_completion_betting_or_raising_to_amount
                state.complete_bet_or_raise_to(rng.randint(low, high))
            count += 1
        return count

    return deal


def _pokerkit_kinds(state: Any) -> tuple[tuple[str, Callable[[], bool]], ...]:
    """The kinds of action and whether each is legal now."""
    return (
        ("fold", state.can_fold),
        ("call", state.can_check_or_call),
        ("raise", state.can_complete_bet_or_raise_to),
    )


_RLCARD = (("--no-deps", "rlcard==1.2.0"), ("numpy", "termcolor"))
PEERS: dict[str, Peer] = {
    "rlcard": Peer("RLCard 1.2.0, Dou Dizhu, game engine", _RLCARD, _rlcard),
    "rlcard-env": Peer("RLCard 1.2.0, Dou Dizhu, environment with features", _RLCARD, _rlcard_env),
    "pokerkit": Peer("PokerKit 0.7.7, six-seat no-limit hold'em", (("pokerkit==0.7.7",),), _pokerkit, "sampling"),
}


def _ours(ruleset: str, settings: dict[str, str], mode: str) -> Deal:
    """One deal for each match where the ruleset can be told so, else whole matches."""
    import hongwu_rules as hw

    if "match_deals" not in settings and "match_deals" in hw.load(ruleset).options:
        settings = {**settings, "match_deals": "1"}
    rules = hw.load(ruleset, options=settings)

    def listing(rng: random.Random) -> int:
        state = rules.start(seed=rng.getrandbits(32))
        count = 0
        while not state.over:
            state = state.apply(rng.choice(list(state.legal_moves())))
            count += 1
        return count

    def sampling(rng: random.Random) -> int:
        state = rules.start(seed=rng.getrandbits(32))
        count = 0
        while not state.over:
            state = state.apply(state.legal_moves().sample(rng))
            count += 1
        return count

    return listing if mode == "listing" else sampling


# ---------------------------------------------------------------- one hand that is dear to list
RANKS = "3456789TJQKA2"  # as RLCard writes them; B and R are the jokers
Lead = Callable[[str], Callable[[], int]]  # a hand made ready: then a call lists all its leads, and says how many


def hands(seed: int, number: int) -> list[str]:
    """Hands of 20 cards: threes and fours in a row, which take wings, and anything beside them."""
    rng = random.Random(seed)
    found: list[str] = []
    for _ in range(number):
        first, length = rng.randrange(8), rng.randrange(6)
        row = "".join(rank * rng.choice((3, 3, 4)) for rank in RANKS[first : first + length])[:20]
        left = list(RANKS * 4 + "BR")
        for card in row:
            left.remove(card)
        hand = row + "".join(rng.sample(left, 20 - len(row)))
        found.append("".join(sorted(hand, key=(RANKS + "BR").index)))
    return found


def _lead_of_rlcard() -> Lead:
    from rlcard.games.doudizhu.judger import DoudizhuJudger  # type: ignore[import-not-found, unused-ignore]

    return lambda hand: lambda: len(DoudizhuJudger.playable_cards_from_hand(hand))


def _lead_of_ours() -> Lead:
    import hongwu_rules as hw

    rules = hw.load("doudizhu")

    def lead(hand: str) -> Callable[[], int]:
        suits = {rank: iter("SHDC") for rank in RANKS}
        names = [{"B": "LJ", "R": "BJ"}.get(c) or next(suits[c]) + c.replace("T", "10") for c in hand]
        given = {"phase": "lead", "seat": 1, "memory": {"leader": 1, "landlord": 1, "call": 1}}
        state = rules.position(given | {"zones": {"hand": {"1": names}}})
        return lambda: len(list(state.legal_moves()))

    return lead


def timed(lead: Lead, hand: str, times: int) -> dict[str, float]:
    """Seconds of processor time for a list of leads, the first time and the best of some; and how many there are."""
    ready, spent = lead(hand), []
    for _ in range(times):
        start = time.process_time()
        count = ready()
        spent.append(time.process_time() - start)
    return {"first": spent[0], "best": min(spent), "leads": count}


def _worst(python: Path | str, args: argparse.Namespace) -> int:
    """The hand of all that costs RLCard most, listed by both in alternation; 1 if ours takes longer."""

    def run(who: str, where: Path | str, only: int = -1) -> list[dict[str, float]]:
        command = [str(where), str(Path(__file__).resolve()), "--worker", who, "--seed", str(args.seed)]
        command += ["--worst", str(args.worst), "--only", str(only)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        found: list[dict[str, float]] = json.loads(done.stdout.splitlines()[-1])
        return found

    first = run("rlcard", python)
    worst = max(range(len(first)), key=lambda i: first[i]["best"])
    theirs, ours = [], []
    for _ in range(args.pairs):
        theirs += run("rlcard", python, worst)
        ours += run("ours", sys.executable, worst)
    print(f"of {args.worst} hands the dearest to RLCard: {hands(args.seed, args.worst)[worst]}")
    slower = False
    for when in ("first", "best"):
        their, our = (statistics.median(one[when] for one in side) for side in (theirs, ours))
        print(f"{when:>5}: RLCard {their * 1e3:.3f} ms, ours {our * 1e3:.3f} ms: {their / our:.2f} times as fast")
        slower |= our > their
    print(f"leads: RLCard {theirs[0]['leads']:g}, ours {ours[0]['leads']:g}")
    return int(slower)


def measure(deal: Deal, seconds: float, seed: int) -> dict[str, float]:
    """Play whole deals for about that many seconds of processor time; the first deal warms up and is not counted."""
    rng = random.Random(seed)
    deal(rng)
    decisions = deals = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds:
        decisions += deal(rng)
        deals += 1
    return {"decisions": decisions, "deals": deals, "seconds": spent}


def _environment(name: str, peer: Peer, folder: Path) -> Path:
    """The Python of the peer's environment, made on first use."""
    home = folder / f"{name.split('-')[0]}-{sys.version_info[0]}.{sys.version_info[1]}"
    python = home / ("Scripts" if os.name == "nt" else "bin") / "python"
    done = home / "installed.json"
    wanted = json.dumps(peer.install)
    if not done.exists() or done.read_text(encoding="utf-8") != wanted:
        print(f"making {home}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(home)], check=True)
        for packages in peer.install:
            subprocess.run([str(python), "-m", "pip", "install", "--quiet", *packages], check=True)
        done.write_text(wanted, encoding="utf-8")
    return python


def _run(python: Path | str, who: str, args: argparse.Namespace, seed: int) -> float:
    """Decisions a second of one side, measured in a fresh process."""
    command = [str(python), str(Path(__file__).resolve()), "--worker", who, "--seed", str(seed)]
    command += ["--seconds", str(args.seconds), "--mode", args.mode, "--ruleset", args.ruleset]
    command += [word for setting in args.set for word in ("--set", setting)]
    environ = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME")}
    environ["PYTHONHASHSEED"] = "0"
    if who == "ours" and "PYTHONPATH" in os.environ:
        environ["PYTHONPATH"] = os.environ["PYTHONPATH"]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environ)
    found = json.loads(done.stdout.splitlines()[-1])
    return float(found["decisions"] / found["seconds"])


def _worker(args: argparse.Namespace) -> int:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # both sides on the same core
    if args.worst:
        lead = _lead_of_ours() if args.worker == "ours" else _lead_of_rlcard()
        some = hands(args.seed, args.worst)
        for hand in hands(args.seed + 1, 1000):  # warms up: what wings may be is worked out as it comes up
            lead(hand)()
        chosen = some if args.only < 0 else [some[args.only]]
        print(json.dumps([timed(lead, hand, 3 if args.only < 0 else 9) for hand in chosen]))
        return 0
    if args.worker == "ours":
        settings = dict(word.split("=", 1) for word in args.set)
        deal = _ours(args.ruleset, settings, args.mode)
    else:
        deal = PEERS[args.worker].make(args.seed)
    print(json.dumps(measure(deal, args.seconds, args.seed)))
    return 0


def main() -> int:
    """Compare; 1 if the ratio stays below ``--at-least``."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--peer", choices=PEERS, default="rlcard")
    add("--ruleset", default="dalian.yaml", metavar="FILE")
    add("--set", action="append", default=[], metavar="NAME=VALUE")
    add("--mode", choices=MODES, default="listing", help="list all legal moves at each decision, or draw one")
    add("--pairs", type=int, default=FEWEST_PAIRS, metavar="N", help=f"alternating pairs, at least {FEWEST_PAIRS}")
    add("--seconds", type=float, default=3.0, metavar="S", help="processor time of each run")
    add("--seed", type=int, default=1)
    add("--at-least", type=float, default=0.0, metavar="RATIO", help="exit 1 below this ratio")
    add("--venvs", type=Path, default=ROOT / ".venv" / "bench", metavar="DIR", help="where peers are installed")
    add("--json", action="store_true")
    add("--worst", type=int, default=0, metavar="N", help="compare the lead, of N hands, that is dearest to RLCard")
    add("--only", type=int, default=-1, help=argparse.SUPPRESS)
    add("--worker", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.worker:
        return _worker(args)
    if args.pairs < FEWEST_PAIRS:
        parser.error(f"--pairs must be at least {FEWEST_PAIRS}")
    peer = PEERS[args.peer]
    python = _environment(args.peer, peer, args.venvs)
    if args.worst:
        return _worst(python, args)
    theirs: list[float] = []
    ours: list[float] = []
    if not args.json:
        print(f"{peer.about} ({peer.mode})  against  {args.ruleset} ({args.mode})")
        print(f"Python {platform.python_version()}, {platform.machine()}, {args.seconds:g} s each, decisions/s")
        print(f"{'pair':>4} {'peer':>10} {'ours':>10} {'ratio':>7}")
    for pair in range(args.pairs):
        theirs.append(_run(python, args.peer, args, args.seed + pair))
        ours.append(_run(sys.executable, "ours", args, args.seed + pair))
        if not args.json:
            print(f"{pair + 1:>4} {theirs[-1]:>10,.0f} {ours[-1]:>10,.0f} {ours[-1] / theirs[-1]:>7.2f}", flush=True)
    ratio = statistics.median(ours) / statistics.median(theirs)
    if args.json:
        figures = {"peer": theirs, "ours": ours, "ratio": ratio, "mode": args.mode, "ruleset": args.ruleset}
        print(json.dumps(figures))
    else:
        print(f"{'med.':>4} {statistics.median(theirs):>10,.0f} {statistics.median(ours):>10,.0f} {ratio:>7.2f}")
    return 0 if ratio >= args.at_least else 1


if __name__ == "__main__":
    sys.exit(main())

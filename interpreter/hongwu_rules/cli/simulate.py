"""``hongwu-rules simulate``: many deals between simple players, counted."""

from __future__ import annotations

import argparse

from ..errors import RulesFault
from .rules import load, settings
from .session import Session


def run(args: argparse.Namespace, session: Session) -> int:
    """Play and print the counts."""
    from .. import comparison
    from ..simulate import simulate
    from ..transcript import Transcript, tell, told

    rules = load(args.ruleset, settings(args.set), args.overlays)
    if args.transcript:
        written = Transcript(rules, seed=args.seed)
        try:
            tell(written, args.deals)
        except RulesFault:
            if not session.for_programs:
                session.out.write(told(written, args.deals))
            raise
        text = told(written, args.deals)
        if session.for_programs:
            session.data({"ruleset": rules.name, "seed": args.seed, "lines": text.splitlines()})
        else:
            session.out.write(text)
        return 0
    players = [name.strip() for name in (args.players or "random").split(",")]
    progress = session.progress("打牌", "playing")
    summary = simulate(rules, deals=args.deals, seed=args.seed, players=players, progress=progress)
    if args.against is not None:
        known = load(args.against, {}, []).options
        other = load(args.against, {name: value for name, value in settings(args.set).items() if name in known}, [])
        before = simulate(other, deals=args.deals, seed=args.seed, players=players, progress=progress)
        if session.for_programs:
            session.data(comparison.to_json(before, summary))
        else:
            session.out.write(comparison.text(before, summary, session.lang))
    elif session.for_programs:
        session.data(summary.to_json())
    else:
        session.out.write(summary.text(session.lang))
    return 0

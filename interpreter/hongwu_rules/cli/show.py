"""``hongwu-rules show``: what a ruleset was compiled to."""

from __future__ import annotations

import argparse

from .rules import load, settings
from .session import Session


def run(args: argparse.Namespace, session: Session) -> int:
    """Print the text, the same for the same ruleset and options."""
    from ..show import show

    rules = load(args.ruleset, settings(args.set), args.overlays)
    text = show(rules, session.lang)
    if session.for_programs:
        data = {"name": rules.name, "digest": rules.digest, "text": text}
        session.data(data)
    else:
        session.out.write(text if text.endswith("\n") else text + "\n")
    return 0

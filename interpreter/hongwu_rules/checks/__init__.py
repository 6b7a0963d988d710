"""What can be proved about a ruleset before a card is dealt."""

from __future__ import annotations

from ..diagnostics import Findings
from ..model import Ruleset
from .context import Proofs, context
from .recursion import define_cycles
from .registry import CHECKS
from .secrets import who_sees

__all__ = ["Proofs", "define_cycles", "run_checks", "who_sees"]


def run_checks(ruleset: Ruleset, findings: Findings) -> Proofs:
    """Run every check that the ruleset is fit for; what is wrong goes into ``findings``.

    Options are taken as any value that they permit. The graph comes late: it alone loads a library.
    """
    here = context(ruleset, findings)
    before = len(findings.items)
    count = 0
    for check in CHECKS:
        if (ruleset.abstract and check.whole) or here.codes() & check.unless:
            continue
        check.run(here)
        count += len(check.codes)
    findings.items[before:] = sorted(findings.items[before:], key=lambda item: item.order)
    return Proofs(here.proved, here.not_proved, count)

"""The checks of a ruleset, in the order in which they run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .bounds import check_bounds
from .choices import check_choices
from .conditions import check_conditions
from .context import Context
from .copies import check_copies
from .deck import check_deal, check_order, check_points, check_teams
from .given import check_given
from .graph import check_graph
from .moves import check_moves
from .piles import check_piles
from .secrets import check_secrets
from .settled import check_settled
from .shown import check_shown
from .tables import check_tables
from .turns import check_memory, check_turns
from .unset import check_unset
from .unused import check_recursion, check_unused


@dataclass(frozen=True, slots=True)
class Check:
    """One family. It is left out for a ruleset that is only a base, or after a finding in ``unless``."""

    name: str
    run: Callable[[Context], None]
    codes: tuple[str, ...]
    whole: bool = True  # needs a complete game
    unless: frozenset[str] = frozenset()


_RING = frozenset({"HW406"})
_CUT_OFF = frozenset({"HW301", "HW303", "HW305", "HW308", "HW309", "HW403", "HW404"})  # what they cut off looks unused
_TABLES = ("HW501", "HW502", "HW503", "HW504", "HW505", "HW506", "HW507", "HW508")

CHECKS: tuple[Check, ...] = (
    Check("recursion", check_recursion, ("HW406",), whole=False),
    Check("teams", check_teams, ("HW603",), whole=False, unless=_RING),
    Check("order", check_order, ("HW202", "HW203", "HW206"), unless=_RING),
    Check("bounds", check_bounds, ("HW105", "HW005"), whole=False, unless=_RING),
    Check("deal", check_deal, ("HW601",), unless=_RING),
    Check("points", check_points, ("HW602",), unless=_RING),
    Check("conditions", check_conditions, ("HW403", "HW404"), whole=False, unless=_RING),
    Check("tables", check_tables, _TABLES, whole=False, unless=_RING),
    Check("moves", check_moves, ("HW310", "HW311"), unless=_RING),
    Check("choices", check_choices, ("HW407",), unless=_RING),
    Check("secrets", check_secrets, ("HW409",), whole=False, unless=_RING),
    Check("shown", check_shown, ("HW410",), unless=_RING),
    Check("unset", check_unset, ("HW408",), unless=_RING),
    Check("given", check_given, ("HW411",), unless=_RING | {"HW408"}),
    Check("settled", check_settled, ("HW403",), unless=_RING),
    Check("memory", check_memory, ("HW412",), unless=_RING),
    Check("copies", check_copies, ("HW413",), unless=_RING | {"HW408", "HW412"}),
    Check("graph", check_graph, ("HW301", "HW303", "HW305", "HW308", "HW309", "HW312", "HW313"), unless=_RING),
    Check("turns", check_turns, ("HW315", "HW316"), unless=_RING),
    Check("piles", check_piles, ("HW317", "HW601"), unless=_RING),
    Check("unused", check_unused, ("HW405",), unless=_RING | _CUT_OFF),
)

"""What the tools know of this project: where its scenarios lie, and which ruleset is made of which."""

from __future__ import annotations

from pathlib import Path

from hongwu_rules.diagnostics import Findings
from hongwu_rules.game import Rules, load, rulesets
from hongwu_rules.scenarios import Scenario, ScenarioError, find_scenarios

ROOT = Path(__file__).resolve().parent.parent


def scenarios_of(name: str) -> list[Scenario]:
    """The scenarios of a bundled ruleset; ScenarioError if one cannot be read."""
    findings = Findings()
    found = find_scenarios([ROOT / "tests" / "rules" / name], findings)
    if findings.items:
        raise ScenarioError(findings.items)
    return found


def parents(rules: Rules) -> list[str]:
    """The bundled rulesets that this one changes, the nearest first; bases that are no games are left out."""
    return [
        Path(file).stem for file in rules.sources.texts if Path(file).stem in rulesets() and file != rules.sources.main
    ]


def own_files(rules: Rules) -> list[str]:
    """The files of a ruleset that are not those of a ruleset which it changes."""
    inherited = {file for parent in parents(rules) for file in load(parent).sources.texts}
    return [file for file in rules.sources.texts if file not in inherited]

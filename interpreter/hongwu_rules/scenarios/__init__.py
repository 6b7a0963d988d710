"""Rule scenarios: small YAML files that say what a ruleset must allow, refuse and lead to."""

from __future__ import annotations

from .reading import Case, Given, Scenario, ScenarioError, read_scenario
from .running import Result, Runner, find_scenarios, run

__all__ = ["Case", "Given", "Result", "Runner", "Scenario", "ScenarioError", "find_scenarios", "read_scenario", "run"]

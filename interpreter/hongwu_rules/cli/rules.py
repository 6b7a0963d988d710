"""What several commands share: the options on the command line, and loading a ruleset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..diagnostics import RulesetError, Text
from ..model import Option
from ..model.ir import Type
from .arguments import UsageError
from .targets import find

if TYPE_CHECKING:
    from ..game import Rules


def settings(words: Sequence[str]) -> dict[str, str]:
    """The pairs of ``--set NAME=VALUE``.

    >>> settings(["base=5", "must_beat = true"])
    {'base': '5', 'must_beat': 'true'}
    """
    found: dict[str, str] = {}
    for word in words:
        name, sign, value = word.partition("=")
        name, value = name.strip(), value.strip()
        if not sign or not name or not value:
            raise UsageError(
                Text(f"--set 要写成 名字=值，这里是 {word}", f"--set takes NAME=VALUE, not {word}"),
                Text("例如：--set base=5", "such as: --set base=5"),
            )
        if found.setdefault(name, value) != value:
            raise UsageError(
                Text(f"--set 给了 {name} 两个值：{found[name]} 和 {value}", f"--set gives {name} two values: {found[name]} and {value}")
            )  # fmt: skip
    return found


def load(name: str, options: Mapping[str, str], overlays: Sequence[str]) -> Rules:
    """One ruleset, ready to play; RulesetError says why not."""
    from ..game import load as load_rules
    from ..overlay.library import bundled_files

    targets, problems = find([name], bundled_files())
    if problems or len(targets) != 1:
        if not problems:
            raise UsageError(Text(f"{name} 里有好几份规则，请写明一份", f"{name} holds several rulesets; name one"))
        raise RulesetError(problems)
    return load_rules(targets[0].where, options=dict(options), overlays=list(overlays))


def setting(rules: Rules, option: Option) -> str:
    """The value that an option has in loaded rules, as a file writes it."""
    value = rules.options[option.name]
    return str(value).lower() if option.type.name == "bool" else str(value)


def values(type: Type) -> str:
    """Every value that an option may have, in short.

    >>> values(Type("int", low=0, high=200, step=5)), values(Type("bool"))
    ('0..200 step 5', 'true | false')
    """
    from ..show import spread

    if type.words:
        return " | ".join(type.words)
    return "true | false" if type.name == "bool" else spread(type.low, type.high, type.step)

"""What the writer of an unknown key meant: a word of this section, of another one, or the name of a setting."""

from __future__ import annotations

from collections.abc import Collection

from ..diagnostics import Text
from ..diagnostics.nearest import nearest
from ..diagnostics.slips import KEYS
from ..model.fields import Section
from ..model.sections import ANYWHERE, LABELLED, SECTIONS
from ..overlay.patches import did_you_mean
from .say import known_keys, write


def looks_like(key: str, name: str) -> bool:
    """Whether a key was meant to be this one."""
    return key != name and (name in KEYS.get(key, ()) or nearest(key, [name]) is not None)


def meant(key: str, section: Section, options: Collection[object]) -> tuple[Text, ...]:
    """What a writer may have meant by an unknown key: a word of this section, or of another one."""
    own = [*section.fields, *ANYWHERE, *(LABELLED if section.label else ())]
    word = next((name for name in KEYS.get(key, ()) if name in own), None)
    if word is not None:
        return did_you_mean(word)
    if section.name == "ruleset" and key in options:
        return (write(f"options.{key}.default: …"),)
    homes = [other for other in SECTIONS.values() if key in other.fields and other is not section]
    if homes:
        return (
            Text(
                f"“{key}”写在{'、'.join(home.about.zh for home in homes[:3])}里",
                f'"{key}" belongs in {" or ".join(home.about.en for home in homes[:3])}',
            ),
        )
    others = dict.fromkeys(name for other in SECTIONS.values() for name in other.fields)
    close = nearest(key, [*own, *others], likeness=0.75) or nearest(key, own)
    if close is not None and close not in own:
        home = next(other for other in SECTIONS.values() if close in other.fields)
        return (
            Text(
                f"是不是 `{close}`？它写在{home.about.zh}里",
                f"did you mean `{close}`, which belongs in {home.about.en}?",
            ),
        )
    if close is not None:
        return did_you_mean(close)
    return known_keys(own)

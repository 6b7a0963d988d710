"""What the names in views and moves are called, in both languages: told once, so that a view stays small."""

from __future__ import annotations

from .. import cards
from ..compile.program import Program
from ..diagnostics import Text

Wordings = dict[str, dict[str, dict[str, str]]]
SUITS = {
    "S": Text("黑桃", "spades"),
    "H": Text("红桃", "hearts"),
    "D": Text("方块", "diamonds"),
    "C": Text("梅花", "clubs"),
}
_RANKS = {"J": "jack", "Q": "queen", "K": "king", "A": "ace"}
_JOKERS = {"LJ": Text("小王", "little joker"), "BJ": Text("大王", "big joker")}


def wordings(program: Program) -> Wordings:
    """By section and name. Where two phases have a move of one name, or two kinds a word, the first one counts."""
    ruleset = program.ruleset
    found: dict[str, dict[str, Text]] = {
        "phases": {name: phase.text for name, phase in ruleset.phases.items()},
        "moves": {},
        "options": {name: option.text for name, option in ruleset.options.items()},
        "words": {},
        "memory": {name: slot.text for name, slot in ruleset.memory.items()},
        "zones": {name: zone.text or Text(name, name) for name, zone in ruleset.zones.items()},
        "shapes": {shape.name: shape.text for shape in ruleset.shapes.items},
        "suits": SUITS,
        "cards": {cards.NAMES[card]: _card(cards.NAMES[card]) for card in sorted(ruleset.deck.cards)},
    }
    for phase in ruleset.phases.values():
        for name, move in phase.moves.items():
            found["moves"].setdefault(name, move.text)
    kinds = [(kind.words, kind.texts) for kind in ruleset.kinds.values()]
    kinds += [(option.type.words, option.choices) for option in ruleset.options.values()]
    for names, texts in kinds:
        for name, text in zip(names, texts, strict=False):
            found["words"].setdefault(name, text)
    return {
        section: {name: {"zh": text.zh, "en": text.en} for name, text in names.items()}
        for section, names in found.items()
    }


def _card(name: str) -> Text:
    if name in _JOKERS:
        return _JOKERS[name]
    suit, rank = SUITS[name[0]], name[1:]
    return Text(f"{suit.zh}{rank}", f"{_RANKS.get(rank, rank)} of {suit.en}")


__all__ = ["wordings"]

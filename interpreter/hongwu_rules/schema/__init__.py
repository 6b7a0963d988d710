"""The shape of a ruleset file: which keys stand where, and what they take."""

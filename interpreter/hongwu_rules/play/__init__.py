"""Playing a compiled ruleset: states, moves and their judgement, the step, and what each seat sees."""

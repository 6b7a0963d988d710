"""From a ruleset to a program: plain Python functions, generated from the typed expressions."""

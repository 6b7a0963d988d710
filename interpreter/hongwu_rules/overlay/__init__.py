"""Finding files, and laying one ruleset over another."""

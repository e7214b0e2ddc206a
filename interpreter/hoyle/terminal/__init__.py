"""The table in a terminal: a screen that fits, what the user types, matches kept as they go."""

"""Bounds on what one word may make, so that no rule file can exhaust time or memory."""

LONGEST_LIST = 100_000
LARGEST_NUMBER = 1 << 63
MOST_SAID = 4_000_000_000  # the highest number a player can say where the rules set no bound: one must be drawn
MOST_FOR_SUBSETS = 16

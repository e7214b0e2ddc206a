"""Bounds on the results of single words, so that no rule file can exhaust time or memory."""

LONGEST_LIST = 100_000
LARGEST_NUMBER = 1 << 63
MOST_FOR_SUBSETS = 16

"""What a printer can write, where lowering and passes must know it.

In: nothing. Out: `Target`, and the two there are. What is not said here is the same for both.
"""

from __future__ import annotations

from hoyle.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Target:
    """`nests_lists`: lists of lists are values as any others, and kept as they are; without it, the groups of a
    division are held as numbers that stand for them. `has_texts`: texts are numbers.
    `runs_through_none`: a list that is none is like an empty one wherever its elements are wanted.
    `holds_none`: a name can hold none, and be compared with it."""

    nests_lists: bool
    has_texts: bool
    runs_through_none: bool
    holds_none: bool


C = Target(nests_lists=False, has_texts=True, runs_through_none=True, holds_none=False)
PYTHON = Target(nests_lists=True, has_texts=False, runs_through_none=False, holds_none=True)

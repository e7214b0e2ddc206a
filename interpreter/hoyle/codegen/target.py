"""What a printer can write, where lowering and passes must know it.

In: nothing. Out: `Target`, and the two there are. What is not said here is the same for both.
"""

from __future__ import annotations

from hoyle.dataclass import dataclass
from hoyle.engine.limits import MOST_ROUNDS


@dataclass(frozen=True, slots=True)
class Target:
    """`nests_lists`: lists of lists are values as any others, and kept as they are; without it, the groups of a
    division are held as numbers that stand for them. `numbers_texts`: so are texts.
    `runs_through_none`: a list that is none is like an empty one wherever its elements are wanted. `has_room`: zones
    hold any number of cards; without it, no more than there is room for. `most_lines` is how
    many lines of the score sheet a seat can have. `holds_none`: a name can hold none, and be compared with it.
    `most_groups` can be run through to count the choices of one pick; without it, any number. `calls_words`: a word
    that has no form here is run as it is declared."""

    nests_lists: bool
    numbers_texts: bool
    runs_through_none: bool
    has_room: bool
    most_lines: int
    holds_none: bool
    most_groups: int | None
    calls_words: bool


C = Target(
    nests_lists=False, numbers_texts=True, runs_through_none=True, has_room=False, most_lines=64, holds_none=False,
    most_groups=1 << 20, calls_words=False,
)  # fmt: skip
PYTHON = Target(
    nests_lists=True, numbers_texts=False, runs_through_none=False, has_room=True, most_lines=MOST_ROUNDS,
    holds_none=True, most_groups=None, calls_words=True,
)  # fmt: skip

"""Target descriptions: the capabilities of the two back ends that lowering and passes depend on.

In: nothing. Out: `Target`, `C`, `PYTHON`.
"""

from __future__ import annotations

from hoyle.base.dataclass import dataclass
from hoyle.play.engine.limits import MOST_ROUNDS


@dataclass(frozen=True, slots=True)
class Target:
    """`nests_lists`: lists of lists are first-class; otherwise the groups of a partition are encoded as numbers.
    `numbers_texts`: texts are encoded as numbers. `runs_through_none`: iterating over none is iterating over nothing.
    `has_room`: zones grow without bound; otherwise they have static capacities. `most_lines` bounds the lines of the
    score sheet per seat. `holds_none`: none is a first-class value, comparable by `==`. `most_groups` bounds the groups
    enumerated to count the choices of one pick (None: no bound). `calls_words`: a word without a lowering is called
    through its declaration."""

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

"""What printed Python can name, besides its own functions and constants.

In: nothing. Out: names and what they stand for.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

from hoyle.codegen.python import picking, support
from hoyle.engine.limits import guard_size
from hoyle.engine.offering import settle
from hoyle.words import WORDS, Word

SUPPORT = (
    "Stop", "choose_permutation", "cut", "deal", "divide", "draw", "find_place", "find_seat", "find_zone",
    "lift", "lift_near", "make_divide", "list_groups", "list_subsets", "list_tails", "mark_line",
    "multiply", "retire", "shuffle", "take_out", "write_line",
)  # fmt: skip
PICKING = ("Groups", "first_of_face_in_zone", "find_twins", "group", "list_keys", "list_places")


def guard(word: Word) -> Callable[..., Any]:
    """A word that is refused what would grow beyond bounds."""

    def guarded(*arguments: Any) -> Any:
        guard_size(word, list(arguments))
        return word.run(*arguments)

    return guarded


def list_names() -> dict[str, Any]:
    """What printed code calls."""
    names: dict[str, Any] = {name: getattr(support, name) for name in SUPPORT}
    names |= {name: getattr(picking, name) for name in PICKING}
    names |= {f"W_{word.name}": word.run if word.fits is None else guard(word) for word in WORDS.values()}
    return {"__name__": "printed", "combinations": combinations, "settle": settle, **names}

"""Bounds on what one word may build, so that no rule file can exhaust time or memory.

In: a word and its arguments. Out: nothing, or a `Fault`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hoyle.engine.faults import Fault

MOST_CHOICES = 100_000
MOST_NUMBERS = 1 << 32  # that a number parameter may be: so many can be drawn from
MOST_STEPS = 100_000
MOST_EVALUATED = 2_000_000  # steps of evaluation for one instruction, or to list what is offered
STEPS_IN_UNIT = 20  # of evaluation that count as one instruction
MOST_UNITS = 4_000  # that one instruction counts as
MOST_DECISIONS = 1_000_000
LONGEST_LIST = 100_000
LARGEST_NUMBER = 1 << 63
MOST_FOR_SUBSETS = 16

_SIZES: dict[str, Callable[..., bool]] = {
    "subsets": lambda values: len(values) <= MOST_FOR_SUBSETS,
    "span": lambda a, b: b - a < LONGEST_LIST,
    "join": lambda a, b: len(a) + len(b) <= LONGEST_LIST,
    "pairs": lambda values: len(values) * (len(values) - 1) // 2 <= LONGEST_LIST,
    "tails": lambda values: len(values) * (len(values) + 1) // 2 <= LONGEST_LIST,
    "without": lambda a, b: len(a) * len(b) <= LONGEST_LIST * 10,
    "multiply": lambda a, b: abs(a * b) < LARGEST_NUMBER,
}


def is_guarded(word: str) -> bool:
    """Whether what a word makes is measured."""
    return word in _SIZES


def guard_size(word: str, arguments: list[Any]) -> None:
    """Refuse what would grow beyond bounds."""
    fits = _SIZES.get(word)
    if fits is not None and not fits(*arguments):
        raise Fault("too-large", f"`{word}` would make too much of what it is given")

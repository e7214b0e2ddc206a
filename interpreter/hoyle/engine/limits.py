"""Bounds on a match, so that no rule file can exhaust time or memory; what one word may make stands with the word.

In: a word and its arguments. Out: nothing, or a `Fault`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hoyle.engine.faults import Fault
from hoyle.model.runtime_values import Value
from hoyle.words import Word

MOST_CHOICES = 100_000
MOST_NUMBERS = 1 << 32  # that a number parameter may be: so many can be drawn from
MOST_OFFERED = 1 << 32  # choices that are offered without being listed: so many can be drawn from
MOST_STEPS = 100_000
MOST_BEYOND = 50_000  # counted as they are, after so many by what they may be at most
MOST_COUNTED = 200_000  # in all, where what they may be at most was wrong
MOST_EVALUATED = 2_000_000  # steps of evaluation for one instruction, or to list what is offered
STEPS_IN_UNIT = 20  # of evaluation that count as one instruction
MOST_UNITS = 4_000  # that one instruction counts as
MOST_DECISIONS = 1_000_000
LONGEST_STATE = 2_000  # elements of a state that keeps cards; of a list in state what `most` says
MOST_IN_NAMES = 300_000  # elements of all lists that local names hold at one time
FEW = 1_000  # elements of a list that need not be counted there
MOST_ROUNDS = 10_000  # of a match whose score sheet is kept
MOST_TOLD = 4_000_000  # what the events that a match keeps may amount to, as `measure_event` says
TOLD_BY_EVENT = 16
ELEMENTS_TOLD = 3  # of a list in an event that amount to one


def measure_value(value: object) -> int:
    """How many elements a value holds, lists inside lists included."""
    if not isinstance(value, tuple):
        return 0
    return len(value) + (sum(map(measure_value, value)) if value and isinstance(value[0], tuple) else 0)


def measure_event(data: Mapping[str, object]) -> int:
    """What an event amounts to, by the memory it takes. So much is allowed that between two decisions the instructions
    are too many before their events are: what has happened since the last decision is mostly kept."""
    size = TOLD_BY_EVENT
    for each in data.values():
        if isinstance(each, list):
            size += len(each) // ELEMENTS_TOLD
        elif isinstance(each, tuple):  # the value of a state
            size += len(each)
    return size


def guard_size(word: Word, arguments: Sequence[Value]) -> None:
    """Refuse what would grow beyond bounds."""
    if word.fits is not None and not word.fits(*arguments):
        raise Fault("too-large", f"`{word.name}` would make too much of what it is given")

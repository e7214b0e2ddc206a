"""Resource limits of a match, so that no rule file can exhaust time or memory. Limits on single words are declared with
them.

In: a word and its arguments. Out: nothing, or a `Fault`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hoyle.play.engine.faults import Fault
from hoyle.program.model.runtime_values import Value
from hoyle.program.words import Word

MOST_CHOICES = 100_000
MOST_NUMBERS = 1 << 32  # values of a number parameter: the largest range that can be drawn from
MOST_OFFERED = 1 << 32  # choices offered without being listed: the largest range that can be drawn from
MOST_STEPS = 100_000
MOST_BEYOND = 50_000  # by actual cost, once MOST_STEPS by estimated upper bounds are used up
MOST_COUNTED = 200_000  # by actual cost in all, in case the estimates were too low
MOST_EVALUATED = 2_000_000  # evaluation steps for one instruction
MOST_LISTING = 4_000_000  # evaluation steps for listing the choices of a decision
STEPS_IN_UNIT = 20  # evaluation steps charged as one instruction
MOST_UNITS = 4_000  # the most that one instruction is charged as
MOST_DECISIONS = 1_000_000
LONGEST_PLAYED = 20_000  # decisions of a match that is simulated; native code leaves longer ones to Python
LONGEST_STATE = 2_000  # elements of a list in state that declares no `most`
MOST_IN_NAMES = 300_000  # elements of all lists held by local names at one time
FEW = 1_000  # elements up to which a list is exempt from that count
MOST_ROUNDS = 10_000  # of a match that keeps a score sheet
MOST_TOLD = 4_000_000  # size of the events a match retains, as `measure_event` counts
TOLD_BY_EVENT = 16
ELEMENTS_TOLD = 3  # list elements of an event that count as one


def measure_value(value: object) -> int:
    """How many elements a value has, nested ones included."""
    if not isinstance(value, tuple):
        return 0
    return len(value) + (sum(map(measure_value, value)) if value and isinstance(value[0], tuple) else 0)


def measure_event(data: Mapping[str, object]) -> int:
    """The size of an event, a measure of its memory. The weights are such that the instruction limit is reached before
    events since the last decision exceed `MOST_TOLD`: these are mostly retained."""
    size = TOLD_BY_EVENT
    for each in data.values():
        if isinstance(each, list):
            size += len(each) // ELEMENTS_TOLD
        elif isinstance(each, tuple):  # the value of a state
            size += len(each)
    return size


def guard_size(word: Word, arguments: Sequence[Value]) -> None:
    """Raise a fault if the result of a word would be too large."""
    if word.fits is not None and not word.fits(*arguments):
        raise Fault("too-large", f"`{word.name}` would make too much of what it is given")

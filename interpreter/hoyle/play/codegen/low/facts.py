"""Facts, the abstract domain of the value analysis: intervals, list lengths, element facts, possible none.

In: nothing. Out: `Fact`, an abstract value; join and widening.

The top of the number lattice is `-LIMIT..LIMIT`: arithmetic that would leave it is a fault (a bail-out to the reference
executor), so intervals never wrap. Truths are numbers 0 and 1; cards, seats, zones and enumerations are numbers.
"""

from __future__ import annotations

from dataclasses import replace

from hoyle.base.dataclass import dataclass

LIMIT = (1 << 62) - 1
# The bound of counters, which widening would send to `LIMIT`: a place that is only ever set to numbers within
# `MODERATE` and incremented by at most `SMALL` stays within `COUNTED`. A match has at most 10^6 decisions, 10^5
# instructions before each, two writes an instruction: less than 2^38 increments. Sums of seven such stay in range.
COUNTED = 1 << 59
MODERATE = COUNTED >> 1
SMALL = MODERATE >> 38
LONGEST = 1 << 20  # top of the length lattice
MOST_LINES = 64  # of the score sheet, per seat


@dataclass(frozen=True, slots=True)
class Fact:
    """`low..high` bounds a number, or the length of a list; an empty interval with `none` is the value none alone. `of`
    is the fact of every element of a list, `unique`: its elements are pairwise distinct. `home` is the range of zones
    (first, last) the card was read from: a hint where it lies now, not a guarantee."""

    low: int
    high: int
    none: bool = False
    of: Fact | None = None
    unique: bool = False
    home: tuple[int, int] | None = None

    @property
    def is_list(self) -> bool:
        return self.of is not None

    @property
    def constant(self) -> int | None:
        """The value, if the fact admits exactly one."""
        return self.low if self.low == self.high and not self.none and self.of is None else None

    @property
    def is_truth(self) -> bool:
        return self.of is None and self.low >= 0 and self.high <= 1 and not self.none

    def sure(self) -> Fact:
        """The fact without none."""
        return replace(self, none=False) if self.none else self

    def or_none(self) -> Fact:
        return self if self.none else replace(self, none=True)


NUMBER = Fact(-LIMIT, LIMIT)
TRUTH = Fact(0, 1)
NONE = Fact(0, -1, none=True)  # nothing but none: the empty range


def between(low: int, high: int) -> Fact:
    """An interval, clamped to the range of numbers."""
    return Fact(max(-LIMIT, min(low, LIMIT)), min(LIMIT, max(high, -LIMIT)))


def within(fact: Fact, most: int) -> bool:
    """Whether the fact is that of a number of absolute value at most `most`."""
    return fact.of is None and -most <= fact.low and fact.high <= most


def bounds_at_start(fact: Fact) -> tuple[int, int]:
    """The bounds a number must meet for compiled code to resume from a position: a counter (see `COUNTED`) only half
    its range, so that the bound on increments still holds for the rest of the match."""
    return (-MODERATE if fact.low == -COUNTED else fact.low), (MODERATE if fact.high == COUNTED else fact.high)


def exactly(value: int) -> Fact:
    return Fact(value, value)


def list_of(of: Fact, longest: int, *, shortest: int = 0, unique: bool = False) -> Fact:
    return Fact(max(0, min(shortest, longest)), max(0, min(longest, LONGEST)), of=of.sure(), unique=unique)


def join(first: Fact, second: Fact) -> Fact:
    """The least upper bound of two facts."""
    if first == second:
        return first
    if first.low > first.high:  # nothing but none
        if second.low > second.high:  # all empty intervals are one bottom, or the fixpoint iteration would not end
            return NONE if first.none or second.none else replace(NONE, none=False)
        return second.or_none() if first.none else second
    if second.low > second.high:
        return first.or_none() if second.none else first
    of = first.of if second.of is None else second.of if first.of is None else join(first.of, second.of)
    return Fact(
        min(first.low, second.low),
        max(first.high, second.high),
        first.none or second.none,
        of,
        first.unique and second.unique,
        _join_homes(first.home, second.home),
    )


def _join_homes(first: tuple[int, int] | None, second: tuple[int, int] | None) -> tuple[int, int] | None:
    if first is None or second is None:
        return None
    return min(first[0], second[0]), max(first[1], second[1])


# Widening thresholds.
STEPS = (0, 64, (1 << 31) - 1, COUNTED, LIMIT)
LENGTHS = (64, LONGEST)


def widen(before: Fact, after: Fact) -> Fact:
    """The join, with each bound that grew moved to the next threshold: the fixpoint is reached in a few rounds."""
    joined = join(before, after)
    if before.low > before.high or joined == before:
        return joined
    if joined.of is not None:
        of = widen(before.of, joined.of) if before.of is not None else joined.of
        high = joined.high
        if high > before.high:
            high = next(step for step in LENGTHS if step >= high)
        return replace(joined, high=high, of=of)
    low, high = joined.low, joined.high
    if low < before.low:
        low = -next(step for step in STEPS if -step <= low)
    if high > before.high:
        high = next(step for step in STEPS if step >= high)
    return replace(joined, low=low, high=high)

"""What is known of a value: the range of a number, the length and the elements of a list, whether it can be none.

In: nothing. Out: `Fact`, a plain value; facts of types, and facts joined.

Ranges are those of the machine: a number nothing is known of lies within `LIMIT` on both sides, and whatever would
leave that range is a fault. Truths are numbers from 0 to 1; cards, seats, zones and values of enumerations are numbers,
too.
"""

from __future__ import annotations

from dataclasses import replace

from hoyle.dataclass import dataclass

LIMIT = (1 << 62) - 1
# What is only ever set to numbers of a moderate size, and grows otherwise by small ones, stays within `COUNTED`: in a
# match there are 10^6 decisions at most, 10^5 instructions before each, and an instruction writes twice at most, so
# that less than 2^38 small numbers are added. Seven such numbers added up stay within the range of the machine.
COUNTED = 1 << 59
MODERATE = COUNTED >> 1
SMALL = MODERATE >> 38
LONGEST = 1 << 20  # of lists nothing is known of


@dataclass(frozen=True, slots=True)
class Fact:
    """`low` to `high` is where a number lies, or how long a list is; `of` is known of each element of a list, which is
    `unique` if no element comes twice. `home` are the zones (first, last) in which a card lay when it was named: a good
    guess where it lies now."""

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
        """The value, if there is only one it can be."""
        return self.low if self.low == self.high and not self.none and self.of is None else None

    @property
    def is_truth(self) -> bool:
        return self.of is None and self.low >= 0 and self.high <= 1 and not self.none

    def sure(self) -> Fact:
        """The same, known not to be none."""
        return replace(self, none=False) if self.none else self

    def or_none(self) -> Fact:
        return self if self.none else replace(self, none=True)


NUMBER = Fact(-LIMIT, LIMIT)
TRUTH = Fact(0, 1)
NONE = Fact(0, -1, none=True)  # nothing but none: the empty range


def between(low: int, high: int) -> Fact:
    """A number in a range, cut off at what the machine can hold."""
    return Fact(max(-LIMIT, min(low, LIMIT)), min(LIMIT, max(high, -LIMIT)))


def within(fact: Fact, most: int) -> bool:
    """Whether a number lies within a bound on both sides."""
    return fact.of is None and -most <= fact.low and fact.high <= most


def bounds_at_start(fact: Fact) -> tuple[int, int]:
    """Between which a number must lie where play goes on from a position: what counts has room to go on counting."""
    return (-MODERATE if fact.low == -COUNTED else fact.low), (MODERATE if fact.high == COUNTED else fact.high)


def exactly(value: int) -> Fact:
    return Fact(value, value)


def list_of(of: Fact, longest: int, *, shortest: int = 0, unique: bool = False) -> Fact:
    return Fact(max(0, shortest), max(0, min(longest, LONGEST)), of=of.sure(), unique=unique)


def join(first: Fact, second: Fact) -> Fact:
    """What is known of a value that is one of two."""
    if first == second:
        return first
    if first.low > first.high:  # nothing but none
        if second.low > second.high:  # whichever empty ranges they are: such facts do not grow
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


# Where facts that keep growing stop for a while.
STEPS = (0, 64, (1 << 31) - 1, COUNTED, LIMIT)
LENGTHS = (64, LONGEST)


def widen(before: Fact, after: Fact) -> Fact:
    """A fact that has grown, grown by a large step: so that a loop is gone through a few times only."""
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

"""How many elements of a list are of one class, asked for one class after the other: all classes counted in one word.

In: a count. Out: a word with a few bits for each class, which is worked out before the loop, and where in it the count
is; if so few elements can be of one class, and there are so few classes, that a word has room for all.
"""

from __future__ import annotations

from collections import Counter

from hoyle.codegen.low.build import Builder
from hoyle.codegen.low.facts import between
from hoyle.codegen.low.values import Value
from hoyle.codegen.passes.shapes import BITS, WORD, find_listed
from hoyle.codegen.passes.tabulate import list_entries
from hoyle.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Tally:
    """`word` counts all classes, from class `low` to `high`, `width` bits for each; `wanted` is the class that is asked
    for."""

    word: Value
    wanted: Value
    low: int
    high: int
    width: int

    def read(self, build: Builder, word: Value, wanted: Value) -> Value:
        """The count, once the word and the class are worked out."""
        place = build.multiply(build.subtract(build.sure(wanted), build.number(self.low)), build.number(self.width))
        many = (1 << self.width) - 1
        found = build.read("tallied", between(0, many), word, place, data=(many,))
        outside = build.either(
            build.is_none(wanted),
            build.less(build.sure(wanted), build.number(self.low)),
            build.less(build.number(self.high), build.sure(wanted)),
        )
        return build.choose(outside, build.false, found)


def find_tally(build: Builder, count: Value) -> Tally | None:
    """How a count is found, if it is one of elements that are of a class."""
    found = find_listed(build, count.args[0])
    if found is None or found[1].op != "equal":
        return None
    listed, where, variable = found
    number = variable.number
    ours, wanted = where.args if number in where.args[0].free else where.args[::-1]
    entries = list_entries(build, ours, variable)
    if entries is None or None in entries or number in wanted.free or wanted.constant is not None:
        return None
    known = [entry for entry in entries if entry is not None]
    low, high, width = min(known), max(known), max(Counter(known).values()).bit_length()
    if (high - low + 1) * width > WORD:
        return None
    shifts = build.table_of((entry - low) * width for entry in known)
    return Tally(build.read("tally", BITS, listed, data=(shifts,)), wanted, low, high, width)

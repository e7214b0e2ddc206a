"""Which values are worth remembering: those that run through all groups of some cards.

In: a value. Out: a `Memo`, if the value depends on nothing but one list of cards, on these only by some of their
attributes, and not on their order. Then there are few different cases, and a table of bytes holds what was found in
each: the cards' classes, sorted, are the place in it.
"""

from __future__ import annotations

import math

from hoyle.codegen.low.build import Builder
from hoyle.codegen.low.facts import between
from hoyle.codegen.low.values import Value, walk
from hoyle.codegen.passes.inputs import GROUPS, Inputs, strip_checks
from hoyle.dataclass import dataclass

LARGEST = 1 << 20  # bytes of one table
LONGEST = 8  # cards in a place
FEWEST = 2
MOST_CLASSES = 16  # four bits of a word for each
HEAVIEST = 2000


@dataclass(frozen=True, slots=True, eq=False)
class Classes:
    """Cards told apart only as far as is needed: `of` gives each card one of `many` numbers. Up to `most` cards,
    whatever their order, have a place of their own below `size`: shorter lists come first, and lists of one length are
    numbered by their sorted classes. `rows` are the tables that have such places."""

    number: int
    of: tuple[int, ...]
    many: int
    most: int
    rows: list[Value]

    @property
    def size(self) -> int:
        return count_lists(self.many, self.most)

    @property
    def starts(self) -> list[int]:
        """Where the lists of each length begin."""
        return [0, *(count_lists(self.many, length) for length in range(self.most))]

    @property
    def ranks(self) -> list[int]:
        """What each class adds to a place if it is the first, the second and so on in the sorted list, 16 numbers for
        each class, the first of which says nothing: a place is a sum of these."""
        return [
            math.comb(number + at - 1, at) if 0 < at <= self.most else 0
            for number in range(self.many)
            for at in range(16)
        ]


def count_lists(many: int, longest: int) -> int:
    """How many sorted lists there are of so many numbers, up to a length."""
    return math.comb(many + longest, longest)


@dataclass(frozen=True, slots=True)
class Memo:
    """A row of a table for what is worked out of the cards in `source`: `key` is the place in it, `row` the number of
    the row, `low` the least that can come of it."""

    source: Value
    classes: Classes
    key: Value
    row: int
    low: int


class Memos:
    """Finds what is to be remembered in the values of one module; each is looked at once."""

    def __init__(self, build: Builder) -> None:
        self.build = build
        self.cards = build.cards
        self._known: dict[Value, Memo | None] = {}
        self._classes: dict[tuple[int, ...], Classes] = {}

    def find(self, value: Value) -> Memo | None:
        """How a value is remembered, if it is."""
        if value.fact.is_list or value.free or value.op == "check" or value.weight > HEAVIEST:
            return None
        if value not in self._known:
            self._known[value] = self._look(value)
        return self._known[value]

    def _look(self, value: Value) -> Memo | None:
        groups = [node for node in walk(value) if node.op in GROUPS]
        closed = {node.args[0] for node in groups if not node.args[0].free}
        if len(closed) != 1:
            return None
        source = closed.pop()
        element = source.fact.of
        if element is None or element.is_list or element.low < 0 or element.high >= self.cards:
            return None
        inputs = Inputs(self.cards, given=source)
        if not inputs.take(value, {}) or inputs.single or inputs.tells_apart or len(inputs.lists) > 1:
            return None
        of = inputs.list_classes()
        many = max(of) + 1
        most = max((n for n in range(LONGEST + 1) if count_lists(many, n) <= LARGEST), default=0)
        if most < max(FEWEST, source.fact.low) or many > MOST_CLASSES:
            return None
        classes = self._classes.setdefault(of, Classes(len(self._classes) + 1, of, many, most, []))
        classes.rows.append(value)
        key = self.build.read("memo_place", between(-1, classes.size - 1), strip_checks(source), data=(classes,))
        return Memo(source, classes, key, len(classes.rows) - 1, value.fact.low)

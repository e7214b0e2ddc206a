"""Memoisation in tables: values that enumerate all groups of some cards.

In: a value. Out: a `Memo`, if the value is a function of one multiset of equivalence classes of cards. Multisets are
ranked without gaps (combinatorial number system), and the rank is the index into a table of bytes, filled at run time.
"""

from __future__ import annotations

import math

from hoyle.base.dataclass import dataclass
from hoyle.play.codegen.low.build import Builder
from hoyle.play.codegen.low.facts import between
from hoyle.play.codegen.low.values import Value, walk
from hoyle.play.codegen.passes.inputs import GROUPS, Inputs, strip_checks

LARGEST = 1 << 20  # bytes of a value in a table
MOST_BYTES = 4 << 20  # of all tables of one program
LONGEST = 8  # cards in a multiset
FEWEST = 2
MOST_CLASSES = 16  # four bits of a word for each
HEAVIEST = 2000


@dataclass(frozen=True, slots=True, eq=False)
class Classes:
    """Equivalence classes of cards, and a ranking of multisets of up to `most` cards: `of` maps each card to one of
    `many` classes. Ranks are below `size`, shorter multisets first. `rows` are the values that share the table,
    interleaved."""

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
        """The first rank of each length."""
        return [0, *(count_lists(self.many, length) for length in range(self.most))]

    @property
    def ranks(self) -> list[int]:
        """The terms of a rank, 16 for each class: what the class adds as the first, second ... element of the sorted
        multiset (entry 0 is unused). The rank is their sum."""
        return [
            math.comb(number + at - 1, at) if 0 < at <= self.most else 0
            for number in range(self.many)
            for at in range(16)
        ]


def count_lists(many: int, longest: int) -> int:
    """How many multisets of `many` classes have at most `longest` elements."""
    return math.comb(many + longest, longest)


@dataclass(frozen=True, slots=True)
class Memo:
    """The memoisation of a function of the cards in `source`: `key` is their rank, `row` the value's column in the
    shared table, `low` the least result, which is stored as 1."""

    source: Value
    classes: Classes
    key: Value
    row: int
    low: int


class Memos:
    """Finds the values of one module to memoise; the analysis itself is memoised."""

    def __init__(self, build: Builder) -> None:
        self.build = build
        self.cards = build.cards
        self.room = MOST_BYTES
        self._known: dict[Value, Memo | None] = {}
        self._classes: dict[tuple[int, ...], Classes] = {}

    def find(self, value: Value) -> Memo | None:
        """The memoisation of a value, if it has one."""
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
        inputs = Inputs(self.cards, source)
        if not inputs.take(value, {}) or inputs.single or inputs.tells_apart or len(inputs.lists) > 1:
            return None
        of = inputs.list_classes()
        many = max(of) + 1
        most = max((n for n in range(LONGEST + 1) if count_lists(many, n) <= LARGEST), default=0)
        if most < max(FEWEST, source.fact.low) or many > MOST_CLASSES:
            return None
        if count_lists(many, most) > self.room:
            return None
        self.room -= count_lists(many, most)
        classes = self._classes.setdefault(of, Classes(len(self._classes) + 1, of, many, most, []))
        classes.rows.append(value)
        key = self.build.read("memo_place", between(-1, classes.size - 1), strip_checks(source), data=(classes,))
        return Memo(source, classes, key, len(classes.rows) - 1, value.fact.low)

"""What is known of a value from its shape alone: whether it loops, whether a fold over it can be left early.

In: a value. Out: truths, and how often each part is read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from hoyle.codegen.low.build import Builder
from hoyle.codegen.low.facts import Fact
from hoyle.codegen.low.values import IN_PLACE, REDUCERS, Value, walk
from hoyle.dataclass import dataclass

LEAVES = frozenset({"int", "none", "register"})
SLICES = frozenset({"first_few", "last_few", "all_but_first", "all_but_last"})
WORD = 64
BITS = Fact(0, (1 << WORD) - 1)  # 64 truths


@dataclass(frozen=True, slots=True)
class EveryGroup:
    """All groups of cards in a deck, each a set of bits, in the order of their cards; for each card the place of the
    first that begins with it, and one more for their end; and for each the set of those that it can be with."""

    groups: tuple[int, ...]
    starts: tuple[int, ...]
    mates: tuple[int, ...]

    @property
    def past(self) -> list[int]:
        """For each group the place past it and those that go on from it: they are not held if it is not."""
        groups, last = self.groups, len(self.groups)
        return [
            next((other for other in range(place + 1, last) if group & ~groups[other]), last)
            for place, group in enumerate(groups)
        ]


def count_uses(roots: Iterable[Value]) -> Counter[Value]:
    """How often each value is read by others."""
    uses: Counter[Value] = Counter()
    seen: set[Value] = set()
    for root in roots:
        uses[root] += 1
        for node in walk(root):
            if node not in seen:
                seen.add(node)
                uses.update(node.args)
    return uses


def of_lists(value: Value) -> bool:
    return value.fact.of is not None and value.fact.of.is_list


def is_final(value: Value) -> bool:
    """Whether each element that comes in a fold is there to stay."""
    if value.op == "best":
        return False
    if value.op in ("each", "flat", "sure", "distinct", "join"):  # what comes after the first part stays
        return is_final(value.args[0])
    return all(map(is_final, value.args[1:])) if value.op in ("if", "check") else True


def make_final(build: Builder, value: Value) -> Value:
    """The same list so that each element that comes is there to stay: the best are those that have the best key."""
    if is_final(value):
        return value
    if value.op != "best":
        first = 1 if value.op in ("if", "check") else 0
        parts = [part if place < first else make_final(build, part) for place, part in enumerate(value.args)]
        return build.rebuild(value, [parts[0], *(parts[1:] if first else value.args[1:])])
    source, variable, (key,) = build.open_binder(value)
    source = make_final(build, source)
    best = build.highest(build.bind_each(source, variable, build.true, key), lowest=value.data[1] == "lowest")
    return build.bind_each(source, variable, build.both(build.present(key), build.equal(key, best)), variable)


def find_filter(source: Value) -> tuple[Value | None, Value]:
    """The list that another is taken from, if its elements are those that meet a test, and the test."""
    is_filtered = source.op == "each" and source.args[2].op == "var" and source.args[2].number == source.number
    return (source.args[0], source.args[1]) if is_filtered else (None, source)


def is_of_zone(source: Value) -> bool:
    """Whether all elements of a list are cards of one zone."""
    return (find_filter(source)[0] or source).op == "cards"


Listed = tuple[Value, Value, Value]  # a list, the test that its elements must meet, and the variable of that


def split_list(build: Builder, source: Value) -> Listed | None:
    """The place of the position that a list is taken from by a test, if its elements fit into a set and none comes
    twice. Filters of filters are one filter. What is tested by a loop for each element tells which elements the list
    has: perhaps they are the same for long."""
    listed, where = find_filter(source)
    if listed is None or listed.op not in IN_PLACE or listed.constants is not None or listed.guarded:
        return None
    of = listed.element
    if of.is_list or of.low < 0 or of.high >= WORD or not listed.fact.unique:
        return None
    variable = build.read("var", of, data=(source.number,))
    parts = where.args if where.op == "and" else (where,)
    slow = [part for part in parts if _loops_over(part, source.number) and not part.guarded and not part.faults]
    if not slow or len(slow) == len(parts):
        return listed, where, variable
    rest = build.both(*(part for part in parts if part not in slow))
    return build.bind_each(listed, variable, build.both(*slow), variable), rest, variable


def _loops_over(test: Value, number: int) -> bool:
    """Whether a loop asks something of a variable."""
    return test.loops and any(node.op in REDUCERS and number in node.free for node in walk(test))

"""Structural predicates and pattern matching on values, shared by the passes.

In: a value. Out: whether iterating over it retracts, whether it is a filter and of what, use counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from hoyle.base.dataclass import dataclass
from hoyle.play.codegen.low.build import Builder
from hoyle.play.codegen.low.facts import Fact
from hoyle.play.codegen.low.values import IN_PLACE, REDUCERS, Value, walk

LEAVES = frozenset({"int", "none", "register"})
SLICES = frozenset({"first_few", "last_few", "all_but_first", "all_but_last"})
WORD = 64
BITS = Fact(0, (1 << WORD) - 1)  # a bit set


@dataclass(frozen=True, slots=True)
class StaticGroups:
    """All groups of cards in a deck, as bit sets in lexicographic order; `starts` indexes them by first card (CSR
    style, with an end); `mates` has for each card the set of cards that can be in a group with it."""

    groups: tuple[int, ...]
    starts: tuple[int, ...]
    mates: tuple[int, ...]

    @property
    def past(self) -> list[int]:
        """For each group the index past its supersets that follow: none of them is held if it is not."""
        groups, last = self.groups, len(self.groups)
        return [
            next((other for other in range(place + 1, last) if group & ~groups[other]), last)
            for place, group in enumerate(groups)
        ]


def count_uses(roots: Iterable[Value]) -> Counter[Value]:
    """Use counts of all nodes under some roots."""
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


def never_retracts(value: Value) -> bool:
    """Whether iterating over a list never retracts elements: it holds no `best` in a streaming position."""
    if value.op == "best":
        return False
    if value.op in ("each", "flat", "sure", "distinct", "join"):  # all but the first part never retract
        return never_retracts(value.args[0])
    return all(map(never_retracts, value.args[1:])) if value.op in ("if", "check") else True


def without_retraction(build: Builder, value: Value) -> Value:
    """The list rewritten not to retract: `best` in two passes, the best key first, then a filter by it."""
    if never_retracts(value):
        return value
    if value.op != "best":
        first = 1 if value.op in ("if", "check") else 0
        parts = [part if place < first else without_retraction(build, part) for place, part in enumerate(value.args)]
        return build.rebuild(value, [parts[0], *(parts[1:] if first else value.args[1:])])
    source, variable, (key,) = build.open_binder(value)
    source = without_retraction(build, source)
    best = build.highest(build.bind_each(source, variable, build.true, key), lowest=value.data[1] == "lowest")
    return build.bind_each(source, variable, build.both(build.present(key), build.equal(key, best)), variable)


def find_filter(source: Value) -> tuple[Value | None, Value]:
    """The source and the predicate of a filter; None and the list itself if it is no pure filter."""
    is_filtered = source.op == "each" and source.args[2].op == "var" and source.args[2].number == source.number
    return (source.args[0], source.args[1]) if is_filtered else (None, source)


def is_of_zone(source: Value) -> bool:
    """Whether a list is a zone, or a filter of one."""
    return (find_filter(source)[0] or source).op == "cards"


Listed = tuple[Value, Value, Value]  # a list, a predicate, and its variable


def split_list(build: Builder, source: Value) -> Listed | None:
    """A filter of a list in memory whose elements fit into a bit set, without duplicates: list, predicate, variable.
    Parts of the predicate that loop stay with the list: they are evaluated when its set is built, perhaps hoisted."""
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
    """Whether a test has a reduction that depends on a variable."""
    return test.loops and any(node.op in REDUCERS and number in node.free for node in walk(test))

"""Memoisation in hash tables, for Python: which values pay, and their keys.

In: a value. Out: `HashedMemo`, if its only inputs are at most two lists of cards, through attributes of the cards and,
if possible, not through their order, and a few scalars. `dense_memo` is its counterpart for C.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hoyle.base.dataclass import dataclass
from hoyle.play.codegen.low.build import Builder
from hoyle.play.codegen.low.facts import between
from hoyle.play.codegen.low.values import BINDERS, REDUCERS, Table, Value, walk
from hoyle.play.codegen.passes.inputs import GROUPS, Inputs, strip_checks
from hoyle.play.codegen.passes.pushdown import Pushdown

LIGHTEST, HEAVIEST = 12, 3000
WORTH_MEMOISING = 120  # estimated operations: a few times the cost of a lookup
LENGTH, PAIRS, SUBSETS = 6, 15, 63  # assumed trip counts
MOST_LISTS, MOST_SINGLE = 2, 3
LONGEST = 127  # cards in a list of which a key is made: the counters of a key must not overflow
CONDITIONAL = frozenset({"and", "or", "if"})


@dataclass(frozen=True, slots=True)
class HashedMemo:
    """The memoisation of a value. `lists` and `single` are its inputs, lists of cards and scalars; `key` are the values
    that identify the equivalence class of the inputs. `tests` are its fault checks, made even on a hit. `mapped` is the
    value over lists with the cards' table entries in place of the cards, if one table is all it reads of them."""

    lists: tuple[Value, ...]
    single: tuple[Value, ...]
    key: tuple[Value, ...]
    tests: tuple[Value, ...]
    mapped: tuple[Table, Value] | None


class HashedMemos:
    """Finds the values of one module to memoise; the analysis itself is memoised."""

    def __init__(self, build: Builder) -> None:
        self.build = build
        self._known: dict[Value, HashedMemo | None] = {}
        self._together: dict[Value, tuple[Value, ...]] = {}

    def gather(self, roots: Iterable[Value]) -> None:
        """Memo fusion: values with the same key that are evaluated unconditionally in `roots` share one entry."""
        under: dict[tuple[Value, ...], dict[Value, None]] = {}
        seen: set[Value] = set()
        left = list(roots)
        while left:
            value = left.pop()
            if value in seen:
                continue
            seen.add(value)
            memo = self.find(value)
            if memo is not None:
                under.setdefault(memo.key, {})[value] = None
            elif value.op in CONDITIONAL or value.op in BINDERS:  # the other operands are evaluated conditionally
                left += value.args[:1]
            else:
                left += value.args
        self._together = {value: tuple(values) for values in under.values() for value in values}

    def find_together(self, value: Value) -> tuple[Value, ...]:
        """The values that share a memo entry with one, itself included."""
        return self._together.get(value, (value,))

    def find(self, value: Value) -> HashedMemo | None:
        """The memoisation of a value, if it pays."""
        if value.op not in REDUCERS or not LIGHTEST <= value.weight <= HEAVIEST or value.fact.is_list:
            return None
        if value not in self._known:
            self._known[value] = self._look(value)
        return self._known[value]

    def _look(self, value: Value) -> HashedMemo | None:
        if not _is_heavy(value) or _count_steps(value, {}) < WORTH_MEMOISING:
            return None
        for in_order in (False, True):
            inputs = Inputs(self.build.cards, in_order=in_order)
            if inputs.take(value, {}):
                return self._describe(value, inputs)
        return None

    def _describe(self, value: Value, inputs: Inputs) -> HashedMemo | None:
        if not 0 < len(inputs.lists) <= MOST_LISTS or len(inputs.single) > MOST_SINGLE:
            return None
        if any(single.op == "var" and single.fact.is_list for single in inputs.single):
            return None
        if inputs.tells_apart and not all(each.fact.unique for each in inputs.lists):
            return None
        classes = inputs.list_classes()
        op = "cards_in_order" if inputs.in_order else "cards_key"
        lists = dict.fromkeys(strip_checks(each) for each in inputs.lists)
        key = [self.build.read(op, between(0, 1 << 62), each, data=(classes,)) for each in lists]
        tests = [test for each in inputs.lists for test in _list_checks(each) if not self._is_of_length(test, each)]
        mapped = None if inputs.tells_apart else Pushdown(self.build, inputs.lists, inputs.holds_cards).map(value)
        single = tuple(inputs.single)
        return HashedMemo(tuple(inputs.lists), single, (*key, *inputs.keys), tuple(dict.fromkeys(tests)), mapped)

    def _is_of_length(self, test: Value, listed: Value) -> bool:
        """Whether a test is on the length of the list alone, which the key determines (and the miss path evaluates)."""
        if test.op != "less" or test.args[1].constant is None:
            return False
        length = self.build.count(strip_checks(listed))
        counted = test.args[0]
        return counted is length or (counted.op == "count" and strip_checks(counted.args[0]) is strip_checks(listed))


def is_short(listed: Value) -> bool:
    """Whether a list of cards is known to be short enough for a key."""
    return listed.fact.unique or listed.fact.high <= LONGEST


def _list_checks(listed: Value) -> Iterator[Value]:
    while listed.op == "check":
        yield listed.args[0]
        listed = listed.args[1]


def _is_heavy(value: Value) -> bool:
    """Whether a value enumerates groups, or has nested loops of which the inner depends on the outer."""
    for node in walk(value):
        if node.op in GROUPS:
            return True
        bodies = node.args[1:] if node.op in BINDERS else ()
        parts = [part for body in bodies for part in walk(body) if node.number in part.free]
        if any(part.op in REDUCERS and part.loops for part in parts):
            return True
    return False


def _count_steps(value: Value, known: dict[Value, int]) -> int:
    """A cost model: estimated operations, with hand-sized trip counts."""
    if value not in known:
        inner = [_count_steps(arg, known) for arg in value.args]
        if value.op in BINDERS:
            source, *bodies = inner
            known[value] = source + _guess_length(value.args[0]) * (1 + sum(bodies))
        elif value.op in REDUCERS:
            known[value] = sum(inner) + (0 if value.args[0].op in BINDERS else _guess_length(value.args[0]))
        else:
            known[value] = 1 + sum(inner)
    return known[value]


def _guess_length(listed: Value) -> int:
    while listed.op in ("each", "best", "sure", "check", "distinct"):
        listed = listed.args[1 if listed.op == "check" else 0]
    usual = {"subsets": SUBSETS, "groups": SUBSETS, "pairs": PAIRS}.get(listed.op, LENGTH)
    return min(usual, max(1, listed.fact.high))

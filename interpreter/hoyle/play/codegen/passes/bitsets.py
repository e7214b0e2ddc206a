"""Bit-set predicates: the test of a loop is evaluated for all elements at once, as a 64-bit word, before the loop.

In: the predicate of a loop. Out: a bit test, for the parts that are built from tables of the element and from loop
invariants: boolean operations become word operations (SIMD within a register). If the list is a set as well, `any` and
`count` need no loop: they are a test for zero and a popcount.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from hoyle.play.codegen.low.facts import TRUTH
from hoyle.play.codegen.low.values import Value, walk
from hoyle.play.codegen.passes.expand import Expander
from hoyle.play.codegen.passes.hoist import hoist
from hoyle.play.codegen.passes.patterns import BITS, WORD, split_list
from hoyle.play.codegen.passes.speculate import make_speculatable
from hoyle.play.codegen.passes.tabulate import list_entries

MOST_ROWS = 128
LIGHTEST = 6  # predicates that cost less are evaluated per element
FEW = 4  # trip counts for which it does not pay


def test_by_set(expander: Expander, where: Value, number: int, source: Value) -> Value:
    """The predicate of a loop, with as many of its parts as possible replaced by one bit test."""
    variable = next((node for node in walk(where) if node.op == "var" and node.number == number), None)
    if variable is None or where.weight < LIGHTEST or source.fact.high <= FEW:
        return where
    faces = [card.face for card in expander.module.program.cards]
    if variable.fact.is_list or not 0 <= variable.fact.low <= variable.fact.high < max(WORD, len(faces)):
        return where
    classes = range(variable.fact.high + 1) if variable.fact.high < WORD else faces[: variable.fact.high + 1]
    if max(classes) >= WORD:
        return where
    sets = Bitsets(expander, variable, classes)
    parts = where.args if where.op in ("and", "or") else (where,)
    with expander.scope() as out:
        made = [sets.make(part) for part in parts]
    rest = [part for part, each in zip(parts, made, strict=True) if each is None]
    found = [each for each in made if each is not None]
    if not found or any(part.faults for part in rest):
        return where
    tested = [part for part, each in zip(parts, made, strict=True) if each is not None and number in part.free]
    if sum(part.weight for part in tested) < LIGHTEST:
        return where
    expander.out += out
    whole = sets.combine(found, where.op == "or")
    place = variable if isinstance(classes, range) else expander.build.table(classes, variable)
    test = expander.build.read("in_set", TRUTH, expander.name(whole), place)
    return (expander.build.either if where.op == "or" else expander.build.both)(test, *rest)


def run_by_set(expander: Expander, where: Value, number: int, source: Value) -> tuple[Value, Value]:
    """Source and predicate of a loop; one over ascending constants under a bit test becomes one over set bits."""
    where = test_by_set(expander, where, number, source)
    first, *rest = where.args if where.op == "and" else (where,)
    known = source.constants
    if known is None or first.op != "in_set" or list(known) != sorted({*known}) or first.args[1].op != "var":
        return source, where
    build = expander.build
    own = build.read("set", BITS, data=(_bits(each in known for each in range(WORD)),))
    members = expander.name(build.read("and_bits", BITS, first.args[0], own))
    return build.make("members", (members,), (), replace(source.fact, low=0)), build.both(*rest)


def collect_set(expander: Expander, source: Value) -> Value | None:
    """A filtered list as a bit set, if the list it filters is available as one."""
    found = split_list(expander.build, source)
    whole = None if found is None else expander.find(expander.build.read("list_set", BITS, found[0]))
    if found is None or whole is None:
        return None
    _, where, variable = found
    hoist(expander, where, variable.number)
    sets = Bitsets(expander, variable, range(variable.fact.high + 1))
    with expander.scope() as out:
        made = sets.make(where)
    if made is None:
        return None
    expander.out += out
    return sets.combine([whole, made], False)


class Bitsets:
    """Builds bit sets over the values of one variable. If there are more values than bits they are cards, and a bit
    stands for a face: `classes` maps values to bits."""

    def __init__(self, expander: Expander, variable: Value, classes: Sequence[int]) -> None:
        self.expander = expander
        self.build = expander.build
        self.variable = variable
        self.classes = classes
        self.all = (1 << max(classes) + 1) - 1

    def make(self, value: Value) -> Value | None:
        """The set of values for which a truth holds; None if the truth has no such form."""
        if self.variable.number not in value.free:
            fixed = self._fix(value)
            return None if fixed is None else self._everything_if(fixed)
        known = self._list_entries(value)
        if known is not None:
            return self._word(_bits(map(bool, known)))
        match value.op:
            case "and" | "or":
                parts = [self.make(part) for part in value.args]
                found = [part for part in parts if part is not None]
                return self.combine(found, value.op == "or") if len(found) == len(parts) else None
            case "not":
                inner = self.make(value.args[0])
                return None if inner is None else self._complement(inner)
            case "if":
                test, yes, no = (self.make(part) for part in value.args)
                if test is None or yes is None or no is None:
                    return None
                return self.combine(
                    [self.combine([test, yes], False), self.combine([self._complement(test), no], False)], True
                )
            case "equal":
                first, second = value.args
                return self._compare(first, second, operator.eq) or self._compare(second, first, operator.eq)
            case "less":
                first, second = value.args
                compared = self._compare(first, second, _less)
                return compared or self._compare(second, first, lambda ours, other: _less(other, ours))
        return None

    def _fix(self, value: Value) -> Value | None:
        """A loop invariant, evaluated before the loop; None if it cannot be speculated, or loops."""
        expander = self.expander
        found = expander.find(value)
        if found is not None:
            return found if found.op != "lazy" else None
        speculated = value if value.constant is not None else make_speculatable(self.build, value)
        return None if speculated is None or speculated.loops else expander.value(speculated)

    def _list_entries(self, value: Value) -> Sequence[int | None] | None:
        """The value for each class, if it does not differ within one."""
        entries = list_entries(self.build, value, self.variable)
        if entries is None or isinstance(self.classes, range):
            return entries
        found = dict(zip(self.classes, entries, strict=True))
        if any(found[each] != entry for each, entry in zip(self.classes, entries, strict=True)):
            return None
        return [found.get(each, 0) for each in range(max(self.classes) + 1)]

    def _compare(self, ours: Value, other: Value, holds: Callable[[int | None, int | None], bool]) -> Value | None:
        """A comparison with a loop invariant: a table of sets, indexed by the invariant."""
        entries, fact, build = self._list_entries(ours), other.fact, self.build
        if entries is None or self.variable.number in other.free or fact.high - fact.low >= MOST_ROWS:
            return None
        fixed = self._fix(other)
        if fixed is None:
            return None
        numbers: list[int | None] = [*range(fact.low, fact.high + 1), *([None] if fact.none else [])]
        rows = [_bits(holds(entry, number) for entry in entries) for number in numbers]
        if len(rows) == 1:
            return self._word(rows[0])
        place = build.subtract(build.sure(fixed), build.number(fact.low))
        if fact.none:
            place = build.choose(build.is_none(fixed), build.number(len(rows) - 1), place)
        return build.read("set_at", BITS, place, data=(tuple(rows),))

    # ---------------------------------------------------------------------------------------------- words
    def _word(self, bits: int) -> Value:
        return self.build.read("set", BITS, data=(bits,))

    def _everything_if(self, truth: Value) -> Value:
        if truth.constant is not None:
            return self._word(self.all if truth.constant else 0)
        return self.build.read("all_if", BITS, truth)

    def _complement(self, inner: Value) -> Value:
        if inner.op == "set":
            return self._word(self.all ^ inner.number)
        return inner.args[0] if inner.op == "not_bits" else self.build.read("not_bits", BITS, inner)

    def combine(self, sets: Sequence[Value], either: bool) -> Value:
        """The union (`either`) or intersection of sets, constants folded."""
        decisive = self.all if either else 0
        made, known = None, self.all ^ decisive
        for each in sets:
            if each.op == "set":
                known = known | each.number if either else known & each.number
            else:
                made = each if made is None else self.build.read("or_bits" if either else "and_bits", BITS, made, each)
        if made is None or known == decisive:
            return self._word(known)
        if known == self.all ^ decisive:
            return made
        return self.build.read("or_bits" if either else "and_bits", BITS, made, self._word(known))


def _bits(truths: Iterable[bool]) -> int:
    return sum(1 << place for place, truth in enumerate(truths) if truth)


def _less(ours: int | None, other: int | None) -> bool:
    return ours is not None and other is not None and ours < other

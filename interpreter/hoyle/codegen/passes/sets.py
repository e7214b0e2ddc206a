"""Tests of cards, or of other small numbers, as sets: worked out for all of them at once before a loop.

In: a test made of every element of a list. Out: the same test, whether an element's bit is in a set, if it is made of
tables of the element and of what does not change while the loop runs. A set is a word: one operation on it stands for
one on each element. Whether any element of a list meets the test, and how many do, is found without a loop then, once
the list is a set, too.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from hoyle.codegen.low.facts import TRUTH
from hoyle.codegen.low.values import Value, walk
from hoyle.codegen.passes.expand import Expander
from hoyle.codegen.passes.harmless import make_harmless
from hoyle.codegen.passes.hoist import hoist
from hoyle.codegen.passes.shapes import BITS, WORD, split_list
from hoyle.codegen.passes.tabulate import list_entries

MOST_ROWS = 128
LIGHTEST = 6  # tests that are made as quickly one by one
FEW = 4  # elements for which it is not worth while


def test_by_set(expander: Expander, where: Value, number: int, source: Value) -> Value:
    """The test of a loop's variable, with as much of it as can be in a set."""
    variable = next((node for node in walk(where) if node.op == "var" and node.number == number), None)
    if variable is None or where.weight < LIGHTEST or source.fact.high <= FEW:
        return where
    faces = [card.face for card in expander.module.program.cards]
    if variable.fact.is_list or not 0 <= variable.fact.low <= variable.fact.high < max(WORD, len(faces)):
        return where
    classes = range(variable.fact.high + 1) if variable.fact.high < WORD else faces[: variable.fact.high + 1]
    if max(classes) >= WORD:
        return where
    sets = Sets(expander, variable, classes)
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
    """A list that is run through, and the test of its elements. Constants in ascending order that must be in a set are
    run through as its members: no other is looked at."""
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
    """The set of those of a list that meet some tests, if the list is known as a set already."""
    found = split_list(expander.build, source)
    whole = None if found is None else expander.find(expander.build.read("list_set", BITS, found[0]))
    if found is None or whole is None:
        return None
    _, where, variable = found
    hoist(expander, where, variable.number)
    sets = Sets(expander, variable, range(variable.fact.high + 1))
    with expander.scope() as out:
        made = sets.make(where)
    if made is None:
        return None
    expander.out += out
    return sets.combine([whole, made], False)


class Sets:
    """Makes sets of the values of one variable. If these are more than a word has bits, they are cards, and each bit
    stands for a face: `classes` says for which value which bit."""

    def __init__(self, expander: Expander, variable: Value, classes: Sequence[int]) -> None:
        self.expander = expander
        self.build = expander.build
        self.variable = variable
        self.classes = classes
        self.all = (1 << max(classes) + 1) - 1

    def make(self, value: Value) -> Value | None:
        """The set of numbers for which a truth holds; None if it is not known how to find it."""
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
        """What does not change, worked out before the loop."""
        expander = self.expander
        found = expander.find(value)
        if found is not None:
            return found if found.op != "postponed" else None
        harmless = value if value.constant is not None else make_harmless(self.build, value)
        return None if harmless is None or harmless.loops else expander.value(harmless)

    def _list_entries(self, value: Value) -> Sequence[int | None] | None:
        """What a value is for each class, if it is the same for all that are of one."""
        entries = list_entries(self.build, value, self.variable)
        if entries is None or isinstance(self.classes, range):
            return entries
        found = dict(zip(self.classes, entries, strict=True))
        if any(found[each] != entry for each, entry in zip(self.classes, entries, strict=True)):
            return None
        return [found.get(each, 0) for each in range(max(self.classes) + 1)]

    def _compare(self, ours: Value, other: Value, holds: Callable[[int | None, int | None], bool]) -> Value | None:
        """A comparison with what does not change: one set for each number that can be."""
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
        """What is in one of the sets, or in all of them."""
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

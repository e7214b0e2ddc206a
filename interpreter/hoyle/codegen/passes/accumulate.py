"""Reducers over the tails of a list, worked out as the tails grow: each tail is the one before it and one element more.

In: the operands of an `each` over tails. Out: for every reducer of the tail in them a register that is brought up to
date once for each element, instead of a loop of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from hoyle.codegen.low.build import Builder
from hoyle.codegen.low.facts import TRUTH, between
from hoyle.codegen.low.program import Let
from hoyle.codegen.low.values import BINDERS, Value
from hoyle.codegen.passes.expand import Expander
from hoyle.codegen.passes.shapes import BITS
from hoyle.dataclass import dataclass

REDUCERS = frozenset({"any", "count", "sum", "highest", "lowest"})


@dataclass(frozen=True, slots=True)
class Growing:
    """A reducer, what it reduces (elements for which `where` holds, turned into `made`; their variable is `number`),
    and the register it is in; `distinct`: as bits that are counted, with another register for whether the last element
    came `again`. An extreme of elements that are in such bits is `in_bits` and read from them."""

    reducer: Value
    number: int
    where: Value
    made: Value
    distinct: bool
    register: Value
    again: Value
    in_bits: bool = False

    def read(self, expander: Expander) -> Value:
        """What has come of it so far."""
        if self.distinct:
            return expander.build.read("bits", self.reducer.fact, self.register)
        if self.in_bits:
            build, least = expander.build, self.made.fact.low
            bit = build.read(f"{self.reducer.op}_bit", between(0, self.made.fact.high - least), self.register)
            return build.add(bit, build.number(least))
        return self.register

    def take(self, expander: Expander, element: Value) -> None:
        """One element more."""
        if self.in_bits:
            return
        with expander.binding(self.number, element):
            test = expander.value(self.where)
            expander.when(test, lambda: expander.give(self.made, lambda made: self._add(expander, made)))

    def _add(self, expander: Expander, element: Value) -> None:
        build, register = expander.build, self.register
        of = self.made.fact
        if self.distinct:
            bit = expander.name(build.read("bit", BITS, build.subtract(element, build.number(of.low))))
            expander.out.append(Let(self.again, build.read("has_bits", TRUTH, register, bit)))
            expander.out.append(Let(register, build.read("or_bits", BITS, register, bit)))
        elif self.reducer.op == "any":
            expander.out.append(Let(register, build.true))
        elif self.reducer.op in ("count", "sum"):
            more = build.true if self.reducer.op == "count" else element
            expander.out.append(Let(register, build.make("add", (register, more), (), register.fact)))
        else:
            found = build.extreme(register, element, highest=self.reducer.op == "highest")
            expander.out.append(Let(register, found))


def find_growing(expander: Expander, roots: tuple[Value, ...], tail: int) -> list[Growing]:
    """The reducers of a tail, begun with no elements."""
    found: dict[Value, Growing] = {}

    def visit(node: Value) -> None:
        if tail not in node.free or node in found:
            return
        growing = _begin(expander, node, tail, found.values())
        if growing is not None:
            found[node] = growing
            return
        for place, arg in enumerate(node.args):
            if not (node.op in BINDERS and place):
                visit(arg)

    for root in roots:
        visit(root)
    return list(found.values())


def _begin(expander: Expander, node: Value, tail: int, others: Iterable[Growing]) -> Growing | None:
    if node.op not in REDUCERS or node.faults:
        return None
    source, distinct = node.args[0], False
    if node.op == "count" and source.op == "distinct":
        source, distinct = source.args[0], True
    if source.op != "each" or not _is_tail(source.args[0], tail):
        return None
    number = source.number
    _, where, made = source.args
    if not where.free | made.free <= {number} or made.fact.is_list:
        return None
    if distinct and (made.fact.none or made.fact.high - made.fact.low >= 64):
        return None
    build = expander.build
    start = build.false
    if node.op in ("highest", "lowest"):
        if where is not build.true or made.fact.none:  # there need not be any
            return None
        for other in others:
            if other.distinct and other.reducer.args[0].args[0] is source:
                return replace(other, reducer=node, distinct=False, in_bits=True)
        start = build.number(made.fact.low if node.op == "highest" else made.fact.high)
    register = expander.register(BITS if distinct else TRUTH if node.op == "any" else node.fact.sure())
    expander.out.append(Let(register, start))
    again = expander.register(TRUTH)
    if distinct:
        expander.out.append(Let(again, build.false))
    return Growing(node, number, where, made, distinct, register, again)


def _is_tail(value: Value, tail: int) -> bool:
    return value.op == "var" and value.number == tail


def is_length(value: Value, distinct: Value) -> bool:
    """Whether a value is the length of the list whose different elements are counted."""
    return value.op == "count" and value.args[0] is distinct.args[0].args[0].args[0]


def find_lasting(build: Builder, source: Value, where: Value, tail: int) -> tuple[Value, Value] | None:
    """The part of a test of tails that no longer tail can meet if one does not, and the rest of the test."""
    parts = where.args if where.op == "and" else (where,)
    if source.op != "tails" or where.faults:
        return None
    for part in parts:
        one, other = part.args if part.op == "equal" else (part, part)
        listed = one.args[0].args[0] if one.op == "count" and one.args[0].op == "distinct" else one
        whole = listed.args[0] if listed.op == "each" and listed.args[1] is build.true else listed
        if _is_tail(whole, tail) and (other.constant == 1 or (other.op == "count" and other.args[0] is whole)):
            return part, build.both(*(each for each in parts if each is not part))
    return None

"""Incremental reducers: accumulators for all suffixes of a list (a scan), and for groups extended card by card.

In: the bodies of an `each` over tails, or the predicates of a survey. Out: for the reducers of a tail (distinct count,
extremes, existence) one bit set in a register, updated once per element, instead of a loop each; and the monotone part
of a predicate, which fails for all longer tails once it fails.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from hoyle.base.dataclass import dataclass
from hoyle.play.codegen.low.build import Builder
from hoyle.play.codegen.low.facts import TRUTH, between
from hoyle.play.codegen.low.program import Let
from hoyle.play.codegen.low.values import Value, walk
from hoyle.play.codegen.passes.expand import Expander
from hoyle.play.codegen.passes.patterns import BITS, WORD
from hoyle.play.codegen.passes.tabulate import list_entries


@dataclass(frozen=True, slots=True)
class Accumulator:
    """An accumulator: `bits` is the set of the values `made` of each element so far (its variable is `number`), `again`
    whether the last one was a duplicate. `reducers` are computed from the bits."""

    number: int
    made: Value
    reducers: list[Value]
    bits: Value
    again: Value

    def take(self, expander: Expander, element: Value) -> None:
        """Add an element, and note whether it is a duplicate."""
        build = expander.build
        with expander.binding(self.number, element):
            place = build.subtract(expander.value(self.made), build.number(self.made.fact.low))
            bit = expander.name(build.read("bit", BITS, place))
            expander.set(self.again, build.read("has_bits", TRUTH, self.bits, bit))
            expander.set(self.bits, build.read("or_bits", BITS, self.bits, bit))

    def join(self, expander: Expander, element: Value) -> None:
        """Add an element in a single statement: `c/control.py` recognises it as a fold over a group."""
        build = expander.build
        with expander.scope(self.number, element) as out:
            place = build.subtract(expander.value(self.made), build.number(self.made.fact.low))
            expander.set(self.bits, build.read("or_bits", BITS, self.bits, build.read("bit", BITS, place)))
        expander.out += out

    def list_bits(self, build: Builder) -> list[int] | None:
        """The bit of each card, if it is a constant."""
        card = next((node for node in walk(self.made) if node.op == "var"), None)
        entries = None if card is None else list_entries(build, self.made, card)
        if entries is None or None in entries:
            return None
        return [1 << each - self.made.fact.low for each in entries if each is not None]

    def evaluate(self, bits: int) -> Iterator[int]:
        """The reducers evaluated on constant bits."""
        low = self.made.fact.low
        for reducer in self.reducers:
            if reducer.op == "any":
                yield bits >> (1 - low) & 1
            elif reducer.op == "count":
                yield bits.bit_count()
            else:
                yield low + (bits if reducer.op == "highest" else bits & -bits).bit_length() - 1

    def read(self, expander: Expander) -> None:
        """Make the reducers available as functions of the bits."""
        for reducer in self.reducers:
            expander.record(reducer, self._read(expander.build, reducer))

    def _read(self, build: Builder, reducer: Value) -> Value:
        of = self.made.fact
        if reducer.op == "any":  # of a truth: bit of 1
            return build.read("has_bits", TRUTH, self.bits, build.number(1 << (1 - of.low)))
        if reducer.op == "count":
            return build.read("bits", reducer.fact, self.bits)
        bit = build.read(f"{reducer.op}_bit", between(0, of.high - of.low), self.bits)
        return build.add(bit, build.number(of.low))


def find_accumulators(expander: Expander, roots: tuple[Value, ...], tail: int) -> list[Accumulator]:
    """The accumulators for the reducers of a tail in some values, initialised to the empty set."""
    asked: dict[tuple[int, Value], list[Value]] = defaultdict(list)
    for node in dict.fromkeys(node for root in roots for node in walk(root) if tail in node.free):
        if node.op in ("any", "highest", "lowest") or _counts_distinct(node):
            source = node.args[0].args[0] if node.op == "count" else node.args[0]
            made = _find_made(expander.build, source, tail, test=node.op == "any")
            if made is not None and not node.faults:
                asked[source.number, made].append(node)
    found = []
    for (number, made), reducers in asked.items():
        found.append(Accumulator(number, made, reducers, expander.register(BITS), expander.register(TRUTH)))
        expander.out += [Let(found[-1].bits, expander.build.false), Let(found[-1].again, expander.build.false)]
    return found


def _counts_distinct(value: Value) -> bool:
    return value.op == "count" and value.args[0].op == "distinct"


def _find_made(build: Builder, source: Value, tail: int, *, test: bool) -> Value | None:
    """The map (or, with `test`, the predicate) that a reducer applies to every element, if it fits into a bit set."""
    if source.op != "each" or not _is_tail(source.args[0], tail) or (source.args[1] is not build.true and not test):
        return None
    made = source.args[1 if test else 2]
    small = not made.fact.is_list and not made.fact.none and made.fact.high - made.fact.low < WORD
    return made if small and made.free <= {source.number} else None


def _is_tail(value: Value, tail: int) -> bool:
    return value.op == "var" and value.number == tail


def find_monotone(build: Builder, source: Value, where: Value, tail: int) -> tuple[Value, Value] | None:
    """The monotone part of a predicate on tails (all elements distinct, or all the same), and the rest of it."""
    parts = where.args if where.op == "and" else (where,)
    if source.op != "tails" or where.faults:
        return None
    for part in parts:
        one, other = part.args if part.op == "equal" else (part, part)
        listed = one.args[0].args[0] if _counts_distinct(one) else one
        whole = listed.args[0] if listed.op == "each" and listed.args[1] is build.true else listed
        if _is_tail(whole, tail) and (other.constant == 1 or (other.op == "count" and other.args[0] is whole)):
            return part, build.both(*(each for each in parts if each is not part))
    return None

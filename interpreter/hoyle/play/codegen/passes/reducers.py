"""Expansion of reducers (any, count, sum, extremes, first, last) to loops with an accumulator, or to bit operations.

In: a reducer. Out: statements that evaluate it, and its result as a simple value.
"""

from __future__ import annotations

from hoyle.play.codegen.low.facts import TRUTH, between
from hoyle.play.codegen.low.program import Fault, Leave, Let, When
from hoyle.play.codegen.low.values import IN_PLACE, Value, faults_late, is_checked
from hoyle.play.codegen.passes.bitsets import collect_set
from hoyle.play.codegen.passes.expand import Expander
from hoyle.play.codegen.passes.patterns import BITS, WORD, never_retracts, of_lists


def reduce_any(expander: Expander, value: Value) -> Value:
    source = value.args[0]
    if source.op in IN_PLACE or expander.find(source) is not None:
        return expander.build.less(expander.build.false, expander.length(expander.listed(source)))
    whole = collect_set(expander, source)
    if whole is not None:
        return expander.build.read("has_bits", TRUTH, *(whole.args if whole.op == "and_bits" else (whole, whole)))
    register, label = expander.register(TRUTH), expander.label()
    expander.out.append(Let(register, expander.build.false))
    final = never_retracts(source)

    def found(element: Value) -> None:
        expander.out.append(Let(register, expander.build.true))
        if final:
            expander.out.append(Leave(label))

    expander.once(label, lambda: expander.fold(source, found, lambda: expander.set(register, expander.build.false)))
    return register


def reduce_count(expander: Expander, value: Value) -> Value:
    source = value.args[0]
    of = source.element
    if source.op == "distinct" and not of.is_list and of.high - of.low < WORD:
        return expander.build.read("bits", value.fact, _collect_bits(expander, source.args[0], of.low))
    if (
        source.op in IN_PLACE
        or expander.find(source) is not None
        or ((source.op == "distinct" or expander.uses[source] > 1) and not of_lists(source))
    ):
        return expander.length(expander.listed(source))
    found = collect_set(expander, source)
    if found is not None:
        return expander.build.read("bits", value.fact, expander.name(found))

    def add(total: Value, element: Value) -> None:
        expander.set(total, expander.build.make("add", (total, expander.build.true), (), total.fact))

    return expander.collect(between(0, source.fact.high), expander.build.false, source, add)


def _collect_bits(expander: Expander, source: Value, low: int) -> Value:
    """The bit set of the elements of a list; bit 0 stands for the number `low`."""
    build = expander.build

    def add(bits: Value, element: Value) -> None:
        bit = build.read("bit", BITS, build.subtract(element, build.number(low)))
        expander.set(bits, build.read("or_bits", BITS, bits, bit))

    return expander.collect(BITS, build.false, source, add)


def expand_list_set(expander: Expander, value: Value) -> Value:
    return _collect_bits(expander, value.args[0], 0)


def reduce_sum(expander: Expander, value: Value) -> Value:
    def add(total: Value, element: Value) -> None:
        expander.set(total, expander.build.make("add", (total, element), (), value.fact))
        if is_checked("sum", value.fact):
            expander.out.append(When(expander.build.read("beyond", TRUTH, total), (Fault(0),)))

    return expander.collect(value.fact, expander.build.false, value.args[0], add)


def reduce_extreme(expander: Expander, value: Value) -> Value:
    """The maximum or minimum."""
    build = expander.build

    def add(best: Value, element: Value) -> None:
        element = expander.name(element) if not element.fact.is_list else element
        pair = (build.sure(best), element) if value.op == "highest" else (element, build.sure(best))
        better = build.either(build.is_none(best), build.less(*pair))
        expander.out.append(When(better, (Let(best, element),)))

    found = expander.collect(value.fact.or_none(), build.none, value.args[0], add)
    return found if value.fact.none else build.sure(found)


def reduce_first(expander: Expander, value: Value) -> Value:
    source, register, label = value.args[0], expander.register(value.fact.or_none()), expander.label()
    expander.set(register, expander.build.none)
    final = never_retracts(source) and not faults_late(source)

    def step(element: Value) -> None:
        keep = Let(register, element)
        if value.op == "last":
            expander.out.append(keep)
        elif final:
            expander.out.extend((keep, Leave(label)))
        else:
            expander.out.append(When(expander.build.is_none(register), (keep,)))

    none = expander.build.none
    expander.once(label, lambda: expander.fold(source, step, lambda: expander.set(register, none)))
    return register if value.fact.none else expander.build.sure(register)


REDUCED = {
    "list_set": expand_list_set, "any": reduce_any, "count": reduce_count, "sum": reduce_sum, "first": reduce_first,
    "last": reduce_first, "highest": reduce_extreme, "lowest": reduce_extreme,
}  # fmt: skip

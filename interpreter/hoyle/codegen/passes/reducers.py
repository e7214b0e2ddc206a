"""What is wanted of a list, as a loop over it: whether it has elements, how many, their sum, the greatest, the first.

In: a reducer. Out: statements that work it out, and the register it is in.
"""

from __future__ import annotations

from hoyle.codegen.low.facts import TRUTH, between
from hoyle.codegen.low.program import Fault, Leave, Let, When
from hoyle.codegen.low.values import IN_PLACE, Value, is_checked
from hoyle.codegen.passes.expand import Expander
from hoyle.codegen.passes.hoist import hoist
from hoyle.codegen.passes.sets import collect_set, test_by_set
from hoyle.codegen.passes.shapes import BITS, WORD, find_filter, is_final
from hoyle.codegen.passes.tally import find_tally

MOST_TRIED = 20
LIGHT = 12


def reduce_any(expander: Expander, value: Value) -> Value:
    source = value.args[0]
    if source.op in IN_PLACE or expander.find(source) is not None:
        return expander.build.less(expander.build.false, expander.length(expander.listed(source)))
    whole = collect_set(expander, source)
    if whole is not None:
        return expander.build.read("has_bits", TRUTH, *(whole.args if whole.op == "and_bits" else (whole, whole)))
    register, label = expander.register(TRUTH), expander.label()
    expander.out.append(Let(register, expander.build.false))
    if _is_short(source):
        _try_all(expander, source, register)
        return register
    final = is_final(source)

    def found(element: Value) -> None:
        expander.out.append(Let(register, expander.build.true))
        if final:
            expander.out.append(Leave(label))

    expander.once(label, lambda: expander.fold(source, found, lambda: expander.set(register, expander.build.false)))
    return register


def _is_short(source: Value) -> bool:
    """Whether a test is made of so few elements, and is so simple, that making it of all is better than to branch."""
    listed, where = find_filter(source)
    if listed is None or listed.op not in IN_PLACE or listed.fact.high > MOST_TRIED:
        return False
    return where.weight <= LIGHT and not where.faults and not where.loops


def _try_all(expander: Expander, source: Value, register: Value) -> None:
    listed, where, _ = source.args
    hoist(expander, where, source.number)
    where = test_by_set(expander, where, source.number, listed)

    def step(element: Value) -> None:
        with expander.binding(source.number, element):
            test = expander.value(where)
            expander.set(register, expander.build.read("or_bits", TRUTH, register, test))

    expander.loop(expander.listed(listed), step)


def reduce_count(expander: Expander, value: Value) -> Value:
    source = value.args[0]
    if source.op == "distinct":
        bits = _collect_bits(expander, source.args[0])
        if bits is not None:
            return expander.build.read("bits", value.fact, bits)
    if (
        source.op in IN_PLACE
        or source.op == "distinct"
        or expander.find(source) is not None
        or expander.uses[source] > 1
    ):
        return expander.length(expander.listed(source))
    tally = find_tally(expander.build, value)
    if tally is not None:
        word = expander.value(tally.word)
        return tally.read(expander.build, word, expander.name(expander.value(tally.wanted)))
    found = collect_set(expander, source)
    if found is not None:
        return expander.build.read("bits", value.fact, expander.name(found))

    def add(total: Value, element: Value) -> None:
        expander.set(total, expander.build.make("add", (total, expander.build.true), (), total.fact))

    return expander.collect(between(0, source.fact.high), expander.build.false, source, add)


def _collect_bits(expander: Expander, source: Value) -> Value | None:
    """A bit for each value of a list, if they are few."""
    build, of = expander.build, source.fact.of
    if of is None or of.is_list or of.high - of.low >= WORD:
        return None

    def add(bits: Value, element: Value) -> None:
        bit = build.read("bit", BITS, build.subtract(element, build.number(of.low)))
        expander.set(bits, build.read("or_bits", BITS, bits, bit))

    return expander.collect(BITS, build.false, source, add)


def expand_list_set(expander: Expander, value: Value) -> Value:
    """A bit for each element, or, of a tally, one more in its class."""
    build, register = expander.build, expander.register(BITS)
    expander.set(register, build.false)

    def step(element: Value) -> None:
        if value.op == "tally":
            one = build.read("bit", BITS, build.table(value.table, element))
            expander.set(register, build.make("add", (register, one), (), BITS))
        else:
            expander.set(register, build.read("or_bits", BITS, register, build.read("bit", BITS, element)))

    expander.loop(expander.listed(value.args[0]), step)
    return register


def reduce_sum(expander: Expander, value: Value) -> Value:
    def add(total: Value, element: Value) -> None:
        expander.set(total, expander.build.make("add", (total, element), (), value.fact))
        if is_checked("sum", value.fact):
            expander.out.append(When(expander.build.read("beyond", TRUTH, total), (Fault(0),)))

    return expander.collect(value.fact, expander.build.false, value.args[0], add)


def reduce_extreme(expander: Expander, value: Value) -> Value:
    """The highest or lowest element."""
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
    final = is_final(source)

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
    "list_set": expand_list_set, "tally": expand_list_set, "any": reduce_any, "count": reduce_count, "sum": reduce_sum,
    "highest": reduce_extreme, "lowest": reduce_extreme, "first": reduce_first, "last": reduce_first,
}  # fmt: skip

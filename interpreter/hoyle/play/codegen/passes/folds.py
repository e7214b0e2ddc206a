"""Iteration over each kind of list: push-style loop fusion, without intermediate lists.

In: a list, the consumer of an element (`step`), and what retracts all elements so far (`reset`). Out: statements.
"""

from __future__ import annotations

from hoyle.play.codegen.low.facts import TRUTH, between, list_of
from hoyle.play.codegen.low.program import Leave, Let, Push, Statement, When
from hoyle.play.codegen.low.values import Value
from hoyle.play.codegen.passes.accumulators import Accumulator, find_accumulators, find_monotone
from hoyle.play.codegen.passes.bitsets import run_by_set
from hoyle.play.codegen.passes.expand import Expander, Fold, Reset, Step
from hoyle.play.codegen.passes.hoist import hoist
from hoyle.play.codegen.passes.patterns import BITS, SLICES, of_lists, without_retraction

COUNT = between(0, 1 << 30)  # a loop counter


def fold_each(expander: Expander, value: Value, step: Step, reset: Reset) -> None:
    source, where, made = value.args
    number = value.number
    hoist(expander, where, number)
    hoist(expander, made, number)
    source, where = run_by_set(expander, where, number, source)
    accumulators = find_accumulators(expander, (where, made), number) if source.op == "tails" else []
    label = expander.label() if accumulators else 0

    def give(element: Value) -> None:
        if accumulators:  # each tail extends the previous one by its own first element
            first = expander.name(expander.build.make("element", (element, expander.build.false), (), element.element))
        for each in accumulators:
            each.take(expander, first)
        with expander.binding(number, element):
            for each in accumulators:
                each.read(expander)
            if accumulators:
                _leave_early(expander, find_monotone(expander.build, source, where, number), accumulators, label)
            expander.when(expander.value(where), lambda: expander.give(made, step))

    if accumulators:
        expander.once(label, lambda: expander.fold(source, give, reset))
    else:
        expander.fold(source, give, reset)


def _leave_early(
    expander: Expander, monotone: tuple[Value, Value] | None, accumulators: list[Accumulator], label: int
) -> None:
    """Break out of a loop over tails as soon as a monotone part of the test fails (more than one distinct element, or a
    duplicate): it fails for all longer tails. Inside the loop that part is known to hold."""
    for each in accumulators:
        if monotone is not None and monotone[0].args[0] in each.reducers:
            counted, other = monotone[0].args
            is_one = other.constant is not None
            too_many = expander.build.less(other, expander.value(counted)) if is_one else each.again
            expander.out.append(When(too_many, (Leave(label),)))
            expander.record(monotone[0], expander.build.true)
            if not is_one:
                _keep_row(expander, each, other)


def _keep_row(expander: Expander, accumulator: Accumulator, length: Value) -> None:
    """Strength reduction: for distinct elements, `max - min = count - 1` means that their bits are contiguous."""
    build, ends = expander.build, {reducer.op: reducer for reducer in accumulator.reducers}
    if "highest" in ends and "lowest" in ends:
        apart = build.subtract(ends["highest"], ends["lowest"])
        row = build.equal(apart, build.subtract(length, build.true))
        expander.record(row, build.read("one_row", TRUTH, accumulator.bits))


def fold_best(expander: Expander, value: Value, step: Step, reset: Reset) -> None:
    """Arg-max in one pass: a better key retracts all elements so far."""
    build = expander.build
    source, key = value.args
    number, how = value.number, value.data[1]
    best, found = expander.register(key.fact.sure()), expander.register(TRUTH)
    expander.set(found, build.false)
    expander.set(best, build.known_list((), key.fact.of) if key.fact.is_list else build.false)

    def again() -> None:
        expander.set(found, build.false)
        reset()

    def give(element: Value) -> None:
        with expander.binding(number, element) as named:
            expander.give(key, lambda found_key: compare(found_key, named))

    def compare(found_key: Value, element: Value) -> None:
        named = expander.name(found_key) if not found_key.fact.is_list else found_key
        pair = (best, named) if how == "highest" else (named, best)
        better = build.either(build.negate(found), build.less(*pair))
        with expander.scope() as out:
            expander.out += [Let(best, named), Let(found, build.true)]
            reset()
        expander.out.append(When(better, tuple(out)))
        expander.when(build.equal(named, best), lambda: step(element))

    expander.fold(source, give, again)


def fold_flat(expander: Expander, value: Value, step: Step, reset: Reset) -> None:
    source, inner = value.args
    number = value.number

    def give(element: Value) -> None:
        with expander.binding(number, element):
            expander.fold_streaming(inner, step)

    expander.fold(source, give, reset)


def fold_parts(expander: Expander, value: Value, step: Step, reset: Reset) -> None:
    expander.fold(value.args[0], step, reset)
    for part in value.args[1:]:
        expander.fold_streaming(part, step)


def fold_items(expander: Expander, value: Value, step: Step, reset: Reset) -> None:
    for part in value.args:
        expander.give(part, step)


def fold_if(expander: Expander, value: Value, step: Step, reset: Reset) -> None:
    test = expander.value(value.args[0])
    expander.choose(test, value.args[1:], lambda part: expander.fold(part, step, reset))


def fold_checked(expander: Expander, value: Value, step: Step, reset: Reset) -> None:
    expander.refuse_unless(expander.value(value.args[0]), value.clause)
    expander.fold(value.args[1], step, reset)


def fold_span(expander: Expander, value: Value, step: Step, reset: Reset) -> None:
    ends = [expander.name(expander.value(arg)) for arg in value.args]
    expander.loop(expander.build.make("span", ends, (), value.fact), step)


def fold_members(expander: Expander, value: Value, step: Step, reset: Reset) -> None:
    expander.loop(value, step)


def fold_distinct(expander: Expander, value: Value, step: Step, reset: Reset) -> None:
    """First occurrences: with a bit set of those seen if they fit into a word, else a list."""
    build, of = expander.build, value.element
    if of.is_list:
        _fold_distinct_lists(expander, value.args[0], step)
        return
    few = of.high - of.low < 64
    seen = expander.register(BITS if few else value.fact)
    start = build.false if few else build.known_list((), of)
    expander.set(seen, start)

    def again() -> None:
        expander.set(seen, start)
        reset()

    def give(element: Value) -> None:
        named = expander.name(element)
        place, known = build.subtract(named, build.number(of.low)), build.read("holds", TRUTH, seen, named)
        give_new(expander, seen, named, place, known, step)

    expander.fold(value.args[0], give, again)


def _fold_distinct_lists(expander: Expander, source: Value, step: Step) -> None:
    """Distinct lists, which cannot be stored: each is compared with those before, by iterating again (quadratic)."""
    build = expander.build
    place, before, known = (expander.register(fact) for fact in (COUNT, COUNT, TRUTH))
    one, another = (build.open_variable(source.element) for _ in range(2))
    expander.set(place, build.false)

    def give(element: Value) -> None:
        label = expander.label()
        expander.out += [Let(before, build.false), Let(known, build.false)]

        def compare(other: Value) -> None:
            expander.out.append(When(build.negate(build.less(before, place)), (Leave(label),)))
            with expander.binding(one.number, element), expander.binding(another.number, other):
                same = expander.value(build.equal(one, another))
                expander.out.append(When(same, (Let(known, build.true), Leave(label))))
            expander.set(before, build.make("add", (before, build.true), (), COUNT))

        expander.once(label, lambda: expander.fold_streaming(source, compare))
        expander.when(build.negate(known), lambda: step(element))
        expander.set(place, build.make("add", (place, build.true), (), COUNT))

    expander.fold_streaming(source, give)


def give_new(expander: Expander, seen: Value, element: Value, place: Value, known: Value, step: Step) -> None:
    """Consume an element unless seen before: `seen` is a bit set of places, or a list, in which `known` looks it up."""
    build = expander.build
    note: Statement = Push(seen, element)
    if not seen.fact.is_list:
        bit = expander.name(build.read("bit", BITS, place))
        known, note = build.read("has_bits", TRUTH, seen, bit), Let(seen, build.read("or_bits", BITS, seen, bit))
    with expander.scope() as out:
        expander.out.append(note)
        step(element)
    expander.out.append(When(build.negate(known), tuple(out)))


def fold_around(expander: Expander, value: Value, step: Step, reset: Reset) -> None:
    """Seats in turn order from one on: a stable bucket sort by distance."""
    build, players = expander.build, expander.build.players
    listed, start = expander.listed(value.args[0]), expander.name(expander.value(value.args[1]))
    turns = build.read(
        "row",
        list_of(between(0, players - 1), players, unique=True),
        start,
        data=(build.rows_of([[(s + i) % players for i in range(players)] for s in range(players)]),),
    )

    def turn(seat: Value) -> None:
        expander.loop(listed, lambda each: expander.when(build.equal(each, seat), lambda: step(each)))

    expander.loop(turns, turn)


def fold_tails(expander: Expander, value: Value, step: Step, reset: Reset) -> None:
    build, source = expander.build, expander.listed(value.args[0])
    length = expander.name(expander.length(source))
    sizes = build.read("span", list_of(between(1, max(1, length.fact.high)), length.fact.high), build.true, length)

    def give(size: Value) -> None:
        step(expander.slice(source, expander.name(build.subtract(length, size)), size, value.element))

    expander.loop(sizes, give)


def fold_pairs(expander: Expander, value: Value, step: Step, reset: Reset) -> None:
    build, source = expander.build, expander.listed(value.args[0])
    length = expander.name(expander.length(source))
    index = expander.register(between(0, max(0, source.fact.high)))
    group = expander.register(value.element)

    def outer(first: Value) -> None:
        start = expander.name(build.add(index, build.true))
        fact = list_of(first.fact, source.fact.high)
        rest = expander.slice(source, start, expander.name(build.subtract(length, start)), fact)

        def inner(second: Value) -> None:
            expander.set(group, build.make("items", (first, second), (), group.fact))
            step(group)

        expander.loop(rest, inner)

    expander.loop(source, outer, index=index)


def fold_subsets(expander: Expander, value: Value, step: Step, reset: Reset) -> None:
    source = expander.listed(value.args[0])
    length = expander.name(expander.length(source))
    expander.groups(source, expander.build.true, length, value.element, None, step)


def fold_slice(expander: Expander, value: Value, step: Step, reset: Reset) -> None:
    """A prefix or suffix; of lists, which cannot be stored, by counting them."""
    if not of_lists(value):
        expander.loop(expander.listed(value), step)
        return
    build, source = expander.build, expander.expect(without_retraction(expander.build, value.args[0]))
    few = expander.name(build.extreme(expander.value(value.args[1]), build.false, highest=True))
    end = few
    if value.op in ("last_few", "all_but_last"):
        end = expander.name(build.subtract(expander.value(build.count(source)), few))
    place = expander.register(COUNT)
    expander.set(place, build.false)

    def give(element: Value) -> None:
        is_before = build.less(place, end)
        belongs = is_before if value.op in ("first_few", "all_but_last") else build.negate(is_before)
        expander.when(belongs, lambda: step(element))
        expander.set(place, build.make("add", (place, build.true), (), COUNT))

    expander.fold_streaming(source, give)


def fold_groups(expander: Expander, value: Value, step: Step, reset: Reset) -> None:
    source = expander.listed(value.args[0])
    expander.groups(source, *expander.group_sizes(source, value), value.element, None, step)


FOLDS: dict[str, Fold] = {
    "each": fold_each, "best": fold_best, "flat": fold_flat, "join": fold_parts, "items": fold_items, "if": fold_if,
    "sure": fold_parts, "check": fold_checked, "span": fold_span, "distinct": fold_distinct, "around": fold_around,
    "tails": fold_tails, "pairs": fold_pairs, "subsets": fold_subsets, "groups": fold_groups,
    "members": fold_members, **dict.fromkeys(SLICES, fold_slice),
}  # fmt: skip

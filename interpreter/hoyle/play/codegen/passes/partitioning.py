"""Expansion of partitions: the survey of candidate groups by pruned enumeration, and the call of the search.

In: a survey, or a partition. Out: statements, and the register of the result; see `lower/partition.py`. A group is a
bit set of places in the list of surveyed cards.
"""

from __future__ import annotations

from functools import partial

from hoyle.play.codegen.low.facts import Fact, between
from hoyle.play.codegen.low.program import Do, Fault, For, Grow, Push, When
from hoyle.play.codegen.low.values import Value
from hoyle.play.codegen.lower.partition import MOST_GROUPS, MOST_PLACES
from hoyle.play.codegen.passes.accumulators import find_accumulators
from hoyle.play.codegen.passes.expand import Expander
from hoyle.play.codegen.passes.hoist import hoist
from hoyle.play.codegen.passes.patterns import BITS
from hoyle.play.codegen.passes.static_groups import list_static_groups
from hoyle.program.model.surveys import MOST_GROWN

FAULT = (Fault(0),)


def expand_surveyed(expander: Expander, value: Value) -> Value:
    """The groups among cards: by subset tests if they are known statically, else by enumeration."""
    build, number = expander.build, value.number
    groups, where, keeps = value.args
    of = groups.element
    cards = expander.listed(groups.args[0])
    too_many = build.less(build.number(MOST_PLACES), expander.length(cards))
    if too_many is not build.false:
        expander.out.append(When(too_many, FAULT))
    looked, found = expander.register(between(0, MOST_GROWN + 1)), expander.register(value.fact)
    every = list_static_groups(expander, where, keeps, build.read("var", of, data=(number,)))
    if every is not None:
        expander.out.append(Do("list_held", (found, cards), (every,)))
        return found
    expander.set(looked, build.false)
    expander.set(found, build.known_list((), value.fact.of))
    for test in (where, keeps):
        hoist(expander, test, number)
    group, places = expander.register(of), expander.register(between(0, (1 << MOST_PLACES) - 1))
    with expander.scope(number, group) as out:
        for each in find_accumulators(expander, (keeps, where), number):
            expander.loop(group, partial(each.join, expander))
            each.read(expander)
        expander.set(looked, build.make("add", (looked, build.true), (), looked.fact))
        expander.out.append(When(build.less(build.number(MOST_GROWN), looked), FAULT))
        # Like the reference: a single card is never pruned.
        single = build.less(build.count(group), build.number(2))
        expander.out.append(Grow(expander.value(expander.expect(build.either(single, keeps)))))
        expander.when(expander.value(where), lambda: _note(expander, found, places))
    grown = build.make("grown", (cards,), (), Fact(0, MOST_GROWN, of=of))
    expander.out.append(For(group, grown, tuple(out), index=places))
    return found


def _note(expander: Expander, found: Value, places: Value) -> None:
    full = expander.build.less(expander.build.number(MOST_GROUPS - 1), expander.length(found))
    expander.out += [When(full, FAULT), Push(found, places)]


def expand_divided(expander: Expander, value: Value) -> Value:
    """The best partition of a subset of the surveyed cards."""
    cards, groups, weights = (expander.listed(value.args[at]) for at in (0, 2, 3))
    codes, held = expander.register(value.fact), expander.register(BITS)
    _hold(expander, held, cards, value.args[1], value.number)
    expander.out.append(Do("divide", (codes, cards, weights, groups, held)))
    return codes


def expand_coded(expander: Expander, value: Value) -> Value:
    """The encoding of a list of groups; an empty group is a fault."""
    build, codes, deck = expander.build, expander.register(value.fact), expander.build.number(value.number)
    number = expander.register(between(0, value.args[0].fact.high))

    def begin() -> None:
        expander.set(codes, build.known_list((), value.fact.of))
        expander.set(number, build.false)

    def add(group: Value) -> None:
        listed, first = expander.listed(group), expander.name(build.multiply(number, deck))
        expander.when(build.equal(expander.length(listed), build.false), lambda: expander.out.append(*FAULT))
        expander.loop(listed, lambda card: expander.out.append(Push(codes, build.add(first, card))))
        expander.set(number, build.make("add", (number, build.true), (), number.fact))

    begin()
    expander.fold(value.args[0], add, begin)
    return codes


def _hold(expander: Expander, held: Value, cards: Value, test: Value, number: int) -> None:
    """The bit set of the places of the cards to partition."""
    build = expander.build
    if test is build.true:
        beyond = build.read("bit", BITS, expander.length(cards))
        expander.set(held, build.make("subtract", (beyond, build.true), (), BITS))
        return
    index = expander.register(between(0, MOST_PLACES))
    expander.set(held, build.false)
    hoist(expander, test, number)

    def step(card: Value) -> None:
        with expander.binding(number, card):
            place = build.read("or_bits", BITS, held, build.read("bit", BITS, index))
            expander.when(expander.value(test), lambda: expander.set(held, place))

    expander.loop(cards, step, index=index)

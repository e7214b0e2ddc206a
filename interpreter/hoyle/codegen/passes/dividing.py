"""Cards divided into groups, taken apart: the groups there are, found card by card, and the best division into them.

In: a division. Out: statements that work it out, and the register of numbers it is in; see `lower/dividing.py`. Groups
are held as bits, one for each place of the cards that are divided.
"""

from __future__ import annotations

from hoyle.codegen.low.facts import Fact, between, list_of
from hoyle.codegen.low.program import Do, Fault, For, Grow, Push, When
from hoyle.codegen.low.values import Value
from hoyle.codegen.passes.expand import Expander
from hoyle.codegen.passes.hoist import hoist
from hoyle.model.divisions import MOST_DIVIDED
from hoyle.model.surveys import MOST_GROWN

MOST_GROUPS = 500  # that are divided into; with more of them the reference does it


def expand_divided(expander: Expander, value: Value) -> Value:
    build, number = expander.build, value.number
    groups, where, keeps, weights = value.args
    of = groups.fact.of
    assert of is not None
    codes = expander.register(value.fact)
    cards, weighed = expander.listed(groups.args[0]), expander.listed(weights)
    fault = (Fault(0),)
    too_many = build.less(build.number(MOST_DIVIDED), expander.length(cards))
    if too_many is not build.false:
        expander.out.append(When(too_many, fault))
    looked = expander.register(between(0, MOST_GROWN + 1))
    found = expander.register(list_of(between(0, (1 << MOST_DIVIDED) - 1), MOST_GROUPS))
    expander.set(looked, build.false)
    expander.set(found, build.known_list((), found.fact.of))
    for test in (where, keeps):
        hoist(expander, test, number)
    group, places = expander.register(of), expander.register(between(0, (1 << MOST_DIVIDED) - 1))
    with expander.scope(number, group) as out:
        expander.set(looked, build.make("add", (looked, build.true), (), looked.fact))
        expander.out.append(When(build.less(build.number(MOST_GROWN), looked), fault))
        # The reference looks at a card by itself whatever holds of it.
        single = build.less(build.count(group), build.number(2))
        expander.out.append(Grow(expander.value(expander.expect(build.either(single, keeps)))))
        expander.when(expander.value(where), lambda: _note(expander, found, places))
    grown = build.make("grown", (cards,), (), Fact(0, MOST_GROWN, of=of))
    expander.out.append(For(group, grown, tuple(out), index=places))
    expander.out.append(Do("divide", (codes, cards, weighed, found)))
    return codes


def _note(expander: Expander, found: Value, places: Value) -> None:
    full = expander.build.less(expander.build.number(MOST_GROUPS - 1), expander.length(found))
    expander.out += [When(full, (Fault(0),)), Push(found, places)]

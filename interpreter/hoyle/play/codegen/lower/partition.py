"""Lowering of `division`, the best partition of cards into groups, and the encoding of lists of groups.

In: a division. Out: the list of its groups. A list of groups is encoded as one list of numbers, `group * deck + card`,
group after group, also in slots; one group is a filter by its number.
"""

from __future__ import annotations

from dataclasses import replace

from hoyle.play.codegen.low.facts import Fact, between, list_of
from hoyle.play.codegen.low.values import Value
from hoyle.play.codegen.lower.lowering import Env, Lowering
from hoyle.play.codegen.passes.patterns import find_filter
from hoyle.play.codegen.unsupported import Unsupported
from hoyle.program.ir import nodes as ir
from hoyle.program.model.divisions import MOST_DIVIDED

HEAVIEST = 1 << 40  # that a card may weigh
MOST_PLACES = 31  # cards that are surveyed: a group is a bit set of their places in a non-negative `int32_t`
MOST_GROUPS = 500  # candidate groups of a survey; more of them, or of cards, are a fault
FOUND = list_of(between(0, (1 << MOST_PLACES) - 1), MOST_GROUPS)


def lower_division(low: Lowering, expr: ir.Division, env: Env) -> Value:
    """The groups of the best partition."""
    build = low.build
    source = low.lower(expr.source, env)
    if source.fact.of is None or source.fact.high == 0:
        no_cards = build.known_list((), between(0, len(low.program.cards) - 1))
        return build.bind_each(build.known_list(()), build.open_variable(between(0, 0)), build.true, no_cards)
    given = {var: low.lower(part, env) for var, part in zip(expr.by.given, expr.given, strict=True)}
    return list_groups(low, _divide(low, source, expr.by, given))


def list_groups(low: Lowering, codes: Value) -> Value:
    """Decode a list of groups; `Lowering.codes` maps the result back to its encoding, so that a round trip is free."""
    build, deck = low.build, low.build.number(len(low.program.cards))
    last = build.divide(build.sure(build.first(codes, last=True)), deck)
    many = build.choose(build.any(codes), build.add(last, build.true), build.false)
    numbers = build.span(build.false, build.subtract(many, build.true))
    groups = build.each(numbers, None, lambda number: take_group(low, codes, number))
    low.codes[groups] = codes
    return groups


def read_groups(low: Lowering, slot: int) -> Value:
    """A load of a slot that holds a list of groups, decoded."""
    known = low.find(("slot", slot))
    if known is not None and known.of is None:  # nothing but none
        return low.build.none
    codes = low.build.read("slot", known or _fact_of_codes(low, MOST_DIVIDED).or_none(), data=(slot,))
    groups = low.build.unless_none([codes], low.build.none, lambda args: list_groups(low, args[0]))
    low.codes[groups] = codes
    return groups


def code_groups(low: Lowering, groups: Value) -> Value:
    """A value as it is stored: a list of lists of cards, or of other numbers below the deck's size, is encoded."""
    of, deck = groups.fact.of, len(low.program.cards)
    if groups in low.codes:
        return low.codes[groups]
    if of is None or of.of is None:
        return groups
    if of.of.low < 0 or of.of.high >= deck:
        raise Unsupported("lists of such numbers that are kept")
    most = groups.fact.high
    fact = list_of(between(0, max(0, most * deck - 1)), most * of.high, unique=of.unique)
    return low.build.unless_none(
        [groups], low.build.none, lambda args: low.build.read("coded", fact, *args, data=(deck,))
    )


def take_group(low: Lowering, codes: Value, number: Value) -> Value:
    """The cards of the group with a number."""
    build, deck = low.build, low.build.number(len(low.program.cards))
    return build.each(
        codes, lambda code: build.equal(build.divide(code, deck), number), lambda code: build.modulo(code, deck)
    )


def _fact_of_codes(low: Lowering, most: int) -> Fact:
    return list_of(between(0, most * len(low.program.cards) - 1), most, unique=True)


def join_groups(low: Lowering, codes: Value) -> Value:
    """The cards of all groups, concatenated."""
    build, deck = low.build, low.build.number(len(low.program.cards))
    return build.each(codes, None, lambda code: build.modulo(code, deck))


def _in_order(low: Lowering, source: Value) -> Value:
    """Cards sorted in the order of the deck, without duplicates."""
    build, last = low.build, low.build.number(len(low.program.cards) - 1)
    turned = build.each(build.distinct(source), None, lambda card: build.subtract(last, card))
    sorted_ = build.read("descending", replace(turned.fact, unique=True), turned)
    return build.each(sorted_, None, lambda card: build.subtract(last, card))


def _divide(low: Lowering, source: Value, by: ir.Grouping, given: Env) -> Value:
    """The encoded groups of the best partition. If the cards are a filter of a list by an outer variable, the whole
    list is surveyed, so that the survey is loop-invariant and can be hoisted; the filter then selects places in it."""
    build, test, most = low.build, low.build.true, min(source.fact.high, MOST_DIVIDED)
    base, filters = find_filter(source)
    again = base is not None and base.fact.unique and bool(filters.free - base.free - {source.number})
    cards = _in_order(low, base if base is not None and again else source)
    variable = build.open_variable(cards.element)
    if again:
        _, own, (filters, _) = build.open_binder(source)
        test = build.replace(filters, own, variable)
    longest = min(cards.fact.high, MOST_PLACES)
    group = build.open_variable(list_of(cards.element, longest, shortest=1, unique=True))
    where, keeps = low.test(by.where, {**given, 0: group}), low.test(by.keeps, {**given, 0: group})
    every = build.read("groups", Fact(0, 1 << 20, of=group.fact), cards, build.true, build.number(longest))
    found = build.bind_other("surveyed", every, group, (where, keeps), FOUND)
    weights = build.each(cards, None, lambda card: _weigh(low, by, card, given))
    return build.bind_other("divided", cards, variable, (test, found, weights), _fact_of_codes(low, most))


def _weigh(low: Lowering, by: ir.Grouping, card: Value, given: Env) -> Value:
    """The cost of a card that is in no group."""
    build = low.build
    if by.weigh is None:
        return build.true
    return build.unless_none(
        [low.lower(by.weigh, {**given, by.card: card})], build.false,
        lambda args: low.within_range(args[0], -HEAVIEST, HEAVIEST, low.clause),
    )  # fmt: skip

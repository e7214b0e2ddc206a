"""What a seat may choose, as sets: for each action the dependent product of its picks, cut down by conditions.

In: an action or a decision, and the seat as a value. Out: whether there is any choice, as a value; or a `Menu`, whose
choices are counted and taken by number in later passes. The order is that of the reference: tiers, items, picks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import comb

from hoyle.codegen.low.build import Builder
from hoyle.codegen.low.facts import Fact, between, list_of
from hoyle.codegen.low.values import Value
from hoyle.codegen.lower.lowering import Lowering
from hoyle.codegen.unsupported import Unsupported
from hoyle.dataclass import dataclass
from hoyle.engine.legality import sort_by_depth
from hoyle.engine.limits import MOST_NUMBERS
from hoyle.ir import nodes as ir
from hoyle.ir.types import certain

MOST_COMBINED = 1 << 26  # what counts combinations gives no larger number


@dataclass(frozen=True, slots=True)
class Level:
    """One pick of an offer: `variable` stands for each element of `domain` for which `test` holds. Elements are one
    choice if they are equal, or, if `alike`, if they have one face and lie in one zone. With `numbers` it is a number
    parameter: `domain` is the span it is taken from, offered as one choice. Of groups, `keeps` holds of every beginning
    of one that can be chosen, for which `begun` stands."""

    domain: Value
    variable: Value
    test: Value
    alike: bool = False
    numbers: bool = False
    begun: Value | None = None
    keeps: Value | None = None


@dataclass(frozen=True, slots=True)
class Offer:
    """What an item of a tier offers: nothing unless `test` holds; else one choice for every way to make the picks.
    `clause` is that of the action. `bundled`: where choices are listed, the groups of the last pick stand together.
    Where the item has a condition of its own, `where`, `every` is the same offer without it."""

    action: int
    test: Value
    levels: tuple[Level, ...]
    clause: int
    bundled: bool = False
    every: Offer | None = None
    where: Value | None = None


@dataclass(frozen=True, slots=True)
class Tier:
    """Looked at only where `when` holds and no tier before it had a choice."""

    when: Value
    offers: tuple[Offer, ...]


def list_roots(tier: Tier) -> Iterator[Value]:
    """The values that tell what a tier offers."""
    yield tier.when
    for offer in tier.offers:
        yield offer.test
        for level in offer.levels:
            yield from (level.domain, level.test)


@dataclass(frozen=True, slots=True)
class Menu:
    """What a decision offers. `optional`: and to decline, last of all."""

    decision: int
    tiers: tuple[Tier, ...]
    optional: bool


def list_ways(low: Lowering, action: int, seat: Value, *, allowed: bool) -> Value:
    """Whether the seat has any choice of an action that is possible (and allowed)."""
    return _find_ways(low, lower_offer(low, action, seat, allowed=allowed))


def has_any(low: Lowering, tier: ir.Tier, seat: Value) -> Value:
    """Whether the seat has any choice of a tier, if that is looked at."""
    return low.build.either(*(_find_ways(low, offer) for offer in lower_tier(low, tier, seat).offers))


def _find_ways(low: Lowering, offer: Offer) -> Value:
    bounded = tuple(_bound(low, level) for level in offer.levels)  # no beginning is left off here
    return has_choice(low.build, replace(offer, levels=bounded))


def has_choice(build: Builder, offer: Offer) -> Value:
    """Whether there is any choice of an offer."""
    found = build.true
    for level in reversed(offer.levels):
        test = build.both(level.test, found)
        if level.numbers:
            found = build.both(build.any(level.domain), test)
        else:
            found = build.any(build.bind_each(level.domain, level.variable, test, level.variable))
    return build.both(offer.test, found)


def lower_menu(low: Lowering, number: int, seat: Value) -> Menu:
    """What a decision offers a seat. Where errors are called, everything possible, whatever the tiers say."""
    decision = low.program.decisions[number]
    if low.program.called:
        actions = dict.fromkeys(item.action for tier in decision.tiers for item in tier.items)
        offers = tuple(lower_offer(low, action, seat, allowed=False) for action in actions)
        return Menu(number, (Tier(low.build.true, offers),), decision.optional)
    tiers = (lower_tier(low, tier, seat) for tier in decision.tiers)
    return Menu(number, tuple(tier for tier in tiers if tier.when is not low.build.false), decision.optional)


def lower_tier(low: Lowering, tier: ir.Tier, seat: Value) -> Tier:
    with low.within(tier.clause):
        when = low.test(tier.when, {0: seat})
    if when is low.build.false:
        return Tier(when, ())
    offers = [
        replace(_lower_item(low, item, seat), bundled=_is_bundled(low, tier, item)) for item in tier.items
    ]
    return Tier(when, tuple(offer for offer in offers if offer.test is not low.build.false))


def _lower_item(low: Lowering, item: ir.Item, seat: Value) -> Offer:
    """The choices of an action for which the condition of an item holds."""
    every = lower_offer(low, item.action, seat, allowed=True)
    if item.where is None:
        return every
    last = every.levels[-1] if every.levels else every
    env = {0: seat, **{depth: level.variable for depth, level in enumerate(every.levels, start=1)}}
    with low.within(every.clause), low.assuming(last.test):
        where = low.test(item.where, env)
    offer, test = replace(every, every=every, where=where), low.build.both(last.test, where)
    if not every.levels:
        return replace(offer, test=test)
    return replace(offer, levels=(*every.levels[:-1], replace(every.levels[-1], test=test)))


def lower_offer(low: Lowering, action: int, seat: Value, *, allowed: bool) -> Offer:
    """The choices of one action. Conditions are tested as soon as the picks they read are made."""
    declared = low.program.actions[action]
    conditions = (*declared.possible, *declared.allowed) if allowed else declared.possible
    tests = sort_by_depth(conditions, len(declared.picks))
    env = {0: seat}
    with low.within(declared.clause):
        first = _lower_tests(low, tests[0], env)
        levels = []
        for depth, pick in enumerate(declared.picks, start=1):
            variable, domain = _lower_pick(low, pick, depth, env)
            env = {**env, depth: variable}
            test = _lower_tests(low, tests[depth], env)
            level = Level(domain, variable, test, _are_alike(low, pick), pick.least is not None)
            level = _prune(low, level, pick, env, depth, allowed=allowed)
            levels.append(level if level.keeps is not None else _bound(low, level))
    return Offer(action, first, tuple(levels), declared.clause)


def _is_bundled(low: Lowering, tier: ir.Tier, item: ir.Item) -> bool:
    """Whether the last pick is a group of cards of which nothing need hold, so that the reference does not look at the
    groups one by one."""
    action = low.program.actions[item.action]
    if item.where is not None or not action.picks or action.picks[-1].low is None:
        return False
    again = sum(other.action == item.action for other in tier.items) > 1
    return not again and not sort_by_depth((*action.possible, *action.allowed), len(action.picks))[-1]


def _lower_tests(low: Lowering, tests: Sequence[ir.Expr], env: dict[int, Value]) -> Value:
    made = low.build.true
    for test in tests:
        with low.assuming(made):
            made = low.build.both(made, low.test(test, env))
    return made


def _lower_pick(low: Lowering, pick: ir.Pick, depth: int, env: dict[int, Value]) -> tuple[Value, Value]:
    """The variable of a pick, and what it is taken from: the elements that meet the pick's own condition, or groups of
    them."""
    build = low.build
    if pick.least is not None and pick.most is not None:
        least, most = low.need(pick.least, env), low.need(pick.most, env)
        if most.fact.high - least.fact.low >= MOST_NUMBERS:
            fits = build.less(build.subtract(most, least), build.number(MOST_NUMBERS))
            most = build.check(fits, most, pick.clause)
        domain = build.span(least, most)
        return build.open_variable(domain.element), domain
    source = low.lower(pick.source, env)
    if source.op == "none":
        source = build.known_list((), low.fact_of(certain(pick.source.type)).of)
    variable = build.open_variable(source.element)
    low.bind(source, variable)
    test = low.test(pick.where, {**env, depth: variable})
    candidates = build.bind_each(source, variable, test, variable)
    if pick.low is None:
        variable = build.open_variable(candidates.element)
        low.bind(candidates, variable)
        return variable, candidates
    least = low.need(pick.low, env)
    most = least if pick.high is None else low.need(pick.high, env)
    groups = lower_groups(low, candidates, least, most)
    return build.open_variable(groups.element), groups


def _prune(low: Lowering, level: Level, pick: ir.Pick, env: dict[int, Value], depth: int, *, allowed: bool) -> Level:
    """A level of groups, with what holds of every beginning of a group that can be chosen."""
    tests = [test for test in (pick.keeps, pick.keeps_allowed if allowed else None) if test is not None]
    if not tests or level.domain.op != "groups" or level.variable.fact.low < 1:
        return level
    begun = low.build.open_variable(replace(level.variable.fact, low=1))
    try:
        keeps = _lower_tests(low, tests, {**env, depth: begun})
    except Unsupported:
        return level
    return level if keeps is low.build.true else replace(level, begun=begun, keeps=keeps)


def lower_groups(low: Lowering, candidates: Value, least: Value, most: Value) -> Value:
    """Every group of so many candidates, the smaller first; how many is cut to what there are."""
    longest = max(0, min(candidates.fact.high, most.fact.high))
    group = list_of(candidates.element, longest, shortest=max(0, least.fact.low), unique=candidates.fact.unique)
    return low.build.read("groups", Fact(0, 1 << 20, of=group), candidates, least, most)


def _bound(low: Lowering, level: Level) -> Level:
    """The level; groups of no fixed size that are all run through are counted before, if they could be too many."""
    build, few = low.build, low.target.most_groups
    if level.domain.op != "groups" or few is None:
        return level
    candidates, least, most = level.domain.args
    if least is most and least.constant is not None:
        return level
    sizes = range(max(0, least.fact.low), max(0, min(candidates.fact.high, most.fact.high)) + 1)
    if sum(comb(candidates.fact.high, size) for size in sizes) <= few:
        return level
    many = build.read("combinations", between(0, MOST_COMBINED), build.count(candidates), least, most)
    most = build.check(build.less(many, build.number(few + 1)), most, low.clause)
    return replace(level, domain=build.make("groups", (candidates, least, most), (), level.domain.fact))


def _are_alike(low: Lowering, pick: ir.Pick) -> bool:
    """Whether candidates of one face in one zone are one choice."""
    faces = {card.face for card in low.program.cards}
    kind = certain(pick.type).kind
    return len(faces) < len(low.program.cards) and (kind == "card" or (kind == "list" and pick.low is not None))

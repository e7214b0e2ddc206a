"""Lowering of decisions: the legal choices as nested comprehensions (dependent products of picks, with predicates).

In: an action or a decision, and the seat as a value. Out: non-emptiness as a value; or a `Menu`, whose choices later
passes count and unrank (C) or enumerate (Python). Choices are ordered as in the reference: tiers, items, picks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import comb

from hoyle.base.dataclass import dataclass
from hoyle.play.codegen.low.build import Builder
from hoyle.play.codegen.low.facts import Fact, between, list_of
from hoyle.play.codegen.low.values import Value
from hoyle.play.codegen.lower.lowering import Lowering
from hoyle.play.codegen.unsupported import Unsupported
from hoyle.play.engine.legality import sort_by_depth
from hoyle.play.engine.limits import MOST_NUMBERS
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import certain

MOST_GROUPS = 1 << 20  # enumerated to count the choices of one pick
MOST_COMBINED = 1 << 26  # saturation of `combinations`


@dataclass(frozen=True, slots=True)
class Level:
    """One pick, a generator of the comprehension: `variable` ranges over the elements of `domain` that meet `test`.
    Equal elements are one choice; with `alike` so are cards of the same face in the same zone. With `numbers` it is a
    number parameter: the whole span `domain` is one choice, which is asked about in a second step. For groups `keeps`
    is the pruning predicate, over the variable `begun`: it holds for every prefix of a group that can be chosen.
    `pick` and `tests` are what it was lowered from. `charge`: the steps that testing an element takes at least, more
    for each of a group; `growing`: those for a prefix."""

    domain: Value
    variable: Value
    test: Value
    alike: bool
    pick: ir.Pick
    tests: tuple[ir.Expr, ...]
    begun: Value | None = None
    keeps: Value | None = None
    charge: tuple[int, int] = (0, 0)
    growing: tuple[int, int] = (0, 0)

    @property
    def numbers(self) -> bool:
        return self.pick.least is not None


@dataclass(frozen=True, slots=True)
class Offer:
    """The choices of one item: none unless `test`, lowered from `tests`, holds, else one for each binding of the picks.
    `clause` is that of the action. `bundled`: an enumeration leaves the groups of the last pick as one unexpanded set.
    If the item has a condition of its own, `where`, `every` is the same offer without it."""

    action: int
    test: Value
    levels: tuple[Level, ...]
    clause: int
    tests: tuple[ir.Expr, ...]
    bundled: bool = False
    every: Offer | None = None
    where: Value | None = None


@dataclass(frozen=True, slots=True)
class Tier:
    """Offers of one priority: considered only if `when`, lowered from `opens`, holds and all tiers before are empty."""

    when: Value
    offers: tuple[Offer, ...]
    opens: ir.Expr | None = None


@dataclass(frozen=True, slots=True)
class Menu:
    """The choices of a decision; if `optional`, declining is the last one. If `beyond` holds, listing them may
    be too much work for the reference."""

    decision: int
    tiers: tuple[Tier, ...]
    optional: bool
    beyond: Value | None = None


def list_roots(menu: Menu) -> Iterator[Value]:
    """The values a menu is made of."""
    if menu.beyond is not None:
        yield menu.beyond
    for tier in menu.tiers:
        yield tier.when
        for offer in tier.offers:
            yield offer.test
            for level in offer.levels:
                yield from (level.domain, level.test)


def list_ways(low: Lowering, action: int, seat: Value, *, allowed: bool) -> Value:
    """Whether the seat has any possible (and, if `allowed`, legal) choice of an action."""
    return _find_ways(low, lower_offer(low, action, seat, allowed=allowed))


def has_any(low: Lowering, tier: ir.Tier, seat: Value) -> Value:
    """Whether a tier offers the seat any choice, whatever its `when` says."""
    return low.build.either(*(_find_ways(low, offer) for offer in lower_tier(low, tier, seat).offers))


def _find_ways(low: Lowering, offer: Offer) -> Value:
    bounded = tuple(_bound(low, level) for level in offer.levels)  # existence is not pruned
    return has_choice(low.build, replace(offer, levels=bounded))


def has_choice(build: Builder, offer: Offer) -> Value:
    """Non-emptiness of an offer, as nested existentials."""
    found = build.true
    for level in reversed(offer.levels):
        test = build.both(level.test, found)
        if level.numbers:
            found = build.both(build.any(level.domain), test)
        else:
            found = build.any(build.bind_each(level.domain, level.variable, test, level.variable))
    return build.both(offer.test, found)


def lower_menu(low: Lowering, number: int, seat: Value) -> Menu:
    """The menu of a decision. In games where illegal plays are called, all possible choices, in one tier."""
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
    return Tier(when, tuple(offer for offer in offers if offer.test is not low.build.false), tier.when)


def _lower_item(low: Lowering, item: ir.Item, seat: Value) -> Offer:
    """The offer of an item: that of its action, with the item's condition conjoined to the innermost test."""
    every = lower_offer(low, item.action, seat, allowed=True)
    if item.where is None:
        return every
    inner = every.levels[-1] if every.levels else every
    env = {0: seat, **{depth: level.variable for depth, level in enumerate(every.levels, start=1)}}
    with low.within(every.clause), low.assuming(inner.test):
        where = low.test(item.where, env)
    offer, test = replace(every, every=every, where=where), low.build.both(inner.test, where)
    if not every.levels:
        return replace(offer, test=test, tests=(*offer.tests, item.where))
    last = replace(every.levels[-1], test=test, tests=(*every.levels[-1].tests, item.where))
    return replace(offer, levels=(*every.levels[:-1], last))


def lower_offer(low: Lowering, action: int, seat: Value, *, allowed: bool) -> Offer:
    """The offer of one action. Each condition is tested at the outermost level that binds all picks it reads."""
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
            charge = low.least.charge_group(tests[depth], depth)
            level = Level(domain, variable, test, _are_alike(low, pick), pick, tests[depth], charge=charge)
            level = _prune(low, level, pick, env, depth, allowed=allowed)
            levels.append(level if level.keeps is not None else _bound(low, level))
    return Offer(action, first, tuple(levels), declared.clause, tests[0])


def _is_bundled(low: Lowering, tier: ir.Tier, item: ir.Item) -> bool:
    """Whether the last pick is a group of cards without a condition, which the reference, too, does not expand."""
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
    """The variable of a pick, and its domain: the elements that meet the pick's own condition, or groups of them."""
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
    """The level with its pruning predicate, if the program derives one for the groups of this pick."""
    tests = [test for test in (pick.keeps, pick.keeps_allowed if allowed else None) if test is not None]
    if not tests or level.domain.op != "groups" or level.variable.fact.low < 1:
        return level
    begun = low.build.open_variable(replace(level.variable.fact, low=1))
    try:
        keeps = _lower_tests(low, tests, {**env, depth: begun})
    except Unsupported:
        return level
    if keeps is low.build.true:
        return level
    return replace(level, begun=begun, keeps=keeps, growing=low.least.charge_group(tests, depth))


def lower_groups(low: Lowering, candidates: Value, least: Value, most: Value) -> Value:
    """All combinations of `least` to `most` candidates, by size; sizes are clamped to the number of candidates."""
    longest = max(0, min(candidates.fact.high, most.fact.high))
    group = list_of(candidates.element, longest, shortest=max(0, least.fact.low), unique=candidates.fact.unique)
    return low.build.read("groups", Fact(0, 1 << 20, of=group), candidates, least, most)


def _bound(low: Lowering, level: Level) -> Level:
    """The level, with a check that the number of groups is within bounds, if facts cannot rule out more."""
    build = low.build
    if level.domain.op != "groups":
        return level
    candidates, least, most = level.domain.args
    if least is most and least.constant is not None:
        return level
    if count_elements(level) <= MOST_GROUPS:
        return level
    many = build.read("combinations", between(0, MOST_COMBINED), build.count(candidates), least, most)
    most = build.check(build.less(many, build.number(MOST_GROUPS + 1)), most, low.clause)
    return replace(level, domain=build.make("groups", (candidates, least, most), (), level.domain.fact))


def count_elements(level: Level) -> int:
    """The most elements that a pick can have."""
    if level.numbers:
        return 1
    if level.domain.op != "groups":
        return level.domain.fact.high
    candidates, least, most = level.domain.args
    sizes = range(max(0, least.fact.low), max(0, min(candidates.fact.high, most.fact.high)) + 1)
    return sum(comb(candidates.fact.high, size) for size in sizes)


def _are_alike(low: Lowering, pick: ir.Pick) -> bool:
    """Whether cards of the same face in the same zone are interchangeable in this pick, and faces repeat at all."""
    faces = {card.face for card in low.program.cards}
    kind = certain(pick.type).kind
    return len(faces) < len(low.program.cards) and (kind == "card" or (kind == "list" and pick.low is not None))

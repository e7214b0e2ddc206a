"""Counting and unranking of the choices of a decision.

In: a menu. Out: `Segment`s: for each offer the number of choices, and how to unrank one. A single pick with a small
domain is materialised and indexed; unconditioned combinations have closed forms (binomials); everything else is
enumerated once to count, and again up to the chosen index.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import reduce

from hoyle.base.dataclass import dataclass
from hoyle.play.codegen.low.facts import Fact, between, list_of
from hoyle.play.codegen.low.program import Decide, Fault, Grow, Leave, Let, Module, Push, When, list_end_values
from hoyle.play.codegen.low.values import IN_PLACE, Value
from hoyle.play.codegen.lower.menus import Level, Offer, Tier, count_elements
from hoyle.play.codegen.passes.bitsets import run_by_set, test_by_set
from hoyle.play.codegen.passes.expand import Expander
from hoyle.play.codegen.passes.hoist import hoist
from hoyle.play.codegen.passes.patterns import find_filter, of_lists, split_list
from hoyle.play.codegen.passes.symmetry import find_twins, has_copies, loop_over_classes
from hoyle.play.engine.limits import MOST_LISTING
from hoyle.play.engine.work import MOST_LIKELY

MOST_LISTED = 256  # the largest domain of a single pick that is materialised
MOST_COUNTED = 1 << 24  # choices of a decision; more are a fault


@dataclass(slots=True)
class Segment:
    """The choices of one offer, a segment of the index range of the decision: `size`, and `take`, which unranks an
    index into picks. `closed`: both are closed forms, without enumeration."""

    offer: Offer
    size: Value
    take: Callable[[Value], tuple[Value, ...]]
    closed: bool = False


class Unranking:
    """Counts and unranks the choices of the decisions of one module."""

    def __init__(self, module: Module, expander: Expander) -> None:
        self.build = module.build
        self.expander = expander
        self._left: Value | None = None  # of the steps that may be charged for groups, where they may be too many

    # ---------------------------------------------------------------------------------------------- tiers
    def count(self, end: Decide) -> tuple[Value, list[Segment], Value]:
        """Count the choices of all offers; those of all tiers but the first non-empty one count 0."""
        build, expander = self.build, self.expander
        expander.start(list_end_values(end))
        expander.asked = seat = expander.name(expander.value(end.seat))
        segments: list[Segment] = []
        total = build.false
        if end.menu.beyond is not None:
            expander.refuse_unless(build.negate(expander.value(end.menu.beyond)), 0)
        if sum(most_charged(offer) for tier in end.menu.tiers for offer in tier.offers) > MOST_LISTING:
            self._left = expander.register(between(-MOST_LIKELY, MOST_LISTING))
            expander.out.append(Let(self._left, build.number(MOST_LISTING)))
        for tier in end.menu.tiers:
            found, total = self._count_tier(tier, total)
            segments += found
        self._left = None
        return seat, segments, total

    def _count_tier(self, tier: Tier, before: Value) -> tuple[list[Segment], Value]:
        """Count a tier, under the condition that all tiers before it were empty."""
        build, expander = self.build, self.expander
        if not tier.offers:
            return [], before
        sizes = [expander.register(size_fact(offer)) for offer in tier.offers]
        total = expander.register(between(0, sum(size.fact.high for size in sizes) + before.fact.high))
        expander.out += [Let(total, before), *(Let(size, build.false) for size in sizes)]
        segments: list[Segment] = []

        def count() -> None:
            for place, (offer, size) in enumerate(zip(tier.offers, sizes, strict=True)):
                again = any(other.action == offer.action for other in tier.offers[:place])
                segments.extend(self._list_segments(offer, size, tier.offers[:place] if again else ()))
            expander.set(total, reduce(build.add, sizes))

        expander.when(build.equal(before, build.false), lambda: expander.when(expander.value(tier.when), count))
        return segments, total

    def sum_listed(self, segments: list[Segment]) -> Value:
        """How many choices were enumerated to be counted."""
        return reduce(self.build.add, (each.size for each in segments if not each.closed), self.build.false)

    def _charge(self, charge: tuple[int, int], element: Value) -> None:
        """Charge for testing an element what it takes at least. Beyond what is allowed, the reference goes on, and
        tells the fault if it is one."""
        if self._left is None or charge == (0, 0):
            return
        build, expander = self.build, self.expander
        steps, more = map(build.number, charge)
        if element.fact.is_list:
            steps = build.add(steps, build.multiply(expander.length(element), more))
        self._spend(self._left, steps)

    def _charge_all(self, level: Level) -> None:
        """Charge for testing all elements of a pick at once."""
        if self._left is not None and level.charge != (0, 0):
            many = self.expander.value(self.build.count(level.domain))
            self._spend(self._left, self.build.multiply(many, self.build.number(level.charge[0])))

    def _spend(self, left: Value, steps: Value) -> None:
        build, expander = self.build, self.expander
        expander.set(left, build.make("subtract", (left, expander.name(steps)), (), left.fact))
        expander.refuse_unless(build.negate(build.less(left, build.false)), 0)

    # ---------------------------------------------------------------------------------------------- offers
    def _list_segments(self, offer: Offer, size: Value, earlier: tuple[Offer, ...]) -> list[Segment]:
        """Count an offer into a register; no segment if its test folds to false. Choices of `earlier` offers of the
        same action in the tier are left out."""
        segments, test = list[Segment](), self.expander.value(offer.test)
        if offer.levels:
            self.expander.when(test, lambda: segments.append(self._count_picks(offer, size, earlier)))
        else:
            self.expander.set(size, self.expander.value(self.build.both(offer.test, self._is_new(offer, earlier))))
            segments.append(Segment(offer, size, lambda place: ()))
        return segments

    def _count_picks(self, offer: Offer, size: Value, earlier: tuple[Offer, ...]) -> Segment:
        level = offer.levels[0]
        if len(offer.levels) == 1 and not earlier and not level.numbers:
            of = level.domain.element
            tests = level.test is not self.build.true or (self._left is not None and level.charge != (0, 0))
            if of.is_list and level.domain.op == "groups" and not tests and not level.alike:
                closed = self._closed_groups(offer, level, size)
                if closed is not None:
                    return closed
            if not of.is_list and level.domain.fact.high <= MOST_LISTED:
                return self._listed(offer, level, size)
        return self._counted(offer, size, earlier)

    def find_ends(self, numbers: Value) -> tuple[Value, Value]:
        """The bounds of a number parameter."""
        if numbers.constants is not None:
            known = numbers.constants or (0, -1)
            return self.build.number(known[0]), self.build.number(known[-1])
        low, high = (self.expander.name(self.expander.value(end)) for end in numbers.args)
        return low, high

    def _listed(self, offer: Offer, level: Level, size: Value) -> Segment:
        """One pick: materialise its candidates, unrank by indexing."""
        expander, build = self.expander, self.build
        of = level.domain.element
        listed = expander.register(list_of(of, level.domain.fact.high, unique=True))
        expander.out.append(Let(listed, build.known_list((), of)))

        def found(element: Value) -> None:
            expander.out.append(Push(listed, element))

        self._run_through(level, found)
        expander.set(size, build.read("length", between(0, listed.fact.high), listed))
        some = build.any(build.bind_each(level.domain, level.variable, level.test, level.variable))
        if not some.free and some.constant is None:  # non-emptiness is now available without a loop
            expander.record(some, expander.name(build.less(build.false, size)))
        return Segment(offer, size, lambda place: (build.read("element", of, listed, place),))

    def _closed_groups(self, offer: Offer, level: Level, size: Value) -> Segment | None:
        """Unconditioned combinations: counted by binomials, unranked in lexicographic order."""
        expander, build = self.expander, self.build
        candidates, least, most = level.domain.args
        if not candidates.fact.unique or candidates.fact.high > 64:
            return None
        source = expander.listed(candidates)
        length = expander.name(expander.length(source))
        known = least is most and least.constant is not None
        sizes = (least, most) if known else expander.group_sizes(source, level.domain)
        expander.out.append(Let(size, build.read("combinations", size.fact, length, *sizes)))
        of = level.domain.element
        return Segment(offer, size, lambda place: (build.read("nth_group", of, source, *sizes, place),), closed=True)

    def _counted(self, offer: Offer, size: Value, earlier: tuple[Offer, ...]) -> Segment:
        """Count by enumeration; unrank by enumerating again, counting down to the index."""
        expander, build = self.expander, self.build

        def add(many: Value) -> None:
            expander.set(size, build.make("add", (size, many), (), size.fact))

        last = None if earlier else self._count_last(offer)
        if last is None:
            self._bind(offer, 0, earlier, lambda: add(build.true))
        else:
            before = offer.levels[:-1]
            hoist(expander, expander.expect(last), *(level.variable.number for level in before))

            def add_all() -> None:
                self._charge_all(offer.levels[-1])
                add(expander.value(last))

            self._bind(replace(offer, levels=before), 0, (), add_all)

        def take(place: Value) -> tuple[Value, ...]:
            left = expander.register(between(-1, 1 << 20))
            expander.out.append(Let(left, place))
            variables = [level.variable for level in offer.levels if not level.numbers]
            picks = {variable: expander.register(variable.fact) for variable in variables}
            label = expander.label()

            def found() -> None:
                taken = (Let(pick, expander.bound[variable.number]) for variable, pick in picks.items())
                expander.out.append(When(build.equal(left, build.false), (*taken, Leave(label))))
                expander.set(left, build.make("subtract", (left, build.true), (), left.fact))

            def search() -> None:
                self._bind(offer, 0, earlier, found)
                expander.out.append(Fault(offer.clause))

            expander.once(label, search)
            return tuple(picks.get(level.variable, build.none) for level in offer.levels)

        return Segment(offer, size, take)

    def _count_last(self, offer: Offer) -> Value | None:
        """The number of candidates for the last pick given those before, if it is a popcount rather than a loop."""
        build, level = self.build, offer.levels[-1]
        if len(offer.levels) == 1 or level.numbers or (level.alike and has_copies(self.expander, level.domain)):
            return None
        picked = build.bind_each(level.domain, level.variable, level.test, level.variable)
        return None if split_list(build, picked) is None or picked.faults else build.count(picked)

    def _bind(self, offer: Offer, depth: int, earlier: tuple[Offer, ...], found: Callable[[], None]) -> None:
        """The loop nest over the picks of an offer from a depth on."""
        expander, build = self.expander, self.build
        if depth == len(offer.levels):
            expander.when(expander.value(self._is_new(offer, earlier)), found)
            return
        level = offer.levels[depth]
        if level.numbers:
            low, high = self.find_ends(level.domain)
            some = build.negate(build.less(high, low))

            def go_on() -> None:
                expander.when(expander.value(level.test), lambda: self._bind(offer, depth + 1, earlier, found))

            expander.when(some, go_on)
            return
        variables = [each.variable.number for each in offer.levels[depth:]]
        for each in offer.levels[depth + 1 :]:
            self._list_before(each.domain, variables)
            hoist(expander, each.test, *variables)
        self._run_through(level, lambda element: self._bind(offer, depth + 1, earlier, found))

    def _list_before(self, domain: Value, variables: list[int]) -> None:
        """Materialise the domain of an inner pick before the outer loops, if it is invariant in them."""
        is_plain = not (domain.op in IN_PLACE or domain.op in ("groups", "span") or of_lists(domain))
        if is_plain and not domain.guarded and not domain.faults and not domain.free.intersection(variables):
            self.expander.listed(domain)

    def _is_new(self, offer: Offer, earlier: tuple[Offer, ...]) -> Value:
        """Whether no earlier offer of the action in the tier has the choice: only items' conditions can differ."""
        build, test = self.build, self.build.true
        for other in earlier:
            if other.action == offer.action:
                offered = other.where or build.true
                for level, mine in zip(other.levels, offer.levels, strict=True):
                    offered = build.replace(offered, level.variable, mine.variable)
                test = build.both(test, build.negate(offered))
        return test

    def _run_through(self, level: Level, found: Callable[[Value], None]) -> None:
        """The loop over the candidates of a pick, without duplicates, with its variable bound."""
        expander, build, number = self.expander, self.build, level.variable.number
        domain, test = level.domain, level.test
        of = domain.element
        alike = level.alike and (of.is_list or has_copies(expander, domain))
        if not alike and not of.is_list:
            domain, test = self._join_tests(level)
        hoist(expander, test, number)
        if of.is_list or alike:
            test = test_by_set(expander, test, number, domain)
        else:
            domain, test = run_by_set(expander, test, number, build.distinct(domain))

        def bind(element: Value) -> None:
            with expander.binding(number, element) as named:
                self._charge(level.charge, named)
                expander.when(expander.value(test), lambda: found(named))

        if of.is_list:
            self._run_through_groups(level, bind)
        elif alike:
            loop_over_classes(expander, domain, bind)
        else:
            expander.fold_streaming(domain, bind)

    def _join_tests(self, level: Level) -> tuple[Value, Value]:
        """The domain and the test of a pick, with a filter in the domain fused into the test."""
        domain, build = level.domain, self.build
        source, where = find_filter(domain)
        if source is None or not source.fact.unique or self.expander.uses[domain] > 1 or self.expander.find(domain):
            return domain, level.test
        own = build.read("var", level.variable.fact, data=(domain.number,))
        return source, self.expander.expect(build.both(build.replace(where, own, level.variable), level.test))

    def _run_through_groups(self, level: Level, bind: Callable[[Value], None]) -> None:
        expander, build = self.expander, self.build
        if level.domain.op != "groups":
            expander.fold_streaming(level.domain, bind)
            return
        listed = expander.listed(build.distinct(level.domain.args[0]))
        of = level.domain.element
        sizes = expander.group_sizes(listed, level.domain)
        twins = find_twins(expander, listed) if level.alike else None
        begun, keeps = level.begun, level.keeps
        if begun is None or keeps is None:
            expander.groups(listed, *sizes, of, twins, bind)
            return

        def grow(group: Value) -> None:
            with expander.binding(begun.number, group):
                self._charge(level.growing, group)
                expander.out.append(Grow(expander.value(keeps)))
            bind(group)

        hoist(expander, keeps, begun.number)
        expander.groups(listed, *sizes, replace(of, low=1), twins, grow)


def most_charged(offer: Offer) -> int:
    """The most steps charged for testing the groups of an offer."""
    ways, steps = 1, 0
    for level in offer.levels:
        ways *= count_elements(level)
        longest = level.variable.fact.high * level.variable.fact.is_list
        steps += ways * sum(each + element * longest for each, element in (level.charge, level.growing))
    return steps


def size_fact(offer: Offer) -> Fact:
    """A bound on the number of choices of an offer, saturating: larger menus are a fault."""
    if any(level.domain.op == "groups" for level in offer.levels):
        return between(0, MOST_COUNTED + 1)
    return between(0, min(1 << 20, math.prod(1 if each.numbers else each.domain.fact.high for each in offer.levels)))

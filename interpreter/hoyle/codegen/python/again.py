"""Actions that are offered in several tiers of a decision.

In: a menu. Out: for offers whose choices are some of those of another offer, that one, and which they are: so that what
takes long to list is listed once.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import Any

from hoyle.codegen.low.build import Builder
from hoyle.codegen.low.values import Value
from hoyle.codegen.lower.menus import Level, Menu, Offer
from hoyle.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Again:
    """An offer whose choices are those of `every` for which `where` holds."""

    every: Offer
    where: Value


PARTS = ("domain", "test", "variable", "begun", "keeps")  # of a level, which are values


def find_again(build: Builder, menu: Menu) -> dict[Offer, Again]:
    """The offers of actions that are offered in several tiers, if it takes long to list them."""
    by_action: dict[int, dict[Offer, set[int]]] = defaultdict(dict)  # with the numbers of the tiers
    for number, tier in enumerate(menu.tiers):
        for offer in tier.offers:
            by_action[offer.action].setdefault(offer, set()).add(number)
    found: dict[Offer, Again] = {}
    for offers in by_action.values():
        first = next(iter(offers))
        if len(set.union(*offers.values())) < 2 or not _takes_long(first):
            continue
        aligned = [_align(build, offer, first) for offer in offers]
        tests = [_list_parts(build, levels[-1].test) for levels in aligned]
        common = _count_common(tests)
        every = _with_test(build, first.levels, tests[0][:common])
        same = all(_with_test(build, levels, tests[0][:common]) == every for levels in aligned)
        if not same or any(offer.test is not first.test for offer in offers):
            continue
        for offer, parts in zip(offers, tests, strict=True):
            found[offer] = Again(replace(first, levels=every, bundled=False), build.both(*parts[common:]))
    return found


def _takes_long(offer: Offer) -> bool:
    if not offer.levels or offer.bundled or any(level.numbers for level in offer.levels):
        return False
    return len(offer.levels) > 1 or offer.levels[0].domain.op == "groups" or offer.levels[0].test.loops


def _align(build: Builder, offer: Offer, first: Offer) -> tuple[Level, ...]:
    """The levels of an offer with the variables of another of the same action."""
    own, others = _list_variables(offer), _list_variables(first)
    if len(own) != len(others):
        return offer.levels

    def put(value: Value) -> Value:
        for variable, other in zip(own, others, strict=True):
            value = build.replace(value, variable, other)
        return value

    def align(level: Level) -> Level:
        parts: dict[str, Any] = {part: put(value) for part in PARTS if (value := getattr(level, part)) is not None}
        return replace(level, **parts)

    return tuple(map(align, offer.levels))


def _list_variables(offer: Offer) -> list[Value]:
    begun = [level.begun for level in offer.levels if level.begun is not None]
    return [*(level.variable for level in offer.levels), *begun]


def _list_parts(build: Builder, test: Value) -> tuple[Value, ...]:
    if test is build.true:
        return ()
    return test.args if test.op == "and" else (test,)


def _count_common(tests: list[tuple[Value, ...]]) -> int:
    """How many tests all begin with."""
    most = min(map(len, tests))
    return next((at for at in range(most) if len({parts[at] for parts in tests}) > 1), most)


def _with_test(build: Builder, levels: tuple[Level, ...], parts: tuple[Value, ...]) -> tuple[Level, ...]:
    return (*levels[:-1], replace(levels[-1], test=build.both(*parts)))

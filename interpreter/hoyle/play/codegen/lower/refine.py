"""Refinement of facts by branch conditions: the transfer function of a conditional edge.

In: the facts before a branch, and its test. Out: the facts on the edge where it holds, or fails.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from hoyle.play.codegen.low.facts import NONE, Fact, between, exactly
from hoyle.play.codegen.low.values import Value
from hoyle.play.codegen.lower.control_flow import Place

Known = dict[Place, Fact]


def refine(known: Known, test: Value, holds: bool) -> Known:
    """The facts on one edge of a branch; a contradiction leaves the fact as it was."""
    found = dict(known)
    for place, fact in _list_refined(known, test, holds):
        found[place] = fact if fact.low <= fact.high or fact.none else found[place]
    return found


def _list_refined(known: Known, test: Value, holds: bool) -> Iterable[tuple[Place, Fact]]:
    match test.op:
        case "not":
            yield from _list_refined(known, test.args[0], not holds)
        case "and" | "or" if (test.op == "and") == holds:
            for part in test.args:
                yield from _list_refined(known, part, holds)
        case "is_none":
            place = _place_of(test.args[0])
            if place is not None:
                yield place, NONE if holds else known[place].sure()
        case "less":
            a, b = test.args
            if not holds:
                a, b = b, a
            gap = int(holds)
            yield from _bound(known, a, high=b.fact.high - gap)
            yield from _bound(known, b, low=a.fact.low + gap)
        case "equal" if holds:
            for a, b in (test.args, test.args[::-1]):
                yield from _bound(known, a, low=b.fact.low, high=b.fact.high)
        case "state" | "slot":
            place = _place_of(test)
            if place is not None and known[place].is_truth:
                yield place, exactly(int(holds))


def _bound(known: Known, value: Value, low: int | None = None, high: int | None = None) -> Iterable[tuple[Place, Fact]]:
    place = _place_of(value)
    if place is None or known[place].is_list:
        return
    fact = known[place]
    bounds = between(
        fact.low if low is None else max(fact.low, low), fact.high if high is None else min(fact.high, high)
    )
    if bounds.low <= bounds.high:
        yield place, replace(fact, low=bounds.low, high=bounds.high, none=False)


def _place_of(value: Value) -> Place | None:
    """The scalar slot or state that a value loads, if it is a load."""
    while value.op == "sure":
        value = value.args[0]
    if value.op in ("slot", "state") and not value.args:
        return value.op, value.number
    return None

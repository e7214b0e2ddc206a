"""Loop-invariant code motion.

In: a value that is evaluated in a loop. Out: statements before the loop, recorded as available expressions.
"""

from __future__ import annotations

from hoyle.play.codegen.low.facts import TRUTH
from hoyle.play.codegen.low.program import Let
from hoyle.play.codegen.low.values import BINDERS, SCALARS, Value, walk
from hoyle.play.codegen.passes.expand import Expander
from hoyle.play.codegen.passes.patterns import BITS, split_list
from hoyle.play.codegen.passes.speculate import make_speculatable

HOISTED_WEIGHT = 3


def hoist(expander: Expander, value: Value, *inner: int) -> None:
    """Hoist the invariant subterms of a loop body; `inner` are the variables of the loop. What can be executed safely
    is evaluated before the loop; guarded values are made speculatable first, or, if they are expensive, become lazy:
    evaluated in the loop on first use."""
    done: set[tuple[Value, tuple[int, ...]]] = set()

    def visit(node: Value, inner: tuple[int, ...]) -> None:
        if (node, inner) in done:
            return
        done.add((node, inner))
        if _is_outside(node, inner):
            _hoist_whole(expander, node)
            return
        if node.op in ("any", "count"):
            _hoist_list(expander, node, inner)
        elif node.op == "divided":
            _hoist_survey(expander, node, inner)
        for place, arg in enumerate(node.args):
            visit(arg, (*inner, node.number) if node.op in BINDERS and place else inner)

    visit(value, inner)


def _is_outside(value: Value, inner: tuple[int, ...]) -> bool:
    return not value.free.intersection(inner)


def _hoist_whole(expander: Expander, value: Value) -> None:
    bound = all(each in expander.bound for each in value.free)
    if not bound or value.weight < HOISTED_WEIGHT or value.fact.is_list or expander.find(value) is not None:
        return
    if value.loops and not value.guarded and not value.faults:
        expander.record(value, expander.name(expander.value(value)))
    elif value in expander.cache.registers:
        return
    elif (speculated := make_speculatable(expander.build, value)) is not None:
        expander.record(value, expander.name(expander.value(expander.expect(speculated))))
    elif value.loops:
        _make_lazy(expander, value)


def _hoist_list(expander: Expander, value: Value, inner: tuple[int, ...]) -> None:
    """Hoist the bit set of an invariant list that is filtered in the loop (see `bitsets`)."""
    found = split_list(expander.build, value.args[0])
    if found is None or not _is_outside(found[0], inner) or not all(each in expander.bound for each in found[0].free):
        return
    _, where, variable = found
    if all(node.op in SCALARS for node in walk(where) if variable.number in node.free):
        expander.value(expander.build.read("list_set", BITS, found[0]))


def _hoist_survey(expander: Expander, value: Value, inner: tuple[int, ...]) -> None:
    """Hoist the invariant operands of a partition: cards, survey of groups, weights."""
    cards, _, groups, weights = value.args
    for listed in (cards, groups, weights):
        bound = all(each in expander.bound for each in listed.free)
        if bound and _is_outside(listed, inner) and not listed.guarded:
            expander.listed(listed)


def _make_lazy(expander: Expander, value: Value) -> None:
    """Make a value lazy. Its register is initialised before the loop, so that it is declared outside of it."""
    register, known = expander.register(value.fact), expander.register(TRUTH)
    expander.out += [Let(known, expander.build.false), Let(register, expander.build.number(value.fact.low))]
    expander.record(value, expander.build.read("lazy", value.fact, register, known))

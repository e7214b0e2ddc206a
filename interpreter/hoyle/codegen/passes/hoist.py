"""What does not change while a loop runs, worked out before it.

In: a value that is worked out in a loop. Out: statements before the loop; the expander finds what they have worked out.
"""

from __future__ import annotations

from hoyle.codegen.low.facts import TRUTH
from hoyle.codegen.low.program import Let
from hoyle.codegen.low.values import BINDERS, SCALARS, Value, walk
from hoyle.codegen.passes.expand import Expander
from hoyle.codegen.passes.harmless import make_harmless
from hoyle.codegen.passes.shapes import BITS, split_list

HOISTED_WEIGHT = 3


def hoist(expander: Expander, value: Value, *inner: int) -> None:
    """Work out before a loop what does not change in it, whose `inner` variables these are; what is good only where
    something is known, so that it does no harm where that is not so, or, if it is much work, in the loop when it is
    needed for the first time."""
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
        expander.keep(value, expander.name(expander.value(value)))
    elif value in expander.kept.registers:
        return
    elif (harmless := make_harmless(expander.build, value)) is not None:
        expander.keep(value, expander.name(expander.value(expander.expect(harmless))))
    elif value.loops:
        _postpone(expander, value)


def _hoist_list(expander: Expander, value: Value, inner: tuple[int, ...]) -> None:
    """What is asked of one list again and again is asked of the set of its elements."""
    found = split_list(expander.build, value.args[0])
    if found is None or not _is_outside(found[0], inner) or not all(each in expander.bound for each in found[0].free):
        return
    _, where, variable = found
    if all(node.op in SCALARS for node in walk(where) if variable.number in node.free):
        expander.value(expander.build.read("list_set", BITS, found[0]))


def _hoist_survey(expander: Expander, value: Value, inner: tuple[int, ...]) -> None:
    """All cards of which some are divided in a loop, their groups and weights are listed once."""
    cards, _, groups, weights = value.args
    for listed in (cards, groups, weights):
        bound = all(each in expander.bound for each in listed.free)
        if bound and _is_outside(listed, inner) and not listed.guarded:
            expander.listed(listed)


def _postpone(expander: Expander, value: Value) -> None:
    """Let a value be worked out once, when it is needed. Its register is set outside of the loop, too: it belongs
    there."""
    register, known = expander.register(value.fact), expander.register(TRUTH)
    expander.out += [Let(known, expander.build.false), Let(register, expander.build.number(value.fact.low))]
    expander.keep(value, expander.build.read("postponed", value.fact, register, known))

"""Speculation: guarded values made safe to evaluate where their guard does not hold.

In: a value. Out: if it is cheap, one that is equal where the guards hold, and an arbitrary number in range elsewhere.
"""

from __future__ import annotations

from hoyle.play.codegen.low.build import Builder
from hoyle.play.codegen.low.scalars import list_sure
from hoyle.play.codegen.low.values import REDUCERS, Value, transform, walk
from hoyle.play.codegen.passes.mod_ref import OF_PLACE, OF_ZONE, PURE

HEAVIEST = 60
MOST_TRIED = 64  # the longest loop that is speculated
SPECULATABLE = PURE - {"need", "check"} | OF_ZONE.keys() | OF_PLACE.keys() | {"holder", "zone_of", "register", "asked"}
SPECULATABLE -= {"index_in", "surveyed", "divided"}


def is_self_guarded(value: Value, known: frozenset[Value] = frozenset()) -> bool:
    """Whether every assumption in a value is dominated by a test in it; `known` are values tested not to be none."""
    if not value.guarded:
        return True
    if value.op == "sure":
        inner = value.args[0]
        return inner in known and value.fact == inner.fact.sure() and is_self_guarded(inner, known)
    if value.op in ("and", "or"):
        for part in value.args:
            if not is_self_guarded(part, known):
                return False
            known = known.union(list_sure(part, value.op == "and"))
        return True
    if value.op == "if":
        test, yes, no = value.args
        sure_yes, sure_no = (known.union(list_sure(test, holds)) for holds in (True, False))
        return is_self_guarded(test, known) and is_self_guarded(yes, sure_yes) and is_self_guarded(no, sure_no)
    return all(is_self_guarded(arg, known) for arg in value.args)


def make_speculatable(build: Builder, value: Value) -> Value | None:
    """The value in speculatable form; None if it is expensive, can fault, or has an operation that cannot be."""
    if value.faults or value.weight > HEAVIEST:
        return None
    nodes = list(walk(value))
    if not all(node.op in SPECULATABLE for node in nodes):
        return None
    loops = [node for node in nodes if node.op in REDUCERS]
    if len(loops) > 1 or any(node.op != "any" or node.args[0].fact.high > MOST_TRIED for node in loops):
        return None
    if any(node.op in ("divide", "modulo") and node.args[1].fact.low <= 0 for node in nodes):
        return None
    return transform(value, build, lambda node: _settle(build, node), {})


def _settle(build: Builder, node: Value) -> Value:
    """An assumption replaced by a clamp: the lower bound where the assumption fails."""
    if node.op != "sure" or node.fact.is_list:
        return node
    inner, low, high = build.sure(node.args[0]), build.number(node.fact.low), build.number(node.fact.high)
    bad = build.either(build.is_none(node.args[0]), build.less(inner, low), build.less(high, inner))
    return build.choose(bad, low, node)

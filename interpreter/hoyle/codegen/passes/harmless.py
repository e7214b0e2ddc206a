"""Values that are good only where something is known, made so that they do no harm anywhere.

In: a value. Out: one that is the same where the other is good, and some number elsewhere, if working it out costs so
little that it may be in vain.
"""

from __future__ import annotations

from hoyle.codegen.low.build import Builder
from hoyle.codegen.low.scalars import list_sure
from hoyle.codegen.low.values import REDUCERS, Value, transform, walk
from hoyle.codegen.passes.keep import OF_PLACE, OF_ZONE, PURE

HEAVIEST = 60
MOST_TRIED = 64  # elements of a list that is run through
HARMLESS = PURE - {"need", "check"} | OF_ZONE.keys() | OF_PLACE.keys() | {"holder", "zone_of", "register", "asked"}
HARMLESS -= {"index_in", "surveyed", "divided"}


def is_protected(value: Value, known: frozenset[Value] = frozenset()) -> bool:
    """Whether a value asks itself whatever it is good only if known; `known` are those that are no none."""
    if not value.guarded:
        return True
    if value.op == "sure":
        inner = value.args[0]
        return inner in known and value.fact == inner.fact.sure() and is_protected(inner, known)
    if value.op in ("and", "or"):
        for part in value.args:
            if not is_protected(part, known):
                return False
            known = known.union(list_sure(part, value.op == "and"))
        return True
    if value.op == "if":
        test, yes, no = value.args
        sure_yes, sure_no = (known.union(list_sure(test, holds)) for holds in (True, False))
        return is_protected(test, known) and is_protected(yes, sure_yes) and is_protected(no, sure_no)
    return all(is_protected(arg, known) for arg in value.args)


def make_harmless(build: Builder, value: Value) -> Value | None:
    """The value, so that it can be worked out anywhere; None if it is much work, or can fault."""
    if value.faults or value.weight > HEAVIEST:
        return None
    nodes = list(walk(value))
    if not all(node.op in HARMLESS for node in nodes):
        return None
    loops = [node for node in nodes if node.op in REDUCERS]
    if len(loops) > 1 or any(node.op != "any" or node.args[0].fact.high > MOST_TRIED for node in loops):
        return None
    if any(node.op in ("divide", "modulo") and node.args[1].fact.low <= 0 for node in nodes):
        return None
    return transform(value, build, lambda node: _settle(build, node), {})


def _settle(build: Builder, node: Value) -> Value:
    """What is sure to be a number in a range, in that range even if it is none, or another."""
    if node.op != "sure" or node.fact.is_list:
        return node
    inner, low, high = build.sure(node.args[0]), build.number(node.fact.low), build.number(node.fact.high)
    bad = build.either(build.is_none(node.args[0]), build.less(inner, low), build.less(high, inner))
    return build.choose(bad, low, node)

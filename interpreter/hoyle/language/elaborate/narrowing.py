"""Flow-sensitive typing: narrowing of types that may be none by the tests that guard an expression.

In: a test and its outcome. Out: facts, each an expression that is not none.

A comparison with none is false, so a true comparison proves that both sides are not none; so do `is not none`, `is not
empty`, and a count that cannot be 0. Since none propagates through attributes, owners and words, a value that is not
none proves the same of its operands.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator
from dataclasses import field

from hoyle.base.dataclass import dataclass
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.express import express
from hoyle.program.ir.types import Type, maybe
from hoyle.program.ir.walk import walk_expression
from hoyle.program.words import WORDS, Op, applies, op_of


@dataclass(frozen=True, slots=True)
class Fact:
    """An expression that is not none. `key` is its text without types, which change as more is known."""

    key: str
    expr: ir.Expr = field(compare=False)


_COMPARED: dict[Op | None, Callable[[int, int], bool]] = {
    Op.EQUAL: operator.eq, Op.DIFFER: operator.ne, Op.LESS: operator.lt, Op.AT_MOST: operator.le,
    Op.GREATER: operator.gt, Op.AT_LEAST: operator.ge,
}  # fmt: skip
Facts = frozenset[Fact]
_LOCAL = re.compile(r"[%$]\d+(?=:|\b)")
FactsOf = Callable[[int, bool], Facts]


def state_fact(expr: ir.Expr) -> Fact:
    """The fact that an expression is not none; bound variables in its key are numbered by order of occurrence."""
    bound = [node.var for node in walk_expression(expr) if isinstance(node, ir.Those | ir.Quantified)]
    renamed = {f"%{var}": f"%_{order}" for order, var in enumerate(dict.fromkeys(bound))}
    return Fact(_LOCAL.sub(lambda found: renamed.get(found[0], found[0]), express(expr)), expr)


def find_facts(test: ir.Expr, holds: bool, facts_of: FactsOf) -> Facts:
    """The facts implied by the outcome of a test. `facts_of` gives those of a definition without arguments."""
    while isinstance(test, ir.Named):
        test = test.body
    if isinstance(test, ir.Logic):
        if test.op == "not":
            return find_facts(test.parts[0], not holds, facts_of)
        found = [find_facts(part, holds, facts_of) for part in test.parts]
        every = (test.op == "and") == holds  # all parts have this outcome, or at least one
        return frozenset().union(*found) if every else frozenset.intersection(*found)
    if isinstance(test, ir.Call) and not test.args:
        return facts_of(test.definition, holds)
    if not isinstance(test, ir.Apply):
        return frozenset()
    if applies(test, Op.NO_CARDS, Op.IS_EMPTY) and not holds:
        return frozenset(_list_ends(test)) | _prove_all(test.args, facts_of)
    counted = _find_counted(test, holds)
    ends = frozenset(_list_ends(counted)) if counted is not None else frozenset()
    proves = not holds if applies(test, Op.IS_NONE, Op.DIFFER) else holds and not WORDS[test.word].takes_none
    return ends | _prove_all(test.args, facts_of) if proves else ends


def rename_locals(facts: Facts, renamed: dict[str, str]) -> Facts:
    """The facts with variables renamed: what a loop's filter proved of `%3` holds of the slot `$7`."""
    return frozenset(Fact(_LOCAL.sub(lambda found: renamed.get(found[0], found[0]), f.key), f.expr) for f in facts)


def _find_counted(test: ir.Apply, holds: bool) -> ir.Apply | None:
    """The number of cards or elements that is not 0 by the outcome of a comparison with a constant."""
    if op_of(test) not in _COMPARED:
        return None
    for place, number in enumerate(test.args):
        other = test.args[1 - place]
        if applies(number, Op.COUNT, Op.SIZE) and isinstance(other, ir.Const) and isinstance(other.value, int):
            compare = _COMPARED[op_of(test)]
            is_zero = compare(0, other.value) if place == 0 else compare(other.value, 0)
            return number if is_zero != holds and number.type.kind != "maybe" else None
    return None


def _list_ends(test: ir.Apply) -> Iterator[Fact]:
    """A non-empty zone or list has a top and a bottom, a first and a last."""
    said_of = WORDS[test.word].takes[0].kind
    for word in [each.name for each in WORDS.values() if each.none_of_empty and each.takes[0].kind == said_of]:
        end = ir.Apply(type=maybe(test.args[0].type.of or Type("card")), word=word, args=test.args)
        yield state_fact(end)


def _prove_all(parts: tuple[ir.Expr, ...], facts_of: FactsOf) -> Facts:
    return frozenset().union(*(_prove(part, facts_of) for part in parts))


def _prove(expr: ir.Expr, facts_of: FactsOf) -> Facts:
    """The facts implied by a value that is not none: itself, and its operands."""
    found = frozenset({state_fact(expr)}) if expr.type.kind == "maybe" else frozenset()
    if isinstance(expr, ir.Attribute):
        return found | _prove(expr.card, facts_of)
    if isinstance(expr, ir.StateRef) and expr.owner is not None:
        return found | _prove(expr.owner, facts_of)
    if isinstance(expr, ir.Index):
        return found | _prove_all(expr.parts, facts_of)
    if isinstance(expr, ir.Apply) and not WORDS[expr.word].takes_none:
        return found | _prove_all(expr.args, facts_of)
    if isinstance(expr, ir.If) and isinstance(expr.yes, ir.Const) and expr.yes.value is None:
        return found | find_facts(expr.test, False, facts_of) | _prove(expr.no, facts_of)
    return found

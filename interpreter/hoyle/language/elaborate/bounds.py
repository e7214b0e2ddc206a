"""The least and the greatest value of a number at all tables.

In: an expression of options, the number of players and constants. Out: its bounds; None for one that is not known.
"""

from __future__ import annotations

from itertools import product

from hoyle.base.dataclass import dataclass
from hoyle.language.elaborate.environment import Environment
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.given import Given
from hoyle.program.words import Op, applies


@dataclass(frozen=True, slots=True)
class Bounds:
    """Bounds of a number; `may_be_none`: at some tables it is none."""

    low: int | None
    high: int | None
    may_be_none: bool = False


UNKNOWN_BOUNDS = Bounds(None, None)


def find_bounds(env: Environment, expr: ir.Expr) -> Bounds:
    """The bounds of a number at all tables."""
    if isinstance(expr, ir.Named):
        return find_bounds(env, expr.body)
    if isinstance(expr, ir.Const):
        if expr.value is None:
            return Bounds(None, None, True)
        return Bounds(expr.value, expr.value) if isinstance(expr.value, int) else UNKNOWN_BOUNDS
    if isinstance(expr, Given):
        return _of_given(env, expr)
    if isinstance(expr, ir.If):
        return _either(find_bounds(env, expr.yes), find_bounds(env, expr.no))
    if isinstance(expr, ir.OrElse):
        first, second = find_bounds(env, expr.first), find_bounds(env, expr.second)
        return _either(Bounds(first.low, first.high), second) if first.may_be_none else first
    if applies(expr, Op.ADD, Op.SUBTRACT, Op.MULTIPLY):
        return _reckon(expr, find_bounds(env, expr.args[0]), find_bounds(env, expr.args[1]))
    return UNKNOWN_BOUNDS


def _of_given(env: Environment, expr: Given) -> Bounds:
    if expr.what == "players":
        return Bounds(*env.declared.allowed)
    option = env.declared.options.get(expr.name) if expr.what == "option" else None
    if option is None or option.kind != "number":
        return UNKNOWN_BOUNDS
    return Bounds(option.low, option.high, option.or_none)


def _either(one: Bounds, other: Bounds) -> Bounds:
    if one.low is None or one.high is None or other.low is None or other.high is None:
        return Bounds(None, None, one.may_be_none or other.may_be_none)
    return Bounds(min(one.low, other.low), max(one.high, other.high), one.may_be_none or other.may_be_none)


def _reckon(expr: ir.Apply, left: Bounds, right: Bounds) -> Bounds:
    if left.low is None or left.high is None or right.low is None or right.high is None:
        return UNKNOWN_BOUNDS
    pairs = list(product((left.low, left.high), (right.low, right.high)))
    if applies(expr, Op.ADD):
        found = [a + b for a, b in pairs]
    elif applies(expr, Op.SUBTRACT):
        found = [a - b for a, b in pairs]
    else:
        found = [a * b for a, b in pairs]
    return Bounds(min(found), max(found), left.may_be_none or right.may_be_none)

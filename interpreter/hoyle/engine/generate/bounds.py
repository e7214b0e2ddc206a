"""Tests that always hold of the cards of a zone: a card lies at the first place or below it, and never below the last.

In: a condition on the cards of a zone that are run through. Out: what is left of it.
"""

from __future__ import annotations

from hoyle.ir import nodes as ir
from hoyle.words import Op, applies


def leave_out_certain(tests: tuple[ir.Expr, ...], var: int, source: ir.Expr) -> list[ir.Expr]:
    """The tests of a card `var` of the list `source` that do not hold of themselves."""
    if not applies(source, Op.CARDS):
        return list(tests)
    return [test for test in tests if not _is_certain(test, var, source.args[0])]


def _is_certain(test: ir.Expr, var: int, zone: ir.Expr) -> bool:
    if not applies(test, Op.GREATER, Op.AT_LEAST):
        return False
    number, bound = test.args
    least = _find_least(number, var, zone)
    if least is None or not isinstance(bound, ir.Const) or type(bound.value) is not int:
        return False
    return least > bound.value or (applies(test, Op.AT_LEAST) and least == bound.value)


def _find_least(number: ir.Expr, var: int, zone: ir.Expr) -> int | None:
    """What a number is never below, if that is known."""
    if _is_place(number, var):
        return 1
    if applies(number, Op.SUBTRACT) and _is_size(number.args[0], zone):
        return 0 if _is_place(number.args[1], var) else None
    return None


def _is_place(expr: ir.Expr, var: int) -> bool:
    if not applies(expr, Op.PLACE):
        return False
    card = expr.args[0]
    return isinstance(card, ir.Var) and card.index == var


def _is_size(expr: ir.Expr, zone: ir.Expr) -> bool:
    return applies(expr, Op.SIZE) and expr.args[0] == zone

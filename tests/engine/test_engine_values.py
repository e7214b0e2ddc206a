"""The evaluator: none, lists, quantifiers, faults."""

from __future__ import annotations

from typing import Any

import pytest

from hoyle.play.engine.evaluate import Evaluator
from hoyle.play.engine.executor import ReferenceExecutor
from hoyle.play.engine.faults import Fault
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import CARD, NUMBER, SEAT, TRUTH, list_of
from tiny_program import apply, attribute, const, make_program, var, zone

PROGRAM = make_program()
POSITION = ReferenceExecutor(PROGRAM).start(0)
NUMBERS = list_of(NUMBER)
NOTHING = const(None)


def value(expr: ir.Expr) -> Any:
    return Evaluator(PROGRAM).value(expr, POSITION, [None] * 4)


def numbers(*values: int) -> ir.Const:
    return const(values, NUMBERS)


def element() -> ir.Var:
    return var(0, NUMBER, "x")


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (apply(NUMBER, "add", const(1), NOTHING), None),
        (apply(TRUTH, "equal", NOTHING, NOTHING), False),
        (apply(TRUTH, "differ", NOTHING, const(1)), True),
        (apply(TRUTH, "is_none", NOTHING), True),
        (apply(NUMBERS, "list", const(1), NOTHING), (1,)),
        (ir.Logic(type=TRUTH, op="not", parts=(NOTHING,)), True),
        (ir.Logic(type=TRUTH, op="or", parts=(NOTHING, const(True))), True),
        (ir.Logic(type=TRUTH, op="and", parts=(const(True), NOTHING)), False),
        (attribute(0, NOTHING), None),
        (attribute(0, const(12, CARD)), None),
        (zone(2, NOTHING), None),
        (ir.OrElse(type=NUMBER, first=NOTHING, second=const(3)), 3),
        (ir.Quantified(type=TRUTH, how="every", var=0, source=NOTHING, test=const(False)), True),
        (ir.Quantified(type=TRUTH, how="some", var=0, source=NOTHING, test=const(True)), False),
        (ir.Those(type=NUMBERS, var=0, source=NOTHING, where=None, orders=(), value=None), ()),
        (ir.CanDo(type=TRUTH, action=3, seat=NOTHING, how="may"), False),
    ],
)  # fmt: skip
def test_none_is_false_in_tests_and_contagious_elsewhere(expr: ir.Expr, expected: Any) -> None:
    assert value(expr) == expected


def test_the_best_are_all_that_share_the_best_key_in_order() -> None:
    key = apply(NUMBER, "modulo", element(), const(3))
    best = ir.Those(
        type=NUMBERS, var=0, source=numbers(1, 2, 3, 4, 5), where=None, orders=(ir.Order(best="highest", key=key),),
        value=None,
    )  # fmt: skip
    assert value(best) == (2, 5)


def test_elements_without_a_key_are_never_the_best() -> None:
    wild_and_plain = const((12, 0, 3, 13), list_of(CARD))
    lowest = ir.Order(best="lowest", key=attribute(1, var(0, CARD, "card")))
    best = ir.Those(type=wild_and_plain.type, var=0, source=wild_and_plain, where=None, orders=(lowest,), value=None)
    assert value(best) == (0,)


def test_a_value_of_none_is_dropped_from_a_list() -> None:
    every = const((0, 12), list_of(CARD))
    made = ir.Those(
        type=NUMBERS, var=0, source=every, where=None, orders=(), value=attribute(1, var(0, CARD, "card"))
    )
    assert value(made) == (1,)


def test_a_quantifier_stops_at_the_element_that_decides() -> None:
    seen: list[Any] = []
    evaluator = Evaluator(PROGRAM, trace=lambda expr, value: seen.append(value) if isinstance(expr, ir.Var) else None)
    some = ir.Quantified(
        type=TRUTH, how="some", var=0, source=numbers(1, 2, 3), test=apply(TRUTH, "equal", element(), const(2))
    )
    assert evaluator.value(some, POSITION, [None]) is True
    assert seen == [1, 2]


@pytest.mark.parametrize(
    ("expr", "code"),
    [
        (apply(NUMBER, "divide", const(1), const(0)), "division-by-zero"),
        (apply(NUMBER, "modulo", const(1), const(0)), "division-by-zero"),
        (apply(NUMBER, "element", numbers(1), const(5)), "out-of-range"),
        (zone(2, const(7, SEAT)), "out-of-range"),
        (ir.StateRef(type=NUMBER, state=2, owner=const(-1, SEAT)), "out-of-range"),
        (apply(NUMBERS, "span", const(0), const(10**12)), "too-large"),
        (apply(list_of(NUMBERS), "subsets", numbers(*range(40))), "too-large"),
    ],
)
def test_what_cannot_be_worked_out_is_a_fault_of_the_rules(expr: ir.Expr, code: str) -> None:
    with pytest.raises(Fault) as raised:
        value(expr)
    assert raised.value.code == code


def test_a_fault_names_the_innermost_clause() -> None:
    inner = ir.Named(type=NUMBER, clause=5, body=apply(NUMBER, "divide", const(1), const(0)))
    with pytest.raises(Fault) as raised:
        value(ir.Named(type=TRUTH, clause=2, body=apply(TRUTH, "equal", inner, const(1))))
    assert raised.value.clause == 5

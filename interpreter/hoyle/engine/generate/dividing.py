"""Divisions of cards in generated code: one function each, which keeps what it has found out about groups.

In: a program. Out: the divisions in it, each once, in the order of the program; functions for those that follow from
the cards alone. What depends on the position besides is left to the reference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from hoyle.analyse.effects import effects_of
from hoyle.engine.evaluate import Evaluator, make_divider
from hoyle.engine.generate.support import Stop
from hoyle.ir import nodes as ir
from hoyle.ir.walk import walk
from hoyle.model.divisions import TooManyCards
from hoyle.model.runtime_values import Value


def list_groupings(program: ir.Program) -> list[ir.Grouping]:
    """By what cards are divided anywhere in the program, each once."""
    return list(dict.fromkeys(node.by for node in walk(program) if isinstance(node, ir.Division)))


def is_closed(program: ir.Program, by: ir.Grouping) -> bool:
    """Whether the groups follow from the cards alone."""
    effects = effects_of(program)
    return not any(effects.reads(part) for part in (by.where, by.keeps, by.weigh) if part is not None)


def write_names(program: ir.Program) -> dict[str, Callable[[Iterable[int]], tuple[Value, ...]]]:
    """The functions, by the names that generated code calls them by."""
    evaluator = Evaluator(program)
    return {
        f"divide_{number}": _make(evaluator, by)
        for number, by in enumerate(list_groupings(program))
        if is_closed(program, by)
    }


def _make(evaluator: Evaluator, by: ir.Grouping) -> Callable[[Iterable[int]], tuple[Value, ...]]:
    divider = make_divider(evaluator, by, None)

    def divide(cards: Iterable[int]) -> tuple[Value, ...]:
        evaluator.begin()
        try:
            return divider.divide(cards)
        except TooManyCards:
            raise Stop from None

    return divide

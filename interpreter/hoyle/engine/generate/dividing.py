"""Divisions of cards in generated code: one function each, which keeps what it has found out about groups.

In: a program, and a module being generated. Out: a function for each division. Where groups follow from the cards
alone, what tests them and weighs cards is generated, too. Where they depend on states or local names besides, the
evaluator does it, and what is kept is kept by their values; where they depend on more, nothing is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from hoyle.engine.evaluate import Evaluator, make_divider
from hoyle.engine.generate.dividers import find_read, list_groupings
from hoyle.engine.generate.simplify import Simplifier
from hoyle.ir import nodes as ir
from hoyle.ir.parts import Part, Regions
from hoyle.ir.types import CARD, Type, list_of
from hoyle.model.divisions import Cards, Divider
from hoyle.model.position import Position

MOST_DIVIDERS = 32  # for different values of what groups depend on

Divide = Callable[[Iterable[int]], tuple[Cards, ...]]
FindDivider = Callable[[Position], Divider]


class Functions(Protocol):
    """What is needed of a module: the program, and a way to write functions of one thing that read no position."""

    program: ir.Program
    simplifier: Simplifier

    def write_closed(self, name: str, about: str, body: ir.Expr, given: ir.Var) -> None: ...


# ------------------------------------------------------------------------------------------------ of cards alone
def write_divider(module: Functions, by: ir.Grouping, name: str) -> str:
    """The line that makes the function of a name, after those that it is made of have been written."""
    groups = list_of(CARD)
    fits = _write_part(module, f"{name}_fits", "whether cards are a group", by.where, 0, groups)
    grows = _write_part(module, f"{name}_grows", "whether cards can become a group", by.keeps, 0, groups)
    weigh = _write_part(module, f"{name}_weigh", "what a card weighs that is left", by.weigh, by.card, CARD)
    return f"{name} = make_divide({fits}, {grows}, {weigh})"


def _write_part(module: Functions, name: str, about: str, body: ir.Expr | None, slot: int, kind: Type) -> str:
    if body is None:
        return "None"
    given = ir.Var(type=kind, index=module.simplifier.fresh())
    module.write_closed(name, about, module.simplifier.simplify(body, {slot: given}), given)
    return name


def make_divide(
    fits: Callable[[Cards], bool], grows: Callable[[Cards], bool] | None, weigh: Callable[[int], int | None] | None
) -> Divide:
    """What generated code divides cards by."""
    return Divider(fits, grows, (lambda _: 1) if weigh is None else (lambda card: weigh(card) or 0)).divide


# ------------------------------------------------------------------------------------------------ of the position too
def write_names(program: ir.Program) -> dict[str, FindDivider]:
    """The functions that find the divider for a position, by the names that generated code calls them by."""
    evaluator = Evaluator(program)
    return {
        f"divide_{number}": _keep_dividers(evaluator, by, read)
        for number, by in enumerate(list_groupings(program))
        if (read := find_read(program, by))
    }


def _keep_dividers(evaluator: Evaluator, by: ir.Grouping, read: Regions) -> FindDivider:
    """What finds the divider for a position: the one that was used when all that it depends on was the same."""

    def make(position: Position) -> Divider:
        evaluator.begin()
        return make_divider(evaluator, by, position)

    if any(region.index is None or region.part not in (Part.STATES, Part.SLOTS) for region in read):
        return make
    states = [evaluator.program.states[region.index or 0] for region in read if region.part is Part.STATES]
    stretches = [slice(state.base, state.base + state.size) for state in states]
    slots = [region.index or 0 for region in read if region.part is Part.SLOTS]
    kept: dict[object, Divider] = {}

    def find(position: Position) -> Divider:
        evaluator.begin()
        held = [value for each in stretches for value in position.states[each]]
        key = (*held, *[position.slots[slot] for slot in slots])
        divider = kept.get(key)
        if divider is None:
            if len(kept) >= MOST_DIVIDERS:
                kept.clear()
            divider = kept[key] = make(position.copy())
        return divider

    return find

"""Divisions of cards in generated code: one function each, which keeps what it has found out about groups.

In: a program. Out: the divisions in it, each once, in the order of the program, and a function for each. Where groups
depend on states or local names besides the cards, what is kept is kept by their values; where they depend on more,
nothing is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from hoyle.analyse.effects import effects_of
from hoyle.engine.evaluate import Evaluator, make_divider
from hoyle.engine.generate.support import Stop
from hoyle.ir import nodes as ir
from hoyle.ir.parts import Part, Regions
from hoyle.ir.walk import walk
from hoyle.model.divisions import Divider, TooManyCards
from hoyle.model.position import Position
from hoyle.model.runtime_values import Value

MOST_DIVIDERS = 32  # for different values of what groups depend on

Divide = Callable[[Any, Iterable[int]], tuple[Value, ...]]  # given no position where none is looked at


def list_groupings(program: ir.Program) -> list[ir.Grouping]:
    """By what cards are divided anywhere in the program, each once."""
    return list(dict.fromkeys(node.by for node in walk(program) if isinstance(node, ir.Division)))


def find_read(program: ir.Program, by: ir.Grouping) -> Regions:
    """What of a position the groups depend on besides the cards."""
    effects = effects_of(program)
    found = [effects.reads(part) for part in (by.where, by.keeps, by.weigh) if part is not None]
    return frozenset().union(*found)


def write_names(program: ir.Program) -> dict[str, Divide]:
    """The functions, by the names that generated code calls them by."""
    evaluator = Evaluator(program)
    return {f"divide_{number}": _make(evaluator, by) for number, by in enumerate(list_groupings(program))}


def _make(evaluator: Evaluator, by: ir.Grouping) -> Divide:
    find_divider = _keep_dividers(evaluator, by)

    def divide(position: Any, cards: Iterable[int]) -> tuple[Value, ...]:
        evaluator.begin()
        try:
            return find_divider(position).divide(cards)
        except TooManyCards:
            raise Stop from None

    return divide


def _keep_dividers(evaluator: Evaluator, by: ir.Grouping) -> Callable[[Position], Divider]:
    """What finds the divider for a position: the one that was used when all that it depends on was the same."""
    program = evaluator.program
    read = find_read(program, by)
    if not read:
        only = make_divider(evaluator, by, None)
        return lambda position: only
    if any(region.index is None or region.part not in (Part.STATES, Part.SLOTS) for region in read):
        return lambda position: make_divider(evaluator, by, position)
    states = [program.states[region.index or 0] for region in read if region.part is Part.STATES]
    stretches = [slice(state.base, state.base + state.size) for state in states]
    slots = [region.index or 0 for region in read if region.part is Part.SLOTS]
    kept: dict[object, Divider] = {}

    def find(position: Position) -> Divider:
        held = [value for each in stretches for value in position.states[each]]
        key = (*held, *[position.slots[slot] for slot in slots])
        divider = kept.get(key)
        if divider is None:
            if len(kept) >= MOST_DIVIDERS:
                kept.clear()
            divider = kept[key] = make_divider(evaluator, by, position.copy())
        return divider

    return find

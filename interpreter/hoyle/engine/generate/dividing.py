"""Divisions of cards in generated code: one function each, which keeps what it has found out about groups.

In: a program, and a module being generated. Out: functions that test groups and weigh cards, and the lines that make of
them a function that divides. What depends on the position besides is left to the reference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from hoyle.analyse.effects import effects_of
from hoyle.codegen.unsupported import Unsupported
from hoyle.engine.generate.simplify import Simplifier
from hoyle.engine.generate.support import Stop
from hoyle.ir import nodes as ir
from hoyle.ir.types import CARD, Type, list_of
from hoyle.model.divisions import Cards, Divider, TooManyCards


class Functions(Protocol):
    """What is needed of a module: the program, and a way to write functions of one thing that read no position."""

    program: ir.Program
    simplifier: Simplifier

    def write_closed(self, name: str, about: str, body: ir.Expr, given: ir.Var) -> None: ...


def is_closed(program: ir.Program, by: ir.Grouping) -> bool:
    """Whether the groups follow from the cards alone."""
    effects = effects_of(program)
    return not any(effects.reads(part) for part in (by.where, by.keeps, by.weigh) if part is not None)


def write_divider(module: Functions, by: ir.Grouping, name: str) -> str:
    """The line that makes the function of a name, after those that it is made of have been written."""
    if not is_closed(module.program, by):
        raise Unsupported("a division that depends on the position")
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
) -> Callable[[Iterable[int]], tuple[Cards, ...]]:
    """What generated code divides cards by."""
    divider = Divider(fits, grows, (lambda _: 1) if weigh is None else (lambda card: weigh(card) or 0))

    def divide(cards: Iterable[int]) -> tuple[Cards, ...]:
        try:
            return divider.divide(cards)
        except TooManyCards:
            raise Stop from None

    return divide

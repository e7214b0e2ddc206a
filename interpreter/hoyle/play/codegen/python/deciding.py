"""Query functions for a position at a decision: who chooses, what is legal, how it stands.

In: a program. Out: source text with a function for each decision (`LEGAL`, `SEATS`), `winners` and `standing`. As in
`functions`, only declared facts are assumed, and what has no low form has no function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from hoyle.play.codegen.low.values import Value
from hoyle.play.codegen.lower.lowering import Lowering
from hoyle.play.codegen.lower.menus import lower_menu
from hoyle.play.codegen.python.constants import Constants
from hoyle.play.codegen.python.enumeration import Enumeration, write_seat
from hoyle.play.codegen.python.functions import lower_declared, print_given, write_texts
from hoyle.play.codegen.python.operations import OPERATIONS
from hoyle.play.codegen.python.printing import Values
from hoyle.play.codegen.unsupported import Unsupported
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import SEAT


class Deciding:
    """Prints the functions of one program."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.constants = Constants()
        self.lines: list[str] = []
        self.low: Lowering = lower_declared(program, {})

    def print(self) -> str:
        legal, seats = [], []
        for number, block in enumerate(self.program.blocks):
            if isinstance(block.end, ir.Decide):
                if self._try(self._print_legal, number, block.end):
                    legal.append(f"{number}: legal_{number}")
                if self._try(self._print_seat, number, block.end):
                    seats.append(f"{number}: seat_{number}")
        self._try(self._print_value, "winners", self.program.winners, ())
        if self.program.standing is not None:
            self._try(self._print_value, "standing", self.program.standing, (0,))
        ends = [f"LEGAL = {{{', '.join(legal)}}}", f"SEATS = {{{', '.join(seats)}}}", ""]
        return "\n".join((write_texts(self.low.texts), *self.constants.lines, *self.lines, *ends))

    def _try(self, make: Callable[..., Iterator[str]], *given: Any) -> bool:
        """Print a function, if it is supported; whether it is. A builder whose budget is spent is replaced."""
        try:
            self.lines += list(make(*given))
        except Unsupported:
            if self.low.build.is_full:
                self.low = lower_declared(self.program, self.low.texts)
            return False
        return True

    def _printer(self) -> Values:
        return Values(self.program, self.low.build, self.constants, OPERATIONS)

    def _seat(self, decide: ir.Decide) -> Value:
        with self.low.within(decide.clause):
            return self.low.build.refine(self.low.need(decide.seat), 0, self.program.players - 1)

    def _print_legal(self, number: int, decide: ir.Decide) -> Iterator[str]:
        seat = self._seat(decide)
        asked = self.low.build.read("asked", seat.fact)
        menu = lower_menu(self.low, decide.decision, asked)
        printer = self._printer()
        Enumeration(printer).write(menu, seat)
        return printer.define(f"legal_{number}(position)")

    def _print_seat(self, number: int, decide: ir.Decide) -> Iterator[str]:
        printer, seat = self._printer(), self._seat(decide)
        printer.start([seat])
        return printer.define(f"seat_{number}(position)", write_seat(printer, seat))

    def _print_value(self, name: str, expr: ir.Expr, given: tuple[int, ...]) -> Iterator[str]:
        return print_given(self.low, self.constants, name, expr, dict.fromkeys(given, SEAT))



"""Executors that run playouts and boards in compiled code, and everything else in generated Python.

In: a program. Out: results identical to the reference's. A match on which native code faults is played again by the
executors in Python, whose result counts; `handed_over` counts such matches.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from hoyle.play.engine.drawing import FIRST, RANDOM, DrawsMaker, draw_first, draw_randomly
from hoyle.play.engine.executor import ReferenceExecutor
from hoyle.play.engine.generated import GeneratedExecutor
from hoyle.play.engine.tally import WORTH_WRITING
from hoyle.program.ir import nodes as ir
from hoyle.program.model.position import Position

if TYPE_CHECKING:  # the code generator is imported when code is first wanted
    from hoyle.play.engine.native.board import Board
    from hoyle.play.engine.native.library import Library
    from hoyle.play.engine.native.program import Native

WORTH_BUILDING = 30_000_000  # work after which compilation starts: some seconds by generated Python
POLICIES: dict[DrawsMaker, int] = {draw_randomly: RANDOM, draw_first: FIRST}


def find_policy(program: ir.Program, draws: DrawsMaker | None, errors: float) -> int | None:
    """The native policy equivalent to a way of drawing and a rate of errors; None if there is none."""
    return None if draws is None or (program.called and errors >= 1) else POLICIES.get(draws)


class NativeExecutor(GeneratedExecutor):
    """Runs one program natively where no events or intermediate positions are wanted."""

    handed_over = 0  # matches that native code could not play

    @cached_property
    def native(self) -> Native:
        """The native code, shared by all executors of the program."""
        from hoyle.play.engine.native.program import find_native

        return find_native(self.program)

    @property
    def library(self) -> Library | None:
        """The compiled program; None where there is none, for the reason `native.problem` names."""
        return self.native.library or self.native.load()

    def play_natively(
        self, seeds: list[int], draws: DrawsMaker, errors: float, start: Position | None = None
    ) -> Any | None:
        """The results of playouts, from the start or from a position at a decision, as a ctypes array; None without a
        library, for a way of drawing without a native policy, or for a position that does not fit the layout."""
        policy, library = find_policy(self.program, draws, errors), self.library
        if policy is None or library is None:
            return None
        held = None if start is None else library.mirror.position()
        if start is not None and not library.mirror.packing.write(start, held):
            return None
        return library.play(seeds, policy, errors=errors, start=held)

    def begin(self, seed: int) -> Board:
        """A new match to be stepped choice by choice."""
        if self.library is None:
            raise RuntimeError(f"there is no native code: {self.native.problem}")
        from hoyle.play.engine.native.board import Board

        return Board.begin(self.library, self._reference, seed)

    def take_up(self, position: Position) -> Board:
        """A match to be stepped choice by choice from a position at a decision."""
        if self.library is None:
            raise RuntimeError(f"there is no native code: {self.native.problem}")
        from hoyle.play.engine.native.board import Board

        return Board.at(self.library, self._reference, position)

    @cached_property
    def _reference(self) -> ReferenceExecutor:
        return ReferenceExecutor(self.program)


class PatientExecutor(NativeExecutor):
    """Tiered execution, by the work done so far: the reference at first; then a library from the cache, or generated
    Python; and native code that is compiled beside them."""

    patience = WORTH_WRITING
    _looked = False

    @property
    def library(self) -> Library | None:
        if self._tally.steps >= self.patience and not self._looked:
            self._looked = True
            self.native.load(build=False)
        if self._tally.steps >= WORTH_BUILDING:
            self.native.begin()
        return self.native.library if self._looked else None

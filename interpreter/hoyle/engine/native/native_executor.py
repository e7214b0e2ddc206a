"""Executors that run playouts and boards in compiled code, and everything else in generated Python.

In: a program. Out: results identical to the reference's. A match on which native code faults is played again by the
executors in Python, whose result counts; `handed_over` counts such matches.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from hoyle.engine.drawing import DrawsMaker, draw_first, draw_randomly
from hoyle.engine.executor import ReferenceExecutor
from hoyle.engine.generated import GeneratedExecutor
from hoyle.engine.native.board import Board
from hoyle.engine.native.library import FIRST, RANDOM, Library
from hoyle.engine.native.program import Native, find_native
from hoyle.ir import nodes as ir
from hoyle.model.position import Position

LOOKED_FOR = 0.1  # seconds of play before a cached library is looked up, which takes some hundredths
WORTH_BUILDING = 3.0  # seconds of play before compilation starts
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
        return Board.begin(self.library, self._reference, seed)

    def take_up(self, position: Position) -> Board:
        """A match to be stepped choice by choice from a position at a decision."""
        if self.library is None:
            raise RuntimeError(f"there is no native code: {self.native.problem}")
        return Board.at(self.library, self._reference, position)

    @cached_property
    def _reference(self) -> ReferenceExecutor:
        return ReferenceExecutor(self.program)


class PatientExecutor(NativeExecutor):
    """Tiered execution: runs in Python at first; a cached library is loaded soon, and compilation starts in the
    background once the time played says that it pays."""

    _played = 0.0  # seconds

    @property
    def library(self) -> Library | None:
        return self.native.library if self._played > LOOKED_FOR else None

    def note_time(self, seconds: float) -> None:
        """Account for time played, and move up a tier when it is due."""
        before, self._played = self._played, self._played + seconds
        if before <= LOOKED_FOR < self._played:
            self.native.load(build=False)
        if self._played > WORTH_BUILDING:
            self.native.begin()

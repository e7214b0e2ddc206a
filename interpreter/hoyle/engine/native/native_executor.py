"""Executors that play whole matches and boards by compiled code, and everything else by generated Python.

In: a program. Out: the same results as those of the reference. A match that native code cannot play is played again
by the executors in Python, which say what is so; `handed_over` counts them.
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

LOOKED_FOR = 0.1  # seconds played before it is looked for what was kept, which takes some hundredths
WORTH_BUILDING = 3.0  # seconds played
POLICIES: dict[DrawsMaker, int] = {draw_randomly: RANDOM, draw_first: FIRST}


def find_policy(program: ir.Program, draws: DrawsMaker | None, errors: float) -> int | None:
    """How native code chooses as players do who draw in this way and err so often; None if it cannot."""
    return None if draws is None or (program.called and errors >= 1) else POLICIES.get(draws)


class NativeExecutor(GeneratedExecutor):
    """Runs one program natively where nobody listens or watches."""

    handed_over = 0  # matches that native code could not play

    @cached_property
    def native(self) -> Native:
        """The native code, shared by all who play the program."""
        return find_native(self.program)

    @property
    def library(self) -> Library | None:
        """The compiled program; None where there is none, for the reason `native.problem` names."""
        return self.native.library or self.native.load()

    def play_natively(
        self, seeds: list[int], draws: DrawsMaker, errors: float, start: Position | None = None
    ) -> Any | None:
        """The results of matches, from the beginning or from a position at a decision, as they lie in memory, or None
        if they are not for native code to play: it knows no other ways to choose, and nobody who always errs."""
        policy, library = find_policy(self.program, draws, errors), self.library
        if policy is None or library is None:
            return None
        held = None if start is None else library.mirror.position()
        if start is not None and not library.mirror.packing.write(start, held):
            return None
        return library.play(seeds, policy, errors=errors, start=held)

    def begin(self, seed: int) -> Board:
        """A match that is played choice by choice."""
        if self.library is None:
            raise RuntimeError(f"there is no native code: {self.native.problem}")
        return Board.begin(self.library, self._reference, seed)

    def take_up(self, position: Position) -> Board:
        """A match that is played on, choice by choice, from a position at a decision."""
        if self.library is None:
            raise RuntimeError(f"there is no native code: {self.native.problem}")
        return Board.at(self.library, self._reference, position)

    @cached_property
    def _reference(self) -> ReferenceExecutor:
        return ReferenceExecutor(self.program)


class PatientExecutor(NativeExecutor):
    """Runs one program natively once nobody has to wait for it: what was kept is used, and it is built beside when
    matches have taken so long that it pays."""

    _played = 0.0  # seconds

    @property
    def library(self) -> Library | None:
        return self.native.library if self._played > LOOKED_FOR else None

    def note_time(self, seconds: float) -> None:
        """So long was played."""
        before, self._played = self._played, self._played + seconds
        if before <= LOOKED_FOR < self._played:
            self.native.load(build=False)
        if self._played > WORTH_BUILDING:
            self.native.begin()

"""Rollouts by native code.

In: a program, and positions of it. Out: the result of a rollout; it is converted to a Python position only on demand.

The search never waits for a compiler: it uses cached code, and starts a build in the background once enough time has
been spent on a game for it to pay.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hoyle.lab.bots.reached import Reached
from hoyle.play.engine.native.library import ASKED, FAULT, OVER, ROLLS, Library
from hoyle.play.engine.native.program import Native, find_native

if TYPE_CHECKING:
    from hoyle.play.engine.executor import ReferenceExecutor
    from hoyle.program.model.position import Position

WORTH_BUILDING = 3.0  # seconds of search of one game before a build starts
NO_SEAT = -1
ALL_ROUNDS = -1


class ReachedNatively(Reached):
    """A result in native memory. The next rollout overwrites it, so read what is needed before."""

    __slots__ = ("_held", "_library", "_results")

    def __init__(
        self, executor: ReferenceExecutor, library: Library, held: Any, results: tuple[Any, Any], found: int
    ) -> None:
        self.executor = executor
        self._library = library
        self._held = held
        self._results = results
        self.over = found == OVER
        self.rounds_played = held.rounds

    @property
    def position(self) -> Position:  # type: ignore[override] # converted on demand
        return self._library.mirror.packing.read(self._held)

    @property
    def scores(self) -> Sequence[int]:
        return list(self._results[0])

    @property
    def winners(self) -> Sequence[int]:
        found = self._results[1]
        return tuple(found.seats[: found.n])


class NativeRollout:
    """Runs rollouts of one program by native code, if available."""

    def __init__(self, executor: ReferenceExecutor) -> None:
        self.executor = executor
        self.native: Native = find_native(executor.program)
        self.native.load(build=False)
        self._thought = 0.0
        self._memory: tuple[Library, Any, Any, Any, Any] | None = None

    @property
    def is_ready(self) -> bool:
        """Whether native code is loaded by now."""
        return self.native.library is not None

    def note_thought(self, seconds: float) -> None:
        """Add to the time spent searching; start a build in the background when the total makes it pay."""
        self._thought += seconds
        if self._thought > WORTH_BUILDING:
            self.native.begin()

    def find_out(
        self, position: Position, seed: int, most: int, *, whole: bool, until_seat: int | None
    ) -> Reached | None:
        """Run a rollout; None if native code cannot. The position is not changed."""
        library = self.native.library
        if library is None:
            return None
        if self._memory is None or self._memory[0] is not library:
            mirror = library.mirror
            scores = (ctypes.c_int64 * library.program.players)()
            self._memory = library, mirror.position(), mirror.ask(), scores, mirror.winners()
        _, held, ask, scores, winners = self._memory
        if not library.mirror.packing.write(position, held):
            return None
        ask.habits, ask.stops, ask.given = seed, ROLLS, 0
        ask.only_round = ALL_ROUNDS if whole else position.rounds_played
        ask.most = position.decisions + most
        ask.until_seat = NO_SEAT if until_seat is None else until_seat
        found = library.functions.play_on(ctypes.byref(held), ctypes.byref(ask))
        won = ctypes.byref(winners) if found == OVER else None
        if found == FAULT or library.functions.results(ctypes.byref(held), scores, won):
            return None
        assert found in (ASKED, OVER)
        return ReachedNatively(self.executor, library, held, (scores, winners), found)

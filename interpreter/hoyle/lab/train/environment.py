"""Many matches of one game as arrays, advanced from decision to decision by native code on processors.

In: a game, and a row of a menu for each match. Out: `Arrays`: what the seat to choose is told, its choices, spelt in
tokens, and what the last choice brought each seat. `hoyle.lab.train.device_arrays` has the same on a GPU.
"""

from __future__ import annotations

import ctypes
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hoyle.base.errors import HoyleError
from hoyle.lab.bots.evaluation import Worth
from hoyle.lab.bots.tables import Environment, Rows, Tables
from hoyle.lab.learning.features import MOST_SAID, Features
from hoyle.play.codegen.unsupported import Unsupported
from hoyle.play.engine.native.compiler import BuildError
from hoyle.play.engine.native.memory import Mirror
from hoyle.play.engine.native.program import find_native
from hoyle.program.model.given import read_count, read_whole

if TYPE_CHECKING:
    from hoyle.play.engine.game import Game

MOST_CHOICES = 64
MOST_STEPS = 4000
SAID_WORDS = MOST_SAID + 2  # the tokens of a choice that was told, who made it, and how many
ENDED, CUT = 1, 2
LEAST_SHARE = 64  # matches that are worth a thread


class EnvironmentProblem(HoyleError):  # noqa: N818 - shown to users
    """There is no environment for a game; the text says why."""


class Arrays(NamedTuple):
    """A row for each match. `observations` are what the seat to choose, in `seats`, is told. Of its `counts` choices,
    `tokens` spells each; a longer menu is sampled. `gains` are by how much the standing of each seat rose with the last
    choice; `rewards` the utilities of matches that ended with it (`ends` 1), or were cut or stopped by a fault (2).
    Such a row shows the next match already."""

    observations: Any
    tokens: Any
    counts: Any
    seats: Any
    gains: Any
    rewards: Any
    ends: Any

    @property
    def masks(self) -> Any:
        """Which rows of a menu are choices."""
        return np.arange(self.tokens.shape[1]) < self.counts[:, None]


class ArrayEnvironment:
    """`count` matches on `threads` processors. Decisions with one choice are taken at once if `skips_forced`."""

    def __init__(
        self, game: Game, count: int, *, seed: int = 0, choices: int = MOST_CHOICES, threads: int = 1,
        most_steps: int = MOST_STEPS, skips_forced: bool = True,
    ) -> None:  # fmt: skip
        self.game = game
        self.count = read_count(count, "the number of matches")
        self.features = Features(game.program)
        try:
            path, layout = find_native(game.program).load_environment()
        except (BuildError, Unsupported) as error:
            raise EnvironmentProblem(f"{game.name} has no arrays: {error}") from None
        self._library = ctypes.CDLL(str(path))
        self._library.step_rows.argtypes = [ctypes.c_void_p] * 4 + [ctypes.c_int64] * 2
        self._library.step_rows.restype = None
        mirror = Mirror(layout)
        self.tables = Tables(self.features, mirror, Worth(game.executor))
        sizes = list((ctypes.c_int64 * 4).in_dll(self._library, "environment_sizes"))
        if [sizes[0], *sizes[2:]] != [ctypes.sizeof(each) for each in (mirror.position, Environment, Rows)]:
            raise EnvironmentProblem(f"{game.name} has no arrays: the library is of another layout")
        self.plan = self.tables.environment
        self.plan.choices, self.plan.most_steps, self.plan.skips_forced = choices, most_steps, skips_forced
        self.plan.seed = read_whole(seed, "a seed") & (1 << 64) - 1
        self._matches: Any = np.zeros((count, sizes[1]), np.uint8)
        players, tokens = game.players, self.features.tokens
        self.arrays = Arrays(
            np.zeros((count, self.features.size), np.float32), np.zeros((count, choices, tokens), np.int16),
            np.zeros(count, np.int32), np.zeros(count, np.int32), np.zeros((count, players), np.float32),
            np.zeros((count, players), np.float32), np.zeros(count, np.uint8),
        )  # fmt: skip
        self._places: Any = np.zeros((count, choices), np.int32)
        self._numbers: Any = np.zeros((count, choices), np.int64)
        self._said: Any = np.zeros((count, self.features.recent_many, SAID_WORDS), np.int16)
        self._rows = Rows(*(each.ctypes.data for each in (*self.arrays, self._places, self._numbers, self._said)))
        shares = max(1, min(threads, count // LEAST_SHARE))
        self._borders = [count * share // shares for share in range(shares + 1)]
        self._crew = ThreadPoolExecutor(shares) if shares > 1 else None
        self.reset()

    def reset(self) -> Arrays:
        """Begin all matches anew."""
        self._matches[:] = 0
        self._step(None)
        return self.arrays

    def step(self, chosen: Any) -> Arrays:
        """Take a row of the menu of each match. The arrays are overwritten in place."""
        rows: Any = np.ascontiguousarray(chosen, np.int32)
        if rows.shape != (self.count,) or ((rows < 0) | (rows >= self.arrays.counts)).any():
            raise ValueError(f"a row below its count is needed for each of {self.count} matches")
        self._step(rows)
        return self.arrays

    def _step(self, rows: Any) -> None:
        given = None if rows is None else rows.ctypes.data
        plan, held = ctypes.byref(self.plan), self._matches.ctypes.data
        shares = list(zip(self._borders, self._borders[1:], strict=False))

        def work(share: tuple[int, int]) -> None:
            self._library.step_rows(plan, held, given, ctypes.byref(self._rows), *share)

        if self._crew is None:
            work(shares[0])
        else:
            list(self._crew.map(work, shares))
        if not self.arrays.counts.all():
            raise EnvironmentProblem(f"in {self.game.name} nothing is ever decided, or all of it faults")

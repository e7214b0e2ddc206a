"""A vector environment: many matches of a game stepped together (`pip install 'hoyle[vector]'`).

In: a game by name or file, the number of matches. Out: `VectorEnv`, whose observations, masks, rewards and ends are
NumPy arrays with a row for each match. An action is a token of `hoyle.lab.adapters.encoding`; a finished match restarts
automatically.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

import hoyle
from hoyle.lab.adapters.encoding import Encoding
from hoyle.lab.adapters.native_rows import NativeRows
from hoyle.lab.adapters.observing import Observing
from hoyle.lab.adapters.rows import Rows, RowsInPython
from hoyle.play.engine.executors import ExecutorName
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.game import Game
from hoyle.play.engine.native.native_executor import NativeExecutor
from hoyle.program.model.chance import derive_seed
from hoyle.program.model.given import read_count, read_whole

MOST_STEPS = 100_000  # default limit of tokens per match
_KEPT = ("game", "count", "most_steps", "seeds", "_seed", "_begun", "_steps")
MOST_TRIED = 1000  # consecutive matches without a decision before giving up


class Step(NamedTuple):
    """The result of a step. For a match that has ended, `observations` and `masks` are those of the next one."""

    observations: Any
    masks: Any
    rewards: Any
    terminations: Any
    truncations: Any


class VectorEnv:
    """`count` matches, each at a decision of the seat in `seats`; `seeds` are the seeds of the matches, derived from
    that of the environment; `observation_names` describe the numbers of an observation. A match of more than
    `most_steps` tokens is truncated, and so is one stopped by a fault in the rules. Native code plays the matches if
    available, many times as fast as generated Python and with the same results."""

    def __init__(
        self,
        game: str | Path | Game,
        count: int,
        players: int | None = None,
        options: dict[str, Any] | None = None,
        *,
        seed: int = 0,
        executor: ExecutorName = "native",
        most_steps: int = MOST_STEPS,
    ) -> None:
        if isinstance(game, Game) and (players is not None or options is not None):
            raise ValueError("a game that is loaded has its players and options already")
        self.count = read_count(count, "the number of matches")
        self.most_steps = read_count(most_steps, "the most steps of a match")
        self.game = game if isinstance(game, Game) else hoyle.load(game, players, options, executor=executor)
        self._lay_out()
        self.reset(seed)

    def _lay_out(self) -> None:
        """Allocate the matches and the output arrays."""
        self.encoding = Encoding(self.game.program)
        observing = Observing(self.game, self.encoding)
        self.observation_names = observing.names
        self._rows = _make_rows(self.game, self.count, self.encoding, observing)
        observed: Any = np.zeros((self.count, observing.size), np.float32)
        may_come: Any = np.zeros((self.count, self.encoding.size), np.bool_)
        choosing: Any = np.zeros(self.count, np.int64)
        self._shown = observed, may_come, choosing
        # Read-only to users: a write to the masks would make illegal tokens pass as legal.
        self.observations, self.masks, self.seats = _protect(observed), _protect(may_come), _protect(choosing)
        self.seeds = [0] * self.count
        self._lock = Lock()  # makes concurrent use from several threads safe

    def __getstate__(self) -> dict[str, Any]:
        """Pickle the positions of all matches, not the native memory."""
        with self._lock:
            kept = {name: getattr(self, name) for name in _KEPT}
            return {**kept, "rows": [self._rows.read(row) for row in range(self.count)]}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.game, self.count = kept["game"], kept["count"]
        self._lay_out()
        for name in _KEPT:
            setattr(self, name, kept[name])
        for row, (position, _) in enumerate(kept["rows"]):
            self._rows.put(row, position)
        self._rows.show(*self._shown)
        for row, (_, said) in enumerate(kept["rows"]):
            self._rows.say(row, said)
        self._rows.show(*self._shown)

    @property
    def is_native(self) -> bool:
        """Whether the matches are played by native code."""
        return isinstance(self._rows, NativeRows)

    def reset(self, seed: int = 0) -> tuple[Any, Any]:
        """Restart all matches; return the observations of the deciding seats, and the token masks."""
        seed = read_whole(seed, "a seed")
        with self._lock:
            self._seed, self._begun = seed, 0
            self._steps: Any = np.zeros(self.count, np.int64)
            for row in range(self.count):
                self._begin(row)
            self._rows.show(*self._shown)
            return self.observations.copy(), self.masks.copy()

    def step(self, tokens: Any) -> Step:
        """Apply a token to each match. If one is illegal, raise `ValueError` without changing anything."""
        given: Any = np.asarray(tokens)
        if given.ndim and given.shape != (self.count,):
            there = f"{given.size} tokens" if given.ndim == 1 else f"tokens of the shape {given.shape}"
            raise ValueError(f"there are {self.count} matches, and {there}")
        if not given.ndim or given.dtype.kind not in "iu":
            raise ValueError(f"tokens are whole numbers, one for each match, not {tokens!r}")
        given = given.astype(np.int64)
        with self._lock:
            within = (given >= 0) & (given < self.encoding.size)
            wrong = np.flatnonzero(~within | ~self.masks[np.arange(self.count), np.where(within, given, 0)])
            if len(wrong):
                raise ValueError(f"token {given[wrong[0]]} cannot come in match {wrong[0]}")
            rewards: Any = np.zeros((self.count, self.game.players), np.float32)
            ended: Any = np.zeros(self.count, np.bool_)
            self._steps += 1
            truncated = self._steps >= self.most_steps
            for row, worth in self._rows.take(given).items():
                ended[row], truncated[row] = worth is not None, worth is None
                if worth is not None:
                    rewards[row] = worth
            for row in np.flatnonzero(ended | truncated).tolist():
                self._steps[row] = 0
                self._begin(row)
            self._rows.show(*self._shown)
            return Step(self.observations.copy(), self.masks.copy(), rewards, ended, truncated)

    def _begin(self, row: int) -> None:
        """Start the next match of a row, skipping those that end or fault before any decision."""
        for _ in range(MOST_TRIED):
            self.seeds[row] = derive_seed(self._seed, self._begun)
            self._begun += 1
            with suppress(Fault):
                if self._rows.begin(row, self.seeds[row]):
                    return
        raise ValueError(f"in {self.game.name} nothing is ever decided")


def _protect(array: Any) -> Any:
    """Return a read-only view of an array."""
    seen = array.view()
    seen.flags.writeable = False
    return seen


def _make_rows(game: Game, count: int, encoding: Encoding, observing: Observing) -> Rows:
    executor = game.executor
    if isinstance(executor, NativeExecutor) and executor.library is not None:
        return NativeRows(game, executor, executor.library, count, encoding, observing)
    return RowsInPython(game, encoding, observing)

"""Many matches of a game at once, as arrays of numbers (`pip install 'hoyle[vector]'`).

In: a game by name or file, how many matches. Out: `VectorEnv`, whose observations, masks, rewards and ends are arrays
of numpy with a row for each match. An action is a token of `hoyle.adapters.encoding`; a match that has ended begins
anew.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import hoyle
from hoyle.adapters.encoding import Encoding, Spelling
from hoyle.adapters.observing import Observing
from hoyle.adapters.playing import Played, begin, is_native
from hoyle.engine.faults import Fault
from hoyle.engine.game import ExecutorName, Game
from hoyle.engine.utility import value_end
from hoyle.model.chance import derive_seed

MOST_STEPS = 100_000  # tokens
MOST_TRIED = 1000  # matches in which nothing is decided, one after the other


class Step(NamedTuple):
    """What came of a token in each match. Where a match has ended, `observations` and `masks` are those of the next."""

    observations: Any
    masks: Any
    rewards: Any
    terminations: Any
    truncations: Any


class VectorEnv:
    """`count` matches, each at a decision of the seat in `seats`; `seeds` are those of the matches, which follow from
    the seed of all. A match of more than `most_steps` tokens is truncated, and so is one that a rule stops by a fault.
    Whichever executor plays, the matches are the same. Generated Python is the faster one here, for what a seat sees is
    worked out in Python at every token, and native positions would have to be brought there."""

    def __init__(
        self,
        game: str | Path | Game,
        count: int,
        players: int | None = None,
        options: dict[str, Any] | None = None,
        *,
        seed: int = 0,
        executor: ExecutorName = "generated",
        most_steps: int = MOST_STEPS,
    ) -> None:
        if count < 1:
            raise ValueError(f"there is at least one match, not {count}")
        self.game = game if isinstance(game, Game) else hoyle.load(game, players, options, executor=executor)
        self.count = count
        self.most_steps = most_steps
        self.encoding = Encoding(self.game.program)
        self._observing = Observing(self.game)
        self.observations: Any = np.zeros((count, self._observing.size), np.float32)
        self.masks: Any = np.zeros((count, self.encoding.size), np.bool_)
        self.seats: Any = np.zeros(count, np.int64)
        self.seeds = [0] * count
        self.reset(seed)

    @property
    def is_native(self) -> bool:
        """Whether native code plays the matches."""
        return is_native(self.game)

    def reset(self, seed: int = 0) -> tuple[Any, Any]:
        """All matches from their beginning: the observations of the seats that are to choose, and which tokens may
        come."""
        self._seed, self._begun = seed, 0
        self._played: list[Played] = []
        self._spellings: list[Spelling] = []
        self._steps = [0] * self.count
        for row in range(self.count):
            played = self._begin(row)
            self._played.append(played)
            self._spellings.append(self._spell(played))
            self._show(row)
        return self.observations.copy(), self.masks.copy()

    def step(self, tokens: Any) -> Step:
        """Take a token in each match. `ValueError` if one cannot come; then nothing has changed."""
        given = [int(token) for token in tokens]
        if len(given) != self.count:
            raise ValueError(f"there are {self.count} matches, and {len(given)} tokens")
        for row, token in enumerate(given):
            if not 0 <= token < self.encoding.size or not self.masks[row, token]:
                raise ValueError(f"token {token} cannot come in match {row}")
        rewards: Any = np.zeros((self.count, self.game.players), np.float32)
        ended: Any = np.zeros(self.count, np.bool_)
        truncated: Any = np.zeros(self.count, np.bool_)
        for row, token in enumerate(given):
            try:
                worth = self._take(row, token)
                ended[row] = worth is not None
                if worth is not None:
                    rewards[row] = worth
            except Fault:
                truncated[row] = True
            truncated[row] |= not ended[row] and self._steps[row] >= self.most_steps
            if ended[row] or truncated[row]:
                self._steps[row] = 0
                self._played[row] = self._begin(row)
                self._spellings[row] = self._spell(self._played[row])
            self._show(row)
        return Step(self.observations.copy(), self.masks.copy(), rewards, ended, truncated)

    def _take(self, row: int, token: int) -> list[float] | None:
        """Take a token; if that ends the match, what it is worth to each seat."""
        self._steps[row] += 1
        choice = self._spellings[row].add(token)
        if choice is None:
            return None
        played = self._played[row]
        played.take(choice)
        if played.is_over:
            return value_end(self.game.executor, played.position)
        self._spellings[row] = self._spell(played)
        return None

    def _begin(self, row: int) -> Played:
        """The next match of a row; one in which nothing is decided is passed over."""
        for _ in range(MOST_TRIED):
            self.seeds[row] = derive_seed(self._seed, self._begun)
            self._begun += 1
            played = begin(self.game, self.seeds[row])
            if not played.is_over:
                return played
        raise ValueError(f"in {self.game.name} nothing is ever decided")

    def _spell(self, played: Played) -> Spelling:
        return Spelling(self.encoding.spell(played.list_choices()))

    def _show(self, row: int) -> None:
        played, spelling = self._played[row], self._spellings[row]
        seat = played.seat
        self.seats[row] = seat
        self.observations[row] = self._observing.observe(
            played.position, seat, mine=True, spelt=len(spelling.prefix)
        )
        self.masks[row] = False
        self.masks[row, spelling.legal()] = True

"""Difficulty levels: what was learnt for a game, or else search with increasing budgets.

In: a seed. Out: a bot. Where a game has a policy or a solved strategy, the levels play by it, from careless to
careful; where it has none, and where a thinking time is given, they search.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from hoyle.lab.bots.registry import bot
from hoyle.lab.bots.search import SearchBot

if TYPE_CHECKING:
    from hoyle.play.engine.actions import Action
    from hoyle.play.engine.decision import Decision
    from hoyle.play.engine.standpoint import Standpoint

MEDIUM_SECONDS, HARD_SECONDS = 0.25, 1.0
MEDIUM_ITERATIONS, HARD_ITERATIONS = 250, 20_000
EASY_ITERATIONS = 30


class LevelBot(SearchBot):
    """Plays by what was learnt, at a `heat` and with a `least` share (`choose_learnt`); else, and always where it was
    told how long to think, it searches."""

    iterations: int | None = None
    seconds: float | None = None
    heat = 1.0
    least = 0.0
    tries = 0.0  # seconds to try the likely choices in

    def __init__(self, seed: int, iterations: int | None = -1, seconds: float | None = -1.0) -> None:
        self._is_told = iterations != -1 or seconds != -1.0
        super().__init__(
            seed, self.iterations if iterations == -1 else iterations, self.seconds if seconds == -1.0 else seconds
        )

    def choose(self, decision: Decision, look: Callable[[], Standpoint]) -> int | Action:
        if not self._is_told and decision.count > 1:
            from hoyle.lab.bots.learned import choose_learnt

            learnt = choose_learnt(decision, look(), self._chance, self.heat, self.least, self._limit())
            if learnt is not None:
                return learnt
        return super().choose(decision, look)

    def _limit(self) -> float:
        return self.tries if self._hurried is None else min(self.tries, self._hurried)


@bot("easy", f"plays carelessly what was learnt, or searches a little: {EASY_ITERATIONS} iterations", thinks=True)
class EasyBot(LevelBot):
    iterations, heat = EASY_ITERATIONS, 2.5


@bot("medium", f"plays what was learnt, or searches, for {MEDIUM_SECONDS:g} s a move at most", thinks=True)
class MediumBot(LevelBot):
    iterations, seconds, heat, least = MEDIUM_ITERATIONS, MEDIUM_SECONDS, 1.2, 0.05


@bot("hard", f"plays carefully what was learnt, or searches, for {HARD_SECONDS:g} s a move at most", thinks=True)
class HardBot(LevelBot):
    iterations, seconds, heat, least, tries = HARD_ITERATIONS, HARD_SECONDS, 0.7, 0.2, HARD_SECONDS

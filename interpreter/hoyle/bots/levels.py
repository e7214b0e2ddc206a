"""Difficulty levels: search bots with increasing budgets.

In: a seed. Out: a search bot.
"""

from __future__ import annotations

from hoyle.bots.registry import bot
from hoyle.bots.search import SearchBot

MEDIUM_SECONDS, HARD_SECONDS = 0.25, 1.0
MEDIUM_ITERATIONS, HARD_ITERATIONS = 250, 20_000
EASY_ITERATIONS = 30


@bot("easy", f"searches a little: {EASY_ITERATIONS} iterations", thinks=True)
class EasyBot(SearchBot):
    def __init__(self, seed: int, iterations: int | None = EASY_ITERATIONS, seconds: float | None = None) -> None:
        super().__init__(seed, iterations, seconds)


@bot("medium", f"searches, for {MEDIUM_SECONDS:g} s a move at most", thinks=True)
class MediumBot(SearchBot):
    def __init__(
        self, seed: int, iterations: int | None = MEDIUM_ITERATIONS, seconds: float | None = MEDIUM_SECONDS
    ) -> None:
        super().__init__(seed, iterations, seconds)


@bot("hard", f"searches, for {HARD_SECONDS:g} s a move at most", thinks=True)
class HardBot(SearchBot):
    def __init__(
        self, seed: int, iterations: int | None = HARD_ITERATIONS, seconds: float | None = HARD_SECONDS
    ) -> None:
        super().__init__(seed, iterations, seconds)

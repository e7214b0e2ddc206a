"""How much a search may do, and how it is shared out among the choices.

In: iterations, seconds, the number of choices. Out: `Budget`, which says when it is spent, and `Halving`, which says
how often each choice is tried before the worse half is left aside.
"""

from __future__ import annotations

import math
import time

LEAST_ITERATIONS = 8  # however short the time
FIRST_TRIED = 4  # samples after which it is known how fast it goes, where only time is told
USUAL_PACE = 2000  # iterations a second, as long as nothing is known
LEAST_SAMPLES = 3  # of each choice; with fewer nothing is left aside


class Budget:
    """So many iterations or seconds, whichever ends first; None is no limit."""

    def __init__(self, iterations: int | None, seconds: float | None) -> None:
        self.iterations = iterations
        self.seconds = seconds
        self.done = 0
        self._began = time.monotonic()

    @property
    def spent(self) -> float:
        """The seconds that have passed."""
        return time.monotonic() - self._began

    @property
    def is_spent(self) -> bool:
        if self.iterations is not None and self.done >= self.iterations:
            return True
        return self.seconds is not None and self.done >= LEAST_ITERATIONS and self.spent >= self.seconds

    def limit(self, many: int) -> int:
        """So many iterations, or as many as are left."""
        return many if self.iterations is None else min(many, self.iterations - self.done)

    def guess(self) -> float:
        """How many iterations there may be in all."""
        told = math.inf if self.iterations is None else self.iterations
        if self.seconds is None or self.done < LEAST_ITERATIONS:
            return told
        return min(told, self.done * self.seconds / max(self.spent, 1e-6))


class Halving:
    """Sequential halving: the budget is shared out equally to rounds, and in each to the choices that are left."""

    def __init__(self, choices: int, budget: Budget) -> None:
        self.budget = budget
        self.rounds = max(1, math.ceil(math.log2(max(2, choices))))
        if budget.iterations is not None:
            expected: float = budget.iterations
        else:
            expected = math.inf if budget.seconds is None else budget.seconds * USUAL_PACE
        self.is_worth_while = choices > 1 and expected >= LEAST_SAMPLES * choices * self.rounds

    def count_samples(self, choices: int) -> int:
        """How many samples each of the choices is to be tried in, in this round; that may change as time passes."""
        in_all = self.budget.guess()
        if math.isinf(in_all):
            return FIRST_TRIED
        if choices == 2:  # the last round: all that is left
            return max(1, math.ceil((in_all - self.budget.done) / choices))
        return max(1, int(in_all / (self.rounds * choices)))

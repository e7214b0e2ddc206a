"""The budget of a search, and its allocation to the choices at the root by sequential halving.

In: iterations, seconds, the number of choices. Out: `Budget`, which tells when it is spent, and `Halving`, which tells
how many samples each choice gets before the worse half is dropped.
"""

from __future__ import annotations

import math
import time

from hoyle.base.errors import HoyleError

MOST_NODES, MOST_CHILDREN = 1 << 16, 1 << 17  # of the tree of a search
LEAST_ITERATIONS = 8  # regardless of the time limit; also what it takes to estimate the speed
FIRST_TRIED = 4  # samples per choice while the speed is unknown and only a time limit is given
USUAL_PACE = 2000  # assumed iterations per second before any measurement
LEAST_SAMPLES = 3  # per choice and round; sequential halving is not used with fewer


class GivenUp(HoyleError):  # noqa: N818 - control flow, not an error
    """Native code cannot complete the search; it restarts in Python."""


class Budget:
    """A limit of iterations and seconds, whichever is reached first; None means no limit."""

    def __init__(self, iterations: int | None, seconds: float | None) -> None:
        self.iterations = iterations
        self.seconds = seconds
        self.done = 0
        self._began = time.monotonic()

    @property
    def spent(self) -> float:
        """Seconds elapsed."""
        return time.monotonic() - self._began

    @property
    def is_spent(self) -> bool:
        if self.iterations is not None and self.done >= self.iterations:
            return True
        return self.seconds is not None and self.done >= LEAST_ITERATIONS and self.spent >= self.seconds

    def limit(self, many: int) -> int:
        """Return `many`, or the number of iterations left if that is less."""
        return many if self.iterations is None else min(many, self.iterations - self.done)

    def guess(self) -> float:
        """Estimate the total number of iterations, from the speed so far under a time limit."""
        told = math.inf if self.iterations is None else self.iterations
        if self.seconds is None or self.done < LEAST_ITERATIONS:
            return told
        return min(told, self.done * self.seconds / max(self.spent, 1e-6))


class Halving:
    """Sequential halving: divides the budget equally among rounds, and in each among the choices that are left."""

    def __init__(self, choices: int, budget: Budget) -> None:
        self.budget = budget
        self.rounds = max(1, math.ceil(math.log2(max(2, choices))))
        if budget.iterations is not None:
            expected: float = budget.iterations
        else:
            expected = math.inf if budget.seconds is None else budget.seconds * USUAL_PACE
        self.is_worth_while = choices > 1 and expected >= LEAST_SAMPLES * choices * self.rounds

    def count_samples(self, choices: int) -> int:
        """Return how many samples each choice gets in this round. Under a time limit, it changes with the speed."""
        in_all = self.budget.guess()
        if math.isinf(in_all):
            return FIRST_TRIED
        if choices == 2:  # the last round gets the rest of the budget
            return max(1, math.ceil((in_all - self.budget.done) / choices))
        return max(1, int(in_all / (self.rounds * choices)))

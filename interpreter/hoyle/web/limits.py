"""How much a stranger may ask for: so often, and then only as time goes by.

In: somebody's name and the time. Out: whether he may.
"""

from __future__ import annotations

import time
from collections.abc import Callable

MOST_NAMES = 10_000


class Bucket:
    """Holds `size` tokens and gets `rate` of them back every second.

    >>> now = 0.0
    >>> bucket = Bucket(2, 1, lambda: now)
    >>> [bucket.take() for _ in range(3)]
    [True, True, False]
    >>> now = 1.0
    >>> bucket.take(), bucket.take()
    (True, False)
    """

    __slots__ = ("clock", "filled", "rate", "size", "tokens")

    def __init__(self, size: float, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.size = self.tokens = size
        self.rate = rate
        self.clock = clock
        self.filled = clock()

    def take(self) -> bool:
        now = self.clock()
        self.tokens = min(self.size, self.tokens + (now - self.filled) * self.rate)
        self.filled = now
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True

    @property
    def is_full(self) -> bool:
        return self.tokens + (self.clock() - self.filled) * self.rate >= self.size


class Buckets:
    """A bucket for everybody who comes; those that have filled up again are forgotten."""

    def __init__(self, size: float, rate: float) -> None:
        self.size, self.rate = size, rate
        self.held: dict[str, Bucket] = {}

    def take(self, name: str) -> bool:
        if len(self.held) > MOST_NAMES:
            self.held = {each: bucket for each, bucket in self.held.items() if not bucket.is_full}
        return self.held.setdefault(name, Bucket(self.size, self.rate)).take()

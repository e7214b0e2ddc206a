"""Rate limits: token buckets.

In: the name of a client and the time. Out: whether the request is allowed.
"""

from __future__ import annotations

import time
from collections.abc import Callable

MOST_NAMES = 10_000


class Bucket:
    """A token bucket: holds up to `size` tokens and refills `rate` tokens per second.

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
    """A token bucket per client; full buckets are dropped once there are many, to bound memory."""

    def __init__(self, size: float, rate: float) -> None:
        self.size, self.rate = size, rate
        self.held: dict[str, Bucket] = {}

    def take(self, name: str) -> bool:
        if len(self.held) > MOST_NAMES:
            self.held = {each: bucket for each, bucket in self.held.items() if not bucket.is_full}
        return self.held.setdefault(name, Bucket(self.size, self.rate)).take()

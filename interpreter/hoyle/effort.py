"""How much work has been done on a file, counted in steps and not in seconds, so that every machine gives one answer.

In: `spend`, called by whatever goes through something that a file makes long. Out: `TooMuchWork` where a bound set by
`bounded` is overstepped; where none is set, nothing is counted.

A step is about what one node of an expression takes to be elaborated: some ten microseconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import field

from hoyle.dataclass import dataclass


class TooMuchWork(Exception):  # noqa: N818 - an answer, not an error
    """More was to be done than is allowed."""


@dataclass(slots=True)
class Effort:
    """What may still be done; `paid` is what has been counted and need not be done again."""

    left: int
    paid: set[object] = field(default_factory=set)

    @property
    def is_spent(self) -> bool:
        return self.left < 0


_present: ContextVar[Effort | None] = ContextVar("effort", default=None)


@contextmanager
def bounded(most: int, *, apart: bool = False) -> Iterator[Effort]:
    """Let no more be done inside than so much. Inside another bound that one holds, unless this work stands `apart`."""
    outer = _present.get()
    if outer is not None and not apart:
        yield outer
        return
    effort = Effort(most)
    token = _present.set(effort)
    try:
        yield effort
    finally:
        _present.reset(token)


@contextmanager
def going_on(effort: Effort) -> Iterator[None]:
    """Let what is done inside count as well as what was done before with the same effort."""
    token = _present.set(effort)
    try:
        yield
    finally:
        _present.reset(token)


def spend(steps: int = 1) -> None:
    """So much is done."""
    effort = _present.get()
    if effort is not None:
        effort.left -= steps
        if effort.left < 0:
            raise TooMuchWork


def spend_once(work: object, steps: int) -> None:
    """So much is done for something that need not be done again while the same bound holds."""
    effort = _present.get()
    if effort is not None and work not in effort.paid:
        effort.paid.add(work)
        spend(steps)


def charge(steps: int) -> None:
    """So much was done for something that has ended: it counts, but what came of it is told all the same."""
    effort = _present.get()
    if effort is not None:
        effort.left -= steps

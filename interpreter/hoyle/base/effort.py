"""Effort accounting: work on a file is counted in steps instead of time, so that results are the same on every machine.

In: `spend`, called by loops whose length depends on a file. Out: `TooMuchWork` when a budget set by `bounded` is
exceeded; without a budget, nothing is counted.

A step is about the elaboration of one node of an expression: ten microseconds or so.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import field

from hoyle.base.dataclass import dataclass
from hoyle.base.errors import HoyleError


class TooMuchWork(HoyleError):  # noqa: N818 - a result, not an error
    """The budget is exceeded."""


@dataclass(slots=True)
class Effort:
    """The remaining budget; `paid` are keys of work that is charged only once."""

    left: int
    paid: set[object] = field(default_factory=set)

    @property
    def is_spent(self) -> bool:
        return self.left < 0


_present: ContextVar[Effort | None] = ContextVar("effort", default=None)


@contextmanager
def bounded(most: int, *, apart: bool = False) -> Iterator[Effort]:
    """Run the body with a budget. Inside another budget, that one applies instead, unless the body is accounted for
    `apart`."""
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
    """Run the body with the rest of an earlier budget."""
    token = _present.set(effort)
    try:
        yield
    finally:
        _present.reset(token)


def spend(steps: int = 1) -> None:
    """Charge steps."""
    effort = _present.get()
    if effort is not None:
        effort.left -= steps
        if effort.left < 0:
            raise TooMuchWork


def spend_once(work: object, steps: int) -> None:
    """Charge steps for work that is cached: once per budget and key."""
    effort = _present.get()
    if effort is not None and work not in effort.paid:
        effort.paid.add(work)
        spend(steps)


def charge(steps: int) -> None:
    """Charge steps after the fact, without raising `TooMuchWork`."""
    effort = _present.get()
    if effort is not None:
        effort.left -= steps

"""What callers give: whole numbers, seats and orders of any library, as Python's own.

In: a value. Out: the same as `int` or `list`; an exception that names it if it is none.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from operator import index
from typing import Any, SupportsIndex, overload


def read_whole(value: SupportsIndex, what: str) -> int:
    """A whole number, be it numpy's, whose sums and shifts would end at 64 bits.

    >>> read_whole(True, "a seed"), read_whole(-3, "a seed")
    (1, -3)
    >>> read_whole(1.5, "a seed")
    Traceback (most recent call last):
    TypeError: a seed is a whole number, not 1.5
    """
    try:
        return index(value)
    except TypeError:
        raise TypeError(f"{what} is a whole number, not {value!r}") from None


def read_count(value: SupportsIndex, what: str) -> int:
    """How many there are of something, which is one at least.

    >>> read_count(0, "the number of matches")
    Traceback (most recent call last):
    ValueError: the number of matches is at least 1, not 0
    """
    many = read_whole(value, what)
    if many < 1:
        raise ValueError(f"{what} is at least 1, not {many}")
    return many


def read_games(value: SupportsIndex) -> int:
    """How many games are to be played; none is a number, too.

    >>> read_games(-1)
    Traceback (most recent call last):
    ValueError: the number of games is at least 0, not -1
    """
    many = read_whole(value, "the number of games")
    if many < 0:
        raise ValueError(f"the number of games is at least 0, not {many}")
    return many


def read_jobs(value: SupportsIndex) -> int:
    """How many processes work, 0 being one for each processor.

    >>> read_jobs(3), read_jobs(0) > 0
    (3, True)
    """
    many = read_whole(value, "the number of processes")
    if many < 0:
        raise ValueError(f"the number of processes is at least 1, or 0 for all processors, not {many}")
    return many or os.cpu_count() or 1


def read_place(action: SupportsIndex) -> int:
    """The place of an action among those that are offered."""
    try:
        return index(action)
    except TypeError:
        raise TypeError(f"an action is given as itself, as its text or by its place, not as {action!r}") from None


@overload
def read_seat(seat: SupportsIndex, players: int) -> int: ...


@overload
def read_seat(seat: SupportsIndex | None, players: int) -> int | None: ...


def read_seat(seat: SupportsIndex | None, players: int) -> int | None:
    """A seat of a match of so many, or None for a spectator; `ValueError` if there is no such seat."""
    if seat is None:
        return None
    known = read_whole(seat, "a seat")
    if not 0 <= known < players:
        raise ValueError(f"there is no seat {known}; seats are 0 to {players - 1}")
    return known


def read_named(values: Mapping[str, Any] | None, what: str) -> dict[str, Any]:
    """Values by name; None are none."""
    if values is None:
        return {}
    if not isinstance(values, Mapping) or not all(isinstance(name, str) for name in values):
        raise TypeError(f"{what}, not {values!r}")
    return dict(values)


def read_outcome(value: Any) -> Any:
    """An outcome of chance: an array becomes a list, and so do the numbers in it become Python's.

    >>> read_outcome((2, 0, 1)), read_outcome("random")
    ([2, 0, 1], 'random')
    """
    if hasattr(value, "tolist"):
        value = value.tolist()
    return [read_outcome(part) for part in value] if isinstance(value, list | tuple) else value

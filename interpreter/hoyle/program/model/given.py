"""Normalisation of arguments from callers: integers, seats and sequences of any library become Python's own types.

In: a value. Out: the same as `int` or `list`, or an exception that names it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from operator import index
from typing import Any, SupportsIndex, overload


def read_whole(value: SupportsIndex, what: str) -> int:
    """Any integer type as `int`: numpy's would overflow at 64 bits.

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
    """A number of things, at least 1.

    >>> read_count(0, "the number of matches")
    Traceback (most recent call last):
    ValueError: the number of matches is at least 1, not 0
    """
    many = read_whole(value, what)
    if many < 1:
        raise ValueError(f"{what} is at least 1, not {many}")
    return many


def read_games(value: SupportsIndex) -> int:
    """A number of games, at least 0.

    >>> read_games(-1)
    Traceback (most recent call last):
    ValueError: the number of games is at least 0, not -1
    """
    many = read_whole(value, "the number of games")
    if many < 0:
        raise ValueError(f"the number of games is at least 0, not {many}")
    return many


def read_jobs(value: SupportsIndex) -> int:
    """A number of processes; 0 means one per processor.

    >>> read_jobs(3), read_jobs(0) > 0
    (3, True)
    """
    many = read_whole(value, "the number of processes")
    if many < 0:
        raise ValueError(f"the number of processes is at least 1, or 0 for all processors, not {many}")
    return many or os.cpu_count() or 1


def read_place(action: SupportsIndex) -> int:
    """The index of an action among those offered."""
    try:
        return index(action)
    except TypeError:
        raise TypeError(f"an action is given as itself, as its text or by its place, not as {action!r}") from None


@overload
def read_seat(seat: SupportsIndex, players: int) -> int: ...


@overload
def read_seat(seat: SupportsIndex | None, players: int) -> int | None: ...


def read_seat(seat: SupportsIndex | None, players: int) -> int | None:
    """A seat number, or None for a spectator; raises `ValueError` if there is no such seat."""
    if seat is None:
        return None
    known = read_whole(seat, "a seat")
    if not 0 <= known < players:
        raise ValueError(f"there is no seat {known}; seats are 0 to {players - 1}")
    return known


def read_named(values: Mapping[str, Any] | None, what: str) -> dict[str, Any]:
    """Values by name; None means no values."""
    if values is None:
        return {}
    if not isinstance(values, Mapping) or not all(isinstance(name, str) for name in values):
        raise TypeError(f"{what}, not {values!r}")
    return dict(values)


def read_script(value: Iterable[Any] | None) -> list[Any] | None:
    """The outcomes of chance that a caller prescribes.

    >>> read_script(["random", (2, 0, 1)])
    ['random', [2, 0, 1]]
    """
    if value is None:
        return None
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise TypeError(f"a script is a list of outcomes, such as ['random', [2, 0, 1]], not {value!r}")
    return [read_outcome(outcome) for outcome in value]


def read_outcome(value: Any) -> Any:
    """An outcome of chance, with arrays and numpy numbers converted to Python's.

    >>> read_outcome((2, 0, 1)), read_outcome("random")
    ([2, 0, 1], 'random')
    """
    if hasattr(value, "tolist"):
        value = value.tolist()
    return [read_outcome(part) for part in value] if isinstance(value, list | tuple) else value

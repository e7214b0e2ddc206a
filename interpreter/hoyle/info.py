"""What a game file says of itself.

In: nothing. Out: `GameInfo` and `OptionInfo`, plain values.
"""

from __future__ import annotations

from pathlib import Path

from hoyle.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class OptionInfo:
    """What a player is told of an option."""

    name: str
    text: str
    kind: str
    default: str
    values: tuple[tuple[str, str], ...]
    low: int
    high: int
    or_none: bool


@dataclass(frozen=True, slots=True)
class GameInfo:
    """What a game file says of itself before it is compiled. `parents` are the games it extends, the nearest first;
    `also` are its other names; `kinds` say how it is played: with `partners`, for `chips`, `alone`."""

    name: str
    title: str
    path: Path
    usual: tuple[int, int]
    allowed: tuple[int, int]
    options: tuple[OptionInfo, ...]
    parents: tuple[str, ...] = ()
    family: str = ""
    also: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()

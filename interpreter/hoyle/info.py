"""Metadata of games.

In: nothing. Out: `GameInfo` and `OptionInfo`, plain values.
"""

from __future__ import annotations

from pathlib import Path

from hoyle.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class OptionInfo:
    """An option as presented to players."""

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
    """Metadata of a game file, available without compiling it. `parents` are its ancestors, the nearest first; `also`
    are alternative names; `kinds` are tags: `partners`, `chips`, `alone`."""

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

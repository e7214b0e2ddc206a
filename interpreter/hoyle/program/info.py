"""Metadata of games.

In: nothing. Out: `GameInfo` and `OptionInfo`, plain values.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from hoyle.base.dataclass import dataclass


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
    are alternative names; `kinds` are tags: `partners`, `chips`, `alone`; `about` and `goal` say what the game is and
    how it is won."""

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
    about: str = ""
    goal: str = ""


def write_option(value: object) -> str:
    """The value of an option as it is written in a rule file: `true`, `none`, `61`, `one_deal_each`."""
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def say_options(info: GameInfo | None, options: Mapping[str, object]) -> dict[str, str]:
    """The options in force by their descriptions, or by name where they have none, with their values."""
    told = {option.name: option for option in info.options} if info is not None else {}
    said: dict[str, str] = {}
    for name, value in options.items():
        option, written = told.get(name), write_option(value)
        sentence = dict(option.values).get(written, "") if option is not None else ""
        label = option.text.rstrip(".") if option is not None else ""
        said[label or name.replace("_", " ")] = sentence or written
    return said

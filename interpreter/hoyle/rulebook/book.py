"""What a rulebook is made of.

In: nothing. Out: `Book`, `Chapter`, `Point`: plain values, written the same in every format.
"""

from __future__ import annotations

from hoyle.dataclass import dataclass
from hoyle.table.model import Face


@dataclass(frozen=True, slots=True)
class Point:
    """One thing a chapter says. `name` stands before it; `exact` is the rule as it is played where `text` is a sentence
    of the author's; `cite` are numbered rules; `faces` are cards to be drawn beside it; `below` are its parts."""

    text: str = ""
    name: str = ""
    exact: str = ""
    cite: tuple[str, ...] = ()
    below: tuple[Point, ...] = ()
    faces: tuple[Face, ...] = ()


@dataclass(frozen=True, slots=True)
class Chapter:
    title: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Book:
    """A rulebook. `note` says what file it follows; `told` that the file does not have the language that is wanted."""

    title: str
    subtitle: str
    language: str
    chapters: tuple[Chapter, ...]
    note: str
    told: str = ""

"""The data model of a rulebook.

In: nothing. Out: `Book`, `Chapter`, `Point`: plain values, independent of the output format.
"""

from __future__ import annotations

from hoyle.base.dataclass import dataclass
from hoyle.play.table.model import Face


@dataclass(frozen=True, slots=True)
class Point:
    """A point of a chapter, prefixed by its `name`. If `text` is a description by the author, `exact` is the verbalized
    rule; `cite` are numbered rules; `faces` are cards to draw beside it; `below` are subpoints."""

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
    """A rulebook. `note` names the file it is generated from; `told` is a notice if the file lacks the wanted
    language."""

    title: str
    subtitle: str
    language: str
    chapters: tuple[Chapter, ...]
    note: str
    told: str = ""

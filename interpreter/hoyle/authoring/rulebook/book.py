"""The data model of a rulebook.

In: nothing. Out: `Book`, `Chapter`, `Point`: plain values, independent of the output format; what a book says about a
word.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

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

    def speaks_of(self, wanted: str) -> bool:
        said = " ".join((self.name, self.text, *self.cite)).casefold()
        return wanted in said or any(below.speaks_of(wanted) for below in self.below)


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

    def find(self, words: str) -> tuple[Chapter, ...]:
        """What the book says about some words: the chapter of that title, or else, chapter by chapter, the points of
        that name, with these words in a title or at the beginning of a name, or that speak of them."""
        wanted = words.casefold().replace("_", " ").strip()
        titled = tuple(each for each in self.chapters if wanted == each.title.casefold())
        return (
            titled
            or self._pick(lambda point: wanted == point.name.casefold())
            or tuple(each for each in self.chapters if wanted in each.title.casefold().split())
            or self._pick(lambda point: point.name.casefold().startswith(wanted))
            or self._pick(lambda point: point.speaks_of(wanted))
        )

    def _pick(self, fits: Callable[[Point], bool]) -> tuple[Chapter, ...]:
        found = (replace(each, points=tuple(filter(fits, each.points))) for each in self.chapters)
        return tuple(each for each in found if each.points)

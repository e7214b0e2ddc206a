"""Text of a file and places in it.

In: the text of a rule file. Out: `Source`, and `Span`s into it that know their line and column.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True, eq=False)
class Source:
    """One file as read. `renames` maps the names of a used module to the names they bear in the game that uses it;
    `own` is, of a module, every name it declares or asks for, and `inputs` the states of it that a game may set before
    it does a step of the module (`*` if the module does not say). A text that is `supposed` stands in no file: it is
    what a line was most likely meant to be, taken in its place so that the rest of the file can be looked at."""

    name: str
    text: str
    renames: Mapping[str, str] = field(default_factory=dict)
    own: Set[str] | None = None
    inputs: Set[str] = frozenset()
    supposed: bool = False

    @cached_property
    def _starts(self) -> list[int]:
        """The offsets at which lines begin; they are asked for only where something is told of a text."""
        return [0, *(end.end() for end in re.finditer("\n", self.text))]

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """The line and column of an offset, both counted from 1."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect.bisect_right(self._starts, offset) - 1
        return line + 1, offset - self._starts[line] + 1

    def line_start(self, line: int) -> int:
        """The offset at which a line begins, counted from 1."""
        return self._starts[line - 1]

    def line_text(self, line: int) -> str:
        """The text of a line, counted from 1, without its line end."""
        start = self._starts[line - 1]
        end = self._starts[line] - 1 if line < len(self._starts) else len(self.text)
        return self.text[start:end].rstrip("\r")

    def offset(self, line: int, column: int) -> int:
        """The offset of a line and column, both counted from 1."""
        return self._starts[line - 1] + column - 1

    @property
    def line_count(self) -> int:
        return len(self._starts)


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a source, `start` included, `end` not."""

    source: Source
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    @property
    def line(self) -> int:
        return self.source.line_and_column(self.start)[0]

    @property
    def column(self) -> int:
        return self.source.line_and_column(self.start)[1]

    def to(self, other: Span) -> Span:
        """The stretch from here to the end of `other`."""
        return Span(self.source, self.start, max(self.end, other.end))

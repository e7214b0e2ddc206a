"""Source texts and locations in them.

In: the text of a rule file. Out: `Source`, and `Span`s in it with line and column.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Mapping, Set
from dataclasses import field
from functools import cached_property

from hoyle.base.dataclass import dataclass


@dataclass(frozen=True, eq=False)
class Source:
    """The text of a file. For a module, `renames` maps its names to names in the game that uses it, `own` are all names
    it declares or requires, and `inputs` the states that a game may set before it does a step of the module (`*` if
    undeclared). A `supposed` text is not part of a file: it is the presumed correction of a line, which error recovery
    uses in its place."""

    name: str
    text: str
    renames: Mapping[str, str] = field(default_factory=dict)
    own: Set[str] | None = None
    inputs: Set[str] = frozenset()
    supposed: bool = False

    @cached_property
    def _starts(self) -> list[int]:
        """The offsets of line starts, computed lazily, for diagnostics."""
        return [0, *(end.end() for end in re.finditer("\n", self.text))]

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from 1."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect.bisect_right(self._starts, offset) - 1
        return line + 1, offset - self._starts[line] + 1

    def line_start(self, line: int) -> int:
        """The offset of the start of a line, counted from 1."""
        return self._starts[line - 1]

    def line_text(self, line: int) -> str:
        """The text of a line, counted from 1, without its line break."""
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
    """A range of a source; `end` is exclusive."""

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

    @property
    def first_line(self) -> Span:
        """The part on the first line, without what follows a line break."""
        return Span(self.source, self.start, self.start + len(self.text.partition("\n")[0].rstrip()))

    def to(self, other: Span) -> Span:
        """The range from here to the end of `other`."""
        return Span(self.source, self.start, max(self.end, other.end))

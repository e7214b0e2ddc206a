"""Source text being written: lines with their depth, and pieces of expressions that know how tightly they bind.

In: pieces of code. Out: lines; `Code`, wrapped in parentheses only where they are needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from hoyle.dataclass import dataclass
from hoyle.effort import spend

# How tightly an expression binds, loosest first.
CHOICE, OR, AND, NOT, COMPARE, ARITHMETIC, ATOM = range(7)

STEPS_FOR_LINE = 5


class Place(NamedTuple):
    """The block and instruction that code carries out; what had been carried out before the block since the budget was
    last written down, and whether it was."""

    block: int
    instruction: int
    cost: int
    counts: bool


class Code(NamedTuple):
    """A Python expression and how tightly it binds."""

    text: str
    level: int

    def within(self, level: int) -> str:
        """The text as part of something that binds as tightly as `level`."""
        return self.text if self.level >= level else f"({self.text})"

    @property
    def is_name(self) -> bool:
        """Whether reading it again costs nothing."""
        return self.level == ATOM and bool(_NAME.fullmatch(self.text))


_NAME = re.compile(r"-?\w+")


def atom(text: str) -> Code:
    return Code(text, ATOM)


@dataclass(slots=True)
class Line:
    """A line of source. `place` is what it carries out, if it does. Empty lines are left out."""

    depth: int
    text: str
    place: Place | None


class Writer:
    """Collects the lines of one function."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.depth = 1
        self.place: Place | None = None
        self.temps = 0

    def add(self, text: str) -> Line:
        spend(STEPS_FOR_LINE)
        line = Line(self.depth, text, self.place)
        self.lines.append(line)
        return line

    def fresh(self, prefix: str = "t") -> str:
        self.temps += 1
        return f"{prefix}{self.temps}"

    @contextmanager
    def indented(self) -> Iterator[None]:
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1

    @contextmanager
    def captured(self) -> Iterator[list[Line]]:
        """The lines written meanwhile, kept apart; put them where they belong with `put`."""
        before, self.lines = self.lines, []
        try:
            yield self.lines
        finally:
            self.lines = before

    def put(self, lines: list[Line], deeper: int = 0) -> None:
        for line in lines:
            line.depth += deeper
            self.lines.append(line)


def comment(text: str) -> str:
    """Words of a rule file as a comment: letters, digits and plain punctuation alone."""
    kept = re.sub(r"[^A-Za-z0-9_.,:()\[\]+-]+", " ", text).strip()
    return f"# {kept[:100]}".rstrip()

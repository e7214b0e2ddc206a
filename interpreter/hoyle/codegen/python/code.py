"""Python text as it is put together: expressions that know how tightly they bind, statements in a tree.

In: text. Out: text with brackets where they are needed, and lines with their indentation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

ATOM, ARITHMETIC, COMPARE, NOT, AND, OR, CHOICE = range(7)  # the tighter, the less
INDENT = " "
NAME = re.compile(r"[A-Za-z_]\w*|-?\d+|slots\[\d+\]")  # what is read as fast as a name, or will be one


class Code(NamedTuple):
    """An expression. `kind` is what is known of what it gives: `bool`, `int`, `tuple` or `list`, nothing if it may be
    a truth or a number."""

    text: str
    level: int = ATOM
    kind: str = "int"

    def within(self, level: int) -> str:
        """The text where no looser operator may stand."""
        return self.text if self.level <= level else f"({self.text})"

    @property
    def is_name(self) -> bool:
        return NAME.fullmatch(self.text) is not None


class Assign(NamedTuple):
    """A name is given to a value."""

    name: str
    text: str


class Refuse(NamedTuple):
    """What the test does not hold of is left to the reference."""

    test: str


class Line(NamedTuple):
    text: str


class Nest(NamedTuple):
    """Statements under a header."""

    header: str
    body: list[Statement]


Statement = Assign | Refuse | Line | Nest


def list_lines(statements: Sequence[Statement], depth: int) -> Iterator[str]:
    """The lines of statements."""
    margin = INDENT * depth
    for each in statements:
        match each:
            case Assign():
                yield f"{margin}{each.name} = {each.text}"
            case Refuse():
                yield f"{margin}if not ({each.test}): raise Stop"
            case Line():
                yield f"{margin}{each.text}"
            case Nest():
                yield f"{margin}{each.header}"
                yield from list_lines(each.body or [Line("pass")], depth + 1)


def write_clauses(statements: Sequence[Statement]) -> str | None:
    """Statements as clauses of a comprehension; None if there are others than names and what is refused."""
    made = []
    for each in statements:
        match each:
            case Assign():  # compiled as a plain assignment
                made.append(f" for {each.name} in [{each.text}]")
            case Refuse():
                made.append(f" if ({each.test}) or stop()")
            case _:
                return None
    return "".join(made)

"""Text tables fitted to a width.

In: rows of cells, and the maximal width of a line, or None for no limit. Out: lines. Tables that are too wide are not
left to the terminal to wrap: a table with a header is split into several, each with some of the columns beside the
first; in a list, the last cell is wrapped within its column if there is room, otherwise the other cells go below the
first.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Collection, Iterable, Sequence

GAP = "  "
BELOW = "    "  # indentation of cells below the first
LEAST_TEXT = 30  # minimal width for wrapping the last cell in its column
_TREE = str.maketrans("├└─", "│  ")  # continuation of tree branches below a name
Rows = Sequence[Sequence[str]]


def in_columns(rows: Rows, width: int | None = None, right: Collection[int] = ()) -> list[str]:
    """A list as lines, each column as wide as its widest cell; columns in `right` are right-aligned.

    >>> in_columns([("a", "bb", "c"), ("ddd", "e", "")])
    ['a    bb  c', 'ddd  e']
    """
    return [line for lines in each_in_columns(rows, width, right) for line in lines]


def each_in_columns(rows: Rows, width: int | None = None, right: Collection[int] = ()) -> list[list[str]]:
    """The lines of each row of a list.

    >>> each_in_columns([("cut", "The cards are cut, and the lowest of them deals")], 36)
    [['cut  The cards are cut, and the', '     lowest of them deals']]
    >>> each_in_columns([("rank", "The number of a card", "1 to 13")], 30)
    [['rank', '    The number of a card', '    1 to 13']]
    """
    lines = _align(rows, right)
    if width is None or all(len(line) <= width for line in lines):
        return [[line] for line in lines]
    lead = sum(len(GAP) + cell for cell in _measure(rows)[:-1])
    if width - lead >= LEAST_TEXT:
        return [textwrap.wrap(line, width, subsequent_indent=" " * lead) for line in lines]
    return [_stack(row, width) for row in rows]


def fold_table(rows: Rows, width: int | None = None, right: Collection[int] | None = None) -> list[str]:
    """A table with a header row, as lines; by default all columns but the first are right-aligned.

    >>> fold_table([("seat", "wins", "score"), ("0", "12", "3.5")], 11)
    ['seat  wins', '0       12', '', 'seat  score', '0       3.5']
    """
    if not rows:
        return []
    widths = _measure(rows)
    stand = range(1, len(widths)) if right is None else right
    parts: list[list[int]] = [[0]]
    for column in range(1, len(widths)):
        needed = sum(len(GAP) + widths[each] for each in (*parts[-1][1:], column)) + widths[0]
        if width is not None and needed > width and len(parts[-1]) > 1:
            parts.append([0])
        parts[-1].append(column)
    lines: list[str] = []
    for part in parts:
        inner = [[row[column] for column in part] for row in rows]
        lines += ["", *_align(inner, [at for at, column in enumerate(part) if column in stand])]
    return lines[1:]


def _measure(rows: Rows) -> list[int]:
    return [max(map(len, column)) for column in zip(*rows, strict=True)]


def _align(rows: Rows, right: Collection[int]) -> list[str]:
    widths = _measure(rows)
    return [
        GAP.join(
            cell.rjust(width) if column in right else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _stack(row: Sequence[str], width: int) -> list[str]:
    """The first cell, and below it the others, as many on a line as fit."""
    first, *others = row
    lead = first[: len(first) - len(first.lstrip(" │├└─"))].translate(_TREE) + BELOW
    lines: list[str] = []
    room = 0  # on the last line; none after a wrapped cell
    for cell in filter(None, map(str.strip, others)):
        if len(GAP) + len(cell) <= room:
            lines[-1] += GAP + cell
            room -= len(GAP) + len(cell)
        else:
            more = textwrap.wrap(cell, max(width, len(lead) + 8), initial_indent=lead, subsequent_indent=lead)
            lines += more
            room = width - len(more[0]) if len(more) == 1 else 0
    return [first.rstrip(), *lines] if first.strip() else lines


def wrap_lines(lines: Iterable[str], width: int | None = None) -> list[str]:
    """Lines, each wrapped by `wrap_line`."""
    return [part for line in lines for part in wrap_line(line, width)]


def wrap_line(line: str, width: int | None = None) -> list[str]:
    """A line wrapped between words; continuation lines are aligned with its second cell.

    >>> wrap_line("rounds  12 a game, 10 to 16", 20)
    ['rounds  12 a game,', '        10 to 16']
    """
    if width is None or len(line) <= width:
        return [line]
    cell = re.match(r"\s*\S+ {2,}", line)
    indent = " " * (cell.end() if cell is not None and cell.end() * 2 < width else len(line) - len(line.lstrip()))
    return textwrap.wrap(line, width, subsequent_indent=indent) or [line]

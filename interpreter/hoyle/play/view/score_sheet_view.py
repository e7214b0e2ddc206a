"""The score sheet: a line for each round, with columns and marks for each seat, and totals below.

In: a program whose ledger has columns or marks, a position, and a function that evaluates the ledger's expressions.
Out: `Sheet`, plain values; and the sheet as text that fits a width.

In the text, a dash fills the empty columns of a line that has entries. Marks go into the last column if it is free, or
span all columns if the line has no entries; struck entries are set between tildes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hoyle.base.dataclass import dataclass
from hoyle.play.view.locale import Locale
from hoyle.program.ir.nodes import Expr, Program
from hoyle.program.model.position import Position

ValueOf = Callable[[Expr, int, Position], int]
Write = Callable[[int], str]
NOTHING = "-"
_BETWEEN_COLUMNS = 2
_BETWEEN_SEATS = 3


@dataclass(frozen=True, slots=True)
class SheetLine:
    """One seat's line in one round: an entry or None for each column, and the labels of its marks."""

    entries: tuple[int | None, ...]
    marks: tuple[str, ...]
    struck: bool

    @property
    def is_empty(self) -> bool:
        return not self.marks and all(entry is None for entry in self.entries)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A score sheet, indexed as `lines[round][seat]`, `totals[seat][column]`, `scores[seat]`; `teams[seat]` is the
    number of the seat's team."""

    columns: tuple[str, ...]
    lines: tuple[tuple[SheetLine, ...], ...]
    totals: tuple[tuple[int, ...], ...]
    scores: tuple[int, ...]
    teams: tuple[int, ...]

    def sum_up_sides(self) -> list[tuple[tuple[int, ...], int]]:
        """List the seats of each team with the sum of their scores."""
        sides = dict.fromkeys(self.teams)
        members = [tuple(seat for seat, own in enumerate(self.teams) if own == team) for team in sides]
        return [(seats, sum(self.scores[seat] for seat in seats)) for seats in members]


    def find_margin(self, winners: Sequence[int]) -> int | None:
        """Return the smallest score difference between the winning team and another; None unless the winners are one
        whole team and there is another."""
        own = [score for seats, score in self.sum_up_sides() if set(seats) == set(winners)]
        others = [score for seats, score in self.sum_up_sides() if not set(seats) & set(winners)]
        return min(abs(own[0] - score) for score in others) if own and others else None


def has_sheet(program: Program) -> bool:
    """Whether a game keeps a score sheet, rather than just one total for each seat."""
    return len(program.columns) > 1 or bool(program.marks)


def read_sheet(program: Program, position: Position, scores: Sequence[int], value_of: ValueOf) -> Sheet:
    """Build the sheet of a position."""
    players, columns = position.players, len(program.columns)

    def read_line(number: int, seat: int) -> SheetLine:
        row = position.lines[number][seat]
        marks = tuple(text for at, text in enumerate(program.mark_labels) if (row[-1] or 0) >> at & 1 and text)
        struck = False
        if program.struck is not None and any(entry is not None for entry in row):
            struck = bool(value_of(program.struck, number * players + seat, position))
        return SheetLine(tuple(row[:-1]), marks, struck)

    lines = tuple(
        tuple(read_line(number, seat) for seat in range(players)) for number in range(len(position.lines))
    )
    totals = tuple(
        tuple(value_of(total, seat, position) for total in program.column_totals)
        or tuple(position.totals[column][seat] for column in range(columns))
        for seat in range(players)
    )
    return Sheet(program.column_labels, lines, totals, tuple(scores), program.teams)


# ------------------------------------------------------------------------------------------------ text
def render_sheet(sheet: Sheet, names: Sequence[str], width: int = 80, language: Locale | None = None) -> str:
    """Render the sheet as text, the scores of the teams below it, with as many seats side by side as fit the width."""
    write = language.write_number if language is not None else "{:,}".format
    join = language.join if language is not None else " and ".join
    cells = [[_write_cells(line, write) for line in rows] for rows in sheet.lines]
    totals = [_write_totals(sheet, seat, write) for seat in range(len(names))]
    texts = [text for rows in cells for cell in rows for text in cell]
    texts += [*sheet.columns, *(text for row in totals for text in row)]
    column = max(len(text) for text in texts)
    seat_width = max(_count_width(len(sheet.columns), column), *(len(name) for name in names))
    margin = max(2, len(str(len(sheet.lines))))
    beside = max(1, (width - margin) // (seat_width + _BETWEEN_SEATS))
    blocks = []
    for first in range(0, len(names), beside):
        seats = range(first, min(first + beside, len(names)))
        rows = [("", [names[seat].center(seat_width) for seat in seats])]
        rows.append(("", [_align(sheet.columns, column, seat_width) for _ in seats]))
        rows += [
            (str(number), [_align_cells(cells[number - 1][seat], column, seat_width) for seat in seats])
            for number in range(1, len(cells) + 1)
        ]
        rows.append(("", ["-" * seat_width for _ in seats]))
        rows.append(("", [_align(totals[seat], column, seat_width) for seat in seats]))
        blocks.append("\n".join(_join(label.rjust(margin), parts) for label, parts in rows))
    return "\n\n".join([*blocks, _render_sides(sheet, names, write, join)])


def _render_sides(sheet: Sheet, names: Sequence[str], write: Write, join: Callable[[list[str]], str]) -> str:
    sides = [(join([names[seat] for seat in seats]), score) for seats, score in sheet.sum_up_sides()]
    widest = max(len(name) for name, _ in sides)
    figures = [write(score) for _, score in sides]
    longest = max(map(len, figures))
    return "\n".join(
        f"  {name:<{widest}}  {figure:>{longest}}" for (name, _), figure in zip(sides, figures, strict=True)
    )


def _write_totals(sheet: Sheet, seat: int, write: Write) -> tuple[str, ...]:
    """Format the totals of a seat; a dash for a column without entries."""
    return tuple(
        NOTHING if all(rows[seat].entries[column] is None for rows in sheet.lines) else write(total)
        for column, total in enumerate(sheet.totals[seat])
    )


def _count_width(columns: int, width: int) -> int:
    return columns * width + (columns - 1) * _BETWEEN_COLUMNS


def _write_cells(line: SheetLine, write: Write) -> tuple[str, ...]:
    """Format a line as one text for each column, or a single one where marks span all columns."""
    marks = ", ".join(line.marks)
    if line.is_empty:
        return ("",) * len(line.entries)
    if all(entry is None for entry in line.entries):
        return (marks,)
    texts = [NOTHING if entry is None else write(entry) for entry in line.entries]
    if line.struck:
        texts = [text if text == NOTHING else f"~{text}~" for text in texts]
    if marks:
        texts[-1] = marks if line.entries[-1] is None else f"{texts[-1]} {marks}"
    return tuple(texts)


def _align_cells(cells: tuple[str, ...], column: int, width: int) -> str:
    return cells[0].center(width) if len(cells) == 1 else _align(cells, column, width)


def _align(texts: Sequence[str], column: int, width: int) -> str:
    return (" " * _BETWEEN_COLUMNS).join(text.rjust(column) for text in texts).rjust(width)


def _join(label: str, parts: Sequence[str]) -> str:
    return (label + "".join(" " * _BETWEEN_SEATS + part for part in parts)).rstrip()

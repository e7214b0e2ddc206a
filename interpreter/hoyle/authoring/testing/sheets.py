"""Lines of the score sheet in examples: `lines of 0: [[11, none], [28, none, doubled], eliminated]`.

In: the nodes of a position or an expectation. Out: the lines set in a position, or compared with its lines. A line is a
list of an entry (or `none`) for each column and then marks; a line of marks alone is just their names.
"""

from __future__ import annotations

import re

from hoyle.authoring.testing.comparing import Row, show_rows
from hoyle.authoring.testing.scenes import Scene
from hoyle.authoring.testing.vocabulary import NONE, Word, split_words
from hoyle.base.diagnostics.report import did_you_mean
from hoyle.language.document.nodes import Entry, Mapping, Node, Scalar, Sequence
from hoyle.program.model.position import Position

LINES = "lines of "
Line = list[int | None]


def set_lines(scene: Scene, given: Mapping, position: Position) -> None:
    """Set the lines given for each seat, with their totals; raise `rounds_played` to the length of the longest list."""
    for entry in given:
        if not entry.name.startswith(LINES):
            continue
        seat, lines = _read_seat(scene, entry), _read_lines(scene, entry)
        if seat is None or lines is None:
            continue
        blank: Line = [None] * (len(scene.game.program.columns) + 1)
        while len(position.lines) < len(lines):
            position.lines.append([blank[:] for _ in range(position.players)])
        for number, rows in enumerate(position.lines):
            rows[seat] = lines[number] if number < len(lines) else blank[:]
        for column, totals in enumerate(position.totals):
            totals[seat] = sum(line[column] or 0 for line in lines)
        position.rounds_played = max(position.rounds_played, len(lines))


def check_lines(scene: Scene, entry: Entry) -> None:
    """Check that the seat has exactly these lines, ignoring empty ones at the end."""
    seat, lines = _read_seat(scene, entry), _read_lines(scene, entry)
    if seat is None or lines is None:
        return
    expected = [_write_line(scene, line) for line in lines]
    actual = [_write_line(scene, rows[seat]) for rows in scene.match.position.lines]
    while actual and not actual[-1]:
        actual.pop()
    if expected != actual:
        size = max(len(expected), len(actual))
        sides = [side + [""] * (size - len(side)) for side in (expected, actual)]
        rows: list[Row] = [("" if a == b else "-", a, b) for a, b in zip(*sides, strict=True)]
        scene.fail("not-as-expected", f"`{entry.name}` is not as expected", entry.value.span, detail=show_rows(rows))


def _read_seat(scene: Scene, entry: Entry) -> int | None:
    return scene.words.read_seat(Word(entry.name.removeprefix(LINES).strip(), entry.key.span))


def _read_lines(scene: Scene, entry: Entry) -> list[Line] | None:
    if not scene.game.program.keeps_lines:
        scene.fail("unknown-place", "the game keeps no lines of a score sheet", entry.key.span)
        return None
    items = entry.value.items if isinstance(entry.value, Sequence) else ()
    lines = [_read_line(scene, item) for item in items]
    return [line for line in lines if line is not None] if None not in lines else None


def _read_line(scene: Scene, node: Node) -> Line | None:
    program = scene.game.program
    line: Line = [None] * (len(program.columns) + 1)
    words = split_words(node)
    entries = len(program.columns) if isinstance(node, Sequence) else 0
    for place, word in enumerate(words):
        if place < entries and re.fullmatch(r"-?\d{1,9}", word.text):
            line[place] = int(word.text)
        elif word.text in program.marks and (place >= entries or isinstance(node, Scalar)):
            line[-1] = (line[-1] or 0) | 1 << program.marks.index(word.text)
        elif place >= entries or word.text != NONE:
            columns = ", ".join(f"`{column}`" for column in program.columns)
            scene.fail(
                "bad-test-value", f"`{word.text}` cannot stand in a line", word.span,
                hint=did_you_mean(word.text, program.marks)
                or (f"a line has a number or none for {columns}, and then marks",),
            )  # fmt: skip
            return None
    return line


def _write_line(scene: Scene, line: Line) -> str:
    program = scene.game.program
    marks = [name for number, name in enumerate(program.marks) if (line[-1] or 0) >> number & 1]
    entries = [NONE if entry is None else str(entry) for entry in line[:-1]]
    return " ".join(marks if all(entry is None for entry in line[:-1]) else [*entries, *marks])

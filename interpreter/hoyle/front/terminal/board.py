"""Draws the score track as a peg board, in ASCII.

In: the scores of a game with a track. Out: lines of text, up to 80 columns wide.

Streets alternate in direction, the first from left to right; with two teams, each has its first street on the outside.
Every fifth hole is marked, and every tenth is followed by a gap.
"""

from __future__ import annotations

from hoyle.play.table.address import Speaker
from hoyle.play.table.model import Scores, Side

FRONT, REAR, HOLE, FIFTH = "O", "o", ".", ":"
_STREETS = (60, 30, 20, 10)
_MARGIN = 10


def draw_board(scores: Scores, speaker: Speaker, width: int = 80) -> list[str]:
    """Draw the board; empty if the game has none."""
    holes = scores.holes
    if holes < 2:
        return []
    fitting = (each for each in _STREETS if _MARGIN + 3 + each + each // 10 <= min(width, 80))
    street = next((each for each in fitting if each < holes - 1), _STREETS[-1])  # two streets or more, if possible
    lines: list[str] = []
    for number, side in enumerate(scores.sides):
        rows = _draw_side(side, holes, street)
        if len(rows) == 1:
            rows = [f"{rows[0]} {side.score}"]
        names = [_name_side(side, speaker), str(side.score), *[""] * (len(rows) - 2)]
        drawn = [f" {name[: _MARGIN - 2]:<{_MARGIN - 1}}{row}".rstrip() for name, row in zip(names, rows, strict=False)]
        lines += reversed(drawn) if len(scores.sides) == 2 and number == 1 else drawn
    return lines


def _name_side(side: Side, speaker: Speaker) -> str:
    return "+".join(speaker.who(seat) for seat in side.seats)


def _draw_side(side: Side, holes: int, street: int) -> list[str]:
    """Draw the streets of a team, the first one first. The start is left of the first; the last hole ends the last."""
    front, rear = min(side.score, holes), min(max(side.before, 0), holes)

    def draw_hole(number: int) -> str:
        empty = FIFTH if number % 5 == 0 else HOLE
        return FRONT if number == front else REAR if number == rear else empty

    rows = []
    streets = -(-(holes - 1) // street)
    for index in range(streets):
        numbers = range(index * street + 1, min((index + 1) * street, holes - 1) + 1)
        tens = [
            "".join(draw_hole(number) for number in numbers if (number - 1) // 10 == ten)
            for ten in dict.fromkeys((number - 1) // 10 for number in numbers)
        ]
        cells = " ".join(tens)
        before = draw_start(front, rear) if index == 0 else " "
        after = draw_hole(holes) if index == streets - 1 else " "
        if index % 2:
            before, cells, after = after, cells[::-1].rjust(street + street // 10 - 1), before
        rows.append(f"{before} {cells} {after}".rstrip())
    return rows


def draw_start(front: int, rear: int) -> str:
    """Draw the peg at the start, if any."""
    return FRONT if front == 0 else REAR if rear == 0 else " "

"""The score track: a board of holes on which every side has two pegs, at its score and at the one before.

In: a program that declares a track, the totals, the events so far. Out: the board as plain text, up to 80 columns wide.

A street runs from left to right, the next one back again, as on a board; of two sides each has its first street on the
outside. Every fifth hole is marked, and after every tenth there is a gap.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hoyle.ir.nodes import Program
from hoyle.model.events import Event

FRONT, REAR, HOLE, FIFTH = "O", "o", ".", ":"
_STREETS = (60, 30, 20, 10)
_MARGIN = 10


@dataclass(frozen=True, slots=True)
class Pegs:
    """The two pegs of a side: its seats, its score now, its score before it last scored."""

    seats: tuple[int, ...]
    front: int
    rear: int


def place_pegs(program: Program, totals: Sequence[int], events: Sequence[Event]) -> list[Pegs]:
    """Where the pegs of each side stand; seats of one team share theirs."""
    sides = {team: tuple(s for s, own in enumerate(program.teams) if own == team) for team in program.teams}
    last = _list_last_scores(program, events)
    return [
        Pegs(seats, front, front - last.get(team, 0))
        for team, seats in sides.items()
        for front in [sum(totals[seat] for seat in seats)]
    ]


def _list_last_scores(program: Program, events: Sequence[Event]) -> dict[int, int]:
    """What each team scored last; the rows of a table, counted one after the other, are one score."""
    last: dict[int, int] = {}
    before: tuple[int, str] | None = None
    for event in events:
        if event.name != "scored" or event.seat is None or event.data["column"] != 0:
            before = None
            continue
        amount, table = event.data["amount"], event.data.get("table", "")
        if not amount:
            continue
        team = program.teams[event.seat]
        goes_on = table != "" and before == (event.seat, table)
        last[team] = last.get(team, 0) + amount if goes_on else amount
        before = (event.seat, table)
    return last


def render_track(
    program: Program, totals: Sequence[int], events: Sequence[Event], seat: int | None = None, width: int = 80
) -> str:
    """The board as text; empty if the game has none."""
    if program.track is None or program.track < 2:
        return ""
    fitting = (each for each in _STREETS if _MARGIN + 3 + each + each // 10 <= min(width, 80))
    street = next((each for each in fitting if each < program.track - 1), _STREETS[-1])  # up and back, if it can be
    sides = place_pegs(program, totals, events)
    lines: list[str] = []
    for number, pegs in enumerate(sides):
        rows = _draw_side(pegs, program.track, street)
        if len(rows) == 1:
            rows = [f"{rows[0]} {pegs.front}"]
        names = [_name_side(pegs.seats, seat), str(pegs.front), *[""] * (len(rows) - 2)]
        drawn = [f"  {name:<{_MARGIN - 2}}{row}".rstrip() for name, row in zip(names, rows, strict=False)]
        lines += reversed(drawn) if len(sides) == 2 and number == 1 else drawn
    return "\n".join(lines)


def _draw_side(pegs: Pegs, holes: int, street: int) -> list[str]:
    """The streets of a side, first one first. The start is left of the first; the last hole ends the last."""
    front, rear = min(pegs.front, holes), min(max(pegs.rear, 0), holes)

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
    """The pegs that have not left the start."""
    return FRONT if front == 0 else REAR if rear == 0 else " "


def _name_side(seats: tuple[int, ...], seat: int | None) -> str:
    if len(seats) > 1:
        return "+".join("you" if each == seat else str(each) for each in seats)
    return "you" if seats[0] == seat else f"seat {seats[0]}"

"""The score track: the two pegs of each team, at its current and at its previous score.

In: a program, the totals, the events so far. Out: `Pegs`.
"""

from __future__ import annotations

from collections.abc import Sequence

from hoyle.base.dataclass import dataclass
from hoyle.program.ir.nodes import Program
from hoyle.program.model.events import Event


@dataclass(frozen=True, slots=True)
class Pegs:
    """The two pegs of a team: `front` at its score, `rear` at its score before it last scored."""

    seats: tuple[int, ...]
    front: int
    rear: int


def place_pegs(program: Program, totals: Sequence[int], events: Sequence[Event]) -> list[Pegs]:
    """Place the pegs of each team; the seats of a team share them."""
    sides = {team: tuple(s for s, own in enumerate(program.teams) if own == team) for team in program.teams}
    last = _list_last_scores(program, events)
    return [
        Pegs(seats, front, front - last.get(team, 0))
        for team, seats in sides.items()
        for front in [sum(totals[seat] for seat in seats)]
    ]


def _list_last_scores(program: Program, events: Sequence[Event]) -> dict[int, int]:
    """Return the points that each team scored last; consecutive rows of one table count as one score."""
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

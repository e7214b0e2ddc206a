"""What can be taken back: an offence or a step on record, with a snapshot of the position before it.

In: a position. Out: the position with a record, or rolled back.

The record is a plain value: (seat, clause, zones, states, totals, holders, lines, retired, turned). `take_back`
restores exactly what it contains; random state, local names and program counter are not part of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hoyle.program.model.position import Position

Record = tuple[Any, ...]


def make_record(position: Position, seat: int, clause: int) -> Record:
    """The record of an offence about to be committed in this position, or of a step (as a clause) that begins."""
    return (
        seat,
        clause,
        tuple(map(tuple, position.zones)),
        tuple(position.states),
        tuple(map(tuple, position.totals)),
        tuple(position.holders),
        tuple(tuple(map(tuple, rows)) for rows in position.lines),
        tuple(position.retired),
        tuple(position.turned),
    )


def take_back(position: Position, *, again: bool = False) -> int | None:
    """Roll the position back to that on record, and clear the record unless it may be needed `again`. Returns the
    offending seat."""
    if position.offence is None:
        return None
    seat, _, zones, states, totals, holders, lines, retired, turned = position.offence
    for pile, cards in zip((*position.zones, *position.totals), (*zones, *totals), strict=True):
        pile[:] = cards
    position.states[:] = states
    position.holders[:] = holders
    position.lines = [[list(row) for row in rows] for rows in lines]
    position.retired[:] = retired
    position.turned[:] = turned
    position.offence = position.offence if again else None
    return int(seat)


def forget(position: Position, seat: int) -> None:
    """Drop the record when another seat chooses: the offence can no longer be called."""
    if position.offence is not None and position.offence[0] != seat:
        position.offence = None


def rename_cards(
    record: Record | None, becomes: Mapping[int, int], rename_states: Callable[[Sequence[Any]], Sequence[Any]]
) -> Record | None:
    """The record with cards relabelled, in zones, holders and states."""
    if record is None:
        return None
    zones = tuple(tuple(becomes.get(card, card) for card in pile) for pile in record[2])
    holders = list(record[5])
    if holders:
        for card, other in becomes.items():
            holders[other] = record[5][card]
    return (*record[:2], zones, tuple(rename_states(record[3])), record[4], tuple(holders), *record[6:])

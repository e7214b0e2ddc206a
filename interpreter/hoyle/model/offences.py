"""Offences on record: what was done against the rules, and what the position was before it.

In: a position. Out: the position with an offence recorded, or taken back.

The record is a plain value: (seat, clause, zones, states, totals, holders, lines, retired, turned). What it saves is
what `take back` restores; chance, local names and the place in the program are not among it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hoyle.model.position import Position

Record = tuple[Any, ...]


def make_record(position: Position, seat: int, clause: int) -> Record:
    """The record of an offence that is about to be committed in this position."""
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


def take_back(position: Position) -> int | None:
    """Put the position back to what it was before the offence on record, and clear the record. Who had offended."""
    if position.offence is None:
        return None
    seat, _, zones, states, totals, holders, lines, retired, turned = position.offence
    position.zones = [list(pile) for pile in zones]
    position.states = list(states)
    position.totals = [list(row) for row in totals]
    position.holders = list(holders)
    position.lines = [[list(row) for row in rows] for rows in lines]
    position.retired = list(retired)
    position.turned = list(turned)
    position.offence = None
    return int(seat)


def forget(position: Position, seat: int) -> None:
    """A seat has chosen: what another did before it can no longer be called."""
    if position.offence is not None and position.offence[0] != seat:
        position.offence = None


def rename_cards(
    record: Record | None, becomes: Mapping[int, int], rename_states: Callable[[Sequence[Any]], Sequence[Any]]
) -> Record | None:
    """The record with cards exchanged, in zones, holders and states."""
    if record is None:
        return None
    zones = tuple(tuple(becomes.get(card, card) for card in pile) for pile in record[2])
    holders = list(record[5])
    if holders:
        for card, other in becomes.items():
            holders[other] = record[5][card]
    return (*record[:2], zones, tuple(rename_states(record[3])), record[4], tuple(holders), *record[6:])

"""Marks: states shown on the cards of a zone, such as the hints that a holder was given about them.

In: a match, the zones as a seat sees them. Out: the zones with the visible values of these states. A mark belongs to a
place, counted from the top, not to a card: it reveals nothing about the card there beyond what the rules have set.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from hoyle.play.table.address import Speaker
from hoyle.play.table.model import Zone
from hoyle.play.view.seeing import includes, mask_state
from hoyle.program.ir.layout import find_member
from hoyle.program.ir.types import certain

if TYPE_CHECKING:
    from hoyle.play.engine.game import Match


def mark_places(
    match: Match,
    zones: Sequence[Zone],
    find_marks: Callable[[str], Sequence[int]],
    speaker: Speaker,
    numbers: Mapping[str, int],
) -> list[Zone]:
    """Fill in `marks` of the zones. `find_marks` returns the states that are shown on the cards of a zone, by its name;
    `numbers` maps zone ids to zone indices of a position."""
    found = []
    for zone in zones:
        marks = find_marks(zone.name)
        if marks and zone.cards:
            said = (_list_marks(match, numbers[zone.id], zone.size - at, marks, speaker) for at in range(zone.size))
            zone = replace(zone, marks=tuple(said))
        found.append(zone)
    return found


def _list_marks(match: Match, zone: int, place: int, marks: Sequence[int], speaker: Speaker) -> tuple[str, ...]:
    """List the values of the states of a place, as far as the seat may see them."""
    program, names = match.game.program, match.game.names
    said = []
    for mark in marks:
        state = program.states[mark]
        member = find_member(state.of, (*names.zone_values[zone], place))
        if member is None:
            continue
        index = state.base + member
        value = match.position.states[index]
        shown = includes(mask_state(state, names.state_owners[index], program.players), speaker.seat, program.players)
        if not shown or value is None or value is False:
            continue
        truth = certain(state.type).kind == "truth"
        said.append(speaker.locale.state(state.name) if truth else speaker.value(names.name_value(state.type, value)))
    return tuple(said)

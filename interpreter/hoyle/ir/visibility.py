"""Who sees the cards of a zone and the value of a state: what `shows` means, in one table.

In: what a zone or state declares. Out: `Shown`, from which views work out masks and the checker what a rule may read.
"""

from __future__ import annotations

from dataclasses import dataclass

from hoyle.ir.declarations import State, Zone


@dataclass(frozen=True, slots=True)
class Shown:
    """Who sees a thing: everybody (or everybody the top card only), its owner, whoever held the card last."""

    everybody: bool = False
    top: bool = False
    owner: bool = False
    last_holder: bool = False


SHOWS: dict[str, Shown] = {
    "nothing": Shown(),
    "owner": Shown(owner=True),
    "last_holder": Shown(last_holder=True),
    "top_card": Shown(top=True),
    "all": Shown(everybody=True, top=True),
}


def is_open(zone: Zone, *, top: bool = False) -> bool:
    """Whether everybody knows the cards of a zone (or only its top card): they lie open, or all saw them come."""
    shown = SHOWS[zone.shows]
    return shown.everybody or zone.remembered or (top and shown.top)


def is_seen(zone: Zone, *, top: bool = False) -> bool:
    """Whether some seat is sure to know the cards of a zone. A card that nobody has held is seen by no last holder."""
    return is_open(zone, top=top) or SHOWS[zone.shows].owner


def is_stated(state: State) -> bool:
    """Whether everybody sees the value of a state."""
    return SHOWS[state.shows].everybody

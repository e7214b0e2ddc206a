"""Who sees the cards of a zone and the value of a state: what `shows` means, in one table.

In: what a zone or state declares. Out: `Shown`, from which views work out masks and the checker what a rule may read.
"""

from __future__ import annotations

from hoyle.dataclass import dataclass
from hoyle.ir.declared import State, Zone


@dataclass(frozen=True, slots=True)
class Shown:
    """Who sees a thing: everybody (or everybody the top card only), its owner, all but its owner, whoever held the card
    last."""

    everybody: bool = False
    top: bool = False
    owner: bool = False
    others: bool = False
    last_holder: bool = False


SHOWS: dict[str, Shown] = {
    "nothing": Shown(),
    "owner": Shown(owner=True),
    "all_but_owner": Shown(others=True),
    "last_holder": Shown(last_holder=True),
    "top_card": Shown(top=True),
    "face_up": Shown(),  # which cards those are is known only in play
    "all": Shown(everybody=True, top=True),
}


def describe_shown(zone: Zone) -> str:
    """What a zone shows, as it is written."""
    return "".join(f"{case.shows} if {case.when.text} otherwise " for case in zone.cases) + zone.shows


def list_ways(zone: Zone) -> tuple[Shown, ...]:
    """Who may see a zone, one for each of its cases: what holds of all of them holds at any time."""
    return tuple(dict.fromkeys((*(SHOWS[case.shows] for case in zone.cases), SHOWS[zone.shows])))


def is_open(zone: Zone, *, top: bool = False) -> bool:
    """Whether everybody knows the cards of a zone (or only its top card): they lie open, or all saw them come."""
    return zone.remembered or all(shown.everybody or (top and shown.top) for shown in list_ways(zone))


def is_seen(zone: Zone, *, top: bool = False) -> bool:
    """Whether some seat is sure to know the cards of a zone. A card that nobody has held is seen by no last holder."""
    if zone.remembered:
        return True
    return all(shown.everybody or (top and shown.top) or shown.owner or shown.others for shown in list_ways(zone))


def is_known_to(zone: Zone, *, top: bool, owner: bool, other: bool) -> bool:
    """Whether a seat is sure to know the cards of a zone, of which it is surely the owner, or surely another."""
    return zone.remembered or all(
        shown.everybody or (top and shown.top) or (owner and shown.owner) or (other and shown.others)
        for shown in list_ways(zone)
    )


def has_faces(zone: Zone) -> bool:
    """Whether cards lie in a zone with their faces up or down."""
    return zone.shows == "face_up" or any(case.shows == "face_up" for case in zone.cases)


def is_stated(state: State) -> bool:
    """Whether everybody sees the value of a state."""
    return SHOWS[state.shows].everybody

"""Visibility of zones and states: the meaning of `shows`, in one table.

In: the declaration of a zone or state. Out: `Shown`, from which views compute masks and the checker what a rule may
read.
"""

from __future__ import annotations

from hoyle.base.dataclass import dataclass
from hoyle.program.ir.declared import State, Zone


@dataclass(frozen=True, slots=True)
class Shown:
    """Who sees something: everybody (or everybody only the top card), its owner, all but its owner, or the last holder
    of a card."""

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
    "face_up": Shown(),  # statically nobody: which cards lie face up is known only at run time
    "all": Shown(everybody=True, top=True),
}


def describe_shown(zone: Zone) -> str:
    """The visibility of a zone in source notation."""
    return "".join(f"{case.shows} if {case.when.text} otherwise " for case in zone.cases) + zone.shows


def list_ways(zone: Zone) -> tuple[Shown, ...]:
    """All visibilities that a zone may have: that of each case and the default. A property of all of them holds at any
    time."""
    return tuple(dict.fromkeys((*(SHOWS[case.shows] for case in zone.cases), SHOWS[zone.shows])))


def is_visible(zone: Zone, *, top: bool = False) -> bool:
    """Whether everybody sees the cards of a zone (or its top card) at any time."""
    return all(shown.everybody or (top and shown.top) for shown in list_ways(zone))


def is_open(zone: Zone, *, top: bool = False) -> bool:
    """Whether everybody knows the cards of a zone (or its top card) at any time: they are visible, or all saw them
    arrive."""
    return zone.remembered or is_visible(zone, top=top)


def is_seen(zone: Zone, *, top: bool = False) -> bool:
    """Whether at least one seat is certain to see the cards of a zone. `last_holder` does not count, since nobody may
    have held a card."""
    return all(shown.everybody or (top and shown.top) or shown.owner or shown.others for shown in list_ways(zone))


def is_known_to(zone: Zone, *, top: bool, owner: bool, other: bool) -> bool:
    """Whether a seat is certain to know the cards of a zone; `owner`: it is known to be the owner, or, of cards in a
    zone that is nobody's, the last holder; `other`: not to be the owner."""
    return zone.remembered or all(
        shown.everybody
        or (top and shown.top)
        or (owner and (shown.owner or (shown.last_holder and not zone.of)))
        or (other and shown.others)
        for shown in list_ways(zone)
    )


def has_faces(zone: Zone) -> bool:
    """Whether a zone tracks which of its cards lie face up."""
    return zone.shows == "face_up" or any(case.shows == "face_up" for case in zone.cases)


def is_stated(state: State) -> bool:
    """Whether everybody sees the value of a state."""
    return SHOWS[state.shows].everybody

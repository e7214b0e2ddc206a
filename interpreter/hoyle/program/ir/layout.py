"""Memory layout of families of zones and states in a position.

In: the dimensions of a family. Out: the number of its members, the indices of each, and its owners.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from hoyle.program.ir.declared import Dimension, State, Zone

Family = tuple[Dimension, ...]


def count_members(of: Family) -> int:
    """The number of members of a family; without dimensions, one."""
    return prod(dimension.size for dimension in of)


def list_members(of: Family) -> list[tuple[int, ...]]:
    """The indices of each member, in order."""
    return list(product(*(range(each.low, each.low + each.size) for each in of)))


def find_member(of: Family, values: Sequence[int]) -> int | None:
    """The linear index of a member; None if an index is out of range."""
    place = 0
    for dimension, value in zip(of, values, strict=True):
        if not dimension.low <= value < dimension.low + dimension.size:
            return None
        place = place * dimension.size + value - dimension.low
    return place


def is_of_seats(held: Zone | State) -> bool:
    """Whether the family has exactly one dimension, that of seats."""
    return [dimension.kind for dimension in held.of] == ["seat"]


def find_owning(of: Family) -> int | None:
    """The dimension that determines the owner: the first of seats or teams."""
    return next((index for index, each in enumerate(of) if each.kind in ("seat", "team")), None)


def list_owners(of: Family, values: Sequence[int], teams: Sequence[int]) -> tuple[int, ...]:
    """The seats that own a member: one seat, all seats of a team, or none if it belongs to the table."""
    index = find_owning(of)
    if index is None:
        return ()
    if of[index].kind == "seat":
        return (values[index],)
    return tuple(seat for seat, team in enumerate(teams) if team == values[index])


def list_holders(zones: Sequence[Zone], teams: Sequence[int]) -> tuple[int | None, ...]:
    """For each zone, the seat that holds its cards; None for a zone of the table or of a team."""
    found: list[int | None] = []
    for zone in sorted(zones, key=lambda each: each.base):
        seated = any(dimension.kind == "seat" for dimension in zone.of)
        for values in list_members(zone.of):
            owners = list_owners(zone.of, values, teams) if seated else ()
            found += [owners[0] if owners else None] * (zone.many or 1)
    return tuple(found)

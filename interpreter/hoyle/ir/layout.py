"""Where the members of a family lie in a position: the one place that works it out.

In: the dimensions of a family. Out: how many members it has, which values each stands for, whose it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from hoyle.ir.declared import Dimension, State, Zone
from hoyle.ir.expressions import Expr, Index

Family = tuple[Dimension, ...]


def count_members(of: Family) -> int:
    """How many members a family has; what belongs to nobody has one."""
    return prod(dimension.size for dimension in of)


def list_members(of: Family) -> list[tuple[int, ...]]:
    """The values each member stands for, in the order in which they lie."""
    return list(product(*(range(each.low, each.low + each.size) for each in of)))


def find_member(of: Family, values: Sequence[int]) -> int | None:
    """The place of a member in its family; None if there is none for these values."""
    place = 0
    for dimension, value in zip(of, values, strict=True):
        if not dimension.low <= value < dimension.low + dimension.size:
            return None
        place = place * dimension.size + value - dimension.low
    return place


def is_of_seats(held: Zone | State) -> bool:
    """Whether there is one for each seat, and no more."""
    return [dimension.kind for dimension in held.of] == ["seat"]


def find_owning(of: Family) -> int | None:
    """Which dimension says whose a member is: the first that is of seats or teams."""
    return next((index for index, each in enumerate(of) if each.kind in ("seat", "team")), None)


def list_owners(of: Family, values: Sequence[int], teams: Sequence[int]) -> tuple[int, ...]:
    """The seats whose a member is: one, or all of a team; nobody for what belongs to the table."""
    index = find_owning(of)
    if index is None:
        return ()
    if of[index].kind == "seat":
        return (values[index],)
    return tuple(seat for seat, team in enumerate(teams) if team == values[index])


def find_part(declared: Zone | State, owner: Expr | None, kind: str) -> Expr | None:
    """The part of a reference that says which seat, team or card is meant, if the family is of such."""
    index = next((index for index, each in enumerate(declared.of) if each.kind == kind), None)
    if index is None or owner is None:
        return None
    return owner.parts[index] if isinstance(owner, Index) else owner

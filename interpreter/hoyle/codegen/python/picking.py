"""What printed Python calls to list what can be picked.

In: cards. Out: those of which each is a choice of its own: of cards of one face in one zone the first; and groups.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import Any

from hoyle.codegen.python.support import Stop, find_zone
from hoyle.engine.limits import MOST_CHOICES, MOST_OFFERED
from hoyle.model.groups import Groups, find_twins
from hoyle.model.position import Position

__all__ = ["Groups", "find_twins"]

MOST_DRAWN = MOST_OFFERED >> 6  # choices of one action; whether those of all are too many is left to the reference
MOST_PLACES = 2000
_places: dict[tuple[int, int], Sequence[tuple[int, ...]]] = {}


def list_places(many: int, few: int) -> Sequence[tuple[int, ...]]:
    """The ways of taking a few of many, by their places."""
    kept = _places.get((many, few))
    if kept is None:
        if comb(many, few) > MOST_CHOICES:
            raise Stop
        kept = tuple(combinations(range(many), few))
        if len(kept) <= MOST_PLACES and len(_places) < MOST_PLACES:
            _places[many, few] = kept
    return kept


def group(cards: Sequence[int], keys: Sequence[Any] | None, least: int, most: int) -> Groups:
    """All groups of so few to so many, as a set that is not listed."""
    found = Groups(cards, keys, least, most)
    if found.total > MOST_DRAWN:
        raise Stop
    return found


def first_of_face_in_zone(cards: Sequence[int], faces: Sequence[int], position: Position) -> list[int]:
    """The first card of each face in each zone."""
    found: list[int] = []
    first: dict[int, int] = {}  # by faces
    others: dict[tuple[int, int], int] = {}  # by zones and faces, where a face has come twice
    for card in cards:
        face = faces[card]
        before = first.setdefault(face, card)
        if before != card:
            if before >= 0:  # only now it matters where they lie
                others[find_zone(position.zones, before), face] = before
                first[face] = -1
            if others.setdefault((find_zone(position.zones, card), face), card) != card:
                continue
        found.append(card)
    return found


def list_keys(cards: Sequence[int], faces: Sequence[int], position: Position) -> list[tuple[int, int]]:
    """What makes cards the same choice: zone and face."""
    places = zip(cards, position.find_all(cards), strict=True)
    return [(zone, faces[card]) for card, (zone, _) in places]

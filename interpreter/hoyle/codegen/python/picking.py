"""What printed Python calls to list what can be picked.

In: cards. Out: those of which each is a choice of its own: of cards of one face in one zone the first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hoyle.codegen.python.support import Stop
from hoyle.engine.limits import MOST_CHOICES
from hoyle.model.groups import find_twins
from hoyle.model.position import Position

Group = tuple[Any, ...]


def first_of_face(cards: Sequence[int], faces: Sequence[int]) -> list[int]:
    """The first card of each face, of cards that lie in one zone."""
    first: dict[int, int] = {}
    for card in cards:
        first.setdefault(faces[card], card)
    return list(first.values())


def first_of_face_in_zone(cards: Sequence[int], faces: Sequence[int], position: Position) -> list[int]:
    """The first card of each face in each zone."""
    first: dict[tuple[int, int], int] = {}
    for key, card in zip(list_keys(cards, faces, position), cards, strict=True):
        first.setdefault(key, card)
    return list(first.values())


def list_keys(cards: Sequence[int], faces: Sequence[int], position: Position) -> list[tuple[int, int]]:
    """What makes cards the same choice: zone and face."""
    places = zip(cards, position.find_all(cards), strict=True)
    return [(zone, faces[card]) for card, (zone, _) in places]


def grow_groups(
    cards: Sequence[int], keys: Sequence[object] | None, least: int, most: int, grows: Callable[[Group], bool]
) -> list[Group]:
    """The groups that can be put together card by card without failing a test on the way, by size and then by the
    places of their cards. Of cards with the same key the first are taken first."""
    found: list[Group] = [()] if least <= 0 else []
    twins = None if keys is None else find_twins(keys)
    level: list[tuple[Group, int]] = [((), 0)]
    for size in range(1, min(most, len(cards)) + 1):
        if twins is None:
            level = [
                (made, place)
                for group, start in level
                for place, card in enumerate(cards[start:], start + 1)
                if grows(made := (*group, card))
            ]
        else:
            level = [
                (made, place + 1)
                for group, start in level
                for place in range(start, len(cards))
                if ((twin := twins[place]) is None or cards[twin] in group) and grows(made := (*group, cards[place]))
            ]
        if len(level) > MOST_CHOICES:
            raise Stop
        if size >= least:
            found += [group for group, _ in level]
    return found

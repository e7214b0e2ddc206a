"""What printed Python calls to list what can be picked.

In: cards. Out: those of which each is a choice of its own: of cards of one face in one zone the first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from hoyle.codegen.python.support import Stop
from hoyle.engine.limits import MOST_CHOICES
from hoyle.model.groups import Groups, find_twins
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


def grow_groups(groups: Groups, grows: Callable[[Group], bool]) -> Iterator[Group]:
    """The groups that can be put together card by card without failing a test on the way, in order."""
    elements, twins = groups.elements, find_twins(groups.keys)
    if not groups.low:
        yield ()
    level: list[Group] = [()]
    for size in range(1, groups.high + 1):
        larger = []
        for places in level:
            for place in range(places[-1] + 1 if places else 0, len(elements)):
                twin = twins[place]
                if twin is not None and twin not in places:
                    continue
                if grows(tuple([elements[each] for each in (*places, place)])):
                    larger.append((*places, place))
        if len(larger) > MOST_CHOICES:
            raise Stop
        level = larger
        if size >= groups.low:
            for places in level:
                yield tuple([elements[each] for each in places])

"""What printed Python calls.

In: plain values. Out: plain values; whatever cannot be done raises, and the reference does it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, combinations, repeat
from math import comb
from typing import Any, TypeVar

from hoyle.engine.limits import MOST_CHOICES
from hoyle.engine.work import USUAL
from hoyle.model.divisions import Divider
from hoyle.model.position import Position

Element = TypeVar("Element")
MOST_GROUPED = USUAL.grouped + 2  # what all groups are made of; of more, the reference counts the steps


class Stop(Exception):  # noqa: N818 - never seen outside: the reference says what is wrong
    """Printed code cannot go on here."""


def stop() -> bool:
    """Give up, where only an expression can stand."""
    raise Stop


def list_subsets(values: Sequence[Element]) -> list[tuple[Element, ...]]:
    """Every group of one or more, the smaller first."""
    if len(values) > MOST_GROUPED:
        raise Stop
    return list(chain.from_iterable(map(combinations, repeat(values), range(1, len(values) + 1))))


def list_tails(values: Sequence[Element]) -> list[tuple[Element, ...]]:
    """The last one, the last two, and so on to the whole."""
    held = tuple(values)
    return [held[start:] for start in range(len(held) - 1, -1, -1)]


def list_groups(values: Sequence[Element], least: int, most: int) -> list[tuple[Element, ...]]:
    """Every group of so few to so many, the smaller first."""
    sizes = range(max(0, least), min(most, len(values)) + 1)
    if sum(comb(len(values), size) for size in sizes) > MOST_CHOICES:
        raise Stop
    return [group for size in sizes for group in combinations(values, size)]


def list_best(values: Sequence[Element], keys: Sequence[Any], choose: Callable[..., Any]) -> list[Element]:
    """Those whose key is the best; one whose key is none is not among them."""
    known = [key for key in keys if key is not None]
    if not known:
        return []
    best = choose(known)
    return [value for value, key in zip(values, keys, strict=True) if key == best]


def divide(
    cards: Sequence[int], fits: Callable[[Any], bool], grows: Callable[[Any], bool] | None, weights: Sequence[int]
) -> tuple[Any, ...]:
    """Cards divided into groups."""
    return Divider(fits, grows, weights.__getitem__).divide(cards)


def find_zone(zones: Sequence[Sequence[int]], card: int) -> int:
    """The zone a card lies in."""
    for zone, pile in enumerate(zones):
        if card in pile:
            return zone
    raise Stop


def find_place(zones: Sequence[Sequence[int]], card: int) -> int:
    """Where a card lies in its zone, counted from the top."""
    pile = zones[find_zone(zones, card)]
    return len(pile) - pile.index(card)


def find_seat(position: Position, seat: int, step: int) -> int:
    """The next seat that has not left the match; itself if all others have."""
    found = (seat + step) % position.players
    while found in position.retired and found != seat:
        found = (found + step) % position.players
    return found


def multiply(a: int, b: int, largest: int) -> int:
    """A product that is not too large."""
    made = a * b
    if not -largest < made < largest:
        raise Stop
    return made

"""Seating: which sides sit at which table, game after game.

In: the sides (players, or teams of partners) by their numbers, and what has happened. Out: for each table its sides in
the order of their seats.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hoyle.model.chance import seeded, shuffled

Seating = tuple[tuple[int, ...], ...]
Pair = frozenset[int]
MOST_TRIES = 20_000


def seat_first(sides: int, at_table: int, by_lot: bool, seed: int) -> Seating:
    """The first seats: in order of entry, or by lot.

    >>> seat_first(4, 2, False, 0)
    ((0, 1), (2, 3))
    """
    order = list(range(sides))
    if by_lot:
        _, order = shuffled(seeded(seed), order)
    return _divide(order, at_table)


def move_awarded(seating: Seating, movers: Mapping[int, int]) -> Seating:
    """The mover of each table (table to side) takes the place of the mover of the next table that has one, the last of
    them that of the first.

    >>> move_awarded(((0, 1), (2, 3), (4, 5)), {0: 1, 1: 2, 2: 4})
    ((0, 4), (1, 3), (2, 5))
    """
    tables = sorted(movers)
    changed = [list(table) for table in seating]
    for place, table in enumerate(tables):
        target = tables[(place + 1) % len(tables)]
        changed[target][seating[target].index(movers[target])] = movers[table]
    return tuple(map(tuple, changed))


def pair_everybody(sides: int, game: int) -> Seating:
    """The pairs of a game of a round robin (counted from 0): the first side stays, the others go round it; who begins
    at a table changes from game to game.

    >>> [pair_everybody(4, game) for game in range(3)]
    [((0, 3), (1, 2)), ((2, 0), (1, 3)), ((0, 1), (2, 3))]
    """
    turning = list(range(1, sides))
    shift = game % max(1, len(turning))
    circle = [0, *turning[len(turning) - shift :], *turning[: len(turning) - shift]]
    pairs = [(circle[i], circle[sides - 1 - i]) for i in range(sides // 2)]
    return tuple((b, a) if game % 2 else (a, b) for a, b in pairs)


def pair_equals(points: Sequence[int], met: set[Pair], at_table: int) -> Seating:
    """Sides with equal points together, the best at the first table. With two at a table nobody meets the same opponent
    again while that can be helped."""
    order = sorted(range(len(points)), key=lambda side: (-points[side], side))
    if at_table != 2:
        return _divide(order, at_table)
    pairs = _pair_new(order, met, [MOST_TRIES])
    return tuple(pairs) if pairs is not None else _divide(order, 2)


def _pair_new(order: list[int], met: set[Pair], tries: list[int]) -> list[tuple[int, int]] | None:
    """Pairs of sides that have not met, each with the nearest in order that lets the rest be paired too."""
    if not order:
        return []
    first, *others = order
    for place, other in enumerate(others):
        if frozenset((first, other)) in met:
            continue
        tries[0] -= 1
        if tries[0] < 0:
            return None
        rest = _pair_new(others[:place] + others[place + 1 :], met, tries)
        if rest is not None:
            return [(first, other), *rest]
    return None


def _divide(order: Sequence[int], at_table: int) -> Seating:
    return tuple(tuple(order[start : start + at_table]) for start in range(0, len(order), at_table))

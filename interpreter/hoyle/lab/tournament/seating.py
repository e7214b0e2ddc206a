"""Seating and pairing: which sides sit at which table in each game.

In: the sides (players, or teams of partners) by number, and results so far. Out: for each table its sides in seat
order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

from hoyle.program.model.chance import seeded, shuffled

Seating = tuple[tuple[int, ...], ...]
Pair = frozenset[int]
MOST_TRIES = 20_000


def share_out(sides: int, tables: int) -> tuple[int, ...]:
    """Divide sides among tables, as evenly as possible.

    >>> share_out(10, 3)
    (4, 3, 3)
    """
    least, over = divmod(sides, tables)
    return tuple(least + (table < over) for table in range(tables))


def seat_first(sizes: Sequence[int], by_lot: bool, seed: int) -> Seating:
    """Seat the first game, in order of entry or at random (`by_lot`), at tables for so many sides.

    >>> seat_first((3, 2), False, 0)
    ((0, 1, 2), (3, 4))
    """
    order = list(range(sum(sizes)))
    if by_lot:
        _, order = shuffled(seeded(seed), order)
    return _divide(order, sizes)


def move_awarded(seating: Seating, movers: Mapping[int, int]) -> Seating:
    """Rotate the movers (table -> side): each takes the seat of the mover at the next table that has one, cyclically.

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
    """Pair a game (0-based) of a round robin by the circle method: the first side stays, the others rotate; the order
    at a table alternates from game to game.

    >>> [pair_everybody(4, game) for game in range(3)]
    [((0, 3), (1, 2)), ((2, 0), (1, 3)), ((0, 1), (2, 3))]
    """
    turning = list(range(1, sides))
    shift = game % max(1, len(turning))
    circle = [0, *turning[len(turning) - shift :], *turning[: len(turning) - shift]]
    pairs = [(circle[i], circle[sides - 1 - i]) for i in range(sides // 2)]
    return tuple((b, a) if game % 2 else (a, b) for a, b in pairs)


def pair_equals(points: Sequence[int], met: set[Pair], sizes: Sequence[int]) -> Seating:
    """Seat sides by points (Swiss system), the best at the first table. With two sides at every table, avoid rematches
    if possible."""
    order = sorted(range(len(points)), key=lambda side: (-points[side], side))
    pairs = _pair_new(order, met, [MOST_TRIES]) if set(sizes) == {2} else None
    return tuple(pairs) if pairs is not None else _divide(order, sizes)


def _pair_new(order: list[int], met: set[Pair], tries: list[int]) -> list[tuple[int, int]] | None:
    """Pair sides that have not met, each with the nearest in order, by backtracking; None if there is no such pairing
    or the budget of tries is spent."""
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


def _divide(order: Sequence[int], sizes: Sequence[int]) -> Seating:
    waiting = iter(order)
    return tuple(tuple(islice(waiting, size)) for size in sizes)

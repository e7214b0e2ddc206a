"""Standings: the order of all sides by their points, and what settles ties.

In: points, who has met whom, and the ways to settle ties. Out: `Standing`s, the winner first.
"""

from __future__ import annotations

from collections.abc import Callable

from hoyle.dataclass import dataclass
from hoyle.tournament.cutting import Cut


@dataclass(frozen=True, slots=True)
class Standing:
    """A side in the end: its rank from 1, equal ranks for those nothing has settled; `opponents` are the points of
    those it has met."""

    rank: int
    side: int
    points: int
    opponents: int


def rank_sides(
    points: list[int], met: list[set[int]], ties: tuple[str, ...], cut: Callable[[list[int]], Cut]
) -> tuple[tuple[Standing, ...], Cut | None]:
    """All sides in order. A cut is made only for the first place: who of those with the most points has won."""
    opponents = [sum(points[other] for other in others) for others in met]

    def key(side: int) -> tuple[int, ...]:
        return (points[side], opponents[side]) if "opponents" in ties else (points[side],)

    best = max(map(key, range(len(points))))
    first = [side for side in range(len(points)) if key(side) == best]
    last: Cut | None = None
    if len(first) > 1 and "cut" in ties:
        last = cut(first)
    winner = last.winner if last else None
    order = sorted(range(len(points)), key=lambda side: (side != winner, *(-part for part in key(side)), side))
    standings: list[Standing] = []
    for place, side in enumerate(order):
        before = standings[-1] if standings else None
        same = before is not None and key(before.side) == key(side) and before.side != winner
        rank = before.rank if before is not None and same else place + 1
        standings.append(Standing(rank, side, points[side], opponents[side]))
    return tuple(standings), last

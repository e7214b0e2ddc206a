"""Standings: ranks the sides by points and tie-breaks.

In: points, who has met whom, and the tie-breaks. Out: `Standing`s, the winner first.
"""

from __future__ import annotations

from collections.abc import Callable

from hoyle.base.dataclass import dataclass
from hoyle.lab.tournament.cutting import Cut


@dataclass(frozen=True, slots=True)
class Standing:
    """The final rank of a side, from 1; unbroken ties share a rank. `opponents` is the sum of the points of its
    opponents."""

    rank: int
    side: int
    points: int
    opponents: int


def rank_sides(
    points: list[int], met: list[set[int]], ties: tuple[str, ...], cut: Callable[[list[int]], Cut]
) -> tuple[tuple[Standing, ...], Cut | None]:
    """Rank all sides. Only a tie for first place is broken by a cut."""
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

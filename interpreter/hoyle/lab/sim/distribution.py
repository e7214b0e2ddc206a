"""Histograms of lengths, scores and wins of many games.

In: the rows of games. Out: counts, whose size depends on the distinct values and not on the games, and bars for charts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from hoyle.base.dataclass import dataclass

if TYPE_CHECKING:
    from hoyle.lab.sim.storage import Row

MOST_BARS = 20
STEPS = (1, 2, 5)
TENTHS = 10
BRANCHING = "choices at a decision, mean of a game"


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a chart."""

    label: str
    height: float


@dataclass(frozen=True, slots=True)
class Chart:
    """A bar chart of one or more series with common labels; `names` are those of the series, if there are several."""

    title: str
    series: tuple[tuple[Bar, ...], ...]
    names: tuple[str, ...] = ()


class Distribution:
    """Counts of the values in rows, per column."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.decisions: Counter[int] = Counter()
        self.rounds: Counter[int] = Counter()
        self.branching: Counter[int] = Counter()  # in tenths
        self.scores: list[Counter[int]] = [Counter() for _ in range(players)]
        self.wins = [Fraction(0)] * players

    def add(self, rows: Sequence[Row]) -> None:
        for row in rows:
            if row.scores is None or row.winners is None or row.decisions is None or row.rounds is None:
                continue
            self.decisions[row.decisions] += 1
            self.rounds[row.rounds] += 1
            if row.offered is not None and row.decisions:
                self.branching[row.offered * TENTHS // row.decisions] += 1
            for counts, score in zip(self.scores, row.scores, strict=True):
                counts[score] += 1
            for seat in row.winners:
                self.wins[seat] += Fraction(1, len(row.winners))

    def list_charts(self) -> list[Chart]:
        """Build charts of wins by seat, lengths, rounds, branching factor, and scores by seat."""
        seats = tuple(f"seat {seat}" for seat in range(self.players))
        wins = tuple(Bar(seat, float(won)) for seat, won in zip(seats, self.wins, strict=True))
        charts = [
            Chart("wins by seat", (wins,)),
            Chart("decisions in a game", count_bars([self.decisions])),
            Chart("rounds in a game", count_bars([self.rounds])),
            Chart(BRANCHING, count_bars([self.branching], TENTHS)),
        ]
        return [*charts, Chart("scores", count_bars(self.scores), seats)]


def count_bars(counts: Sequence[Counter[int]], parts: int = 1) -> tuple[tuple[Bar, ...], ...]:
    """Bin the counts of all series into the same at most `MOST_BARS` bars of equal, round width. The numbers counted
    are integers in units of 1/`parts`.

    >>> [(bar.label, bar.height) for bar in count_bars([Counter({1: 2, 2: 1})])[0]]
    [('1', 2), ('2', 1)]
    >>> [bar.label for bar in count_bars([Counter(range(100))])[0]][:3]
    ['0..4', '5..9', '10..14']
    >>> [bar.label for bar in count_bars([Counter({48: 1, 50: 2})], TENTHS)[0]]
    ['4.8', '4.9', '5.0']
    """
    numbers = [number for each in counts for number in each]
    if not numbers:
        return tuple(() for _ in counts)
    low, high = min(numbers), max(numbers)
    width = next(
        step * 10**power
        for power in range(30)
        for step in STEPS
        if (high // (step * 10**power)) - (low // (step * 10**power)) < MOST_BARS
    )
    first, last = low // width, high // width
    found = []
    for each in counts:
        heights: Counter[int] = Counter()
        for number, times in each.items():
            heights[number // width] += times
        found.append(tuple(Bar(_label(at * width, width, parts), heights[at]) for at in range(first, last + 1)))
    return tuple(found)


def _label(low: int, width: int, parts: int) -> str:
    first, last = (str(number) if parts == 1 else f"{number / parts:.1f}" for number in (low, low + width - 1))
    return first if width == 1 else f"{first}..{last}"

"""How often each number came: lengths, scores and wins of many games, for charts.

In: the rows of games. Out: counts, which grow with the numbers there are and not with the games, and bars for charts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from hoyle.dataclass import dataclass

if TYPE_CHECKING:
    from hoyle.sim.storage import Row

MOST_BARS = 20
STEPS = (1, 2, 5)
TENTHS = 10
BRANCHING = "choices at a decision, mean of a game"


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: what it stands for, and how high it is."""

    label: str
    height: float


@dataclass(frozen=True, slots=True)
class Chart:
    """A title and bars of one or more series that share their labels; `names` of the series, if there are several."""

    title: str
    series: tuple[tuple[Bar, ...], ...]
    names: tuple[str, ...] = ()


class Distribution:
    """Counts of what rows say."""

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
        """Wins by seat, lengths, rounds, branching, scores of each seat."""
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
    """Bars of equal width, few enough to be looked at, the same ones for all series. What is counted are whole numbers,
    or that many `parts` of one.

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

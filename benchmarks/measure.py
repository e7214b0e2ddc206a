"""Measures rates by repeated short samples.

In: a function that plays a game and returns its number of decisions. Out: a `Measurement`.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field

Play = Callable[[int], int]  # plays the game with a number and returns its decisions


@dataclass(frozen=True, slots=True)
class Sample:
    """One sample; `seconds` is CPU time, which other programs hardly affect."""

    games: int
    decisions: int
    seconds: float

    @property
    def games_per_second(self) -> float:
        return self.games / self.seconds

    @property
    def decisions_per_second(self) -> float:
        return self.decisions / self.seconds


@dataclass(slots=True)
class Measurement:
    """The measurements of one contestant. `cold` is its first sample, before any warm-up."""

    who: str
    game: str
    players: int
    samples: list[Sample] = field(default_factory=list)
    cold: Sample | None = None
    start_seconds: float | None = None
    note: str = ""
    missing: str = ""

    @property
    def games_per_second(self) -> float:
        """The median of the samples. Games differ in length, so decisions per second is the more stable measure."""
        return statistics.median(each.games_per_second for each in self.samples)

    @property
    def decisions_per_second(self) -> float:
        return statistics.median(each.decisions_per_second for each in self.samples)

    @property
    def decisions_per_game(self) -> float:
        return sum(each.decisions for each in self.samples) / sum(each.games for each in self.samples)

    @property
    def spread(self) -> float:
        """Range of the samples relative to their median, in decisions per second."""
        rates = [each.decisions_per_second for each in self.samples]
        return (max(rates) - min(rates)) / statistics.median(rates)


@dataclass(slots=True)
class Contestant:
    """A program to measure. `make` prepares it, untimed, and raises `Missing` if it is not available."""

    who: str
    game: str
    players: int
    make: Callable[[], Play | Callable[[float], Sample]]
    note: str = ""
    samples_itself: bool = False


class Missing(Exception):  # noqa: N818 - a result, not an error
    """A contestant is not available; the text says why."""


def take_sample(play: Play, seconds: float, first: int = 0) -> Sample:
    """Play games for about `seconds`, at least one; they are numbered from `first`."""
    games = decisions = 0
    clock = time.process_time
    began = clock()
    spent = 0.0
    while spent < seconds or not games:
        # Reading the clock costs as much as a move, so read it once per batch, with larger batches for faster games.
        batch = 1 if not games else max(1, min(200, int(games / max(spent, 1e-6) * seconds / 50)))
        for number in range(first + games, first + games + batch):
            decisions += play(number)
        games += batch
        spent = clock() - began
    return Sample(games, decisions, spent)

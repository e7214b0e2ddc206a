"""Rates: the same thing done for a short while, several times over.

In: something that plays a game and says how many decisions it took. Out: a `Measurement`.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field

Play = Callable[[int], int]  # plays the game of a number and gives its decisions


@dataclass(frozen=True, slots=True)
class Sample:
    """Games played for a while; `seconds` are of the processor's time, so that other programs disturb them little."""

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
    """What is known of one contestant. `cold` is its first while, before anything could be remembered."""

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
        """The median of the samples; games of one kind differ in length, so decisions are the steadier measure."""
        return statistics.median(each.games_per_second for each in self.samples)

    @property
    def decisions_per_second(self) -> float:
        return statistics.median(each.decisions_per_second for each in self.samples)

    @property
    def decisions_per_game(self) -> float:
        return sum(each.decisions for each in self.samples) / sum(each.games for each in self.samples)

    @property
    def spread(self) -> float:
        """How far the slowest and the fastest sample lie apart, as a share of the median, in decisions a second."""
        rates = [each.decisions_per_second for each in self.samples]
        return (max(rates) - min(rates)) / statistics.median(rates)


@dataclass(slots=True)
class Contestant:
    """Something that plays. `make` prepares it and may take its time; it raises `Missing` where it cannot be had."""

    who: str
    game: str
    players: int
    make: Callable[[], Play | Callable[[float], Sample]]
    note: str = ""
    samples_itself: bool = False


class Missing(Exception):  # noqa: N818 - an answer
    """A contestant that is not there, and why."""


def take_sample(play: Play, seconds: float, first: int = 0) -> Sample:
    """Play games for about so long, at least one; they are numbered from `first`."""
    games = decisions = 0
    clock = time.process_time
    began = clock()
    spent = 0.0
    while spent < seconds or not games:
        # Looking at the clock costs as much as a move: look after some games, more of them the faster they are.
        batch = 1 if not games else max(1, min(200, int(games / max(spent, 1e-6) * seconds / 50)))
        for number in range(first + games, first + games + batch):
            decisions += play(number)
        games += batch
        spent = clock() - began
    return Sample(games, decisions, spent)

"""Statistics of many games, as exact running sums.

In: results of games, in any order. Out: a `Summary`. Summaries merge to the same total however the games were divided,
because all sums are exact (integers and fractions).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import field
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from hoyle.base.dataclass import dataclass

if TYPE_CHECKING:
    from hoyle.lab.sim.event_counts import Counted
    from hoyle.play.engine.playout import Result


Trend = Literal["rose", "fell", "stood", ""]  # what the scores did in the second half of a match; empty: not known


@dataclass(frozen=True, slots=True)
class Failure:
    """A game stopped by a fault in its rules, by a failing bot, or, if `decisions` says so, for its length."""

    index: int
    seed: int
    message: str
    decisions: int = 0
    trend: Trend = ""


@dataclass(frozen=True, slots=True)
class NativeShare:
    """How many games native code was given, how many of them it could not complete, and why it did not play, if so."""

    played: int
    left_out: int
    problem: str


@dataclass(slots=True)
class Tally:
    """Count, sum, sum of squares, minimum and maximum of integers.

    >>> tally = Tally()
    >>> for number in (2, 4, 9): tally.add(number)
    >>> tally.mean, round(tally.deviation, 3), tally.low, tally.high
    (5.0, 3.606, 2, 9)
    """

    count: int = 0
    total: int = 0
    squares: int = 0
    low: int = 0
    high: int = 0

    def add(self, number: int) -> None:
        self.low = number if not self.count else min(self.low, number)
        self.high = number if not self.count else max(self.high, number)
        self.count += 1
        self.total += number
        self.squares += number * number

    def merge(self, other: Tally) -> None:
        if not other.count:
            return
        self.low = other.low if not self.count else min(self.low, other.low)
        self.high = other.high if not self.count else max(self.high, other.high)
        self.count += other.count
        self.total += other.total
        self.squares += other.squares

    @property
    def mean(self) -> float:
        return self.total / self.count if self.count else 0.0

    @property
    def deviation(self) -> float:
        """The sample standard deviation."""
        if self.count < 2:
            return 0.0
        spread = Fraction(self.squares) - Fraction(self.total * self.total, self.count)
        return math.sqrt(spread / (self.count - 1))


def _tallies(players: int) -> list[Tally]:
    return [Tally() for _ in range(players)]


@dataclass(slots=True)
class Summary:
    """Statistics of the games so far. A win shared by three seats counts a third for each. `offered` and `widest` are
    the sum and the maximum of the number of choices at a decision; `counted` are the event counts, if requested."""

    players: int
    games: int = 0
    faults: int = 0
    first_fault: Failure | None = None
    unended: int = 0
    first_unended: Failure | None = None
    undecided: int = 0
    wins: list[Fraction] = field(default_factory=list)
    scores: list[Tally] = field(default_factory=list)
    decisions: Tally = field(default_factory=Tally)
    rounds: Tally = field(default_factory=Tally)
    offered: int = 0
    widest: int = 0
    counted: Counted | None = None
    native: NativeShare | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        self.wins = self.wins or [Fraction(0)] * self.players
        self.scores = self.scores or _tallies(self.players)

    @property
    def played(self) -> int:
        """Games that ended, by a result or by a fault, or were stopped for their length."""
        return self.games + self.faults + self.unended

    @property
    def decided(self) -> int:
        """Decisions of all those games."""
        return self.decisions.total + (self.unended * self.first_unended.decisions if self.first_unended else 0)

    @property
    def branching(self) -> float:
        """Mean branching factor: choices offered per decision."""
        return self.offered / self.decisions.total if self.decisions.total else 0.0

    def add(self, result: Result | Failure) -> None:
        if isinstance(result, Failure):
            self._add_failure(result)
            return
        self.games += 1
        for seat in result.winners:
            self.wins[seat] += Fraction(1, len(result.winners))
        self.undecided += not result.winners
        for tally, score in zip(self.scores, result.scores, strict=True):
            tally.add(score)
        self.decisions.add(result.decisions)
        self.rounds.add(result.rounds)
        self.offered += result.offered
        self.widest = max(self.widest, result.widest)

    def share_of(self, seats: Sequence[int]) -> Fraction:
        """Sum of the wins of a team's seats."""
        return sum((self.wins[seat] for seat in seats), Fraction(0))

    def _add_failure(self, failure: Failure) -> None:
        if failure.decisions:
            self.unended += 1
            self.first_unended = _first_of(self.first_unended, failure)
        else:
            self.faults += 1
            self.first_fault = _first_of(self.first_fault, failure)

    def merge(self, other: Summary) -> None:
        self.faults += other.faults
        self.first_fault = _first_of(self.first_fault, other.first_fault)
        self.unended += other.unended
        self.first_unended = _first_of(self.first_unended, other.first_unended)
        self.games += other.games
        self.undecided += other.undecided
        self.wins = [mine + theirs for mine, theirs in zip(self.wins, other.wins, strict=True)]
        for mine, theirs in zip(self.scores, other.scores, strict=True):
            mine.merge(theirs)
        self.decisions.merge(other.decisions)
        self.rounds.merge(other.rounds)
        self.offered += other.offered
        self.widest = max(self.widest, other.widest)
        if self.counted is None:
            self.counted = other.counted
        elif other.counted is not None:
            self.counted.merge(other.counted)


def _first_of(one: Failure | None, other: Failure | None) -> Failure | None:
    return min((each for each in (one, other) if each is not None), key=lambda each: each.index, default=None)


def add_up(summaries: Sequence[Summary], players: int) -> Summary:
    """Merge several summaries."""
    whole = Summary(players)
    for part in summaries:
        whole.merge(part)
    return whole

"""What the matches of an arena say: shares of wins, and ratings that explain them, each with an interval.

In: meetings. Out: an `Arena`. Matches of one deal are not independent, so intervals are made from deals.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from statistics import fmean

from hoyle.arena.playing import Meeting, Pair
from hoyle.dataclass import dataclass
from hoyle.sim.intervals import CONFIDENT, UNKNOWN, Interval, bounded_interval, mean_interval

BASE = 1000.0  # what `random` is rated, or all on average
POINTS = 400 / math.log(10)  # of rating for odds of e to 1
DRAWN = 200  # times shares are drawn from their intervals to see how far ratings would differ


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two bots: the share of wins of the first, and by how many points it was ahead on average, where scores decide;
    the interval of that is not known from one deal, nor from few that are all alike."""

    pair: Pair
    matches: int
    share: float
    interval: Interval
    margin: float | None = None
    margin_interval: Interval | None = None


@dataclass(frozen=True, slots=True)
class Rating:
    """A bot: its share of wins against all, its rating, how long it thought at a decision."""

    bot: str
    matches: int
    share: float
    rating: float
    interval: Interval
    seconds: float


@dataclass(frozen=True, slots=True)
class Arena:
    """All there is to say; `ratings` begin with the best."""

    ratings: tuple[Rating, ...]
    pairings: tuple[Pairing, ...]
    matches: int
    length: float
    problems: tuple[str, ...]


def sum_up(bots: Sequence[str], meetings: Sequence[Meeting]) -> Arena:
    """Shares and ratings of bots."""
    pairs = sorted({meeting.pair for meeting in meetings})
    by_pair = {pair: [meeting for meeting in meetings if meeting.pair == pair] for pair in pairs}
    pairings = tuple(_pair_up(pair, by_pair[pair]) for pair in pairs)
    rated = rate(bots, {pairing.pair: (pairing.share, pairing.matches) for pairing in pairings})
    drawn = _draw_ratings(bots, pairings) if len({meeting.deal for meeting in meetings}) > 1 else []
    ratings = []
    for index, name in enumerate(bots):
        matches, won, decisions, seconds = 0, 0.0, 0, 0.0
        for meeting in meetings:
            if index in meeting.pair:
                who = meeting.pair.index(index)
                matches += len(meeting.shares)
                won += sum(1 - share if who else share for share in meeting.shares)
                decisions += meeting.decisions[who]
                seconds += meeting.seconds[who]
        low, high = _find_middle([each[index] for each in drawn], rated[index]) if drawn else UNKNOWN
        share = won / matches if matches else 0.5
        took = seconds / decisions if decisions else 0.0
        ratings.append(Rating(name, matches, share, rated[index], (low, high), took))
    lengths = [length for meeting in meetings for length in meeting.lengths]
    return Arena(
        tuple(sorted(ratings, key=lambda each: -each.rating)),
        pairings,
        len(lengths),
        fmean(lengths) if lengths else 0.0,
        tuple(problem for meeting in meetings for problem in meeting.problems),
    )


def _pair_up(pair: Pair, meetings: Sequence[Meeting]) -> Pairing:
    means = [fmean(meeting.shares) for meeting in meetings]
    margins = [fmean(meeting.margins) for meeting in meetings if meeting.margins]
    reached = mean_interval(len(margins), sum(margins), sum(each * each for each in margins))
    return Pairing(
        pair, sum(len(meeting.shares) for meeting in meetings), fmean(means),
        bounded_interval(len(means), sum(means), sum(each * each for each in means), 0, 1),
        fmean(margins) if margins else None, None if reached == UNKNOWN else reached,
    )  # fmt: skip


def _draw_ratings(bots: Sequence[str], pairings: Sequence[Pairing]) -> list[list[float]]:
    """What the ratings would be with other shares that the intervals of pairs allow for. Drawn are the logarithms of
    odds, for of one who always wins it is not known how much better he is."""
    chance = random.Random(sum(pairing.matches for pairing in pairings))
    odds = {pairing.pair: _find_odds(pairing) for pairing in pairings}
    found = []
    for _ in range(DRAWN):
        shares = {pair: 1 / (1 + math.exp(-chance.gauss(*each))) for pair, each in odds.items()}
        found.append(rate(bots, {each.pair: (shares[each.pair], each.matches) for each in pairings}, drawn=0))
    return found


def _find_odds(pairing: Pairing) -> tuple[float, float]:
    """The logarithm of the odds that the first wins, and its standard error, from the interval of the share."""
    low, high = pairing.interval
    share = (pairing.share * pairing.matches + 0.5) / (pairing.matches + 1)
    middle = (low + high) / 2
    error = (high - low) / 2 / CONFIDENT / (middle * (1 - middle))
    return math.log(share / (1 - share)), error


def _find_middle(drawn: list[float], rating: float) -> Interval:
    """Where 95 % of the ratings drawn lie, and the rating itself."""
    drawn.sort()
    return min(rating, drawn[int(0.025 * len(drawn))]), max(rating, drawn[int(0.975 * len(drawn))])


def rate(bots: Sequence[str], shares: Mapping[Pair, tuple[float, int]], drawn: int = 1) -> list[float]:
    """Ratings from the share of wins of the first of each pair and how many matches it had, such that a bot 400 points
    above another is expected to win ten times as often (Bradley and Terry's model). A `drawn` match more for each pair
    keeps them finite for one that always wins."""
    count = len(bots)
    won = [[0.0] * count for _ in bots]
    for (one, other), (share, matches) in shares.items():
        won[one][other] = share * matches + drawn / 2
        won[other][one] = (1 - share) * matches + drawn / 2
    strength = [1.0] * count
    for _ in range(500):
        before = strength[:]
        for one in range(count):
            met = [
                (won[one][other] + won[other][one]) / (strength[one] + strength[other])
                for other in range(count)
                if other != one and won[one][other] + won[other][one]
            ]
            if met:
                strength[one] = sum(won[one]) / sum(met)
        scale = math.exp(fmean(math.log(each) for each in strength))
        strength = [each / scale for each in strength]
        if max(abs(math.log(a / b)) for a, b in zip(strength, before, strict=True)) < 1e-6:
            break
    ratings = [POINTS * math.log(each) for each in strength]
    base = ratings[bots.index("random")] if "random" in bots else 0.0
    return [BASE + each - base for each in ratings]

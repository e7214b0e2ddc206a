"""What the matches of an arena say: shares of wins, and ratings that explain them, each with an interval.

In: meetings. Out: an `Arena`. Matches of one deal are not independent, so intervals are made from deals.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from statistics import fmean, stdev

from hoyle.arena.playing import Meeting, Pair
from hoyle.dataclass import dataclass
from hoyle.sim.summary import wilson_interval

Interval = tuple[float, float]
BASE = 1000.0  # what `random` is rated, or all on average
POINTS = 400 / math.log(10)  # of rating for odds of e to 1
DRAWN_ANEW = 200  # times the deals are drawn again to see how far ratings would differ
CONFIDENT = 1.959964
ENOUGH = 10  # deals that tell how far they differ


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two bots: the share of wins of the first, and by how many points it was ahead on average, where scores decide;
    the interval of that is not known from few deals."""

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
    by_deal: dict[int, list[Meeting]] = {}
    for meeting in meetings:
        by_deal.setdefault(meeting.deal, []).append(meeting)
    deals = sorted(by_deal)
    rated = rate(bots, meetings)
    chance = random.Random(len(meetings))
    drawn = [
        rate(bots, [meeting for _ in deals for meeting in by_deal[chance.choice(deals)]])
        for _ in range(DRAWN_ANEW if len(deals) > 1 else 0)
    ]
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
        others = sorted(each[index] for each in drawn) or [-math.inf, math.inf]
        low, high = others[int(0.025 * len(others))], others[min(len(others) - 1, int(0.975 * len(others)))]
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
    share, matches = fmean(means), sum(len(meeting.shares) for meeting in meetings)
    reached = _find_interval(means)
    interval = reached and (max(0.0, reached[0]), min(1.0, reached[1]))
    margins = [fmean(meeting.margins) for meeting in meetings if meeting.margins]
    return Pairing(
        pair, matches, share, interval or wilson_interval(share * len(means), len(means)),
        fmean(margins) if margins else None, _find_interval(margins),
    )  # fmt: skip


def _find_interval(means: Sequence[float]) -> Interval | None:
    """Where the mean of means of deals lies; None if they are few, or all the same."""
    spread = stdev(means) if len(means) >= ENOUGH else 0.0
    reach = CONFIDENT * spread / math.sqrt(max(1, len(means)))
    return (fmean(means) - reach, fmean(means) + reach) if spread else None


def rate(bots: Sequence[str], meetings: Sequence[Meeting]) -> list[float]:
    """Ratings such that a bot 400 points above another is expected to win ten times as often (Bradley and Terry's
    model). One drawn match more for each pair keeps them finite for one that always wins."""
    count = len(bots)
    won = [[0.0] * count for _ in bots]
    for meeting in meetings:
        one, other = meeting.pair
        won[one][other] += sum(meeting.shares)
        won[other][one] += len(meeting.shares) - sum(meeting.shares)
    for one, other in {meeting.pair for meeting in meetings}:
        won[one][other] += 0.5
        won[other][one] += 0.5
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

"""Statistics of an arena: win shares and Bradley-Terry ratings, with confidence intervals.

In: meetings. Out: an `Arena`. Matches of one deal are not independent, so the deal is the unit of sampling.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from statistics import fmean

from hoyle.base.dataclass import dataclass
from hoyle.lab.arena.playing import Meeting, Pair
from hoyle.lab.sim.intervals import UNKNOWN, Interval, bounded_interval, effective_sample, mean_interval

BASE = 1000.0  # the rating of `random`, or the mean rating without it
POINTS = 400 / math.log(10)  # Elo points per unit of log-odds
DRAWN = 200  # samples of the parametric bootstrap of ratings
CERTAIN = 1e-9  # how far a sampled share stays from 0 and 1, where ratings would be infinite


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two bots: the win share of the first, and its mean margin in points, if scores decide the game; the interval of
    the margin is None if there are too few deals, or few that are all equal. `effective` is the effective sample size:
    matches of one deal are not independent."""

    pair: Pair
    matches: int
    share: float
    interval: Interval
    effective: float
    margin: float | None = None
    margin_interval: Interval | None = None


@dataclass(frozen=True, slots=True)
class Rating:
    """A bot: its win share against all others, its rating, and its mean thinking time per decision."""

    bot: str
    matches: int
    share: float
    rating: float
    interval: Interval
    seconds: float


@dataclass(frozen=True, slots=True)
class Arena:
    """All results; `ratings` are sorted best first, `length` is the mean number of decisions of a match."""

    ratings: tuple[Rating, ...]
    pairings: tuple[Pairing, ...]
    matches: int
    length: float
    problems: tuple[str, ...]


def sum_up(bots: Sequence[str], meetings: Sequence[Meeting]) -> Arena:
    """Compute win shares and ratings."""
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
    sums = len(means), sum(means), sum(each * each for each in means)
    return Pairing(
        pair, sum(len(meeting.shares) for meeting in meetings), fmean(means),
        bounded_interval(*sums, 0, 1), effective_sample(*sums),
        fmean(margins) if margins else None, None if reached == UNKNOWN else reached,
    )  # fmt: skip


def _draw_ratings(bots: Sequence[str], pairings: Sequence[Pairing]) -> list[list[float]]:
    """Sample ratings by a parametric bootstrap: draw the win share of each pair from its Beta distribution (with
    Jeffreys' prior) and rate again. For a bot that always wins, it is unknown how much stronger it is, so the normal
    approximation of log-odds would be far too sure."""
    chance = random.Random(sum(pairing.matches for pairing in pairings))
    found = []
    for _ in range(DRAWN):
        shares = {each.pair: _draw_share(each, chance) for each in pairings}
        found.append(rate(bots, {each.pair: (shares[each.pair], each.matches) for each in pairings}, drawn=0))
    return found


def _draw_share(pairing: Pairing, chance: random.Random) -> float:
    won, lost = (pairing.effective * share for share in (pairing.share, 1 - pairing.share))
    return min(max(chance.betavariate(won + 0.5, lost + 0.5), CERTAIN), 1 - CERTAIN)


def _find_middle(drawn: list[float], rating: float) -> Interval:
    """Return the central 95 % of the sampled ratings, extended to include the point estimate."""
    drawn.sort()
    return min(rating, drawn[int(0.025 * len(drawn))]), max(rating, drawn[int(0.975 * len(drawn))])


def rate(bots: Sequence[str], shares: Mapping[Pair, tuple[float, int]], drawn: int = 1) -> list[float]:
    """Fit the Bradley-Terry model to the win shares and match counts of pairs; 400 points of difference stand for odds
    of 10 to 1, as in Elo's scale. Adding `drawn` drawn matches per pair regularizes the fit, so that ratings stay
    finite for a bot that always wins."""
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

"""95 % confidence intervals that hold up for small samples; all others in the project come from here.

In: sums over games. Out: the bounds of an interval.
"""

from __future__ import annotations

import math

Interval = tuple[float, float]

CONFIDENT = 1.959964  # the 97.5 % quantile of the normal distribution
ALIKE = 6  # sample size from which equal values count as certain: under a fair sign, p = 2 / 2^6
ROUNDED = 1e-12  # tolerance, relative to the mean square, below which a variance is rounding error
UNKNOWN: Interval = (-math.inf, math.inf)


def wilson_interval(wins: float, games: int) -> Interval:
    """Return the Wilson score interval of a proportion, which is also sound near 0 and 1.

    >>> [round(bound, 3) for bound in wilson_interval(5, 10)]
    [0.237, 0.763]
    """
    if not games:
        return 0.0, 1.0
    z, share = CONFIDENT, wins / games
    centre = share + z * z / (2 * games)
    reach = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return max(0.0, (centre - reach) / scale), min(1.0, (centre + reach) / scale)


def mean_interval(count: float, total: float, squares: float) -> Interval:
    """Return Student's t interval of a mean. Unknown for fewer than two numbers, and for few equal ones, whose sample
    variance of 0 says nothing about the true one.

    >>> [round(bound, 2) for bound in mean_interval(3, 12, 56)]
    [-0.97, 8.97]
    """
    if count < 2:
        return UNKNOWN
    mean = total / count
    spread = squares / count - mean * mean
    if spread <= ROUNDED * squares / count:
        return UNKNOWN if count < ALIKE else (mean, mean)
    reach = find_reach(count - 1) * math.sqrt(spread / (count - 1))
    return mean - reach, mean + reach


def bounded_interval(count: int, total: float, squares: float, lowest: float, highest: float) -> Interval:
    """Return the interval of the mean of bounded numbers, such as shares of wins and their differences. It adds
    pseudo-observations, half a game at each bound and one in the middle (after Agresti and Min), so that a few equal
    games do not yield certainty.

    >>> [round(bound, 2) for bound in bounded_interval(2, 2, 2, -1, 1)]
    [-0.8, 1]
    """
    low, high = _pad_interval(count, total, squares, lowest, highest)
    return max(lowest, low), min(highest, high)


def effective_sample(count: int, total: float, squares: float) -> float:
    """The effective sample size of a share of wins: the number of independent wins and losses that determine it as
    precisely as these numbers from 0 to 1 do, some of which may be averages of several games.

    >>> round(effective_sample(100, 50, 50)), round(effective_sample(100, 50, 37.5))
    (100, 197)
    """
    low, high = _pad_interval(count, total, squares, 0, 1)
    middle, error = (low + high) / 2, (high - low) / 2 / CONFIDENT
    return middle * (1 - middle) / error**2


def _pad_interval(count: int, total: float, squares: float, lowest: float, highest: float) -> Interval:
    middle = (lowest + highest) / 2
    added = (lowest**2 + highest**2) / 2 + middle**2
    return mean_interval(count + 2, total + 2 * middle, squares + added)


def find_reach(freedom: float) -> float:
    """Return the 97.5 % quantile of Student's t distribution with `freedom` degrees of freedom, with a relative error
    below 1/800 (Abramowitz and Stegun 26.7.5; closed forms for 1 and 2).

    >>> [round(find_reach(number), 2) for number in (1, 2, 3, 10, 100)]
    [12.71, 4.3, 3.18, 2.23, 1.98]
    """
    if freedom == 1:
        return math.tan(0.475 * math.pi)
    if freedom == 2:
        return 0.95 * math.sqrt(2 / (1 - 0.95**2))
    z = CONFIDENT
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return sum(term / freedom**power for power, term in enumerate(terms))

"""Judgement of choices made, by a search longer than that for hints.

In: a match as it stood before a choice, and the choice. Out: which choice the bot would have made instead, whether the
difference is more than chance, and about how many points it is worth. The bot sees only what the seat could see.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from hoyle.base.dataclass import dataclass
from hoyle.lab.bots.advising import Weighed, advise, differ
from hoyle.lab.bots.reached import Reached
from hoyle.lab.bots.search import SearchBot
from hoyle.lab.bots.search_tree import find_tables
from hoyle.play.engine.faults import Fault

if TYPE_CHECKING:
    from hoyle.play.engine.actions import Action
    from hoyle.play.engine.game import Match

ITERATIONS, SECONDS = 3_000, 4.0  # of the search: many, so that what is told to nobody in a hurry is right
SAMPLES = 40  # playouts by which the spread of points is estimated
SPREADS = 1.5  # the value of a result eases its points by so many spreads (`Scale`)


@dataclass(frozen=True, slots=True)
class Judgement:
    """`better` is the choice that the bot prefers, None where the one made is as good or was not weighed; `gain` how
    much more it is worth, from 0 to 1, and `points` about how many points that is, None where no score decides."""

    better: Action | None
    gain: float = 0.0
    points: float | None = None


def judge(match: Match, made: Action, seed: int) -> Judgement:
    """Judge the choice that the deciding seat is about to make."""
    advice = advise(match, seed, SearchBot(seed, ITERATIONS, SECONDS))
    chosen = next((each for each in advice.weighed if each.action.choice == made.choice), None)
    if chosen is None or not advice.weighed:
        return Judgement(None)
    best = advice.weighed[0]
    if best.value <= chosen.value or not differ(best, chosen):
        return Judgement(None)
    return Judgement(best.action, best.value - chosen.value, _count_points(match, best, chosen, seed))


def _count_points(match: Match, best: Weighed, chosen: Weighed, seed: int) -> float | None:
    """Translate the difference of two values to points, by the spread of what playouts come to."""
    decision = match.decision
    assert decision is not None
    standpoint = match.standpoint(decision.seat)
    tables = find_tables(standpoint.game.executor)
    worth = tables.worth
    if not worth.by_score:
        return None
    squares, counted = 0.0, 0
    for number in range(SAMPLES):
        try:
            sampled = standpoint.sample(seed + number)
            begun = worth.find_margins(Reached(worth.executor, sampled))
            ended = worth.find_margins(tables.rollout.find_out(sampled, seed + number))
        except Fault:
            continue
        if begun is None or ended is None:
            return None
        squares += max((after - before) ** 2 for before, after in zip(begun, ended, strict=True))
        counted += 1
    spread = math.sqrt(squares / counted) if counted else 0.0
    return SPREADS * spread * (_stretch(best.value) - _stretch(chosen.value)) if spread else None


def _stretch(value: float) -> float:
    """The inverse of `ease`.

    >>> round(_stretch(0.5), 3), round(_stretch(0.8535534), 3)
    (0.0, 1.0)
    """
    eased = min(max(2 * value - 1, -0.99), 0.99)
    return eased / math.sqrt(1 - eased * eased)

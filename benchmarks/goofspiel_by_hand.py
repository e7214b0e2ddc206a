"""A hand-written player of two-player Goofspiel, to estimate how much skill matters against random play.

    hoyle arena goofspiel --bots benchmarks.goofspiel_by_hand:ByHand,random --games 1000

It bids the value of the prize, or the nearest card it has.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hoyle.play.engine.actions import Action
    from hoyle.play.engine.decision import Decision
    from hoyle.play.engine.standpoint import Standpoint

RANKS = "A23456789TJQK"


class ByHand:
    """Bids the value of the prize."""

    def __init__(self, seed: int) -> None:
        pass

    def choose(self, decision: Decision, look: Callable[[], Standpoint]) -> Action:
        prize = next(zone.cards[-1] for zone in look().view.zones if zone.name == "prize")
        assert prize is not None
        worth = RANKS.index(prize[0])
        return min(decision.actions, key=lambda action: abs(RANKS.index(action.text.split()[-1][0]) - worth))

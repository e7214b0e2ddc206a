"""A player of Goofspiel for two written by hand, to see how much skill there is to be had against chance.

    hoyle arena goofspiel --bots benchmarks.goofspiel_by_hand:ByHand,random --games 1000

It bids as much as the prize is worth, or as near to that as it can.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hoyle.engine.actions import Action
    from hoyle.engine.decision import Decision
    from hoyle.engine.standpoint import Standpoint

RANKS = "A23456789TJQK"


class ByHand:
    """Bids what the prize is worth."""

    def __init__(self, seed: int) -> None:
        pass

    def choose(self, decision: Decision, look: Callable[[], Standpoint]) -> Action:
        prize = next(zone.cards[-1] for zone in look().view.zones if zone.name == "prize")
        assert prize is not None
        worth = RANKS.index(prize[0])
        return min(decision.actions, key=lambda action: abs(RANKS.index(action.text.split()[-1][0]) - worth))

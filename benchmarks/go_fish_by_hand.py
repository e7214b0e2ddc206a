"""A hand-written player of two-player Go Fish, to estimate how much skill matters against random play.

    hoyle arena go-fish --players 2 --bots benchmarks.go_fish_by_hand:ByHand,random --games 1000

It has perfect memory: if the opponent is known to hold a rank, having asked for it and neither handed it over nor laid
it down since, it asks for that rank. Otherwise, among ranks it has not asked for recently, it asks for the one of which
it holds the most.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hoyle.play.engine.actions import Action
    from hoyle.play.engine.decision import Decision
    from hoyle.play.engine.standpoint import Standpoint

LATELY = 3  # number of its own questions that count as recent


class ByHand:
    """Asks for ranks known to be held, and remembers all questions."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)

    def choose(self, decision: Decision, look: Callable[[], Standpoint]) -> Action:
        standpoint = look()
        sure, asked = read_questions(standpoint)
        held = Counter(
            card[:-1]
            for zone in standpoint.view.zones
            if zone.name == "hand" and zone.owner == decision.seat
            for card in zone.cards
            if card
        )

        def judge(action: Action) -> tuple[bool, bool, int, float]:
            rank = action.text.split()[-1]
            return rank in sure, rank not in asked[-LATELY:], held[rank], self._chance.random()

        return max((decision.choice(place) for place in range(decision.count)), key=judge)


def read_questions(standpoint: Standpoint) -> tuple[set[str], list[str]]:
    """Return the ranks that the opponent is known to hold, and those that the seat has asked for, in order."""
    sure: set[str] = set()
    asked: list[str] = []
    for event in standpoint.events:
        if event["event"] == "chose" and event["action"] == "ask":
            rank = event["picks"]["wanted"]
            if event["seat"] == standpoint.seat:
                asked.append(rank)
                sure.discard(rank)
            else:
                sure.add(rank)
    laid = {card[:-1] for zone in standpoint.view.zones if zone.name == "books" for card in zone.cards if card}
    return sure - laid, asked

"""A player of Go Fish for two written by hand, to see how much skill there is to be had against chance.

    hoyle arena go-fish --players 2 --bots benchmarks.go_fish_by_hand:ByHand,random --games 1000

It forgets nothing: if the other is known to hold a rank, because he asked for it and has neither handed it over nor
laid it down since, it asks for that. Otherwise it asks for what it has not asked for lately, and of that for the rank
of which it holds the most.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hoyle.engine.actions import Action
    from hoyle.engine.decision import Decision
    from hoyle.engine.standpoint import Standpoint

LATELY = 3  # questions of one's own


class ByHand:
    """Asks for what is sure to be had, and remembers what was asked for."""

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
    """The ranks that the other is known to hold, and those that the seat itself has asked for, in order."""
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

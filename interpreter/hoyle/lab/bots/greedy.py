"""A bot with one-step lookahead: it evaluates each choice by short rollouts up to its next decision.

In: a decision and a standpoint. Out: the choice with the highest mean value for its team, over determinizations.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING

from hoyle.lab.bots.evaluation import Scale, Worth
from hoyle.lab.bots.reached import Reached
from hoyle.lab.bots.registry import bot
from hoyle.lab.bots.rollout import Rollout, find_native_rollout, spell_out
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.offering import thin_out

if TYPE_CHECKING:
    from hoyle.play.engine.actions import Action
    from hoyle.play.engine.decision import Decision
    from hoyle.play.engine.legality import Choice
    from hoyle.play.engine.standpoint import Standpoint

SAMPLES = 12
MOST_TRIED = 60  # choices evaluated
MOST_DRAWN = 1_000  # choices drawn before numbers are expanded and those evaluated are drawn
SHORT = 40  # rollout depth, in decisions


@bot("greedy", "takes what brings most by the time it is asked again, over hands the others may hold")
class GreedyBot:
    """Evaluates all choices with common random numbers: in the same determinizations, with the same rollout seeds."""

    thinks = True

    def __init__(self, seed: int, samples: int = SAMPLES) -> None:
        self._chance = random.Random(seed)
        self._samples = samples

    def choose(self, decision: Decision, look: Callable[[], Standpoint]) -> int | Action:
        if decision.count == 1:
            return decision.choice(0)
        standpoint = look()
        game = standpoint.game
        choices = spell_out(thin_out(decision.choices, MOST_DRAWN, self._chance))
        if len(choices) > MOST_TRIED:
            choices = self._chance.sample(choices, MOST_TRIED)
        self._chance.shuffle(choices)  # breaks ties at random
        worth = Worth(game.executor)
        rollout = Rollout(game.executor, native=find_native_rollout(game.executor))
        scale, is_judged = Scale(worth, standpoint.position), standpoint.position.block in worth.judged
        side = worth.sides.index(game.program.teams[decision.seat])
        sums = dict.fromkeys(choices, 0.0)
        for _ in range(self._samples):
            sampled = standpoint.sample(self._chance.getrandbits(63))
            seed = self._chance.getrandbits(64)
            for choice in choices:
                position = sampled.copy()
                try:
                    game.executor.advance(position, choice)
                    if is_judged:
                        reached = Reached(game.executor, position)
                    else:
                        reached = rollout.find_out(position, seed, SHORT, until_seat=decision.seat)
                    sums[choice] += scale.value(reached)[side]
                except Fault:  # the determinization is impossible: score it neutrally
                    sums[choice] += 0.5
        return find_action(decision, max(choices, key=sums.__getitem__))


def find_action(decision: Decision, choice: Choice) -> Action:
    """Return the offered action for a choice."""
    found = decision.find(choice)
    if found is None:
        raise ValueError(f"not offered: {choice}")
    return found

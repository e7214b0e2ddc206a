"""A bot that looks one step ahead: what each choice brings by the time it is asked again.

In: a decision and a standpoint. Out: the choice after which its side stood best on average, over positions it could be
in.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING

from hoyle.bots.native_rollout import NativeRollout
from hoyle.bots.reached import Reached
from hoyle.bots.registry import bot
from hoyle.bots.rollout import Rollout, spell_out
from hoyle.bots.worth import Scale, Worth
from hoyle.engine.faults import Fault
from hoyle.engine.offering import thin_out

if TYPE_CHECKING:
    from hoyle.engine.actions import Action
    from hoyle.engine.decision import Decision
    from hoyle.engine.legality import Choice
    from hoyle.engine.standpoint import Standpoint

SAMPLES = 12
MOST_TRIED = 60  # choices
MOST_DRAWN = 1_000  # choices, a number to be said counted as one, among which those tried are drawn
SHORT = 40  # decisions


@bot("greedy", "takes what brings most by the time it is asked again, over hands the others may hold")
class GreedyBot:
    """Every choice is tried in the same positions, so that luck is the same for all."""

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
        self._chance.shuffle(choices)  # so that equals are not always settled the same way
        worth = Worth(game.executor)
        rollout = Rollout(game.executor, native=NativeRollout.find(game.executor))
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
                except Fault:  # a position that cannot be: nothing is learnt from it
                    sums[choice] += 0.5
        return find_action(decision, max(choices, key=sums.__getitem__))


def find_action(decision: Decision, choice: Choice) -> Action:
    """The action offered that makes a choice."""
    found = decision.find(choice)
    if found is None:
        raise ValueError(f"not offered: {choice}")
    return found

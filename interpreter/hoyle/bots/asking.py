"""A bot is asked at a decision of a match.

In: the match, its decision, a bot, and the habits of the table. Out: what is to be applied to the match.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from hoyle.engine.habits import Habits, have_effect

if TYPE_CHECKING:
    from hoyle.bots.registry import Bot
    from hoyle.engine.actions import Action
    from hoyle.engine.decision import Decision
    from hoyle.engine.game import Match


def let_choose(habits: Habits, match: Match, decision: Decision, bot: Bot) -> int | Action:
    """What a bot chooses of what the habits leave it."""
    look = partial(match.standpoint, decision.seat)
    if not have_effect(match.game.program):
        return bot.choose(decision, look)
    kept = set(habits.narrow(match.executor, match.position, [action.choice for action in decision.actions]))
    offer = replace(decision, actions=[action for action in decision.actions if action.choice in kept])
    chosen = bot.choose(offer, look)
    return offer.actions[chosen] if isinstance(chosen, int) else chosen

"""Errors that bots make, where errors can be made: now and then one of them does what is not allowed.

In: a rate and a seed; what is offered. Out: what a bot is to choose from: the lawful choices or, when it slips, only
the others. Bots of games that refuse errors choose from everything, and no chance is used.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from hoyle.bots.registry import derive_seed
from hoyle.engine.legality import Choice, is_permitted
from hoyle.model.chance import draw

if TYPE_CHECKING:
    from hoyle.bots.registry import Bot
    from hoyle.engine.actions import Action
    from hoyle.engine.executor import ReferenceExecutor
    from hoyle.engine.game import Decision, Match
    from hoyle.model.position import Position

ERRING = 1 << 40  # a path of its own below the seed of a match, beside those of the seats
SCALE = 1 << 64


class Slips:
    """Decides when a bot errs: at a share `rate` of its own decisions; of all the bots asked in a window, one errs as
    often. It is part of how a game is simulated, not of what a seat knows."""

    __slots__ = ("_state", "rate")

    def __init__(self, rate: float, seed: int) -> None:
        self.rate = rate
        self._state = derive_seed(seed, ERRING)

    def narrow(self, executor: ReferenceExecutor, position: Position, choices: list[Choice]) -> list[Choice]:
        """What the bot at the decision is to choose from."""
        if not executor.program.called:
            return choices
        lawful = executor.list_lawful(position)
        kept = [choice for choice in choices if not choice or is_permitted(choice, lawful)]
        wrong = [choice for choice in choices if choice and not is_permitted(choice, lawful)]
        if wrong and (not kept or self._slips(executor.in_window(position), position.players)):
            return wrong
        return kept

    def let_choose(self, match: Match, decision: Decision, bot: Bot) -> int | Action:
        """What a bot chooses at the decision of a match, to be applied to it."""
        see = partial(match.view, decision.seat)
        if not match.game.program.called:
            return bot.choose(decision, see)
        kept = set(self.narrow(match.executor, match.position, [action.choice for action in decision.actions]))
        offer = replace(decision, actions=[action for action in decision.actions if action.choice in kept])
        chosen = bot.choose(offer, see)
        return offer.actions[chosen] if isinstance(chosen, int) else chosen

    def _slips(self, in_window: bool, players: int) -> bool:
        if not self.rate:
            return False
        self._state, bits = draw(self._state)
        return bits < self.rate * SCALE / (players if in_window else 1)

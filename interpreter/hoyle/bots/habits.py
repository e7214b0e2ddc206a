"""Habits of bots: out of turn they act only now and then, and where errors can be made they err now and then.

In: how often they err, and a seed; what is offered. Out: what a bot is to choose from. In games that know neither
windows nor errors that are called, that is everything, and no chance is used.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from hoyle.bots.registry import derive_seed
from hoyle.engine.legality import DECLINED, Choice, is_permitted
from hoyle.model.chance import draw

if TYPE_CHECKING:
    from hoyle.bots.registry import Bot
    from hoyle.engine.actions import Action
    from hoyle.engine.executor import ReferenceExecutor
    from hoyle.engine.game import Decision, Match
    from hoyle.engine.playout import Chooser
    from hoyle.ir.nodes import Program
    from hoyle.model.position import Position

HABITS = 1 << 40  # a path of its own below the seed of a match, beside those of the seats
SCALE = 1 << 64
ACTS_OUT_OF_TURN = 1 / 8  # bots that used every chance to interrupt would never let each other play


class Habits:
    """Decides when a bot holds back and when it errs: it errs at a share `errors` of its own decisions; of all the bots
    asked in a window, one errs as often. It is part of how a game is simulated, not of what a seat knows."""

    __slots__ = ("_state", "errors")

    def __init__(self, errors: float, seed: int) -> None:
        self.errors = errors
        self._state = derive_seed(seed, HABITS)

    def narrow(self, executor: ReferenceExecutor, position: Position, choices: list[Choice]) -> list[Choice]:
        """What the bot at the decision is to choose from: in a window mostly to decline, otherwise what is lawful, or,
        when it errs, only what is not."""
        if not have_effect(executor.program):
            return choices
        out_of_turn = executor.in_window(position)
        wrong: list[Choice] = []
        if executor.program.called:
            lawful = executor.list_lawful(position)
            wrong = [choice for choice in choices if choice and not is_permitted(choice, lawful)]
            choices = [choice for choice in choices if choice not in wrong]
        if wrong and (not choices or self._happens(self.errors / (position.players if out_of_turn else 1))):
            return wrong
        if out_of_turn and len(choices) > 1 and not self._happens(ACTS_OUT_OF_TURN):
            return [DECLINED]
        return choices

    def _happens(self, rate: float) -> bool:
        if not rate:
            return False
        self._state, bits = draw(self._state)
        return bits < rate * SCALE

    def let_choose(self, match: Match, decision: Decision, bot: Bot) -> int | Action:
        """What a bot chooses at the decision of a match, to be applied to it."""
        see = partial(match.view, decision.seat)
        if not have_effect(match.game.program):
            return bot.choose(decision, see)
        kept = set(self.narrow(match.executor, match.position, [action.choice for action in decision.actions]))
        offer = replace(decision, actions=[action for action in decision.actions if action.choice in kept])
        chosen = bot.choose(offer, see)
        return offer.actions[chosen] if isinstance(chosen, int) else chosen

    def guide(self, choose: Chooser, executor: ReferenceExecutor, position: Position) -> Chooser:
        """A chooser for the position that keeps these habits."""
        if not have_effect(executor.program):
            return choose
        return lambda choices: choose(self.narrow(executor, position, choices))


def have_effect(program: Program) -> bool:
    """Whether a game knows windows, or errors that are called."""
    return program.called or any(decision.window for decision in program.decisions)

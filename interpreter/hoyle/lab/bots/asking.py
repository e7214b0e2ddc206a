"""Asks a bot for its choice and validates the answer.

In: the match, its decision, a bot, and the habits of the table. Out: the action to apply to the match; `BotFailed` if
the bot raises an exception or answers something that is not offered.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from operator import index
from typing import TYPE_CHECKING, Any

from hoyle.base.errors import HoyleError
from hoyle.play.engine.actions import Action
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.habits import Habits, have_effect

if TYPE_CHECKING:
    from hoyle.lab.bots.registry import Bot
    from hoyle.play.engine.decision import Decision
    from hoyle.play.engine.game import Match


class BotFailed(HoyleError):  # noqa: N818 - the failure of a player, not an error of this program
    """A bot has raised an exception or given an answer that was not offered; the text says which bot and where."""


def let_choose(habits: Habits, match: Match, decision: Decision, bot: Bot) -> int | Action:
    """Ask a bot to choose among the actions that the habits leave."""
    left = narrow(habits, match, decision, thinks=getattr(bot, "thinks", False))
    return _ask(bot, left, partial(match.standpoint, decision.seat))


def narrow(habits: Habits, match: Match, decision: Decision, *, thinks: bool) -> Decision:
    """Restrict a decision to the actions that the habits leave; unchanged in games without such habits."""
    if not have_effect(match.game.program):
        return decision
    offered = decision.choices
    narrowed = habits.narrow(match.executor, match.position, offered, thinks=thinks)
    if narrowed is offered:
        return decision
    kept = set(narrowed)
    return replace(decision, actions=[each for each in decision.actions if each.choice in kept])


def _ask(bot: Bot, decision: Decision, look: Any) -> Action:
    """Return the answer of a bot as an offered action, with its number if it takes one."""
    try:
        answer = bot.choose(decision, look)
    except (Fault, MemoryError):
        raise
    except (Exception, SystemExit) as error:  # a bot can abort its match, not the process
        raise BotFailed(f"{_name(bot, decision)} broke down: {type(error).__name__}: {error}") from error
    place = _read_place(answer)
    if 0 <= place < len(decision.actions):
        action = decision.actions[place]
        if action.number is None or len(action.number) == 1:
            return action
        raise BotFailed(f"{_name(bot, decision)} did not say the number of `{action.text}`")
    if isinstance(answer, Action):
        try:
            decision.index(answer)
            return answer
        except ValueError:
            pass
    said = answer.text if isinstance(answer, Action) else repr(answer)
    raise BotFailed(f"{_name(bot, decision)} answered `{said}`, which is not offered")


def _read_place(answer: Any) -> int:
    """Convert an answered index, an integer of any library such as NumPy, to `int`; -1 if it is no integer."""
    try:
        return -1 if isinstance(answer, bool) else index(answer)
    except TypeError:
        return -1


def _name(bot: Bot, decision: Decision) -> str:
    return f"the bot {type(bot).__name__} at seat {decision.seat}, asked for `{decision.name}`,"

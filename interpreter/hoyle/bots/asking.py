"""A bot is asked at a decision of a match.

In: the match, its decision, a bot, and the habits of the table. Out: what is to be applied to the match; `BotFailed` if
the bot breaks down or answers what it may not.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from operator import index
from typing import TYPE_CHECKING, Any

from hoyle.engine.actions import Action
from hoyle.engine.faults import Fault
from hoyle.engine.habits import Habits, have_effect

if TYPE_CHECKING:
    from hoyle.bots.registry import Bot
    from hoyle.engine.decision import Decision
    from hoyle.engine.game import Match


class BotFailed(Exception):  # noqa: N818 - of a player, not of ours
    """A bot has raised an error, or its answer is none of what it was offered; the text says which and where."""


def let_choose(habits: Habits, match: Match, decision: Decision, bot: Bot) -> int | Action:
    """What a bot chooses of what the habits leave it."""
    left = narrow(habits, match, decision, thinks=getattr(bot, "thinks", False))
    return _ask(bot, left, partial(match.standpoint, decision.seat))


def narrow(habits: Habits, match: Match, decision: Decision, *, thinks: bool) -> Decision:
    """The decision with what the habits leave of it."""
    if not have_effect(match.game.program):
        return decision
    offered = decision.choices
    narrowed = habits.narrow(match.executor, match.position, offered, thinks=thinks)
    if narrowed is offered:
        return decision
    kept = set(narrowed)
    return replace(decision, actions=[each for each in decision.actions if each.choice in kept])


def _ask(bot: Bot, decision: Decision, look: Any) -> Action:
    """The answer of a bot as an action that is offered, its number said."""
    try:
        answer = bot.choose(decision, look)
    except (Fault, MemoryError):
        raise
    except (Exception, SystemExit) as error:  # a bot may end its match, not the process
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
    """The place that was answered, in numbers of any library; -1 if it is none."""
    try:
        return -1 if isinstance(answer, bool) else index(answer)
    except TypeError:
        return -1


def _name(bot: Bot, decision: Decision) -> str:
    return f"the bot {type(bot).__name__} at seat {decision.seat}, asked for `{decision.name}`,"

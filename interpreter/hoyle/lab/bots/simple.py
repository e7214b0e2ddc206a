"""Two baseline bots: one takes a uniformly random legal action, the other the first.

In: a decision. Out: the index of an action, or an action with its number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from hoyle.lab.bots.registry import bot
from hoyle.play.engine.drawing import draw_first, draw_randomly
from hoyle.program.model.chance import Stream

if TYPE_CHECKING:
    from hoyle.play.engine.actions import Action
    from hoyle.play.engine.decision import Decision
    from hoyle.play.engine.standpoint import Standpoint


@bot("random", "takes any legal action, each equally likely, and any number", draw_randomly)
class RandomBot:
    __slots__ = ("_stream",)

    def __init__(self, seed: int) -> None:
        self._stream = Stream(seed)

    def choose(self, decision: Decision, look: Callable[[], Standpoint]) -> int | Action:
        chosen = self._stream.below(len(decision.actions))
        numbers = decision.actions[chosen].number
        if numbers is None:
            return chosen
        return decision.actions[chosen].with_number(numbers[self._stream.below(len(numbers))])


@bot("first", "takes the first legal action, and the least number", draw_first)
class FirstBot:
    __slots__ = ()

    def __init__(self, seed: int) -> None:
        """The seed is ignored: the bot is deterministic."""

    def choose(self, decision: Decision, look: Callable[[], Standpoint]) -> int | Action:
        first = decision.actions[0]
        return 0 if first.number is None else first.with_number(first.number[0])

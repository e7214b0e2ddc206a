"""Two bots without thought: one takes any legal action, one the first.

In: a decision. Out: the place of an action, or an action with its number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from hoyle.bots.blind import place_first, place_randomly
from hoyle.bots.registry import bot
from hoyle.model.chance import below, seeded

if TYPE_CHECKING:
    from hoyle.engine.actions import Action
    from hoyle.engine.game import Decision


@bot("random", "takes any legal action, each equally likely, and any number", place_randomly)
class RandomBot:
    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        self._state = seeded(seed)

    def choose(self, decision: Decision, see: Callable[[], Any]) -> int | Action:
        self._state, chosen = below(self._state, len(decision.actions))
        numbers = decision.actions[chosen].number
        if numbers is None:
            return chosen
        self._state, place = below(self._state, len(numbers))
        return decision.actions[chosen].with_number(numbers[place])


@bot("first", "takes the first legal action, and the least number", place_first)
class FirstBot:
    __slots__ = ()

    def __init__(self, seed: int) -> None:
        """The seed is not used: there is nothing to choose."""

    def choose(self, decision: Decision, see: Callable[[], Any]) -> int | Action:
        first = decision.actions[0]
        return 0 if first.number is None else first.with_number(first.number[0])

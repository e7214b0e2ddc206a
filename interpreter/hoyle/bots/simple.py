"""Two bots without thought: one takes any legal action, one the first.

In: a decision. Out: the index of an action.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from hoyle.bots.registry import bot
from hoyle.model.chance import below, seeded

if TYPE_CHECKING:
    from hoyle.engine.game import Decision


@bot("random", "takes any legal action, each equally likely")
class RandomBot:
    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        self._state = seeded(seed)

    def choose(self, decision: Decision, see: Callable[[], Any]) -> int:
        self._state, chosen = below(self._state, len(decision.actions))
        return chosen


@bot("first", "takes the first legal action")
class FirstBot:
    __slots__ = ()

    def __init__(self, seed: int) -> None:
        """The seed is not used: there is nothing to choose."""

    def choose(self, decision: Decision, see: Callable[[], Any]) -> int:
        return 0

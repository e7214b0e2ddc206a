"""The result of a rollout.

In: an executor and a position. Out: `Reached`: whether the match is over, its round, scores and winners.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hoyle.play.engine.executor import ReferenceExecutor
    from hoyle.program.model.position import Position


class Reached:
    """A result as a Python position. Scores and winners are computed on demand."""

    __slots__ = ("executor", "over", "position", "rounds_played")

    def __init__(self, executor: ReferenceExecutor, position: Position) -> None:
        self.executor = executor
        self.position = position
        self.over = position.over
        self.rounds_played = position.rounds_played

    @property
    def scores(self) -> Sequence[int]:
        """The score of each seat."""
        return self.executor.list_scores(self.position)

    @property
    def winners(self) -> Sequence[int]:
        """The winners by the current standings."""
        return self.executor.list_winners(self.position)

"""What playing on has come to.

In: an executor and a position. Out: `Reached`: whether the match is over, in which round it is, scores and winners.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hoyle.engine.executor import ReferenceExecutor
    from hoyle.model.position import Position


class Reached:
    """A position of Python. What is not asked for is not worked out."""

    __slots__ = ("executor", "over", "position", "rounds_played")

    def __init__(self, executor: ReferenceExecutor, position: Position) -> None:
        self.executor = executor
        self.position = position
        self.over = position.over
        self.rounds_played = position.rounds_played

    @property
    def scores(self) -> Sequence[int]:
        """What each seat has scored."""
        return self.executor.list_scores(self.position)

    @property
    def winners(self) -> Sequence[int]:
        """Who has won, as things stand."""
        return self.executor.list_winners(self.position)

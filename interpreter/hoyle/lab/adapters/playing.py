"""A match without texts, views and events, played by a Python executor or by native code.

In: an executor and a seed, or a native board. Out: `Played`: the deciding seat, its choices, and how to apply one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from hoyle.play.engine.executor import ReferenceExecutor
    from hoyle.play.engine.legality import Choice
    from hoyle.play.engine.native.board import Board
    from hoyle.program.model.position import Position


class Played(Protocol):
    """A match at a decision, or over."""

    @property
    def is_over(self) -> bool: ...

    @property
    def seat(self) -> int: ...

    @property
    def position(self) -> Position: ...

    def list_choices(self) -> Sequence[Choice]: ...

    def take(self, choice: Choice) -> None: ...


class PlayedNatively:
    """A match on a native board."""

    __slots__ = ("_board", "_choices")

    def __init__(self, board: Board) -> None:
        self._board = board
        self._choices: list[Choice] = []

    @property
    def is_over(self) -> bool:
        return self._board.over

    @property
    def seat(self) -> int:
        return self._board.seat

    @property
    def position(self) -> Position:
        return self._board.position

    def list_choices(self) -> list[Choice]:
        self._choices = self._board.choices()
        return self._choices

    def take(self, choice: Choice) -> None:
        for place, offered in enumerate(self._choices or self.list_choices()):
            if offered == choice:
                self._board.apply(place)
                break
            if choice and offered and isinstance(offered[-1], range) and offered[:-1] == choice[:-1]:
                self._board.apply(place, offered[-1].index(choice[-1]))
                break
        else:
            raise ValueError(f"not offered: {choice}")
        self._choices = []


class PlayedInPython:
    """A match as a position with its executor."""

    __slots__ = ("_executor", "position")

    def __init__(self, executor: ReferenceExecutor, position: Position) -> None:
        self._executor = executor
        self.position = position

    @classmethod
    def begin(cls, executor: ReferenceExecutor, seed: int) -> PlayedInPython:
        """Start a match and run it to its first decision."""
        position = executor.start(seed)
        executor.run(position)
        return cls(executor, position)

    @property
    def is_over(self) -> bool:
        return self.position.over

    @property
    def seat(self) -> int:
        return self._executor.find_seat(self.position)

    def list_choices(self) -> Sequence[Choice]:
        return self._executor.list_legal(self.position)

    def take(self, choice: Choice) -> None:
        self._executor.advance(self.position, choice)

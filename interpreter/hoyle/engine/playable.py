"""The interface of a game that the lower engine modules need, so that they do not import `Game`.

In: a program. Out: its executor, its names, and its sampler.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from hoyle.engine.executor import ReferenceExecutor
    from hoyle.engine.sampling import Sampler
    from hoyle.ir.nodes import Program
    from hoyle.model.position import Position
    from hoyle.view.names import Names
    from hoyle.view.seeing import Sight


class Playable(Protocol):
    """A program for a fixed number of players, with its executor."""

    program: Program
    name: str
    players: int
    options: dict[str, Any]

    @property
    def executor(self) -> ReferenceExecutor: ...

    @property
    def sampler(self) -> Sampler: ...

    @property
    def names(self) -> Names: ...

    @property
    def sight(self) -> Sight: ...

    def take_up(self, position: Position, before: Any = None) -> Any:
        """A `Match` resumed from a position; `before`, what the seats knew, is a `Before` of a module that imports this
        one."""

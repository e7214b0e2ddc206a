"""The interface of a game that the lower engine modules need, so that they do not import `Game`.

In: a program. Out: its executor, its names, and its sampler.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from hoyle.play.beliefs.determinization import Sampler
    from hoyle.play.engine.executor import ReferenceExecutor
    from hoyle.play.view.names import Names
    from hoyle.play.view.seeing import Sight
    from hoyle.program.ir.nodes import Program
    from hoyle.program.model.position import Position


class Playable(Protocol):
    """A program for a fixed number of players, with its executor."""

    program: Program
    name: str
    players: int
    options: dict[str, Any]

    @property
    def layout(self) -> str: ...

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

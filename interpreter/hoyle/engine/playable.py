"""A game as the parts of the engine see it that matches are made of: they know nothing of `Game` itself.

In: a program. Out: what runs it, names what is in it, and deals anew what a seat does not know.
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
    """A program for one number of players, with its executor."""

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
        """A `Match` from a position, and what seats know from `Before`: of modules that import this one."""

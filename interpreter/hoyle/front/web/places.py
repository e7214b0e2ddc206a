"""What a room knows of the tournament that it is a table of.

In: nothing. Out: `Place`, which `tournaments.py` makes.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from hoyle.front.web.store import Sitting


class Place(Protocol):
    """Which table of which game of a tournament a room is."""

    @property
    def is_on(self) -> bool:
        """Whether the game goes on."""
        ...

    @property
    def is_attended(self) -> bool:
        """Whether the game goes on and somebody is at one of its tables."""
        ...

    def may_go(self) -> bool:
        """Whether the next choice may be made: bots alone wait for tables with people."""
        ...

    def call(self) -> None:
        """Somebody has come: play at all tables."""
        ...

    def look(self) -> None:
        """A choice was made here: end the game for all, or let the tables of bots go on."""
        ...

    async def go_on(self, seat: int | None) -> str:
        """Return the key with which who sits or watches here goes on in the next game."""
        ...

    def tell(self) -> dict[str, object]:
        """What everybody may know of the tournament."""
        ...


Admit = Callable[["Sitting"], Awaitable[Place]]

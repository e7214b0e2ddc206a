"""The table of bots: each is declared once, with a name, a sentence and a way to make it from a seed.

In: declarations. Out: `BOTS`, and `make_bots`, which seats one at every place.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

from hoyle.model.chance import derive_seed

if TYPE_CHECKING:
    from hoyle.engine.actions import Action
    from hoyle.engine.decision import Decision
    from hoyle.engine.drawing import DrawsMaker
    from hoyle.engine.standpoint import Standpoint


class Bot(Protocol):
    """Chooses: the place of an action in the list, or, where a number is to be said, the action `with_number`. `look`
    gives the standpoint of the deciding seat, worked out only when asked for."""

    def choose(self, decision: Decision, look: Callable[[], Standpoint]) -> int | Action: ...


Maker = Callable[[int], Bot]
MakerT = TypeVar("MakerT", bound=Maker)


@dataclass(frozen=True, slots=True)
class BotKind:
    """`blind` says what a whole table of such bots takes, if they never look."""

    name: str
    text: str
    make: Maker
    blind: DrawsMaker | None = None


BOTS: dict[str, BotKind] = {}


def bot(name: str, text: str, blind: DrawsMaker | None = None) -> Callable[[MakerT], MakerT]:
    """Declare a bot; what is declared makes one from a seed."""

    def declare(make: MakerT) -> MakerT:
        BOTS[name] = BotKind(name, text, make, blind)
        return make

    return declare


def make_bots(name: str, seed: int, players: int) -> list[Bot]:
    """One bot for each seat, each with chance of its own, so that the seed of a match gives the whole match."""
    make = BOTS[name].make
    return [make(derive_seed(seed, seat)) for seat in range(players)]

"""Who is asked for advice, and who sits down where nobody is named; what an adviser says and why.

In: a match. Out: what the best bot there is would do in the place of the seat that is to choose, with what its search
found out about each choice. It is given what the seat can see, nothing else.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from hoyle.bots.asking import narrow
from hoyle.bots.registry import BOTS, BotKind
from hoyle.dataclass import dataclass
from hoyle.engine.habits import Habits

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hoyle.engine.actions import Action
    from hoyle.engine.decision import Decision
    from hoyle.engine.game import Match
    from hoyle.engine.standpoint import Standpoint

USUAL, ADVISER = "medium", "hard"


class Weighed(NamedTuple):
    """A choice: how often a search tried it, and what it was worth on average, from 0 (all is lost) to 1."""

    action: Action
    visits: int
    value: float


@dataclass(frozen=True, slots=True)
class Advice:
    """What a bot would do; `weighed` are the choices it tried, most often first, none if there is but one."""

    bot: str
    action: Action
    weighed: tuple[Weighed, ...] = ()

    @property
    def visits(self) -> int:
        """How many iterations there were."""
        return sum(each.visits for each in self.weighed)


@runtime_checkable
class Weighing(Protocol):
    """A bot that can say what it thinks of each choice, the best first."""

    def weigh(self, decision: Decision, look: Callable[[], Standpoint]) -> Sequence[Weighed]: ...


def find_adviser() -> BotKind:
    """Who is asked for a hint."""
    return BOTS[ADVISER]


def choose_level() -> str:
    """Who sits down against people where nobody is named."""
    return USUAL


def advise(match: Match, seed: int) -> Advice:
    """What the adviser would do at the decision of a match."""
    assert match.decision is not None
    decision = narrow(Habits(0.0, seed), match, match.decision, thinks=True)  # what is not lawful is no advice
    kind = find_adviser()
    bot, look = kind.make(seed), partial(match.standpoint, decision.seat)
    weighed = tuple(bot.weigh(decision, look)) if isinstance(bot, Weighing) and decision.count > 1 else ()
    if weighed:
        return Advice(kind.name, weighed[0].action, weighed)
    chosen = bot.choose(decision, look)
    return Advice(kind.name, decision.choice(chosen) if isinstance(chosen, int) else chosen)

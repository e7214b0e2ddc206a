"""Hints: the move that the strongest bot would make; and the default opponent.

In: a match. Out: the action that the adviser would take for the deciding seat, with the search statistics of each
choice. The adviser sees only what the seat can see.
"""

from __future__ import annotations

import math
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from hoyle.base.dataclass import dataclass
from hoyle.lab.bots.asking import narrow
from hoyle.lab.bots.registry import BOTS, Bot, BotKind
from hoyle.play.engine.habits import Habits

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hoyle.play.engine.actions import Action
    from hoyle.play.engine.decision import Decision
    from hoyle.play.engine.game import Match
    from hoyle.play.engine.standpoint import Standpoint

USUAL, ADVISER = "medium", "hard"
STANDARD_ERRORS = 2  # by which two values must differ to be told apart


class Weighed(NamedTuple):
    """A choice with its search statistics: visit count and mean value, from 0 to 1."""

    action: Action
    visits: int
    value: float


@dataclass(frozen=True, slots=True)
class Advice:
    """The action that a bot would take; `weighed` are the choices it tried, best first, empty if there was only one
    choice or the bot does not search."""

    bot: str
    action: Action
    weighed: tuple[Weighed, ...] = ()

    @property
    def visits(self) -> int:
        """Total visits of all choices."""
        return sum(each.visits for each in self.weighed)

    @property
    def equal(self) -> int:
        """How many of the choices, best first, the search could not tell from the best: their values differ by less
        than two standard errors."""
        best = self.weighed[0] if self.weighed else None
        return sum(1 for _ in takewhile(lambda each: best is not None and not differ(best, each), self.weighed))


def differ(one: Weighed, other: Weighed) -> bool:
    """Whether the values of two choices differ by more than chance explains: by `STANDARD_ERRORS`. Results are from 0
    to 1, but few lie at the ends, so that they vary about half as much as if all did.

    >>> differ(Weighed(None, 100, 0.52), Weighed(None, 100, 0.5))
    False
    >>> differ(Weighed(None, 900, 0.6), Weighed(None, 900, 0.5))
    True
    """
    squares = [each.value * (1 - each.value) / 4 / max(1, each.visits) for each in (one, other)]
    return abs(one.value - other.value) > STANDARD_ERRORS * math.sqrt(sum(squares))


@runtime_checkable
class Weighing(Protocol):
    """A bot that can report search statistics of each choice, best first."""

    def weigh(self, decision: Decision, look: Callable[[], Standpoint]) -> Sequence[Weighed]: ...


def find_adviser() -> BotKind:
    """Return the bot that gives hints."""
    return BOTS[ADVISER]


def choose_level() -> str:
    """Return the name of the bot that plays against people by default."""
    return USUAL


def advise(match: Match, seed: int, bot: Bot | None = None) -> Advice:
    """Ask the adviser for the current decision of a match; or `bot`, in its place."""
    assert match.decision is not None
    decision = narrow(Habits(0.0, seed), match, match.decision, thinks=True)  # never advise a wrong play
    kind, look = find_adviser(), partial(match.standpoint, decision.seat)
    bot = bot or kind.make(seed)
    weighed = tuple(bot.weigh(decision, look)) if isinstance(bot, Weighing) and decision.count > 1 else ()
    if weighed:
        return Advice(kind.name, weighed[0].action, weighed)
    chosen = bot.choose(decision, look)
    return Advice(kind.name, decision.choice(chosen) if isinstance(chosen, int) else chosen)

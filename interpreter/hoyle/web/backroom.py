"""Work that takes its time, done in a thread of its own with games of its own, so that the server goes on answering.

In: a game, positions and choices. Out: what a bot chooses, a match played again up to a choice, and all
its positions.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import field
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, TypeVar

from hoyle.bots import BOTS, Advice, BotKind, advise, let_choose
from hoyle.dataclass import dataclass
from hoyle.engine.game import Game, IllegalAction, Match

if TYPE_CHECKING:
    from hoyle.bots import Bot
    from hoyle.engine.actions import Action
    from hoyle.engine.habits import Habits
    from hoyle.model.events import Event
    from hoyle.model.position import Position

Done = TypeVar("Done")
ROUND = 2.0  # seconds in which all bots that wait should have answered: the more tables, the less each one thinks


class RulesChanged(Exception):  # noqa: N818 - a finding about a kept match, not an error of ours
    """The rules no longer lead where the choices of a match led; the text says where."""


class BackRoom:
    """One thread. What runs in it shares nothing with the server but plain values: a game's executor keeps tables that
    two threads must not fill at once, so there is a second `Game` for each program here."""

    def __init__(self, name: str) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._waiting = 0  # bots that have been asked and have not answered
        self._double = lru_cache(maxsize=64)(lambda game: Game(game.program, game.info))

    async def do(self, work: Callable[..., Done], *known: Any) -> Done:
        return await asyncio.get_running_loop().run_in_executor(self._pool, partial(work, *known))

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    # ---------------------------------------------------------------------------------------------- bots
    async def ask(self, match: Match, bot: Bot, habits: Habits) -> int | Action:
        """What a bot chooses. It is given what its seat can see and has been told, nothing else."""
        self._waiting += 1
        try:
            return await self.do(self._ask, match.copy(), bot, habits)
        finally:
            self._waiting -= 1

    def _ask(self, asked: Match, bot: Bot, habits: Habits) -> int | Action:
        if (hurry := getattr(bot, "hurry", None)) is not None:
            hurry(ROUND / max(1, self._waiting))
        match = asked.copy(game=self._double(asked.game))
        decision = match.decision
        assert decision is not None
        return let_choose(habits, match, decision, bot)

    async def advise(self, match: Match, seed: int) -> Advice:
        """What the adviser would do in the place of the seat that is to choose, and why."""
        return await self.do(self._advise, match.copy(), seed)

    def _advise(self, asked: Match, seed: int) -> Advice:
        return advise(asked.copy(game=self._double(asked.game)), seed)

    # ---------------------------------------------------------------------------------------------- matches
    async def play_again(self, game: Game, seed: int, choices: Sequence[str]) -> Match:
        """The match that choices lead to, ready to go on in the server's thread."""
        played = await self.do(self._play_again, game, seed, tuple(choices))
        return played.copy(game=game)

    def _play_again(self, game: Game, seed: int, choices: tuple[str, ...]) -> Match:
        match = self._double(game).new(seed)
        for choice in choices:
            _apply(match, choice)
        return match

    async def trace(self, game: Game, seed: int, choices: Sequence[str]) -> Trace:
        """A match with all its positions."""
        return await self.do(self._trace, game, seed, tuple(choices))

    def _trace(self, game: Game, seed: int, choices: tuple[str, ...]) -> Trace:
        match = self._double(game).new(seed)
        trace = Trace(game, seed, events=match.events, history=match.history)
        trace.add(match)
        for choice in choices:
            _apply(match, choice)
            trace.add(match)
        return trace


def _apply(match: Match, choice: str) -> None:
    try:
        match.apply(choice)
    except IllegalAction as illegal:
        number = len(match.history) + 1
        raise RulesChanged(f"choice {number}, `{choice}`, is no longer legal: {illegal.refusal.text}") from None


@dataclass(slots=True)
class Trace:
    """Every position of a match, from the first decision to the last."""

    game: Game
    seed: int
    events: list[Event]
    history: list[str]
    positions: list[tuple[Position, int]] = field(default_factory=list)

    def add(self, match: Match) -> None:
        self.positions.append((match.position.copy(), len(match.events)))

    def go_to(self, number: int) -> Match:
        """The match as it stood after so many choices."""
        position, told = self.positions[number]
        return Match(
            self.game, position.copy(), events=self.events[:told], history=self.history[:number], seed=self.seed
        )


# ------------------------------------------------------------------------------------------------ which bot
def list_levels() -> list[BotKind]:
    """The bots that can be sat against, the weakest first; those that do not even look come last."""
    thinking = [kind for kind in BOTS.values() if kind.blind is None]
    return [*thinking, *(kind for kind in BOTS.values() if kind.blind is not None)]


def find_level(name: str) -> BotKind | None:
    """The one place where a bot is found by its name."""
    return BOTS.get(name)

"""A worker thread with its own `Game` objects for slow work, so that the event loop stays responsive.

In: a game, and choices. Out: replayed matches, and traces of all positions.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import field
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, TypeVar

from hoyle.base.dataclass import dataclass
from hoyle.base.errors import HoyleError
from hoyle.lab.bots import BOTS, BotKind
from hoyle.lab.bots.levels import LevelBot
from hoyle.play.engine.game import Game, IllegalAction, Match

if TYPE_CHECKING:
    from hoyle.program.model.events import Event
    from hoyle.program.model.position import Position

Done = TypeVar("Done")


class RulesChanged(HoyleError):  # noqa: N818 - a finding about a stored match, not an error of this program
    """A stored match cannot be replayed, because its rules have changed; the text names the choice."""


class BackRoom:
    """A single worker thread. It shares only plain values with the event loop: the caches of a game's executor are not
    thread-safe, so that the thread has its own `Game` for each program."""

    def __init__(self, name: str) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._double = lru_cache(maxsize=64)(lambda game: Game(game.program, game.info))

    async def do(self, work: Callable[..., Done], *known: Any) -> Done:
        return await asyncio.get_running_loop().run_in_executor(self._pool, partial(work, *known))

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    # ---------------------------------------------------------------------------------------------- matches
    async def play_again(self, game: Game, seed: int, choices: Sequence[str]) -> Match:
        """Replay choices; return the match, bound to the event loop's `Game`."""
        played = await self.do(self._play_again, game, seed, tuple(choices))
        return played.copy(game=game)

    def _play_again(self, game: Game, seed: int, choices: tuple[str, ...]) -> Match:
        match = self._double(game).new(seed)
        for choice in choices:
            _apply(match, choice)
        match.guard()
        return match

    async def trace(self, game: Game, seed: int, choices: Sequence[str]) -> Trace:
        """Replay choices; return all positions."""
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
    """All positions of a match, with the number of events before each."""

    game: Game
    seed: int
    events: list[Event]
    history: list[str]
    positions: list[tuple[Position, int]] = field(default_factory=list)

    def add(self, match: Match) -> None:
        self.positions.append((match.position.copy(), len(match.events)))

    def go_to(self, number: int) -> Match:
        """Return the match after `number` choices."""
        position, told = self.positions[number]
        return Match(
            self.game, position.copy(), events=self.events[:told], history=self.history[:number], seed=self.seed
        )


# ------------------------------------------------------------------------------------------------ levels
def list_levels() -> list[BotKind]:
    """List the bots available as opponents: those made for people first, weakest first; last those that never look at
    the game."""

    def rank(kind: BotKind) -> tuple[bool, bool]:
        made_for_people = isinstance(kind.make, type) and issubclass(kind.make, LevelBot)
        return not made_for_people, kind.blind is not None

    return sorted(BOTS.values(), key=rank)


def tell_levels() -> list[dict[str, str]]:
    return [{"name": kind.name, "text": kind.text} for kind in list_levels()]


def find_level(name: str) -> BotKind | None:
    """Find a bot by name. Unlike `find_bot`, this never imports user code, since the name comes from a client."""
    return BOTS.get(name)

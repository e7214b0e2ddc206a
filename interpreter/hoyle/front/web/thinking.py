"""Who thinks about the matches of a lobby, and how they are asked.

In: matches, and who is asked about them. Out: choices of bots, hints, judgements; `BotFailed` where the same question
breaks two who think. Here they think in this process (`Alone`), as in a page, where there is no other; the processes
of a server are in `crew.py`.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Any, Protocol
from weakref import WeakKeyDictionary

from hoyle.base.errors import HoyleError
from hoyle.front.web.thinker import Course, NotHeld, Thinker
from hoyle.lab.bots import BotFailed

if TYPE_CHECKING:
    from hoyle.lab.bots import Advice
    from hoyle.lab.bots.judging import Judgement
    from hoyle.play.engine.actions import Action
    from hoyle.play.engine.game import Game, Match

ROUND = 1.0  # seconds shared by all who wait in one queue: the more of them wait, the less each bot may think
TIMES = 2  # how often a question is asked that kills who is asked


class Died(HoyleError):  # noqa: N818 - told to who asked, who asks again
    """Who was asked has died, or did not answer in time."""


class Thinking(Protocol):
    """Who thinks about the matches of a lobby."""

    async def ask(self, table: str, match: Match, bot: str, *, sent: bool = False) -> Action:
        """The choice of a bot for the deciding seat; `sent`: by rules that a stranger has sent."""
        ...

    async def advise(self, table: str, match: Match, seed: int) -> Advice:
        """Advice for the deciding seat."""
        ...

    async def judge(self, table: str, match: Match, made: str, seed: int) -> Judgement:
        """What is to be said of a choice made here."""
        ...

    def close(self) -> None: ...


class Asking:
    """Puts questions as what a thinker needs to know, to whoever answers."""

    def __init__(self) -> None:
        self._numbers: WeakKeyDictionary[Game, int] = WeakKeyDictionary()
        self._count = count()

    async def ask(self, table: str, match: Match, bot: str, *, sent: bool = False) -> Action:
        asked = self._find_for_sent() if sent else self._find(table, False)
        return await self._put(asked, table, match, "ask", bot)  # type: ignore[no-any-return]

    async def advise(self, table: str, match: Match, seed: int) -> Advice:
        return await self._put(self._find(table, True), table, match, "advise", seed)  # type: ignore[no-any-return]

    async def judge(self, table: str, match: Match, made: str, seed: int) -> Judgement:
        return await self._put(self._find(table, True), table, match, "judge", made, seed)  # type: ignore[no-any-return]

    async def _put(self, queue: Queue, table: str, match: Match, what: str, *more: Any) -> Any:
        number = self._numbers.setdefault(match.game, next(self._count))
        course = Course(table, number, match.seed, tuple(match.history))
        return await queue.answer(match.game, what, course, *more)

    def _find(self, table: str, is_long: bool) -> Queue:
        raise NotImplementedError

    def _find_for_sent(self) -> Queue:
        """Who thinks about rules that strangers have sent, so that nobody else waits for them."""
        return self._find("", False)


class Queue:
    """Questions in the order in which they came, each in its turn in one thread; of more than `most`, the last are
    refused."""

    def __init__(self, name: str, most: int | None = None) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._waiting, self._most = 0, most
        self._closed = False

    async def answer(self, game: Game, what: str, course: Course, *more: Any) -> Any:
        if self._closed:
            raise BotFailed("nobody thinks any more: this server stops")
        if self._most is not None and self._waiting >= self._most:
            raise BotFailed("too many wait for an answer")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(
                self._pool, self._answer, game, what, course, *more
            )
        finally:
            self._waiting -= 1

    def _answer(self, game: Game, what: str, course: Course, *more: Any) -> Any:
        """Ask, sharing the time with all who wait by now; give the game first if it is not held. Who died is asked once
        more, having been replaced."""
        if what == "ask":
            more = (*more, ROUND / max(1, self._waiting))
        for _ in range(TIMES):
            with suppress(Died):
                try:
                    return self._call(what, course, *more)
                except NotHeld:
                    self._call("hold", course.game, game)
                return self._call(what, course, *more)
        raise BotFailed(f"who was to think about it broke down {TIMES} times")

    def _call(self, what: str, *known: Any) -> Any:
        raise NotImplementedError

    def close(self) -> None:
        self._closed = True
        self._pool.shutdown(wait=False, cancel_futures=True)


class _Here(Queue):
    """A thinker in a thread."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._thinker = Thinker()

    def _call(self, what: str, *known: Any) -> Any:
        return getattr(self._thinker, what)(*known)


class Alone(Asking):
    """Thinks in a thread of this process; in a page, where threads are not, at once."""

    def __init__(self) -> None:
        super().__init__()
        self._here = _Here("thinking")

    def _find(self, table: str, is_long: bool) -> Queue:
        return self._here

    def close(self) -> None:
        self._here.close()

"""Simulation by native code, in threads.

In: a game and a plan. Out: `NativeTable`, which plays the games from a given index on, with the same results, game for
game, as the Python executors. Games that native code cannot complete are played by the game's own executor.

Native code comes from the cache; otherwise it is built in the background during the first games, once enough games
remain for it to pay, and optimised during the next ones. Nothing waits for the compiler unless asked to.
"""

from __future__ import annotations

import ctypes
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from fractions import Fraction
from typing import Any

from hoyle.base.dataclass import dataclass
from hoyle.lab.bots import find_blind
from hoyle.lab.sim.one_game import play_game
from hoyle.lab.sim.summary import Failure, Summary, Tally
from hoyle.play.engine.game import Game
from hoyle.play.engine.limits import LONGEST_PLAYED
from hoyle.play.engine.native.library import MOST_SUMMED, Library
from hoyle.play.engine.native.native_executor import find_policy
from hoyle.play.engine.native.program import Native, find_native
from hoyle.play.engine.playout import Result, read_result
from hoyle.program.model.chance import derive_seed

Stop = Callable[[], bool]
Played = Callable[[int, int, "Result | Failure"], None]

PLAYED_FIRST = 1.0  # seconds of play before deciding whether a build pays
WORTH_BUILDING = 5.0  # estimated seconds left without native code, from which a build pays
CHUNK_SECONDS = 0.1
WAITED = 0.05


class AtOnce(Executor):
    """Does work when it is submitted: in a page no thread can be started."""

    def submit(self, work: Callable[..., Any], /, *known: Any, **named: Any) -> Future[Any]:
        done: Future[Any] = Future()
        done.set_result(work(*known, **named))
        return done


@dataclass(frozen=True, slots=True)
class Chunk:
    """Games played, numbered from `first`: either their sums and the games not completed, or the result of each."""

    first: int
    played: int
    totals: Any
    left_out: Sequence[int]
    results: Any
    seconds: float


class NativeTable:
    """Plays the games of a plan by native code, if possible; `problem` says why not."""

    def __init__(self, game: Game, bot: str, errors: float = 0.0) -> None:
        self.game = game
        self.bot = bot
        self.errors = errors
        self.policy = find_policy(game.program, find_blind(bot), errors)
        self.native: Native = find_native(game.program)
        self.left_out = 0  # games that native code could not complete
        self.tell: Callable[[int], None] = lambda decisions: None  # of decisions of such games, as they are made
        self.played = 0
        self._began = time.monotonic()
        if self.policy is not None:
            self.native.load(build=False)

    @property
    def problem(self) -> str:
        if self.policy is None:
            looks = f"the bot `{self.bot}` looks at the game" if find_blind(self.bot) is None else "players always err"
            return f"native code does not play where {looks}"
        return self.native.problem

    @property
    def library(self) -> Library | None:
        return self.native.library if self.policy is not None else None

    @property
    def is_ready(self) -> bool:
        return self.library is not None

    def consider(self, played: int, games: int) -> bool:
        """Return whether native code is ready, and start a build if it pays. Called between games."""
        if self.library is not None:
            return True
        if self.policy is not None and not self.native.problem and not self.native.is_building and played:
            seconds = time.monotonic() - self._began
            if seconds > PLAYED_FIRST and seconds / played * (games - played) > WORTH_BUILDING:
                self.native.begin()
        return False

    def build(self, stop: Stop) -> bool:
        """Build now, wait for the result, and return whether native code is ready."""
        if self.policy is not None:
            self.native.begin()
            while self.library is None and self.native.is_building and not stop():
                time.sleep(WAITED)
        return self.library is not None

    def end(self) -> None:
        self.native.end()

    # ---------------------------------------------------------------------------------------------- playing
    def play(
        self, first: int, games: int, seed: int, threads: int, stop: Stop, summed: Callable[[Summary], None],
        played: Played | None,
    ) -> None:  # fmt: skip
        """Play the games from number `first` up to `games`. `summed` receives partial sums; if `played` is given, it
        receives every single game instead, in order."""
        halt = ctypes.c_int32(0)
        running: dict[Future[Chunk], None] = {}
        size = 16
        done: dict[int, Chunk] = {}
        after = first
        with AtOnce() if sys.platform == "emscripten" else ThreadPoolExecutor(threads) as pool:
            try:
                while (first < games or running) and not stop():
                    if time.monotonic() - self._began > PLAYED_FIRST:
                        self.native.begin()  # rebuild in the background with optimisation
                    while first < games and len(running) + len(done) < 2 * threads:
                        many = min(size, games - first, MOST_SUMMED)
                        running[pool.submit(self._play_chunk, seed, first, many, played is not None, halt)] = None
                        first += many
                    for future in wait(running, timeout=WAITED, return_when=FIRST_COMPLETED).done:
                        del running[future]
                        chunk = future.result()
                        done[chunk.first] = chunk
                        size = _next_size(chunk)
                    while after in done:
                        chunk = done.pop(after)
                        after += chunk.played
                        self._take(chunk, seed, stop, summed, played)
            finally:
                halt.value = 1

    def _play_chunk(self, seed: int, first: int, games: int, one_by_one: bool, halt: ctypes.c_int32) -> Chunk:
        library, policy = self.library, self.policy
        assert library is not None and policy is not None
        began = time.monotonic()
        if one_by_one:
            results = library.play([derive_seed(seed, first + at) for at in range(games)], policy, halt, self.errors)
            return Chunk(first, len(results), None, (), results, time.monotonic() - began)
        many, totals, left_out = library.sum_up(seed, first, games, policy, halt, self.errors)
        return Chunk(first, many, totals, left_out, None, time.monotonic() - began)

    def _take(
        self, chunk: Chunk, seed: int, stop: Stop, summed: Callable[[Summary], None], played: Played | None
    ) -> None:
        self.played += chunk.played
        if played is None:
            summed(read_totals(chunk.totals, self.game.players))
            for index in chunk.left_out:
                result = self._play_otherwise(index, derive_seed(seed, index), stop)
                if result is not None:
                    alone = Summary(self.game.players)
                    alone.add(result)
                    summed(alone)
            return
        for at in range(chunk.played):
            index = chunk.first + at
            own_seed = derive_seed(seed, index)
            found: Result | Failure | None
            if chunk.results[at].fault or chunk.results[at].decisions > LONGEST_PLAYED:
                found = self._play_otherwise(index, own_seed, stop)
            else:
                found = read_result(chunk.results[at])
            if found is None:
                return
            played(index, own_seed, found)

    def _play_otherwise(self, index: int, seed: int, stop: Stop) -> Result | Failure | None:
        self.left_out += 1

        def go_on() -> bool:
            self.tell(1)
            return stop()

        return play_game(self.game, self.bot, index, seed, go_on, self.errors)


def _next_size(chunk: Chunk) -> int:
    return max(1, min(MOST_SUMMED, int(chunk.played * CHUNK_SECONDS / max(chunk.seconds, 1e-6))))


def read_totals(totals: Any, players: int) -> Summary:
    """Convert native totals to a summary."""
    games = totals.games
    summary = Summary(players)
    summary.games, summary.undecided = games, totals.undecided
    summary.offered, summary.widest = totals.offered, totals.widest
    for seat, row in enumerate(totals.wins):
        summary.wins[seat] = sum((Fraction(many, 1 + others) for others, many in enumerate(row)), Fraction(0))
    summary.decisions, summary.rounds = _read_tally(totals.decisions, games), _read_tally(totals.rounds, games)
    summary.scores = [_read_tally(tally, games) for tally in totals.scores]
    return summary


def _read_tally(tally: Any, games: int) -> Tally:
    return Tally(games, tally.total, tally.squares, tally.low, tally.high) if games else Tally()

"""Many games, in this process or in several.

In: a `Plan`, a way to load the game, and a question asked between games whether to stop. Out: a `Summary`, the same
for the same plan however many processes work on it. Game number i has a seed of its own, made from the plan's and i.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hoyle.bots.registry import derive_seed
from hoyle.sim.play import play_game
from hoyle.sim.summary import Failure, Summary

if TYPE_CHECKING:
    from hoyle.engine.game import Game

Load = Callable[[], "Game"]
Stop = Callable[[], bool]
Progress = Callable[[int], None]

# Long enough that handing out work costs little, short enough that the bar moves and an interruption loses little.
BATCH_SECONDS = 0.25


@dataclass(frozen=True, slots=True)
class Plan:
    """How many games, from which seed, by which bot, in how many processes."""

    games: int
    seed: int = 0
    bot: str = "random"
    jobs: int = 1


def never() -> bool:
    return False


def simulate(load: Load, plan: Plan, stop: Stop = never, progress: Progress = lambda played: None) -> Summary:
    """Play the games of a plan. `load` is called once in each process, so it must be picklable when there are several.
    When `stop` says yes, the games played until then are summed up."""
    if plan.jobs == 1:
        return _simulate_here(load(), plan, stop, progress)
    return _simulate_in_processes(load, plan, stop, progress)


def _play_range(game: Game, plan: Plan, start: int, end: int, stop: Stop, progress: Progress) -> Summary:
    summary = Summary(game.players)
    for index in range(start, end):
        result = play_game(game, plan.bot, index, derive_seed(plan.seed, index), stop)
        if result is None:
            break
        if isinstance(result, Failure):
            summary.add_failure(result)
        else:
            summary.add(result)
        progress(1)
    return summary


def _simulate_here(game: Game, plan: Plan, stop: Stop, progress: Progress) -> Summary:
    return _play_range(game, plan, 0, plan.games, stop, progress)


_worker_game: Game | None = None


def _start_worker(load: Load) -> None:
    # The parent decides what an interruption means; the workers play on until they are told.
    import signal

    global _worker_game
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _worker_game = load()


def _work(plan: Plan, start: int, end: int) -> tuple[Summary, float]:
    assert _worker_game is not None
    began = time.monotonic()
    summary = _play_range(_worker_game, plan, start, end, never, lambda played: None)
    return summary, time.monotonic() - began


def _simulate_in_processes(load: Load, plan: Plan, stop: Stop, progress: Progress) -> Summary:
    whole = Summary(load().players)
    # Spawned, not forked: a fork would copy the locks of the thread that draws the progress bar.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(plan.jobs, mp_context=context, initializer=_start_worker, initargs=(load,))
    running: set[Future[tuple[Summary, float]]] = set()
    start, size = 0, 1
    try:
        while (start < plan.games or running) and not stop():
            while start < plan.games and len(running) < 2 * plan.jobs:
                end = min(start + size, plan.games)
                running.add(pool.submit(_work, plan, start, end))
                start = end
            done, running = wait(running, timeout=0.1, return_when=FIRST_COMPLETED)
            for future in done:
                summary, seconds = future.result()
                whole.merge(summary)
                progress(summary.played)
                size = _next_size(summary.played, seconds)
    finally:
        _end(pool, ended=not running)
    return whole


def _next_size(played: int, seconds: float) -> int:
    return max(1, min(10_000, int(played * BATCH_SECONDS / max(seconds, 1e-6))))


def _end(pool: ProcessPoolExecutor, ended: bool) -> None:
    """End the workers; those still playing are not waited for."""
    if not ended:
        for process in multiprocessing.active_children():
            process.terminate()
    pool.shutdown(wait=True, cancel_futures=True)

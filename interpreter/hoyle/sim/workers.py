"""Processes that play for a command, and hear nothing of Ctrl-C: what it means is decided by the one that started them.

In: how many, and the game they are given. Out: `Workers`, a pool of processes.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any

from hoyle.engine.game import Game


class Workers(ProcessPoolExecutor):
    """`begin` is called with the game in each process before anything else."""

    def __init__(self, jobs: int, begin: Callable[[Game], None], game: Game) -> None:
        # Spawned, not forked: a fork would copy the locks of the thread that draws the progress bar.
        context = multiprocessing.get_context("spawn")
        super().__init__(jobs, mp_context=context, initializer=_begin, initargs=(begin, game))

    def submit(self, *work: Any, **given: Any) -> Future[Any]:
        with _interruptions_held():  # processes are started when there is something to do
            return super().submit(*work, **given)

    def end(self, *, wait: bool) -> None:
        """Send them home; what they are still doing is waited for or ended."""
        if not wait:
            for process in multiprocessing.active_children():
                process.terminate()
        self.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _interruptions_held() -> Iterator[None]:
    """Ctrl-C comes after this; a process that is started in it never gets it, not even while Python loads."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(begin: Callable[[Game], None], game: Game) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    begin(game)

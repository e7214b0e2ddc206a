"""Worker processes that ignore Ctrl-C: the parent process alone handles SIGINT.

In: the number of processes, and the game they are given. Out: `Workers`, a process pool.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import resource_tracker
from typing import Any

from hoyle.play.engine.game import Game


class Workers(ProcessPoolExecutor):
    """A process pool; each process first calls `begin` with the game."""

    def __init__(self, jobs: int, begin: Callable[[Game], None], game: Game) -> None:
        # Spawned, not forked: a fork could copy locks held by the thread that draws the progress bar.
        context = multiprocessing.get_context("spawn")
        super().__init__(jobs, mp_context=context, initializer=_begin, initargs=(begin, game))

    def submit(self, *work: Any, **given: Any) -> Future[Any]:
        with hold_interruptions():  # the pool starts processes on demand, in `submit`
            return super().submit(*work, **given)

    def end(self, *, wait: bool) -> None:
        """Shut the pool down; running work is waited for or terminated."""
        if not wait:
            for process in multiprocessing.active_children():
                process.terminate()
        self.shutdown(wait=True, cancel_futures=True)


@contextmanager
def hold_interruptions() -> Iterator[None]:
    """Block SIGINT within the context. A process started there inherits the mask, so that Ctrl-C cannot hit it even
    while its interpreter starts."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    resource_tracker.ensure_running()  # starting it would let them through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(begin: Callable[[Game], None], game: Game) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    begin(game)

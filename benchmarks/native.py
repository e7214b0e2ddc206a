"""Benchmark of native code: speed compared with generated Python, size of a position, thread scaling and build time.

In: games. Out: a table. Both executors are measured alternately, in CPU time of one core; the two threads are measured
in wall-clock time minus the time they waited for a core.
"""

from __future__ import annotations

import ctypes
import functools
import os
import resource
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import hoyle
from benchmarks.measure import take_sample
from benchmarks.table import write_rows
from hoyle.play.engine.drawing import RANDOM
from hoyle.play.engine.game import Game
from hoyle.play.engine.native.library import MOST_SUMMED, Library
from hoyle.play.engine.native.program import Native, find_native

ROUNDS = 3
WARM_UP = 5  # duration of the warm-up, in samples
CHUNK = 0.01  # seconds per native call of a thread, about as in `hoyle sim`
QUEUED = Path("/proc/thread-self/schedstat")  # Linux: nanoseconds run, nanoseconds runnable but waiting, time slices


@dataclass(frozen=True, slots=True)
class Natively:
    """The measurements of a game. `threads` is the speedup of two threads; `first` and `kept` are the seconds until the
    code is ready, without and with cache; `first` is CPU time and includes the compiler."""

    game: str
    native: float
    python: float
    position: int
    threads: float
    first: float
    kept: float

    @property
    def ratio(self) -> float:
        return self.native / self.python


def measure_native(games: Sequence[str], seconds: float, tell: Callable[[str], None]) -> list[Natively]:
    """Measure all games that have native code."""
    found = []
    for name in games:
        tell(name)
        game = hoyle.load(name, executor="generated")
        with _own_cache():
            first, library = _load(game)
            kept, _ = _load(game)
            if library is None:
                continue
            take_sample(functools.partial(_play_one, game), WARM_UP * seconds)  # generated code has caches as well
            natively, python, alone, together = [], [], [], []
            for number in range(ROUNDS):
                natively.append(_play(library, seconds, number * 10_000_000))
                sample = take_sample(functools.partial(_play_one, game), seconds, number * 1_000_000)
                python.append(sample.games / sample.seconds)
                alone.append(_play_in_threads(library, seconds, 1))
                together.append(_play_in_threads(library, seconds, 2))
            size = ctypes.sizeof(library.mirror.position)
        threads = max(together) / max(alone)
        found.append(Natively(name, max(natively), max(python), size, threads, first, kept))
    return found


def _play_one(game: Game, seed: int) -> int:
    return game.playout(seed).decisions


@contextmanager
def _own_cache() -> Iterator[None]:
    before = os.environ.get("HOYLE_CACHE")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HOYLE_CACHE"] = folder
        try:
            yield
        finally:
            os.environ.pop("HOYLE_CACHE")
            if before is not None:
                os.environ["HOYLE_CACHE"] = before


def _load(game: Game) -> tuple[float, Library | None]:
    began = _spent()
    native = Native(game.program, find_native(game.program).digest)
    native.load()
    ready = _spent() - began
    native.wait()
    return ready, native.library


def _spent() -> float:
    """Return the CPU time of this process and of its finished children."""
    own, others = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime


def _play(library: Library, seconds: float, first: int) -> float:
    """Return games per second of CPU time."""
    games, spent, many = 0, 0.0, 16
    while spent < seconds:
        began = time.process_time()
        games += library.sum_up(0, first + games, many, RANDOM, ctypes.c_int32(0))[0]
        took = time.process_time() - began
        spent += took
        many = max(16, min(MOST_SUMMED, int(many * seconds / 10 / max(took, 1e-4))))
    return games / spent


def _play_in_threads(library: Library, seconds: float, threads: int) -> float:
    """Return games per second of all threads together. Each is timed by the clock, minus the time it was runnable but
    had no core; so its time includes waiting for other threads, but not other programs."""
    rates = [0.0] * threads

    def play(thread: int) -> None:
        queued, began = _queued(), time.perf_counter()
        games, many, now = 0, 64, began
        while now < began + seconds:
            games += library.sum_up(0, thread * 1_000_000_000 + games, many, RANDOM, ctypes.c_int32(0))[0]
            before, now = now, time.perf_counter()
            many = max(1, min(MOST_SUMMED, int(many * CHUNK / (now - before))))
        rates[thread] = games / (now - began - (_queued() - queued))

    running = [threading.Thread(target=play, args=(thread,)) for thread in range(threads)]
    for each in running:
        each.start()
    for each in running:
        each.join()
    return sum(rates)


def _queued() -> float:
    """Return the seconds this thread has been runnable without a core; 0 if unavailable."""
    try:
        return int(QUEUED.read_text().split()[1]) / 1e9
    except (OSError, LookupError, ValueError):
        return 0.0


def write_native(found: Sequence[Natively]) -> str:
    """Format the table."""
    head = ("game", "native games/s", "Python games/s", "ratio", "position", "2 threads", "first time", "kept")
    rows = [
        (
            each.game, f"{each.native:,.0f}", f"{each.python:,.0f}", f"{each.ratio:.0f}", f"{each.position:,} B",
            f"{each.threads:.1f}", f"{each.first:.1f} s", f"{each.kept:.2f} s",
        )
        for each in found
    ]  # fmt: skip
    return "\n".join(write_rows([head, *rows], {1, 2, 3, 4, 5, 6, 7}))

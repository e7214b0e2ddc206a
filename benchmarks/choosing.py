"""Benchmark of native play with choices made in Python: one call per decision, and one call per batch of matches.

In: names of games. Out: a `Rate` for each, in CPU time of one core. Choices are drawn in Python, by `random` and NumPy,
and their time is included.
"""

from __future__ import annotations

import ctypes
import itertools
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import hoyle
from benchmarks.table import write_rows
from hoyle.play.engine.native.library import ASKED, FAULT, Library
from hoyle.play.engine.native.native_executor import NativeExecutor

ROUNDS = 5
BATCH = 1024


@dataclass(frozen=True, slots=True)
class Rate:
    """Decisions per second, the best of several rounds."""

    game: str
    alone: float
    batch: float


def measure_choosing(games: Sequence[str], seconds: float, tell: Callable[[str], None]) -> list[Rate]:
    """Measure all games that have native code."""
    found = []
    for name in games:
        tell(name)
        executor = NativeExecutor(hoyle.load(name).program)
        executor.native.load()
        executor.native.wait()  # until the optimised library is loaded
        if executor.library is None:
            continue
        alone, batch = _play_alone(executor), _play_batch(executor.library)
        rates = [(_rate(alone, seconds), _rate(batch, seconds)) for _ in range(ROUNDS)]
        found.append(Rate(name, max(one for one, _ in rates), max(many for _, many in rates)))
    return found


def _rate(decisions: Iterator[int], seconds: float) -> float:
    began, played = time.process_time(), 0
    while (passed := time.process_time() - began) < seconds:
        played += next(decisions)
    return played / passed


def _play_alone(executor: NativeExecutor) -> Iterator[int]:
    """Play matches endlessly, one at a time; yield the number of decisions of each."""
    draw, board = random.Random(1).random, executor.begin(0)
    for seed in itertools.count():
        decisions = 0
        board.restart(seed)
        while not board.over:
            board.apply(int(draw() * board.size))
            decisions += 1
        yield decisions


def _play_batch(library: Library) -> Iterator[int]:
    """Step a batch of matches endlessly, restarting finished ones; yield the number of decisions of each step."""
    functions, mirror = library.functions, library.mirror
    positions: Any = np.zeros(BATCH, np.dtype(mirror.position))
    asks: Any = np.zeros(BATCH, np.dtype(mirror.ask))
    sizes, last = asks["size"], mirror.position()
    status: Any = np.zeros(BATCH, np.int32)
    seeds: Any = np.arange(BATCH, dtype=np.uint64)
    chance = np.random.default_rng(1)
    while True:
        functions.start_all(positions.ctypes.data, asks.ctypes.data, seeds.ctypes.data, status.ctypes.data, BATCH)
        seeds += BATCH
        asked = int(np.count_nonzero(status == ASKED))
        places = (chance.random(BATCH, np.float32) * sizes).astype(np.int32)
        functions.apply_all(
            positions.ctypes.data, ctypes.byref(last), asks.ctypes.data, places.ctypes.data, None, status.ctypes.data,
            BATCH,
        )  # fmt: skip
        yield asked - int(np.count_nonzero(status == FAULT))


def write_choosing(found: Sequence[Rate]) -> str:
    """Format the table."""
    head = ("game", "one call a decision", f"batches of {BATCH:,}")
    rows = [(each.game, f"{each.alone:,.0f}", f"{each.batch:,.0f}") for each in found]
    return "\n".join(write_rows([head, *rows], {1, 2}))

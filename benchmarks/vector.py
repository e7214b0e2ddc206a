"""Benchmark of the vector environment: tokens per second, native and in Python.

In: names of games, the number of matches. Out: a `Rate` for each, in CPU time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from hoyle.lab.adapters.vector import VectorEnv
from hoyle.play.engine.executors import ExecutorName


@dataclass(frozen=True, slots=True)
class Rate:
    """Tokens per second over all matches; 0 without native code."""

    game: str
    matches: int
    native: float
    python: float


def measure_vector(games: Sequence[str], count: int, seconds: float, tell: Callable[[str], None]) -> list[Rate]:
    found = []
    for name in games:
        tell(name)
        native, python = _rate(name, count, seconds, "native"), _rate(name, count, seconds, "generated")
        found.append(Rate(name, count, native, python))
    return found


def _rate(name: str, count: int, seconds: float, executor: ExecutorName) -> float:
    env = VectorEnv(name, count, executor=executor)
    if executor == "native" and not env.is_native:
        return 0.0
    chance = np.random.default_rng(1)
    passed, tokens = 0.0, 0
    while passed < seconds:
        drawn = np.where(env.masks, chance.random(env.masks.shape, np.float32), -1.0).argmax(axis=1)
        began = time.process_time()
        env.step(drawn)
        passed += time.process_time() - began
        tokens += count
    return tokens / passed


def write_vector(found: Sequence[Rate]) -> str:
    lines = ["| game | matches at once | native | Python |", "|---|--:|--:|--:|"]
    lines += [f"| {each.game} | {each.matches:,} | {each.native:,.0f} | {each.python:,.0f} |" for each in found]
    return "\n".join(lines)

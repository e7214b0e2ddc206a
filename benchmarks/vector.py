"""Benchmark of arrays of matches: decisions and tokens per second on one processor.

In: names of games, the number of matches. Out: a `Rate` for each, in CPU time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

import hoyle
from hoyle.lab.train.environment import EnvironmentProblem


@dataclass(frozen=True, slots=True)
class Rate:
    """Per second over all matches; 0 without native code. `tokens` are those that spell the choices made."""

    game: str
    matches: int
    decisions: float
    tokens: float


def measure_vector(games: Sequence[str], count: int, seconds: float, tell: Callable[[str], None]) -> list[Rate]:
    found = []
    for name in games:
        tell(name)
        found.append(_rate(name, count, seconds))
    return found


def _rate(name: str, count: int, seconds: float) -> Rate:
    try:
        environment = hoyle.ArrayEnvironment(hoyle.load(name), count, seed=1)
    except EnvironmentProblem:
        return Rate(name, count, 0.0, 0.0)
    arrays, chance, joint_at = environment.arrays, np.random.default_rng(1), environment.features.joint_at
    passed, decisions, tokens = 0.0, 0, 0
    while passed < seconds:
        chosen = (chance.random(count) * arrays.counts).astype(np.int32)
        spelt = arrays.tokens[np.arange(count), chosen]
        tokens += int(((spelt > 0) & (spelt < joint_at)).sum())  # a joint token says nothing new
        decisions += count
        began = time.process_time()
        environment.step(chosen)
        passed += time.process_time() - began
    return Rate(name, count, decisions / passed, tokens / passed)


def write_vector(found: Sequence[Rate]) -> str:
    lines = ["| game | matches at once | decisions/s | tokens/s |", "|---|--:|--:|--:|"]
    lines += [f"| {each.game} | {each.matches:,} | {each.decisions:,.0f} | {each.tokens:,.0f} |" for each in found]
    return "\n".join(lines)

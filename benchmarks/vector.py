"""Benchmark of arrays of matches: decisions and tokens per second on one processor, or decisions on a GPU.

In: names of games, the number of matches. Out: a `Rate` for each, in CPU time, on a GPU in the time that passes.
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


def measure_vector(
    games: Sequence[str], count: int, seconds: float, tell: Callable[[str], None], choices: int | None = None
) -> list[Rate]:
    """With `choices`, rows of a menu, on a GPU, where masks are worked out, too."""
    found = []
    for name in games:
        tell(name)
        found.append(_rate_on_device(name, count, seconds, choices) if choices else _rate(name, count, seconds))
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


def _rate_on_device(name: str, count: int, seconds: float, choices: int) -> Rate:
    import torch

    from hoyle.lab.train.device_arrays import DeviceEnvironment

    environment = DeviceEnvironment(hoyle.load(name), count, seed=1, choices=choices)
    counts, rows = torch.from_dlpack(environment.arrays.counts), torch.arange(choices, device="cuda")
    decisions, began, kept = 0, 0.0, None
    while not began or time.monotonic() - began < seconds:
        for _ in range(10):
            kept = (torch.rand(count, device="cuda") * counts).int(), rows < counts[:, None]
            environment.step(kept[0].data_ptr(), wait=False)
        torch.cuda.synchronize()
        decisions += 10 * count if began else 0  # the first are not measured
        began = began or time.monotonic()
    return Rate(name, count, decisions / (time.monotonic() - began), 0.0)


def write_vector(found: Sequence[Rate]) -> str:
    lines = ["| game | matches at once | decisions/s | tokens/s |", "|---|--:|--:|--:|"]
    lines += [f"| {each.game} | {each.matches:,} | {each.decisions:,.0f} | {each.tokens:,.0f} |" for each in found]
    return "\n".join(lines)

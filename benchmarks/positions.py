"""What searching costs: clones, samples, steps and playouts from positions in the middle of a match.

In: names of games. Out: a `Cost` for each, in the processor's time.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import hoyle
from hoyle.bots.rollout import Rollout


@dataclass(frozen=True, slots=True)
class Cost:
    """Microseconds for one of each; playouts a second, from the middle of a match to its end."""

    game: str
    players: int
    clone: float
    sample: float
    step: float
    playouts: float


def measure_positions(games: Sequence[str], seconds: float, tell: Callable[[str], None]) -> list[Cost]:
    found = []
    for name in games:
        tell(name)
        found.append(_measure(hoyle.load(name), seconds))
    return found


def _measure(game: hoyle.Game, seconds: float) -> Cost:
    match, chance = game.new(seed=1), random.Random(1)
    for _ in range(8):
        decision = match.decision
        if decision is None:
            break
        match.apply(decision.choice(chance.randrange(decision.count)))
    assert match.decision is not None
    standpoint = match.standpoint(match.decision.seat)
    match.playout(seed=0)
    return Cost(
        game.name,
        game.players,
        1e6 / _rate(lambda number: match.position.copy(), seconds),
        1e6 / _rate(standpoint.sample, seconds),
        1e6 / _rate_steps(game, seconds),
        _rate(lambda number: match.playout(seed=number), seconds),
    )


def _rate(do: Callable[[int], object], seconds: float) -> float:
    """How often something is done in a second of the processor's time."""
    began, times = time.process_time(), 0
    while (passed := time.process_time() - began) < seconds:
        do(times)
        times += 1
    return times / passed


def _rate_steps(game: hoyle.Game, seconds: float) -> float:
    """Decisions a second, each listed and made."""
    rollout = Rollout(game.executor, whole=True)
    began, seed, steps = time.process_time(), 0, 0
    while (passed := time.process_time() - began) < seconds:
        position = game.executor.start(seed)
        game.executor.run(position)
        rollout.play_on(position, seed, 200)
        steps += position.decisions
        seed += 1
    return steps / passed


def write_positions(found: Sequence[Cost]) -> str:
    lines = ["| game | players | clone | sample | step | playouts/s |", "|---|--:|--:|--:|--:|--:|"]
    for cost in found:
        micro = " | ".join(f"{each:.0f} µs" for each in (cost.clone, cost.sample, cost.step))
        lines.append(f"| {cost.game} | {cost.players} | {micro} | {cost.playouts:,.0f} |")
    return "\n".join(lines)

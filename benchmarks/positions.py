"""Benchmark of search primitives: clones, samples, steps and playouts from positions in the middle of a match.

In: names of games. Out: a `Cost` for each, in CPU time.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import hoyle
from hoyle.lab.bots.rollout import Rollout
from hoyle.lab.bots.search import Search
from hoyle.lab.bots.search_tree import Tables
from hoyle.play.engine.native.program import find_native

BEFORE = 8  # decisions before the measured position
SEARCHED = 1000  # iterations of one search


@dataclass(frozen=True, slots=True)
class Cost:
    """Microseconds per clone, sample and step; playouts per second, from the position to the end of the match;
    iterations per second of a search there, in Python and, if available, in native code."""

    game: str
    players: int
    clone: float
    sample: float
    step: float
    playouts: float
    iterations: float
    native: float | None


def measure_positions(games: Sequence[str], seconds: float, tell: Callable[[str], None]) -> list[Cost]:
    found = []
    for name in games:
        tell(name)
        found.append(_measure(hoyle.load(name), seconds))
    return found


def _measure(game: hoyle.Game, seconds: float) -> Cost:
    match = _find_middle(game)
    assert match.decision is not None
    standpoint = match.standpoint(match.decision.seat)
    match.playout(seed=0)
    native = find_native(game.program)
    is_native = native.load() is not None
    native.wait()
    return Cost(
        game.name,
        game.players,
        1e6 / _rate(lambda number: match.position.copy(), seconds),
        1e6 / _rate(standpoint.sample, seconds),
        1e6 / _rate_steps(game, seconds),
        _rate(lambda number: match.playout(seed=number), seconds),
        _rate_iterations(match, seconds, native=False),
        _rate_iterations(match, seconds, native=True) if is_native else None,
    )


def _rate_iterations(match: hoyle.Match, seconds: float, *, native: bool) -> float:
    """Return iterations per second of searches from a position."""
    decision = match.decision
    assert decision is not None
    tables, standpoint = Tables(match.game.executor), match.standpoint(decision.seat)
    if not native:
        tables.rollout.native, tables.grows_natively = None, False
    return SEARCHED * _rate(
        lambda number: Search(standpoint, decision, random.Random(number), tables).think(SEARCHED, None), seconds
    )


def _find_middle(game: hoyle.Game) -> hoyle.Match:
    """Play some decisions of a match, and return it at a decision with several choices."""
    match, chance = game.new(seed=1), random.Random(1)
    found, made = match.copy(), 0
    while match.decision is not None and (made < BEFORE or found.decision is None or found.decision.count < 2):
        if match.decision.count > 1:
            found = match.copy()
        match.apply(match.decision.choice(chance.randrange(match.decision.count)))
        made += 1
    return found


def _rate(do: Callable[[int], object], seconds: float) -> float:
    """Return how often a function runs per second of CPU time."""
    began, times = time.process_time(), 0
    while (passed := time.process_time() - began) < seconds:
        do(times)
        times += 1
    return times / passed


def _rate_steps(game: hoyle.Game, seconds: float) -> float:
    """Return decisions per second, including listing the choices."""
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
    lines = [
        "| game | players | clone | sample | step | playouts/s | iterations/s | with native code |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for cost in found:
        micro = " | ".join(f"{each:.0f} µs" for each in (cost.clone, cost.sample, cost.step))
        native = "-" if cost.native is None else f"{cost.native:,.0f}"
        rates = f"{cost.playouts:,.0f} | {cost.iterations:,.0f} | {native}"
        lines.append(f"| {cost.game} | {cost.players} | {micro} | {rates} |")
    return "\n".join(lines)

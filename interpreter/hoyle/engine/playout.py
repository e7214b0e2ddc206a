"""A match played to its end as fast as it goes, without texts, views or events.

In: an executor, a seed, and how to choose. Out: a `Result`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from hoyle.engine.executor import ReferenceExecutor
from hoyle.engine.generated import GeneratedExecutor, Played
from hoyle.engine.legality import Choice
from hoyle.model.position import Position

Chooser = Callable[[list[Choice]], Choice]


@dataclass(frozen=True, slots=True)
class Result:
    """How a match went: `offered` adds up the choices there were at every decision, `widest` is the most at one."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    decisions: int
    rounds: int
    offered: int
    widest: int


def choose_randomly(seed: int) -> Chooser:
    """A chooser for which all choices are equally likely, as far as 53 bits go; of a number parameter, all numbers."""
    draw = Random(seed).random

    def choose(choices: list[Choice]) -> Choice:
        choice = choices[int(draw() * len(choices))]
        if choice and type(choice[-1]) is range:
            numbers = choice[-1]
            return (*choice[:-1], numbers[int(draw() * len(numbers))])
        return choice

    return choose


def play_out(
    executor: ReferenceExecutor, seed: int, choose: Chooser | None = None, script: list[Any] | None = None
) -> Result:
    """Play a match. Without a chooser, choices are random and follow from the seed, as with `choose_randomly`."""
    if choose is None and isinstance(executor, GeneratedExecutor):
        position = executor.start(seed, script)
        played = executor.play_drawn(position, Random(seed).random)
        if played is not None:
            return _sum_up(executor, position, played)
    position = executor.start(seed, script)
    executor.run(position)
    offered = widest = 0
    if isinstance(executor, GeneratedExecutor) and executor.is_fast:
        offered, widest = executor.play_on(position, choose, Random(seed).random)
    choose = choose or choose_randomly(seed)
    while not position.over:
        choices = executor.list_legal(position)
        offered += len(choices)
        widest = max(widest, len(choices))
        executor.advance(position, choose(choices))
    return _sum_up(executor, position, Played(offered, widest))


def _sum_up(executor: ReferenceExecutor, position: Position, played: Played) -> Result:
    scores, winners = tuple(executor.list_scores(position)), executor.list_winners(position)
    return Result(scores, winners, position.decisions, position.rounds_played, played.offered, played.widest)

"""Compares all ways of playing a seed: bots in a match, simulations and playouts, on every executor.

In: a program and a seed. Out: `compare_ways`, which asserts that they all play the same match, choice for choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from hoyle.lab.bots import let_choose, make_bots
from hoyle.lab.sim.one_game import play_game
from hoyle.lab.sim.summary import Failure
from hoyle.play.engine.executors import EXECUTORS, ExecutorName
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.game import Game, Match
from hoyle.play.engine.habits import Habits
from hoyle.play.engine.playout import Result
from hoyle.program.ir.nodes import Program

Outcome = Result | str  # the result of a match, or the message of its fault


def play_by_bots(game: Game, seed: int, errors: float, most: int) -> tuple[Outcome | None, list[str]]:
    """Play a match by asking bots decision by decision; return the outcome if it ended, and all choices."""
    match, habits, bots = None, Habits(errors, seed), make_bots("random", seed, game.players)
    sizes: list[int] = []
    try:
        match = game.new(seed)
        while (decision := match.decision) is not None:
            if len(sizes) == most:
                return None, match.history
            sizes.append(len(decision.actions))
            match.apply(let_choose(habits, match, decision, bots[decision.seat]))
        return sum_up(match, sizes), match.history
    except Fault as fault:
        return str(fault), match.history if match else []


def sum_up(match: Match, sizes: list[int]) -> Result:
    rounds, widest = match.rounds, max(sizes, default=0)
    return Result(tuple(match.scores), tuple(match.winners), len(sizes), rounds, sum(sizes), widest)


def compare_ways(
    program: Program, seed: int, errors: float, most: int = 10**9, executors: Iterable[ExecutorName] = EXECUTORS
) -> list[str]:
    """Assert that all ways of playing a seed give the same match, for the first `most` decisions of long ones; return
    the choices."""
    return compare_games([Game(program, executor=name) for name in executors], seed, errors, most)


def compare_games(
    games: list[Game], seed: int, errors: float, most: int = 10**9, run: Callable[..., Any] = lambda do, *of: do(*of)
) -> list[str]:
    """Like `compare_ways`, for given games with different executors; `run` calls each way of playing."""
    outcome, history = run(play_by_bots, games[0], seed, errors, most)
    for game in games:
        if game is not games[0]:
            assert run(play_by_bots, game, seed, errors, most) == (outcome, history)
        if outcome is not None:
            assert run(simulate, game, seed, errors) == outcome
            assert run(play_out, game, seed, errors) == outcome
    return list(history)


def simulate(game: Game, seed: int, errors: float) -> Outcome:
    """Play a seed like `hoyle sim`."""
    result = play_game(game, "random", 0, seed, lambda: False, errors)
    assert result is not None
    return result.message if isinstance(result, Failure) else result


def play_out(game: Game, seed: int, errors: float) -> Outcome:
    """Play a seed by `Game.playout`."""
    try:
        return game.playout(seed, errors=errors)
    except Fault as fault:
        return str(fault)

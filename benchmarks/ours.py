"""Hoyle's own contestants: every shipped game, by generated Python, the reference and native code.

In: the shipped games. Out: contestants.
"""

from __future__ import annotations

import ctypes
import functools
import itertools
import time
from collections.abc import Callable

import hoyle
from benchmarks.measure import Contestant, Missing, Play, Sample
from hoyle.play.engine.drawing import choose_by, draw_randomly
from hoyle.play.engine.executors import ExecutorName
from hoyle.play.engine.game import Game
from hoyle.play.engine.generated import GeneratedExecutor
from hoyle.play.engine.native.library import MOST_SUMMED
from hoyle.play.engine.native.native_executor import find_policy
from hoyle.play.engine.native.program import find_native

GENERATED, REFERENCE, CHOSEN, NATIVE = "Hoyle", "Hoyle, reference", "Hoyle, own chooser", "Hoyle, native"
NAMES: dict[ExecutorName, str] = {"generated": GENERATED, "reference": REFERENCE}
ALSO_CHOSEN = ("bonus-20", "cribbage")  # games also played with a chooser of the caller


def list_ours(games: list[str] | None = None) -> list[Contestant]:
    """List the contestants of each game, with its lowest usual number of players and default options."""
    found = []
    for name in games or hoyle.games():
        program = hoyle.load(name).program
        for executor, who in NAMES.items():
            game = Game(program, executor=executor)
            found.append(Contestant(who, name, game.players, functools.partial(_make, game)))
        make_native = functools.partial(_make_native, Game(program, executor="generated"))
        found.append(Contestant(NATIVE, name, game.players, make_native, samples_itself=True))
        if name in ALSO_CHOSEN:
            make = functools.partial(_make_chosen, Game(program, executor="generated"))
            found.append(Contestant(CHOSEN, name, game.players, make, note="decision by decision"))
    return found


def _make(game: Game) -> Play:
    executor = game.executor
    if isinstance(executor, GeneratedExecutor):
        executor.list_winners(executor.start())  # triggers code generation, which is lazy
        assert executor.functions is not None

    def play(number: int) -> int:
        return game.playout(number).decisions

    return play


def _make_native(game: Game) -> Callable[[float], Sample]:
    """Take whole samples in native code, including the sums, as `hoyle sim` does, on one core."""
    policy = find_policy(game.program, draw_randomly, 0.0)
    native = find_native(game.program)
    native.load()
    native.wait()
    library = native.library
    if library is None or policy is None:
        raise Missing(native.problem or "errors are called")
    numbers = itertools.count(step=MOST_SUMMED)

    def sample(seconds: float) -> Sample:
        games = decisions = 0
        many, spent = 16, 0.0
        while spent < seconds:
            began = time.process_time()
            played, totals, _ = library.sum_up(0, next(numbers), many, policy, ctypes.c_int32(0))
            took = time.process_time() - began
            spent += took
            games += played
            decisions += totals.decisions.total
            many = max(16, min(MOST_SUMMED, int(many * seconds / 10 / max(took, 1e-4))))
        return Sample(games, decisions, spent)

    return sample


def _make_chosen(game: Game) -> Play:
    assert is_generated(game)

    def play(number: int) -> int:
        return game.playout(number, choose_by(draw_randomly(number, 1), lambda: 0)).decisions

    return play


def is_generated(game: Game) -> bool:
    """Whether there is generated code for a game."""
    executor = game.executor
    return isinstance(executor, GeneratedExecutor) and executor.functions is not None

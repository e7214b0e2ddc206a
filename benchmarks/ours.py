"""Hoyle itself: every shipped game, by generated code and by the reference.

In: the shipped games. Out: contestants.
"""

from __future__ import annotations

import functools

import hoyle
from benchmarks.measure import Contestant, Play
from hoyle.engine.drawing import choose_by, draw_randomly
from hoyle.engine.game import ExecutorName, Game
from hoyle.engine.generated import GeneratedExecutor

GENERATED, REFERENCE, CHOSEN = "Hoyle", "Hoyle, reference", "Hoyle, own chooser"
NAMES: dict[ExecutorName, str] = {"generated": GENERATED, "reference": REFERENCE}
ALSO_CHOSEN = ("bonus-20", "cribbage")  # played with a chooser of the caller's, too


def list_ours(games: list[str] | None = None) -> list[Contestant]:
    """Two contestants for each game, at its fewest usual players and with its defaults."""
    found = []
    for name in games or hoyle.games():
        program = hoyle.load(name).program
        for executor, who in NAMES.items():
            game = Game(program, executor=executor)
            found.append(Contestant(who, name, game.players, functools.partial(_make, game)))
        if name in ALSO_CHOSEN:
            make = functools.partial(_make_chosen, Game(program))
            found.append(Contestant(CHOSEN, name, game.players, make, note="decision by decision"))
    return found


def _make(game: Game) -> Play:
    executor = game.executor
    if isinstance(executor, GeneratedExecutor):
        executor.list_winners(executor.start())  # the code is written and compiled when it is first asked for
        assert executor.is_drawn

    def play(number: int) -> int:
        return game.playout(number).decisions

    return play


def _make_chosen(game: Game) -> Play:
    assert isinstance(game.executor, GeneratedExecutor) and game.executor.is_fast

    def play(number: int) -> int:
        return game.playout(number, choose_by(draw_randomly(number, 1), lambda: 0)).decisions

    return play


def is_generated(game: Game) -> bool:
    """Whether there is generated code for all of a game."""
    executor = game.executor
    return isinstance(executor, GeneratedExecutor) and executor.is_drawn

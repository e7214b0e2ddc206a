"""A thousand random matches of every shipped game, at the fewest and at the most players: each ends without a fault,
and no card and no chip is lost on the way."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

import hoyle
from hoyle.base.shipped import all_games, game_name
from hoyle.language.library import describe
from hoyle.play.engine.conservation import check_chips, check_conservation, count_chips
from hoyle.play.engine.drawing import choose_by, draw_randomly
from hoyle.play.engine.generated import GeneratedExecutor
from hoyle.play.engine.habits import Habits
from hoyle.program.model.position import Position

pytestmark = pytest.mark.slow

MATCHES = 1_000
CHUNKS = 4


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("most", [False, True], ids=["fewest", "most"])
@pytest.mark.parametrize("path", all_games(), ids=game_name)
def test_random_matches_end_and_lose_nothing(path: Path, most: bool, chunk: int) -> None:
    info, _ = describe(path)
    assert info is not None
    if most and info.allowed[0] == info.allowed[1]:
        pytest.skip("this game has one number of players")
    game = hoyle.load(path, players=info.allowed[most])
    for seed in range(chunk, MATCHES, CHUNKS):
        play_counted(game, seed)


def play_counted(game: hoyle.Game, seed: int) -> Position:
    """The end of a random match, its cards and chips counted."""
    executor = game.executor
    assert isinstance(executor, GeneratedExecutor)
    chips = count_chips(game.names, executor.start(seed))
    position = executor.start(seed)
    if executor.play_drawn(position, draw_randomly(seed, game.players), Habits(0.0, seed)) is None:
        position = executor.start(seed)
        choose = choose_by(draw_randomly(seed, game.players), partial(executor.find_seat, position))
        executor.run(position)
        while not position.over:
            executor.advance(position, choose(executor.list_legal(position)))
    assert position.over
    check_conservation(position, len(game.program.cards))
    check_chips(game.names, position, chips)
    return position

"""One game from its seed to its end.

In: a game, a bot's name and a seed. Out: its `Result`, or the `Failure` that stopped it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from hoyle.bots import make_bots
from hoyle.engine.faults import Fault
from hoyle.sim.summary import Failure, Result

if TYPE_CHECKING:
    from hoyle.engine.game import Game


def play_game(game: Game, bot: str, index: int, seed: int, stop: Callable[[], bool]) -> Result | Failure | None:
    """Play a game to its end. None when it was to stop before."""
    try:
        return _play(game, bot, seed, stop)
    except Fault as fault:
        return Failure(index, seed, str(fault))


def _play(game: Game, bot: str, seed: int, stop: Callable[[], bool]) -> Result | None:
    match = game.new(seed)
    bots = make_bots(bot, seed, game.players)
    decisions = offered = widest = 0
    while (decision := match.decision) is not None:
        if stop():
            return None
        seat, width = decision.seat, len(decision.actions)
        match.apply(bots[seat].choose(decision, partial(match.view, seat)))
        decisions += 1
        offered += width
        widest = max(widest, width)
    rounds = match.position.rounds_played
    return Result(tuple(match.scores), tuple(match.winners), decisions, offered, widest, rounds)

"""One game from its seed to its end.

In: a game, a bot's name and a seed. Out: its `Result`, or the `Failure` that stopped it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from hoyle.bots import BOTS, make_bots
from hoyle.bots.blind import choose_by
from hoyle.bots.habits import Habits, have_effect
from hoyle.engine.faults import Fault
from hoyle.engine.generated import GeneratedExecutor, Played
from hoyle.sim.summary import Failure, Result

if TYPE_CHECKING:
    from hoyle.bots.registry import BlindMaker
    from hoyle.engine.executor import ReferenceExecutor
    from hoyle.engine.game import Game
    from hoyle.engine.legality import Choice
    from hoyle.model.position import Position

Stop = Callable[[], bool]


class Stopped(Exception):  # noqa: N818 - a wish, not an error
    """The game is not to be played to its end."""


def play_game(
    game: Game, bot: str, index: int, seed: int, stop: Stop, errors: float = 0.0
) -> Result | Failure | None:
    """Play a game to its end. None when it was to stop before. `errors` is how often the bots err, where they can."""
    blind, habits = BOTS[bot].blind, Habits(errors, seed)
    try:
        if blind is None:
            return _play_looking(game, bot, seed, stop, habits)
        return _play_blindly(game, blind, seed, stop, habits)
    except Stopped:
        return None
    except Fault as fault:
        return Failure(index, seed, str(fault if blind is None else game.locate(fault)))


def _play_looking(game: Game, bot: str, seed: int, stop: Stop, habits: Habits) -> Result:
    """With bots that see their decisions and, if they ask, their views."""
    match = game.new(seed)
    bots = make_bots(bot, seed, game.players)
    decisions = offered = widest = 0
    while (decision := match.decision) is not None:
        if stop():
            raise Stopped
        seat, width = decision.seat, len(decision.actions)
        match.apply(habits.let_choose(match, decision, bots[seat]))
        decisions += 1
        offered += width
        widest = max(widest, width)
    rounds = match.position.rounds_played
    return Result(tuple(match.scores), tuple(match.winners), decisions, offered, widest, rounds)


def _play_blindly(game: Game, blind: BlindMaker, seed: int, stop: Stop, habits: Habits) -> Result:
    """With bots that never look: without texts, views and events."""
    executor = game.executor
    position = executor.start(seed)
    if isinstance(executor, GeneratedExecutor) and not have_effect(game.program):
        played = executor.play_drawn(position, blind(seed, game.players), asks=True)
        if played is not None:
            return _sum_up(executor, position, played)
        position = executor.start(seed)
    choose = choose_by(blind(seed, game.players), partial(executor.find_seat, position))
    choose = habits.guide(choose, executor, position)
    executor.run(position)
    if isinstance(executor, GeneratedExecutor) and executor.is_fast and executor.choices:
        played = executor.play_on(position, choose)
    else:
        offered = widest = 0
        while not position.over:
            if stop():
                raise Stopped
            choices: list[Choice] = executor.list_legal(position)
            offered += len(choices)
            widest = max(widest, len(choices))
            executor.advance(position, choose(choices))
        played = Played(offered, widest)
    return _sum_up(executor, position, played)


def _sum_up(executor: ReferenceExecutor, position: Position, played: Played) -> Result:
    scores, winners = tuple(executor.list_scores(position)), tuple(executor.list_winners(position))
    return Result(scores, winners, position.decisions, played.offered, played.widest, position.rounds_played)

"""Plays one game to its end.

In: a game, a bot's name and a seed. Out: its `Result`, or the `Failure` that stopped it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hoyle.lab.bots import BotFailed, find_blind, let_choose, make_bots
from hoyle.lab.sim.event_counts import Counted
from hoyle.lab.sim.summary import Failure, Trend
from hoyle.play.engine.drawing import choose_by
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.habits import Habits
from hoyle.play.engine.playout import Result, Stop, Stopped, play_out

if TYPE_CHECKING:
    from hoyle.play.engine.game import Game


def play_game(
    game: Game, bot: str, index: int, seed: int, stop: Stop, errors: float = 0.0, counted: Counted | None = None
) -> Result | Failure | None:
    """Play a game to its end. Returns None if `stop` ends it early, or if a second Ctrl-C interrupts a bot that is
    still thinking after `stop`. `errors` is the share of decisions at which bots err, in games where they can;
    `counted` is the counts of a counting game."""
    blind = find_blind(bot)
    try:
        if blind is None:
            return _play_looking(game, bot, seed, stop, errors, counted or Counted())
        return play_out(game.executor, seed, draws=blind, errors=errors, stop=stop)
    except Stopped:
        return None
    except KeyboardInterrupt:
        if not stop():
            raise
        return None
    except BotFailed as failed:
        return Failure(index, seed, str(failed))
    except Fault as fault:
        said = str(fault if blind is None else game.locate(fault))
        return Failure(index, seed, said, game.most_decisions if fault.code == "endless" else 0)


def find_trend(game: Game, bot: str, failure: Failure, stop: Stop, errors: float) -> Trend:
    """What the scores did in the second half of a match that was stopped for its length: it is played once more."""
    blind, scores = find_blind(bot), list[int]()
    if blind is None:  # a match of such bots takes too long
        return ""
    executor = game.executor
    position = executor.start(failure.seed)
    choose = choose_by(blind(failure.seed, game.players), lambda: executor.find_seat(position))
    choose = Habits(errors, failure.seed).guide(choose, executor, position)
    executor.run(position)
    while not stop():
        if position.decisions in (failure.decisions // 2, failure.decisions - 1):
            scores.append(sum(executor.list_scores(position)))
        if position.over or position.decisions >= failure.decisions - 1:
            break
        executor.advance(position, choose(executor.list_legal(position)))
    if len(scores) < 2:
        return ""
    return "rose" if scores[0] < scores[1] else "fell" if scores[0] > scores[1] else "stood"


def _play_looking(game: Game, bot: str, seed: int, stop: Stop, errors: float, counted: Counted) -> Result:
    """Play a game with bots that see their decisions and can request their standpoint."""
    match, habits = game.new(seed), Habits(errors, seed)
    bots = make_bots(bot, seed, game.players)
    decisions = offered = widest = 0
    while (decision := match.decision) is not None:
        if stop():
            raise Stopped
        seat, width = decision.seat, len(decision.actions)
        counted.paused = True
        chosen = let_choose(habits, match, decision, bots[seat])
        counted.paused = False
        match.apply(chosen)
        decisions += 1
        offered += width
        widest = max(widest, width)
    rounds = match.position.rounds_played
    return Result(tuple(match.scores), tuple(match.winners), decisions, rounds, offered, widest)

"""A table of a tournament: one game played by bots, decision by decision.

In: a game, a bot, a seed. Out: `Table`, which makes one decision at a time and exposes its position.
"""

from __future__ import annotations

from functools import partial

from hoyle.lab.bots import find_blind, let_choose, make_bots
from hoyle.play.engine.drawing import choose_by
from hoyle.play.engine.game import Game
from hoyle.play.engine.habits import Habits
from hoyle.program.model.position import Position


class Table:
    """A game at a table. Bots that never look play on bare positions, without texts, views and events, which is
    faster."""

    def __init__(self, game: Game, bot: str, seed: int, errors: float) -> None:
        self.game = game
        self.habits = Habits(errors, seed)
        blind = find_blind(bot)
        self._match = None if blind else game.new(seed)
        self._bots = [] if blind else make_bots(bot, seed, game.players)
        if blind is not None:
            self._position = game.executor.start(seed)
            chooser = choose_by(blind(seed, game.players), partial(game.executor.find_seat, self._position))
            self._choose = self.habits.guide(chooser, game.executor, self._position)
            game.executor.run(self._position)

    @property
    def position(self) -> Position:
        return self._position if self._match is None else self._match.position

    @property
    def is_over(self) -> bool:
        return self.position.over

    def decide(self) -> None:
        """Make the next decision and run to the one after it."""
        if self._match is not None:
            decision = self._match.decision
            assert decision is not None
            self._match.apply(let_choose(self.habits, self._match, decision, self._bots[decision.seat]))
            return
        executor, position = self.game.executor, self._position
        executor.advance(position, self._choose(executor.list_legal(position)))

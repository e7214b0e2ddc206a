"""The matches of a vector environment, stepped one by one in Python.

In: tokens, one for each match. Out: observations of the deciding seats, and token masks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from hoyle.lab.adapters.encoding import Encoding, Spelling, Tokens
from hoyle.lab.adapters.observing import Observing
from hoyle.lab.adapters.playing import Played, PlayedInPython
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.utility import value_end

if TYPE_CHECKING:
    from hoyle.play.engine.game import Game
    from hoyle.program.model.position import Position

Ends = dict[int, list[float] | None]


class Rows(Protocol):
    """The matches, by row index. All are at a decision, except those just begun."""

    def begin(self, row: int, seed: int) -> bool:
        """Start a new match in a row; return whether it has any decision."""

    def take(self, tokens: Any) -> Ends:
        """Apply a legal token to each match. Return the utilities of the matches that ended, None for those stopped by
        a fault; the caller must restart these rows."""

    def read(self, row: int) -> tuple[Position, Tokens]:
        """Return the position of a match, and the tokens of its current choice."""

    def put(self, row: int, position: Position) -> None:
        """Replace the match of a row by a position at a decision."""

    def say(self, row: int, tokens: Tokens) -> None:
        """Give the first tokens of a choice, in a match that has been `put` and then shown."""

    def show(self, observations: Any, masks: Any, seats: Any) -> None:
        """Write the observations, token masks and indices of the deciding seats."""


class Row:
    """One match with the choice under construction."""

    __slots__ = ("_encoding", "played", "spelling")

    def __init__(self, played: Played, encoding: Encoding) -> None:
        self.played = played
        self._encoding = encoding
        self.spelling = Spelling({})
        self.spell()

    def spell(self) -> None:
        if not self.played.is_over:
            self.spelling = Spelling(self._encoding.spell(self.played.list_choices()))

    def add(self, token: int) -> bool:
        """Apply a token; return whether the match is over."""
        choice = self.spelling.add(token)
        if choice is None:
            return False
        self.played.take(choice)
        self.spell()
        return self.played.is_over

    def read(self) -> tuple[Position, Tokens]:
        return self.played.position.copy(), self.spelling.prefix

    def say(self, tokens: Tokens) -> None:
        """Apply the first tokens of a choice."""
        for token in tokens:
            self.spelling.add(token)

    def show(self, row: int, observing: Observing, observations: Any, masks: Any, seats: Any) -> None:
        seat = self.played.seat
        seats[row] = seat
        observations[row] = observing.observe(self.played.position, seat, mine=True, said=self.spelling.prefix)
        masks[row] = False
        masks[row, self.spelling.legal()] = True


class RowsInPython:
    """Matches played by a Python executor."""

    def __init__(self, game: Game, encoding: Encoding, observing: Observing) -> None:
        self._game = game
        self._encoding = encoding
        self._observing = observing
        self._rows: dict[int, Row] = {}

    def begin(self, row: int, seed: int) -> bool:
        self._rows[row] = Row(PlayedInPython.begin(self._game.executor, seed), self._encoding)
        return not self._rows[row].played.is_over

    def read(self, row: int) -> tuple[Position, Tokens]:
        return self._rows[row].read()

    def put(self, row: int, position: Position) -> None:
        self._rows[row] = Row(PlayedInPython(self._game.executor, position), self._encoding)

    def say(self, row: int, tokens: Tokens) -> None:
        self._rows[row].say(tokens)

    def take(self, tokens: Any) -> Ends:
        return take_in_each(self._game, self._rows, tokens)

    def show(self, observations: Any, masks: Any, seats: Any) -> None:
        for number, row in self._rows.items():
            row.show(number, self._observing, observations, masks, seats)


def take_in_each(game: Game, rows: dict[int, Row], tokens: Any) -> Ends:
    """Apply a token to each of the given rows; return the results of those that ended."""
    ends: Ends = {}
    for number, row in rows.items():
        try:
            if row.add(int(tokens[number])):
                ends[number] = value_end(game.executor, row.played.position)
        except Fault:
            ends[number] = None
    return ends

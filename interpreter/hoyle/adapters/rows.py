"""The matches of a vector environment, one after the other in Python.

In: tokens, one for each match. Out: what the seats that are to choose see, and which tokens may come.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from hoyle.adapters.encoding import Encoding, Spelling, Tokens
from hoyle.adapters.observing import Observing
from hoyle.adapters.playing import Played, PlayedInPython
from hoyle.engine.faults import Fault
from hoyle.engine.utility import value_end

if TYPE_CHECKING:
    from hoyle.engine.game import Game
    from hoyle.model.position import Position

Ends = dict[int, list[float] | None]


class Rows(Protocol):
    """Matches by their numbers. All but those just begun stand at a decision."""

    def begin(self, row: int, seed: int) -> bool:
        """Another match in a row; whether anything is to be decided in it."""

    def take(self, tokens: Any) -> Ends:
        """Take a token in each match, one that may come. What those that ended are worth to each seat; None where a
        rule stopped one by a fault. They are to be begun anew."""

    def read(self, row: int) -> tuple[Position, Tokens]:
        """Where a match stands, and what is said of the choice that is being spelt in it."""

    def put(self, row: int, position: Position) -> None:
        """Go on in a row with a match that stands at a decision."""

    def say(self, row: int, tokens: Tokens) -> None:
        """Say the first tokens of a choice in a match that was put there and has been shown."""

    def show(self, observations: Any, masks: Any, seats: Any) -> None:
        """Write down what the seats see that are to choose, which tokens may come, and who they are."""


class Row:
    """One match, and the choice that is being spelt in it."""

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
        """Take a token; whether the match is over then."""
        choice = self.spelling.add(token)
        if choice is None:
            return False
        self.played.take(choice)
        self.spell()
        return self.played.is_over

    def read(self) -> tuple[Position, Tokens]:
        return self.played.position.copy(), self.spelling.prefix

    def say(self, tokens: Tokens) -> None:
        """Take the first tokens of a choice."""
        for token in tokens:
            self.spelling.add(token)

    def show(self, row: int, observing: Observing, observations: Any, masks: Any, seats: Any) -> None:
        seat = self.played.seat
        seats[row] = seat
        observations[row] = observing.observe(self.played.position, seat, mine=True, said=self.spelling.prefix)
        masks[row] = False
        masks[row, self.spelling.legal()] = True


class RowsInPython:
    """Matches that an executor in Python plays."""

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
    """Take the token of each row that is given."""
    ends: Ends = {}
    for number, row in rows.items():
        try:
            if row.add(int(tokens[number])):
                ends[number] = value_end(game.executor, row.played.position)
        except Fault:
            ends[number] = None
    return ends

"""The matches of a vector environment, stepped together by native code.

In: tokens, one for each match. Out: the same results as `RowsInPython`.

Positions are contiguous in memory; native code applies a choice to all of them in one call, and observations and masks
are computed with array operations. A match that native code cannot continue is played separately to its end.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import numpy as np

from hoyle.lab.adapters.native_observing import NativeObserving
from hoyle.lab.adapters.native_spelling import Choices, NativeSpelling, join
from hoyle.lab.adapters.playing import PlayedNatively
from hoyle.lab.adapters.rows import Ends, Row, take_in_each
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.native.library import ASKED, FAULT, OVER, STOPS, Library
from hoyle.play.engine.utility import find_utilities, value_end

if TYPE_CHECKING:
    from hoyle.lab.adapters.encoding import Encoding, Tokens
    from hoyle.lab.adapters.observing import Observing
    from hoyle.play.engine.game import Game
    from hoyle.play.engine.native.board import Board
    from hoyle.play.engine.native.native_executor import NativeExecutor
    from hoyle.program.model.position import Position


class NativeRows:
    """Matches in native memory; `_apart` are those played separately."""

    def __init__(
        self, game: Game, executor: NativeExecutor, library: Library, count: int, encoding: Encoding,
        observing: Observing,
    ) -> None:  # fmt: skip
        self._game = game
        self._executor = executor
        self._library = library
        self._encoding = encoding
        self._observing = observing
        self._native = NativeObserving(library, observing)
        self._spelling = NativeSpelling(library, encoding)
        mirror = library.mirror
        self._positions: Any = np.zeros(count, np.dtype(mirror.position))
        self._bytes: Any = self._positions.view(np.uint8).reshape(count, -1)  # same memory, faster to copy
        self._asks: Any = np.zeros(count, np.dtype(mirror.ask))
        self._address, self._ask_address = self._positions.ctypes.data, self._asks.ctypes.data
        self._last = mirror.position()
        self._places: Any = np.zeros(count, np.int32)
        self._numbers: Any = np.zeros(count, np.int64)
        self._said: Any = np.zeros(count, np.int64)  # number of tokens given of the current choice
        self._choices = Choices.none()  # the choices compatible with the tokens given
        self._is_new: Any = np.zeros(count, np.bool_)  # at a decision whose choices are not encoded yet
        self._apart: dict[int, Row] = {}

    def begin(self, row: int, seed: int) -> bool:
        self._apart.pop(row, None)
        ask = self._ask_address + row * self._asks.itemsize
        found = self._library.functions.start(self._find(row), ask, seed)  # a derived seed fits 64 bits
        self._is_new[row] = True
        if found == FAULT:
            return self._put_apart(row, self._executor.begin(seed))
        return bool(found == ASKED)

    def read(self, row: int) -> tuple[Position, Tokens]:
        if row in self._apart:
            return self._apart[row].read()
        of_row = self._choices.tokens[self._choices.rows == row]
        return self._read(row), tuple(of_row[0, : self._said[row]].tolist())

    def put(self, row: int, position: Position) -> None:
        self._apart.pop(row, None)
        ask = self._library.mirror.ask.from_address(self._ask_address + row * self._asks.itemsize)
        held = self._library.mirror.position.from_address(self._find(row))
        self._is_new[row] = True
        if self._library.mirror.packing.write(position, held):
            ask.given, ask.stops = 0, STOPS
            if self._library.functions.play_on(ctypes.byref(held), ctypes.byref(ask)) == ASKED:
                return
        self._put_apart(row, self._executor.take_up(position))

    def say(self, row: int, tokens: Tokens) -> None:
        if row in self._apart:
            self._apart[row].say(tokens)
            return
        for token in tokens:
            chosen = self._choices
            self._choices = chosen.select((chosen.rows != row) | (chosen.next_tokens(self._said) == token))
            self._said[row] += 1

    def take(self, tokens: Any) -> Ends:
        said, chosen = self._said, self._choices
        chosen = chosen.select(chosen.next_tokens(said) == tokens[chosen.rows])
        said += 1
        is_whole = chosen.lengths == said[chosen.rows]
        rows = chosen.rows[is_whole]
        self._places[rows], self._numbers[rows] = chosen.places[is_whole], chosen.numbers[is_whole]
        ends = take_in_each(self._game, self._apart, tokens)
        status: Any = np.zeros(len(said), np.int32)
        status[rows] = ASKED
        self._library.functions.apply_all(
            self._address, ctypes.byref(self._last), self._ask_address, self._places.ctypes.data,
            self._numbers.ctypes.data, status.ctypes.data, len(status),
        )  # fmt: skip
        self._is_new[rows] = True
        self._choices = chosen.select(~self._is_new[chosen.rows])
        for row in np.flatnonzero(status == OVER).tolist():
            ends[row] = self._value(row)
        for row in np.flatnonzero(status == FAULT).tolist():
            try:
                board = self._executor.take_up(self._read(row))
                board.apply(int(self._places[row]), int(self._numbers[row]))
                if not self._put_apart(row, board):
                    ends[row] = value_end(self._executor, board.position)
            except Fault:
                ends[row] = None
        return ends

    def show(self, observations: Any, masks: Any, seats: Any) -> None:
        rows = self._find_new()
        new, failed = self._spelling.spell(self._positions, rows, self._asks["size"][rows].astype(np.int64))
        for row in failed:
            self._put_apart(row, self._executor.take_up(self._read(row)))
        self._choices = join([self._choices.select(~self._is_new[self._choices.rows]), new])
        rows = self._find_new()
        self._said[rows] = 0
        seats[rows] = self._asks["seat"][rows]
        positions = self._bytes[rows].reshape(-1).view(self._positions.dtype)
        self._native.observe(positions, seats[rows], observations, rows)
        self._native.tell_said(self._said, self._choices, observations)
        masks[:] = False
        masks[self._choices.rows, self._choices.next_tokens(self._said)] = True
        self._is_new[:] = False
        for number, alone in self._apart.items():
            alone.show(number, self._observing, observations, masks, seats)

    def _find_new(self) -> Any:
        is_new = self._is_new.copy()
        is_new[list(self._apart)] = False
        return np.flatnonzero(is_new)

    def _put_apart(self, row: int, board: Board) -> bool:
        """Continue a match separately; return whether it is not over."""
        if not board.over:
            self._apart[row] = Row(PlayedNatively(board), self._encoding)
        return not board.over

    def _find(self, row: int) -> int:
        """Return the address of the position of a match."""
        return int(self._address + row * self._positions.itemsize)

    def _read(self, row: int) -> Position:
        return self._library.mirror.packing.read(self._positions[row])

    def _value(self, row: int) -> list[float] | None:
        """Return the utilities of a finished match; None if computing them faults."""
        program, library = self._game.program, self._library
        if program.utility is None:
            scores, winners = (ctypes.c_int64 * program.players)(), library.mirror.winners()
            if not library.functions.results(self._find(row), scores, ctypes.byref(winners)):
                return find_utilities(program.teams, tuple(winners.seats[: winners.n]))
        try:
            return value_end(self._executor, self._read(row))
        except Fault:
            return None

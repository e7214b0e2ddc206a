"""A match stepped natively, choice by choice.

In: a library and a seed, or a position. Out: `Board`: the seat and the number of its choices, and `apply` to take one.

On a native fault the board falls back to the reference from the last decision (native code restores its checkpoint),
and returns to native code at the next decision if the position fits its layout. The reference is always right.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

from hoyle.play.engine.executor import ReferenceExecutor
from hoyle.play.engine.legality import Choice
from hoyle.play.engine.native.library import ASKED, FAULT, OVER, STOPS, Library
from hoyle.play.engine.native.program import find_native
from hoyle.program.ir.nodes import Program
from hoyle.program.model.chance import seeded
from hoyle.program.model.given import read_whole
from hoyle.program.model.position import Position


class Board:
    """A match that stands at a decision or is over. `size` choices are offered to `seat`; none are once it is over."""

    __slots__ = ("_ask", "_ask_at", "_choose", "_held", "_held_at", "_last", "_last_at", "_legal", "_memory",
                 "_position", "handed_over", "library", "over", "reference", "seat", "size")  # fmt: skip

    def __init__(self, library: Library, reference: ReferenceExecutor) -> None:
        self.library = library
        self.reference = reference
        self._memory = library.mirror.board()
        self._held, self._last, self._ask = self._memory.held, self._memory.last, self._memory.ask
        self._held_at, self._last_at, self._ask_at = map(ctypes.addressof, (self._held, self._last, self._ask))
        self._choose = library.bind_choose(self._memory)
        self._position: Position | None = None  # set while the reference plays
        self._legal: Sequence[Choice] | None = None
        self.handed_over = 0  # fallbacks to the reference
        self.over = False
        self.seat = self.size = 0

    @classmethod
    def begin(cls, library: Library, reference: ReferenceExecutor, seed: int) -> Board:
        """A match from its beginning to its first decision."""
        board = cls(library, reference)
        board.restart(seed)
        return board

    @classmethod
    def at(cls, library: Library, reference: ReferenceExecutor, position: Position) -> Board:
        """A match at a position that stands at a decision or is over."""
        board = cls(library, reference)
        board._load(position)
        return board

    def restart(self, seed: int) -> None:
        """Start another match in the memory of this board: allocating one costs more than a few decisions."""
        self._position = self._legal = None
        found = self.library.functions.start(self._held_at, self._ask_at, seeded(seed))
        if found == FAULT:
            position = self.reference.start(seed)
            self.reference.run(position)
            self._refer(position)
        else:
            self._arrive(found)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle as program and position: another process needs native code of its own."""
        return _take_up, (self.library.program, self.position)

    def __copy__(self) -> Board:
        return self.copy()

    def __deepcopy__(self, _known: dict[int, Any]) -> Board:
        return self.copy()

    def copy(self) -> Board:
        """An independent copy."""
        other = Board(self.library, self.reference)
        ctypes.memmove(other._held_at, self._held_at, ctypes.sizeof(self._memory))
        other._position = None if self._position is None else self._position.copy()
        other._legal, other.over, other.seat, other.size = self._legal, self.over, self.seat, self.size
        return other

    # ---------------------------------------------------------------------------------------------- queries
    @property
    def position(self) -> Position:
        """The position, converted to Python."""
        return self.library.mirror.packing.read(self._held) if self._position is None else self._position.copy()

    def choice(self, place: int) -> Choice:
        """The choice with an index; a number parameter as its range."""
        place = self._check(place)
        if self._position is not None:
            assert self._legal is not None
            return self._legal[place]
        found = self.library.functions.peek(self._held_at, self._last_at, self._ask_at, place)
        self._ask.size, self._ask.seat = self.size, self.seat
        if found != ASKED:
            return self.reference.list_legal(self.position)[place]
        return self._read_choice(self._last, self._ask)

    def _read_choice(self, scratch: Any, ask: Any) -> Choice:
        if ask.action < 0:
            return ()
        program = self.library.program
        store = self._find_store()
        after = self.library.mirror.packing.read_slots(scratch)
        if store is not None:
            choice: Choice = after[store][-1]
        else:
            choice = (ask.action, *(after[slot] for slot in program.actions[ask.action].pick_slots))
        picks = program.actions[ask.action].picks
        if picks and picks[-1].least is not None:
            return (*choice[:-1], range(choice[-1], choice[-1] + ask.many))
        return choice

    def _find_store(self) -> int | None:
        end: Any = self.library.program.blocks[self._held.block].end
        found: int | None = end.store
        return found

    def choices(self) -> list[Choice]:
        """All choices, in order."""
        return [self.choice(place) for place in range(self.size)]

    def results(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Scores and winners as things stand."""
        players = self.library.program.players
        if self._position is None:
            scores, winners = (ctypes.c_int64 * players)(), self.library.mirror.winners()
            if not self.library.functions.results(self._held_at, scores, ctypes.byref(winners)):
                return tuple(scores), tuple(winners.seats[: winners.n])
        position = self.position
        return tuple(self.reference.list_scores(position)), self.reference.list_winners(position)

    # ---------------------------------------------------------------------------------------------- playing
    def apply(self, place: int, number: int = 0) -> None:
        """Take the choice with an index, and of a number parameter the number with an index in its range; run to the
        next decision, or the end. `IndexError` for an index out of range; then nothing has changed."""
        if self._position is None:
            try:
                found = self._choose(place, number) if 0 <= place < self.size else FAULT
            except (TypeError, OverflowError):
                found = FAULT
            if found & 255 == ASKED:
                self.seat, self.size = found >> 8 & 255, found >> 16
                return
            if found & 255 != FAULT:
                self._arrive(OVER)
                return
            place, number = self._check(place), self._check_number(place, number)
            self._refer(self.position)
        self._advance(self._check(place), self._check_number(place, number))

    def _check(self, place: int) -> int:
        """A checked index of a choice."""
        place = read_whole(place, "the place of a choice")
        if not 0 <= place < self.size:
            there = "the match is over" if self.over else f"there are {self.size}"
            raise IndexError(f"there is no choice {place}; {there}")
        return place

    def _check_number(self, place: int, number: int) -> int:
        """A checked index of a number in its range."""
        number, choice = read_whole(number, "the place of a number"), self.choice(place)
        many = len(choice[-1]) if choice and isinstance(choice[-1], range) else 1
        if not 0 <= number < many:
            raise IndexError(f"there is no number {number} for this choice; there are {many}")
        return number

    def _arrive(self, found: int) -> None:
        self.over = found != ASKED
        self.seat, self.size = (self._ask.seat, self._ask.size) if found == ASKED else (0, 0)

    # ---------------------------------------------------------------------------------------------- the reference
    def _refer(self, position: Position) -> None:
        """Fall back to the reference at a position."""
        self.handed_over += 1
        self._position, self.over = position, position.over
        if position.over:
            self.seat, self.size = 0, 0
        else:
            self.seat, self._legal = self.reference.find_seat(position), self.reference.list_legal(position)
            self.size = len(self._legal)

    def _advance(self, place: int, number: int) -> None:
        assert self._position is not None and self._legal is not None
        choice = self._legal[place]
        if choice and isinstance(choice[-1], range):
            choice = (*choice[:-1], choice[-1][number])
        position = self._position.copy()
        self.reference.advance(position, choice)
        self._load(position)

    def _load(self, position: Position) -> None:
        """Resume natively at a position, or stay with the reference."""
        if self.library.mirror.packing.write(position, self._held):
            self._ask.given, self._ask.stops = 0, STOPS
            found = self.library.functions.play_on(self._held_at, self._ask_at)
            if found == ASKED:
                self._position = self._legal = None
                self._arrive(found)
                return
        self._refer(position)


def _take_up(program: Program, position: Position) -> Board:
    """Unpickle a board."""
    native = find_native(program)
    library = native.library or native.load()
    if library is None:
        raise RuntimeError(f"there is no native code: {native.problem}")
    return Board.at(library, ReferenceExecutor(program), position)

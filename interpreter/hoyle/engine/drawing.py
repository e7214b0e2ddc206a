"""How choices are drawn for players that look at nothing but how much is offered, as docs/random.md defines it.

In: the seed of a match and the number of players. Out: `Draws`, which say which place of what is offered a seat takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, repeat
from struct import Struct
from typing import TYPE_CHECKING, NamedTuple

from hoyle.model.chance import MASK, MOST_BELOW, PIECE, STEP, derive_seed, find_limit

if TYPE_CHECKING:
    from hoyle.engine.legality import Choice

Take = Callable[[], int]
Redraw = Callable[[int, int, int], int]
Chooser = Callable[[Sequence["Choice"]], "Choice"]

LANE = 128  # bits for each number of 64: room for a product, so that one multiplication works on all of them
DRAWN = 16  # numbers drawn at once
_ONES = sum(1 << LANE * lane for lane in range(DRAWN))
_STEPS = sum(((lane + 1) * STEP & MASK) << LANE * lane for lane in range(DRAWN))
_KEPT = _ONES * MASK
_PIECES = Struct("<" + "4H8x" * DRAWN)


class Draws(NamedTuple):
    """The chance of a whole table: what takes the next piece of each seat's stream, and what is called with a piece
    that may have to be thrown away, a size and a seat. Generated code does what `place` does by itself."""

    takes: list[Take]
    redraw: Redraw

    def place(self, size: int, seat: int) -> int:
        """Which one of so many the seat takes: what `Stream.below` gives."""
        if size == 1:
            return 0
        piece = self.takes[seat]()
        if piece >= PIECE - size:
            piece = self.redraw(piece, size, seat)
        return piece % size


DrawsMaker = Callable[[int, int], Draws]  # from the seed of a match and the number of players


def draw_randomly(seed: int, players: int) -> Draws:
    """All choices are equally likely; each seat has a stream of its own."""
    takes = [chain.from_iterable(_draw_pieces(derive_seed(seed, seat))).__next__ for seat in range(players)]

    def redraw(piece: int, size: int, seat: int) -> int:
        take = takes[seat]
        if size <= PIECE:
            limit = find_limit(size)
            while piece >= limit:
                piece = take()
            return piece
        if size > MOST_BELOW:
            raise ValueError(f"no number can be drawn below {size}")
        piece += PIECE * take()
        while piece >= MOST_BELOW - MOST_BELOW % size:
            piece = take() + PIECE * take()
        return piece

    return Draws(takes, redraw)


def _draw_pieces(state: int) -> Iterator[tuple[int, ...]]:
    """The pieces of a stream, those of many draws at once."""
    while True:
        bits = (_ONES * state + _STEPS) & _KEPT
        bits = ((bits ^ (bits >> 30) & _KEPT) * 0xBF58476D1CE4E5B9) & _KEPT
        bits = ((bits ^ (bits >> 27) & _KEPT) * 0x94D049BB133111EB) & _KEPT
        bits ^= (bits >> 31) & _KEPT
        yield _PIECES.unpack(bits.to_bytes(_PIECES.size, "little"))
        state = (state + DRAWN * STEP) & MASK


def draw_first(seed: int, players: int) -> Draws:
    """The first choice, always."""
    return Draws([repeat(0).__next__] * players, lambda piece, size, seat: piece)


def choose_by(draws: Draws, find_seat: Callable[[], int]) -> Chooser:
    """A chooser that takes what is drawn, and if a number is asked for, the number that is drawn."""

    def choose(choices: Sequence[Choice]) -> Choice:
        seat = find_seat()
        choice = choices[draws.place(len(choices), seat)]
        if choice and type(choice[-1]) is range:
            numbers = choice[-1]
            return (*choice[:-1], numbers[draws.place(len(numbers), seat)])
        return choice

    return choose

"""Random choices of players that consider only how many choices there are, as docs/dev/random.md defines them.

In: the seed of a match and the number of players. Out: `Draws`, which say the index of the choice that a seat takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, repeat
from struct import Struct
from typing import TYPE_CHECKING, NamedTuple

from hoyle.program.model.chance import MASK, MOST_BELOW, PIECE, STEP, derive_seed, find_limit

if TYPE_CHECKING:
    from hoyle.play.engine.legality import Choice

Take = Callable[[], int]
Redraw = Callable[[int, int, int], int]
Chooser = Callable[[Sequence["Choice"]], "Choice"]

LANE = 128  # bits per 64-bit number: products fit, so that one big-integer multiplication serves all lanes
DRAWN = 16  # numbers drawn at once
RANDOM, FIRST = 0, 1  # the policies of native code
_ONES = sum(1 << LANE * lane for lane in range(DRAWN))
_STEPS = sum(((lane + 1) * STEP & MASK) << LANE * lane for lane in range(DRAWN))
_KEPT = _ONES * MASK
_PIECES = Struct("<" + "4H8x" * DRAWN)


class Draws(NamedTuple):
    """The random sources of all seats. `takes`: for each seat, a function for the next 16-bit piece of its stream.
    `redraw`: called with a piece that rejection sampling may discard, a bound and a seat. Generated code inlines
    `place`."""

    takes: list[Take]
    redraw: Redraw

    def place(self, size: int, seat: int) -> int:
        """An index below `size` for the seat, as `Stream.below` gives it."""
        if size == 1:
            return 0
        piece = self.takes[seat]()
        if piece >= PIECE - size:
            piece = self.redraw(piece, size, seat)
        return piece % size


DrawsMaker = Callable[[int, int], Draws]  # from the seed of a match and the number of players


def draw_randomly(seed: int, players: int) -> Draws:
    """Uniformly random choices; each seat has its own stream."""
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
    """The pieces of a stream, those of many draws in one batch."""
    while True:
        bits = (_ONES * state + _STEPS) & _KEPT
        bits = ((bits ^ (bits >> 30) & _KEPT) * 0xBF58476D1CE4E5B9) & _KEPT
        bits = ((bits ^ (bits >> 27) & _KEPT) * 0x94D049BB133111EB) & _KEPT
        bits ^= (bits >> 31) & _KEPT
        yield _PIECES.unpack(bits.to_bytes(_PIECES.size, "little"))
        state = (state + DRAWN * STEP) & MASK


def draw_first(seed: int, players: int) -> Draws:
    """Always the first choice."""
    return Draws([repeat(0).__next__] * players, lambda piece, size, seat: piece)


def choose_by(draws: Draws, find_seat: Callable[[], int]) -> Chooser:
    """A chooser that takes the drawn choice, and draws a number for it if one is open."""

    def choose(choices: Sequence[Choice]) -> Choice:
        seat = find_seat()
        choice = choices[draws.place(len(choices), seat)]
        if choice and type(choice[-1]) is range:
            numbers = choice[-1]
            return (*choice[:-1], numbers[draws.place(len(numbers), seat)])
        return choice

    return choose

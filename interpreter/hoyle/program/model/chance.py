"""The random generator: SplitMix64 in integer arithmetic, specified in docs/dev/random.md. Shuffles
draw in the same order in `fast_chance` and in C, `codegen/c/runtime.c`.

In: a 64-bit state, or a seed. Out: the next state and an unbiased number or a shuffled list; a stream of numbers.
"""

from __future__ import annotations

from typing import TypeVar

from hoyle.program.model.given import read_whole

Element = TypeVar("Element")

MASK = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15
PIECE = 1 << 16
MOST_BELOW = 1 << 32


def seeded(seed: int) -> int:
    """The initial state for a seed, any integer; seeds are equivalent modulo 2**64."""
    return read_whole(seed, "a seed") & MASK


def draw(state: int) -> tuple[int, int]:
    """The next state and 64 random bits.

    >>> draw(seeded(0))[1] == 0xE220A8397B1DCDAF
    True
    """
    state = (state + STEP) & MASK
    bits = state
    bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & MASK
    return state, bits ^ (bits >> 31)


def derive_seed(seed: int, *path: int) -> int:
    """An independent seed for each path below a seed.

    >>> len({derive_seed(s, i) for s in range(50) for i in range(50)})
    2500
    """
    bits = seeded(seed)
    for step in path:
        bits = draw(bits)[1]
        bits = draw((bits + step) & MASK)[1]
    return bits


class Stream:
    """A stream of 16-bit pieces from a seed: each 64-bit draw is split into four pieces, lowest bits first, each used
    once."""

    __slots__ = ("_left", "_state")

    def __init__(self, seed: int) -> None:
        self._state = seeded(seed)
        self._left: list[int] = []

    def take_piece(self) -> int:
        if not self._left:
            self._state, bits = draw(self._state)
            self._left = [bits >> shift & (PIECE - 1) for shift in (48, 32, 16, 0)]
        return self._left.pop()

    def below(self, bound: int) -> int:
        """A uniform number from 0 to bound - 1, by rejection sampling: values in the last, incomplete run of `bound`
        are discarded. A bound of 1 consumes nothing."""
        if bound <= PIECE:
            if bound == 1:
                return 0
            limit, taken = find_limit(bound), self.take_piece()
            while taken >= limit:
                taken = self.take_piece()
            return taken % bound
        if bound > MOST_BELOW:
            raise ValueError(f"no number can be drawn below {bound}")
        while True:
            taken = self.take_piece() + PIECE * self.take_piece()
            if taken < MOST_BELOW - MOST_BELOW % bound:
                return taken % bound


def find_limit(bound: int) -> int:
    """The largest multiple of a bound that is at most 2**16."""
    return PIECE - PIECE % bound


def pick_below(state: int, bound: int) -> tuple[int, int]:
    """The next state and a uniform number from 0 to bound - 1. One draw seeds the stream from which the number is
    taken; a bound of 1 draws nothing."""
    if bound == 1:
        return state, 0
    state, seed = draw(state)
    piece = draw(seed)[1] % PIECE  # fast path: the first piece of the stream is rarely rejected
    if bound <= PIECE and piece < find_limit(bound):
        return state, piece % bound
    return state, Stream(seed).below(bound)


def shuffled(state: int, cards: list[Element]) -> tuple[int, list[Element]]:
    """The next state and the cards in random order, by the Fisher-Yates shuffle: for i from the last index down to 1,
    swap elements i and j, with j uniform from 0 to i. One draw seeds the stream of these numbers, so that nothing later
    depends on how many pieces a shuffle used. Fewer than two cards draw nothing."""
    cards = list(cards)
    if len(cards) < 2:
        return state, cards
    state, seed = draw(state)
    stream = Stream(seed)
    for place in range(len(cards) - 1, 0, -1):
        other = stream.below(place + 1)
        cards[place], cards[other] = cards[other], cards[place]
    return state, cards

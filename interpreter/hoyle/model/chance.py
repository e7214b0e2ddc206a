"""The random generator: SplitMix64, integers only, specified in docs/random.md.

In: a state of 64 bits. Out: the next state and an unbiased number, or a shuffled list.
"""

from __future__ import annotations

MASK = (1 << 64) - 1
PIECE = (1 << 16) - 1
STEP = 0x9E3779B97F4A7C15


def seeded(seed: int) -> int:
    """The state a seed begins with. Seeds are whole numbers; those that differ by 2**64 are the same seed."""
    return seed & MASK


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


def below(state: int, bound: int) -> tuple[int, int]:
    """The next state and a number from 0 to bound - 1, each equally likely: the high 32 bits, redrawn while they fall
    into the last, incomplete run of `bound`."""
    limit = (1 << 32) - (1 << 32) % bound
    while True:
        # `draw`, written out: this is asked for often
        state = (state + STEP) & MASK
        bits = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & MASK
        high = (bits ^ (bits >> 31)) >> 32
        if high < limit:
            return state, high % bound


def shuffled(state: int, cards: list[int]) -> tuple[int, list[int]]:
    """The next state and the cards in random order: for i from the last place down to 1, swap places i and j, where j
    is a number from 0 to i. A draw of 64 bits is cut into four pieces of 16, the lowest first, each good for one place;
    those that fall into the last, incomplete run of i + 1 are thrown away. At most 65,536 cards can be shuffled."""
    cards = list(cards)
    place = len(cards) - 1
    while place > 0:
        state, bits = draw(state)
        for shift in (0, 16, 32, 48):
            piece = bits >> shift & PIECE
            if place > 0 and piece < find_limit(place + 1):
                other = piece % (place + 1)
                cards[place], cards[other] = cards[other], cards[place]
                place -= 1
    return state, cards


def find_limit(bound: int) -> int:
    """The largest multiple of a bound among the numbers of 16 bits."""
    return (1 << 16) - (1 << 16) % bound

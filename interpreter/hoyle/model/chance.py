"""The random generator: SplitMix64, integers only, specified in docs/random.md.

In: a state of 64 bits. Out: the next state and an unbiased number, or a shuffled list.
"""

from __future__ import annotations

MASK = (1 << 64) - 1
HALF = (1 << 32) - 1
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
        state, bits = draw(state)
        high = bits >> 32
        if high < limit:
            return state, high % bound


def shuffled(state: int, cards: list[int]) -> tuple[int, list[int]]:
    """The next state and the cards in random order: for i from the last place down to 1, swap places i and j, where j is
    a number from 0 to i. A draw of 64 bits serves two places, the lower half the first; halves that fall into the last,
    incomplete run of i + 1 are thrown away."""
    cards = list(cards)
    place = len(cards) - 1
    while place > 0:
        state, bits = draw(state)
        for half in (bits & HALF, bits >> 32):
            if place > 0 and half < (1 << 32) - (1 << 32) % (place + 1):
                other = half % (place + 1)
                cards[place], cards[other] = cards[other], cards[place]
                place -= 1
    return state, cards

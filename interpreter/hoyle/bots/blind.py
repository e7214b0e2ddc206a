"""Choosers for bots that look at nothing but the list of what is offered: the same choices as the bots', without texts.

In: the seed of a match, the number of players, and who is to choose. Out: a chooser for all seats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from hoyle.bots.registry import derive_seed
from hoyle.model.chance import MASK, STEP, seeded

if TYPE_CHECKING:
    from hoyle.engine.legality import Choice
    from hoyle.engine.playout import Chooser

HIGH = 1 << 32
LANE = 128  # bits for each number of 64: room for a product, so that one multiplication works on all of them
DRAWN = 32  # numbers drawn at once
_ONES = sum(1 << LANE * lane for lane in range(DRAWN))
_STEPS = sum(((lane + 1) * STEP & MASK) << LANE * lane for lane in range(DRAWN))
_KEPT = _ONES * MASK


def draw_highs(state: int) -> Iterator[int]:
    """The high 32 bits of what `draw` gives from a state on, one after the other, many of them drawn at once."""
    while True:
        bits = (_ONES * state + _STEPS) & _KEPT
        bits = ((bits ^ (bits >> 30) & _KEPT) * 0xBF58476D1CE4E5B9) & _KEPT
        bits = ((bits ^ (bits >> 27) & _KEPT) * 0x94D049BB133111EB) & _KEPT
        bits ^= (bits >> 31) & _KEPT
        yield from memoryview(bits.to_bytes(LANE // 8 * DRAWN, "little")).cast("I")[1::4].tolist()
        state = (state + DRAWN * STEP) & MASK


def choose_randomly(seed: int, players: int, find_seat: Callable[[], int]) -> Chooser:
    """What the bot `random` takes."""
    highs = [draw_highs(seeded(derive_seed(seed, seat))).__next__ for seat in range(players)]

    def choose(choices: list[Choice]) -> Choice:
        size = len(choices)
        draw = highs[find_seat()]
        high = draw()
        if high >= HIGH - size:
            high = _redraw(draw, high, size)
        choice = choices[high % size]
        if choice and type(choice[-1]) is range:
            numbers = choice[-1]
            return (*choice[:-1], numbers[_redraw(draw, draw(), len(numbers)) % len(numbers)])
        return choice

    return choose


def _redraw(draw: Callable[[], int], high: int, bound: int) -> int:
    """A number that does not fall into the last, incomplete run of `bound`."""
    limit = HIGH - HIGH % bound
    while high >= limit:
        high = draw()
    return high


def choose_first(seed: int, players: int, find_seat: Callable[[], int]) -> Chooser:
    """What the bot `first` takes."""

    def choose(choices: list[Choice]) -> Choice:
        first = choices[0]
        return (*first[:-1], first[-1][0]) if first and type(first[-1]) is range else first

    return choose

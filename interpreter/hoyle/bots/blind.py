"""Bots that look at nothing but how much is offered: the same choices as the bots', without texts.

In: the seed of a match and the number of players. Out: which place of what is offered a seat takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from struct import Struct
from typing import TYPE_CHECKING

from hoyle.bots.registry import derive_seed
from hoyle.model.chance import MASK, STEP, seeded

if TYPE_CHECKING:
    from hoyle.bots.registry import Place
    from hoyle.engine.legality import Choice
    from hoyle.engine.playout import Chooser

HIGH = 1 << 32
LANE = 128  # bits for each number of 64: room for a product, so that one multiplication works on all of them
DRAWN = 32  # numbers drawn at once
_ONES = sum(1 << LANE * lane for lane in range(DRAWN))
_STEPS = sum(((lane + 1) * STEP & MASK) << LANE * lane for lane in range(DRAWN))
_KEPT = _ONES * MASK
_HIGHS = Struct("<" + "4xI8x" * DRAWN)


def draw_highs(state: int) -> Iterator[int]:
    """The high 32 bits of what `draw` gives from a state on, one after the other, many of them drawn at once."""
    while True:
        bits = (_ONES * state + _STEPS) & _KEPT
        bits = ((bits ^ (bits >> 30) & _KEPT) * 0xBF58476D1CE4E5B9) & _KEPT
        bits = ((bits ^ (bits >> 27) & _KEPT) * 0x94D049BB133111EB) & _KEPT
        bits ^= (bits >> 31) & _KEPT
        yield from _HIGHS.unpack(bits.to_bytes(_HIGHS.size, "little"))
        state = (state + DRAWN * STEP) & MASK


def place_randomly(seed: int, players: int) -> Place:
    """What the bot `random` takes."""
    highs = [draw_highs(seeded(derive_seed(seed, seat))).__next__ for seat in range(players)]

    def place(size: int, seat: int) -> int:
        high = highs[seat]()
        while high >= HIGH - size and high >= HIGH - HIGH % size:
            high = highs[seat]()  # it fell into the last, incomplete run
        return high % size

    return place


def place_first(seed: int, players: int) -> Place:
    """What the bot `first` takes."""
    return lambda size, seat: 0


def choose_by(place: Place, find_seat: Callable[[], int]) -> Chooser:
    """A chooser that takes what stands at the place, and if a number is asked for, the number at the place."""

    def choose(choices: list[Choice]) -> Choice:
        seat = find_seat()
        choice = choices[place(len(choices), seat)]
        if choice and type(choice[-1]) is range:
            numbers = choice[-1]
            return (*choice[:-1], numbers[place(len(numbers), seat)])
        return choice

    return choose

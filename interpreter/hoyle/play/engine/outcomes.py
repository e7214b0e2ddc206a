"""Chance: outcomes from the script of a position while it lasts, then from the random generator.

In: a position and a question to chance. Out: the outcome; script or random state of the position have advanced.

A question with only one possible outcome consumes nothing from either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from hoyle.play.engine.faults import Fault
from hoyle.program.model.chance import pick_below
from hoyle.program.model.fast_chance import shuffle_fast
from hoyle.program.model.position import Position

NATURAL = "random"


def _next_scripted(position: Position) -> Any:
    """The next scripted outcome, or `NATURAL`."""
    return position.script[0] if position.script else NATURAL


def _take_scripted(position: Position) -> None:
    """Consume the next scripted outcome. Called after it has been validated: an invalid one stays in the script."""
    if position.script:
        del position.script[0]


def choose_order(position: Position, cards: list[int]) -> list[int]:
    """The cards shuffled. A scripted order is restricted to the cards present; those it omits go below."""
    if len(cards) < 2:
        return list(cards)
    scripted = _next_scripted(position)
    if scripted == NATURAL:
        _take_scripted(position)
        position.random, order = shuffle_fast(position.random, cards)
        return order
    if not isinstance(scripted, list | tuple) or any(type(card) is not int for card in scripted):
        raise Fault("bad-script", f"a shuffle needs an order of cards, not {scripted!r}")
    _take_scripted(position)
    present = set(cards)
    named = [card for card in dict.fromkeys(scripted) if card in present]
    rest = set(named)
    return [card for card in cards if card not in rest] + named


def choose_permutation(position: Position, values: tuple[Any, ...]) -> tuple[Any, ...]:
    """A permutation of a list. A scripted one names all its elements."""
    if len(values) < 2:
        return values
    scripted = _next_scripted(position)
    if scripted == NATURAL:
        _take_scripted(position)
        position.random, order = shuffle_fast(position.random, list(range(len(values))))
        return tuple(values[place] for place in order)
    if not isinstance(scripted, list | tuple) or not _are_same(scripted, values):
        raise Fault("bad-script", f"a list of {len(values)} needs an order of its elements, not {scripted!r}")
    _take_scripted(position)
    return tuple(scripted)


def _are_same(scripted: Sequence[Any], values: tuple[Any, ...]) -> bool:
    """Whether a script is a permutation of the elements."""
    try:
        return Counter(scripted) == Counter(values)
    except TypeError:  # unhashable elements
        return False


def choose_cut(position: Position, size: int) -> int:
    """How many cards are below the cut; 0 leaves the pile uncut."""
    if size < 2:
        return 0
    scripted = _next_scripted(position)
    if scripted == NATURAL:
        _take_scripted(position)
        return 1 + _pick_below(position, size - 1)
    if not isinstance(scripted, int) or not 0 <= scripted < size:
        raise Fault("bad-script", f"a cut of {size} cards needs a number from 0 to {size - 1}, not {scripted!r}")
    _take_scripted(position)
    return scripted


def choose_element(position: Position, elements: Sequence[Any]) -> Any:
    """A random element of a list."""
    if not elements:
        raise Fault("empty-draw", "nothing to pick from at random")
    if len(elements) == 1:
        return elements[0]
    scripted = _next_scripted(position)
    if scripted == NATURAL:
        _take_scripted(position)
        return elements[_pick_below(position, len(elements))]
    if scripted not in elements:
        raise Fault("bad-script", f"{scripted!r} is not among what is picked from")
    _take_scripted(position)
    return scripted


class Chance:
    """The source of an executor's random outcomes; a subclass may be substituted, as for expanding chance nodes."""

    def order(self, position: Position, cards: list[int]) -> list[int]:
        return choose_order(position, cards)

    def permutation(self, position: Position, values: tuple[Any, ...]) -> tuple[Any, ...]:
        return choose_permutation(position, values)

    def cut(self, position: Position, cards: list[int]) -> int:
        return choose_cut(position, len(cards))

    def element(self, position: Position, elements: Sequence[Any]) -> Any:
        return choose_element(position, elements)


def _pick_below(position: Position, bound: int) -> int:
    position.random, number = pick_below(position.random, bound)
    return number

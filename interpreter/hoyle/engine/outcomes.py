"""Chance: outcomes from the script of a position while it lasts, then from the generator.

In: a position and what chance is asked. Out: the outcome; the position's script or random state has moved on.
An outcome that could be only one way takes nothing from the script and draws nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from hoyle.engine.faults import Fault
from hoyle.model.chance import pick_below
from hoyle.model.fast_chance import shuffle_fast
from hoyle.model.position import Position

NATURAL = "random"


def _next_scripted(position: Position) -> Any:
    """The next outcome of the script, or `random`."""
    return position.script[0] if position.script else NATURAL


def _take_scripted(position: Position) -> None:
    """The outcome that was next is given, and was fit to be: one that is not stays where it is."""
    if position.script:
        del position.script[0]


def choose_order(position: Position, cards: list[int]) -> list[int]:
    """The cards shuffled. A scripted order is reduced to the cards that are there; those it leaves out lie below."""
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
    """The elements of a list in another order. A scripted order names all of them."""
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
    """Whether a script names the elements of a list, each as often as it is there."""
    try:
        return Counter(scripted) == Counter(values)
    except TypeError:  # of something else than values
        return False


def choose_cut(position: Position, size: int) -> int:
    """How many cards lie below the cut; 0 means not cut."""
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
    """One element of a list."""
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
    """Where an executor's outcomes come from. `Effects` has one; another may stand in its place, as one that asks."""

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

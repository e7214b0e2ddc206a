"""What generated code calls: chance, dealing, lifting cards.

In: a position and values. Out: the position changed. Whatever cannot be done raises, before anything has changed; the
reference executor then does the same again and says what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, combinations, repeat
from math import comb
from typing import Any, TypeVar

from hoyle.engine.effects import plan_deal
from hoyle.engine.limits import FEW, MOST_CHOICES, guard_size, measure_value
from hoyle.engine.outcomes import choose_cut, choose_element, choose_order, choose_permutation
from hoyle.engine.work import USUAL
from hoyle.model.chance import pick_below
from hoyle.model.fast_chance import shuffle_fast
from hoyle.model.position import Position
from hoyle.words import Word

Element = TypeVar("Element")


class Stop(Exception):  # noqa: N818 - never seen outside: the reference says what is wrong
    """Generated code cannot go on here."""


def guard(word: Word) -> Callable[..., Any]:
    """A word that is refused what would grow beyond bounds."""

    def guarded(*arguments: Any) -> Any:
        guard_size(word, list(arguments))
        return word.run(*arguments)

    return guarded


def keep(value: Element) -> Element:
    """A value for a local name; what is long is counted by the reference."""
    if value is not None and measure_value(value) > FEW:
        raise Stop
    return value


def make_room(kept: dict[object, object], once: dict[object, object]) -> None:
    """Forget the newer half of the results that are kept: what comes often came early."""
    for _ in range(len(kept) // 2):
        kept.popitem()
    once.clear()


def is_new(seen: set[object], key: object) -> bool:
    """Whether a key has not been before; it has now."""
    if key in seen:
        return False
    seen.add(key)
    return True


def is_new_there(zones: list[list[int]], seen: dict[int, list[int]], face: int, card: int) -> bool:
    """Whether no card of this face in the same zone has been before; it has now."""
    alike = seen.get(face)
    if alike is None:
        seen[face] = [card]
        return True
    pile = zones[find_zone(zones, card)]
    if any(other in pile for other in alike):
        return False
    alike.append(card)
    return True


def take_out(values: tuple[Element, ...], value: Element) -> tuple[Element, ...]:
    """A list without the first element that is so, if there is one."""
    if value not in values:
        return values
    at = values.index(value)
    return (*values[:at], *values[at + 1 :])


def lift(zones: list[list[int]], card: int) -> None:
    """Take a card from wherever it lies."""
    for pile in zones:
        if card in pile:
            pile.remove(card)
            return
    raise LookupError(f"card {card} lies nowhere")


def find_zone(zones: list[list[int]], card: int) -> int:
    """The zone a card lies in."""
    for zone, pile in enumerate(zones):
        if card in pile:
            return zone
    raise LookupError(f"card {card} lies nowhere")


def list_piles(zones: list[list[int]], base: int, many: int, whose: int | tuple[int, ...] | None) -> tuple[int, ...]:
    """The piles of a family that there are, of one owner or of several."""
    if whose is None:
        return ()
    if not isinstance(whose, tuple):
        begin = base + whose * many
        return tuple([place for place, pile in enumerate(zones[begin : begin + many], begin) if pile])
    return tuple(
        [place for owner in whose for place in range(base + owner * many, base + owner * many + many) if zones[place]]
    )


def find_free(zones: list[list[int]], base: int, many: int, whose: int | tuple[int, ...] | None) -> int | None:
    """The first place of a family where there is no pile."""
    if whose is None:
        return None
    owners = whose if isinstance(whose, tuple) else (whose,)
    for owner in owners:
        for place in range(base + owner * many, base + owner * many + many):
            if not zones[place]:
                return place
    return None


def drop_piles(zones: list[list[int]], states: list[Any], naming: Sequence[int]) -> None:
    """States that name a pile name nothing once it is gone."""
    for index in naming:
        place = states[index]
        if place is not None and not zones[place]:
            states[index] = None


def hold(holders: list[int | None], pile: list[int], owner: int) -> None:
    """Remember whose the cards of a pile are now."""
    for card in pile:
        holders[card] = owner


def list_subsets(values: Sequence[Element]) -> list[tuple[Element, ...]]:
    """What the word `subsets` gives, as a list."""
    if len(values) > USUAL.grouped + 2:
        raise Stop
    return list(chain.from_iterable(map(combinations, repeat(values), range(1, len(values) + 1))))


def tails(values: Sequence[Element]) -> Iterator[tuple[Element, ...]]:
    """What the word `tails` gives, one after the other."""
    values = tuple(values)
    for start in range(len(values) - 1, -1, -1):
        yield values[start:]


def list_places(many: int, few: int) -> Sequence[tuple[int, ...]]:
    """The ways of taking a few of many, by their places."""
    kept = _places.get((many, few))
    if kept is None:
        if comb(many, few) > MOST_CHOICES:
            raise Stop
        kept = tuple(combinations(range(many), few))
        if len(kept) <= MOST_PLACES and len(_places) < MOST_PLACES:
            _places[many, few] = kept
    return kept


MOST_PLACES = 2000
_places: dict[tuple[int, int], Sequence[tuple[int, ...]]] = {}


# ------------------------------------------------------------------------------------------------ chance
def shuffle(position: Position, zone: int) -> None:
    """Shuffle a zone, or put it into the order the script has for it."""
    pile = position.zones[zone]
    if position.script:
        pile[:] = choose_order(position, pile)
    else:
        position.random, pile[:] = shuffle_fast(position.random, pile)


def shuffle_list(position: Position, values: tuple[Element, ...]) -> tuple[Element, ...]:
    """The elements of a list in another order, or in that which the script has for it."""
    if position.script:
        return choose_permutation(position, values)
    position.random, order = shuffle_fast(position.random, list(values))
    return tuple(order)


def cut(position: Position, zone: int) -> None:
    """Cut a zone."""
    pile = position.zones[zone]
    at = choose_cut(position, len(pile))
    if at:
        pile[:] = pile[at:] + pile[:at]


def draw(position: Position, elements: Sequence[Any]) -> Any:
    """One element at random."""
    if position.script or len(elements) < 2:
        return choose_element(position, elements)
    position.random, at = pick_below(position.random, len(elements))
    return elements[at]


# ------------------------------------------------------------------------------------------------ cards
def deal(
    position: Position,
    owners: Sequence[int | None] | None,
    source: int,
    targets: Sequence[int],
    count: int | None,
    packet: int,
    up_to: bool,
) -> None:
    """Deal off the top of a zone, and remember whose the cards are if `owners` are given."""
    zones = position.zones
    pile = zones[source]
    if count is not None and not up_to and packet <= 1 and source not in targets:
        dealt = max(0, count) * len(targets)
        if dealt > len(pile):
            raise Stop
        taken = pile[: -dealt - 1 : -1] if dealt else []
        del pile[len(pile) - dealt :]
        for place, zone in enumerate(targets):
            zones[zone] += taken[place :: len(targets)]
    else:
        if count is not None and not up_to and count * len(targets) > len(pile):
            raise Stop
        places = plan_deal(tuple(targets), len(pile), count, max(1, packet))
        taken = pile[len(pile) - len(places) :]
        del pile[len(pile) - len(places) :]
        taken.reverse()
        for card, zone in zip(taken, places, strict=True):
            zones[zone].append(card)
        targets = [*dict.fromkeys(places)]
    if owners is not None:
        for zone in targets:
            owner = owners[zone]
            if owner is not None:
                hold(position.holders, zones[zone], owner)

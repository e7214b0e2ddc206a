"""The runtime library of printed Python.

In: plain values. Out: plain values; whatever cannot be done raises, and the reference executor does it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain, combinations, repeat
from math import comb
from typing import Any, TypeVar

from hoyle.base.errors import HoyleError
from hoyle.play.engine.limits import MOST_CHOICES, MOST_OFFERED, MOST_ROUNDS, guard_size
from hoyle.play.engine.offering import settle
from hoyle.play.engine.outcomes import choose_cut, choose_element, choose_order, choose_permutation
from hoyle.play.engine.transitions import plan_deal
from hoyle.play.engine.work import USUAL
from hoyle.program.model.chance import pick_below
from hoyle.program.model.divisions import Divider
from hoyle.program.model.fast_chance import shuffle_fast
from hoyle.program.model.groups import Groups, find_twins
from hoyle.program.model.position import Position
from hoyle.program.words import WORDS, Word

Element = TypeVar("Element")
MOST_GROUPED = USUAL.grouped + 2  # elements whose subsets are listed; for more, the reference accounts for the work


class Stop(HoyleError):  # noqa: N818 - internal: the reference reports what is wrong
    """A fault: printed code bails out."""


def list_subsets(values: Sequence[Element]) -> list[tuple[Element, ...]]:
    """All non-empty subsets, by size."""
    if len(values) > MOST_GROUPED:
        raise Stop
    return list(chain.from_iterable(map(combinations, repeat(values), range(1, len(values) + 1))))


def list_tails(values: Sequence[Element]) -> list[tuple[Element, ...]]:
    """All non-empty suffixes, the shortest first."""
    held = tuple(values)
    return [held[start:] for start in range(len(held) - 1, -1, -1)]


SHORT_LIST = MOST_CHOICES.bit_length() - 1  # elements whose subsets cannot be too many


def list_groups(values: Sequence[Element], least: int, most: int) -> list[tuple[Element, ...]]:
    """All combinations of `least` to `most` elements, by size."""
    sizes = range(max(0, least), min(most, len(values)) + 1)
    if len(values) > SHORT_LIST and sum(comb(len(values), size) for size in sizes) > MOST_CHOICES:
        raise Stop
    return list(chain.from_iterable(map(combinations, repeat(values), sizes)))


def make_divide(
    fits: Callable[[Any], bool], grows: Callable[[Any], bool] | None, weights: Sequence[int]
) -> Callable[[Sequence[int]], tuple[Any, ...]]:
    """A function that partitions cards, with caches that live as long as it does."""
    return Divider(fits, grows, weights.__getitem__).divide


def find_zone(zones: Sequence[Sequence[int]], card: int) -> int:
    """The zone a card lies in."""
    for zone, pile in enumerate(zones):
        if card in pile:
            return zone
    raise Stop


def find_place(zones: Sequence[Sequence[int]], card: int) -> int:
    """Where a card lies in its zone, counted from the top."""
    pile = zones[find_zone(zones, card)]
    return len(pile) - pile.index(card)


def find_seat(position: Position, seat: int, step: int) -> int:
    """The next seat that has not left the match; itself if all others have."""
    found = (seat + step) % position.players
    while found in position.retired and found != seat:
        found = (found + step) % position.players
    return found


def multiply(a: int, b: int, largest: int) -> int:
    """A product with an overflow check."""
    made = a * b
    if not -largest < made < largest:
        raise Stop
    return made


# ------------------------------------------------------------------------------------------------ chance
def shuffle(position: Position, zone: int) -> None:
    """Shuffle a zone, or put it into the order the script has for it."""
    pile = position.zones[zone]
    if position.script:
        pile[:] = choose_order(position, pile)
    else:
        position.random, pile[:] = shuffle_fast(position.random, pile)


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
def lift(zones: Sequence[list[int]], card: int) -> None:
    """Remove a card from whatever zone it lies in."""
    for pile in zones:
        if card in pile:
            pile.remove(card)
            return
    raise Stop


def take_out(values: tuple[Element, ...], value: Element) -> tuple[Element, ...]:
    """A list without the first occurrence of a value."""
    if value not in values:
        return values
    at = values.index(value)
    return (*values[:at], *values[at + 1 :])


def deal(
    position: Position, owners: Sequence[int | None] | None, source: int, targets: Sequence[int], count: int | None,
    packet: int, up_to: bool,
) -> None:  # fmt: skip
    """Deal off the top of a zone; with `owners`, update who holds the cards."""
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
                for card in zones[zone]:
                    position.holders[card] = owner


# ------------------------------------------------------------------------------------------------ sheet and seats
def _find_line(position: Position, columns: int, seat: int) -> list[int | None]:
    if position.rounds_played >= MOST_ROUNDS:
        raise Stop
    while len(position.lines) <= position.rounds_played:
        position.lines.append([[None] * (columns + 1) for _ in range(position.players)])
    return position.lines[position.rounds_played][seat]


def write_line(position: Position, columns: int, seat: int, column: int, amount: int) -> None:
    """Write what a seat scores on its line of the score sheet."""
    line = _find_line(position, columns, seat)
    line[column] = (line[column] or 0) + amount


def mark_line(position: Position, columns: int, seat: int, mark: int) -> None:
    """Mark the line of a seat."""
    line = _find_line(position, columns, seat)
    line[-1] = (line[-1] or 0) | 1 << mark


def retire(position: Position, seat: int) -> None:
    """Take a seat out of the match."""
    if seat not in position.retired:
        position.retired = sorted((*position.retired, seat))


# ------------------------------------------------------------------------------------------------ picks
MOST_DRAWN = MOST_OFFERED >> 6  # choices of one action; with more, the reference decides whether all are too many
MOST_PLACES = 2000
_places: dict[tuple[int, int], Sequence[tuple[int, ...]]] = {}


def list_places(many: int, few: int) -> Sequence[tuple[int, ...]]:
    """All combinations of `few` of `many` places; cached."""
    kept = _places.get((many, few))
    if kept is None:
        if comb(many, few) > MOST_CHOICES:
            raise Stop
        kept = tuple(combinations(range(many), few))
        if len(kept) <= MOST_PLACES and len(_places) < MOST_PLACES:
            _places[many, few] = kept
    return kept


def group(cards: Sequence[int], keys: Sequence[Any] | None, least: int, most: int) -> Groups:
    """All combinations of `least` to `most` cards, as a symbolic set that can be indexed."""
    found = Groups(cards, keys, least, most)
    if found.total > MOST_DRAWN:
        raise Stop
    return found


def first_of_face_in_zone(cards: Iterable[int], faces: Sequence[int], position: Position) -> list[int]:
    """One representative of each class of interchangeable cards (same face, same zone), without duplicates."""
    found: list[int] = []
    first: dict[int, int] = {}  # by faces
    others: dict[tuple[int, int], int] = {}  # by zones and faces, where a face has come twice
    for card in dict.fromkeys(cards):
        face = faces[card]
        before = first.setdefault(face, card)
        if before != card:
            if before >= 0:  # zones are looked up only for faces that repeat
                others[find_zone(position.zones, before), face] = before
                first[face] = -1
            if others.setdefault((find_zone(position.zones, card), face), card) != card:
                continue
        found.append(card)
    return found


def list_keys(cards: Sequence[int], faces: Sequence[int], position: Position) -> list[tuple[int, int]]:
    """The equivalence class of each card: zone and face."""
    places = zip(cards, position.find_all(cards), strict=True)
    return [(zone, faces[card]) for card, (zone, _) in places]


# ------------------------------------------------------------------------------------------------ names
NAMED = (
    Groups, Stop, choose_permutation, combinations, cut, deal, draw, find_place, find_seat,
    find_twins, find_zone, first_of_face_in_zone, group, lift, list_groups, list_keys,
    list_places, list_subsets, list_tails, make_divide, mark_line, multiply, retire, settle, shuffle,
    take_out, write_line,
)  # fmt: skip


def guard(word: Word) -> Callable[..., Any]:
    """A word with a check of the size of its result."""

    def guarded(*arguments: Any) -> Any:
        guard_size(word, list(arguments))
        return word.run(*arguments)

    return guarded


def list_names() -> dict[str, Any]:
    """The globals of a printed module, besides its own definitions."""
    names: dict[str, Any] = {each.__name__: each for each in NAMED}
    names |= {f"W_{word.name}": word.run if word.fits is None else guard(word) for word in WORDS.values()}
    return {"__name__": "printed", **names}

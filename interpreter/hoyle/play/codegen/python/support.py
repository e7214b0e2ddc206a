"""The runtime library of printed Python.

In: plain values. Out: plain values; whatever cannot be done raises, and the reference executor does it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, repeat
from math import comb
from operator import le
from typing import Any, TypeVar

from hoyle.base.errors import HoyleError
from hoyle.play.codegen.passes.unranking import MOST_COUNTED
from hoyle.play.engine.limits import MOST_CHOICES, MOST_ROUNDS
from hoyle.play.engine.outcomes import choose_permutation
from hoyle.play.engine.transitions import plan_deal
from hoyle.program.model.chance import pick_below
from hoyle.program.model.fast_chance import shuffle_fast
from hoyle.program.model.offences import make_record, take_back
from hoyle.program.model.position import Position

Element = TypeVar("Element")
PLAYS, STEPS, LISTS = 0, 1, 2  # what `play` stops at: the end of the match, the next decision, each of its choices
MOST_REMEMBERED = 500_000  # values in all memo tables of the process: some fifty megabytes


class Stop(HoyleError):  # noqa: N818 - internal: the reference reports what is wrong
    """A fault: printed code bails out."""


class TooMany(Stop):
    """More choices than generated code lists faster than the reference."""


# ------------------------------------------------------------------------------------------------ bit sets
def lowest_bit(bits: int) -> int:
    return (bits & -bits).bit_length() - 1


def is_row(bits: int) -> bool:
    """Whether the set bits, if any, are contiguous."""
    return bits & (bits + (bits & -bits)) == 0


def list_members(bits: int) -> Iterator[int]:
    """The numbers of the set bits, ascending."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


# ------------------------------------------------------------------------------------------------ groups
def list_groups(
    values: Sequence[Element], least: int, most: int, twins: Sequence[int] | None = None
) -> Iterable[tuple[Element, ...]]:
    """All combinations of `least` to `most` elements, by size. With `twins`, for each place that of the copy before it
    (from 1), none that has a copy without the one before it."""
    sizes = range(max(0, least), min(most, len(values)) + 1)
    if sum(comb(len(values), size) for size in sizes) > MOST_CHOICES:
        raise Stop
    if twins is None or not any(twins):
        return chain.from_iterable(map(combinations, repeat(values), sizes))
    places = chain.from_iterable(map(combinations, repeat(range(len(values))), sizes))
    return (tuple([values[at] for at in group]) for group in places if holds_twins(group, twins))


def holds_twins(places: Sequence[int], twins: Sequence[int]) -> bool:
    """Whether each copy among some places comes with the one before it."""
    return all(not twins[at] or twins[at] - 1 in places[:number] for number, at in enumerate(places))


def count_groups(many: int, least: int, most: int) -> int:
    """The number of combinations of these sizes; one more than can be counted if there are more."""
    return min(sum(comb(many, size) for size in range(max(0, least), min(many, most) + 1)), MOST_COUNTED + 1)


def take_group(values: Sequence[Element], least: int, most: int, number: int) -> tuple[Element, ...]:
    """The combination with a number, by size, then lexicographically."""
    size = max(0, least)
    while size < min(len(values), most) and number >= (ways := comb(len(values), size)):
        number -= ways
        size += 1
    found, at = list[Element](), 0
    for left in range(size - 1, -1, -1):
        while number >= (ways := comb(len(values) - at - 1, left)):
            number -= ways
            at += 1
        found.append(values[at])
        at += 1
    return tuple(found)


def count_classes(cards: Sequence[int], ones: Sequence[int], most: int) -> int:
    """How many cards there are of each class, four bits each; -1 if there are more than `most` cards."""
    return -1 if len(cards) > most else sum([ones[card] for card in cards])


_filled: list[dict[int, int]] = []  # the memo tables that hold anything, also those of programs no longer used
_held = 0


def remember(table: dict[int, int], place: int, value: int | None, low: int) -> None:
    """Store into a memo table: 0 is unknown, 255 is none. When all tables together hold too much, all are emptied."""
    global _held
    if place < 0 or (value is not None and value - low >= 254):
        return
    if _held >= MOST_REMEMBERED:
        for each in _filled:
            each.clear()
        _filled.clear()
        _held = 0
    if not table:
        _filled.append(table)
    table[place] = 255 if value is None else value - low + 1
    _held += 1


def list_held(
    groups: Sequence[int], past: Sequence[int], starts: Sequence[int], mates: Sequence[int], cards: Sequence[int],
    most: int, looked: int,
) -> list[int]:  # fmt: skip
    """The static groups among cards in deck order, as bit sets of places; a fault if they are too many, or if the
    reference, which enumerates them card by card, might have to visit too many."""
    held, place, made = 0, {}, list[int]()
    for at in range(len(cards) - 1, -1, -1):
        card = cards[at]
        if looked >> len(cards) == 0:
            looked -= 1 << (mates[card] & held).bit_count()
        held |= 1 << card
        place[1 << card] = 1 << at
    if looked < 0:
        raise Stop
    for card in cards:
        at, end = starts[card], starts[card + 1]
        while at < end:
            group = groups[at]
            if group & ~held:
                at = past[at]
                continue
            if len(made) == most:
                raise Stop
            places = 0
            while group:
                low = group & -group
                places |= place[low]
                group ^= low
            made.append(places)
            at += 1
    return made


def divide(
    groups: Sequence[int], cards: Sequence[int], weights: Sequence[int], held: int, deck: int, most: int, work: int
) -> list[int]:
    """The best partition of cards into some of their groups, encoded as group * deck + card; a fault if there are too
    many cards or it is too much work."""
    if held.bit_count() > most:
        raise Stop
    groups = [group for group in groups if not group & ~held]
    by_first: dict[int, list[int]] = {}
    left = 0
    for group in groups:
        left |= group
    known: dict[int, tuple[int, int]] = {0: (0, 0)}

    def find_lightest(left: int) -> tuple[int, int]:
        """The least weight left over, and the group that takes the first card, 0 for none."""
        nonlocal work
        work -= 1
        if work < 0:
            raise Stop
        first = left & -left
        best, taken = None, 0
        if first not in by_first:
            by_first[first] = [group for group in groups if group & first]
        for group in by_first[first]:
            if not group & ~left:
                rest = (known.get(left ^ group) or find_lightest(left ^ group))[0]
                if best is None or rest < best or (rest == best and group.bit_count() < taken.bit_count()):
                    best, taken = rest, group
        rest = (known.get(left ^ first) or find_lightest(left ^ first))[0] + weights[first.bit_length() - 1]
        if best is None or rest < best:
            best, taken = rest, 0
        known[left] = best, taken
        return best, taken

    made, number = list[int](), 0
    while left:
        taken = (known.get(left) or find_lightest(left))[1]
        left &= ~taken if taken else left - 1
        made += [number * deck + cards[at] for at in list_members(taken)]
        number += taken != 0
    return made


def write_groups(groups: Sequence[Sequence[int]], deck: int) -> tuple[int, ...]:
    """A list of groups of cards in the encoding of the low form, `group * deck + card`."""
    if not all(groups):
        raise Stop
    return tuple([number * deck + card for number, group in enumerate(groups) for card in group])


def read_groups(codes: Sequence[int], deck: int) -> tuple[tuple[int, ...], ...]:
    """The groups of an encoding."""
    numbers = range(codes[-1] // deck + 1 if codes else 0)
    return tuple([tuple([code % deck for code in codes if code // deck == number]) for number in numbers])


# ------------------------------------------------------------------------------------------------ chance
def shuffle(position: Position, zone: int) -> None:
    pile = position.zones[zone]
    position.random, pile[:] = shuffle_fast(position.random, pile)


def cut(position: Position, zone: int) -> None:
    pile = position.zones[zone]
    if len(pile) > 1:
        position.random, at = pick_below(position.random, len(pile) - 1)
        pile[:] = pile[at + 1 :] + pile[: at + 1]


def draw_below(position: Position, many: int) -> int:
    """A random number below another; a fault if that is not positive."""
    if many <= 0:
        raise Stop
    position.random, drawn = pick_below(position.random, many)
    return drawn


# ------------------------------------------------------------------------------------------------ cards
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


def find_alike(zones: Sequence[Sequence[int]], cards: Sequence[int], many: int, card: int, faces: Sequence[int]) -> int:
    """1 + the index of the last of the first `many` cards that is interchangeable with a card, or 0."""
    face = faces[card]
    for at in range(many, 0, -1):
        other = cards[at - 1]
        if faces[other] == face and find_zone(zones, other) == find_zone(zones, card):
            return at
    return 0


def lift(zones: Sequence[list[int]], card: int) -> None:
    """Remove a card from whatever zone it lies in."""
    for pile in zones:
        if card in pile:
            pile.remove(card)
            return
    raise Stop


def take_part(pile: list[int], cards: Sequence[int]) -> None:
    """Remove cards that all lie in a zone."""
    if cards:
        before = len(pile)
        pile[:] = [card for card in pile if card not in cards]
        if len(pile) + len(cards) != before:
            raise Stop


def hold(holders: list[int | None], cards: Iterable[int], owner: int | None) -> None:
    """Note who holds cards that came to a zone."""
    if owner is not None:
        for card in cards:
            holders[card] = owner


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
            hold(position.holders, zones[zone], owners[zone])


# ------------------------------------------------------------------------------------------------ lists
def take_out(values: tuple[Element, ...], value: Element) -> tuple[Element, ...]:
    """A list without the first occurrence of a value."""
    if value not in values:
        return values
    at = values.index(value)
    return (*values[:at], *values[at + 1 :])


# ------------------------------------------------------------------------------------------------ sheet and seats
def find_seat(position: Position, seat: int, step: int) -> int:
    """The next seat that has not left the match; itself if all others have."""
    found = (seat + step) % position.players
    while found in position.retired and found != seat:
        found = (found + step) % position.players
    return found


def retire(position: Position, seat: int) -> None:
    """Take a seat out of the match."""
    if seat not in position.retired:
        position.retired = sorted((*position.retired, seat))


def find_line(position: Position, number: int) -> list[int | None]:
    """A line of the score sheet by its number: lines of all seats, round by round."""
    return position.lines[number // position.players][number % position.players]


def is_written(position: Position, number: int) -> bool:
    return any(entry is not None for entry in find_line(position, number))


def _open_line(position: Position, seat: int) -> list[int | None]:
    """The line of a seat in this round."""
    if position.rounds_played >= MOST_ROUNDS:
        raise Stop
    while len(position.lines) <= position.rounds_played:
        position.lines.append([[None] * (len(position.totals) + 1) for _ in range(position.players)])
    return position.lines[position.rounds_played][seat]


def write_line(position: Position, seat: int, column: int, amount: int) -> None:
    """Write what a seat scores on its line of the score sheet."""
    line = _open_line(position, seat)
    line[column] = (line[column] or 0) + amount


def mark_line(position: Position, seat: int, mark: int) -> None:
    """Mark the line of a seat."""
    line = _open_line(position, seat)
    line[-1] = (line[-1] or 0) | 1 << mark


NAMED = (
    Stop, TooMany, count_classes, count_groups, cut, deal, divide, draw_below, find_alike, find_line, find_place,
    find_seat, find_zone, hold, holds_twins, is_row, is_written, le, lift, list_groups, list_held, list_members,
    lowest_bit, make_record, mark_line, read_groups, remember, retire, shuffle, take_back, take_group, take_out,
    take_part, write_groups, write_line,
)  # fmt: skip


def list_names() -> dict[str, Any]:
    """The globals of a printed module, besides its own definitions."""
    numbers = {"PLAYS": PLAYS, "STEPS": STEPS, "LISTS": LISTS, "ONCE": (0,), "mix": choose_permutation}
    return {"__name__": "printed", **{each.__name__: each for each in NAMED}, **numbers}

"""What others could not have held, seen from what they chose.

In: the choices of a round with the positions they were made in, and what a seat does not know. Out: for each card it
does not know which cards it cannot be. Who plays another suit than he should follow has none of it; who passes though
he would have had to play has nothing to play.

Nothing here knows a rule. A choice is tried again in its position with all that the seat does not know taken out of
what the chooser saw. If it is legal so, and not with one card more, then the chooser had not that card.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from hoyle.engine.course import Course, follow
from hoyle.engine.legality import Choice
from hoyle.engine.limits import measure_value

if TYPE_CHECKING:
    from hoyle.engine.sampling import Sampler
    from hoyle.model.events import Event
    from hoyle.model.position import Position
    from hoyle.view.shuffling import Redealer

MOST_KEPT = 60  # choices looked back at
MOST_HELD = 10_000  # elements of the lists of a position that is kept
Barred = Mapping[int, frozenset[int]]  # which cards a card that is not known cannot be
Needed = Sequence[tuple[int, frozenset[int]]]  # of which cards one at least lies in a zone


class Telling(NamedTuple):
    """Cards that made a difference in a zone, among all that a seat did not see."""

    zone: int
    cards: frozenset[int]
    among: frozenset[int]


class Moment(NamedTuple):
    """A choice, who made it, the position before it, which nobody changes any more, and what came of it: the zones into
    which cards came, how large all zones were then, and how cards were moved. `needed` and `lacking` keep what a seat
    concluded from it, for the next time."""

    position: Position
    seat: int
    choice: Choice
    entered: frozenset[int]
    sizes: tuple[int, ...]
    course: Course
    needed: dict[int, Telling | None]
    lacking: dict[int, list[Telling]]


class Moments:
    """The last choices of a round."""

    def __init__(self) -> None:
        self._kept: list[Moment] = []
        self._rename: Callable[[Moment], Moment] | None = None

    def note(
        self, position: Position, seat: int, choice: Choice, after: Position, events: Sequence[Event]
    ) -> None:
        """A choice was made in a position, and led to another by these events."""
        kept = self.listed
        if kept and kept[-1].position.rounds_played != position.rounds_played:
            kept.clear()
        if _measure_lists(position) > MOST_HELD:  # sixty of them would fill the memory; what came before is out of date
            kept.clear()
            return
        piles = zip(position.zones, after.zones, strict=True)
        entered = [zone for zone, (before, now) in enumerate(piles) if before != now and not set(now) <= set(before)]
        sizes, course = tuple(map(len, after.zones)), follow(position, events)
        kept.append(Moment(position, seat, choice, frozenset(entered), sizes, course, {}, {}))
        del kept[:-MOST_KEPT]

    @property
    def listed(self) -> list[Moment]:
        if self._rename is not None:
            self._kept = list(map(self._rename, self._kept))
            self._rename = None
        return self._kept

    def copy(self, rename: Callable[[Moment], Moment] | None = None) -> Moments:
        """The same choices; with `rename`, with other names of cards. That is done when they are asked for."""
        other = Moments()
        other._kept, other._rename = self.listed[:], rename
        return other


def find_barred(
    sampler: Sampler, position: Position, seat: int, hidden: Sequence[int], moments: Moments
) -> dict[int, frozenset[int]]:
    """Which of the cards that a seat does not know cannot be which, by the choices of the others in this round."""
    if sampler.executor.program.called or not hidden:  # errors can be made: then everything could have been chosen
        return {}
    finder = _Finder(sampler, seat, frozenset(hidden))
    found: dict[int, set[int]] = {}
    entered: set[int] = set()  # where other cards have come since
    for moment in reversed(moments.listed):
        if moment.position.rounds_played != position.rounds_played:
            break
        entered |= moment.entered
        if moment.seat != seat:
            for zone, cards in finder.find(moment, entered):
                for card in finder.hidden.intersection(position.zones[zone]):
                    found.setdefault(card, set()).update(cards)
    return {card: frozenset(cards) for card, cards in found.items()}


class _Finder:
    def __init__(self, sampler: Sampler, seat: int, hidden: frozenset[int]) -> None:
        self.seat, self.hidden = seat, hidden
        self.ordered = sorted(hidden)
        self.sight = sampler.executor.effects.sight
        self.fixed = self.sight.fixed
        self.retrying = sampler.retrying

    def find(self, moment: Moment, entered: set[int]) -> list[tuple[int, list[int]]]:
        """The cards that the chooser cannot have had in a zone he saw, if none came there since."""
        position, hidden, bit = moment.position, self.hidden, 1 << moment.seat
        is_legal = self.retrying.is_legal
        if not hidden.isdisjoint(self.retrying.list_named(moment.choice)) or not self.retrying.is_plain(position):
            return []
        sees = [mask is not None and bool(mask & bit) for mask in self.fixed]
        own = [
            zone for zone, pile in enumerate(position.zones) if sees[zone] and not hidden.isdisjoint(pile)
        ]
        away = next((zone for zone, seen in enumerate(sees) if not seen and self.fixed[zone] is not None), None)
        if away is None or entered.issuperset(own) or self._has_seen(position):
            return []
        bare = position.copy()
        for zone in own:
            bare.zones[away] = [card for card in bare.zones[zone] if card in hidden] + bare.zones[away]
            bare.zones[zone] = [card for card in bare.zones[zone] if card not in hidden]
        if not is_legal(bare, moment.choice):
            return []
        found = []
        for zone in own:
            if zone not in entered and not is_legal(self._with_all(bare, zone), moment.choice):
                cards = [
                    card for card in self.ordered if not is_legal(_with(bare, zone, away, card), moment.choice)
                ]
                if len(cards) < len(self.ordered):
                    found.append((zone, cards))
        return found

    def _has_seen(self, position: Position) -> bool:
        """Whether the seat saw any of the cards then, which have been shuffled since: what was legal went by them."""
        bit = 1 << self.seat
        for zone, pile in enumerate(position.zones):
            if self.hidden.isdisjoint(pile):
                continue
            masks = self.sight.mask_places(position, zone)
            if any(mask & bit and card in self.hidden for card, mask in zip(pile, masks, strict=True)):
                return True
        return False

    def _with_all(self, bare: Position, zone: int) -> Position:
        full = bare.copy()
        full.zones = [[card for card in pile if card not in self.hidden] for pile in bare.zones]
        full.zones[zone] += self.ordered
        return full


def rename_moment(redealer: Redealer, becomes: Mapping[int, int], moment: Moment) -> Moment:
    """A choice in a position whose cards have other names."""
    position, course = redealer.rename(moment.position, becomes), moment.course.rename(becomes)
    return moment._replace(position=position, course=course, needed={}, lacking={})


def _measure_lists(position: Position) -> int:
    return sum(measure_value(value) for value in (*position.states, *position.slots) if isinstance(value, tuple))


def _with(bare: Position, zone: int, away: int, card: int) -> Position:
    """The position with a card in a zone, and in the place of the card one of those that were put away, so that piles
    are as large wherever the card lay."""
    made = bare.copy()
    for other, pile in enumerate(made.zones):
        if card in pile:
            if other != away:
                pile[pile.index(card)] = made.zones[away].pop(0)
            else:
                pile.remove(card)
            break
    made.zones[zone].append(card)
    return made

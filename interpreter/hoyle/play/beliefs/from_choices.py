"""Belief pruning from the choices of opponents: cards that they could not have held.

In: the choices of this round with the positions they were made in, and the cards a seat does not know. Out: for each
unknown card the cards that it cannot be. A player who does not follow suit has no card of that suit; one who passes
although a play would have been compulsory has nothing to play.

The inference knows no rules of any game: it checks the legality of a choice again in its position, with the cards
unknown to the seat removed from what the chooser saw. If the choice is legal then, but not with one particular card
added, the chooser did not have that card.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from hoyle.play.engine.course import Course, follow
from hoyle.play.engine.legality import Choice
from hoyle.play.engine.limits import measure_value

if TYPE_CHECKING:
    from hoyle.play.beliefs.determinization import Sampler
    from hoyle.play.beliefs.position_sampling import Redealer
    from hoyle.program.model.events import Event
    from hoyle.program.model.position import Position

MOST_KEPT = 60  # length of the history
MOST_HELD = 10_000  # list elements in a position up to which it is kept
Barred = Mapping[int, frozenset[int]]  # by unknown card: the cards that it cannot be
Needed = Sequence[tuple[int, frozenset[int]]]  # zones, and cards of which at least one lies there


class Telling(NamedTuple):
    """The decisive cards for a zone, and all cards that the seat did not see."""

    zone: int
    cards: frozenset[int]
    among: frozenset[int]


class Moment(NamedTuple):
    """A choice with its context: the position before it (frozen by convention) and the seat; the zones that cards
    entered, the sizes of all zones afterwards, and the movements of cards. `needed` and `lacking` cache what each seat
    inferred from it."""

    position: Position
    seat: int
    choice: Choice
    entered: frozenset[int]
    sizes: tuple[int, ...]
    course: Course
    needed: dict[int, Telling | None]
    lacking: dict[int, list[Telling]]


class Moments:
    """The latest choices of the current round."""

    def __init__(self) -> None:
        self._kept: list[Moment] = []
        self._rename: Callable[[Moment], Moment] | None = None

    def note(
        self, position: Position, seat: int, choice: Choice, after: Position, events: Sequence[Event]
    ) -> None:
        """Record a choice, with the position before it, the one after it, and the events in between."""
        kept = self.listed
        if kept and kept[-1].position.rounds_played != position.rounds_played:
            kept.clear()
        if _measure_lists(position) > MOST_HELD:  # too large to keep sixty; without it, earlier moments are outdated
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
        """A copy; `rename`, applied lazily, relabels the cards in each moment."""
        other = Moments()
        other._kept, other._rename = self.listed[:], rename
        return other


def find_barred(
    sampler: Sampler, position: Position, seat: int, hidden: Sequence[int], moments: Moments
) -> dict[int, frozenset[int]]:
    """For each card unknown to a seat the cards that it cannot be, inferred from the other seats' choices in this
    round."""
    if sampler.executor.program.called or not hidden:  # where offences are possible, choices prove nothing
        return {}
    finder = _Finder(sampler, seat, frozenset(hidden))
    found: dict[int, set[int]] = {}
    entered: set[int] = set()  # zones that new cards have entered since
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
        """For each zone the chooser saw, unless cards entered it since: the cards that the chooser cannot have had
        there."""
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
        """Whether the seat saw any of the now unknown cards at that time: their present labels would be wrong for that
        position."""
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
    """A moment with cards relabelled, and its cached inferences dropped."""
    position, course = redealer.rename(moment.position, becomes), moment.course.rename(becomes)
    return moment._replace(position=position, course=course, needed={}, lacking={})


def _measure_lists(position: Position) -> int:
    return sum(measure_value(value) for value in (*position.states, *position.slots) if isinstance(value, tuple))


def _with(bare: Position, zone: int, away: int, card: int) -> Position:
    """The position with a card placed in a zone, and one of the cards put away in its former place, so that pile sizes
    do not depend on where the card was."""
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

"""What others must have held, seen from what they chose.

In: the choices of a round with the positions they were made in, and what a seat does not know. Out: zones, and for each
cards of which at least one lies there: who may ask only for what he holds has what he asks for.

Nothing here knows a rule. A choice is tried again in its position with other cards in the place of all that the seat
did not see in the chooser's hand. If it is legal whenever one of certain cards is among them, and never otherwise, he
had one of those. One is there still as long as none of them has been seen there or to leave, and nothing has left
unseen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hoyle.engine.hands import Hands
from hoyle.engine.moments import Moment, Moments, Telling

if TYPE_CHECKING:
    from hoyle.engine.sampling import Sampler
    from hoyle.model.position import Position
    from hoyle.view.shuffling import Hidden


def find_needed(
    sampler: Sampler, position: Position, seat: int, hidden: Sequence[int], moments: Moments
) -> list[tuple[int, frozenset[int]]]:
    """Zones, and cards that a seat does not know of which one at least lies there, by the choices of the others in this
    round."""
    if sampler.executor.program.called or not hidden:  # errors can be made: then everything could have been chosen
        return []
    finder, unknown = _Finder(sampler), frozenset(hidden)
    found: list[tuple[int, frozenset[int]]] = []
    unseen: set[int] = set()  # zones that cards have left since which the seat did not see
    left: dict[int, frozenset[int]] = {}  # by zone: cards that have left it since
    for moment in reversed(moments.listed):
        if moment.position.rounds_played != position.rounds_played:
            break
        course = moment.course
        if course.is_mixed:
            break
        unseen.update(zone for zone, mask in course.unseen.items() if mask >> seat & 1)
        for zone, gone in course.left.items():
            left[zone] = left.get(zone, gone) | gone
        if moment.seat == seat:
            continue
        if seat not in moment.needed:
            moment.needed[seat] = finder.find(moment, seat)
        need = moment.needed[seat]
        # What was seen then and is not known now has other names in a sample, and so has what was legal.
        if need is None or need.zone in unseen or not unknown <= need.among:
            continue
        known = need.cards - unknown  # one of them that is not there and did not leave was never there
        cards = need.cards - known
        if cards and known.isdisjoint(left.get(need.zone, ())) and known.isdisjoint(position.zones[need.zone]):
            found = [each for each in found if each[0] != need.zone or not cards <= each[1]]
            if not any(zone == need.zone and fewer <= cards for zone, fewer in found):
                found.append((need.zone, cards))
    return found


class _Finder:
    def __init__(self, sampler: Sampler) -> None:
        self.redealer = sampler.redealer
        self.retrying = sampler.retrying
        self.sight = sampler.executor.effects.sight

    def find(self, moment: Moment, seat: int) -> Telling | None:
        """The cards of which the chooser must have had one, among those that a seat did not see."""
        position = moment.position
        if not self.retrying.is_plain(position):
            return None
        hidden = self.redealer.prepare(position, seat)
        if not set(hidden.cards).isdisjoint(self.retrying.list_named(moment.choice)):
            return None  # he had the card he chose; what else he had is seldom told by it
        zone = self._find_own(moment, hidden)
        if zone is None:
            return None
        is_legal, choice = self.retrying.is_legal, moment.choice
        hands = Hands(self.redealer, position, hidden, zone, lambda tried: is_legal(tried, choice))
        cards = hands.find_telling()
        return Telling(zone, frozenset(cards), frozenset(hidden.cards)) if cards else None

    def _find_own(self, moment: Moment, hidden: Hidden) -> int | None:
        """The only zone in which the chooser saw what the seat did not."""
        bit, own = 1 << moment.seat, []
        unknown = set(hidden.cards)
        for zone in hidden.zones:
            masks = self.sight.mask_places(moment.position, zone)
            pile = moment.position.zones[zone]
            if any(mask & bit and card in unknown for card, mask in zip(pile, masks, strict=True)):
                own.append(zone)
        return own[0] if len(own) == 1 and self.sight.fixed[own[0]] is not None else None

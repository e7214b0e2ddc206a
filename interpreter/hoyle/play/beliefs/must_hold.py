"""Belief constraints from the choices of opponents: cards that they must have held.

In: the choices of this round with the positions they were made in, and the cards a seat does not know. Out: zones, each
with a set of cards of which at least one lies there. Where players may ask only for what they hold, a player who asks
holds such a card.

The inference knows no rules of any game: it checks the legality of a choice again in its position with other cards
substituted for those in the chooser's hand that the seat did not see. If it is legal whenever one of certain cards is
among them, and never otherwise, the chooser had one of these. At least one is still there while none of them has been
seen there or seen to leave, and no card has left unseen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hoyle.play.beliefs.from_choices import Moment, Moments, Telling
from hoyle.play.beliefs.group_testing import Hands

if TYPE_CHECKING:
    from hoyle.play.beliefs.determinization import Sampler
    from hoyle.play.beliefs.position_sampling import Hidden
    from hoyle.program.model.position import Position


def find_needed(
    sampler: Sampler, position: Position, seat: int, hidden: Sequence[int], moments: Moments
) -> list[tuple[int, frozenset[int]]]:
    """Zones, each with a set of cards unknown to the seat of which at least one lies there, inferred from the other
    seats' choices in this round."""
    if sampler.executor.program.called or not hidden:  # where offences are possible, choices prove nothing
        return []
    finder, unknown = _Finder(sampler), frozenset(hidden)
    found: list[tuple[int, frozenset[int]]] = []
    unseen: set[int] = set()  # zones that cards have left since, unseen by the seat
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
        # Cards seen then and unknown now are relabelled in a sample, which would invalidate the inference.
        if need is None or need.zone in unseen or not unknown <= need.among:
            continue
        known = need.cards - unknown  # a known card that is not there and did not leave was never there
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
        """The cards of which the chooser must have held at least one, among those the seat did not see."""
        position = moment.position
        if not self.retrying.is_plain(position):
            return None
        hidden = self.redealer.prepare(position, seat)
        if not set(hidden.cards).isdisjoint(self.retrying.list_named(moment.choice)):
            return None  # the choice itself reveals a held card, and seldom anything beyond that
        zone = self._find_own(moment, hidden)
        if zone is None:
            return None
        is_legal, choice = self.retrying.is_legal, moment.choice
        hands = Hands(self.redealer, position, hidden, zone, lambda tried: is_legal(tried, choice))
        cards = hands.find_telling()
        return Telling(zone, frozenset(cards), frozenset(hidden.cards)) if cards else None

    def _find_own(self, moment: Moment, hidden: Hidden) -> int | None:
        """The zone in which the chooser saw cards that the seat did not; None unless there is exactly one."""
        bit, own = 1 << moment.seat, []
        unknown = set(hidden.cards)
        for zone in hidden.zones:
            masks = self.sight.mask_places(moment.position, zone)
            pile = moment.position.zones[zone]
            if any(mask & bit and card in unknown for card, mask in zip(pile, masks, strict=True)):
                own.append(zone)
        return own[0] if len(own) == 1 and self.sight.fixed[own[0]] is not None else None

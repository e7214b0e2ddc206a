"""Belief pruning from the outcomes of our own choices: cards that opponents cannot hold.

In: the choices of a seat in this round with the positions they were made in, and the cards it does not know. Out: for
each unknown card the cards that it cannot be. A player who was asked for sevens and gave none holds no sevens but those
drawn since.

The inference knows no rules of any game: it replays a choice in its position with other cards substituted for those
that the seat neither saw then nor has seen in what followed. If the sizes of zones come out different whenever one of
certain cards lies in a hand, and never otherwise, none of these cards was there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hoyle.play.beliefs.from_choices import Moment, Moments, Telling
from hoyle.play.beliefs.group_testing import Hands
from hoyle.play.engine.faults import Fault

if TYPE_CHECKING:
    from hoyle.play.beliefs.determinization import Sampler
    from hoyle.play.beliefs.position_sampling import Hidden
    from hoyle.program.model.position import Position

MOST_TURNED = 12  # deals tried by the quick test whether hidden cards matter; with small hands there would be too many


def find_lacking(
    sampler: Sampler, position: Position, seat: int, hidden: Sequence[int], moments: Moments
) -> dict[int, frozenset[int]]:
    """For each card unknown to a seat the cards that it cannot be, inferred from the outcomes of the seat's own choices
    in this round."""
    if sampler.executor.program.called or not hidden:
        return {}
    finder, unknown = _Finder(sampler), frozenset(hidden)
    found: dict[int, frozenset[int]] = {}
    came: dict[int, int] = {}  # by zone: number of cards that have arrived since and that the seat does not know
    for moment in reversed(moments.listed):
        if moment.position.rounds_played != position.rounds_played or moment.course.is_mixed:
            break
        for zone, cards in moment.course.came.items():
            strange = sum(not mask >> seat & 1 or card in unknown for card, mask in cards)
            came[zone] = came.get(zone, 0) + strange
        if moment.seat != seat:
            continue
        if seat not in moment.lacking:
            moment.lacking[seat] = finder.find(moment, seat)
        for zone, lacked, among in moment.lacking[seat]:
            if not unknown <= among:  # cards seen then and unknown now are relabelled in a sample
                continue
            # Any of the unknown cards there may be the new arrivals: to a seat that sees none of them they are
            # interchangeable, so as many as arrived are left unconstrained.
            there = [card for card in position.zones[zone] if card in unknown]
            for card in there[: max(0, len(there) - came.get(zone, 0))]:
                found[card] = found.get(card, lacked) | lacked
    return found


class _Finder:
    def __init__(self, sampler: Sampler) -> None:
        self.executor = sampler.executor
        self.redealer = sampler.redealer
        self.retrying = sampler.retrying
        self.sight = sampler.executor.effects.sight

    def find(self, moment: Moment, seat: int) -> list[Telling]:
        """Cards that cannot have been in a zone when the seat made its choice."""
        position = moment.position
        if not self.retrying.is_plain(position):
            return []
        hidden = self.redealer.prepare(position, seat, self._list_shown(moment, seat))
        hands = [zone for zone in hidden.zones if self.sight.fixed[zone] and position.zones[zone]]
        if not hands or not self._makes_difference(moment, hidden, hands):
            return []
        found = []
        for zone in hands:
            tried = Hands(self.redealer, position, hidden, zone, lambda each: self._comes_otherwise(moment, each))
            if lacked := tried.find_telling():
                found.append(Telling(zone, frozenset(lacked), frozenset(hidden.cards)))
        return found

    def _list_shown(self, moment: Moment, seat: int) -> list[int]:
        """For each card, as a mask, whether the seat saw all its movements and thus knows where it had been."""
        moved: dict[int, int] = {}
        for cards in moment.course.came.values():
            for card, mask in cards:
                moved[card] = moved.get(card, 1 << seat) & mask
        return [moved.get(card, 0) for card in range(len(self.executor.program.cards))]

    def _makes_difference(self, moment: Moment, hidden: Hidden, hands: Sequence[int]) -> bool:
        """Quick test: whether the outcome changes for any rotation of the unknown cards through these zones."""
        unknown, size = set(hidden.cards), len(hidden.cards)
        step = min(sum(card in unknown for card in moment.position.zones[zone]) for zone in hands)
        if size > step * MOST_TURNED:
            return False
        for at in range(0, size, step):
            becomes = dict(zip(hidden.cards, hidden.ordered[at:] + hidden.ordered[:at], strict=True))
            if self._comes_otherwise(moment, self.redealer.rename_hidden(moment.position, becomes, hidden)):
                return True
        return False

    def _comes_otherwise(self, moment: Moment, position: Position) -> bool:
        """Whether the choice leads to zones of other sizes than it did. Destroys the position."""
        try:
            self.executor.advance(position, moment.choice)
        except Fault:
            return True
        return tuple(map(len, position.zones)) != moment.sizes

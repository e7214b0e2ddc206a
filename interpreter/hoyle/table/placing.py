"""Which numbers are places of cards: `play 2` may mean the second card of a hand, which nobody need see to pick it.

In: a match in which a seat is to say a number. Out: the zone whose cards the number counts, from the top, if it does.
That is found out by trying the least and the greatest: the card that goes first must lie at that place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hoyle.engine.faults import Fault

if TYPE_CHECKING:
    from hoyle.engine.actions import Action
    from hoyle.engine.game import Match


class Places:
    """Which actions of a game name a card by its place. That is a matter of its rules, and found out once."""

    def __init__(self) -> None:
        self._found: dict[str, bool] = {}

    def find(self, match: Match, tried: dict[int, Action]) -> int | None:
        """The zone whose places the numbers are with which an action can be taken; None if they are something else."""
        low, high = min(tried), max(tried)
        name = tried[low].name
        if name not in self._found:
            if low == high:
                return None  # it might be the number of cards
            ends = [_find_taken(match, tried[number]) for number in (low, high)]
            zones = {zone for zone, _ in ends}
            self._found[name] = len(zones) == 1 and [place for _, place in ends] == [low, high]
        return _find_taken(match, tried[low])[0] if self._found[name] else None


def _find_taken(match: Match, action: Action) -> tuple[int | None, int]:
    """From where an action takes a card first, and its place there from the top; nowhere if it takes none or more."""
    trial = match.copy()
    try:
        trial.apply(action)
    except Fault:
        return None, 0
    moved = (event for event in trial.events[len(match.events) + 1 :] if event.name == "moved")
    first = next(moved, None)
    if first is None or len(first.data["cards"]) != 1:
        return None, 0
    zone, card = first.data["source"][0], first.data["cards"][0]
    cards = match.position.zones[zone]
    return (zone, len(cards) - cards.index(card)) if card in cards else (None, 0)

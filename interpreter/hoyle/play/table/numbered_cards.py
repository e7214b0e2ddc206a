"""Detects numbers that are places of cards: `play 2` may mean the second card of a hand, picked face down.

In: a match in which a seat is to choose a number. Out: the zone whose cards the number counts, from the top, if any. It
applies the lowest and the highest number to samples of the match: both must first move the card at that place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hoyle.play.engine.faults import Fault

if TYPE_CHECKING:
    from hoyle.play.engine.actions import Action
    from hoyle.play.engine.game import Match


class Places:
    """Finds actions that pick a card by its place. Only the rules decide this, so the result is cached by action."""

    def __init__(self) -> None:
        self._found: dict[str, bool] = {}

    def find(self, match: Match, tried: dict[int, Action]) -> int | None:
        """Return the zone whose places the numbers of an action mean, None if they mean something else; `tried` maps
        the lowest and the highest numbers to the actions with them."""
        low, high = min(tried), max(tried)
        name = tried[low].name
        if name not in self._found:
            if low == high:
                return None  # a single number could as well be the number of cards; decide another time
            ends = [_find_taken(match, tried[number]) for number in (low, high)]
            zones = {zone for zone, _ in ends}
            self._found[name] = len(zones) == 1 and [place for _, place in ends] == [low, high]
        return _find_taken(match, tried[low])[0] if self._found[name] else None


def _find_taken(match: Match, action: Action) -> tuple[int | None, int]:
    """Apply an action to a sample, which hides what the seat does not know, and return the zone and the place, from the
    top, of the single card that it moves first; (None, 0) if its first move is not of one card."""
    trial = match.sample(match.find_seat(), 0)
    zones = [pile[:] for pile in trial.position.zones]
    try:
        trial.apply(action)
    except Fault:
        return None, 0
    first = next((event for event in trial.events if event.name == "moved"), None)
    if first is None or len(first.data["cards"]) != 1:
        return None, 0
    zone, card = first.data["source"][0], first.data["cards"][0]
    return (zone, len(zones[zone]) - zones[zone].index(card)) if card in zones[zone] else (None, 0)

"""Which cards each seat knows, beyond those it sees where they lie: what it has been shown, has held or has put away.

In: the events of a match. Out: for every card a mask of the seats that know it at the place where it lies.

Knowledge goes with a card while everybody can tell which card is moved: off the top of a pile, or with all the others
of its zone. When somebody moves a card unseen out of a hand of several, those who knew a card there no longer know
whether it was that one; and what is shuffled or cut is known to nobody who does not see it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hoyle.ir.nodes import Program
from hoyle.ir.visibility import list_ways
from hoyle.model.events import FORGOTTEN, Event
from hoyle.model.position import Position
from hoyle.view.names import Names
from hoyle.view.seeing import everybody


class Knowledge:
    """`masks[card]`: bit s is set if seat s knows where the card lies, whether or not it sees it there."""

    __slots__ = ("_chosen_from", "_everybody", "_start", "heard", "masks", "places")

    def __init__(self, program: Program, names: Names) -> None:
        self._everybody = everybody(program.players)
        # Zones out of which cards are taken by choice, so that nobody else can tell which.
        self._chosen_from = frozenset(
            index
            for index, (zone, _) in enumerate(names.zones)
            if any(shown.owner or shown.last_holder for shown in list_ways(zone))
        )
        self._start = program.zones[program.start_zone].base
        self.masks = [0] * len(program.cards)
        self.places: list[int] | None = [self._start] * len(program.cards)  # None: not known any more
        self.heard = 0

    @classmethod
    def of(cls, program: Program, names: Names, position: Position, masks: Sequence[int] = ()) -> Knowledge:
        """What is known where a match is taken up in the middle: where cards lie, and who knows which by the masks."""
        found = cls(program, names)
        found.masks[: len(masks)] = masks
        found.places = [zone for zone, _ in position.find_all(range(len(program.cards)))]
        return found

    def hear(self, events: Sequence[Event]) -> None:
        """Take in the events since the last time."""
        for event in events[self.heard :]:
            self._take_in(event)
        self.heard = len(events)

    def relabel(self, becomes: Mapping[int, int], events: int = 0) -> Knowledge:
        """What is known in a position in which cards have changed places, from which so many events are recorded."""
        other = object.__new__(Knowledge)
        other._everybody, other._chosen_from, other._start = self._everybody, self._chosen_from, self._start
        other.masks, other.places, other.heard = self.masks[:], self.places and self.places[:], events
        for card, now in becomes.items():
            other.masks[now] = self.masks[card]
            if other.places is not None and self.places is not None:
                other.places[now] = self.places[card]
        return other

    def _take_in(self, event: Event) -> None:
        data = event.data
        match event.name:
            case "gathered":  # in the order of the deck, which everybody knows
                self.masks = [self._everybody] * len(self.masks)
                self.places = [data["zone"]] * len(self.masks)
            case "shuffled" | "cut":
                self._forget(data["zone"], self._everybody)
            case "dealt":
                self._learn(event)
                if self.places is not None:
                    for card, zone in zip(data["cards"], data["to"], strict=True):
                        self.places[card] = zone
            case "moved":
                self._move(event)
            case "shown" | "turned" | "drawn_at_random" if "cards" in data:
                self._learn(event)
            case "swapped" if self.places is not None:
                first, second = data["zones"]
                swap = {first: second, second: first}
                self.places = [swap.get(zone, zone) for zone in self.places]
            case "taken_back":  # where everything lies again is not told: what moves unseen from now on is forgotten
                self.places = None
            case FORGOTTEN.name:  # anything may have happened then
                self.masks, self.places = [0] * len(self.masks), None

    def _learn(self, event: Event) -> None:
        for card, mask in zip(event.data["cards"], event.known, strict=True):
            self.masks[card] |= mask

    def _move(self, event: Event) -> None:
        cards, sources = event.data["cards"], event.data["source"]
        target = event.data["zone"]
        for zone in set(sources):
            moved = [card for card, source in zip(cards, sources, strict=True) if source == zone]
            if zone in self._chosen_from and not self._are_all(zone, moved):
                unseen = self._everybody
                for card, mask in zip(cards, event.known, strict=True):
                    if card in moved:
                        unseen &= mask
                # Those who did not see every card that went cannot tell it from those they knew there.
                blind = self._everybody & ~unseen
                for card in moved:
                    self.masks[card] &= ~blind
                self._forget(zone, blind)
        self._learn(event)
        if self.places is not None:
            for card in cards:
                self.places[card] = target

    def _are_all(self, zone: int, moved: list[int]) -> bool:
        return self.places is not None and self.places.count(zone) == len(moved)

    def _forget(self, zone: int, seats: int) -> None:
        if self.places is None:
            for card in range(len(self.masks)):
                self.masks[card] &= ~seats
            return
        for card, place in enumerate(self.places):
            if place == zone:
                self.masks[card] &= ~seats

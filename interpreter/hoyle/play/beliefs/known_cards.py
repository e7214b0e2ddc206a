"""Tracks which cards each seat knows from past events, beyond those it sees now: cards shown, held or put away earlier.

In: the events of a match. Out: for every card a bit mask of the seats that know where it lies.

Knowledge follows a card as long as everybody can tell which card moves: off the top of a pile, or together with all
cards of its zone. When a seat moves a card face down out of a hand of several, the others can no longer tell it from
the cards they knew there, so they forget those. Shuffling or cutting a zone makes all seats forget its cards; the cards
a seat sees are not a matter of this module.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from hoyle.play.view.names import Names
from hoyle.play.view.seeing import everybody
from hoyle.program.ir.nodes import Piles, Program, ZoneRef
from hoyle.program.ir.visibility import list_ways
from hoyle.program.ir.walk import walk_into
from hoyle.program.model.events import FORGOTTEN, Event
from hoyle.program.model.position import Position


class Knowledge:
    """Knowledge of all seats: bit s of `masks[card]` is set if seat s knows from events where the card lies.

    `places[card]` is the zone of the card as far as events tell; `heard` counts the events processed so far."""

    __slots__ = ("_chosen_from", "_drawn", "_everybody", "_start", "heard", "masks", "places")

    def __init__(self, program: Program, names: Names) -> None:
        self._everybody = everybody(program.players)
        self._chosen_from = _list_chosen_from(names)
        self._drawn: set[int] = set()  # cards that chance has picked, for seats that see only where from
        self._start = program.zones[program.start_zone].base
        self.masks = [0] * len(program.cards)
        self.places: list[int] | None = [self._start] * len(program.cards)  # None: no longer known
        self.heard = 0

    @classmethod
    def of(cls, program: Program, names: Names, position: Position, masks: Sequence[int] = ()) -> Knowledge:
        """Build the knowledge at a position from which a match is resumed; `masks` tells who knows which card."""
        found = cls(program, names)
        found.masks[: len(masks)] = masks
        found.places = [zone for zone, _ in position.find_all(range(len(program.cards)))]
        return found

    def hear(self, events: Sequence[Event]) -> None:
        """Process the events that were appended since the last call."""
        for event in events[self.heard :]:
            self._take_in(event)
        self.heard = len(events)

    def relabel(self, becomes: Mapping[int, int], events: int = 0) -> Knowledge:
        """Copy the knowledge for a position whose cards are renamed by `becomes`; the copy has processed `events`
        events of that position's own record."""
        other = object.__new__(Knowledge)
        other._everybody, other._chosen_from, other._start = self._everybody, self._chosen_from, self._start
        other._drawn = {becomes.get(card, card) for card in self._drawn}
        other.masks, other.places, other.heard = self.masks[:], self.places and self.places[:], events
        for card, now in becomes.items():
            other.masks[now] = self.masks[card]
            if other.places is not None and self.places is not None:
                other.places[now] = self.places[card]
        return other

    def _take_in(self, event: Event) -> None:
        data = event.data
        match event.name:
            case "gathered":  # the cards are in deck order, which everybody knows
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
            case "taken_back" if "step" in data:
                for card, zone, mask in zip(data["cards"], data["to"], event.known, strict=True):
                    self.masks[card] = mask
                    if self.places is not None:
                        self.places[card] = zone
            case "taken_back":  # the event does not say where cards lie again, so later moves forget conservatively
                self.places = None
            case FORGOTTEN.name:  # the record has a gap: assume nothing
                self.masks, self.places = [0] * len(self.masks), None

    def _learn(self, event: Event) -> None:
        if event.name == "drawn_at_random":
            self._drawn.update(event.data["cards"])
        for card, mask in zip(event.data["cards"], event.known, strict=True):
            self.masks[card] |= mask

    def _move(self, event: Event) -> None:
        cards, sources = event.data["cards"], event.data["source"]
        target = event.data["zone"]
        for zone in set(sources):
            moved = [card for card, source in zip(cards, sources, strict=True) if source == zone]
            chosen = zone in self._chosen_from or not self._drawn.isdisjoint(moved)
            if chosen and not self._are_all(zone, moved):
                unseen = self._everybody
                for card, mask in zip(cards, event.known, strict=True):
                    if card in moved:
                        unseen &= mask
                # A seat that did not see every moved card cannot tell which of the cards it knew there is gone.
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


@lru_cache(maxsize=20)
def _list_chosen_from(names: Names) -> frozenset[int]:
    """The zones of which a seat chooses the card that leaves, as of a hand, so that others cannot tell which it was."""
    program = names.program
    picked = {
        program.zones[node.zone].name
        for action in program.actions
        for pick in action.picks
        for node in walk_into(program, pick.source)
        if isinstance(node, ZoneRef | Piles)
    }
    return frozenset(
        index
        for index, (zone, _) in enumerate(names.zones)
        if zone.name in picked or any(shown.owner or shown.last_holder for shown in list_ways(zone))
    )

"""Who may see what: the one place that derives it from the declarations.

In: a program, a position or an event, and a seat (None: a spectator, who sees what everybody sees).
Out: bit masks (bit s: seat s sees the card), a `View`, or the event as told to the seat.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from hoyle.ir.nodes import Program, State, Zone
from hoyle.model.events import Event
from hoyle.model.position import Position
from hoyle.view.names import Names

UNKNOWN_CARD = "??"


@dataclass(frozen=True, slots=True)
class ZoneView:
    """A zone as one seat sees it: codes bottom to top, None for a card it cannot see. `owner` is the seat whose it is,
    or the name of what it is kept for: `hearts`, `(team 0, K)`; `word` is the zone as one word, as players type it.
    `pile` is the place of a pile in its family, from 1."""

    name: str
    owner: int | str | None
    cards: tuple[str | None, ...]
    shows: str
    pile: int = 0
    word: str = ""
    seat: int | None = None

    @property
    def size(self) -> int:
        return len(self.cards)


@dataclass(frozen=True, slots=True)
class StateView:
    """A state the seat may see, in the words of the game. `owner` is the seat whose it is, or the name of what it is
    kept for; `is_start` says that it is what it was at first."""

    name: str
    owner: int | str | None
    value: str
    is_start: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """All that one seat may know of a position. `deciding` is the seat that chooses now; in a window, who is asked is
    known to that seat alone. `retired` have left the match."""

    seat: int | None
    players: int
    zones: tuple[ZoneView, ...]
    states: tuple[StateView, ...]
    totals: dict[str, tuple[int, ...]]
    deciding: int | None
    round: int
    over: bool
    retired: tuple[int, ...] = ()


def everybody(players: int) -> int:
    """The mask of all seats and of spectators, who come after them: what each seat knows for itself is not public."""
    return (1 << players + 1) - 1


def includes(mask: int, seat: int | None, players: int) -> bool:
    """Whether the mask lets the seat know, or a spectator."""
    return bool(mask >> (players if seat is None else seat) & 1)


def mask_seats(seats: tuple[int, ...]) -> int:
    return sum(1 << seat for seat in seats)


def mask_card(zone: Zone, owners: tuple[int, ...], holder: int | None, size: int, place: int, players: int) -> int:
    """Who sees the card at a place (from the bottom, from 0) of a zone of so many cards; `holder` held it last."""
    if zone.shows == "all" or (zone.shows == "top_card" and place == size - 1):
        return everybody(players)
    if zone.shows == "owner":
        return mask_seats(owners)
    if zone.shows == "last_holder" and holder is not None:
        return 1 << holder
    return 0


def mask_state(state: State, owners: tuple[int, ...], players: int) -> int:
    """Who sees the value of a state."""
    if state.shows == "all":
        return everybody(players)
    return mask_seats(owners) if state.shows == "owner" else 0


class Sight:
    """Who sees which card, asked often: the tables are made once for a program."""

    def __init__(self, program: Program) -> None:
        self.players = program.players
        self.names = Names(program)

    def mask_place(self, position: Position, zone: int, place: int) -> int:
        declared, owners = self.names.zones[zone][0], self.names.zone_owners[zone]
        pile = position.zones[zone]
        holder = position.holders[pile[place]] if declared.shows == "last_holder" else None
        return mask_card(declared, owners, holder, len(pile), place, self.players)

    def mask_cards(self, position: Position, cards: tuple[int, ...]) -> list[int]:
        """Who sees each of the cards where it lies now."""
        return [self.mask_place(position, *place) for place in position.find_all(cards)]

    def mask_state(self, index: int) -> int:
        return mask_state(self.names.states[index][0], self.names.state_owners[index], self.players)


def sees(program: Program, position: Position, seat: int | None) -> list[list[bool]]:
    """For each zone and each card in it, bottom to top, whether the seat sees it."""
    sight = Sight(program)
    return [
        [includes(sight.mask_place(position, zone, place), seat, program.players) for place in range(len(pile))]
        for zone, pile in enumerate(position.zones)
    ]


def knows(program: Program, position: Position, seat: int | None) -> list[list[bool]]:
    """As `sees`, with the covered cards that were seen by all when they were laid."""
    names = Names(program)
    return [
        [True] * len(shown) if names.zones[zone][0].remembered else shown
        for zone, shown in enumerate(sees(program, position, seat))
    ]


def view(program: Program, position: Position, seat: int | None, deciding: int | None = None) -> View:
    """The position as the seat may see it."""
    sight = Sight(program)
    names = sight.names
    seen = sees(program, position, seat)
    zones = tuple(
        ZoneView(
            declared.name,
            names.find_zone_owner(zone),
            tuple(
                names.name_card(card) if shown else None
                for card, shown in zip(position.zones[zone], seen[zone], strict=True)
            ),
            declared.shows,
            names.number_pile(zone),
            names.spell_zone(zone),
            seat_of,
        )
        for zone, (declared, seat_of) in enumerate(names.zones)
    )
    states = tuple(
        StateView(
            state.name,
            names.find_owner(index),
            names.name_value(state.type, position.states[index]),
            position.states[index] == state.start,
        )
        for index, (state, _) in enumerate(names.states)
        if includes(sight.mask_state(index), seat, program.players)
    )
    totals = {name: tuple(row) for name, row in zip(program.columns, position.totals, strict=True)}
    current_round = position.rounds_played + (0 if position.over else 1)
    retired = tuple(position.retired)
    return View(seat, program.players, zones, states, totals, deciding, current_round, position.over, retired)


def reveal_all(program: Program, position: Position, seen: View) -> View:
    """The view with every card, for a match that is seen again."""
    names = Names(program)
    cards = [tuple(names.name_card(card) for card in pile) for pile in position.zones]
    zones = tuple(replace(zone, cards=shown) for zone, shown in zip(seen.zones, cards, strict=True))
    return replace(seen, zones=zones)


def reveal_event(event: Event, players: int) -> Event:
    """The event as told to everybody, with every card."""
    everyone = everybody(players)
    return replace(event, told=everyone, known=(everyone,) * len(event.known))


def filter_event(
    program: Program, event: Event, seat: int | None, names: Names | None = None
) -> dict[str, Any] | None:
    """The event as told to the seat, in the words of the game, unknown cards as `??`; None if it is not told.
    `names` spares making them anew when many events are told."""
    if not includes(event.told, seat, program.players):
        return None
    names = names or Names(program)
    told: dict[str, Any] = {"event": event.name}
    if event.seat is not None:
        told["seat"] = event.seat
    for key, value in event.data.items():
        told[key] = _word_field(names, event, key, value, seat)
    if "column" in event.data and len(program.columns) > 1:
        told["under"] = program.column_labels[event.data["column"]]
    if event.clause is not None:
        clause = program.clauses[event.clause]
        told["clause"] = clause.path
        told["cite"] = list(clause.cite)
    return told


def _word_field(names: Names, event: Event, key: str, value: Any, seat: int | None) -> Any:
    players = names.program.players
    if key == "cards":
        return [
            names.name_card(card) if includes(mask, seat, players) else UNKNOWN_CARD
            for card, mask in zip(value, event.known, strict=True)
        ]
    if key in ("zone", "zones", "source", "to"):
        return names.name_zone(value) if isinstance(value, int) else [names.name_zone(zone) for zone in value]
    if key == "state":
        return names.program.states[value].name
    if key in ("payer", "payee"):
        return names.name_state(value)
    if key == "owner" and value is not None:
        return names.find_owner(names.program.states[event.data["state"]].base + value)
    if key == "column":
        return names.program.columns[value]
    if key == "value" and event.name == "set":
        return names.name_value(names.program.states[event.data["state"]].type, value)
    return list(value) if isinstance(value, tuple) else value

"""Visibility: the only module that derives from the declarations which seat may see what.

In: a program, a position or an event, and a seat (None: a spectator, who sees what is public).
Out: bit masks (bit s: seat s sees the card), a `View`, or the event filtered for the seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from hoyle.base.dataclass import dataclass
from hoyle.play.engine.evaluate import Evaluator
from hoyle.play.engine.faults import Fault
from hoyle.play.view.names import Names, Typed
from hoyle.program.ir.nodes import Program, State
from hoyle.program.model.events import Event, Told
from hoyle.program.model.position import Position

UNKNOWN_CARD = "??"


@dataclass(frozen=True, slots=True)
class ZoneView:
    """A zone as one seat sees it: card codes bottom to top, None for a card it cannot see.

    `owner` is the owning seat, or the name of another family key: `hearts`, `(team 0, K)`; `word` is the zone as a
    single word, as players type it. `pile` is the 1-based number among several piles, 0 for a single zone. `seat` is
    the owning seat also of a zone that has other keys beside it: `(seat 1, hearts)`."""

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
    """A state that the seat may see. `value` is display text, `typed` the same value as plain data.

    `owner` is the owning seat, or the name of another family key; `is_start`: the state has its initial value."""

    name: str
    owner: int | str | None
    value: str
    is_start: bool = False
    typed: Typed = None


@dataclass(frozen=True, slots=True)
class View:
    """All that one seat may see of a position. `deciding` is the seat to choose now; in a response window, only the
    asked seat knows that it is asked. `retired` lists the seats that have left the match."""

    seat: int | None
    players: int
    zones: tuple[ZoneView, ...]
    states: tuple[StateView, ...]
    totals: dict[str, tuple[int, ...]]
    deciding: int | None
    round: int
    over: bool
    retired: tuple[int, ...] = ()

    def __hash__(self) -> int:
        # `totals` is a dict and has no hash; views that differ only in it or in `retired` are rare, so collisions are.
        return hash((self.seat, self.zones, self.states, self.deciding, self.round, self.over))

    def to_json(self) -> dict[str, object]:
        """The view as JSON data."""
        return asdict(self)


def everybody(players: int) -> int:
    """Return the mask of all seats and, one bit above them, of spectators.

    Spectators need a bit of their own: what every seat knows privately is still not public."""
    return (1 << players + 1) - 1


def includes(mask: int, seat: int | None, players: int) -> bool:
    """Whether the mask includes the seat, or the spectators for None."""
    return bool(mask >> (players if seat is None else seat) & 1)


def mask_seats(seats: tuple[int, ...]) -> int:
    return sum(1 << seat for seat in seats)


def mask_zone(shows: str, owners: tuple[int, ...], players: int) -> int | None:
    """Return the mask of seats that see the cards of a zone with this `shows:`; None if it differs between cards."""
    if shows == "all":
        return everybody(players)
    if shows == "owner":
        return mask_seats(owners)
    if shows == "all_but_owner":
        return everybody(players) & ~mask_seats(owners)
    return 0 if shows == "nothing" else None


def mask_state(state: State, owners: tuple[int, ...], players: int) -> int:
    """Return the mask of seats that see the value of a state."""
    if state.shows == "all":
        return everybody(players)
    return mask_seats(owners) if state.shows == "owner" else 0


class Sight:
    """Answers which seats see which card. Its tables are built once per program, since it is queried often."""

    def __init__(self, program: Program) -> None:
        self.players = program.players
        self.names = Names(program)
        self._everybody = everybody(program.players)
        self._evaluator = Evaluator(program) if any(zone.cases for zone in program.zones) else None
        self._frame = program.frame
        # Per zone, the mask that holds in every position and for every card; None where it depends on either.
        self.fixed = [
            None if declared.cases else mask_zone(declared.shows, self.names.zone_owners[zone], self.players)
            for zone, (declared, _) in enumerate(self.names.zones)
        ]

        self._states = [
            mask_state(state, owners, self.players)
            for (state, _), owners in zip(self.names.states, self.names.state_owners, strict=True)
        ]

    def list_shown(self, zone: int) -> list[str]:
        """List the values of `shows:` that a zone can take: one per conditional case, and last the default."""
        declared = self.names.zones[zone][0]
        return [*(case.shows for case in declared.cases), declared.shows]

    def find_shown(self, position: Position, zone: int) -> str:
        """Evaluate what a zone shows in a position: `owner`, `all`, …"""
        declared = self.names.zones[zone][0]
        if self._evaluator is not None:
            values = self.names.zone_values[zone]
            for case in declared.cases:
                frame = [*values, *[None] * (self._frame - len(values))]
                try:
                    if self._evaluator.evaluate(case.when, position, frame):
                        return case.shows
                except Fault:  # fail closed; the engine reports the fault when play reaches the expression
                    return "nothing"
        return declared.shows

    def mask_places(self, position: Position, zone: int) -> list[int]:
        """Return, for each card of a zone, bottom to top, the mask of seats that see it."""
        pile = position.zones[zone]
        mask = self.fixed[zone]
        if mask is not None or not pile:
            return [mask or 0] * len(pile)
        shows = self.find_shown(position, zone)
        mask = mask_zone(shows, self.names.zone_owners[zone], self.players)
        if mask is not None:
            return [mask] * len(pile)
        if shows == "top_card":
            return [0] * (len(pile) - 1) + [self._everybody]
        if shows == "face_up":
            return [self._everybody if position.turned[card] else 0 for card in pile]
        holders = [position.holders[card] for card in pile]
        return [0 if holder is None else 1 << holder for holder in holders]

    def mask_place(self, position: Position, zone: int, place: int) -> int:
        """Return the mask of seats that see the card at a 0-based place of a zone, counted from the bottom."""
        mask = self.fixed[zone]
        return self.mask_places(position, zone)[place] if mask is None else mask

    def mask_cards(self, position: Position, cards: tuple[int, ...]) -> list[int]:
        """Return, for each of the cards, the mask of seats that see it where it lies now."""
        return self.mask_spots(position, position.find_all(cards))

    def mask_spots(self, position: Position, spots: Sequence[tuple[int, int]]) -> list[int]:
        """Return, for each (zone, place), the mask of seats that see the card there."""
        masks: dict[int, list[int]] = {}
        found = []
        for zone, place in spots:
            mask = self.fixed[zone]
            if mask is None:
                if zone not in masks:
                    masks[zone] = self.mask_places(position, zone)
                mask = masks[zone][place]
            found.append(mask)
        return found

    def mask_state(self, index: int) -> int:
        return self._states[index]


def sees(sight: Sight, position: Position, seat: int | None) -> list[list[bool]]:
    """Return, for each zone and each card in it, bottom to top, whether the seat sees it."""
    return [
        [includes(mask, seat, sight.players) for mask in sight.mask_places(position, zone)]
        for zone in range(len(position.zones))
    ]


def view(sight: Sight, position: Position, seat: int | None, deciding: int | None = None) -> View:
    """Build the view of a position for one seat."""
    names, program = sight.names, sight.names.program
    seen = sees(sight, position, seat)
    zones = tuple(
        ZoneView(
            declared.name,
            owner,
            tuple([names.name_card(card) if shown else None for card, shown in zip(pile, seen[zone], strict=True)]),
            sight.find_shown(position, zone),
            number,
            spelled,
            seat_of,
        )
        for zone, (pile, (declared, seat_of), (owner, number, spelled)) in enumerate(
            zip(position.zones, names.zones, names.spelled_zones, strict=True)
        )
    )
    states = tuple(
        StateView(
            state.name,
            names.owned_states[index],
            names.name_value(state.type, position.states[index]),
            position.states[index] == state.start,
            names.type_value(state.type, position.states[index]),
        )
        for index, (state, _) in enumerate(names.states)
        if includes(sight.mask_state(index), seat, program.players)
    )
    totals = {name: tuple(row) for name, row in zip(program.columns, position.totals, strict=True)}
    current_round = position.rounds_played + (0 if position.over else 1)
    retired = tuple(position.retired)
    return View(seat, program.players, zones, states, totals, deciding, current_round, position.over, retired)


def reveal_all(names: Names, position: Position, seen: View) -> View:
    """Return the view with every card visible, for the replay of a match."""
    cards = [tuple(names.name_card(card) for card in pile) for pile in position.zones]
    zones = tuple(replace(zone, cards=shown) for zone, shown in zip(seen.zones, cards, strict=True))
    return replace(seen, zones=zones)


def reveal_event(event: Event, players: int) -> Event:
    """Return the event as public, with every card visible."""
    everyone = everybody(players)
    return replace(event, told=everyone, known=(everyone,) * len(event.known))


def filter_event(
    program: Program, event: Event, seat: int | None, names: Names | None = None
) -> Told | None:
    """Return the event as told to the seat, with names for indices and `??` for unknown cards; None if it is not told.

    Pass `names` when filtering many events, so that the tables are not rebuilt for each."""
    if not includes(event.told, seat, program.players):
        return None
    names = names or Names(program)
    told: Told = {"event": event.name}
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

"""Table layout: the form, place and sort order of zones, and the states that matter.

In: a program. Out: `Layout`, which answers from the section `table:` of the file and, by default, from what zones show.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import groupby, zip_longest
from typing import Literal

from hoyle.play.table.legend import COLOURS
from hoyle.play.table.model import Form, Place, Zone
from hoyle.play.table.shape import find_named, find_offered, find_rings
from hoyle.play.view.seeing import UNKNOWN_CARD, ZoneView
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.walk import list_following

DEALER = "dealer"
_FORMS: dict[str, Form] = {
    "nothing": "stack", "last_holder": "stack", "top_card": "pile", "all": "row", "owner": "fan",
    "all_but_owner": "row", "face_up": "row",
}  # fmt: skip


class Layout:
    """The layout of one game."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self._zones = {zone.name: number for number, zone in enumerate(program.zones)}
        looks = program.table
        self._looks = {program.zones[look.zone].name: look for look in looks.zones} if looks is not None else {}
        below = {program.zones[look.under].name: name for name, look in self._looks.items() if look.under is not None}
        self.below: Mapping[str, str] = below  # upper zone -> the zone shown as its lowest cards
        self.counts = looks.counts if looks is not None else ()
        self.states = frozenset(looks.states) if looks is not None and looks.states is not None else None
        self._attributes = {attribute.name: attribute for attribute in program.attributes}
        self._order = {card.code: number for number, card in reversed(list(enumerate(program.cards)))}

    # ---------------------------------------------------------------------------------------------- zones
    def stack(self, zones: Sequence[ZoneView]) -> list[ZoneView]:
        """Merge each zone that lies under another into it, as its lowest cards."""
        lower = {(zone.name, zone.owner): zone.cards for zone in zones if zone.name in self.below.values()}
        return [
            replace(zone, cards=(*lower.get((self.below.get(zone.name, ""), zone.owner), ()), *zone.cards))
            for zone in zones
            if (zone.name, zone.owner) not in lower
        ]

    def list_marks(self, name: str) -> tuple[int, ...]:
        """Return the states that are shown on the cards of a zone."""
        look = self._looks.get(name)
        return look.marks if look is not None else ()

    def count_places(self, name: str) -> int:
        """How many cards lie in a zone in the end, as far as the file says; 0 if it does not."""
        look = self._looks.get(name)
        return look.places if look is not None else 0

    @cached_property
    def named(self) -> Mapping[str, str]:
        """Map the states that are named with a card played to the name of the pile that it is played to."""
        program = self.program
        return {program.states[state].name: program.zones[zone].name for state, zone in find_named(program).items()}

    @cached_property
    def offered(self) -> Mapping[str, str]:
        """Map the states that are terms of an offer to that of the seat which makes it."""
        states = self.program.states
        return {states[term].name: states[maker].name for term, maker in find_offered(self.program).items()}

    @cached_property
    def marked(self) -> frozenset[str]:
        """Names of all states that are shown on cards."""
        return frozenset(self.program.states[mark].name for look in self._looks.values() for mark in look.marks)

    def rank(self, zone: Zone) -> tuple[int, int]:
        """Sort key of a zone among those of its owner: in declaration order, piles of a family by number."""
        return self._zones[zone.name], zone.pile

    def find_form(self, zone: ZoneView) -> Form:
        look = self._looks.get(zone.name)
        return look.form if look is not None and look.form else _FORMS[zone.shows]

    def find_place(self, zone: ZoneView) -> Place | Literal["away"]:
        """Return where a zone lies; a zone that lies `away` is not shown at all."""
        look = self._looks.get(zone.name)
        if look is not None and look.at:
            return look.at if zone.seat is None or look.at == "away" else "seat"
        if zone.seat is not None:
            return "seat"
        return "side" if zone.shows == "nothing" else "centre"

    @cached_property
    def rings(self) -> frozenset[str]:
        """Names of the zones to which the seats play in turn, as to a trick."""
        return frozenset(self.program.zones[zone].name for zone in self._rings)

    @cached_property
    def units(self) -> Mapping[str, int]:
        """For zones that take whole tricks, the number of cards of a trick."""
        taken = {self.program.zones[to].name for targets in self._rings.values() for to in targets}
        return dict.fromkeys(taken, self.program.players)

    @cached_property
    def _rings(self) -> dict[int, frozenset[int]]:
        found, zones = find_rings(self.program), self.program.zones
        drawn = {name for name, look in self._looks.items() if look.form}  # the file has said how
        return {zone: taken for zone, taken in found.items() if zones[zone].name not in drawn}

    def is_in_middle(self, zone: int) -> bool:
        """Whether the zone at this index of a position is nobody's own, lies on the table, and shows cards."""
        return self._in_middle[zone]

    @cached_property
    def _in_middle(self) -> list[bool]:
        found: list[bool] = []
        for zone in sorted(self.program.zones, key=lambda each: each.base):
            look = self._looks.get(zone.name)
            away = look is not None and look.at == "away"
            shared = all(part.kind not in ("seat", "team") for part in zone.of)
            found += [shared and not away and zone.shows != "nothing"] * zone.size
        return found

    def sort(self, zone: ZoneView) -> tuple[int, ...]:
        """Return the display order of the cards, as their places in the zone.

        The file can give sort keys; by default, hands are in deck order and all else as it lies. Cards that are not
        seen come first when a zone is sorted. A zone with marks keeps its order, top first, since marks belong to
        places."""
        if self.list_marks(zone.name):  # by place, top first
            return tuple(reversed(range(len(zone.cards))))
        return self._sort_places(zone.name, zone.shows, zone.cards)

    def sort_some(self, name: str, cards: Sequence[str]) -> list[str]:
        """Sort the codes of some cards of a zone in its display order."""
        seen = [None if card == UNKNOWN_CARD else card for card in cards]
        shows = self.program.zones[self._zones[name]].shows
        return [cards[place] for place in self._sort_places(name, shows, seen)]

    def _sort_places(self, name: str, shows: str, cards: Sequence[str | None]) -> tuple[int, ...]:
        look = self._looks.get(name)
        keys = look.sort if look is not None else None
        places = range(len(cards))
        if keys == () or (keys is None and shows != "owner"):
            return tuple(places)
        return tuple(sorted(places, key=lambda place: self._rank_card(cards[place], keys or ())))

    def _rank_card(self, code: str | None, keys: Sequence[str]) -> tuple[int, ...]:
        if code is None:
            return (-1,)
        number = self._order[code]
        values = []
        for key in keys or self._suits:
            name = key.removeprefix("-")
            printed = self._attributes[name].table[number]
            if printed is not None and name in self._alternating:
                printed = self._alternating[name][printed]
            # A card without the attribute sorts last, in either direction.
            values += [printed is None, (-1 if key.startswith("-") else 1) * (printed or 0)]
        return (0, *values, number)

    @cached_property
    def _alternating(self) -> Mapping[str, tuple[int, ...]]:
        """For attributes whose values are printed in two colours, as suits are, the rank of each value in an order in
        which the colours alternate."""
        enums = {enum.name: enum.values for enum in self.program.enums}
        found: dict[str, tuple[int, ...]] = {}
        for name, attribute in self._attributes.items():
            values = enums.get(attribute.type.name, ()) if attribute.type.kind == "enum" else ()
            colours = [COLOURS.get(value, "") for value in values]
            if "" in colours or len(set(colours)) != 2 or len(values) < 3:
                continue
            sides = [[at for at, each in enumerate(colours) if each == colour] for colour in dict.fromkeys(colours)]
            order = [at for pair in zip_longest(*sides) for at in pair if at is not None]
            found[name] = tuple(order.index(at) for at in range(len(values)))
        return found

    @cached_property
    def _suits(self) -> tuple[str, ...]:
        """The attribute by which the cards of the deck come in runs, if its colours alternate in hands."""
        for name in self._alternating:
            printed = [self._attributes[name].table[number] for number in range(len(self.program.cards))]
            runs = [value for value, _ in groupby(printed)]
            if len(runs) == len(set(runs)) > 1:
                return (name,)
        return ()

    # ---------------------------------------------------------------------------------------------- states
    @cached_property
    def turn_states(self) -> frozenset[str]:
        """Names of the states that only say whose turn it is: decisions read their seat from them, directly or through
        a slot. The dealer and the states that the file lists as mattering are not among them."""
        seats = [block.end.seat for block in self.program.blocks if isinstance(block.end, ir.Decide)]
        slots = {seat.index for seat in seats if isinstance(seat, ir.Slot)}
        for block in self.program.blocks:
            seats += [each.value for each in block.instructions if isinstance(each, ir.Let) and each.slot in slots]
        found = {self.program.states[seat.state].name for seat in seats if isinstance(seat, ir.StateRef)}
        return frozenset(found - {DEALER} - (self.states or frozenset()))

    # ---------------------------------------------------------------------------------------------- rounds
    @cached_property
    def has_rounds(self) -> bool:
        """Whether another round can follow the first; if not, numbering rounds says nothing."""
        blocks = self.program.blocks
        begin = [at for at, block in enumerate(blocks) if any(isinstance(i, ir.BeginRound) for i in block.instructions)]
        waiting, met = [to for at in begin for to in self._list_following(at)], set[int]()
        while waiting:
            at = waiting.pop()
            if at in begin:
                return True
            if at not in met:
                met.add(at)
                waiting += self._list_following(at)
        return False

    def _list_following(self, at: int) -> list[int]:
        """List the possible successors of a block; a return may lead to any caller of its step."""
        end = self.program.blocks[at].end
        return self._returns.get(end.slot, []) if isinstance(end, ir.Return) else list_following(self.program, end)

    @cached_property
    def _returns(self) -> dict[int, list[int]]:
        """Possible return targets of steps, by the slot that holds the return address."""
        found: dict[int, list[int]] = {}
        for block in self.program.blocks:
            if isinstance(block.end, ir.Enter):
                found.setdefault(self.program.steps[block.end.step].return_slot, []).append(block.end.to)
        return found

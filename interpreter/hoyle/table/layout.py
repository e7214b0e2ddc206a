"""How a table is laid out: which form zones take, where they lie, how cards in them are sorted, which states matter.

In: a program. Out: answers about its zones and states, from the declarations and from what the file says under
`table:`. """

from __future__ import annotations

from functools import cached_property

from hoyle.ir import nodes as ir
from hoyle.table.model import Form, Place, Zone
from hoyle.view.seeing import ZoneView

DEALER = "dealer"
_FORMS: dict[str, Form] = {
    "nothing": "stack", "last_holder": "stack", "top_card": "pile", "all": "row", "owner": "fan",
}  # fmt: skip


class Layout:
    """The layout of one game."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self._zones = {zone.name: number for number, zone in enumerate(program.zones)}
        self._order = {card.code: number for number, card in reversed(list(enumerate(program.cards)))}

    # ---------------------------------------------------------------------------------------------- zones
    def rank(self, zone: Zone) -> tuple[int, int]:
        """Where a zone stands among those of its owner: as declared, piles of a family by their number."""
        return self._zones[zone.name], zone.pile

    def find_form(self, zone: ZoneView) -> Form:
        return _FORMS[zone.shows]

    def find_place(self, zone: ZoneView) -> Place:
        if zone.owner is not None:
            return "seat"
        return "side" if zone.shows == "nothing" else "centre"

    def sort(self, zone: ZoneView) -> tuple[int, ...]:
        """The places of the cards in the order in which they are shown: a hand that is seen in the order of the deck,
        everything else as it lies."""
        places = range(len(zone.cards))
        if zone.shows != "owner":
            return tuple(places)
        codes = [card if card is not None else "" for card in zone.cards]
        return tuple(sorted(places, key=lambda place: self._order.get(codes[place], -1)))

    # ---------------------------------------------------------------------------------------------- states
    @cached_property
    def turn_states(self) -> frozenset[str]:
        """The states that only say whose turn it is: those by which a decision finds its seat."""
        found = set()
        for block in self.program.blocks:
            if isinstance(block.end, ir.Decide) and isinstance(block.end.seat, ir.StateRef):
                found.add(self.program.states[block.end.seat.state].name)
        return frozenset(found - {DEALER})

"""Values in the words of the game: card codes, zone names, names of enumerations.

In: a value and its type. Out: text for people (`name_value`) or one word that can be typed (`spell_value`).
"""

from __future__ import annotations

from typing import Any

from hoyle.ir.nodes import Program, State, Zone
from hoyle.ir.types import CARD, Type, certain


class Names:
    """What the numbers of a program are called."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.zones: list[tuple[Zone, int | None]] = [
            (zone, place // (zone.many or 1) if zone.owner else None)
            for zone in sorted(program.zones, key=lambda zone: zone.base)
            for place in range(zone.size)
        ]
        self.states: list[tuple[State, int | None]] = [
            (state, place if state.owner else None)
            for state in sorted(program.states, key=lambda state: state.base)
            for place in range(state.size)
        ]
        self._enums = {enum.name: enum.values for enum in program.enums}
        self.pots = [index for index, (state, _) in enumerate(self.states) if state.pot]

    def name_card(self, card: int) -> str:
        return self.program.cards[card].code

    def name_zone(self, zone: int) -> str:
        """A zone: `pile`, `hand of 1`; a pile of a family by its place: `surplus 2 of 1`."""
        declared, owner = self.zones[zone]
        name = f"{declared.name} {self.number_pile(zone)}" if declared.many else declared.name
        return name if owner is None else f"{name} of {owner}"

    def number_pile(self, zone: int) -> int:
        """The place of a pile in its family, from 1; 0 for a zone that is no pile of a family."""
        declared, _ = self.zones[zone]
        return (zone - declared.base) % declared.many + 1 if declared.many else 0

    def spell_zone(self, zone: int) -> str:
        """A zone as one word: `pile`, `hand.1`, `surplus2.1`."""
        return self.name_zone(zone).replace(" of ", ".").replace(" ", "")

    def name_state(self, index: int) -> str:
        """A state by its place in the position: `player`, `purse of 1`, `stake of centre`."""
        owner = self.find_owner(index)
        name = self.states[index][0].name
        return name if owner is None else f"{name} of {owner}"

    def find_owner(self, index: int) -> int | str | None:
        """Whose a state is: a seat by its number, a value of a kind by its name."""
        declared, owner = self.states[index]
        return owner if owner is None or declared.owner == "seat" else str(self._enums[declared.owner][owner])

    def name_value(self, kind: Type, value: Any) -> str:
        """A value for people to read: `C7`, `seat 1`, `hand of 1`, `circles`, `none`."""
        kind = certain(kind)
        if value is None:
            return "none"
        if kind.kind == "list" and kind.of is not None:
            return ", ".join(self.name_value(kind.of, part) for part in value) or "nothing"
        if kind.kind == "seat":
            return f"seat {value}"
        if kind.kind == "zone":
            return self.name_zone(value)
        return self._spell_atom(kind, value)

    def spell_value(self, kind: Type, value: Any) -> str:
        """A value as one word: `C7`, `1`, `hand.1`, `circles`, `C7+C8`."""
        kind = certain(kind)
        if value is None:
            return "none"
        if kind.kind == "list" and kind.of is not None:
            return "+".join(self.spell_value(kind.of, part) for part in value) or "nothing"
        if kind.kind == "zone":
            return self.spell_zone(value)
        return self._spell_atom(kind, value)

    def _spell_atom(self, kind: Type, value: Any) -> str:
        if kind.kind == "card":
            return self.name_card(value)
        if kind.kind == "enum":
            return str(self._enums[kind.name][value])
        if kind.kind == "truth":
            return "true" if value else "false"
        if isinstance(value, range):
            return f"{value[0]}..{value[-1]}" if len(value) > 1 else str(value[0])
        if isinstance(value, tuple):
            return " then ".join(str(part) for part in value)
        return str(value)


def holds_cards(kind: Type) -> bool:
    """Whether values of the type name cards."""
    while kind.of is not None:
        kind = kind.of
    return kind == CARD

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
            (zone, place if zone.owner else None)
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
        """A zone: `pile`, `hand of 1`."""
        declared, owner = self.zones[zone]
        return declared.name if owner is None else f"{declared.name} of {owner}"

    def name_state(self, index: int) -> str:
        """A state by its place in the position: `player`, `purse of 1`, `stake of centre`."""
        declared, owner = self.states[index]
        if owner is None:
            return declared.name
        return f"{declared.name} of {self.name_owner(declared, owner)}"

    def name_owner(self, state: State, owner: int) -> str:
        """Whose a state is: the number of a seat, or a value of the enumeration it is kept for."""
        return str(owner) if state.owner == "seat" else str(self._enums[state.owner][owner])

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
            return self.name_zone(value).replace(" of ", ".")
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

"""Formats values of a program with the names of the rule file: card codes, zone names, enumeration values.

In: a value and its type. Out: display text (`name_value`), a single typeable word (`spell_value`), or plain data for
programs (`type_value`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeAlias

from hoyle.program.ir.layout import list_members, list_owners
from hoyle.program.ir.nodes import Dimension, Program, State, Zone
from hoyle.program.ir.types import CARD, Type, certain

Typed: TypeAlias = "int | bool | str | tuple[Typed, ...] | None"


class Names:
    """Maps the indices that a program and its positions use to names.

    `zones` pairs each zone index of a position with its declaration and, for families over seats, the owning seat;
    `states` pairs each state index with its declaration and its place in its family. `zone_values` and `state_values`
    are the family keys of each member; `zone_owners` and `state_owners` the seats that own it: one, a whole team, or
    none."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.zones: list[tuple[Zone, int | None]] = []
        self.zone_values: list[tuple[int, ...]] = []
        self.zone_owners: list[tuple[int, ...]] = []
        for zone in sorted(program.zones, key=lambda zone: zone.base):
            for values in list_members(zone.of):
                owners = list_owners(zone.of, values, program.teams)
                seat = owners[0] if any(dimension.kind == "seat" for dimension in zone.of) else None
                many = zone.many or 1
                self.zones += [(zone, seat)] * many
                self.zone_values += [values] * many
                self.zone_owners += [owners] * many
        self.states: list[tuple[State, int | None]] = []
        self.state_values: list[tuple[int, ...]] = []
        self.state_owners: list[tuple[int, ...]] = []
        for state in sorted(program.states, key=lambda state: state.base):
            for place, values in enumerate(list_members(state.of)):
                self.states.append((state, place if state.of else None))
                self.state_values.append(values)
                self.state_owners.append(list_owners(state.of, values, program.teams))
        self._codes = [card.code for card in program.cards]
        self._enums = {enum.name: enum.values for enum in program.enums}
        self._scales = {scale.name: scale.names for scale in program.scales}
        self._zone_names: dict[int, str] = {}
        self.pots = [index for index, (state, _) in enumerate(self.states) if state.pot]

    @cached_property
    def spelled_zones(self) -> list[tuple[int | str | None, int, str]]:
        """Of each zone its owner, its number among its like, and its name as a single word."""
        numbers = range(len(self.zones))
        return [(self.find_zone_owner(zone), self.number_pile(zone), self.spell_zone(zone)) for zone in numbers]

    @cached_property
    def owned_states(self) -> list[int | str | None]:
        return [self.find_owner(index) for index in range(len(self.states))]

    def name_card(self, card: int) -> str:
        return self._codes[card]

    def name_zone(self, zone: int) -> str:
        """Name a zone: `pile`, `hand of 1`, `meld of (team 0, K)`; one of several piles numbered: `surplus 2 of 1`."""
        named = self._zone_names.get(zone)
        if named is None:
            named = self._zone_names[zone] = self._name_zone(zone)
        return named

    def _name_zone(self, zone: int) -> str:
        declared, _ = self.zones[zone]
        name = f"{declared.name} {self.number_pile(zone)}" if declared.many else declared.name
        owner = self.find_zone_owner(zone)
        return name if owner is None else f"{name} of {owner}"

    def number_pile(self, zone: int) -> int:
        """Return the 1-based number of a pile among its like, or 0 for a zone declared as a single one."""
        declared, _ = self.zones[zone]
        return (zone - declared.base) % declared.many + 1 if declared.many else 0

    def spell_zone(self, zone: int) -> str:
        """Spell a zone as a single word: `pile`, `hand.1`, `surplus2.1`, `meld.0.K`."""
        declared, _ = self.zones[zone]
        pairs = zip(declared.of, self.zone_values[zone], strict=True)
        values = [self.spell_value(dimension.type, value) for dimension, value in pairs]
        return ".".join([f"{declared.name}{self.number_pile(zone) or ''}", *values])

    def find_zone_owner(self, zone: int) -> int | str | None:
        """Return the owner of a zone: a seat as its number, another family key as its name, None for a single zone."""
        return self._name_owner(self.zones[zone][0].of, self.zone_values[zone])

    def _name_owner(self, of: tuple[Dimension, ...], values: tuple[int, ...]) -> int | str | None:
        if [dimension.kind for dimension in of] == ["seat"]:
            return values[0]
        words = [self.name_value(dimension.type, value) for dimension, value in zip(of, values, strict=True)]
        return f"({', '.join(words)})" if len(words) > 1 else words[0] if words else None

    def name_state(self, index: int) -> str:
        """Name a state by its index in the position: `player`, `purse of 1`, `stake of centre`."""
        owner = self.find_owner(index)
        name = self.states[index][0].name
        return name if owner is None else f"{name} of {owner}"

    def find_owner(self, index: int) -> int | str | None:
        """Return the owner of a state: a seat as its number, another family key as its name, None for a single one."""
        return self._name_owner(self.states[index][0].of, self.state_values[index])

    def name_value(self, kind: Type, value: Any) -> str:
        """Format a value as display text: `C7`, `seat 1`, `hand of 1`, `circles`, `none`."""
        kind = certain(kind)
        if value is None:
            return "none"
        if kind.kind == "list" and kind.of is not None:
            return ", ".join(self._list_words(kind.of, value, self.name_value)) or "nothing"
        if kind.kind in ("seat", "team"):
            return f"{kind.kind} {value}"
        if kind.kind == "zone":
            return self.name_zone(value)
        return self._spell_atom(kind, value)

    def spell_value(self, kind: Type, value: Any) -> str:
        """Spell a value as a single word: `C7`, `1`, `hand.1`, `circles`, `C7+C8`."""
        kind = certain(kind)
        if value is None:
            return "none"
        if kind.kind == "list" and kind.of is not None:
            return "+".join(self._list_words(kind.of, value, self.spell_value)) or "nothing"
        if kind.kind == "zone":
            return self.spell_zone(value)
        return self._spell_atom(kind, value)

    def type_value(self, kind: Type, value: Any) -> Typed:
        """Convert a value to plain data: numbers, seats and teams to int, truths to bool, a range to its two ends,
        all else to its name."""
        kind = certain(kind)
        if value is None or isinstance(value, bool):
            return value
        if kind.kind == "list" and kind.of is not None:
            return tuple(self.type_value(kind.of, each) for each in value)
        if kind.kind == "zone":
            return self.spell_zone(value)
        if kind.kind in ("card", "enum"):
            return self._spell_atom(kind, value)
        if isinstance(value, range):
            return (value[0], value[-1])
        return value  # type: ignore[no-any-return]  # a number, or a tuple of numbers compared lexicographically

    def _list_words(self, kind: Type, values: Any, word: Callable[[Type, Any], str]) -> list[str]:
        if kind.kind == "card":  # fast path: menus may offer thousands of card groups
            return [self._codes[card] for card in values]
        return [word(kind, value) for value in values]

    def _spell_atom(self, kind: Type, value: Any) -> str:
        if kind.kind == "card":
            return self.name_card(value)
        if kind.kind == "enum":
            return str(self._enums[kind.name][value])
        if kind.kind == "truth":
            return "true" if value else "false"
        if kind.name in self._scales and isinstance(value, int):
            return self._scales[kind.name].get(str(value), str(value))
        if isinstance(value, range):
            return f"{value[0]}..{value[-1]}" if len(value) > 1 else str(value[0])
        if isinstance(value, tuple):
            return " then ".join(str(part) for part in value)
        return str(value)


    def read_number(self, kind: Type, word: str) -> int | None:
        """Parse a number written in digits or by its name on the scale of the type; None if it is neither."""
        named = {name.casefold(): int(number) for number, name in self._scales.get(kind.name, {}).items()}
        return named.get(word.casefold(), read_number(word))


def read_number(word: str) -> int | None:
    """Parse an integer of at most 18 digits, or return None."""
    return int(word) if re.fullmatch(r"-?[0-9]{1,18}", word) else None


def holds_cards(kind: Type) -> bool:
    """Whether values of the type are cards, or (nested) lists of cards."""
    while kind.of is not None:
        kind = kind.of
    return kind == CARD

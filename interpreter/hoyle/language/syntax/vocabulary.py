"""The names of a game, known before any of its rules is parsed.

In: nothing. Out: `Vocabulary`, which corrections of rule texts consult.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cached_property

from hoyle.base.dataclass import dataclass


@dataclass(frozen=True)
class Vocabulary:
    """Names by role. `zones` are shared, `seat_zones` owned by each seat, `families` consist of many piles; `start` is
    the initial zone of the deck. `states` maps a state to its type as written, `seat_states` likewise for those of each
    seat. `attributes` maps an attribute to its values with their abbreviations; for a range, the named numbers with
    their names. `plain` are definitions without parameters, `functions` those applied with `of`."""

    relations: frozenset[str] = frozenset()
    start: str = ""
    zones: tuple[str, ...] = ()
    seat_zones: tuple[str, ...] = ()
    families: frozenset[str] = frozenset()
    states: Mapping[str, str] = field(default_factory=dict)
    seat_states: Mapping[str, str] = field(default_factory=dict)
    pots: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    plain: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    adjectives: tuple[str, ...] = ()
    attributes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    cards: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    @cached_property
    def names(self) -> frozenset[str]:
        """Every name of the game."""
        listed = (
            self.relations, self.zones, self.seat_zones, self.states, self.seat_states, self.pots, self.options,
            self.actions, self.choices, self.steps, self.plain, self.functions, self.adjectives, self.attributes,
            self.cards, self.others, *self.attributes.values(), *(one.values() for one in self.attributes.values()),
        )  # fmt: skip
        return frozenset(name for names in listed for name in names)

    @cached_property
    def signature(self) -> str:
        """A key for caches of results that depend on the vocabulary."""
        return repr(self)

    @property
    def hands(self) -> tuple[str, ...]:
        """Zones that a seat holds, the most likely hand first."""
        return tuple(sorted(self.seat_zones, key=lambda name: name != "hand"))

    @property
    def stocks(self) -> tuple[str, ...]:
        """Zones to take cards from, the most likely first."""
        return tuple(dict.fromkeys((*((self.start,) if self.start else ()), *self.zones)))

    @property
    def piles(self) -> tuple[str, ...]:
        """Zones to put cards into, the most likely first."""
        return tuple(name for name in self.zones if name != self.start)

    @property
    def discards(self) -> tuple[str, ...]:
        """Zones to put cards into, those first that are called so."""
        return tuple(sorted(self.piles, key=lambda name: not name.startswith("discard")))

    @property
    def people(self) -> tuple[str, ...]:
        """States that hold a seat, the most likely first; the dealer always exists."""
        found = [name for name, kind in self.states.items() if kind in ("seat", "seat or none")]
        return (*sorted(found, key=lambda name: name != "player"), *(() if "dealer" in found else ("dealer",)))

    @property
    def numeric(self) -> tuple[str, ...]:
        """The attributes whose values are numbers."""
        return tuple(
            name for name, values in self.attributes.items() if all(value.lstrip("-").isdigit() for value in values)
        )

    @property
    def rolls(self) -> tuple[str, ...]:
        """Lists of seats kept in states."""
        return tuple(name for name, kind in self.states.items() if kind == "seats")

    def in_role(self, role: str) -> tuple[str, ...] | None:
        """The names that a role stands for in corrections; None if there is no such role."""
        if role == "actor":
            return ("seat", *self.people)
        return {
            "stock": self.stocks, "hand": self.hands, "pile": self.piles, "discard": self.discards,
            "person": self.people,
            "deck": self.stocks[:1], "number": self.numeric, "roll": self.rolls, "pot": self.pots,
        }.get(role)  # fmt: skip


EMPTY = Vocabulary()

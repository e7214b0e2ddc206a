"""The names a game gives its things, known before any of its rules is read.

In: nothing. Out: `Vocabulary`, in which the mending of rule texts looks up what a word may stand for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True)
class Vocabulary:
    """Names by what they are. `zones` are the table's, `seat_zones` those of which every seat has one, `families` those
    of many piles; `start` is where the deck starts. `states` maps a state to its type as written, `seat_states`
    likewise for those of which every seat has one. `attributes` maps an attribute to its values with their short forms,
    the numbers of a range by their names. `owned_steps` are steps about a seat, `functions` the definitions said of
    something, `truths` whatever is true or false by itself."""

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
    owned_steps: frozenset[str] = frozenset()
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
        """What tells it from others: by it a text that was read with these names is known again."""
        return repr(self)

    @property
    def hands(self) -> tuple[str, ...]:
        """Zones that can stand for what a seat holds, the likeliest first."""
        return tuple(sorted(self.seat_zones, key=lambda name: name != "hand"))

    @property
    def stocks(self) -> tuple[str, ...]:
        """Zones cards can be taken from, the likeliest first."""
        return tuple(dict.fromkeys((*((self.start,) if self.start else ()), *self.zones)))

    @property
    def piles(self) -> tuple[str, ...]:
        """Zones cards can be laid in, the likeliest first."""
        return tuple(name for name in self.zones if name != self.start)

    @property
    def people(self) -> tuple[str, ...]:
        """States that hold a seat, the likeliest first; the dealer is always there."""
        found = [name for name, kind in self.states.items() if kind in ("seat", "seat or none")]
        return (*sorted(found, key=lambda name: name != "player"), *(() if "dealer" in found else ("dealer",)))


EMPTY = Vocabulary()

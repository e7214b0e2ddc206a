"""The position: everything that is so at one moment of a match, as a plain value.

In: nothing but values. Out: `Position`, which can be copied, compared, written as JSON and read back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, fields
from typing import Any

from hoyle.dataclass import dataclass
from hoyle.model.records import VALUE, check_fields

MANY = 8  # cards, for which all zones are gone through


@dataclass(slots=True)
class Position:
    """A moment of a match.

    `zones[z]` holds card numbers, bottom to top; `states`, `slots` hold values as `hoyle.ir.types` says;
    `totals[column][seat]` what has been scored; `block` is the block of the program that runs next, whose
    instructions before `instruction` have been done; `random` is the state of the generator; `script` holds outcomes
    that chance is to give before it draws its own (rigged decks), first one first; `decisions` counts the choices made;
    `lines[round][seat]` is a line of the score sheet, for games that read it: an entry or None for each column, and
    last the marks as bits, or None; `holders[card]` is the last seat in whose zone the card lay, for games that ask
    for it (else the list is empty); `turned[card]` says whether a card lies with its face up in a zone where that makes
    a difference, for games that have one (else the list is empty); `retired` are the seats that have left the match, in
    seat order;
    `offence` is what was last done against the rules and can still be called, if anything: the seat, the clause it
    broke, and what the position was before it, as `hoyle.model.offences` keeps it.
    """

    players: int
    zones: list[list[int]]
    states: list[Any]
    slots: list[Any]
    totals: list[list[int]]
    rounds_played: int
    block: int
    random: int
    script: list[Any]
    decisions: int
    over: bool
    instruction: int = 0
    holders: list[int | None] = field(default_factory=list)
    lines: list[list[list[int | None]]] = field(default_factory=list)
    retired: list[int] = field(default_factory=list)
    offence: tuple[Any, ...] | None = None
    turned: list[bool] = field(default_factory=list)

    def copy(self) -> Position:
        """A position that shares nothing changeable with this one."""
        return Position(
            self.players,
            [pile[:] for pile in self.zones],
            self.states[:],
            self.slots[:],
            [row[:] for row in self.totals],
            self.rounds_played,
            self.block,
            self.random,
            self.script[:],
            self.decisions,
            self.over,
            self.instruction,
            self.holders[:],
            [[row[:] for row in rows] for rows in self.lines],
            self.retired[:],
            self.offence,
            self.turned[:],
        )

    def find(self, card: int) -> tuple[int, int]:
        """The zone a card lies in, and its place there, counted from the bottom, from 0."""
        for zone, pile in enumerate(self.zones):
            if card in pile:
                return zone, pile.index(card)
        raise LookupError(f"card {card} lies nowhere")

    def find_all(self, cards: Sequence[int]) -> list[tuple[int, int]]:
        """The zone and the place of each of these cards; of many, by going through the zones once. What lies there in
        place of a number, since nobody has asked yet which card it is, is passed over."""
        if len(cards) <= MANY:
            return [self.find(card) for card in cards]
        lies = {
            card: (zone, place)
            for zone, pile in enumerate(self.zones)
            for place, card in enumerate(pile)
            if type(card) is int
        }
        return [lies[card] for card in cards]

    def to_json(self) -> dict[str, object]:
        """The position as plain JSON data; tuples are written `{"t": […]}` so that they come back as tuples."""
        return {part.name: pack(getattr(self, part.name)) for part in fields(self)}

    @classmethod
    def from_json(cls, data: Any) -> Position:
        """The position `to_json` wrote; `RecordError` if it has not the shape of one."""
        check_fields(data, SHAPES, "position", OPTIONAL)
        return cls(**{name: unpack(value) for name, value in data.items()})


SHAPES: dict[str, object] = {
    "players": int,
    "zones": [[int]],
    "states": [VALUE],
    "slots": [VALUE],
    "totals": [[int]],
    "rounds_played": int,
    "block": int,
    "random": int,
    "script": [VALUE],
    "decisions": int,
    "over": bool,
    "instruction": int,
    "holders": [(int, None)],
    "lines": [[[(int, None)]]],
    "retired": [int],
    "offence": VALUE,
    "turned": [bool],
}
OPTIONAL = frozenset({"instruction", "holders", "lines", "retired", "offence", "turned"})


def pack(value: object) -> object:
    """A value of the position as JSON data."""
    if isinstance(value, tuple):
        return {"t": [pack(part) for part in value]}
    if isinstance(value, list):
        return [pack(part) for part in value]
    return value


def unpack(value: Any) -> Any:
    """What `pack` was given."""
    if isinstance(value, dict):
        return tuple(unpack(part) for part in value["t"])
    if isinstance(value, list):
        return [unpack(part) for part in value]
    return value

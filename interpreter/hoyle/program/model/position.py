"""The position: the complete state of a match, as a plain value.

In: nothing but values. Out: `Position`, which can be copied, compared, serialised as JSON and read back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, fields
from typing import Any

from hoyle.base.dataclass import dataclass
from hoyle.program.model.records import VALUE, check_fields

MANY = 8  # cards up to which each is searched for by itself


@dataclass(slots=True)
class Position:
    """The complete state of a match.

    `zones[z]` holds card numbers, bottom to top; `states` and `slots` hold values as `hoyle.program.ir.types` describes
    them; `totals[column][seat]` are the scores; `block` and `instruction` are the program counter: the next block, and
    the number of its instructions already executed; `random` is the state of the generator; `script` holds outcomes
    that chance gives first (rigged decks), in order; `decisions` counts the choices made; `lines[round][seat]` is a
    line of the score sheet, in games whose rules read it: an entry or None for each column, then the marks as bits, or
    None; `holders[card]` is the last seat in whose zone the card lay, in games that ask for it, else the list is empty;
    `turned[card]` says whether a card lies face up, in games with zones that track it, else the list is empty;
    `retired` are the seats that have left the match, in seat order; `offence` is the last offence that can still be
    called, or the step that can be taken back, as `hoyle.program.model.offences` records it.
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
        """A copy that shares no mutable data with this position."""
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

    def become(self, other: Position) -> None:
        """Take over the data of another position."""
        for part in fields(self):
            setattr(self, part.name, getattr(other, part.name))

    def find(self, card: int) -> tuple[int, int]:
        """The zone a card lies in, and its index there, from the bottom."""
        for zone, pile in enumerate(self.zones):
            if card in pile:
                return zone, pile.index(card)
        raise LookupError(f"card {card} lies nowhere")

    def find_all(self, cards: Sequence[int]) -> list[tuple[int, int]]:
        """Zone and index of each card. Many cards are looked up in one pass over the zones, which skips placeholders
        for cards that are not determined yet."""
        if len(cards) <= MANY:
            return [self.find(card) for card in cards]
        lies = {
            card: (zone, place)
            for zone, pile in enumerate(self.zones)
            for place, card in enumerate(pile)
            if type(card) is int
        }
        return [lies[card] if type(card) is int else self.find(card) for card in cards]

    def to_json(self) -> dict[str, object]:
        """The position as JSON data; tuples are written `{"t": […]}`, to tell them from lists."""
        return {part.name: pack(getattr(self, part.name)) for part in fields(self)}

    @classmethod
    def from_json(cls, data: Any) -> Position:
        """Read a position that `to_json` wrote; raises `RecordError` if it is malformed."""
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
    """A value as JSON data."""
    if isinstance(value, tuple):
        return {"t": [pack(part) for part in value]}
    if isinstance(value, list):
        return [pack(part) for part in value]
    return value


def unpack(value: Any) -> Any:
    """The inverse of `pack`."""
    if isinstance(value, dict):
        return tuple(unpack(part) for part in value["t"])
    if isinstance(value, list):
        return [unpack(part) for part in value]
    return value

"""The types of the language, and their run-time representation.

| type            | represented as                              |
|-----------------|---------------------------------------------|
| number          | int; `name` is its scale, if it has one     |
| truth           | bool                                        |
| text            | str                                         |
| card, seat      | int: the card's number, the seat's number   |
| team            | int: the team's number                      |
| zone            | int: the zone's index in the position       |
| an enumeration  | int: the value's index in its declaration   |
| list of T       | tuple of T, without None                    |
| T or none       | T, or None                                  |
| key             | tuple, compared lexicographically           |
| line            | int: round * players + seat                 |
"""

from __future__ import annotations

from typing import Literal

from hoyle.base.dataclass import dataclass

Kind = Literal[
    "number", "truth", "text", "card", "seat", "team", "zone", "enum", "list", "maybe", "key", "line", "choice", "none",
    "any", "unknown",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Type:
    """A type; `name` is that of an enumeration or of a number's scale (`rank`), `of` the element type of a list or the
    inner type of a maybe."""

    kind: Kind
    name: str = ""
    of: Type | None = None

    def __str__(self) -> str:
        if self.kind == "enum" or (self.kind == "number" and self.name):
            return self.name
        if self.kind == "list":
            assert self.of is not None
            plain = self.of.kind in ("card", "seat", "team", "number", "zone") and not self.of.name
            return f"{self.of}s" if plain else f"list of {self.of}"
        if self.kind == "maybe":
            return f"{self.of} or none"
        return self.kind


NUMBER = Type("number")
TRUTH = Type("truth")
TEXT = Type("text")
CARD = Type("card")
SEAT = Type("seat")
TEAM = Type("team")
ZONE = Type("zone")
KEY = Type("key")
LINE = Type("line")
NONE = Type("none")
UNKNOWN = Type("unknown")


def list_of(element: Type) -> Type:
    return Type("list", "", element)


def maybe(held: Type) -> Type:
    return held if held.kind in ("maybe", "none", "unknown") else Type("maybe", "", held)


def certain(held: Type) -> Type:
    """The type without `or none`."""
    return held.of if held.kind == "maybe" and held.of is not None else held


def enum(name: str) -> Type:
    return Type("enum", name)


def number_on(scale: str) -> Type:
    """The type of numbers on a scale: a rank, a lane."""
    return Type("number", scale)


CARDS = list_of(CARD)
SEATS = list_of(SEAT)

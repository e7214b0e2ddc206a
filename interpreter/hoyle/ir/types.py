"""The types of the language, and how each is held at run time.

| type            | held as                                     |
|-----------------|---------------------------------------------|
| number          | int                                         |
| truth           | bool                                        |
| text            | str                                         |
| card, seat      | int: the card's number, the seat's number   |
| zone            | int: the zone's place in the position       |
| an enumeration  | int: the value's place in its declaration   |
| list of T       | tuple of T, never holding none              |
| T or none       | T, or None                                  |
| key             | tuple, compared part by part                |
| line            | int: round * players + seat                 |
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Type:
    """A type; `name` says which enumeration, `of` the element of a list or what a maybe may hold."""

    kind: str
    name: str = ""
    of: Type | None = None

    def __str__(self) -> str:
        if self.kind == "enum":
            return self.name
        if self.kind == "list":
            assert self.of is not None
            return f"{self.of}s" if self.of.kind in ("card", "seat", "number", "zone") else f"list of {self.of}"
        if self.kind == "maybe":
            return f"{self.of} or none"
        return self.kind


NUMBER = Type("number")
TRUTH = Type("truth")
TEXT = Type("text")
CARD = Type("card")
SEAT = Type("seat")
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


CARDS = list_of(CARD)
SEATS = list_of(SEAT)

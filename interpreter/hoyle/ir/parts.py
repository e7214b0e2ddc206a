"""What a position is made of, as far as rules read and change it: the terms in which words and instructions declare
their effects.

In: nothing. Out: `Part` and `Region` (what is read or written), `Look` (what a word reads), `Touch` (what an
instruction reads or writes) and `Use` (what an instruction does with each of its expressions).
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache

from hoyle.dataclass import dataclass


class Part(Enum):
    """A part of a position. `ALL` stands for every part: what declares nothing is taken to read and write it."""

    ALL = "all"
    ZONES = "zones"
    HOLDERS = "holders"
    FACES = "faces"
    STATES = "states"
    SLOTS = "slots"
    TOTALS = "totals"
    LINES = "lines"
    ROUNDS = "rounds"
    SEATS = "seats"
    OFFENCE = "offence"

    __hash__ = object.__hash__  # regions are put into sets by the thousand


@dataclass(frozen=True, slots=True)
class Region:
    """A part of a position, or only what is kept under one number in it: a declared zone or state, a slot."""

    part: Part
    index: int | None = None

    def overlaps(self, other: Region) -> bool:
        if Part.ALL in (self.part, other.part):
            return True
        return self.part is other.part and (None in (self.index, other.index) or self.index == other.index)


Regions = frozenset[Region]
EVERYTHING: Regions = frozenset({Region(Part.ALL)})
NOTHING: Regions = frozenset()


@lru_cache(maxsize=10_000)  # the same few are compared again and again
def overlap(some: Regions, others: Regions) -> bool:
    """Whether anything belongs to both."""
    return any(one.overlaps(other) for one in some for other in others)


class Sight(Enum):
    """What one has to see to know what a word gives."""

    PUBLIC = "public"  # how many cards lie in a zone, scores, seats: everybody knows it
    CARDS = "cards"  # all cards of the zone
    TOP = "top"  # its top card
    PLACE = "place"  # where the card lies
    FACE = "face"  # the card itself
    OFFENCE = "offence"  # whether rules were broken: known to whoever broke them


@dataclass(frozen=True, slots=True)
class Look:
    """One thing a word reads: a part of the position, what one has to see for it, and of which argument."""

    part: Part
    sight: Sight = Sight.PUBLIC
    argument: int = 0


CARDS_OF_ZONE = Look(Part.ZONES, Sight.CARDS)
TOP_OF_ZONE = Look(Part.ZONES, Sight.TOP)
SIZE_OF_ZONE = Look(Part.ZONES)
PLACE_OF_CARD = Look(Part.ZONES, Sight.PLACE)
FACES_OF_ZONE = Look(Part.FACES)
HOLDER_OF_CARD = Look(Part.HOLDERS, Sight.FACE)
SEATS_LEFT = Look(Part.SEATS)
TOTALS = Look(Part.TOTALS)
LINES = Look(Part.LINES)
ROUNDS = Look(Part.ROUNDS)
OFFENDER = Look(Part.OFFENCE, Sight.OFFENCE)


@dataclass(frozen=True, slots=True)
class Touch:
    """One part of the position that an instruction reads or writes. `field` is the field of the instruction that holds
    the number of the state or slot, or several; `fleeting`: only states that last a round; `restored`: it becomes what
    it was before."""

    part: Part
    field: str = ""
    fleeting: bool = False
    restored: bool = False


class Use(Enum):
    """What an instruction does with one of its expressions, as far as it matters who knows its value.

    What is `TOLD` is noticed by all: how many there are, who scores, whether anything happens. It is what an expression
    is used for if its instruction does not say."""

    TOLD = "told"
    KEPT = "kept"  # put into a slot; nobody is told
    STATED = "stated"  # put into a state; whoever sees that is told
    HANDLED = "handled"  # cards, or a card, moved as they lie: what they are need not be known
    SHOWN = "shown"  # cards that are shown
    AUDIENCE = "audience"  # the seats they are shown to
    INTO = "into"  # the zone, or the zones, cards are put into
    UNDER = "under"  # whether they go to the bottom of it
    FROM = "from"  # the zone whose top cards are taken
    MIXED = "mixed"  # the zone whose order nobody knows afterwards
    TURNED = "turned"  # the zone whose order is reversed
    EXCHANGED = "exchanged"  # a zone whose cards all go into the other that is exchanged
    GATHERED = "gathered"  # the zone all cards are put into, in a known order

"""The vocabulary of effect declarations: the parts of a position that words and instructions read and write.

In: nothing. Out: `Part` and `Region` (what is read or written), `Look` (what a word reads), `Touch` (what an
instruction reads or writes) and `Use` (the role of an operand).
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache

from hoyle.base.dataclass import dataclass


class Part(Enum):
    """A part of a position. `ALL` stands for every part, the effect of whatever declares none."""

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

    __hash__ = object.__hash__  # faster than that of enums; regions are hashed very often


@dataclass(frozen=True, slots=True)
class Region:
    """A part of a position, or one numbered element of it: a declared zone or state, a slot."""

    part: Part
    index: int | None = None

    def overlaps(self, other: Region) -> bool:
        if Part.ALL in (self.part, other.part):
            return True
        return self.part is other.part and (None in (self.index, other.index) or self.index == other.index)


Regions = frozenset[Region]
EVERYTHING: Regions = frozenset({Region(Part.ALL)})
NOTHING: Regions = frozenset()


@lru_cache(maxsize=10_000)  # few distinct pairs, compared very often
def overlap(some: Regions, others: Regions) -> bool:
    """Whether any two regions of the sets overlap."""
    return any(one.overlaps(other) for one in some for other in others)


class Sight(Enum):
    """What an observer must see to know the result of a word."""

    PUBLIC = "public"  # public information: sizes of zones, scores, seats
    CARDS = "cards"  # all cards of the zone
    TOP = "top"  # its top card
    PLACE = "place"  # where the card lies
    HOLDER = "holder"  # the identity of the card, and who held it last
    OFFENCE = "offence"  # whether rules were broken: known to the offender only


@dataclass(frozen=True, slots=True)
class Look:
    """One read effect of a word: a part of the position, the visibility it requires, and the argument it concerns."""

    part: Part
    sight: Sight = Sight.PUBLIC
    argument: int = 0


CARDS_OF_ZONE = Look(Part.ZONES, Sight.CARDS)
TOP_OF_ZONE = Look(Part.ZONES, Sight.TOP)
SIZE_OF_ZONE = Look(Part.ZONES)
PLACE_OF_CARD = Look(Part.ZONES, Sight.PLACE)
FACES_OF_ZONE = Look(Part.FACES)
HOLDER_OF_CARD = Look(Part.HOLDERS, Sight.HOLDER)
SEATS_LEFT = Look(Part.SEATS)
TOTALS = Look(Part.TOTALS)
LINES = Look(Part.LINES)
ROUNDS = Look(Part.ROUNDS)
OFFENDER = Look(Part.OFFENCE, Sight.OFFENCE)


@dataclass(frozen=True, slots=True)
class Touch:
    """One effect of an instruction on a part of the position. `field` is the field of the instruction that holds the
    number, or numbers, of the affected states or slots; `fleeting`: only states that last a round; `restored`: it
    reverts to an earlier value."""

    part: Part
    field: str = ""
    fleeting: bool = False
    restored: bool = False


class Use(Enum):
    """The role of an operand of an instruction, which determines who must know its value.

    What is `TOLD` becomes observable by all: how many, who scores, whether anything happens. It is the default role."""

    TOLD = "told"
    KEPT = "kept"  # stored in a slot; not observable
    STATED = "stated"  # stored in a state; observable by those that see the state
    HANDLED = "handled"  # a card or cards moved by position; their identity need not be known
    SHOWN = "shown"  # cards that are shown
    AUDIENCE = "audience"  # the seats they are shown to
    INTO = "into"  # the zone or zones that cards are put into
    UNDER = "under"  # whether they go to the bottom of it
    FROM = "from"  # the zone whose top cards are taken
    MIXED = "mixed"  # the zone whose order is unknown afterwards
    TURNED = "turned"  # the zone whose order is reversed
    EXCHANGED = "exchanged"  # one of two zones that exchange all their cards
    GATHERED = "gathered"  # the zone all cards are put into, in a known order

"""Declarations of a program: clauses and rules, cards, zones, states, definitions, score tables.

In: expressions. Out: the node classes of everything a rule file names, except actions, decisions and steps
(`actions.py`).
"""

from __future__ import annotations

from typing import Literal

from hoyle.base.dataclass import dataclass
from hoyle.program.ir.expressions import ClauseId, Expr
from hoyle.program.ir.types import Type
from hoyle.program.model.runtime_values import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A named clause of the rule file: its location, its text, and the rules it cites."""

    path: str
    file: str
    line: int
    column: int
    text: str
    cite: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A numbered rule of the game, paraphrased; its place in the booklet, and whether it is stated there."""

    id: str
    text: str
    place: str
    status: Literal["stated", "follows", "ruling"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Enum:
    """An enumeration type; `shorts` are the abbreviations of its values in card codes."""

    name: str
    values: tuple[str, ...]
    shorts: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """A distinct numeric type from `low` to `high`: a ranged attribute, or a kind. `names` maps numbers, in figures, to
    how they are written: `{"11": "J"}`."""

    name: str
    low: int
    high: int
    names: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dimension:
    """One index dimension of a family: seats, teams, cards, the values of the enumeration `name`, or the numbers of the
    scale `name`. It has `size` values, from `low`."""

    kind: Literal["seat", "team", "card", "enum", "number"]
    name: str
    low: int
    size: int

    @property
    def type(self) -> Type:
        return Type(self.kind, self.name if self.kind in ("enum", "number") else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class CardAttribute:
    """`table[card]` is the value printed on the card, None if it has none; `written[card]` is its abbreviation in the
    card's code."""

    name: str
    type: Type
    table: tuple[int | None, ...]
    written: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A card of the deck; cards with the same `face` are indistinguishable. `name` is set for special cards, `text`
    where the deck says what a card does."""

    face: int
    code: str
    name: str
    text: str = ""


Visibility = Literal["nothing", "owner", "all_but_owner", "last_holder", "top_card", "face_up", "all"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownWhen:
    """The visibility of a zone under a condition, over a frame that begins with the indices of the zone."""

    when: Expr
    shows: Visibility


@dataclass(frozen=True, slots=True, kw_only=True)
class Zone:
    """Zones `base` to `base + size - 1` of the position: one, or a family with one for each combination of the
    dimensions `of`, the last of which varies fastest. A zone that shows `last_holder` shows each card to the last seat
    in whose zone it lay; one that shows `face_up` shows face-up cards to everybody. The first of `cases` that holds
    determines the visibility, `shows` if none does. With `many`, each is a family of dynamic piles: those of the owner
    at index p begin at `base + p * many`. The covered cards of a `remembered` zone were seen by all when they were
    laid, so any acting seat may know them. A `quiet` zone is not displayed while it is empty."""

    name: str
    of: tuple[Dimension, ...]
    base: int
    size: int
    shows: Visibility
    text: str
    clause: ClauseId
    quiet: bool = False
    many: int = 0
    remembered: bool = False
    cases: tuple[ShownWhen, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """States `base` to `base + size - 1` of the position: one, or a family, as for zones. A state indexed by cards is
    displayed with the card, to those that may see the state, and reveals nothing else about the card. `low` and `high`
    bound a number, or the numbers of a list. With `most` it is a list in order of insertion, of at most that length;
    without, a list of seats is a set in seat order. A `quiet` state is not displayed: neither its changes nor its
    value. A `pot` holds chips and changes only by payments; with `debt` it may be negative."""

    name: str
    of: tuple[Dimension, ...]
    base: int
    size: int
    type: Type
    start: Value
    low: int | None
    high: int | None
    shows: Literal["owner", "all", "nothing"]
    lasts: Literal["round", "match"]
    clause: ClauseId
    quiet: bool = False
    pot: bool = False
    debt: bool = False
    most: int | None = None


TablePlace = Literal["", "centre", "side", "away"]
TableForm = Literal["", "fan", "row", "column", "pile", "stack"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneLook:
    """Layout of a zone: its place on the table and its form, empty if not declared. `sort` are the attributes by which
    its cards are sorted, ascending, or descending for `-rank`; empty for unsorted, None if not declared. The zone may
    be placed `under` another zone of the same family. `marks` are states indexed by position in the zone, displayed on
    the card at that position. `places` is the number of cards that lie there in the end, 0 if not declared."""

    zone: int
    at: TablePlace
    form: TableForm
    sort: tuple[str, ...] | None
    under: int | None
    marks: tuple[int, ...]
    places: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCount:
    """A displayed public count: one for the table, or one for each seat, over a frame that begins with the seat."""

    label: str
    owner: Literal["", "seat"]
    value: Expr
    clause: ClauseId


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLooks:
    """The declared layout of the table. `states` are the states to display; None for all that are not quiet."""

    zones: tuple[ZoneLook, ...]
    counts: tuple[TableCount, ...]
    states: tuple[str, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Utility:
    """The utility of a result for a seat, over a frame that begins with the seat; optionally its least and greatest
    value, and the constant sum over all seats."""

    value: Expr
    low: int | None
    high: int | None
    sum: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Local:
    """A slot of the position: its name and type."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    name: str
    params: tuple[Local, ...]
    type: Type
    body: Expr
    frame: int
    clause: ClauseId


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRow:
    """A row of a score table: the definition of its amount and, if it scores for each of several groups, the
    definitions of these groups and of the amount of each. `call` is announced before the running total."""

    name: str
    label: str
    call: str
    amount: int
    groups: int | None
    parts: int | None
    clause: ClauseId


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreTable:
    """A sum of rows; `total` is the definition of the sum."""

    name: str
    total: int
    rows: tuple[ScoreRow, ...]
    clause: ClauseId

"""What a program declares: clauses and rules, cards, zones, states, definitions, score tables.

In: expressions. Out: the node classes of everything a rule file gives a name, but for what is done (`actions.py`).
"""

from __future__ import annotations

from typing import Literal

from hoyle.dataclass import dataclass
from hoyle.ir.expressions import ClauseId, Expr
from hoyle.ir.types import Type
from hoyle.model.runtime_values import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A named line of the rule file: where it stands, what it says, which rules it cites."""

    path: str
    file: str
    line: int
    column: int
    text: str
    cite: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A numbered rule of the game in our words, its place in the booklet, and whether it is stated there."""

    id: str
    text: str
    place: str
    status: Literal["stated", "follows", "ruling"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Enum:
    """A type with named values; `shorts` are how the values are written in card codes."""

    name: str
    values: tuple[str, ...]
    shorts: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Numbers from `low` to `high` that are a type of their own: a ranged attribute, or a kind. `names` says how some
    of them are written, by the number in figures: `{"11": "J"}`."""

    name: str
    low: int
    high: int
    names: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dimension:
    """What a family has one of for each: every seat, team or card, every value of the enumeration `name`, or every
    number of the scale `name`. There are `size` of them, counted from `low`."""

    kind: Literal["seat", "team", "card", "enum", "number"]
    name: str
    low: int
    size: int

    @property
    def type(self) -> Type:
        return Type(self.kind, self.name if self.kind in ("enum", "number") else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class CardAttribute:
    """`table[card]` is the value printed on the card, None where there is none; `written[card]` is how it stands in the
    card's code."""

    name: str
    type: Type
    table: tuple[int | None, ...]
    written: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A card of the deck; cards with the same `face` cannot be told apart. `name` is that of a special card."""

    face: int
    code: str
    name: str


Visibility = Literal["nothing", "owner", "all_but_owner", "last_holder", "top_card", "face_up", "all"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownWhen:
    """Who sees a zone while a condition holds, over a frame that begins with what the zone is of."""

    when: Expr
    shows: Visibility


@dataclass(frozen=True, slots=True, kw_only=True)
class Zone:
    """Zones `base` to `base + size - 1` of the position: one, or a family with one for each combination of what it is
    `of`, the last of them running fastest. A zone that shows `last_holder` shows each card to the last seat in whose
    zone it lay; one that shows `face_up`, those cards to everybody that lie with their faces up. The first of `cases`
    that holds says who sees it, and `shows` where none does. With `many` each of them is a family of piles that come
    and go: those of the owner at place p begin at `base + p * many`. The covered cards of a zone that is `remembered`
    were seen by all when they were laid: whoever acts may know them. A quiet zone is not worth a line to players while
    it is empty."""

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
    """States `base` to `base + size - 1` of the position: one, or a family as zones are. What is kept `of` cards lies
    with the card: whoever may see it sees it where the card lies, and learns nothing else of the card. `low` and `high`
    bound a number, or the numbers of a list. With `most` it is a list in the order in which things were added, at most
    so long; without, seats are kept in seat order, each once. A quiet state is not worth a line to players: neither its
    changes nor its value. A pot holds chips, which are only paid; with `debt` it may hold less than nothing."""

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
    """Where a zone lies on the table and in which form; empty where nothing is said. `sort` are the attributes its
    cards are sorted by, lowest first, `-rank` highest first; none of them: as they lie. It may lie `under` another
    zone of the same family. `marks` are states kept for each place of it, shown on the card that lies there."""

    zone: int
    at: TablePlace
    form: TableForm
    sort: tuple[str, ...] | None
    under: int | None
    marks: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCount:
    """A running count that everybody may know: of the table, or of each seat (over a frame that begins with it)."""

    label: str
    owner: Literal["", "seat"]
    value: Expr
    clause: ClauseId


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLooks:
    """How a game looks on the table. `states` are those that matter to players; None: those worth a line."""

    zones: tuple[ZoneLook, ...]
    counts: tuple[TableCount, ...]
    states: tuple[str, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Utility:
    """What a result is worth to a seat, over a frame that begins with the seat; the least and the most that can be, and
    what it is to all seats together, where the file says so."""

    value: Expr
    low: int | None
    high: int | None
    sum: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Local:
    """A slot of the position: what it is for and what it holds."""

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
    """A row of a score table: the definition that works it out, and, if it scores for each of several groups, those of
    the groups and of what each of them scores. `call` is what is called out before the running total."""

    name: str
    label: str
    call: str
    amount: int
    groups: int | None
    parts: int | None
    clause: ClauseId


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreTable:
    """Rows added up; `total` is the definition of the sum."""

    name: str
    total: int
    rows: tuple[ScoreRow, ...]
    clause: ClauseId

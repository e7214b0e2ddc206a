"""Data model of the table as one seat sees it, which the terminal, browser, replay and tests render.

In: nothing. Out: frozen dataclasses of strings, numbers and tuples; `Table.to_json` gives plain JSON data. All texts
are in the language of the table. Nothing in it depends on what the seat cannot see.

Cards are identified by their code (`8H`), None for a card the seat cannot see; the `Legend` has the face of each code.
Zones are identified by a typeable id: `pile`, `hand.1`, `surplus2.1`.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Literal

from hoyle.base.dataclass import dataclass
from hoyle.play.view.score_sheet_view import Sheet

Form = Literal["fan", "row", "column", "pile", "stack"]
Place = Literal["seat", "centre", "side"]
PickKind = Literal["card", "zone", "seat", "value", "number"]


# ------------------------------------------------------------------------------------------------ players and zones
@dataclass(frozen=True, slots=True)
class Player:
    """A seat: `side` is the number of its team, `score` the score of that team, `marks` its current roles ("dealer",
    "partner"), `counts` the counts that the game declares for it, `turn` whether it has to choose."""

    seat: int
    name: str
    you: bool
    side: int
    score: int
    turn: bool
    retired: bool
    marks: tuple[str, ...] = ()
    counts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Zone:
    """A place for cards. `cards` lists them bottom to top; `order` their places in display order.

    `form`: a `fan` is a hand, a `row` is spread out, a `column` spreads downwards, a `pile` shows its top card, a
    `stack` its back. `place`: before the `seat` that owns it, in the `centre`, or at the `side`. `pile` is the 1-based
    number among several piles, else 0. `label` includes the owner ("your hand"), `short` does not ("hand"); `member` is
    the family key of a zone without an owning player ("hearts"). `laid_by` has the seat that played each card of a row
    in the centre, None for cards that no seat played; it is empty if that holds for all. `marks` has the marks at each
    place; it is empty for zones that the file gives none. To a `ring` the seats play in turn, as to a trick; `unit` is
    the number of cards in which those taken from it count, `places` of those that lie there in the end, or 0. `parts`
    are the sizes of the groups in which a hand is ordered, then of what is left over; it is empty without groups."""

    id: str
    name: str
    label: str
    short: str
    owner: int | None
    pile: int
    form: Form
    place: Place
    cards: tuple[str | None, ...]
    order: tuple[int, ...]
    member: str = ""
    laid_by: tuple[int | None, ...] = ()
    marks: tuple[tuple[str, ...], ...] = ()
    ring: bool = False
    unit: int = 1
    places: int = 0
    parts: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        return len(self.cards)

    @property
    def top(self) -> str | None:
        return self.cards[-1] if self.cards else None

    @property
    def shown(self) -> tuple[str | None, ...]:
        """The cards in display order."""
        return tuple(self.cards[place] for place in self.order)


@dataclass(frozen=True, slots=True)
class Pot:
    """A pot of chips. `owner` is a seat number, the name of another family key, or None for a single pot; `short` is
    the label of such a key, otherwise that of the pot."""

    id: str
    name: str
    label: str
    short: str
    owner: int | str | None
    amount: int


@dataclass(frozen=True, slots=True)
class Fact:
    """A state or count worth showing now. `seats` are the seats in its value; `owner` is the family member. A true
    truth value has an empty `value`: the label says enough. `zone` is the pile for which it was named, as a suit; `by`
    the seat that offers it, as a price."""

    name: str
    label: str
    value: str
    owner: int | str | None = None
    seats: tuple[int, ...] = ()
    counted: bool = False
    zone: str = ""
    by: int | None = None


# ------------------------------------------------------------------------------------------------ scores
@dataclass(frozen=True, slots=True)
class Side:
    """Seats that score together; `before` is their score before they last scored."""

    seats: tuple[int, ...]
    name: str
    score: int
    before: int


@dataclass(frozen=True, slots=True)
class Scores:
    """`best` says which score wins, empty if scores alone do not decide; `holes` is the length of the score track, 0
    for games without one."""

    sides: tuple[Side, ...]
    best: Literal["highest", "lowest", ""]
    holes: int = 0
    sheet: Sheet | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of the match: `verdict` says who has won, `reason` why."""

    winners: tuple[int, ...]
    verdict: str
    reason: str


# ------------------------------------------------------------------------------------------------ events
@dataclass(frozen=True, slots=True)
class Move:
    """Cards that moved: for each its code and the ids of its source and target zone."""

    cards: tuple[str | None, ...]
    source: tuple[str, ...]
    target: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class News:
    """One sentence of the event log. `kind` is the name of its main event, `seat` who acted, `cards` the cards it
    mentions, `moves` what to animate."""

    text: str
    kind: str
    seat: int | None = None
    cards: tuple[str, ...] = ()
    moves: tuple[Move, ...] = ()


# ------------------------------------------------------------------------------------------------ the menu
@dataclass(frozen=True, slots=True)
class Item:
    """Something that can be picked; `word` is what to type for it. A card lies in `zone` at each of `places`: several
    for cards with equal faces, none if it is covered. So does a number that picks a face-down card by its place. A zone
    item has the id of the zone, a seat item the number of the seat. A rank to be named has the `attribute` and the
    `value` that the cards of this rank show."""

    kind: PickKind
    text: str
    word: str
    card: str | None = None
    zone: str | None = None
    places: tuple[int, ...] = ()
    seat: int | None = None
    attribute: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True)
class Slot:
    """A pick of an action; `many`: it takes several items at once, in any order."""

    name: str
    label: str
    kind: PickKind
    many: bool


@dataclass(frozen=True, slots=True)
class Group:
    """Items of which any `low` to `high` are picked for the last slot: a compact form of more ways than can be listed.
    Interchangeable items have equal `keys`."""

    items: tuple[int, ...]
    keys: tuple[int, ...]
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Way:
    """One way to take an action: `choice` is its index among the offered actions, `picks` the items of each slot as
    indices into `Menu.items`, `number` the bounds of a number still to be given, `text` its display text. With a
    `group`, it stands for one way per group, and `choice` is the index of the first. `note` says what it costs. If the
    number is the place of a face-down card, it counts the cards of `zone` from the top. `moved` says which cards it
    moves first, from where and to where, as far as the seat knows."""

    choice: int
    picks: tuple[tuple[int, ...], ...]
    text: str
    number: tuple[int, int] | None = None
    group: Group | None = None
    note: str = ""
    zone: str = ""
    moved: Move | None = None


@dataclass(frozen=True, slots=True)
class Act:
    """An offered action with every way to take it; `text` is its description, `cite` the rules it comes from,
    `receiver` the seat that gets the cards, where it is the same however it is taken."""

    name: str
    label: str
    text: str
    cite: tuple[str, ...]
    slots: tuple[Slot, ...]
    ways: tuple[Way, ...]
    receiver: int | None = None


@dataclass(frozen=True, slots=True)
class Menu:
    """The legal choices of the seat. `turn` counts what the seat has been told so far and so identifies stale answers
    to an earlier menu. `decline` is the index of declining among the offered actions. `window`: other seats are asked
    the same."""

    turn: int
    items: tuple[Item, ...]
    acts: tuple[Act, ...]
    decline: int | None
    window: bool

    @property
    def count(self) -> int:
        """Number of ways listed, declining included."""
        return sum(len(act.ways) for act in self.acts) + (self.decline is not None)

    def takes(self, face: Face) -> bool:
        """Whether a card with this face can be picked, or its rank be named."""
        return any(item.card == face.code or face.shows(item.attribute, item.value) for item in self.items)


# ------------------------------------------------------------------------------------------------ the table
@dataclass(frozen=True, slots=True)
class Table:
    """All that one seat may know of a match; `seat` is None for a spectator. `round` is 0 for games without several
    rounds. `status` is a sentence about whose turn it is."""

    game: str
    title: str
    language: str
    seat: int | None
    round: int
    over: bool
    turn: int | None
    status: str
    players: tuple[Player, ...]
    zones: tuple[Zone, ...]
    pots: tuple[Pot, ...]
    facts: tuple[Fact, ...]
    scores: Scores
    news: tuple[News, ...]
    menu: Menu | None
    result: Result | None

    def to_json(self) -> dict[str, object]:
        """Convert to plain JSON data."""
        return _to_plain(self)  # type: ignore[no-any-return]

    def find_zone(self, zone: str) -> Zone:
        return next(each for each in self.zones if each.id == zone)


# ------------------------------------------------------------------------------------------------ refusals
@dataclass(frozen=True, slots=True)
class CitedRule:
    """A numbered rule: its text, its place in the rulebook, and its status (stated there, derived, or a ruling)."""

    id: str
    text: str
    place: str
    status: str


@dataclass(frozen=True, slots=True)
class Value:
    """An expression of the rule file that decided a refusal, and its value."""

    text: str
    value: str


@dataclass(frozen=True, slots=True)
class Otherwise:
    """An alternative condition that would have allowed the action, and why it failed."""

    path: str
    text: str
    cite: tuple[str, ...]
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an action is not allowed: a sentence, the path of the failed clause, the rules cited, the deciding values,
    the alternatives, the codes of the deciding cards, and the sentence of the definition asked for."""

    text: str
    path: str
    cite: tuple[str, ...]
    rules: tuple[CitedRule, ...]
    values: tuple[Value, ...]
    otherwise: tuple[Otherwise, ...]
    cards: tuple[str, ...] = ()
    because: str = ""

    def to_json(self) -> dict[str, object]:
        return _to_plain(self)  # type: ignore[no-any-return]


# ------------------------------------------------------------------------------------------------ the legend
@dataclass(frozen=True, slots=True)
class Print:
    """One attribute of a card: the name of its value, and the short form used in the card's code. Well-known suits and
    colours also have a `glyph` or a `colour`."""

    attribute: str
    value: str
    text: str
    short: str
    glyph: str = ""
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Face:
    """The face of a card: `text` is its display code, `name` the name of a card that is declared by name, `note` what
    it does."""

    code: str
    text: str
    name: str
    prints: tuple[Print, ...]
    note: str = ""

    def shows(self, attribute: str, value: str) -> bool:
        """Whether the card shows this value for the attribute."""
        return any(each.attribute == attribute and each.value == value for each in self.prints)


@dataclass(frozen=True, slots=True)
class Legend:
    """The data that stays the same during a match: card faces by code, descriptions of zones by name, and the numbered
    rules; `cited` are those of them that clauses cite."""

    game: str
    title: str
    language: str
    faces: dict[str, Face]
    zones: dict[str, str]
    rules: dict[str, CitedRule]
    cited: tuple[str, ...] = ()

    def to_json(self) -> dict[str, object]:
        return _to_plain(self)  # type: ignore[no-any-return]


# ------------------------------------------------------------------------------------------------ serialization
_FIELDS: dict[type, tuple[str, ...]] = {}  # field names by class


def _to_plain(value: Any) -> Any:
    """A fast `dataclasses.asdict` for immutable values: it skips the deep copies, which take most of the time of
    `asdict`. The server calls it for every guest after every event."""
    kind = type(value)
    if kind is str or kind is int or value is None or kind is bool:
        return value
    if kind is tuple or kind is list:
        return kind(map(_to_plain, value))
    if kind is dict:
        return {key: _to_plain(each) for key, each in value.items()}
    names = _FIELDS.get(kind)
    if names is None:
        names = _FIELDS[kind] = tuple(each.name for each in fields(value))
    return {name: _to_plain(getattr(value, name)) for name in names}

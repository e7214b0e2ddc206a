"""The table as one seat sees it, as plain data: what terminal, browser, replay and tests draw.

In: nothing. Out: frozen dataclasses of strings, numbers and tuples; `Table.to_json` gives plain JSON data. Every text
is in the language of the table. Nothing in it depends on what the seat cannot see.

Cards are named by their code (`8H`), which is None for a card the seat cannot see; how a code is drawn stands in the
`Legend`. Zones are named by their id, which can be typed: `pile`, `hand.1`, `surplus2.1`.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Literal

from hoyle.dataclass import dataclass
from hoyle.view.sheet import Sheet

Form = Literal["fan", "row", "column", "pile", "stack"]
Place = Literal["seat", "centre", "side"]
PickKind = Literal["card", "zone", "seat", "value", "number"]


# ------------------------------------------------------------------------------------------------ who and where
@dataclass(frozen=True, slots=True)
class Player:
    """A seat: `side` is the number of its team, `score` that of its side, `marks` what it is at present ("dealer",
    "partner"), `counts` what the game counts for it, `turn` whether it is to choose."""

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
    """A place for cards. `cards` lie bottom to top; `order` are their places in the order in which they are shown.

    `form`: a `fan` is held, a `row` is spread out, a `column` downwards, a `pile` shows its top, a `stack` its back.
    `place`: before the `seat` that owns it, in the `centre`, or at the `side`. `pile` is the place of a pile in its
    family, from 1, else 0. `label` says whose it is ("your hand"), `short` does not ("hand"); `member` is what it is
    kept for, of a family that is nobody's ("hearts"). `laid_by` are the seats that laid the cards of a row in the
    centre, None where nobody did; it is empty where nobody laid any. `marks` are what is kept about the card at each
    place, empty where the file marks none."""

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

    @property
    def size(self) -> int:
        return len(self.cards)

    @property
    def top(self) -> str | None:
        return self.cards[-1] if self.cards else None

    @property
    def shown(self) -> tuple[str | None, ...]:
        """The cards in the order in which they are shown."""
        return tuple(self.cards[place] for place in self.order)


@dataclass(frozen=True, slots=True)
class Pot:
    """Chips: of a seat (`owner` is its number), of a value of a kind (its name, with its label), or of nobody."""

    id: str
    name: str
    label: str
    short: str
    owner: int | str | None
    amount: int


@dataclass(frozen=True, slots=True)
class Fact:
    """Something worth knowing now: a state or a running count. `seats` are those it names; `owner` whose it is. What is
    true has no other value: its label says it."""

    name: str
    label: str
    value: str
    owner: int | str | None = None
    seats: tuple[int, ...] = ()
    counted: bool = False


# ------------------------------------------------------------------------------------------------ scores
@dataclass(frozen=True, slots=True)
class Side:
    """Seats that score together; `before` is what they had before they last scored."""

    seats: tuple[int, ...]
    name: str
    score: int
    before: int


@dataclass(frozen=True, slots=True)
class Scores:
    """`best` says which score wins, where that is all there is to it; `holes` is the length of the board the scores are
    pegged on, 0 without one."""

    sides: tuple[Side, ...]
    best: Literal["highest", "lowest", ""]
    holes: int = 0
    sheet: Sheet | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """How the match ended: `verdict` who has won, `reason` why."""

    winners: tuple[int, ...]
    verdict: str
    reason: str


# ------------------------------------------------------------------------------------------------ what happened
@dataclass(frozen=True, slots=True)
class Move:
    """Cards that went somewhere: for each its code, and the zones it left and reached."""

    cards: tuple[str | None, ...]
    source: tuple[str, ...]
    target: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class News:
    """A sentence about what happened. `kind` is that of the event it is mainly about, `seat` who acted, `cards` those
    it names; `round` begins a new paragraph."""

    text: str
    kind: str
    seat: int | None = None
    cards: tuple[str, ...] = ()
    moves: tuple[Move, ...] = ()


# ------------------------------------------------------------------------------------------------ what may be done
@dataclass(frozen=True, slots=True)
class Item:
    """Something that can be picked. A card lies in `zone` at each of `places` (cards of equal face are one choice; none
    if it is covered), and so does a number that is the place of a card nobody need see; a zone has its id, a seat its
    number. `word` is what is typed for it. A rank that is to be said
    has the `attribute` and the `value` that are printed on the cards of it."""

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
    """A pick of an action: `many` are picked together, in any order."""

    name: str
    label: str
    kind: PickKind
    many: bool


@dataclass(frozen=True, slots=True)
class Group:
    """Items of which `low` to `high` are picked for the last slot, any of them: more ways than are listed. `keys` are
    equal for items that are alike."""

    items: tuple[int, ...]
    keys: tuple[int, ...]
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Way:
    """One way to take an action: `choice` is its place among the actions offered, `picks` the items of each slot as
    places in `Menu.items`, `number` the bounds of a number that is still to be said, `text` how it is written. With a
    `group` it stands for as many ways as there are groups, and `choice` is the place of the first. `note` says what it
    costs. A number that is the place of an unseen card counts, from the top, those of `zone`."""

    choice: int
    picks: tuple[tuple[int, ...], ...]
    text: str
    number: tuple[int, int] | None = None
    group: Group | None = None
    note: str = ""
    zone: str = ""


@dataclass(frozen=True, slots=True)
class Act:
    """An action that is offered, with every way to take it; `text` is its sentence, `cite` the rules it comes from."""

    name: str
    label: str
    text: str
    cite: tuple[str, ...]
    slots: tuple[Slot, ...]
    ways: tuple[Way, ...]


@dataclass(frozen=True, slots=True)
class Menu:
    """What the seat may do. `turn` counts the choices made so far, so that an answer to an earlier menu can be told
    from one to this. `decline` is the place of declining among the actions offered. `window`: others are asked the
    same."""

    turn: int
    items: tuple[Item, ...]
    acts: tuple[Act, ...]
    decline: int | None
    window: bool

    @property
    def count(self) -> int:
        """How many ways there are, declining among them."""
        return sum(len(act.ways) for act in self.acts) + (self.decline is not None)

    def takes(self, face: Face) -> bool:
        """Whether a card of this face can be picked, or its rank be said."""
        return any(item.card == face.code or face.shows(item.attribute, item.value) for item in self.items)


# ------------------------------------------------------------------------------------------------ the whole
@dataclass(frozen=True, slots=True)
class Table:
    """All that one seat may know of a match; `seat` is None for a spectator. `round` is 0 where the match is not played
    in rounds. `status` says whose turn it is."""

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
        """Plain JSON data."""
        return _to_plain(self)  # type: ignore[no-any-return]

    def find_zone(self, zone: str) -> Zone:
        return next(each for each in self.zones if each.id == zone)


# ------------------------------------------------------------------------------------------------ why not
@dataclass(frozen=True, slots=True)
class CitedRule:
    """A numbered rule: its text, where the booklet has it, and whether it is stated there."""

    id: str
    text: str
    place: str
    status: str


@dataclass(frozen=True, slots=True)
class Value:
    """Something that was looked at, in the words of the rule file, and what it was."""

    text: str
    value: str


@dataclass(frozen=True, slots=True)
class Otherwise:
    """A way in which it could have been allowed, and why it was not."""

    path: str
    text: str
    cite: tuple[str, ...]
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something is not allowed: the sentence, the clause it comes from, the rules cited, what decided."""

    text: str
    path: str
    cite: tuple[str, ...]
    rules: tuple[CitedRule, ...]
    values: tuple[Value, ...]
    otherwise: tuple[Otherwise, ...]

    def to_json(self) -> dict[str, object]:
        return _to_plain(self)  # type: ignore[no-any-return]


# ------------------------------------------------------------------------------------------------ what does not change
@dataclass(frozen=True, slots=True)
class Print:
    """What is printed on a card for one attribute: its value's name, and the short form in the card's code. `colour`
    and `glyph` are those of a suit that is known by its name."""

    attribute: str
    value: str
    text: str
    short: str
    glyph: str = ""
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Face:
    """A card: `text` is how it is written, `name` that of a card without attributes of its own."""

    code: str
    text: str
    name: str
    prints: tuple[Print, ...]

    def shows(self, attribute: str, value: str) -> bool:
        """Whether a value of an attribute is printed on it."""
        return any(each.attribute == attribute and each.value == value for each in self.prints)


@dataclass(frozen=True, slots=True)
class Legend:
    """What does not change during a match: how cards are drawn, what zones and actions are for and are called, the
    rules."""

    game: str
    title: str
    language: str
    faces: dict[str, Face]
    zones: dict[str, str]
    actions: dict[str, str]
    rules: dict[str, CitedRule]
    zone_labels: dict[str, str]
    action_labels: dict[str, str]

    def to_json(self) -> dict[str, object]:
        return _to_plain(self)  # type: ignore[no-any-return]


# ------------------------------------------------------------------------------------------------ as data
_FIELDS: dict[type, tuple[str, ...]] = {}  # their names, of each class


def _to_plain(value: Any) -> Any:
    """What `dataclasses.asdict` gives, of values that are never changed and so need not be copied: a server does this
    for every guest whenever something happens, and `asdict` takes five times as long."""
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

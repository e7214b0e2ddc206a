"""Messages from clients, validated strictly, so that all further code can trust them.

In: text from a WebSocket, JSON from a request. Out: frozen dataclasses, or `BadMessage`.
"""

from __future__ import annotations

import json
from dataclasses import field
from typing import Any

from hoyle.base.dataclass import dataclass
from hoyle.base.errors import HoyleError

LARGEST_MESSAGE = 2_000  # characters of a WebSocket message
LARGEST_BODY = 20_000  # bytes of a request body; rule files have a limit of their own
LONGEST_NAME = 24
MOST_ITEMS = 200  # cards picked together
MOST_PLAYERS = 100
MOST_MOVES = 20_000


class BadMessage(HoyleError):  # noqa: N818 - a finding about a client's input, not an error of this program
    """The input is not a valid message; the text says why."""


@dataclass(frozen=True, slots=True)
class Choose:
    """Take the action at an index of the menu of a turn, with its number or the items of its group, if it needs one."""

    turn: int
    choice: int
    number: int | None = None
    items: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Why:
    """Ask why a card cannot be used."""

    zone: str
    place: int


@dataclass(frozen=True, slots=True)
class Agree:
    """Answer to another player's request to undo."""

    yes: bool


@dataclass(frozen=True, slots=True)
class Offer:
    """Offer the seat of a bot to a person, by link."""

    seat: int


@dataclass(frozen=True, slots=True)
class Pace:
    """Set the delay of bots in milliseconds."""

    wait: int


@dataclass(frozen=True, slots=True)
class Rename:
    name: str


@dataclass(frozen=True, slots=True)
class React:
    """Show everybody at the table one of the signs."""

    sign: str


@dataclass(frozen=True, slots=True)
class Plain:
    """A request without parameters: `undo`, `redo`, `hint`, `guide`, `share`, `hello`."""

    wish: str


Message = Choose | Why | Agree | Offer | Pace | Rename | React | Plain
REACTIONS = ("👍", "👏", "😄", "😮", "🤔", "😢")
PLAIN = ("undo", "redo", "hint", "guide", "share", "hello")


def read_message(text: str) -> Message:
    """Parse a WebSocket message."""
    if len(text) > LARGEST_MESSAGE:
        raise BadMessage("the message is too large")
    fields = _Fields(read_json(text))
    wish = fields.take("do", str)
    message: Message
    match wish:
        case "choose":
            turn, choice = fields.take("turn", int), fields.take("choice", int)
            items = fields.take("items", list, [])
            if len(items) > MOST_ITEMS or not all(type(item) is int for item in items):
                raise BadMessage("`items` are places in the menu")
            message = Choose(turn, choice, fields.take_or_none("number", int), tuple(items))
        case "why":
            message = Why(fields.take("zone", str), fields.take("place", int))
        case "agree":
            message = Agree(fields.take("yes", bool))
        case "offer":
            message = Offer(fields.take("seat", int))
        case "pace":
            message = Pace(min(max(fields.take("wait", int), 0), 5_000))
        case "name":
            message = Rename(read_name(fields.take("name", str)))
        case "react":
            message = React(fields.take("sign", str))
            if message.sign not in REACTIONS:
                raise BadMessage("there is no such sign")
        case _ if wish in PLAIN:
            message = Plain(wish)
        case _:
            raise BadMessage("there is no such wish")
    fields.end()
    return message


@dataclass(frozen=True, slots=True)
class NewTable:
    """A request to create a table: `seats` are `me`, `person` or names of bots, one per player. `language` is that of
    the creator, used to name the other players. `grade` says what deal of a game for one is wanted."""

    game: str
    players: int | None
    options: dict[str, str]
    seats: tuple[str, ...]
    name: str
    seed: int | None
    language: str | None = None
    grade: str | None = None


@dataclass(frozen=True, slots=True)
class GoOn:
    """A request to create a table from a position of another match."""

    key: str
    at: int
    seat: int


def read_new_table(text: bytes) -> NewTable:
    fields = _Fields(read_json(text))
    options = fields.take("options", dict, {})
    seats = fields.take("seats", list, [])
    if not all(isinstance(part, str) and len(part) <= 100 for pair in options.items() for part in pair):
        raise BadMessage("`options` are texts")
    if len(seats) > MOST_PLAYERS or not all(isinstance(seat, str) for seat in seats):
        raise BadMessage("`seats` are names of players")
    made = NewTable(
        fields.take("game", str),
        fields.take_or_none("players", int),
        options,
        tuple(seats),
        read_name(fields.take("name", str, "")),
        fields.take_or_none("seed", int),
        fields.take_or_none("language", str),
        fields.take_or_none("grade", str),
    )
    fields.end()
    return made


@dataclass(frozen=True, slots=True)
class Link:
    """What a link says of a game: which, or its whole text; how it was dealt, and what was played."""

    game: str
    text: str | None
    players: int | None
    options: dict[str, Any]
    seed: int | None
    seat: int
    bot: str
    moves: tuple[str, ...]


def read_link(text: bytes) -> Link:
    fields = _Fields(read_json(text))
    fields.take_or_none("name", str)
    moves, options = fields.take("moves", list, []), fields.take("options", dict, {})
    if len(moves) > MOST_MOVES or not all(isinstance(move, str) and len(move) <= LARGEST_MESSAGE for move in moves):
        raise BadMessage("`moves` are texts")
    players = fields.take_or_none("players", int)
    if players is not None and not 1 <= players <= MOST_PLAYERS:
        raise BadMessage("so many cannot play")
    made = Link(
        fields.take("game", str, ""),
        fields.take_or_none("text", str),
        players,
        options,
        fields.take_or_none("seed", int),
        fields.take("seat", int, 0),
        fields.take("bot", str, "medium"),
        tuple(moves),
    )
    fields.end()
    return made


def read_go_on(text: bytes) -> GoOn:
    fields = _Fields(read_json(text))
    made = GoOn(fields.take("key", str), fields.take("at", int), fields.take("seat", int))
    fields.end()
    return made


def read_claim(text: bytes) -> tuple[str, str]:
    """Parse the key of an invitation and the name of the guest."""
    fields = _Fields(read_json(text))
    made = fields.take("key", str), read_name(fields.take("name", str, ""))
    fields.end()
    return made


def read_practise(text: bytes) -> tuple[str, str]:
    """Parse the key of a table and the number of a rule."""
    fields = _Fields(read_json(text))
    made = fields.take("key", str), fields.take("rule", str)
    fields.end()
    return made


def read_name(text: str) -> str:
    """Sanitize a player name: printable characters, on one line, truncated."""
    kept = "".join(sign if sign.isprintable() else " " for sign in text)
    return " ".join(kept.split())[:LONGEST_NAME].strip()


def read_json(text: str | bytes) -> dict[str, Any]:
    try:
        data = json.loads(text)
        json.dumps(data, ensure_ascii=False).encode()  # a lone surrogate cannot be encoded, stored or sent
    except (ValueError, RecursionError):
        raise BadMessage("it is no JSON") from None
    if not isinstance(data, dict):
        raise BadMessage("it is no JSON object")
    return data


def read_place(text: str | None, most: int) -> int:
    """Parse an index from a query string."""
    if text is None or not text.isascii() or not text.isdigit() or len(text) > 7 or int(text) > most:
        raise BadMessage("no such place")
    return int(text)


_REQUIRED = object()


@dataclass(slots=True)
class _Fields:
    """Typed access to the fields of an object; `end` rejects those that were not taken."""

    data: dict[str, Any]
    taken: set[str] = field(default_factory=set)

    def take(self, name: str, kind: Any, otherwise: Any = _REQUIRED) -> Any:
        self.taken.add(name)
        value: Any = self.data.get(name, otherwise)
        if type(value) is not kind:
            raise BadMessage(f"`{name}` is missing or of a wrong kind")
        if kind is int and abs(value) > 2**53:
            raise BadMessage(f"`{name}` is too large")
        return value

    def take_or_none(self, name: str, kind: type) -> Any:
        if self.data.get(name) is not None:
            return self.take(name, kind)
        self.taken.add(name)
        return None

    def end(self) -> None:
        if set(self.data) - self.taken:
            raise BadMessage("there are fields that mean nothing")

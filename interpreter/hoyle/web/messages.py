"""What a browser may send: read strictly, so that everything behind can trust it.

In: text from a WebSocket, JSON from a request. Out: frozen dataclasses, or `BadMessage`.
"""

from __future__ import annotations

import json
from dataclasses import field
from typing import Any

from hoyle.dataclass import dataclass

LARGEST_MESSAGE = 2_000  # characters of one message of a seat
LARGEST_BODY = 20_000  # bytes of a request; a rule file has a limit of its own
LONGEST_NAME = 24
MOST_ITEMS = 200  # cards picked together
MOST_PLAYERS = 100


class BadMessage(Exception):  # noqa: N818 - a finding about what was sent, not an error of ours
    """What was sent is not a message; the text says why."""


@dataclass(frozen=True, slots=True)
class Choose:
    """Take the action at a place of the menu of a turn, with a number if one is to be said, or the items of a group."""

    turn: int
    choice: int
    number: int | None = None
    items: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Why:
    """Ask why nothing can be done with a card, or why an action cannot be taken."""

    zone: str
    place: int


@dataclass(frozen=True, slots=True)
class Agree:
    """Answer to one who would like to take a choice back."""

    yes: bool


@dataclass(frozen=True, slots=True)
class Pace:
    """How long a bot waits before it plays, in thousandths of a second."""

    wait: int


@dataclass(frozen=True, slots=True)
class Rename:
    name: str


@dataclass(frozen=True, slots=True)
class Plain:
    """A wish without more to it: `undo`, `hint`, `share`."""

    wish: str


Message = Choose | Why | Agree | Pace | Rename | Plain
PLAIN = ("undo", "hint", "share", "hello")


def read_message(text: str) -> Message:
    """The message a seat has sent."""
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
        case "pace":
            message = Pace(min(max(fields.take("wait", int), 0), 5_000))
        case "name":
            message = Rename(read_name(fields.take("name", str)))
        case _ if wish in PLAIN:
            message = Plain(wish)
        case _:
            raise BadMessage("there is no such wish")
    fields.end()
    return message


@dataclass(frozen=True, slots=True)
class NewTable:
    """A table to be set: `seats` are `me`, `person` or names of bots, as many as there are players. `language` is that
    of who sets it, by whose birds the others are called."""

    game: str
    players: int | None
    options: dict[str, str]
    seats: tuple[str, ...]
    name: str
    seed: int | None
    language: str | None = None


@dataclass(frozen=True, slots=True)
class GoOn:
    """A table that begins as another stood after some of its choices."""

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
    )
    fields.end()
    return made


def read_go_on(text: bytes) -> GoOn:
    fields = _Fields(read_json(text))
    made = GoOn(fields.take("key", str), fields.take("at", int), fields.take("seat", int))
    fields.end()
    return made


def read_claim(text: bytes) -> tuple[str, str]:
    """The key of an invitation, and what the guest is called."""
    fields = _Fields(read_json(text))
    made = fields.take("key", str), read_name(fields.take("name", str, ""))
    fields.end()
    return made


def read_name(text: str) -> str:
    """What somebody wants to be called: printable, on one line, not too long."""
    kept = "".join(sign if sign.isprintable() else " " for sign in text)
    return " ".join(kept.split())[:LONGEST_NAME].strip()


def read_json(text: str | bytes) -> dict[str, Any]:
    try:
        data = json.loads(text)
        json.dumps(data, ensure_ascii=False).encode()  # half a surrogate is no text that can be kept or sent on
    except (ValueError, RecursionError):
        raise BadMessage("it is no JSON") from None
    if not isinstance(data, dict):
        raise BadMessage("it is no JSON object")
    return data


_REQUIRED = object()


@dataclass(slots=True)
class _Fields:
    """The fields of an object, each taken once and of the kind it must be."""

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

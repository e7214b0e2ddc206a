"""The requests and the messages of clients, whichever way they come: over a network, or from a page that runs Hoyle
itself.

In: a lobby, and calls by address. Out: plain data, or a refusal with its status; a guest at a table for each line.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import field
from typing import Protocol
from urllib.parse import unquote

from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.report import Report
from hoyle.base.effort import TooMuchWork
from hoyle.base.errors import NotStored
from hoyle.front.web.answers import tell_book
from hoyle.front.web.backroom import tell_levels
from hoyle.front.web.hiding import tell_fault, tell_report
from hoyle.front.web.limits import Bucket
from hoyle.front.web.lobby import LARGEST_FILE, MOST_GUESTS, Lobby, Refused
from hoyle.front.web.messages import (
    LARGEST_BODY,
    BadMessage,
    read_claim,
    read_go_on,
    read_message,
    read_new_table,
    read_place,
    read_practise,
)
from hoyle.front.web.room import TOO_MUCH, Guest, Room
from hoyle.front.web.store import PERSON
from hoyle.lab.bots import BotFailed
from hoyle.play.engine.faults import Fault
from hoyle.play.table import Host
from hoyle.play.view.locale import LANGUAGES

ASKED_TOO_OFTEN = 4029
BAD_MESSAGE = 4000
NO_TABLE = 4004
FULL = 4013
MOST_BAD = 20  # malformed messages before a line is closed


@dataclass(frozen=True, slots=True)
class Call:
    """A request: the part of its address that varies, its query, its body."""

    key: str = ""
    query: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


Work = Callable[[Call], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """What answers at an address, whose last part may be `{key}`; one that takes a body says of how many bytes."""

    address: str
    work: Work
    most: int = 0
    makes: bool = False  # it makes tables or stores files, and is limited more narrowly

    def read_key(self, address: str) -> str | None:
        """The part of an address that varies, empty where none does; None for the address of another endpoint."""
        start, varies, _ = self.address.partition("{key}")
        if varies:
            return unquote(address[len(start) :]) if address.startswith(start) else None
        return "" if address == start else None


class Desk:
    """Answers requests for a lobby."""

    def __init__(self, lobby: Lobby) -> None:
        self.lobby = lobby
        self.endpoints = [
            Endpoint("/api/games", self.list_games),
            Endpoint("/api/tables", self.set_table, LARGEST_BODY, makes=True),
            Endpoint("/api/claim", self.claim, LARGEST_BODY),
            Endpoint("/api/again", self.play_again, LARGEST_BODY, makes=True),
            Endpoint("/api/go-on", self.go_on, LARGEST_BODY, makes=True),
            Endpoint("/api/files", self.add_file, LARGEST_FILE, makes=True),
            Endpoint("/api/key/{key}", self.describe_key),
            Endpoint("/api/replay/{key}", self.show_position),
            Endpoint("/api/judgement/{key}", self.judge_choice),
            Endpoint("/api/file/{key}", self.write_match),
            Endpoint("/api/rules/{key}", self.tell_rules),
            Endpoint("/api/lesson/{key}", self.teach),
            Endpoint("/api/practise", self.practise, LARGEST_BODY, makes=True),
        ]

    async def list_games(self, call: Call) -> object:
        language = call.query.get("lang")
        return {
            "games": await self.lobby.list_games(language if language in LANGUAGES else None),
            "levels": tell_levels(),
            "played": self.lobby.count_matches(),
            "upload": self.lobby.rules.upload,
        }

    async def set_table(self, call: Call) -> object:
        return {"key": await self.lobby.set_table(read_new_table(call.body))}

    async def claim(self, call: Call) -> object:
        return {"key": await self.lobby.claim(*read_claim(call.body))}

    async def play_again(self, call: Call) -> object:
        key = self.lobby.find_key(read_claim(call.body)[0])
        return {"key": await self.lobby.play_again(await self.lobby.open(key.table), key.seat)}

    async def go_on(self, call: Call) -> object:
        wish = read_go_on(call.body)
        key = self.lobby.find_key(wish.key)
        return {"key": await self.lobby.go_on_from(await self.lobby.open(key.table), key, wish)}

    async def add_file(self, call: Call) -> object:
        if not self.lobby.rules.upload:
            raise Refused("no_upload")
        return {"name": self.lobby.add_file(call.body)}

    async def describe_key(self, call: Call) -> object:
        """The role of a key, so that the page knows what to show."""
        key = self.lobby.find_key(call.key)
        found: dict[str, object] = {"role": key.role, "seat": key.seat}
        if key.role == "invitation":
            room = await self.lobby.open(key.table)
            found |= {"title": _find_host(room, call).legend.title, "with": room.list_people()}
        return found

    async def show_position(self, call: Call) -> object:
        """The table after some choice of the match, for replays: from the client's own seat; once the match is over,
        also from any seat, or with all cards revealed."""
        key = self.lobby.find_key(call.key)
        if key.role == "invitation":
            raise Refused("no_such_table")
        room = await self.lobby.open(key.table)
        if key.role == "replay" and not room.match.is_over:
            raise Refused("not_over")
        at = read_place(call.query.get("at"), len(room.choices))
        seat, wanted = key.seat, call.query.get("seat")
        if wanted is not None:
            seat = None if wanted in ("none", "all") else read_place(wanted, room.game.players - 1)
            if (seat != key.seat or wanted == "all") and not room.match.is_over:
                raise Refused("not_over")
        host = _find_host(room, call)
        trace = await self.lobby.trace(room)
        begun = len(room.setup.begun)
        match = trace.go_to(begun + at)
        since = trace.positions[begun + at - 1][1] if begun + at > 0 else 0
        with room.limit():
            view = host.see(match, seat, since, reveal=wanted == "all").to_json()
        found = {"view": view, "at": at, "choices": len(room.choices)}
        if call.query.get("legend"):
            alone = sum(each.player == PERSON for each in room.seats) == 1
            options = room.say_options(host.legend.language)
            found |= {"legend": host.legend.to_json(), "options": options, "open": room.match.is_over}
            found["what_if"] = room.match.is_over or (alone and key.seat is not None)
        return found

    async def judge_choice(self, call: Call) -> object:
        """What the bot that gives hints says to a choice of a finished match; without one, which choices of a seat can
        be judged: those in which it had a choice."""
        key = self.lobby.find_key(call.key)
        room = await self.lobby.open(key.table)
        if key.role == "invitation" or not room.match.is_over:
            raise Refused("not_over")
        if call.query.get("at") is None:
            seat = read_place(call.query.get("seat"), room.game.players - 1)
            return {"choices": [at for at, each in enumerate(room.choices) if each.asked and each.seat == seat]}
        at = read_place(call.query.get("at"), len(room.choices) - 1)
        host, trace = _find_host(room, call), await self.lobby.trace(room)
        return await room.judge(host, trace.go_to(len(room.setup.begun) + at), at)

    async def tell_rules(self, call: Call) -> object:
        """The rules in force at a table."""
        room = await self.lobby.open(self.lobby.find_key(call.key).table)
        language, lobby, name = _find_host(room, call).legend.language, self.lobby, room.setup.game
        if language not in room.books:
            _, path, text = lobby.held.get(name) or (None, lobby.find_path(name), None)
            report = Report()
            book = await lobby.dealing.do(tell_book, path, report, language, text, room.game.program)
            if book is None:
                raise Refused("bad_rules", tell_report(report, path))
            room.books[language] = book
        return {"chapters": room.books[language]}

    async def teach(self, call: Call) -> object:
        """A position in which a numbered rule decides, as a question."""
        room = await self.lobby.open(self.lobby.find_key(call.key).table)
        language = _find_host(room, call).legend.language
        return await self.lobby.teach(room, call.query.get("rule", ""), language)

    async def practise(self, call: Call) -> object:
        key, rule = read_practise(call.body)
        return {"key": await self.lobby.practise(await self.lobby.open(self.lobby.find_key(key).table), rule)}

    async def write_match(self, call: Call) -> object:
        """A finished match as JSON Lines: the setup, then a line for each choice."""
        key = self.lobby.find_key(call.key)
        room = await self.lobby.open(key.table)
        if key.role == "invitation" or not room.match.is_over:
            raise Refused("not_over")
        return room.write_file()


def _find_host(room: Room, call: Call) -> Host:
    language = call.query.get("lang")
    return room.host(language if language in room.languages else room.game.program.language)


async def answer(work: Callable[[], Awaitable[object]]) -> tuple[int, object]:
    """The status and the data of an answer; what a client did wrong becomes a refusal."""
    try:
        return 200, await work()
    except Refused as refused:
        status = 404 if refused.why.startswith("no_such") else 409
        return status, {"why": refused.why, "detail": refused.detail}
    except BadMessage as bad:
        return 400, {"why": "bad_message", "detail": str(bad)}
    except Fault as fault:
        return 409, {"why": "bad_rules", "detail": tell_fault(fault)}
    except NotStored as failure:
        return 503, {"why": "not_stored", "detail": str(failure)}
    except TooMuchWork:
        return 409, {"why": "bad_rules", "detail": TOO_MUCH}
    except BotFailed:
        return 503, {"why": "no_advice"}


# ------------------------------------------------------------------------------------------------ lines
class Line(Protocol):
    """A connection with one client."""

    async def hear(self) -> str | None:
        """The next message; None once the client is gone."""
        ...

    async def say(self, text: str) -> None: ...

    async def close(self, code: int) -> None: ...


async def sit(lobby: Lobby, key_text: str, language: str | None, line: Line) -> None:
    """Serve a client at the table of a key until either leaves."""
    try:
        key = lobby.find_key(key_text)
        if key.role not in ("seat", "watch"):
            raise Refused("no_such_table")
        room = await lobby.open(key.table)
    except Refused as refused:
        await _leave(line, NO_TABLE, {"is": "closed", "why": refused.why, "detail": refused.detail})
        return
    except NotStored as failure:
        await _leave(line, NO_TABLE, {"is": "closed", "why": "not_stored", "detail": str(failure)})
        return
    if len(room.guests) >= MOST_GUESTS:
        await _leave(line, FULL, {"is": "closed", "why": "full"})
        return
    guest = room.enter(key.role, key.seat, language)
    writing = asyncio.create_task(_write(line, room, guest))
    try:
        await _read(line, room, guest)
    finally:
        room.leave(guest)
        writing.cancel()


async def _read(line: Line, room: Room, guest: Guest) -> None:
    """Receive messages until the client disconnects, or is disconnected for exceeding a limit."""
    bucket, bad = Bucket(40, 10), 0
    while not guest.gone:
        text = await line.hear()
        if text is None:
            return
        if not bucket.take():
            await _leave(line, ASKED_TOO_OFTEN, {"is": "closed", "why": "too_often"})
            return
        try:
            message = read_message(text)
        except BadMessage as wrong:
            bad += 1
            if bad > MOST_BAD:
                await _leave(line, BAD_MESSAGE, {"is": "closed", "why": "bad_message"})
                return
            guest.reply({"is": "refused", "why": "bad_message", "detail": str(wrong)})
            continue
        await room.take(guest, message)


async def _write(line: Line, room: Room, guest: Guest) -> None:
    """Send queued replies and the latest state, whenever the guest is woken."""
    while not guest.gone:
        await guest.waiting.wait()
        guest.waiting.clear()
        while guest.replies:
            await _send(line, guest.replies.popleft())
        await line.say(room.write(guest))
    await line.close(ASKED_TOO_OFTEN)


async def _send(line: Line, data: object) -> None:
    await line.say(json.dumps(data, ensure_ascii=False, separators=(",", ":")))


async def _leave(line: Line, code: int, data: object) -> None:
    await _send(line, data)
    await line.close(code)

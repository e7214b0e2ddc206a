"""Hoyle in a page: a lobby without a server, in a worker of the browser, behind the same messages as the server's.

In: messages of the page as JSON: requests, lines to tables. Out: answers, what the lines say, and what the browser is
to keep. Nothing here knows the browser: it is given what sends a message, and what brings the files of a game.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from hoyle.front.web.desk import Call, Desk, Endpoint, answer, sit
from hoyle.front.web.kept_tables import KeptTables, read_record
from hoyle.front.web.lobby import LARGEST_FILE, Refused
from hoyle.front.web.messages import BadMessage, NewTable, read_json, read_link
from hoyle.front.web.own_lobby import MOST_KEPT, NAME, Bring, OwnLobby, find_name
from hoyle.front.web.store import PERSON
from hoyle.lab.bots import choose_level

PAUSE = 0.4  # seconds between looks for what is to be kept
LARGEST_IMPORT = 20_000_000  # characters

Send = Callable[[str], object]


class Local:
    """One page's Hoyle."""

    def __init__(self, send: Send, bring: Bring, home: str = "/home/hoyle") -> None:
        self._send = send
        self.store = KeptTables(":memory:")
        self.lobby = OwnLobby(self.store, Path(home) / "own", self.send, bring)
        self.endpoints = [
            Endpoint("/api/keep", self.put_back, LARGEST_IMPORT),
            Endpoint("/api/kept", self.list_kept),
            Endpoint("/api/open", self.open_link, LARGEST_FILE * 2),
            Endpoint("/api/recipe/{key}", self.write_recipe),
            *Desk(self.lobby).endpoints,
        ]
        self.edits = False
        self.lines: dict[int, _QueueLine] = {}
        self._running: set[asyncio.Task[None]] = set()

    def send(self, message: dict[str, Any]) -> None:
        self._send(json.dumps(message, ensure_ascii=False, separators=(",", ":")))

    def start(self, kept: str) -> None:
        """Restore what the browser has kept, and keep what changes from now on."""
        with suppress(BadMessage):
            self._restore(read_json(kept))
        self.store.take_changes()
        self._do(self._keep())

    # ---------------------------------------------------------------------------------------------- messages
    def hear(self, text: str) -> None:
        """Take a message of the page; answers come by themselves."""
        message = json.loads(text)
        if "ask" in message:
            self._do(self._answer(message))
        elif "sit" in message:
            line = self.lines[message["line"]] = _QueueLine(message["line"], self.send)
            self._do(self._sit(line, message["sit"], message.get("lang")))
        elif message["line"] in self.lines:
            self.lines[message["line"]].heard.put_nowait(message.get("text"))

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._running.add(task)  # a task that nobody holds may be collected before it is done
        task.add_done_callback(self._running.discard)

    async def _sit(self, line: _QueueLine, key: str, language: str | None) -> None:
        await sit(self.lobby, key, language, line)
        self.lines.pop(line.number, None)

    async def _answer(self, message: dict[str, Any]) -> None:
        try:
            status, data = await self.ask(message["ask"], message.get("body"))
        except Exception as failure:  # there is no log but the page: whoever waits for an answer is told
            status, data = 500, {"why": "broken", "detail": f"{type(failure).__name__}: {failure}"}
        self.send({"id": message["id"], "status": status, "data": data})

    async def ask(self, address: str, body: str | None) -> tuple[int, object]:
        """Answer a request as the server would."""
        read = urlsplit(address)
        if read.path.startswith("/api/edit") and not self.edits:
            from hoyle.front.web.draft import list_drafting  # with the whole compiler, which playing does not need

            self.endpoints += [] if self.edits else list_drafting(self.lobby)
            self.edits = True
        for endpoint in self.endpoints:
            key = endpoint.read_key(read.path)
            if key is None or (body is not None) != bool(endpoint.most):
                continue
            call = Call(key, dict(parse_qsl(read.query)), (body or "").encode("utf-8", "replace"))

            async def work(endpoint: Endpoint = endpoint, call: Call = call) -> object:
                if len(call.body) > endpoint.most:
                    raise BadMessage("it is too large")
                return await endpoint.work(call)

            return await answer(work)
        return 404, {"why": "no_such_address"}

    # ---------------------------------------------------------------------------------------------- links
    async def open_link(self, call: Call) -> object:
        """Set a table from what a link says: a stranger's, and so checked as rule files and choices are."""
        link = read_link(call.body)
        game = link.game
        # Under a name of its own, so that no file of the visitor's is written over.
        folder, name = f"link-{hashlib.sha256((link.text or '').encode()).hexdigest()[:12]}", find_name(link.text or "")
        if link.text is not None:
            game = self.lobby.restore_file(folder, name, link.text)
        seats = tuple("me" if at == link.seat else link.bot for at in range(link.players or 0))
        new = NewTable(game, link.players, {}, seats, "", link.seed, None)
        key = await self.lobby.set_table(new, link.options, link.moves)
        if link.text is not None:  # kept only now: of a link that is refused, nothing stays
            self.lobby.keep_file(folder, name, link.text)
        return {"key": key}

    async def write_recipe(self, call: Call) -> object:
        """Everything by which a table can be set again elsewhere, and played to where it is."""
        key = self.lobby.find_key(call.key)
        room = await self.lobby.open(key.table)
        setup = room.setup
        shipped = setup.game in self.lobby.library
        rules = {"game": setup.game} if shipped else {"text": Path(setup.game).read_text(encoding="utf-8")}
        bots = [seat.player for seat in room.seats if seat.player != PERSON]
        return {
            **rules,
            "name": room.game.name,
            "players": setup.players,
            "options": setup.options,
            "seed": setup.seed,
            "seat": key.seat or 0,
            "bot": bots[0] if bots else choose_level(),
            "moves": [*setup.begun, *(choice.text for choice in room.choices)],
        }

    # ---------------------------------------------------------------------------------------------- kept
    async def _keep(self) -> None:
        while True:
            await asyncio.sleep(PAUSE)
            self.keep_now()

    def keep_now(self) -> None:
        for table, record in self.store.take_changes():
            if record is None or self.lobby.lasts(record["setup"]["game"]):
                self.send({"keep_table": table, "record": record})

    async def put_back(self, call: Call) -> object:
        """Take in what another browser has kept."""
        count = self._restore(read_json(call.body))
        self.keep_now()
        for name, text in self.lobby.list_files().items():
            self.send({"keep_file": name, "text": text})
        return {"tables": count[0], "files": count[1]}

    async def list_kept(self, call: Call) -> object:
        """Everything that is kept, as it can be put back."""
        tables = {name: each for name, each in self.store.list_records() if self.lobby.lasts(each["setup"]["game"])}
        return {"hoyle": 1, "tables": tables, "files": self.lobby.list_files()}

    def _restore(self, kept: dict[str, Any]) -> tuple[int, int]:
        """Restore what is well formed; how many tables and files those are."""
        tables, files = kept.get("tables"), kept.get("files")
        count = [0, 0]
        for name, text in list(files.items())[:MOST_KEPT] if isinstance(files, dict) else ():
            folder, _, game = str(name).partition("/")
            named = all(NAME.fullmatch(each) for each in (folder, game))
            if named and isinstance(text, str):
                with suppress(Refused):
                    self.lobby.restore_file(folder, game, text)
                    count[1] += 1
        for table, data in list(tables.items())[:MOST_KEPT] if isinstance(tables, dict) else ():
            record = read_record(data)
            if isinstance(table, str) and len(table) <= 64 and record is not None:
                self.store.put_record(table, record)
                count[0] += 1
        return count[0], count[1]


class _QueueLine:
    """The line of a page to a table, as two queues."""

    def __init__(self, number: int, send: Callable[[dict[str, Any]], None]) -> None:
        self.number, self.send = number, send
        self.heard: asyncio.Queue[str | None] = asyncio.Queue()

    async def hear(self) -> str | None:
        return await self.heard.get()

    async def say(self, text: str) -> None:
        self.send({"line": self.number, "text": text})

    async def close(self, code: int) -> None:
        self.send({"line": self.number, "closed": code})
        self.heard.put_nowait(None)

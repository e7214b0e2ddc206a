"""Test servers, in a thread or in a process of their own, and clients at their tables."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from hoyle.front.cli.serve import listen
from hoyle.front.web.app import make_app
from hoyle.front.web.door import Door, make_server
from hoyle.front.web.lobby import Lobby, Rules
from hoyle.front.web.playground import Deal, Playground
from hoyle.front.web.store import Store

PATIENCE = 120.0  # timeout in seconds, for busy machines


class Client:
    """Sends requests to a server as the page does."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.address = f"http://127.0.0.1:{port}"

    def ask(
        self, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, Any, dict[str, str]]:
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        known = {**({"Content-Type": "application/json"} if data is not None else {}), **(headers or {})}
        request = urllib.request.Request(self.address + path, data, known)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.status, _read(answer.read()), dict(answer.headers)
        except urllib.error.HTTPError as error:
            return error.code, _read(error.read()), dict(error.headers)

    def set_table(self, game: str, **known: Any) -> str:
        status, found, _ = self.ask("/api/tables", {"game": game, **known})
        assert status == 200, found
        return str(found["key"])

    def sit(self, key: str, language: str = "en") -> Seat:
        address = f"ws://127.0.0.1:{self.port}/ws/{key}?lang={language}"
        return Seat(connect(address, origin=self.address, max_size=None, open_timeout=PATIENCE).__enter__())


def _read(text: bytes) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text.decode(errors="replace")


class Seat:
    """A WebSocket connection to a table; `heard` are the raw texts of all messages received."""

    def __init__(self, line: ClientConnection) -> None:
        self.line = line
        self.heard: list[str] = []
        self.legend = self.hear("legend")
        self.table = self.hear("table")

    def hear(self, kind: str, fits: Any = lambda message: True) -> dict[str, Any]:
        """Receive messages until one of this kind fits, and return it."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            text = str(self.line.recv(timeout=PATIENCE))
            self.heard.append(text)
            message: dict[str, Any] = json.loads(text)
            if message["is"] == "table":
                self.table = message
            if message["is"] == kind and fits(message):
                return message
        raise TimeoutError(kind)

    def send(self, message: Any) -> None:
        self.line.send(message if isinstance(message, str) else json.dumps(message))

    def wait_for_turn(self) -> dict[str, Any] | None:
        """Wait for a menu and return it; None if the match ends first."""
        while not self.table["view"]["over"] and self.table["view"]["menu"] is None:
            self.hear("table")
        menu: dict[str, Any] | None = self.table["view"]["menu"]
        return menu

    def choose(self, choice: int, number: int | None = None) -> None:
        turn = self.table["view"]["menu"]["turn"]
        self.send({"do": "choose", "turn": turn, "choice": choice, "number": number})

    def choose_first(self) -> None:
        """Take the first way of the menu, with the lowest number."""
        menu = self.table["view"]["menu"]
        if menu["acts"]:
            way = menu["acts"][0]["ways"][0]
            self.choose(way["choice"], way["number"][0] if way["number"] else None)
        else:
            self.choose(menu["decline"])

    def close(self) -> None:
        self.line.close()


class Server(Client):
    """A server in a thread, without persistent storage."""

    def __init__(
        self, edit: Path | None = None, files: Path | None = None, door: Door | None = None, **rules: Any
    ) -> None:
        self.lobby = Lobby(Store(":memory:"), Rules(**{"pace": 0.0, "patience": 100.0, **rules}), [], files)
        self.playground = Playground(self.lobby, edit, Deal(None, {}, "easy", 7)) if edit is not None else None
        listening = listen("127.0.0.1", 0)
        super().__init__(listening.getsockname()[1])
        app = make_app(self.lobby, {"localhost"}, self.playground)
        self.door = door if door is not None else Door()
        self.server = make_server(app, self.door, log_level="error")
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [listening]}, daemon=True)
        self.thread.start()
        while not self.server.started:
            time.sleep(0.01)

    def set_table(self, game: str, **known: Any) -> str:
        """Set a table; the seed of one with people, which clients cannot choose, becomes the server's next."""
        if "person" not in known.get("seats", ()) or "seed" not in known:
            return super().set_table(game, **known)
        draw, seed = self.lobby.draw_seed, known.pop("seed")
        self.lobby.draw_seed = lambda: seed
        try:
            return super().set_table(game, **known)
        finally:
            self.lobby.draw_seed = draw

    def close(self) -> None:
        self.server.should_exit = True
        self.thread.join(PATIENCE)


class Process(Client):
    """`hoyle serve`, or another command that serves, in a process of its own; `link` is the page it has opened."""

    def __init__(
        self,
        *arguments: str,
        data: str | Path = ":memory:",
        port: int = 0,
        files: int | None = None,
        command: str = "serve",
    ) -> None:
        words = [sys.executable, "-m", "hoyle.front.cli", command, *arguments, "--no-open", "--port", str(port),
                   "--data", str(data), "--pace", "0"]  # fmt: skip
        if files is not None:  # how many it may open
            words = ["bash", "-c", f'ulimit -n {files}; exec "$@"', "-", *words]
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environment)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://localhost:(\d+)(/\S*)", line)
        assert found is not None, line
        self.link = found[2]
        super().__init__(int(found[1]))
        self._wait()

    def _wait(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                self.ask("/static/icon.svg")
                return
            except OSError:
                time.sleep(0.05)
        raise TimeoutError("the server has not started")

    def kill(self) -> None:
        """Kill the server without a chance to shut down, as in a crash."""
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

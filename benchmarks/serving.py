"""`python -m benchmarks serve`: load test of the web server, with a player, spectators and bots at each table.

In: the number of tables, of spectators at each, the duration, the mean think time of players. Out: latencies from a
choice to the updates of the player and the spectators and to the next turn, and memory use.

The server is `hoyle serve` in a process of its own, with its normal rate limits: the clients connect from many loopback
addresses.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidMessage
from websockets.typing import Origin

GAMES = ("bonus-20", "cribbage", "bunco", "bi-jinx", "bonanza", "hearts", "president", "scopa")
TABLES_OF_NET = 200  # tables, each of an address of its own, in one network of the loopback
PATIENCE = 300.0


@dataclass(slots=True)
class Measured:
    """Latencies in seconds, and resource use."""

    setting: list[float] = field(default_factory=list)  # creating a table
    entering: list[float] = field(default_factory=list)  # from connecting to the first state
    own: list[float] = field(default_factory=list)  # from a choice to the state that shows it, for the player
    others: list[float] = field(default_factory=list)  # the same for the spectator
    turns: list[float] = field(default_factory=list)  # from a choice to the next turn or the end
    messages: int = 0
    size: int = 0
    memory: dict[str, float] = field(default_factory=dict)
    choices: int = 0
    processor: float = 0.0  # of the process that serves people
    thinking: float = 0.0  # of those that think for bots
    elapsed: float = 0.0


class Server:
    """`hoyle serve` in a process of its own."""

    def __init__(self, data: Path, pace: float) -> None:
        command = [sys.executable, "-m", "hoyle.front.cli", "serve", "--no-open", "--port", "0", "--data", str(data),
                   "--pace", str(pace)]  # fmt: skip
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        assert self.process.stdout is not None
        found = re.search(r":(\d+)/", self.process.stdout.readline())
        assert found is not None
        self.port = int(found[1])

    def read_memory(self) -> float:
        """Read the resident memory of the server and its helpers in MiB."""
        texts = [Path(f"/proc/{pid}/status").read_text() for pid in (self.process.pid, *self.list_helpers())]
        return sum(int(found[1]) / 1024 for text in texts if (found := re.search(r"VmRSS:\s+(\d+) kB", text)))

    def read_time(self) -> float:
        """Read the CPU seconds used by the server itself."""
        return _read_time(self.process.pid)

    def read_thinking(self) -> float:
        """Read the CPU seconds used by its helpers."""
        return sum(map(_read_time, self.list_helpers()))

    def list_helpers(self) -> list[int]:
        threads = Path(f"/proc/{self.process.pid}/task").iterdir()
        return [int(pid) for each in threads for pid in (each / "children").read_text().split()]

    def close(self) -> None:
        self.process.terminate()
        self.process.wait()


def _read_time(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@dataclass(slots=True)
class Table:
    """A table with its simulated player and spectators."""

    port: int
    address: str
    game: str
    pause: float
    chance: random.Random
    measured: Measured
    chosen: dict[int, float] = field(default_factory=dict)  # time of the player's choice, by its number
    key: str = ""
    watch: str = ""

    async def set(self) -> None:
        began = time.monotonic()
        found = await self._post("/api/tables", {"game": self.game})
        self.key = found["key"]
        self.measured.setting.append(time.monotonic() - began)

    async def _post(self, path: str, body: Any) -> Any:
        for _ in range(20):
            local = (self.address, 0)
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=local)
            data = json.dumps(body).encode()
            head = (f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nContent-Type: application/json\r\n"
                    f"Content-Length: {len(data)}\r\nConnection: close\r\n\r\n")  # fmt: skip
            writer.write(head.encode() + data)
            await writer.drain()
            answer = await asyncio.wait_for(reader.read(), PATIENCE)
            writer.close()
            status, _, rest = answer.partition(b"\r\n")
            if b" 200 " in status:
                return json.loads(rest.rpartition(b"\r\n\r\n")[2])
            await asyncio.sleep(1.0)
        raise RuntimeError(f"{path}: {answer[:300]!r}")

    def _connect(self, key: str) -> connect:
        origin = Origin(f"http://127.0.0.1:{self.port}")
        return connect(f"ws://127.0.0.1:{self.port}/ws/{key}", origin=origin, max_size=None, open_timeout=PATIENCE,
                       local_addr=(self.address, 0), ping_interval=None)  # fmt: skip

    async def _enter(self, key: str) -> ClientConnection:
        """Connect, again if this process was too busy to ask in time, as a page does."""
        for _ in range(20):
            try:
                return await self._connect(key)
            except (InvalidMessage, ConnectionError):
                await asyncio.sleep(1.0)
        return await self._connect(key)

    async def _hear(self, line: ClientConnection) -> Any:
        text = await line.recv()
        self.measured.messages += 1
        self.measured.size += len(text)
        return json.loads(text)

    async def play(self, watchers: int, ready: Callable[[], None], until: asyncio.Event) -> None:
        began = time.monotonic()
        async with await self._enter(self.key) as line:
            shown = await self._hear(line)
            while shown["is"] != "table":
                shown = await self._hear(line)
            self.measured.entering.append(time.monotonic() - began)
            self.watch = shown["links"]["watch"]
            watching = [asyncio.create_task(self._look_on(ready)) for _ in range(watchers)]
            answering = asyncio.create_task(self._answer(line, shown, until))
            lines = {answering, *watching}
            try:
                done, _ = await asyncio.wait(lines, return_when=asyncio.FIRST_COMPLETED)
                for each in done:
                    each.result()  # a line that was refused or lost is an error of the measurement
            finally:
                for each in lines:
                    each.cancel()
                await asyncio.gather(*lines, return_exceptions=True)

    async def _answer(self, line: ClientConnection, shown: Any, until: asyncio.Event) -> None:
        """Make random choices from the menu after a think time; record when the table shows them and when the next turn
        comes."""
        asked = -1
        while not until.is_set():
            view = shown["view"]
            if (menu := view["menu"]) is not None and menu["turn"] != asked:
                if asked >= 0:
                    self.measured.turns.append(time.monotonic() - self.last)
                asked = menu["turn"]
                await asyncio.sleep(self.chance.expovariate(1 / self.pause))
                await line.send(json.dumps(self._choose(menu)))
                self.last = self.chosen[shown["choices"]] = time.monotonic()
            elif view["over"]:
                return
            number = self.made = shown["choices"]
            shown = await self._hear_table(line, shown)
            if shown["choices"] > number and number in self.chosen:
                self.measured.own.append(time.monotonic() - self.chosen[number])

    async def _hear_table(self, line: ClientConnection, before: Any) -> Any:
        message = await self._hear(line)
        return message if message["is"] == "table" else before

    def _choose(self, menu: Any) -> Any:
        ways = [way for act in menu["acts"] for way in act["ways"]]
        if not ways:
            return {"do": "choose", "turn": menu["turn"], "choice": menu["decline"]}
        way = self.chance.choice(ways)
        number = {"number": way["number"][0]} if way["number"] else {}
        return {"do": "choose", "turn": menu["turn"], "choice": way["choice"], **number}

    async def _look_on(self, ready: Callable[[], None]) -> None:
        async with await self._enter(self.watch) as line:
            ready()
            number = -1
            while True:
                shown = await self._hear(line)
                if shown["is"] != "table" or shown["choices"] == number:
                    continue
                now = time.monotonic()
                for each in range(max(number, 0), shown["choices"]):
                    if each in self.chosen and number >= 0:
                        self.measured.others.append(now - self.chosen[each])
                number = shown["choices"]

    last: float = 0.0
    made: int = 0  # choices made at the table, by all


async def measure_serving(
    tables: int, watchers: int, seconds: float, pause: float, tell: Callable[[str], None]
) -> Measured:
    """Create the tables, let all play for the duration, and measure."""
    measured = Measured()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder) / "tables.sqlite", 0.7)
        try:
            made = [
                Table(server.port, f"127.0.{1 + at // TABLES_OF_NET}.{1 + at % TABLES_OF_NET}", GAMES[at % len(GAMES)],
                      pause, random.Random(at), measured)
                for at in range(tables)
            ]  # fmt: skip
            for table in made:
                await table.set()
            measured.memory["tables set"] = server.read_memory()
            tell(f"{tables} tables are set")
            until, inside = asyncio.Event(), [0]

            def count() -> None:
                inside[0] += 1

            playing = [asyncio.create_task(table.play(watchers, count, until)) for table in made]
            while inside[0] < tables * watchers:
                await asyncio.sleep(0.2)
                for task in playing:
                    if task.done():
                        task.result()
            tell(f"{tables * (1 + watchers)} sockets are open")
            measured.memory["all inside"] = server.read_memory()
            for kept in (measured.own, measured.others, measured.turns):
                kept.clear()
            measured.messages = measured.size = 0
            measured.choices = -sum(table.made for table in made)
            began, spent, thought = time.monotonic(), server.read_time(), server.read_thinking()
            await asyncio.sleep(seconds)
            measured.choices += sum(table.made for table in made)
            measured.elapsed, measured.processor = time.monotonic() - began, server.read_time() - spent
            measured.thinking = server.read_thinking() - thought
            measured.memory["at the end"] = server.read_memory()
            until.set()
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
        finally:
            server.close()
    return measured


def write_serving(measured: Measured, tables: int, watchers: int, pause: float) -> str:
    """Format the measurements as a table."""
    rows = [f"{tables} tables, {tables * (1 + watchers)} sockets; players answer after {pause:g} s on average"]
    names = {
        "a table is set": measured.setting,
        "the table is shown to one who comes": measured.entering,
        "a choice is shown to who made it": measured.own,
        "a choice is shown to a spectator": measured.others,
        "the next turn comes after a choice": measured.turns,
    }
    rows.append(f"{'':38} {'number':>7} {'median':>9} {'95 %':>9} {'longest':>9}")
    for name, times in names.items():
        rows.append(f"{name:38} {len(times):>7} {_spell(times, 50):>9} {_spell(times, 95):>9} {_spell(times, 100):>9}")
    each = measured.size / max(1, measured.messages)
    rows.append(
        f"messages: {measured.messages / measured.elapsed:.0f}/s of {each / 1024:.1f} KiB; "
        f"choices: {measured.choices / measured.elapsed:.0f}/s"
    )
    rows.append(
        f"processor: serving {100 * measured.processor / measured.elapsed:.0f} %, "
        f"{1000 * measured.processor / max(1, measured.choices):.1f} ms a choice; "
        f"bots {100 * measured.thinking / measured.elapsed:.0f} %"
    )
    rows.append("memory: " + ", ".join(f"{name} {value:.0f} MiB" for name, value in measured.memory.items()))
    return "\n".join(rows)


def _spell(times: Sequence[float], percent: int) -> str:
    if not times:
        return "-"
    found = max(times) if percent == 100 or len(times) < 2 else statistics.quantiles(times, n=100)[percent - 1]
    return f"{1000 * found:,.0f} ms" if found < 10 else f"{found:,.1f} s"

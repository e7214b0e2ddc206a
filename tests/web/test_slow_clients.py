"""Clients that are idle, half done or slow to read do not stop others: each is limited by time, and each address by
how many connections it holds."""

from __future__ import annotations

import asyncio
import resource
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

import pytest

from hoyle.front.web import door
from hoyle.front.web.door import Door
from web_server import PATIENCE, Process, Server

HALVES = (
    b"",
    b"GET / HTTP/1.1\r\nHost: local",
    b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{",
)
PAGE = b"GET /static/icon.svg HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
MANY = 3_000


def begin(port: int, sent: bytes, address: str = "127.0.0.1") -> socket.socket:
    made = socket.socket()
    made.settimeout(PATIENCE)
    made.bind((address, 0))
    made.connect(("127.0.0.1", port))
    made.sendall(sent)
    return made


def ask(port: int, address: str) -> bytes:
    """A whole request from an address, and the beginning of its answer."""
    with begin(port, PAGE, address) as made:
        return made.recv(15)


def is_closed(made: socket.socket) -> bool:
    """Wait until the server closes a connection."""
    try:
        while made.recv(65536):
            pass
    except ConnectionError:
        return True
    return True


@pytest.fixture
def many_files() -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MANY + 500
    if hard != resource.RLIM_INFINITY and hard < wanted:
        pytest.skip(f"this machine opens {hard} files at most")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_thousands_of_slow_connections_do_not_stop_others(
    many_files: None, capfd: pytest.CaptureFixture[str]
) -> None:
    server = Process(files=1024)
    key = server.set_table("cribbage-61", seats=["me", "first"])

    async def hold(number: int) -> None:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(HALVES[number % 3])
            held.append(writer)
        except OSError:
            pass  # closed at the door

    async def flood() -> None:
        for first in range(0, MANY, 100):
            await asyncio.gather(*(hold(number) for number in range(first, first + 100)))
        answers = [await asyncio.to_thread(ask, server.port, f"127.0.0.{2 + number}") for number in range(5)]
        assert answers == [b"HTTP/1.1 200 OK"] * 5
        for writer in held:
            writer.close()

    held: list[asyncio.StreamWriter] = []
    try:
        asyncio.run(flood())
        assert len(held) > MANY // 2
        assert server.sit(key).table["view"]["over"] is False
    finally:
        server.kill()
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize("sent", HALVES, ids=["idle", "half a head", "half a body"])
def test_a_request_that_is_not_completed_in_time_is_closed(sent: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "COMPLETE", 0.5)
    server = Server()
    try:
        slow = begin(server.port, sent)
        for _ in range(30):  # what comes byte by byte gains no time
            with suppress(OSError):
                slow.sendall(b"a")
            time.sleep(0.1)
        assert is_closed(slow)
        assert ask(server.port, "127.0.0.1") == b"HTTP/1.1 200 OK"
    finally:
        server.close()


def comes(asked: Callable[[], bool]) -> bool:
    """Whether something comes to hold."""
    deadline = time.monotonic() + PATIENCE
    while not asked() and time.monotonic() < deadline:
        time.sleep(0.05)
    return asked()


def test_an_answer_that_is_not_read_in_time_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "ANSWERED", 0.5)
    monkeypatch.setattr(door, "COMPLETE", 10 * PATIENCE)  # nothing else closes it
    monkeypatch.setattr(door.uvicorn, "Config", partial(door.uvicorn.Config, timeout_keep_alive=int(10 * PATIENCE)))
    server = Server()
    try:
        page = b"GET /api/games HTTP/1.1\r\nHost: localhost\r\n\r\n"
        slow = begin(server.port, b"")
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        slow.sendall(page * 200)
        assert comes(lambda: any(visit.complete for visit in server.door.visits.values()))
        assert comes(lambda: not server.door.visits)
        slow.close()
    finally:
        server.close()


def test_one_address_holds_so_many_connections_and_the_longest_waiting_goes_first() -> None:
    server = Server(door=Door(most=40, of_address=10))
    try:
        held = [begin(server.port, b"") for _ in range(12)]
        assert is_closed(held[0]) and is_closed(held[1])
        others = [begin(server.port, b"", f"127.0.0.{2 + number // 9}") for number in range(45)]
        assert ask(server.port, "127.0.0.99") == b"HTTP/1.1 200 OK"
        assert len(server.door.visits) <= 41
        for each in (*held, *others):
            each.close()
        seats = [server.sit(server.set_table("cribbage-61", seats=["me", "first"])) for _ in range(4)]
        flood = [begin(server.port, b"") for _ in range(30)]
        assert all(seat.table["view"]["over"] is False for seat in seats)
        for seat in seats:  # who sits at a table is not the one to go
            seat.send({"do": "pace", "wait": 5})
            seat.hear("table", lambda told: told["pace"] == 5)
        for each in flood:
            each.close()
    finally:
        server.close()

"""Who may hold a connection: limits by time and by address, so that idle clients, half-sent requests and slow readers
leave room for others.

In: connections, as uvicorn accepts them. Out: the same, or closed: when a request is not complete in time, when its
answer is not read in time, and, where there is no more room, the one that has waited longest of the address that holds
most. Connections to tables are limited by pings (uvicorn's), and count as well.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections import defaultdict
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from hoyle.base.dataclass import dataclass
from hoyle.front.web.messages import LARGEST_MESSAGE

COMPLETE = 10.0  # seconds until a request must be complete, since the connection or since the last answer
ANSWERED = 120.0  # seconds until an answer must be read, since its request was complete
MOST_OF_ADDRESS = 256  # connections of one address
MOST_INCOMPLETE = 64  # of these, with a request that is not complete
MOST = 10_000
AT_ONCE = 100  # connections accepted before the next is looked at
RESERVED = 256  # files for everything else, and for connections that are accepted to be closed
WAITING = 2048  # connections the system keeps waiting to be accepted
FINISHED = ("DONE", "MUST_CLOSE", "CLOSED")


@dataclass(eq=False, slots=True)
class Visit:
    """A connection; one at a table has no deadline. `complete`: its request is."""

    transport: asyncio.Transport
    address: str
    deadline: float | None
    complete: bool = False


class Door:
    """The connections of a server."""

    def __init__(self, most: int | None = None, of_address: int = MOST_OF_ADDRESS) -> None:
        self.most = most if most is not None else count_room()
        self.of_address = of_address
        self.visits: dict[asyncio.Transport, Visit] = {}
        self.by_address: dict[str, dict[Visit, None]] = defaultdict(dict)
        self._sweeping: asyncio.TimerHandle | None = None

    def enter(self, transport: asyncio.Transport) -> None:
        address = (transport.get_extra_info("peername") or ("",))[0]
        visit = Visit(transport, address, asyncio.get_running_loop().time() + COMPLETE)
        self.visits[transport] = visit
        own = self.by_address[address]
        own[visit] = None
        if len(own) > self.of_address or sum(not each.complete for each in own) > MOST_INCOMPLETE:
            self._close_one(own, visit)
        elif len(self.visits) > self.most:
            self._close_one(max(self.by_address.values(), key=len), visit)
        if self._sweeping is None:
            self._sweep()

    def leave(self, transport: asyncio.Transport) -> None:
        visit = self.visits.pop(transport, None)
        if visit is not None:
            own = self.by_address[visit.address]
            own.pop(visit, None)
            if not own:
                del self.by_address[visit.address]

    def note(self, transport: asyncio.Transport, *, complete: bool, seated: bool = False) -> None:
        """Note that a request has become complete, that its answer is given, or that it is one for a seat at a table.
        A request that only grows keeps its deadline."""
        visit = self.visits.get(transport)
        if visit is not None and (seated or visit.complete != complete):
            visit.complete = complete
            wait = ANSWERED if complete else COMPLETE
            visit.deadline = None if seated else asyncio.get_running_loop().time() + wait

    def _close_one(self, own: dict[Visit, None], newcomer: Visit) -> None:
        """Close the connection that has been incomplete for longest; the newcomer, if there is none."""
        victim = next((each for each in own if not each.complete), newcomer)
        victim.transport.abort()
        self.leave(victim.transport)

    def _sweep(self) -> None:
        """Close what is beyond its deadline, every second as long as there are connections."""
        now = asyncio.get_running_loop().time()
        for visit in [each for each in self.visits.values() if each.deadline is not None and each.deadline < now]:
            visit.transport.abort()
            self.leave(visit.transport)
        self._sweeping = asyncio.get_running_loop().call_later(1.0, self._sweep) if self.visits else None


def count_room() -> int:
    """How many connections the system allows for, after asking it for as many as it gives."""
    try:
        import resource
    except ImportError:
        return 512 - RESERVED  # Windows, where `select` takes so many
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST + RESERVED if hard == resource.RLIM_INFINITY else min(hard, MOST + RESERVED)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    return max(16, min(MOST, soft - RESERVED)) if soft != resource.RLIM_INFINITY else MOST


class _Server(uvicorn.Server):
    """A server that accepts a few connections at a time, and lets many wait."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for each in sockets or ():
            each.listen(WAITING)


def make_server(app: ASGIApp, door: Door | None = None, log_level: str = "warning") -> uvicorn.Server:
    """A server for the application, whose connections pass a door."""
    watched = door if door is not None else Door()

    class Requests(H11Protocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            watched.enter(transport)

        def connection_lost(self, exc: Exception | None) -> None:
            watched.leave(self.transport)
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self._note_request()

        def on_response_complete(self) -> None:
            watched.note(self.transport, complete=False)
            super().on_response_complete()
            self._note_request()  # the next one may have come behind the last

        def _note_request(self) -> None:
            if str(self.conn.their_state) in FINISHED:
                watched.note(self.transport, complete=True)

        def handle_websocket_upgrade(self, event: Any) -> None:
            watched.note(self.transport, complete=True, seated=True)
            super().handle_websocket_upgrade(event)

    class Seats(WebSocketsSansIOProtocol):
        def connection_lost(self, exc: Exception | None) -> None:
            watched.leave(self.transport)
            super().connection_lost(exc)

    config = uvicorn.Config(
        app,
        http=Requests,
        ws=Seats,
        log_level=log_level,
        ws_max_size=LARGEST_MESSAGE * 4,
        ws_per_message_deflate=True,
        timeout_graceful_shutdown=1,
        backlog=AT_ONCE,
        server_header=False,
    )
    return _Server(config)

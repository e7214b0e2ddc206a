"""The web application: pages, the JSON API, and a WebSocket for each client at a table.

In: a lobby. Out: an ASGI application. Requests must be well formed, within size and rate limits, and of the same
origin; every response carries a Content-Security-Policy that allows no third-party resources.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from hoyle.engine.faults import Fault
from hoyle.web.files import find_version, pack, send_file
from hoyle.web.limits import Bucket, Buckets
from hoyle.web.lobby import LARGEST_FILE, MOST_GUESTS, Lobby, Refused, read_place
from hoyle.web.messages import LARGEST_BODY, BadMessage, read_claim, read_go_on, read_message, read_new_table
from hoyle.web.playground import LARGEST_TEXT, Playground
from hoyle.web.room import Guest, Room
from hoyle.web.store import PERSON

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
)
EDIT_POLICY = POLICY.replace("frame-ancestors 'none'", "frame-src 'self'; frame-ancestors 'self'")
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cache-Control": "no-cache",
}
ASKED_TOO_OFTEN = 4029
BAD_MESSAGE = 4000
NO_TABLE = 4004
FULL = 4013
MOST_BAD = 20  # malformed messages before a connection is closed


def make_app(lobby: Lobby, names: set[str], playground: Playground | None = None) -> ASGIApp:
    """Create the application for a lobby. `names` are the allowed host names, in addition to numeric addresses. With a
    playground, there is also a page that edits its file and frames a table of this server."""
    server = _Server(lobby)
    post = ["POST"]
    editing = _Editing(server, playground).routes() if playground is not None else []

    @asynccontextmanager
    async def open_and_close(_app: Starlette) -> Any:
        yield
        lobby.close()

    app = Starlette(
        routes=[
            Route("/", server.send_page),
            Route("/t/{key}", server.send_table_page),
            Route("/static/{name}", server.send_static),
            Route("/static/{version}/{name}", server.send_static),
            Route("/api/games", server.list_games),
            Route("/api/tables", server.set_table, methods=post),
            Route("/api/claim", server.claim, methods=post),
            Route("/api/again", server.play_again, methods=post),
            Route("/api/go-on", server.go_on, methods=post),
            Route("/api/files", server.add_file, methods=post),
            Route("/api/key/{key}", server.describe_key),
            Route("/api/replay/{key}", server.send_position),
            Route("/api/file/{key}", server.send_match),
            WebSocketRoute("/ws/{key}", server.sit),
            *editing,
        ],
        lifespan=open_and_close,
    )
    return _Guard(app, names, HEADERS if playground is None else {**HEADERS, "Content-Security-Policy": EDIT_POLICY})


class _Guard:
    """Middleware that rejects cross-origin requests and unknown host names (against DNS rebinding), and adds the
    security headers to every response."""

    def __init__(self, app: ASGIApp, names: set[str], headers: dict[str, str]) -> None:
        self.app, self.names, self.headers = app, names, headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        own = self._is_own(host) and (origin is None or _read_address(origin)[0] == host)
        if scope["type"] == "websocket":
            if own and origin is not None:
                await self.app(scope, receive, send)
            else:
                await receive()
                await send({"type": "websocket.close", "code": 4003, "reason": ""})
            return

        async def send_guarded(message: Any) -> None:
            if message["type"] == "http.response.start":
                own = message.get("headers", [])
                said = {name for name, _ in own}
                added = [(name.lower().encode(), value.encode()) for name, value in self.headers.items()]
                message = {**message, "headers": [*own, *(each for each in added if each[0] not in said)]}
            await send(message)

        answer: ASGIApp = self.app if own else JSONResponse({"why": "elsewhere"}, 403)
        await answer(scope, receive, send_guarded)

    def _is_own(self, host: str) -> bool:
        name = _read_address(f"//{host}")[1]
        if name in self.names:
            return True
        with suppress(ValueError):
            ipaddress.ip_address(name)
            return True
        return False


def _read_address(address: str) -> tuple[str, str]:
    """Split an address into its network location, as written, and its host name; both empty if it is invalid."""
    try:
        read = urlsplit(address)
        return read.netloc, read.hostname or ""
    except ValueError:
        return "", ""


class _Editing:
    """The endpoints of the page that edits a rule file beside its table."""

    def __init__(self, server: _Server, playground: Playground) -> None:
        self.server, self.playground = server, playground

    def routes(self) -> list[Route]:
        post = ["POST"]
        return [
            Route("/edit", self.send_page),
            Route("/api/edit", self.open),
            Route("/api/edit/look", self.look, methods=post),
            Route("/api/edit/explain", self.explain, methods=post),
            Route("/api/edit/save", self.save, methods=post),
        ]

    async def send_page(self, request: Request) -> Response:
        return send_file(request, "edit.html")

    async def open(self, request: Request) -> Response:
        async def work() -> object:
            return self.playground.open()

        return await self.server.answer(request, self.server.asking, work)

    async def look(self, request: Request) -> Response:
        async def work() -> object:
            return await self.playground.look(await _read_body(request, LARGEST_TEXT))

        return await self.server.answer(request, self.server.asking, work)

    async def explain(self, request: Request) -> Response:
        async def work() -> object:
            return self.playground.explain(await _read_body(request, LARGEST_TEXT))

        return await self.server.answer(request, self.server.asking, work)

    async def save(self, request: Request) -> Response:
        async def work() -> object:
            return self.playground.save(await _read_body(request, LARGEST_TEXT))

        return await self.server.answer(request, self.server.asking, work)


class _Server:
    def __init__(self, lobby: Lobby) -> None:
        self.lobby = lobby
        often = lobby.rules.patience
        self.asking = Buckets(60 * often, 20 * often)  # rate limit of requests, per address
        self.setting = Buckets(20 * often, 0.5 * often)  # rate limit of new tables and uploads, per address

    # ---------------------------------------------------------------------------------------------- pages
    async def send_page(self, request: Request) -> Response:
        return send_file(request, "index.html")

    async def send_table_page(self, request: Request) -> Response:
        return send_file(request, "table.html")

    async def send_static(self, request: Request) -> Response:
        version = request.path_params.get("version")
        return send_file(request, request.path_params["name"], kept=version == find_version())

    # ---------------------------------------------------------------------------------------------- requests
    async def list_games(self, request: Request) -> Response:
        async def work() -> object:
            language = request.query_params.get("lang")
            return {
                "games": await self.lobby.list_games(language if language in ("en", "fr") else None),
                "levels": self.lobby.list_levels(),
                "upload": self.lobby.rules.upload,
            }

        return await self.answer(request, self.asking, work)

    async def set_table(self, request: Request) -> Response:
        async def work() -> object:
            return {"key": await self.lobby.set_table(read_new_table(await _read_body(request)))}

        return await self.answer(request, self.setting, work)

    async def claim(self, request: Request) -> Response:
        async def work() -> object:
            return {"key": await self.lobby.claim(*read_claim(await _read_body(request)))}

        return await self.answer(request, self.asking, work)

    async def play_again(self, request: Request) -> Response:
        async def work() -> object:
            key = self.lobby.find_key(read_claim(await _read_body(request))[0])
            return {"key": await self.lobby.play_again(await self.lobby.open(key.table), key.seat)}

        return await self.answer(request, self.setting, work)

    async def go_on(self, request: Request) -> Response:
        async def work() -> object:
            wish = read_go_on(await _read_body(request))
            key = self.lobby.find_key(wish.key)
            return {"key": await self.lobby.go_on_from(await self.lobby.open(key.table), key, wish)}

        return await self.answer(request, self.setting, work)

    async def add_file(self, request: Request) -> Response:
        async def work() -> object:
            if not self.lobby.rules.upload:
                raise Refused("no_upload")
            return {"name": self.lobby.add_file(await _read_body(request, LARGEST_FILE))}

        return await self.answer(request, self.setting, work)

    async def describe_key(self, request: Request) -> Response:
        """Return the role of a key, so that the page knows what to show."""

        async def work() -> object:
            key = self.lobby.find_key(request.path_params["key"])
            found: dict[str, object] = {"role": key.role, "seat": key.seat}
            if key.role == "invitation":
                room = await self.lobby.open(key.table)
                language = request.query_params.get("lang")
                host = room.host(language if language in room.languages else room.game.program.language)
                found |= {"title": host.legend.title, "with": room.list_people()}
            return found

        return await self.answer(request, self.asking, work)

    async def send_position(self, request: Request) -> Response:
        """Send the table after some choice of the match, for replays: from the client's own seat; once the match is
        over, also from any seat, or with all cards revealed."""

        async def work() -> object:
            key = self.lobby.find_key(request.path_params["key"])
            if key.role == "invitation":
                raise Refused("no_such_table")
            room = await self.lobby.open(key.table)
            if key.role == "replay" and not room.match.is_over:
                raise Refused("not_over")
            at = read_place(request.query_params.get("at"), len(room.choices))
            seat, wanted = key.seat, request.query_params.get("seat")
            if wanted is not None:
                seat = None if wanted in ("none", "all") else read_place(wanted, room.game.players - 1)
                if (seat != key.seat or wanted == "all") and not room.match.is_over:
                    raise Refused("not_over")
            language = request.query_params.get("lang")
            host = room.host(language if language in room.languages else room.game.program.language)
            trace = await self.lobby.trace(room)
            begun = len(room.setup.begun)
            match = trace.go_to(begun + at)
            since = trace.positions[begun + at - 1][1] if begun + at > 0 else 0
            view = host.see(match, seat, since, reveal=wanted == "all").to_json()
            found = {"view": view, "at": at, "choices": len(room.choices)}
            if request.query_params.get("legend"):
                alone = sum(each.player == PERSON for each in room.seats) == 1
                options = room.say_options(host.legend.language)
                found |= {"legend": host.legend.to_json(), "options": options, "open": room.match.is_over}
                found["what_if"] = room.match.is_over or (alone and key.seat is not None)
            return found

        return await self.answer(request, self.asking, work)

    async def send_match(self, request: Request) -> Response:
        """Send a finished match as a JSON Lines file: the setup, then a line for each choice."""
        found: list[str] = []

        async def work() -> object:
            key = self.lobby.find_key(request.path_params["key"])
            room = await self.lobby.open(key.table)
            if key.role == "invitation" or not room.match.is_over:
                raise Refused("not_over")
            found.append(room.write_file())
            return None

        answer = await self.answer(request, self.asking, work)
        return Response(found[0], media_type="application/jsonl") if found else answer

    async def answer(self, request: Request, buckets: Buckets, work: Callable[[], Awaitable[object]]) -> Response:
        """Run the handler of a request within the rate limit, and convert its exceptions to error responses."""
        address = request.client.host if request.client is not None else ""
        if not buckets.take(address):
            return JSONResponse({"why": "too_often"}, 429)
        try:
            return pack(request, JSONResponse(await work()))
        except Refused as refused:
            status = 404 if refused.why.startswith("no_such") else 409
            return JSONResponse({"why": refused.why, "detail": refused.detail}, status)
        except BadMessage as bad:
            return JSONResponse({"why": "bad_message", "detail": str(bad)}, 400)
        except Fault as fault:
            return JSONResponse({"why": "bad_rules", "detail": str(fault)}, 409)

    # ---------------------------------------------------------------------------------------------- seats
    async def sit(self, socket: WebSocket) -> None:
        await socket.accept()
        try:
            key = self.lobby.find_key(socket.path_params["key"])
            if key.role in ("invitation", "replay"):
                raise Refused("no_such_table")
            room = await self.lobby.open(key.table)
        except Refused as refused:
            await _leave(socket, NO_TABLE, {"is": "closed", "why": refused.why, "detail": refused.detail})
            return
        if len(room.guests) >= MOST_GUESTS:
            await _leave(socket, FULL, {"is": "closed", "why": "full"})
            return
        guest = room.enter(key.role, key.seat, socket.query_params.get("lang"))
        writing = asyncio.create_task(_write(socket, room, guest))
        try:
            await _read(socket, room, guest)
        finally:
            room.leave(guest)
            writing.cancel()


async def _read(socket: WebSocket, room: Room, guest: Guest) -> None:
    """Receive messages until the client disconnects, or is disconnected for exceeding a limit."""
    bucket, bad = Bucket(40, 10), 0
    while not guest.gone:
        try:
            text = await socket.receive_text()
        except (WebSocketDisconnect, KeyError, RuntimeError):  # disconnected, or sent a binary frame
            return
        if not bucket.take():
            await _leave(socket, ASKED_TOO_OFTEN, {"is": "closed", "why": "too_often"})
            return
        try:
            message = read_message(text)
        except BadMessage as wrong:
            bad += 1
            if bad > MOST_BAD:
                await _leave(socket, BAD_MESSAGE, {"is": "closed", "why": "bad_message"})
                return
            guest.reply({"is": "refused", "why": "bad_message", "detail": str(wrong)})
            continue
        await room.take(guest, message)


async def _write(socket: WebSocket, room: Room, guest: Guest) -> None:
    """Send queued replies and the latest state, whenever the guest is woken."""
    with suppress(WebSocketDisconnect, RuntimeError):
        while not guest.gone:
            await guest.waiting.wait()
            guest.waiting.clear()
            while guest.replies:
                await _send(socket, guest.replies.popleft())
            await _send(socket, room.show(guest))
        await socket.close(ASKED_TOO_OFTEN)


async def _send(socket: WebSocket, data: object) -> None:
    await socket.send_text(json.dumps(data, ensure_ascii=False, separators=(",", ":")))


async def _leave(socket: WebSocket, code: int, data: object) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        await _send(socket, data)
        await socket.close(code)


async def _read_body(request: Request, most: int = LARGEST_BODY) -> bytes:
    """Read the body of a request, aborting as soon as it exceeds the limit. The required content type guards against
    CSRF: without a CORS preflight, other sites cannot send it."""
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        raise BadMessage("it must be application/json")
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > most:
            raise BadMessage("it is too large")
    return body

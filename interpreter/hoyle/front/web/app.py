"""The web application: pages, the JSON API, and a WebSocket for each client at a table.

In: a lobby. Out: an ASGI application. Requests must be well formed, within size and rate limits, and of the same
origin; every response carries a Content-Security-Policy that allows no third-party resources. What is answered is the
desk's part.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from hoyle.front.web.desk import Call, Desk, Endpoint, answer, sit
from hoyle.front.web.files import find_version, pack, send_file
from hoyle.front.web.limits import Buckets
from hoyle.front.web.lobby import Lobby
from hoyle.front.web.messages import BadMessage
from hoyle.front.web.playground import Playground, list_editing
from hoyle.front.web.tournaments import Tournaments

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
)
EDIT_POLICY = POLICY.replace("frame-ancestors 'none'", "frame-src 'self'; frame-ancestors 'self'").replace(
    "img-src 'self'", "img-src 'self' data:"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cache-Control": "no-cache",
}


def make_app(lobby: Lobby, names: set[str], playground: Playground | None = None) -> ASGIApp:
    """Create the application for a lobby. `names` are the allowed host names, in addition to numeric addresses. With a
    playground, there is also a page that edits its file and frames a table of this server."""
    often = lobby.rules.patience
    asking = Buckets(60 * often, 20 * often)  # rate limit of requests, per address
    making = Buckets(20 * often, 0.5 * often)  # rate limit of new tables and uploads, per address

    def serve(endpoint: Endpoint) -> Route:
        handle = _make_handler(endpoint, making if endpoint.makes else asking)
        return Route(endpoint.address, handle, methods=["POST" if endpoint.most else "GET"])

    async def sit_down(socket: WebSocket) -> None:
        await socket.accept()
        await sit(lobby, socket.path_params["key"], socket.query_params.get("lang"), _SocketLine(socket))

    @asynccontextmanager
    async def open_and_close(_app: Starlette) -> Any:
        yield
        lobby.close()

    held = Endpoint("/api/party/{key}", Tournaments(lobby).show)
    app = Starlette(
        routes=[
            Route("/", _page("index.html")),
            Route("/t/{key}", _page("table.html")),
            Route("/seal", _page("index.html")),
            *([Route("/edit", _page("edit.html"))] if playground is not None else []),
            Route("/static/{name}", _send_static),
            Route("/static/{version}/{name}", _send_static),
            *map(serve, [*Desk(lobby).endpoints, held, *(list_editing(playground) if playground is not None else ())]),
            WebSocketRoute("/ws/{key}", sit_down),
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


def _page(name: str) -> Callable[[Request], Awaitable[Response]]:
    async def send(request: Request) -> Response:
        return send_file(request, name)

    return send


async def _send_static(request: Request) -> Response:
    version = request.path_params.get("version")
    return send_file(request, request.path_params["name"], kept=version == find_version())


def _make_handler(endpoint: Endpoint, buckets: Buckets) -> Callable[[Request], Awaitable[Response]]:
    """A handler that answers within the rate limit; text that is no JSON yet is sent as lines of JSON."""

    async def handle(request: Request) -> Response:
        async def work() -> object:
            body = await _read_body(request, endpoint.most) if endpoint.most else b""
            return await endpoint.work(Call(request.path_params.get("key", ""), request.query_params, body))

        address = request.client.host if request.client is not None else ""
        if not buckets.take(address):
            return JSONResponse({"why": "too_often"}, 429)
        status, data = await answer(work)
        if isinstance(data, str):
            return Response(data, status, media_type="application/jsonl")
        return pack(request, JSONResponse(data, status))

    return handle


async def _read_body(request: Request, most: int) -> bytes:
    """Read the body of a request, aborting as soon as it exceeds the limit. The required content type guards against
    CSRF: without a CORS preflight, other sites cannot send it."""
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        raise BadMessage("it must be application/json")
    body = b""
    try:
        async for part in request.stream():
            body += part
            if len(body) > most:
                raise BadMessage("it is too large")
    except ClientDisconnect:
        raise BadMessage("it was broken off") from None
    return body


class _SocketLine:
    """A WebSocket as a line to a client."""

    def __init__(self, socket: WebSocket) -> None:
        self.socket = socket

    async def hear(self) -> str | None:
        try:
            return await self.socket.receive_text()
        except (WebSocketDisconnect, KeyError, RuntimeError):  # disconnected, or sent a binary frame
            return None

    async def say(self, text: str) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):
            await self.socket.send_text(text)

    async def close(self, code: int) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):
            await self.socket.close(code)

"""Static files and long responses, with compression and caching.

In: a request and the name of a file, or a response. Out: a response, gzipped if the client accepts that.
"""

from __future__ import annotations

import gzip
import hashlib
from functools import cache, lru_cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from hoyle.play.view.locale import LANGUAGES

STATIC = Path(__file__).parent / "static"
KINDS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml",
         ".json": "application/json"}  # fmt: skip
LEAST_PACKED = 1000  # shorter responses, in bytes, are not compressed


@cache
def _list_static() -> frozenset[str]:
    return frozenset(path.name for path in STATIC.iterdir() if path.suffix in KINDS)


def send_file(request: Request, name: str, *, kept: bool = False) -> Response:
    """Send a static file, or 304 if the client's copy is current. `kept`: the URL contains the version of all files, so
    that the response can be cached as immutable."""
    if name not in _list_static():
        return Response("not found", 404, media_type="text/plain")
    text, packed, mark = _read_static(name, find_version())
    known = {"ETag": mark, "Vary": "Accept-Encoding"}
    if kept:
        known["Cache-Control"] = "max-age=31536000, immutable"
    if mark in request.headers.get("if-none-match", ""):
        return Response(None, 304, headers=known)
    if _takes_packed(request):
        text, known = packed, {**known, "Content-Encoding": "gzip"}
    return Response(text, headers=known, media_type=KINDS[Path(name).suffix])


def find_version() -> str:
    """Return a hash that changes when any static file changes."""
    known = [(name, (STATIC / name).stat().st_mtime_ns) for name in sorted(_list_static())]
    return hashlib.sha256(repr(known).encode()).hexdigest()[:12]


@lru_cache(64)
def _read_static(name: str, version: str) -> tuple[bytes, bytes, str]:
    """Read a static file: its content, the same gzipped, and a weak ETag (the same for both encodings). Pages get
    versioned URLs of their static files."""
    text = (STATIC / name).read_bytes()
    if name.endswith(".html"):
        text = text.replace(b'"/static/', f'"/static/{version}/'.encode())
        text = text.replace(b"@@LANGUAGES@@", " ".join(LANGUAGES).encode())
    return text, gzip.compress(text, 9, mtime=0), f'W/"{hashlib.sha256(text).hexdigest()[:24]}"'


def _takes_packed(request: Request) -> bool:
    for part in request.headers.get("accept-encoding", "").split(","):
        name, _, weight = part.replace(" ", "").partition(";q=")
        if name == "gzip":
            return weight.strip("0.") != "" or not weight
    return False


def pack(request: Request, response: JSONResponse) -> Response:
    """Compress a response if it is long."""
    text = bytes(response.body)
    if len(text) < LEAST_PACKED or not _takes_packed(request):
        return response
    known = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    return Response(gzip.compress(text, 6), headers=known, media_type="application/json")

"""The files of the page and long answers, packed, and sent once.

In: a request and the name of a file, or an answer. Out: a response, as gzip where the browser takes that.
"""

from __future__ import annotations

import gzip
import hashlib
from functools import cache, lru_cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

STATIC = Path(__file__).parent / "static"
KINDS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
LEAST_PACKED = 1000  # bytes of an answer that is packed


@cache
def _list_static() -> frozenset[str]:
    return frozenset(path.name for path in STATIC.iterdir() if path.suffix in KINDS)


def send_file(request: Request, name: str, *, kept: bool = False) -> Response:
    """A file of the page; nothing of it if the browser has it as it is. Under an address that names the version of all
    files it need never be asked for again."""
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
    """A mark that is another one when any file has been changed."""
    known = [(name, (STATIC / name).stat().st_mtime_ns) for name in sorted(_list_static())]
    return hashlib.sha256(repr(known).encode()).hexdigest()[:12]


@lru_cache(64)
def _read_static(name: str, version: str) -> tuple[bytes, bytes, str]:
    """A file of a version: its text, that packed, and a mark by which it is known again, which is a weak one, since it
    is the same packed or not. A page asks for its files under their version."""
    text = (STATIC / name).read_bytes()
    if name.endswith(".html"):
        text = text.replace(b'"/static/', f'"/static/{version}/'.encode())
    return text, gzip.compress(text, 9, mtime=0), f'W/"{hashlib.sha256(text).hexdigest()[:24]}"'


def _takes_packed(request: Request) -> bool:
    for part in request.headers.get("accept-encoding", "").split(","):
        name, _, weight = part.replace(" ", "").partition(";q=")
        if name == "gzip":
            return weight.strip("0.") != "" or not weight
    return False


def pack(request: Request, response: JSONResponse) -> Response:
    """An answer, packed if it is long."""
    text = bytes(response.body)
    if len(text) < LEAST_PACKED or not _takes_packed(request):
        return response
    known = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    return Response(gzip.compress(text, 6), headers=known, media_type="application/json")

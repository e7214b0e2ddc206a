"""A match in words as a server of the Model Context Protocol: JSON-RPC 2.0, a message a line.

In: lines of a client, and a `TextMatch`, whose other seats play as `advance` says. Out: lines of answers. Tools: `look`
tells what the seat to choose knows, `choose` makes its choice; a refusal is an error of the tool that cites the rules.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from hoyle.base.errors import HoyleError
from hoyle.base.version import __version__
from hoyle.lab.adapters.textual import LONGEST, write_text

if TYPE_CHECKING:
    from hoyle.lab.adapters.textual import Record, TextMatch

VERSIONS = ("2025-06-18", "2025-03-26", "2024-11-05")
MOST_READ = 100_000  # characters of a message
NO_JSON, NO_REQUEST, NO_METHOD, NO_PARAMS = -32700, -32600, -32601, -32602
TOOLS = [
    {"name": "look", "description": "What the seat to choose sees, its news since it chose last, and its choices.",
     "inputSchema": {"type": "object", "properties": {}, "additionalProperties": False}},
    {"name": "choose", "description": "Make a choice, spelt as `look` lists it; what is to be chosen next comes back.",
     "inputSchema": {"type": "object", "properties": {"choice": {"type": "string", "maxLength": LONGEST}},
                     "required": ["choice"], "additionalProperties": False}},
]  # fmt: skip


class _RequestError(HoyleError):
    """A message that is no request here; `code` as JSON-RPC numbers them."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


def serve(lines: Iterable[str], played: TextMatch, advance: Callable[[], None]) -> Iterator[str]:
    """Answer messages until there are no more."""
    advance()
    for line in lines:
        number: object = None
        try:
            message = _read(line)
            number = message.get("id")
            found = _handle(message, played, advance)
        except _RequestError as wrong:
            yield _write(number, error={"code": wrong.code, "message": str(wrong)})
            continue
        if "id" in message:  # a notification has no answer
            yield _write(number, result=found)


def _read(line: str) -> dict[str, Any]:
    if len(line) > MOST_READ:
        raise _RequestError(NO_REQUEST, f"a message has at most {MOST_READ:,} characters")
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        raise _RequestError(NO_JSON, "this is no JSON") from None
    if not isinstance(message, dict) or not isinstance(message.get("method"), str):
        raise _RequestError(NO_REQUEST, "this is no request: an object with a method is needed")
    if not isinstance(message.get("id"), str | int | None):
        raise _RequestError(NO_REQUEST, "the id of a request is a text or a whole number")
    return message


def _handle(message: dict[str, Any], played: TextMatch, advance: Callable[[], None]) -> Record:
    method, given = message["method"], message.get("params") or {}
    if not isinstance(given, dict):
        raise _RequestError(NO_PARAMS, "params is an object")
    if method == "initialize":
        asked = given.get("protocolVersion")
        return {"protocolVersion": asked if asked in VERSIONS else VERSIONS[0], "capabilities": {"tools": {}},
                "serverInfo": {"name": "hoyle", "version": __version__}}  # fmt: skip
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        return _call(given, played, advance)
    if method == "ping" or method.startswith("notifications/"):
        return {}
    raise _RequestError(NO_METHOD, f"there is no method {method[:100]}")


def _call(given: dict[str, Any], played: TextMatch, advance: Callable[[], None]) -> Record:
    name, arguments = given.get("name"), given.get("arguments") or {}
    if name not in ("look", "choose"):
        raise _RequestError(NO_PARAMS, "there are the tools look and choose")
    refused = None
    if name == "choose":
        choice = arguments.get("choice") if isinstance(arguments, dict) else None
        if not isinstance(choice, str):
            raise _RequestError(NO_PARAMS, "choose takes a choice as text")
        refused = played.answer(choice)
        if refused is None:
            advance()
    record = json.loads(json.dumps(refused or played.ask(), default=str))
    content = [{"type": "text", "text": write_text(record)}]
    return {"content": content, "structuredContent": record, "isError": refused is not None}


def _write(number: object, **told: object) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": number, **told})

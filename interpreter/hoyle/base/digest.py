"""Digests of trees of dataclasses, by what equality compares and without texts for people.

In: a value. Out: a short hash, the same in every process.
"""

from __future__ import annotations

import hashlib
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

from hoyle.base.source import Span

LENGTH = 16  # hexadecimal digits: enough against accidents; nobody gains by a forged one
_TEXTS = frozenset({"line", "text", "label", "call", "title", "places", "name_at", "shows_at", "sentences", "clause"})


def _is_absent(value: Any, usual: object) -> bool:
    """Whether a part says nothing: it is as it is where nothing is written; without such a value, it is empty."""
    if usual is not MISSING:
        return type(value) is type(usual) and bool(value == usual)
    return value is None or value is False or (isinstance(value, tuple | list | dict) and not value)


_COUNTED: dict[type, tuple[tuple[str, object], ...]] = {}


def _list_counted(kind: type) -> tuple[tuple[str, object], ...]:
    """The fields of a dataclass that count, each with its default."""
    if kind not in _COUNTED:
        counted = (one for one in fields(kind) if one.compare and one.name not in _TEXTS)
        _COUNTED[kind] = tuple((one.name, one.default) for one in counted)
    return _COUNTED[kind]


def digest_tree(value: object) -> str:
    """The digest of a value. Texts, and where a clause stands in its file, do not count; nor does a part that is not
    given, so that a digest outlives what is added to the language. A span counts, without its spaces, where it is a
    type that is yet to be read."""
    known: dict[int, tuple[object, bytes]] = {}  # by identity; the values are kept alive, so that none is reused

    def walk(part: Any) -> bytes:
        if not isinstance(part, tuple | list | dict) and not is_dataclass(part):
            return f"{type(part).__name__} {part!r}".encode()
        if id(part) not in known:
            known[id(part)] = part, hashlib.sha256(b"\n".join(spell(part))).digest()
        return known[id(part)][1]

    def spell(part: Any) -> list[bytes]:
        if isinstance(part, Span):
            return [b"span"]
        if isinstance(part, dict):
            return [b"dict", *(walk(each) for item in part.items() for each in item)]
        if isinstance(part, tuple | list):
            return [b"list", *map(walk, part)]
        if type(part).__name__ == "Text" or getattr(getattr(part, "type", None), "kind", "") == "text":
            return [type(part).__name__.encode()]  # a literal that is told to people
        found = []
        for name, usual in _list_counted(type(part)):
            value = getattr(part, name)
            if _is_absent(value, usual):
                continue
            if name == "type" and isinstance(value, Span):
                value = "".join(value.text.split())
            found += [name.encode(), walk(value)]
        return [type(part).__name__.encode(), *found]

    return walk(value).hex()[:LENGTH]

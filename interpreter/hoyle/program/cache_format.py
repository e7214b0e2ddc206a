"""Safe serialisation: deserialising builds plain values and cannot execute anything.

In: dataclasses of programs and of metadata, tuples, lists, dicts, paths, numbers and texts. Out: JSON, and the same
values again. Shared subvalues are written once.
"""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

from hoyle.program import info
from hoyle.program.ir import actions, blocks, declared, expressions, instructions, program, types

_MODULES = (actions, blocks, declared, expressions, info, instructions, program, types)


@cache
def _list_classes() -> dict[str, tuple[type, tuple[str, ...]]]:
    """The permitted classes by name, with their fields."""
    found = {}
    for module in _MODULES:
        for each in vars(module).values():
            if isinstance(each, type) and is_dataclass(each):
                found[each.__name__] = (each, tuple(part.name for part in fields(each)))
    return found


def write_plain(value: object) -> bytes:
    """The value as JSON; raises `TypeError` for anything of another class."""
    written: list[Any] = []
    places: dict[int, int] = {}

    def write(part: object) -> int:
        place = places.get(id(part))
        if place is None:
            written.append(_write_one(part, write))
            place = places[id(part)] = len(written) - 1
        return place

    write(value)
    return json.dumps(written, separators=(",", ":")).encode()


def _write_one(value: Any, write: Any) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, tuple | list):
        return ["tuple" if isinstance(value, tuple) else "list", *map(write, value)]
    if isinstance(value, dict):
        return ["dict", *(write(part) for item in value.items() for part in item)]
    if isinstance(value, Path):
        return ["path", str(value)]
    name = type(value).__name__
    known, parts = _list_classes().get(name, (None, ()))
    if known is not type(value):
        raise TypeError(f"{name} is not plain")
    return [name, *(write(getattr(value, part)) for part in parts)]


def read_plain(content: bytes) -> Any:
    """The value written by `write_plain`; raises `ValueError`, `TypeError` or `LookupError` if the data is
    malformed."""
    classes, read = _list_classes(), list[Any]()
    for part in json.loads(content):
        if not isinstance(part, list):
            read.append(part)
            continue
        kind, *places = part
        if kind == "path":
            read.append(Path(places[0]))
            continue
        values = [read[place] for place in places]
        if kind == "tuple":
            read.append(tuple(values))
        elif kind == "list":
            read.append(values)
        elif kind == "dict":
            read.append(dict(zip(values[::2], values[1::2], strict=True)))
        else:
            made, names = classes[kind]
            read.append(made(**dict(zip(names, values, strict=True))))
    return read[-1]

"""Records that come from outside: JSON data, looked at before anything is made of it.

In: data, and the shape it must have. Out: nothing, or a `RecordError` that says where it is wrong.

A shape is a type, `[shape]` for a list of any length, `(shape, …)` for one of several types, `VALUE` for what a state
may hold or chance may give.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

VALUE = "value"
NAMES = {int: "a whole number", str: "a text", bool: "true or false", dict: "an object", tuple: "a tuple", None: "null"}


class RecordError(ValueError):
    """A record that is malformed, or cannot be of this game; the text says where."""


def refuse(where: str, wrong: str) -> RecordError:
    """The error for something that is wrong at a place."""
    return RecordError(f"{where}: {wrong}")


def check_shape(value: Any, shape: Any, where: str) -> None:
    """Refuse a value of another shape."""
    if shape is VALUE:
        _check_value(value, where)
    elif isinstance(shape, list):
        if not isinstance(value, list):
            raise refuse(where, "must be a list")
        for place, part in enumerate(value):
            check_shape(part, shape[0], f"{where}[{place}]")
    elif isinstance(shape, tuple):
        if not any(value is None if each is None else type(value) is each for each in shape):
            raise refuse(where, f"must be {' or '.join(NAMES[each] for each in shape)}")
    elif type(value) is not shape:
        raise refuse(where, f"must be {NAMES[shape]}")


def check_fields(data: Any, shapes: Mapping[str, Any], where: str, optional: frozenset[str] = frozenset()) -> None:
    """Refuse an object that lacks something, has something unknown, or has something of another shape."""
    check_shape(data, dict, where)
    for name in data:
        if name not in shapes:
            raise refuse(where, f"nothing is called `{name}`")
    for name, shape in shapes.items():
        if name in data:
            check_shape(data[name], shape, f"{where}.{name}")
        elif name not in optional:
            raise refuse(where, f"`{name}` is missing")


def _check_value(value: Any, where: str) -> None:
    """A plain value, a list of such, or a tuple: `{"t": […]}`."""
    if isinstance(value, list):
        for place, part in enumerate(value):
            _check_value(part, f"{where}[{place}]")
    elif isinstance(value, dict):
        if list(value) != ["t"] or not isinstance(value["t"], list):
            raise refuse(where, 'a tuple is written {"t": […]}')
        for place, part in enumerate(value["t"]):
            _check_value(part, f"{where}[{place}]")
    elif value is not None and type(value) not in (bool, int, str):
        raise refuse(where, "must be a plain value or a tuple")

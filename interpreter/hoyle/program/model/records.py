"""Shape validation of JSON data from outside, before anything is built from it.

In: data, and the expected shape. Out: nothing, or a `RecordError` that names the place.

A shape is a type, `[shape]` for a list of any length, `(type, …)` for a union of types, or `VALUE` for anything that a
state may hold or chance may give.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hoyle.base.errors import HoyleError

VALUE = "value"
NAMES = {int: "a whole number", str: "a text", bool: "true or false", dict: "an object", tuple: "a tuple", None: "null"}


class RecordError(HoyleError, ValueError):
    """A record is malformed, or cannot belong to this game; the text names the place."""


def refuse(where: str, wrong: str) -> RecordError:
    """The error for a place."""
    return RecordError(f"{where}: {wrong}")


def check_shape(value: Any, shape: Any, where: str) -> None:
    """Raise `RecordError` for a value of another shape."""
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
    """Raise `RecordError` for an object with a missing field, an unknown field, or one of another shape."""
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
    """Check for a scalar, a list of values, or a tuple: `{"t": […]}`."""
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

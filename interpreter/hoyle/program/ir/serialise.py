"""Programs as JSON data, described by schema/ir.schema.json.

In: a program. Out: dicts and lists; every node has its class name as `node`.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from hoyle.program.ir.nodes import Program


def to_json_data(program: Program) -> dict[str, object]:
    """The program as JSON data."""
    data = _convert(program)
    assert isinstance(data, dict)
    return data


def _convert(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        parts = {part.name: _convert(getattr(value, part.name)) for part in fields(value)}
        return {"node": type(value).__name__, **parts}
    if isinstance(value, tuple | list):
        return [_convert(part) for part in value]
    if isinstance(value, dict):
        return {str(key): _convert(part) for key, part in value.items()}
    return value

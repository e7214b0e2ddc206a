"""The format of a structure in memory, by which all its fields are packed at once.

In: a structure and its fields. Out: `StructFormat`.

Every field has a part: a number, or the bytes of an array. All parts of a structure are packed by one call: to pack a
hundred numbers takes as long as setting two or three of them one by one.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence
from typing import Any, TypeAlias

from hoyle.codegen.c.struct_layout import Field

Parts: TypeAlias = list[Any]

CODES = {
    "uint8_t": "B",
    "int8_t": "b",
    "uint16_t": "H",
    "int16_t": "h",
    "int32_t": "i",
    "int64_t": "q",
    "uint64_t": "Q",
}


class StructFormat:
    """The parts of one structure: which field is which, and how they are packed."""

    def __init__(self, made: Any, fields: Sequence[Field]) -> None:
        self.numbers: dict[str, int] = {}
        self.blank: Parts = []
        spelt, at = "=", 0
        by_name = {field.name: field for field in fields}
        for name, kind in made._fields_:
            found = getattr(made, name)
            spelt += f"{found.offset - at}x" if found.offset > at else ""
            at = found.offset + found.size
            field = by_name.get(name)
            is_number = field is not None and not field.dims
            spelt += CODES[field.ctype] if field is not None and is_number else f"{ctypes.sizeof(kind)}s"
            self.numbers[name] = len(self.blank)
            self.blank.append(0 if is_number else b"")
        spelt += f"{ctypes.sizeof(made) - at}x"
        self.form = struct.Struct(spelt)

    def part(self, field: Field) -> int:
        return self.numbers[field.name]

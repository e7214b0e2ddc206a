"""ctypes mirrors of the C structures.

In: the layout that the printer used. Out: ctypes structures with the same fields, and `packing`, which marshals
positions.
"""

from __future__ import annotations

import ctypes
from functools import cached_property
from typing import Any, TypeAlias

from hoyle.play.codegen.c.columns import find_type
from hoyle.play.codegen.c.struct_layout import Layout
from hoyle.play.engine.native.packing import Packing

# A ctypes structure, or a class of them: its fields depend on the program and are made at run time, so that they have
# no static type.
Struct: TypeAlias = Any

C_TYPES: dict[str, Struct] = {
    "uint8_t": ctypes.c_uint8,
    "int8_t": ctypes.c_int8,
    "uint16_t": ctypes.c_uint16,
    "int16_t": ctypes.c_int16,
    "int32_t": ctypes.c_int32,
    "int64_t": ctypes.c_int64,
    "uint64_t": ctypes.c_uint64,
}


class Mirror:
    """The structures of one program, and their marshalling."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.program = layout.program
        table = self._make_struct("Table", inner=True)
        members: list[tuple[str, Struct]] = [("t", table)]
        if self.program.saves:
            members.append(("saved", table))
        self.position: Struct = self._make_struct("Pos", inner=False, first=members)
        self._table = table
        players = self.program.players
        stream: Struct = type("Stream", (ctypes.Structure,), {"_fields_": [
            ("seed", ctypes.c_uint64), ("taken", ctypes.c_uint64), ("bits", ctypes.c_uint64),
        ]})  # fmt: skip
        self.ask: Struct = type("Ask", (ctypes.Structure,), {"_fields_": [
            ("seats", stream * players), ("habits", ctypes.c_uint64), ("offered", ctypes.c_uint64),
            ("errors", ctypes.c_uint64), ("number", ctypes.c_int64), ("many", ctypes.c_int64),
            ("stop", ctypes.c_void_p),
            *((name, C_TYPES[find_type(f"Ask.{name}")]) for name in (
                "stops", "given", "place", "policy", "size", "seat", "action", "widest", "only_round", "most",
                "until_seat", "window", "erred",
            )),
        ]})  # fmt: skip
        self.board: Struct = type("Board", (ctypes.Structure,), {"_fields_": [
            ("held", self.position), ("last", self.position), ("ask", self.ask),
        ]})  # fmt: skip
        self.winners: Struct = type("Winners", (ctypes.Structure,), {"_fields_": [
            ("n", ctypes.c_uint8), ("seats", ctypes.c_uint8 * players),
        ]})  # fmt: skip
        self.result: Struct = type("Result", (ctypes.Structure,), {"_fields_": [
            ("scores", ctypes.c_int64 * players), ("offered", ctypes.c_uint64),
            *((name, C_TYPES[find_type(f"Result.{name}")]) for name in ("decisions", "rounds", "widest", "fault")),
            ("winners", self.winners),
        ]})  # fmt: skip

        tally: Struct = type("Tally", (ctypes.Structure,), {"_fields_": [
            (name, ctypes.c_int64) for name in ("total", "squares", "low", "high")
        ]})  # fmt: skip
        self.totals: Struct = type("Totals", (ctypes.Structure,), {"_fields_": [
            *((name, ctypes.c_int64) for name in ("games", "undecided", "offered", "widest")),
            ("wins", ctypes.c_int64 * players * players), ("decisions", tally), ("rounds", tally),
            ("scores", tally * players),
        ]})  # fmt: skip

    @cached_property
    def packing(self) -> Packing:
        """The marshalling of positions, made on first use: playouts need none."""
        return Packing(self.layout, self._table, self.position)

    def _make_struct(self, name: str, *, inner: bool, first: list[tuple[str, Struct]] | None = None) -> Struct:
        members = list(first or ())
        for field in self.layout.in_order(inner=inner):
            ctype = C_TYPES[field.ctype]
            for size in reversed(field.dims):
                ctype = ctype * size
            members.append((field.name, ctype))
        return type(name, (ctypes.Structure,), {"_fields_": members})

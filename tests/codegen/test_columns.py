"""Every number of 32 bits in the structures of C is bounded by what is declared, or by who fills it in."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from hoyle.lab.bots.native_deals import Hidden
from hoyle.lab.bots.native_tree import Offer, Tree
from hoyle.lab.bots.tables import Environment, FieldTold, ZoneTold
from hoyle.lab.bots.trying import Network, Said
from hoyle.play.codegen.c import columns
from hoyle.play.codegen.c.columns import COUNTED, Given, find_type, make_array
from hoyle.play.engine.native.parts import Part

SOURCES = sorted(Path(columns.__file__).parent.glob("*.c"))
STRUCT = re.compile(r"typedef struct \{([^{}]*)\} (\w+);")
GIVEN: dict[str, type[Given]] = {
    kind.__name__: kind for kind in (Part, Tree, Offer, Hidden, Environment, ZoneTold, FieldTold, Network, Said)
}


def list_members() -> Iterator[tuple[str, str]]:
    """`Struct.member` and its type, of all plain numbers in structures."""
    for path in SOURCES:
        for body, name in STRUCT.findall(re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)):
            for line in body.split(";"):
                kind, _, names = line.strip().partition(" ")
                if kind in ("int32_t", "uint32_t", "int64_t", "uint64_t"):
                    yield from ((f"{name}.{each.strip()}", kind) for each in names.split(",") if "*" not in each)


def test_no_number_of_32_bits_is_without_a_bound() -> None:
    declared = {member: each.most for each in COUNTED for member in each.members.split()}
    found = dict(list_members())
    assert len(found) > 80
    for member, kind in found.items():
        struct, _, name = member.partition(".")
        if struct in GIVEN and name in dict(GIVEN[struct]._fields_):
            size = dict(GIVEN[struct]._fields_)[name]
            assert ctypes.sizeof(size) == (4 if "32" in kind else 8), member
        elif "32" in kind or member in declared:
            assert declared[member] and find_type(member) == kind, member
    printed = ("Pos.", "Frame.")  # by the layout, which takes their types from here
    assert [member for member in declared if member not in found and not member.startswith(printed)] == []


def test_what_does_not_fit_is_refused() -> None:
    part = Part(width=(1 << 31) - 1)
    with pytest.raises(OverflowError, match="`at` of Part cannot be 2147483648"):
        part.at = 1 << 31
    with pytest.raises(OverflowError, match="`base` of FieldTold"):
        FieldTold(base=-(1 << 31) - 1)
    assert list(make_array(ctypes.c_int32, [1, -1])) == [1, -1]
    with pytest.raises(OverflowError, match="c_int"):
        make_array(ctypes.c_int32, [1, 1 << 31])

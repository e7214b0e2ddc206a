"""The memory layout of positions: one struct, each field of the smallest type that its fact allows.

In: a program and the facts of its places. Out: `Layout`: the fields in order, and which field holds which place.

None is encoded as a number of the field's type that its fact excludes. What is saved with an offence on record is an
inner struct (`Table`), so that it is saved by one copy.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hoyle.base.dataclass import dataclass
from hoyle.play.codegen.c.columns import LARGEST, find_type
from hoyle.play.codegen.low.facts import LIMIT, MOST_LINES, Fact
from hoyle.play.codegen.low.program import Module
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import certain

SHARED = ("n", "cards", "loc", "up", "hold")  # arrays that go to a device's shared memory, while there is room
WORD = 64
SPARE = 8  # the least size of a pile, and padding after all piles: hosts load and store eight cards at once
SIZES = {"uint8_t": 1, "int8_t": 1, "uint16_t": 2, "int16_t": 2, "int32_t": 4, "int64_t": 8, "uint64_t": 8}
MOST_IN_LIST = 4096  # elements of a list in memory; more are a fault
TYPES = {  # the ranges of field types, smallest first
    name: (0, (1 << 8 * size) - 1) if name[0] == "u" else (-(1 << 8 * size - 1), (1 << 8 * size - 1) - 1)
    for name, size in SIZES.items()
    if name != "uint64_t"
}


@dataclass(frozen=True, slots=True)
class Field:
    """A struct member. `none` encodes none, if it can be; `inner`: of `Table`; `slot`: accessed by `run` alone."""

    name: str
    ctype: str
    dims: tuple[int, ...] = ()
    none: int | None = None
    inner: bool = True
    slot: bool = False

    @property
    def path(self) -> str:
        if self.in_frame:
            return f"SLOT({self.name})"
        if self.name in SHARED:
            return f"TABLE({self.name})"
        return f"P->t.{self.name}" if self.inner else f"P->{self.name}"

    def at(self, index: str) -> str:
        """A read of the field, or of an element."""
        return f"HOLDER_OF({index[1:-1]})" if self.name == "hold" else f"{self.path}{index}"

    @property
    def in_frame(self) -> bool:
        """Whether it lives in the frame of a device thread, in a register."""
        return self.slot and not self.dims

    @property
    def declared(self) -> str:
        return f"{self.ctype} {self.name}{''.join(f'[{size}]' for size in self.dims)};"

    @property
    def size(self) -> int:
        return SIZES[self.ctype] * math.prod(self.dims)


@dataclass(frozen=True, slots=True)
class ListField:
    """A list in the position: length and elements. Dimensions before the last index the family."""

    length: Field
    elements: Field


def fit(fact: Fact) -> tuple[str, int | None]:
    """The smallest type for a number, and its encoding of none."""
    for name, (low, high) in TYPES.items():
        if not fact.none:
            if low <= fact.low and fact.high <= high:
                return name, None
        elif low == 0 and fact.low >= 0 and fact.high < high:
            return name, high
        elif low < 0 and fact.low > low and fact.high <= high:
            return name, low
    raise ValueError(fact)


@dataclass(frozen=True, slots=True)
class Known:
    """What a layout depends on besides the program, stored with a compiled library: the facts of places, those of the
    picks of stored choices by slot and action, the capacities of zones, the pool of texts."""

    held: dict[tuple[str, int], Fact]
    stored: dict[int, dict[int, tuple[Fact, ...]]]
    capacities: tuple[int, ...]
    texts: tuple[str, ...]

    @classmethod
    def of(cls, module: Module) -> Known:
        return cls(module.held, module.stored, module.capacities, module.texts)

    def to_json(self) -> dict[str, object]:
        held = [[kind, number, _pack(fact)] for (kind, number), fact in self.held.items()]
        stored = [
            [slot, action, list(map(_pack, facts))]
            for slot, actions in self.stored.items()
            for action, facts in actions.items()
        ]
        return {"held": held, "stored": stored, "capacities": self.capacities, "texts": self.texts}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Known:
        stored: dict[int, dict[int, tuple[Fact, ...]]] = {}
        for slot, action, facts in data["stored"]:
            stored.setdefault(slot, {})[action] = tuple(map(_unpack, facts))
        held = {(kind, number): _unpack(fact) for kind, number, fact in data["held"]}
        return cls(held, stored, tuple(data["capacities"]), tuple(data["texts"]))


def _pack(fact: Fact) -> list[object]:
    return [fact.low, fact.high, fact.none, None if fact.of is None else _pack(fact.of)]


def _unpack(data: list[Any]) -> Fact:
    low, high, none, of = data
    return Fact(low, high, none, None if of is None else _unpack(of))


class Layout:
    """The fields of a position of one program."""

    def __init__(self, program: ir.Program, known: Known, *, environment: bool = False) -> None:
        """With `environment`, a position also remembers which seats have seen each card since the last shuffle."""
        self.program = program
        self.known = known
        self.is_environment = environment
        self.fields: list[Field] = []
        self.cards = len(program.cards)
        self.zones = sum(zone.size for zone in program.zones)
        self.card_type, _ = fit(Fact(0, max(1, self.cards - 1)))
        self.zone_type, _ = fit(Fact(0, max(1, self.zones - 1)))
        self.count_type, _ = fit(Fact(0, self.cards))
        rooms = [max(SPARE, room) for room in known.capacities]
        self.offsets, self.near_offsets = _line_up(rooms), _line_up(known.capacities)
        self._add_outer("uint64_t", "rng", "late_state")
        self._add_counted("late")
        self.add("cards", self.card_type, (sum(rooms) + SPARE,))
        self.add("loc", self.zone_type, (self.cards,))
        self.add("n", self.count_type, (self.zones,))
        if program.keeps_holders:
            self.add("hold", "uint8_t", (self.cards,), none=255)
        if program.keeps_faces:
            self.add("up", "uint8_t", (self.cards,))
            self.add("open", "uint8_t", (self.cards,), inner=False)
        self.states = {number: self._add_state(number) for number in range(len(program.states))}
        self.slots = {number: self._add_slot(number) for number in range(len(program.slots))}
        self.totals = {column: self._add_total(column) for column in range(len(program.columns))}
        self._add_counted("rounds", "decisions", "block")
        self._add_outer("uint8_t", "fault", "over")
        self.add("retired", "uint64_t")
        if environment:
            self.add("exposed", "uint64_t", (program.players * -(-self.cards // WORD),), inner=False)
        if program.saves:
            self.add("offence_seat", "int16_t", none=-1, inner=False)
            self._add_counted("offence_clause")
        if program.keeps_lines:
            self.add("nlines", "uint8_t")
            row = (MOST_LINES, program.players, len(program.columns) + 1)
            self.add("lines", "int64_t", row, none=-(1 << 63))
        self.by_name = {field.name: field for field in self.fields}

    def add(
        self, name: str, ctype: str, dims: tuple[int, ...] = (), none: int | None = None, *, inner: bool = True,
        slot: bool = False,
    ) -> Field:  # fmt: skip
        field = Field(name, ctype, dims, none, inner and not slot, slot)
        self.fields.append(field)
        return field

    def _add_outer(self, ctype: str, *names: str) -> None:
        for name in names:
            self.add(name, ctype, inner=False)

    def _add_counted(self, *names: str) -> None:
        for name in names:
            self._add_outer(find_type(f"Pos.{name}"), name)

    def _add_value(self, name: str, fact: Fact, dims: tuple[int, ...], *, slot: bool) -> Field | ListField:
        if fact.of is None:
            ctype, none = fit(fact) if fact.low <= fact.high else ("uint8_t", 255)
            return self.add(name, ctype, dims, none, slot=slot)
        most = max(1, min(fact.high, MOST_IN_LIST))
        ctype, none = fit(Fact(0, most, none=fact.none))
        length = self.add(f"{name}_n", ctype, dims, none, slot=slot)
        return ListField(length, self.add(name, element_type(fact.of, self), (*dims, most), slot=slot))

    def _add_state(self, number: int) -> Field | ListField:
        state = self.program.states[number]
        dims = (state.size,) if state.of else ()
        return self._add_value(f"v{number}", self.known.held["state", number], dims, slot=False)

    def _add_slot(self, number: int) -> Field | ListField:
        kind = certain(self.program.slots[number].type)
        fact = self.known.held["slot", number]
        if kind.kind == "list" and kind.of is not None and kind.of.kind == "choice":
            return self._add_choices(number, fact)
        return self._add_value(f"s{number}", fact, (), slot=True)

    def _add_choices(self, number: int, fact: Fact) -> ListField:
        """Stored choices as a struct of arrays: the actions, and an array for each pick of each action."""
        many = max(1, fact.high)
        ctype, none = fit(Fact(0, many, none=True))
        length = self.add(f"s{number}_n", ctype, (), none, slot=True)
        ctype, none = fit(Fact(0, len(self.program.actions), none=True))
        for action, facts in self.known.stored.get(number, {}).items():
            for place, pick in enumerate(facts):
                self._add_value(f"s{number}_{action}_{place}", pick, (many,), slot=True)
        return ListField(length, self.add(f"s{number}", ctype, (many,), none, slot=True))

    def _add_total(self, column: int) -> Field:
        fact = self.known.held["total", column]
        ctype, none = fit(fact)
        return self.add(f"t{column}", ctype, (self.program.players,), none)

    @property
    def holders_fit(self) -> bool:
        """Whether zone and last holder of a card can be packed into one byte."""
        return self.program.keeps_holders and self.zones <= 16 and self.program.players < 15

    def list_shared(self, room: int) -> list[Field]:
        """The arrays that fit into so much shared memory; none if tables are saved, since `Table` is copied whole."""
        found: list[Field] = []
        for name in () if self.program.saves else SHARED:
            field = self.by_name.get(name) if name != "hold" or not self.holders_fit else None
            if field is not None and name == "cards":
                field = replace(field, dims=(max(1, sum(self.known.capacities)),))
            if field is not None and sum(each.size for each in (*found, field)) <= room:
                found.append(field)
        return sorted(found, key=lambda each: -SIZES[each.ctype])

    def find(self, name: str) -> Field | ListField:
        """The field of a place by name, or the two fields of a list."""
        field = self.by_name[name]
        return ListField(self.by_name[f"{name}_n"], field) if f"{name}_n" in self.by_name else field

    def find_list(self, name: str) -> ListField:
        found = self.find(name)
        assert isinstance(found, ListField)
        return found

    def in_order(self, *, inner: bool) -> list[Field]:
        """The members of a struct, widest first: no padding."""
        return sorted((each for each in self.fields if each.inner == inner), key=lambda each: -SIZES[each.ctype])


def _line_up(sizes: Sequence[int]) -> list[int]:
    """The offsets of consecutive arrays."""
    return list(itertools.accumulate(sizes[:-1], initial=0))


def element_type(fact: Fact, layout: Layout) -> str:
    """The element type of a list: that of cards, a byte, or a register type."""
    if fact.low >= 0 and fact.high < layout.cards and fact.high <= TYPES[layout.card_type][1]:
        return layout.card_type
    if fact.low >= 0 and fact.high <= 255:
        return "uint8_t"
    return register_type(fact)


def register_type(fact: Fact) -> str:
    """The type of a number in a register."""
    if fact.high > LIMIT:
        return "uint64_t"
    return "int32_t" if fact.low >= -LARGEST and fact.high <= LARGEST else "int64_t"

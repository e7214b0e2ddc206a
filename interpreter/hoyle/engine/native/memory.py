"""Positions in memory, as ctypes sees them, and as values of Python.

In: the layout that the printer used. Out: ctypes structures of the same fields; positions read from them and written
into them.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from typing import Any, TypeAlias

from hoyle.codegen.c.struct_layout import Field, Layout, ListField
from hoyle.ir import nodes as ir
from hoyle.ir.types import Type, certain
from hoyle.model.position import Position

# A ctypes structure, or a class of them: its fields are made at run time from what a program keeps, so that nothing can
# be said of them before.
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
NOT_RUNNING = -1


class Mirror:
    """The structures of one program, and how they are read."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.program = layout.program
        table = self._make_struct("Table", inner=True)
        members: list[tuple[str, Struct]] = [("t", table)]
        if self.program.called:
            members.append(("saved", table))
        self.position: Struct = self._make_struct("Pos", inner=False, first=members)
        players = self.program.players
        stream: Struct = type("Stream", (ctypes.Structure,), {"_fields_": [
            ("state", ctypes.c_uint64), ("bits", ctypes.c_uint64), ("left", ctypes.c_uint32),
        ]})  # fmt: skip
        self.ask: Struct = type("Ask", (ctypes.Structure,), {"_fields_": [
            ("seats", stream * players), ("habits", ctypes.c_uint64), ("offered", ctypes.c_uint64),
            ("number", ctypes.c_int64), ("many", ctypes.c_int64), ("stop", ctypes.c_void_p), ("stops", ctypes.c_int32),
            ("given", ctypes.c_int32), ("place", ctypes.c_int32), ("policy", ctypes.c_int32),
            ("size", ctypes.c_int32), ("seat", ctypes.c_int32), ("action", ctypes.c_int32),
            ("widest", ctypes.c_int32),
        ]})  # fmt: skip
        self.winners: Struct = type("Winners", (ctypes.Structure,), {"_fields_": [
            ("n", ctypes.c_uint8), ("seats", ctypes.c_uint8 * players),
        ]})  # fmt: skip
        self.result: Struct = type("Result", (ctypes.Structure,), {"_fields_": [
            ("scores", ctypes.c_int64 * players), ("offered", ctypes.c_uint64), ("decisions", ctypes.c_int32),
            ("rounds", ctypes.c_int32), ("widest", ctypes.c_int32), ("fault", ctypes.c_int32),
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

    def _make_struct(self, name: str, *, inner: bool, first: list[tuple[str, Struct]] | None = None) -> Struct:
        members = list(first or ())
        for field in self.layout.in_order(inner=inner):
            ctype = C_TYPES[field.ctype]
            for size in reversed(field.dims):
                ctype = ctype * size
            members.append((field.name, ctype))
        return type(name, (ctypes.Structure,), {"_fields_": members})

    # ---------------------------------------------------------------------------------------------- reading
    def read_position(self, held: Struct) -> Position:
        """A position as a value of Python."""
        program = self.program
        states, totals, zones, holders, lines, retired = self._read_table(held.t)
        offence = None
        if program.called and held.offence_seat >= 0:
            before = self._read_table(held.saved)
            offence = (
                held.offence_seat, held.offence_clause, tuple(map(tuple, before[2])), tuple(before[0]),
                tuple(map(tuple, before[1])), tuple(before[3]),
                tuple(tuple(map(tuple, rows)) for rows in before[4]), tuple(before[5]), (),
            )  # fmt: skip
        block = program.entry if held.block < 0 else held.block
        return Position(
            players=program.players,
            zones=zones,
            states=states,
            slots=self.read_slots(held),
            totals=totals,
            rounds_played=held.rounds,
            block=block,
            random=held.rng,
            script=[],
            decisions=held.decisions,
            over=bool(held.over),
            instruction=0 if held.over or held.block < 0 else len(program.blocks[block].instructions),
            holders=holders,
            lines=lines,
            retired=retired,
            offence=offence,
        )

    def read_slots(self, held: Struct) -> list[Any]:
        return [self._read_slot(number, held) for number in range(len(self.program.slots))]

    def _read_table(self, table: Struct) -> tuple[Any, ...]:
        program, layout = self.program, self.layout
        states: list[Any] = []
        for number, state in sorted(enumerate(program.states), key=lambda each: each[1].base):
            field = layout.states[number]
            places: Iterable[int | None] = range(state.size) if state.of else (None,)
            states.extend(self._read(table, field, place, state.type) for place in places)
        totals = [list(getattr(table, f"t{column}")) for column in range(len(program.columns))]
        zones = [list(table.cards[offset : offset + table.n[zone]]) for zone, offset in enumerate(layout.offsets)]
        holders = [_or_none(each, 255) for each in table.hold] if program.keeps_holders else []
        lines: list[Any] = []
        if program.keeps_lines:
            none = -(1 << 63)
            lines = [[[_or_none(each, none) for each in row] for row in table.lines[i]] for i in range(table.nlines)]
        retired = [seat for seat in range(program.players) if table.retired >> seat & 1]
        return states, totals, zones, holders, lines, retired

    def _read(self, held: Struct, field: Field | ListField, place: int | None, kind: Type) -> Any:
        if isinstance(field, Field):
            value = getattr(held, field.name)
            return self._convert(_or_none(value if place is None else value[place], field.none), kind)
        length, elements = getattr(held, field.length.name), getattr(held, field.elements.name)
        if place is not None:
            length, elements = length[place], elements[place]
        if length == field.length.none:
            return None
        of = certain(kind).of
        return tuple(self._convert(each, of) if of else each for each in elements[:length])

    def _convert(self, value: Any, kind: Type) -> Any:
        kind = certain(kind)
        if value is None:
            return None
        if kind.kind == "truth":
            return bool(value)
        return self.layout.known.texts[value] if kind.kind == "text" else value

    def _read_slot(self, number: int, held: Struct) -> Any:
        kind = certain(self.program.slots[number].type)
        if kind.kind == "list" and kind.of is not None and kind.of.kind == "choice":
            return self._read_choices(number, held)
        return self._read(held, self.layout.slots[number], None, self.program.slots[number].type)

    def _read_choices(self, number: int, held: Struct) -> tuple[Any, ...] | None:
        found = self.layout.slots[number]
        assert isinstance(found, ListField)
        length = getattr(held, found.length.name)
        if length == found.length.none:
            return None
        choices: list[Any] = []
        for place in range(length):
            action = getattr(held, found.elements.name)[place]
            if action == found.elements.none:
                choices.append(())
                continue
            declared = self.program.actions[action]
            picks = [
                self._read(held, self.layout.find(f"s{number}_{action}_{at}"), place, type_of_slot(self.program, slot))
                for at, slot in enumerate(declared.pick_slots)
            ]
            choices.append((action, *picks))
        return tuple(choices)

    # ---------------------------------------------------------------------------------------------- writing
    def write_position(self, position: Position, held: Struct) -> bool:
        """Put a position into memory; False if it does not fit, or is one that native code does not go on from."""
        program, layout = self.program, self.layout
        block = program.blocks[position.block]
        at_decision = isinstance(block.end, ir.Decide) and position.instruction == len(block.instructions)
        if position.script or position.over or not at_decision or position.players != program.players:
            return False
        try:
            self._write_table(position.zones, position.states, position.totals, position.holders, position.lines,
                              position.retired, held.t)  # fmt: skip
            if program.called:
                held.offence_seat = -1
                if position.offence is not None:
                    seat, clause, zones, states, totals, holders, lines, retired, _ = position.offence
                    held.offence_seat, held.offence_clause = seat, clause
                    self._write_table(zones, states, totals, holders, lines, retired, held.saved)
            elif position.offence is not None:
                return False
            for number, value in enumerate(position.slots):
                self._write_slot(number, value, held)
        except _Misfit:
            return False
        held.rng, held.rounds, held.decisions = position.random, position.rounds_played, position.decisions
        held.block, held.fault, held.over = position.block, 0, 0
        return len(position.slots) == len(layout.slots)

    def _write_table(
        self, zones: Any, states: Any, totals: Any, holders: Any, lines: Any, retired: Any, table: Struct
    ) -> None:
        program, layout = self.program, self.layout
        if sorted(card for pile in zones for card in pile) != list(range(layout.cards)) or len(zones) != layout.zones:
            raise _Misfit
        for zone, pile in enumerate(zones):
            if len(pile) > layout.known.capacities[zone]:
                raise _Misfit
            table.n[zone] = len(pile)
            for at, card in enumerate(pile):
                table.cards[layout.offsets[zone] + at] = card
                table.loc[card] = zone
        index = 0
        for number, state in sorted(enumerate(program.states), key=lambda each: each[1].base):
            fact = layout.known.held["state", number]
            for place in range(state.size) if state.of else (None,):
                self._write(table, layout.states[number], place, states[index], fact)
                index += 1
        for column, row in enumerate(totals):
            fact = layout.known.held["total", column]
            for seat, total in enumerate(row):
                if not fact.low <= total <= fact.high:
                    raise _Misfit
                getattr(table, f"t{column}")[seat] = total
        if program.keeps_holders:
            for card, holder in enumerate(holders):
                table.hold[card] = 255 if holder is None else holder
        if program.keeps_lines:
            if len(lines) > len(table.lines):
                raise _Misfit
            table.nlines = len(lines)
            for number, rows in enumerate(lines):
                for seat, row in enumerate(rows):
                    for at, entry in enumerate(row):
                        table.lines[number][seat][at] = -(1 << 63) if entry is None else _small(entry)
        table.retired = sum(1 << seat for seat in retired)

    def _write(self, held: Struct, field: Field | ListField, place: int | None, value: Any, fact: Any) -> None:
        if isinstance(field, Field):
            number = self._to_number(value, field, fact)
            if place is None:
                setattr(held, field.name, number)
            else:
                getattr(held, field.name)[place] = number
            return
        length = field.length.none if value is None else len(value)
        if length is None or (value is not None and len(value) > field.elements.dims[-1]):
            raise _Misfit
        elements = getattr(held, field.elements.name)
        if place is None:
            setattr(held, field.length.name, length)
        else:
            getattr(held, field.length.name)[place] = length
            elements = elements[place]
        for at, each in enumerate(value or ()):
            elements[at] = self._to_number(each, None, fact.of)

    def _to_number(self, value: Any, field: Field | None, fact: Any) -> int:
        if value is None:
            if field is None or field.none is None:
                raise _Misfit
            return field.none
        if isinstance(value, str):
            if value not in self.layout.known.texts:
                raise _Misfit
            value = self.layout.known.texts.index(value)
        if not isinstance(value, int) or not fact.low <= value <= fact.high:
            raise _Misfit
        return int(value)

    def _write_slot(self, number: int, value: Any, held: Struct) -> None:
        kind = certain(self.program.slots[number].type)
        field, fact = self.layout.slots[number], self.layout.known.held["slot", number]
        if kind.kind == "list" and kind.of is not None and kind.of.kind == "choice":
            assert isinstance(field, ListField)
            self._write_choices(number, field, value, held)
        else:
            self._write(held, field, None, value, fact)

    def _write_choices(self, number: int, field: ListField, value: Any, held: Struct) -> None:
        if value is not None and len(value) > field.elements.dims[0]:
            raise _Misfit
        setattr(held, field.length.name, field.length.none if value is None else len(value))
        stored = self.layout.known.stored.get(number, {})
        for place, choice in enumerate(value or ()):
            getattr(held, field.elements.name)[place] = choice[0] if choice else field.elements.none
            if choice:
                if choice[0] not in stored:
                    raise _Misfit
                for at, (pick, fact) in enumerate(zip(choice[1:], stored[choice[0]], strict=True)):
                    self._write(held, self.layout.find(f"s{number}_{choice[0]}_{at}"), place, pick, fact)


class _Misfit(Exception):  # noqa: N818 - an answer
    """A value that a position of native code does not hold."""


def _small(value: int) -> int:
    if abs(value) >= 1 << 62:
        raise _Misfit
    return value


def _or_none(value: int, none: int | None) -> int | None:
    return None if value == none else value


def type_of_slot(program: ir.Program, slot: int) -> Type:
    return program.slots[slot].type

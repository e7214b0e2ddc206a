"""Marshalling of positions between Python and the memory layout of compiled code.

In: the layout of a program and its ctypes structures. Out: `Packing`, which packs a position into a structure by one
copy, and unpacks it.
"""

from __future__ import annotations

import ctypes
import struct
from array import array
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from hoyle.base.errors import HoyleError
from hoyle.play.codegen.c.struct_layout import Field, Layout, ListField
from hoyle.play.codegen.low.facts import Fact, bounds_at_start
from hoyle.play.codegen.lower.transfer import find_in_order
from hoyle.play.engine.native.group_codes import read_groups, write_groups
from hoyle.play.engine.native.struct_format import CODES, Parts, StructFormat
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import Type, certain, list_of
from hoyle.program.model.position import Position

Write: TypeAlias = Callable[[Any, Parts], None]
Read: TypeAlias = Callable[[Sequence[Any]], Any]
Tables: TypeAlias = tuple[Any, ...]  # states, totals, zones, holders, lines, retired, turned

NOBODY = 255
NO_ENTRY = -(1 << 63)
MOST_ENTERED = 1 << 62


class Misfit(HoyleError):  # noqa: N818 - an answer
    """A value outside of what the layout can hold."""


class Packing:
    """Packs and unpacks the positions of one program."""

    def __init__(self, layout: Layout, table: Any, position: Any) -> None:
        self.layout = layout
        self.program: ir.Program = layout.program
        self.table = StructFormat(table, layout.in_order(inner=True))
        self.outer = StructFormat(position, layout.in_order(inner=False))
        self.texts = list(layout.known.texts)
        self._slots = [self._make_slot(number) for number in range(len(self.program.slots))]
        self._plain, self._others = self._divide_slots()
        self._states: list[tuple[int, Write, Read]] = []  # size of a family packed as an array, or 0
        in_order = find_in_order(self.program)
        for number, state in sorted(enumerate(self.program.states), key=lambda each: each[1].base):
            field, fact = layout.states[number], layout.known.held["state", number]
            for place in range(state.size) if state.of else (None,):
                if place is None or isinstance(field, ListField):
                    write, read = self._make(self.table, field, fact, state.type, place)
                    self._states.append((0, _write_sorted(write) if number in in_order else write, read))
                elif place == 0:  # the whole family as one array
                    self._states.append((state.size, *self._make_row(self.table, field, fact, state.type)))
        self._totals = [
            self._make_row(self.table, field, layout.known.held["total", column], Type("number"))
            for column, field in layout.totals.items()
        ]
        self._room = layout.by_name["cards"].dims[0]
        self._card, self._zone = CODES[layout.card_type], CODES[layout.zone_type]
        self._count = CODES[layout.count_type]

    def _divide_slots(self) -> tuple[list[tuple[int, int, int | None, int, int]], list[tuple[int, Write]]]:
        """The slots that hold plain numbers, for a fast path: part, encoding of none, bounds; and the others. Blank
        parts are preset to none where a slot can be none."""
        plain, others = [], []
        for number, (write, _) in enumerate(self._slots):
            field, fact = self.layout.slots[number], self.layout.known.held["slot", number]
            if isinstance(field, Field) and certain(self.program.slots[number].type).kind != "text":
                part = self.outer.part(field)
                plain.append((number, part, field.none, *bounds_at_start(fact)))
                self.outer.blank[part] = 0 if field.none is None else field.none
            else:
                others.append((number, write))
        return plain, others

    # ---------------------------------------------------------------------------------------------- values
    def _make_slot(self, number: int) -> tuple[Write, Read]:
        kind = certain(self.program.slots[number].type)
        field = self.layout.slots[number]
        if kind.kind == "list" and kind.of is not None and kind.of.kind == "choice":
            assert isinstance(field, ListField)
            return self._make_choices(number, field)
        if kind.kind == "list" and kind.of is not None and certain(kind.of).kind == "list":
            return self._make_groups(number, field)
        return self._make(self.outer, field, self.layout.known.held["slot", number], kind, None)

    def _make(
        self, form: StructFormat, field: Field | ListField, fact: Fact, kind: Type, place: int | None
    ) -> tuple[Write, Read]:
        """Writer and reader of a value; of a list in an array of lists, at an index."""
        if isinstance(field, ListField):
            return self._make_list(form, field, fact, kind, place)
        assert place is None
        part, turn, back = form.part(field), self._make_number(field.none, fact), self._make_back(field.none, kind)

        def write(value: Any, parts: Parts) -> None:
            parts[part] = turn(value)

        def read(parts: Sequence[Any]) -> Any:
            return back(parts[part])

        return write, read

    def _make_number(self, none: int | None, fact: Fact) -> Callable[[Any], int]:
        (low, high), texts = bounds_at_start(fact), self.texts

        def turn(value: Any) -> int:
            if value is None:
                if none is None:
                    raise Misfit
                return none
            if isinstance(value, str):
                value = texts.index(value)
            if not low <= value <= high:
                raise Misfit
            found: int = value
            return found

        return turn

    def _make_back(self, none: int | None, kind: Type) -> Callable[[int], Any]:
        named, texts = certain(kind).kind, self.texts
        if named == "truth":
            return lambda number: None if number == none else bool(number)
        if named == "text":
            return lambda number: None if number == none else texts[number]
        return lambda number: None if number == none else number

    def _make_row(self, form: StructFormat, field: Field, fact: Fact, kind: Type) -> tuple[Write, Read]:
        """Writer and reader of a family of numbers in one array."""
        part, code = form.part(field), CODES[field.ctype]
        turn, back = self._make_number(field.none, fact), self._make_back(field.none, kind)

        low, high = bounds_at_start(fact)

        def write(values: Any, parts: Parts) -> None:
            if None in values or isinstance(values[0], str):
                values = [turn(value) for value in values]
            elif min(values) < low or max(values) > high:
                raise Misfit
            parts[part] = array(code, values).tobytes()

        def read(parts: Sequence[Any]) -> list[Any]:
            return [back(number) for number in array(code, parts[part])]

        return write, read

    def _make_list(
        self, form: StructFormat, field: ListField, fact: Fact, kind: Type, place: int | None
    ) -> tuple[Write, Read]:
        of, most, none = fact.of, field.elements.dims[-1], field.length.none
        assert of is not None
        inner = certain(kind).of or Type("number")
        length, elements = form.part(field.length), form.part(field.elements)
        measured, code = CODES[field.length.ctype], CODES[field.elements.ctype]
        turn, back = self._make_number(None, of), self._make_back(None, inner)
        many = field.length.dims[0] if field.length.dims else 1

        def write(value: Any, parts: Parts) -> None:
            if value is None and none is None:
                raise Misfit
            size = none if value is None else len(value)
            made = array(code, [turn(each) for each in value or ()])
            if len(made) > most:
                raise Misfit
            if place is None:
                parts[length], parts[elements] = size, made.tobytes()
                return
            lengths = array(measured, parts[length] or bytes(many * array(measured).itemsize))
            row = most * made.itemsize
            lengths[place] = size
            held = bytearray(parts[elements] or bytes(many * row))
            held[place * row : place * row + len(made) * made.itemsize] = made.tobytes()
            parts[length], parts[elements] = lengths.tobytes(), bytes(held)

        def read(parts: Sequence[Any]) -> Any:
            size = parts[length] if place is None else array(measured, parts[length])[place]
            if size == none:
                return None
            at = 0 if place is None else place * most
            return tuple([back(number) for number in array(code, parts[elements])[at : at + size]])

        return write, read

    def _make_choices(self, number: int, field: ListField) -> tuple[Write, Read]:
        """Writer and reader of stored choices, a struct of arrays: actions, and one array for each pick of each
        action."""
        length, elements = self.outer.part(field.length), self.outer.part(field.elements)
        code, none, most = CODES[field.elements.ctype], field.elements.none, field.elements.dims[0]
        without = field.length.none
        picks: dict[int, list[list[tuple[Write, Read]]]] = {}  # by action, pick and index
        for action, facts in self.layout.known.stored.get(number, {}).items():
            slots = self.program.actions[action].pick_slots
            picks[action] = [
                self._make_column(f"s{number}_{action}_{at}", fact, self.program.slots[slot].type, most)
                for at, (fact, slot) in enumerate(zip(facts, slots, strict=True))
            ]

        def write(value: Any, parts: Parts) -> None:
            if value is not None and len(value) > most:
                raise Misfit
            parts[length] = without if value is None else len(value)
            if none is None and value is not None and () in value:
                raise Misfit
            actions: array[int] = array(code, [choice[0] if choice else none or 0 for choice in value or ()])
            parts[elements] = actions.tobytes()
            for place, choice in enumerate(value or ()):
                if choice and choice[0] not in picks:
                    raise Misfit
                if choice:
                    for pick, ways in zip(choice[1:], picks[choice[0]], strict=True):
                        ways[place][0](pick, parts)

        def read(parts: Sequence[Any]) -> Any:
            size = parts[length]
            if size == without:
                return None
            return tuple(
                () if action == none else (action, *(ways[place][1](parts) for ways in picks[action]))
                for place, action in enumerate(array(code, parts[elements])[:size])
            )

        return write, read

    def _make_groups(self, number: int, field: Field | ListField) -> tuple[Write, Read]:
        """Writer and reader of lists of groups, in the encoding of `group_codes`; empty groups do not fit."""
        deck, fact = len(self.program.cards), self.layout.known.held["slot", number]
        put, get = self._make(self.outer, field, fact, list_of(Type("number")), None)

        def write(value: Any, parts: Parts) -> None:
            if value is not None and not all(value):
                raise Misfit
            put(None if value is None else write_groups(value, deck), parts)

        return write, lambda parts: None if (codes := get(parts)) is None else read_groups(codes, deck)

    def _make_column(self, name: str, fact: Fact, kind: Type, many: int) -> list[tuple[Write, Read]]:
        """Writers and readers of one pick of stored choices, for each index."""
        field = self.layout.find(name)
        if isinstance(field, ListField):
            return [self._make_list(self.outer, field, fact, kind, place) for place in range(many)]
        return [self._make_cell(field, fact, kind, place, many) for place in range(many)]

    def _make_cell(self, field: Field, fact: Fact, kind: Type, place: int, many: int) -> tuple[Write, Read]:
        part, code = self.outer.part(field), CODES[field.ctype]
        turn, back = self._make_number(field.none, fact), self._make_back(field.none, kind)

        def write(value: Any, parts: Parts) -> None:
            row = array(code, parts[part] or bytes(many * array(code).itemsize))
            row[place] = turn(value)
            parts[part] = row.tobytes()

        def read(parts: Sequence[Any]) -> Any:
            return back(array(code, parts[part])[place])

        return write, read

    # ---------------------------------------------------------------------------------------------- the table
    def _pack_table(
        self, zones: Any, states: Any, totals: Any, holders: Any, lines: Any, retired: Any, turned: Any
    ) -> bytes:
        program, layout, numbers = self.program, self.layout, self.table.numbers
        parts = self.table.blank[:]
        cards = array(self._card, bytes(self._room * array(self._card).itemsize))
        places = array(self._zone, bytes(layout.cards * array(self._zone).itemsize))
        seen = 0
        if len(zones) != layout.zones:
            raise Misfit
        for zone, pile in enumerate(zones):
            if pile:
                if len(pile) > layout.known.capacities[zone]:
                    raise Misfit
                offset = layout.offsets[zone]
                cards[offset : offset + len(pile)] = array(self._card, pile)
                for card in pile:
                    places[card] = zone
                seen += len(pile)
        if seen != layout.cards or len(set().union(*zones)) != seen:
            raise Misfit
        parts[numbers["cards"]], parts[numbers["loc"]] = cards.tobytes(), places.tobytes()
        parts[numbers["n"]] = array(self._count, map(len, zones)).tobytes()
        at = 0
        for many, write, _ in self._states:
            write(states[at : at + many] if many else states[at], parts)
            at += many or 1
        for (write, _), row in zip(self._totals, totals, strict=True):
            write(row, parts)
        if program.keeps_holders:
            parts[numbers["hold"]] = bytes([NOBODY if holder is None else holder for holder in holders])
        if program.keeps_faces:
            if len(turned) != layout.cards:
                raise Misfit
            parts[numbers["up"]] = bytes(turned)
        if program.keeps_lines:
            if len(lines) > layout.by_name["lines"].dims[0]:
                raise Misfit
            entries = [NO_ENTRY if entry is None else entry for rows in lines for row in rows for entry in row]
            if any(abs(entry) >= MOST_ENTERED and entry != NO_ENTRY for entry in entries):
                raise Misfit
            parts[numbers["nlines"]], parts[numbers["lines"]] = len(lines), array("q", entries).tobytes()
        parts[numbers["retired"]] = sum(1 << seat for seat in retired)
        return self.table.form.pack(*parts)

    def _read_table(self, packed: bytes) -> Tables:
        program, layout, numbers = self.program, self.layout, self.table.numbers
        parts = self.table.form.unpack(packed)
        states: list[Any] = []
        for many, _, read in self._states:
            if many:
                states += read(parts)
            else:
                states.append(read(parts))
        totals = [read(parts) for _, read in self._totals]
        cards = array(self._card, parts[numbers["cards"]]).tolist()
        sizes = array(self._count, parts[numbers["n"]])
        zones = [cards[offset : offset + size] for offset, size in zip(layout.offsets, sizes, strict=True)]
        holders: list[Any] = []
        if program.keeps_holders:
            holders = [None if holder == NOBODY else holder for holder in parts[numbers["hold"]]]
        lines: list[Any] = []
        if program.keeps_lines:
            seats, columns = program.players, len(program.columns) + 1
            many = parts[numbers["nlines"]] * seats * columns
            entries = [None if each == NO_ENTRY else each for each in array("q", parts[numbers["lines"]])[:many]]
            rows = [entries[at : at + columns] for at in range(0, many, columns)]
            lines = [rows[at : at + seats] for at in range(0, len(rows), seats)]
        gone = parts[numbers["retired"]]
        retired = [seat for seat in range(program.players) if gone >> seat & 1]
        turned = list(map(bool, parts[numbers["up"]])) if program.keeps_faces else []
        return states, totals, zones, holders, lines, retired, turned

    # ---------------------------------------------------------------------------------------------- whole positions
    def write(self, position: Position, held: Any) -> bool:
        """Pack a position into memory; False if it does not fit, or is not one that native code can resume at."""
        program = self.program
        block = program.blocks[position.block]
        at_decision = isinstance(block.end, ir.Decide) and position.instruction == len(block.instructions)
        if position.script or position.over or not at_decision or position.players != program.players:
            return False
        if len(position.slots) != len(self._slots) or (position.offence is not None and not program.saves):
            return False
        numbers, parts = self.outer.numbers, self.outer.blank[:]
        try:
            parts[numbers["t"]] = self._pack_table(position.zones, position.states, position.totals, position.holders,
                                                   position.lines, position.retired, position.turned)  # fmt: skip
            if program.saves:
                parts[numbers["offence_seat"]] = -1
                if position.offence is not None:
                    seat, clause, zones, states, totals, holders, lines, retired, turned = position.offence
                    parts[numbers["offence_seat"]], parts[numbers["offence_clause"]] = seat, clause
                    parts[numbers["saved"]] = self._pack_table(zones, states, totals, holders, lines, retired, turned)
            slots = position.slots
            for slot, part, none, low, high in self._plain:
                value = slots[slot]
                if value is None:
                    if none is None:
                        raise Misfit
                elif low <= value <= high:
                    parts[part] = value
                else:
                    raise Misfit
            for slot, write in self._others:
                write(slots[slot], parts)
            for name, value in (
                ("rng", position.random), ("rounds", position.rounds_played), ("decisions", position.decisions),
                ("block", position.block),
            ):  # fmt: skip
                parts[numbers[name]] = value
            packed = self.outer.form.pack(*parts)
        except (Misfit, TypeError, ValueError, OverflowError, IndexError, struct.error):
            return False
        ctypes.memmove(ctypes.byref(held), packed, len(packed))
        return True

    def read(self, held: Any) -> Position:
        """Unpack a position."""
        program, numbers = self.program, self.outer.numbers
        parts = self.outer.form.unpack(bytes(held))
        states, totals, zones, holders, lines, retired, turned = self._read_table(parts[numbers["t"]])
        offence = None
        if program.saves and parts[numbers["offence_seat"]] >= 0:
            before = self._read_table(parts[numbers["saved"]])
            offence = (
                parts[numbers["offence_seat"]], parts[numbers["offence_clause"]], tuple(map(tuple, before[2])),
                tuple(before[0]), tuple(map(tuple, before[1])), tuple(before[3]),
                tuple(tuple(map(tuple, rows)) for rows in before[4]), tuple(before[5]), tuple(before[6]),
            )  # fmt: skip
        at, over = parts[numbers["block"]], bool(parts[numbers["over"]])
        block = program.entry if at < 0 else at
        return Position(
            players=program.players,
            zones=zones,
            states=states,
            slots=[read(parts) for _, read in self._slots],
            totals=totals,
            rounds_played=parts[numbers["rounds"]],
            block=block,
            random=parts[numbers["rng"]],
            script=[],
            decisions=parts[numbers["decisions"]],
            over=over,
            instruction=0 if over or at < 0 else len(program.blocks[block].instructions),
            holders=holders,
            lines=lines,
            retired=retired,
            offence=offence,
            turned=turned,
        )

    def read_slots(self, held: Any) -> list[Any]:
        """The slots of a position."""
        parts = self.outer.form.unpack(bytes(held))
        return [read(parts) for _, read in self._slots]


def _write_sorted(write: Write) -> Write:
    """A writer that rejects unsorted lists: compiled code inserts into them in order."""

    def check(value: Any, parts: Parts) -> None:
        if value is not None and list(value) != sorted(set(value)):
            raise Misfit
        write(value, parts)

    return check

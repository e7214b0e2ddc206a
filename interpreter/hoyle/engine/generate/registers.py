"""Parts of the position held in local names while a function runs.

In: the lines of functions that play at random, which read and write `slots[3]`, `states[2]`, `zones[7]`, `totals[0]`.
Out: the same lines with local names instead. What a function has changed is written back where it is left, as far as it
matters there, and before a function is called that reads it; nothing is written back where code cannot go on, because
the position is of no use then.
"""

from __future__ import annotations

import re
from dataclasses import replace

from hoyle.dataclass import dataclass
from hoyle.engine.generate.dividers import find_read, list_groupings
from hoyle.engine.generate.liveness import Liveness
from hoyle.engine.generate.module import Function
from hoyle.engine.generate.peephole import tidy
from hoyle.engine.generate.writer import Line
from hoyle.ir import nodes as ir
from hoyle.ir.parts import Part

HELD = {"slots": "s", "states": "v", "zones": "z", "totals": "p"}  # what local names begin with
COPIED = ("slots", "states")  # values, which must be written back; of the others only the place is held
_PLACE = re.compile(r"\b(slots|states|zones|totals)\[(\d+)\]")
_SET = re.compile(r"(slots|states)\[(\d+)\] = (?!=)")
_CONSTANT = re.compile(r"\b(?:T\d+|[KSG]_\w+|OWNERS|len|int)\b")
_NODE = re.compile(r"NODES\[(\d+)\]")
_CALLED = re.compile(r"\b(\w+)\(")
_MOVED = re.compile(r"^zones\[[^=]*(?<!:)\](, zones\[[^=]*\])? = |^zones = ")
_LEFT_FOR_ANY = re.compile(r"return [a-z]+\d")  # the block is known only then
_DIVIDED = re.compile(r"\bdivide_(\d+)\(position\)")  # by what the position says besides
_SIMPLE = re.compile(r"-?\w+|\(\)")

Place = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a function reads of the position: places, and parts of which it may read anything."""

    places: frozenset[Place]
    parts: frozenset[str]

    def touches(self, place: Place) -> bool:
        return place in self.places or place[0] in self.parts


class Registers:
    """Rewrites functions of one module."""

    def __init__(self, program: ir.Program, liveness: Liveness, functions: list[Function]) -> None:
        self._program = program
        self.liveness = liveness
        self.alone = {state.base for state in program.states if state.size == 1}
        self._functions = {function.name: function for function in functions}
        self._nodes = [each for block in program.blocks for each in block.instructions]
        self._readings: dict[str, Reading] = {}

    def rewrite(self, function: Function, block: int) -> Function:
        """Hold in local names what a function that begins at a block reads and writes, and the tables it reads."""
        lines = function.lines
        held = self._find_held(lines)
        changed = held & {(part, int(number)) for line in lines for part, number in _SET.findall(line.text)}
        written: list[Line] = []
        for line in lines:
            self._rewrite_line(line, held, changed, written)
        function.lines[:] = self._begin(block, held, written) + tidy(self._leave_out_unread(written))
        for line in function.lines:
            line.place = None  # nobody goes on from the middle
        code = [line.text for line in function.lines if not line.text.startswith("#")]
        used = {name for text in code for name in _CONSTANT.findall(text)}
        given = "".join(f", {name}={name}" for name in sorted(used))
        return replace(function, head=f"{function.head[:-1]}{given})")

    def _find_held(self, lines: list[Line]) -> set[Place]:
        code = [line.text for line in lines if not line.text.startswith("#")]
        found = {(part, int(number)) for text in code for part, number in _PLACE.findall(text)}
        found = {place for place in found if place[0] != "states" or place[1] in self.alone}
        if any(_MOVED.search(text) for text in code):
            found = {place for place in found if place[0] in COPIED}
        return found

    def _begin(self, block: int, held: set[Place], written: list[Line]) -> list[Line]:
        """The lines that fill the local names."""
        live = self.liveness.at[block]
        if any(_LEFT_FOR_ANY.match(line.text) for line in written):
            live = {number for _, number in held}
        needed = {place for place in held if place[0] != "slots" or place[1] in live}
        used = {name for line in written for name in re.findall(r"\b[svzp]\d+\b", line.text)}
        return [Line(1, _fill(place), None) for place in sorted(needed) if _name(place) in used]

    def _rewrite_line(self, line: Line, held: set[Place], changed: set[Place], written: list[Line]) -> None:
        text = line.text
        if not text or text.startswith("#"):
            written.append(line)
            return
        reading = self._read_by_calls(text)
        if reading is not None:
            self._write_back(line, {place for place in changed if reading.touches(place)}, written)
        if text.startswith("return "):
            self._write_back(line, self._list_kept(text, changed), written)
        line.text = _PLACE.sub(lambda found: self._replace(found, held), text.replace("position.holders", "holders"))
        written.append(line)
        if _leaves_to_reference(text):
            again = [place for place in sorted(held) if place[0] != "slots"]
            written += [Line(line.depth, _fill(place), line.place) for place in again]

    def _replace(self, found: re.Match[str], held: set[Place]) -> str:
        place = (found[1], int(found[2]))
        return _name(place) if place in held else found[0]

    def _write_back(self, line: Line, places: set[Place], written: list[Line]) -> None:
        written += [Line(line.depth, f"{part}[{number}] = {_name((part, number))}", line.place)
                    for part, number in sorted(places)]  # fmt: skip

    def _list_kept(self, text: str, changed: set[Place]) -> set[Place]:
        """What matters where a function is left."""
        if text == "return None":
            live: set[int] = set()
        else:
            to = text.removeprefix("return ").split(",")[0]
            live = self.liveness.at[int(to)] if to.isdecimal() else self.liveness.at_any()
        return {place for place in changed if place[0] == "states" or place[1] in live}

    def _read_by_calls(self, text: str) -> Reading | None:
        """What the functions read that are called in a line."""
        if _leaves_to_reference(text):
            named = _NODE.search(text)
            slots = self.liveness.read(self._nodes[int(named[1])]) if named else set()
            return Reading(frozenset(("slots", slot) for slot in slots), frozenset({"states"}))
        called = [name for name in _CALLED.findall(text) if name in self._functions]
        readings = [self._reading(name) for name in called]
        readings += [self._read_by_division(int(number)) for number in _DIVIDED.findall(text)]
        if not readings:
            return None
        return Reading(
            frozenset().union(*(each.places for each in readings)),
            frozenset().union(*(each.parts for each in readings)),
        )

    def _read_by_division(self, number: int) -> Reading:
        read = find_read(self._program, list_groupings(self._program)[number])
        slots = [region.index for region in read if region.part is Part.SLOTS and region.index is not None]
        return Reading(frozenset(("slots", slot) for slot in slots), frozenset({"states"}))

    def _reading(self, name: str) -> Reading:
        """What a function reads, with all that it calls."""
        if name not in self._readings:
            self._readings[name] = Reading(frozenset(), frozenset())
            places: set[Place] = set()
            parts: set[str] = set()
            for line in self._functions[name].lines:
                if line.text.startswith("#"):
                    continue
                places |= {(part, int(number)) for part, number in _PLACE.findall(line.text)}
                parts |= {part for part in COPIED if re.search(rf"\b{part}\b(?!\[\d+\])", line.text)}
                inner = self._read_by_calls(line.text)
                if inner is not None:
                    places |= inner.places
                    parts |= inner.parts
            self._readings[name] = Reading(frozenset(places), frozenset(parts))
        return self._readings[name]

    def _leave_out_unread(self, lines: list[Line]) -> list[Line]:
        """Leave out what is set and never read."""
        reads = re.compile(r"\b(s\d+)\b(?! = (?!=))")
        read = {name for line in lines for name in reads.findall(line.text)}
        for line in lines:
            *targets, value = line.text.split(" = ")
            if not targets or not all(re.fullmatch(r"s\d+", target) for target in targets):
                continue
            kept = [target for target in targets if target in read]
            if kept:
                line.text = " = ".join([*kept, value])
            elif _SIMPLE.fullmatch(value):
                line.text = "pass"
        return lines


def _leaves_to_reference(text: str) -> bool:
    """Whether a line may change any state."""
    return "effects.carry_out(" in text or "drop_piles(" in text


def _name(place: Place) -> str:
    return f"{HELD[place[0]]}{place[1]}"


def _fill(place: Place) -> str:
    part, number = place
    return f"{_name(place)} = {part}[{number}]"

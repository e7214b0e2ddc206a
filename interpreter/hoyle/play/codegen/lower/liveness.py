"""Liveness of slots: interprocedural backward dataflow.

In: a program and its control flow. Out: the live-in slots of each block, and for each decision the slots live where it
is asked. Dead slots carry no facts, and Python neither loads them nor writes them back.
"""

from __future__ import annotations

from collections.abc import Mapping

from hoyle.play.codegen.lower.control_flow import ControlFlow
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.instructions import list_slots_set
from hoyle.program.ir.parts import Part
from hoyle.program.ir.walk import walk


def find_live(program: ir.Program, control: ControlFlow) -> dict[int, frozenset[int]]:
    """The live-in slots of each block; iterated in postorder to the least fixpoint."""
    reads, given = _Reads(program), _list_given(program)
    effects = {number: _list_effects(program, control, number, reads) for number in control.in_order}
    live: dict[int, frozenset[int]] = {number: frozenset() for number in control.in_order}
    order = control.in_order[::-1]
    changed = True
    while changed:
        changed = False
        for number in order:
            now = _list_after(control, number, live, given)
            for read, written in reversed(effects[number]):
                now = (now - written) | read
            if now != live[number]:
                live[number] = frozenset(now)
                changed = True
    return live


def find_live_when_asked(program: ir.Program) -> dict[int, frozenset[int]]:
    """The slots live at the decision that a block ends with, for each that does."""
    control, reads, given = ControlFlow(program), _Reads(program), _list_given(program)
    live = find_live(program, control)
    return {
        number: _list_effects(program, control, number, reads)[-1][0] | _list_after(control, number, live, given)
        for number in control.in_order
        if isinstance(program.blocks[number].end, ir.Decide)
    }


def list_slots_read(program: ir.Program, expr: ir.Expr) -> frozenset[int]:
    """The slots that an expression reads."""
    return _Reads(program).of(expr)


def find_set_before(program: ir.Program, state: int) -> frozenset[int]:
    """The blocks at whose end a state may have been set since the match, or, if it lasts a round, the round began."""
    control = ControlFlow(program)
    written, cleared = set(), set()
    for number, block in enumerate(program.blocks):
        for one in block.instructions:
            for touch in one.writes or ():
                if touch.fleeting and program.states[state].lasts == "round":
                    cleared.add(number)
                    written.discard(number)
                elif touch.part is Part.STATES and not touch.fleeting:
                    is_set = not touch.field or getattr(one, touch.field) == state
                    written |= {number} if is_set else set()
    found: set[int] = set()
    waiting = [*written]
    while waiting:
        number = waiting.pop()
        if number not in found:
            found.add(number)
            waiting += [after for after in control.list_reached(number) if after not in cleared]
    return frozenset(found)


def _list_given(program: ir.Program) -> dict[int, set[int]]:
    """By entry, the slots defined when an action begins: its parameters and its return address."""
    return {each.entry: {each.seat_slot, each.return_slot, *each.pick_slots} for each in program.actions}


def _list_after(
    control: ControlFlow, number: int, live: Mapping[int, frozenset[int]], given: Mapping[int, set[int]]
) -> set[int]:
    """The live-out slots of a block."""
    begins = isinstance(control.program.blocks[number].end, ir.Decide | ir.Perform)
    found: set[int] = set()
    for after in control.list_reached(number):
        found |= live[after] - given.get(after, set()) if begins else live[after]
    return found


def _list_effects(
    program: ir.Program, control: ControlFlow, number: int, reads: _Reads
) -> list[tuple[frozenset[int], set[int]]]:
    """Use and kill sets of each instruction and of the terminator, in order."""
    block = program.blocks[number]
    found = [(reads.of(each), list_slots_set(each)) for each in block.instructions]
    end, read, written = block.end, reads.of(block.end), set[int]()
    match end:
        case ir.Enter():
            written.add(program.steps[end.step].return_slot)
        case ir.Return():
            read = frozenset({end.slot})
        case ir.Decide():
            actions = [program.actions[each] for each in control.list_offered(end.decision)]
            read |= reads.of(program.decisions[end.decision], *actions)
            read |= frozenset() if end.store is None else {end.store}
        case ir.Perform() if end.decision is not None:
            read |= reads.of(program.decisions[end.decision], *program.actions)
    return [*found, (read, written)]


class _Reads:
    """Use sets of parts of a program, transitive through definitions and conditions of actions."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self._inside: dict[int, frozenset[int]] = {}  # by the identity of definitions and actions

    def of(self, *parts: object) -> frozenset[int]:
        return frozenset(slot for part in parts for node in walk(part) for slot in self._read_by(node))

    def _read_by(self, node: object) -> frozenset[int]:
        match node:
            case ir.Slot():
                return frozenset({node.index})
            case ir.Call():
                return self._enter(self.program.definitions[node.definition])
            case ir.CanDo():
                return self._enter(self.program.actions[node.action])
        return frozenset()

    def _enter(self, declared: ir.Definition | ir.Action) -> frozenset[int]:
        if id(declared) not in self._inside:
            self._inside[id(declared)] = frozenset()
            self._inside[id(declared)] = self.of(declared)
        return self._inside[id(declared)]

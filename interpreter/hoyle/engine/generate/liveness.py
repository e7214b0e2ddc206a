"""Which slots matter later: those that may be read before they are set again.

In: a program and the graph of its blocks. Out: for each block, the slots that are read from there on.
"""

from __future__ import annotations

from hoyle.engine.generate.graph import Graph, list_offered, list_returns
from hoyle.ir import nodes as ir
from hoyle.ir.instructions import list_slots_set
from hoyle.ir.walk import walk


class Liveness:
    """The slots that matter at the beginning of every block."""

    def __init__(self, program: ir.Program, graph: Graph) -> None:
        self.program = program
        self._in_definitions: dict[int, set[int]] = {}
        # Who has picked a card is looked at when it is moved, to find the pile it lies in.
        self._pickers = {slot: action.seat_slot for action in program.actions for slot in action.pick_slots}
        self._after = [self._list_after(number, graph) for number in range(len(program.blocks))]
        self._given = {
            action.entry: {action.seat_slot, action.return_slot, *action.pick_slots} for action in program.actions
        }
        self._effects = [self._list_effects(block) for block in program.blocks]
        self.at: list[set[int]] = self._work_out()

    def at_any(self) -> set[int]:
        """The slots that matter at the beginning of some block."""
        return set().union(*self.at)

    def _work_out(self) -> list[set[int]]:
        at: list[set[int]] = [set() for _ in self._after]
        changed = True
        while changed:
            changed = False
            for number in reversed(range(len(at))):
                live = set().union(*(at[after] - self._list_given(number, after) for after in self._after[number]))
                for reads, sets in reversed(self._effects[number]):
                    live = (live - sets) | reads
                if live != at[number]:
                    at[number] = live
                    changed = True
        return at

    def _list_given(self, number: int, after: int) -> set[int]:
        """The slots that are set when an action begins."""
        if not isinstance(self.program.blocks[number].end, ir.Decide | ir.Perform):
            return set()
        return self._given.get(after, set())

    def _list_after(self, number: int, graph: Graph) -> list[int]:
        end = self.program.blocks[number].end
        return list_returns(self.program, end.slot) if isinstance(end, ir.Return) else list(graph.next[number])

    def _list_effects(self, block: ir.Block) -> list[tuple[set[int], set[int]]]:
        """For each instruction and the end: what it reads, and what it sets for certain after that."""
        found = [(self.read(each), list_slots_set(each)) for each in block.instructions]
        end = block.end
        reads = self.read(end)
        sets: set[int] = set()
        match end:
            case ir.Enter():
                sets = {self.program.steps[end.step].return_slot}
            case ir.Return():
                reads = {end.slot}
            case ir.Decide():
                decision = self.program.decisions[end.decision]
                actions = [self.program.actions[each] for each in list_offered(self.program, end)]
                reads = reads.union(*map(self.read, (decision, *actions)))
                reads |= set() if end.store is None else {end.store}
        return [*found, (reads, sets)]

    def read(self, node: object) -> set[int]:
        """The slots that are read in a part of the program."""
        return {slot for part in walk(node) for slot in self._read_one(part)}

    def _read_one(self, part: object) -> set[int]:
        if isinstance(part, ir.Slot):
            return {part.index, self._pickers.get(part.index, part.index)}
        if isinstance(part, ir.Call):
            if part.definition not in self._in_definitions:
                self._in_definitions[part.definition] = set()
                body = self.program.definitions[part.definition].body
                self._in_definitions[part.definition] = self.read(body)
            return self._in_definitions[part.definition]
        return set()

"""The control-flow graph of a program: successors, call sites and returns, mod sets of steps and actions.

In: a program. Out: `ControlFlow`, read by lowering and by the analyses. Steps and actions are the procedures:
`list_next` is the intraprocedural graph, which steps over calls, `list_reached` the interprocedural one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property

from hoyle.program.effects import written_by
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.instructions import touches_zones
from hoyle.program.ir.parts import Part

Place = tuple[str, int]  # ("slot", number), ("state", number) or ("total", number)


def list_finished(
    starts: Iterable[int], follow: Callable[[int], Iterable[int]], seen: set[int] | None = None
) -> list[int]:
    """Depth-first postorder of the nodes reachable from some starts, without those already `seen`."""
    finished: list[int] = []
    seen = set() if seen is None else seen
    for start in starts:
        path = [(start, iter(follow(start)))] if start not in seen else []
        seen.add(start)
        while path:
            number, following = path[-1]
            after = next((each for each in following if each not in seen), None)
            if after is None:
                finished.append(number)
                path.pop()
            else:
                seen.add(after)
                path.append((after, iter(follow(after))))
    return finished


class ControlFlow:
    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.stored: dict[int, set[int]] = {}
        for block in program.blocks:
            if isinstance(block.end, ir.Decide) and block.end.store is not None:
                self.stored.setdefault(block.end.store, set()).update(self.list_offered(block.end.decision))
        self.return_slots = {step.return_slot for step in program.steps}
        self.return_slots |= {action.return_slot for action in program.actions}
        self._written: dict[int, frozenset[Place]] = {}

    def list_offered(self, decision: int) -> list[int]:
        """The actions that a decision can offer."""
        tiers = self.program.decisions[decision].tiers
        return list(dict.fromkeys(item.action for tier in tiers for item in tier.items))

    def list_performed(self, end: ir.Perform) -> list[int]:
        """The actions whose stored choices a `Perform` can dispatch to."""
        choice = end.choice
        if isinstance(choice, ir.Apply) and isinstance(choice.args[0], ir.Slot):
            return sorted(self.stored.get(choice.args[0].index, ()))
        return sorted(set().union(*self.stored.values())) if self.stored else []

    def list_calls(self, number: int) -> list[tuple[int, int, int]]:
        """The calls that a block ends in: entry of the callee, its return slot, the block to return to."""
        program, end = self.program, self.program.blocks[number].end
        match end:
            case ir.Enter():
                step = program.steps[end.step]
                return [(step.entry, step.return_slot, end.to)]
            case ir.Decide() if end.store is None:
                actions = self.list_offered(end.decision)
            case ir.Perform():
                actions = self.list_performed(end)
            case _:
                return []
        return [(program.actions[each].entry, program.actions[each].return_slot, end.to) for each in actions]

    def list_next(self, number: int) -> list[int]:
        """The intraprocedural successors of a block: calls are stepped over."""
        end = self.program.blocks[number].end
        match end:
            case ir.Jump() | ir.Decide() | ir.Perform() | ir.Enter():
                return [end.to]
            case ir.Branch():
                return [end.yes, end.no]
        return []

    @cached_property
    def returns(self) -> dict[int, tuple[int, ...]]:
        """For each return slot, the return addresses it can hold."""
        found: dict[int, set[int]] = {}
        for number in range(len(self.program.blocks)):
            for _, slot, to in self.list_calls(number):
                found.setdefault(slot, set()).add(to)
        return {slot: tuple(sorted(blocks)) for slot, blocks in found.items()}

    def list_reached(self, number: int) -> list[int]:
        """The interprocedural successors of a block: callees, and all return addresses (context-insensitive)."""
        end = self.program.blocks[number].end
        if isinstance(end, ir.Return):
            return list(self.returns.get(end.slot, ()))
        entered = [entry for entry, _, _ in self.list_calls(number)]
        if isinstance(end, ir.Enter):
            return entered
        return [*entered, *self.list_next(number)]

    @cached_property
    def in_order(self) -> list[int]:
        """The blocks reachable from the entry in reverse postorder."""
        return list_finished([self.program.entry], self.list_reached)[::-1]

    # ---------------------------------------------------------------------------------------------- writes
    def list_written(self, entry: int) -> frozenset[Place]:
        """The mod set of a callee: the slots, states and totals it may write. A recursive call adds nothing to it."""
        if entry not in self._written:
            self._written[entry] = frozenset()
            found: set[Place] = set()
            for number in list_finished([entry], self.list_next):
                found |= self._list_own_writes(number)
                for inner, slot, _ in self.list_calls(number):
                    found |= self.list_written(inner) | {("slot", slot)}
            self._written[entry] = frozenset(found)
        return self._written[entry]

    def _list_own_writes(self, number: int) -> set[Place]:
        block = self.program.blocks[number]
        found: set[Place] = set()
        for instruction in block.instructions:
            found |= self.list_changes(instruction)
        end = block.end
        if isinstance(end, ir.Return):
            found.add(("slot", end.slot))
        if isinstance(end, ir.Decide) and end.store is not None:
            found.add(("slot", end.store))
        if isinstance(end, ir.Decide | ir.Perform):
            for action in self.program.actions:
                found |= {("slot", slot) for slot in (action.seat_slot, *action.pick_slots)}
        return found

    def list_changes(self, instruction: ir.Instruction) -> set[Place]:
        """The slots, states and totals an instruction may write."""
        program = self.program
        kept = {
            Part.SLOTS: ("slot", len(program.slots)),
            Part.STATES: ("state", len(program.states)),
            Part.TOTALS: ("total", len(program.columns)),
        }
        found: set[Place] = set()
        for region in written_by(instruction, program.states):
            for kind, many in [kept[part] for part in kept if region.part in (part, Part.ALL)]:
                found |= {(kind, number) for number in (range(many) if region.index is None else (region.index,))}
        if touches_zones(instruction):  # a state that names a pile is cleared once the pile is empty
            found |= {("state", number) for number, state in enumerate(program.states) if _names_pile(state)}
        return found


def _names_pile(state: ir.State) -> bool:
    return state.type.kind == "zone" or (state.type.of is not None and state.type.of.kind == "zone")

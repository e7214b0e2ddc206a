"""What holds at a point of a program whatever way has led there: a dataflow analysis whose facts are numbers.

In: a finished program, the facts that hold when it begins, and what each instruction does to them. Out: the facts that
hold before each block, and in each of its instructions what they read.

Steps and the effects of actions are analysed interprocedurally: as paths from the call into the unit, and from its
return to the continuation.
"""

from __future__ import annotations

from collections.abc import Iterator

from hoyle.base.dataclass import dataclass
from hoyle.base.effort import spend
from hoyle.program.effects import asked_by, effects_of
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.walk import list_children

Facts = frozenset[int]
NO_FACTS: Facts = frozenset()


@dataclass(frozen=True, slots=True)
class Unit:
    """A step, or the effects of an action: its entry, and the slot of its return address."""

    entry: ir.BlockId
    return_slot: int


@dataclass(frozen=True, slots=True)
class Change:
    """Effect of instructions: `made` holds afterwards, `lost` may no longer."""

    made: Facts
    lost: Facts


class SureFacts:
    """Facts that hold on all paths. An analysis says in `change_by` what an instruction does to them."""

    def __init__(self, program: ir.Program, at_first: Facts) -> None:
        self.program = program
        self.at_first = at_first
        self.effects = effects_of(program)
        self.known_at: dict[ir.BlockId, Facts] = {}
        self.known_after: dict[int, Facts] = {}  # by return slot: what holds when the unit returns
        self.callers: dict[int, set[ir.BlockId]] = {}
        self._changes: dict[int, Change] = {}  # by identity of blocks and instructions
        self.lost_by = self._find_lost()

    def change_by(self, node: ir.Instruction) -> Change:
        raise NotImplementedError

    # ---------------------------------------------------------------------------------------------- dataflow
    def flow(self) -> None:
        """Propagate along all paths until a fixpoint is reached."""
        waiting = [self.program.entry]
        self.known_at[self.program.entry] = self.at_first
        while waiting:
            number = waiting.pop()
            spend(1)
            for to, known in self._ways_on(number, waiting):
                before = self.known_at.get(to)
                now = known if before is None else before & known
                if now != before:
                    self.known_at[to] = now
                    waiting.append(to)

    def _ways_on(self, number: ir.BlockId, waiting: list[ir.BlockId]) -> Iterator[tuple[ir.BlockId, Facts]]:
        block = self.program.blocks[number]
        change = self._change(block)
        known = (self.known_at[number] - change.lost) | change.made
        match block.end:
            case ir.Jump():
                yield block.end.to, known
            case ir.Branch():
                yield block.end.yes, known
                yield block.end.no, known
            case ir.Return():
                slot = block.end.slot
                before = self.known_after.get(slot)
                now = known if before is None else before & known
                if now != before:
                    self.known_after[slot] = now
                    waiting.extend(self.callers.get(slot, ()))
            case ir.Decide() | ir.Perform() | ir.Enter():
                units = list(self._units_done(block.end))
                if not units or not isinstance(block.end, ir.Enter):
                    yield block.end.to, known  # the choice may be to decline, or be stored
                for unit in units:
                    self.callers.setdefault(unit.return_slot, set()).add(number)
                    yield unit.entry, known
                    if unit.return_slot in self.known_after:
                        kept = known - self.lost_by[unit]
                        yield block.end.to, kept | self.known_after[unit.return_slot]

    def _change(self, block: ir.Block) -> Change:
        if id(block) not in self._changes:
            made, lost = NO_FACTS, NO_FACTS
            for node in block.instructions:
                change = self._change_by(node)
                made, lost = (made - change.lost) | change.made, (lost - change.made) | change.lost
            self._changes[id(block)] = Change(made, lost)
        return self._changes[id(block)]

    def _change_by(self, node: ir.Instruction) -> Change:
        if id(node) not in self._changes:
            self._changes[id(node)] = self.change_by(node)
        return self._changes[id(node)]

    def _units_done(self, end: ir.Decide | ir.Perform | ir.Enter) -> Iterator[Unit]:
        if isinstance(end, ir.Enter):
            step = self.program.steps[end.step]
            yield Unit(step.entry, step.return_slot)
        elif isinstance(end, ir.Perform) or end.store is None:
            decision = None if end.decision is None else self.program.decisions[end.decision]
            offered = {item.action for tier in decision.tiers for item in tier.items} if decision is not None else None
            for number, action in enumerate(self.program.actions):
                if offered is None or number in offered:
                    yield Unit(action.entry, action.return_slot)

    def _find_lost(self) -> dict[Unit, Facts]:
        """The facts that each unit, with all it calls, may end."""
        units = [Unit(step.entry, step.return_slot) for step in self.program.steps]
        units += [Unit(action.entry, action.return_slot) for action in self.program.actions]
        if not any(self._change(block).lost for block in self.program.blocks):
            return dict.fromkeys(units, NO_FACTS)
        lost, done = dict[Unit, Facts](), dict[Unit, set[Unit]]()
        for unit in units:
            lost[unit], done[unit] = self._lost_in(unit.entry)
        again = True
        while again:
            again = False
            for unit in units:
                now = lost[unit].union(*(lost[inner] for inner in done[unit]))
                again = again or now != lost[unit]
                lost[unit] = now
        return lost

    def _lost_in(self, entry: ir.BlockId) -> tuple[Facts, set[Unit]]:
        """The facts that the blocks of a unit itself may end, and the units called from there."""
        seen, waiting, lost, done = {entry}, [entry], NO_FACTS, set[Unit]()
        while waiting:
            block = self.program.blocks[waiting.pop()]
            spend(1)
            lost |= self._change(block).lost
            match block.end:
                case ir.Jump():
                    after = [block.end.to]
                case ir.Branch():
                    after = [block.end.yes, block.end.no]
                case ir.Decide() | ir.Perform() | ir.Enter():
                    after = [block.end.to]
                    done.update(self._units_done(block.end))
                case _:
                    after = []
            waiting += [to for to in after if to not in seen]
            seen.update(after)
        return lost, done

    # ---------------------------------------------------------------------------------------------- reads
    def list_reads(self, *, asked: bool = True) -> Iterator[tuple[int | None, list[ir.Expr], Facts]]:
        """What is read in each instruction and, if `asked`, by what is offered at each decision: the clause, the
        expressions, and the facts there."""
        for number in sorted(self.known_at):
            block, known = self.program.blocks[number], self.known_at[number]
            for node in block.instructions:
                yield node.clause, list(list_children(node)), known
                change = self._change_by(node)
                known = (known - change.lost) | change.made
            clause = getattr(block.end, "clause", None)
            yield clause, list(list_children(block.end)), known
            if asked and isinstance(block.end, ir.Decide):
                decision = self.program.decisions[block.end.decision]
                tests = [tier.when for tier in decision.tiers if tier.when is not None]
                for item in (item for tier in decision.tiers for item in tier.items):
                    tests += [*asked_by(self.program.actions[item.action]), *([item.where] if item.where else [])]
                yield clause, tests, known

"""Definite assignment: states that may be read before they are set, found by dataflow analysis.

In: a finished program. Out: a `Finding` for each state that starts as none, although its type does not admit it, and
that a rule reads where it is not definitely assigned.

For each block the analysis computes the states assigned on all paths to it. Steps and the effects of actions are
analysed interprocedurally: as paths from the call into the unit, and from its return to the continuation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hoyle.base.dataclass import dataclass
from hoyle.base.effort import spend
from hoyle.language.analyse.findings import Finding
from hoyle.program.effects import asked_by, effects_of, written_by
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.instructions import touches_states
from hoyle.program.ir.parts import NOTHING, Part
from hoyle.program.ir.walk import list_children

States = frozenset[int]
UNSET: States = frozenset()


@dataclass(frozen=True, slots=True)
class Unit:
    """A step, or the effects of an action: its entry, and the slot of its return address."""

    entry: ir.BlockId
    return_slot: int


@dataclass(frozen=True, slots=True)
class Change:
    """Effect of instructions on assignment: `made` is assigned afterwards, `lost` may no longer be."""

    made: States
    lost: States


def find_unset(program: ir.Program) -> list[Finding]:
    """For each state, the first read that may precede its assignment."""
    awaited = frozenset(
        number
        for number, state in enumerate(program.states)
        if state.start is None and state.type.kind != "maybe" and not state.of
    )
    return list(_Assignment(program, awaited).find()) if awaited else []


def list_unset(program: ir.Program) -> frozenset[int]:
    """The states that may be none although their types do not admit it."""
    early = {finding.clause for finding in find_unset(program)}
    return frozenset(
        number
        for number, state in enumerate(program.states)
        if state.start is None and (state.of or state.clause in early)
    )


class _Assignment:
    def __init__(self, program: ir.Program, awaited: States) -> None:
        self.program = program
        self.awaited = awaited
        self.effects = effects_of(program)
        self.set_at: dict[ir.BlockId, States] = {}
        self.set_after: dict[int, States] = {}  # by return slot: what is set when the unit returns
        self.callers: dict[int, set[ir.BlockId]] = {}
        self._changes: dict[int, Change] = {}  # by identity of blocks and instructions
        self.lost_by = self._find_lost()

    def find(self) -> Iterator[Finding]:
        self._flow()
        told: set[int] = set()
        for number in sorted(self.set_at):
            for clause, state in self._read_too_early(number):
                if state not in told:
                    told.add(state)
                    yield self._finding(clause, state)

    def _finding(self, clause: int | None, state: int) -> Finding:
        held = self.program.states[state]
        return Finding(
            "maybe-unset",
            held.clause,
            f"`{held.name}` may be asked for before anything has set it",
            "begins as none",
            f"set it before, or say that it may be none: `{held.type} or none`",
            ((clause, "asked for here"),) if clause is not None else (),
        )

    # ---------------------------------------------------------------------------------------------- dataflow
    def _flow(self) -> None:
        """Propagate along all paths until a fixpoint is reached."""
        waiting = [self.program.entry]
        self.set_at[self.program.entry] = frozenset()
        while waiting:
            number = waiting.pop()
            spend(1)
            for to, known in self._ways_on(number, waiting):
                before = self.set_at.get(to)
                now = known if before is None else before & known
                if now != before:
                    self.set_at[to] = now
                    waiting.append(to)

    def _ways_on(self, number: ir.BlockId, waiting: list[ir.BlockId]) -> Iterator[tuple[ir.BlockId, States]]:
        block = self.program.blocks[number]
        change = self._change(block)
        known = (self.set_at[number] - change.lost) | change.made
        match block.end:
            case ir.Jump():
                yield block.end.to, known
            case ir.Branch():
                yield block.end.yes, known
                yield block.end.no, known
            case ir.Return():
                slot = block.end.slot
                before = self.set_after.get(slot)
                now = known if before is None else before & known
                if now != before:
                    self.set_after[slot] = now
                    waiting.extend(self.callers.get(slot, ()))
            case ir.Decide() | ir.Perform() | ir.Enter():
                units = list(self._units_done(block.end))
                if not units or not isinstance(block.end, ir.Enter):
                    yield block.end.to, known  # the choice may be to decline, or be stored
                for unit in units:
                    self.callers.setdefault(unit.return_slot, set()).add(number)
                    yield unit.entry, known
                    if unit.return_slot in self.set_after:
                        kept = known - self.lost_by[unit]
                        yield block.end.to, kept | self.set_after[unit.return_slot]

    def _change(self, block: ir.Block) -> Change:
        if id(block) not in self._changes:
            made, lost = UNSET, UNSET
            for node in block.instructions:
                change = self._change_by(node)
                made, lost = (made - change.lost) | change.made, (lost - change.made) | change.lost
            self._changes[id(block)] = Change(made, lost)
        return self._changes[id(block)]

    def _change_by(self, node: ir.Instruction) -> Change:
        if id(node) not in self._changes:
            written = written_by(node, self.program.states) if touches_states(node) else NOTHING
            states = (region.index for region in written if region.part is Part.STATES)
            touched = frozenset(state for state in states if state in self.awaited)
            sets = isinstance(node, ir.SetState) and node.value is not None
            self._changes[id(node)] = Change(touched, UNSET) if sets else Change(UNSET, touched)
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

    def _find_lost(self) -> dict[Unit, States]:
        """The states that each unit, with all it calls, may reset."""
        units = [Unit(step.entry, step.return_slot) for step in self.program.steps]
        units += [Unit(action.entry, action.return_slot) for action in self.program.actions]
        if not any(self._change(block).lost for block in self.program.blocks):
            return dict.fromkeys(units, UNSET)
        lost, done = dict[Unit, States](), dict[Unit, set[Unit]]()
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

    def _lost_in(self, entry: ir.BlockId) -> tuple[States, set[Unit]]:
        """The states that the blocks of a unit itself may reset, and the units called from there."""
        seen, waiting, lost, done = {entry}, [entry], UNSET, set[Unit]()
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
    def _read_too_early(self, number: ir.BlockId) -> Iterator[tuple[int | None, int]]:
        block = self.program.blocks[number]
        known = self.set_at[number]
        if known >= self.awaited and not any(self._change_by(node).lost for node in block.instructions):
            return
        for node in block.instructions:
            yield from self._reads(node.clause, list_children(node), known)
            change = self._change_by(node)
            known = (known - change.lost) | change.made
        clause = getattr(block.end, "clause", None)
        yield from self._reads(clause, list_children(block.end), known)
        if isinstance(block.end, ir.Decide):
            decision = self.program.decisions[block.end.decision]
            asked = [tier.when for tier in decision.tiers if tier.when is not None]
            for item in (item for tier in decision.tiers for item in tier.items):
                asked += [*asked_by(self.program.actions[item.action]), *([item.where] if item.where else [])]
            yield from self._reads(clause, asked, known)

    def _reads(
        self, clause: int | None, exprs: Iterable[ir.Expr], known: Iterable[int]
    ) -> Iterator[tuple[int | None, int]]:
        for expr in exprs:
            for region in self.effects.reads(expr):
                if region.part is Part.STATES and region.index in self.awaited and region.index not in known:
                    yield clause, region.index

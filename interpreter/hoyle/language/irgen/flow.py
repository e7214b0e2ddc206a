"""Builder of the control flow graph: blocks, slots, and the places where end conditions are tested.

In: instructions and terminators in order. Out: the blocks, slots and units of a program.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.report import Label
from hoyle.base.effort import spend
from hoyle.base.source import Span
from hoyle.language.declare.calls import Calls
from hoyle.language.declare.declarations import Line
from hoyle.language.elaborate.environment import Environment
from hoyle.language.elaborate.folding import apply, constant, logic
from hoyle.language.elaborate.scope import Frame
from hoyle.language.syntax import ast
from hoyle.program.effects import written_by
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.parts import Regions, overlap
from hoyle.program.ir.types import NUMBER, TRUTH, Type
from hoyle.program.words import Op


@dataclass(slots=True)
class OpenBlock:
    instructions: list[ir.Instruction] = field(default_factory=list)
    end: ir.Terminator | None = None


@dataclass(slots=True)
class Unit:
    """A step or the effects of an action: entry and exit block, parameters and their slots."""

    name: str
    entry: int
    exit: int
    return_slot: int
    params: tuple[ir.Local, ...]
    param_slots: tuple[int, ...]
    line: Line


@dataclass(frozen=True, slots=True)
class EndRule:
    """A condition that ends a step; it is not tested while one of the units it waits for is running."""

    step: str
    test: ir.Expr
    reads: Regions
    clause: int
    waits: frozenset[str] = frozenset()


class Flow:
    """Builder of the control flow graph of one program; `unit` and `line` are the step or action being lowered."""

    def __init__(self, env: Environment, calls: Calls) -> None:
        self.env = env
        self.calls = calls
        self.blocks: list[OpenBlock] = []
        self.slots: list[ir.Local] = []
        self.units: dict[str, Unit] = {}
        self.ends: list[EndRule] = []
        self.frame = Frame()
        self.current = 0
        self.unit = ""
        self._looked_at: tuple[str, list[EndRule]] | None = None
        self.line = Line("", next(iter(env.declared.steps.values())).line.span)

    def find_running(self, step: ast.Word, done: str) -> Unit | None:
        """The step of a name, if it is sure to be running; what cannot be `done` otherwise is reported."""
        name = step.name
        unit = self.units.get(f"steps.{name}")
        if unit is None:
            similar = self.env.similar(name, self.env.declared.steps, step.span, "steps")
            self.env.report.error("unknown-step", f"no step named `{name}`", step.span, **similar)
        elif self.unit != unit.name and self.unit not in self.calls.reaches[unit.name]:
            self.env.report.error(
                "not-running",
                f"the step `{name}` is not running here, so it cannot be {done}",
                step.span,
                others=(Label(unit.line.span, "the step"),),
                hint=f"only a step that has led here can be {done}",
            )
            return None
        return unit

    def new_slot(self, name: str, kind: Type) -> int:
        self.slots.append(ir.Local(name=name, type=kind))
        return len(self.slots) - 1

    def slot(self, index: int) -> ir.Slot:
        held = self.slots[index]
        return ir.Slot(type=held.type, index=index, name=held.name, text=held.name)

    def new_block(self) -> int:
        spend(4)
        self.blocks.append(OpenBlock())
        return len(self.blocks) - 1

    def close(self, end: ir.Terminator) -> None:
        """Terminate the current block, unless it is terminated already: what follows an `end` is unreachable."""
        if self.blocks[self.current].end is None:
            self.blocks[self.current].end = end

    def go_on(self, block: int) -> None:
        self.current = block

    def clause(self, statement: ast.Statement, span: Span | None = None) -> int:
        """The clause of a statement, or of a part of it."""
        cite = statement.cite or self.line.cite
        return self.env.clause(Line(self.line.path, span or statement.span, self.line.text, cite))

    def emit(self, instruction: ir.Instruction) -> None:
        """Append an instruction, and test the end conditions that it may have made true."""
        self.note(instruction)
        changed = written_by(instruction, self.env.state_list)
        if changed:
            self.test_ends(changed)

    def test_ends(self, changed: Regions) -> None:
        for rule in self._list_looked_at():
            if overlap(changed, rule.reads):
                self.test_end(rule)

    def _list_looked_at(self) -> list[EndRule]:
        """The ends that must be tested inside the current unit."""
        if self._looked_at is None or self._looked_at[0] != self.unit:
            spend(len(self.ends) // 8)
            self._looked_at = (self.unit, [rule for rule in self.ends if self._is_looked_at(rule)])
        return self._looked_at[1]

    def finish(self, units: Iterable[str]) -> None:
        """Called after units have returned: test the ends that waited for them."""
        done = frozenset(units)
        for rule in self._list_looked_at():
            if done & rule.waits:
                self.test_end(rule)

    def _is_looked_at(self, rule: EndRule) -> bool:
        """Whether the current unit can run inside the step without being nested in a unit the end waits for."""
        step = f"steps.{rule.step}"
        if not rule.waits:
            return step == self.unit or self.unit in self.calls.reaches[step]
        return self._runs_without(step, rule.waits)

    def _runs_without(self, step: str, others: frozenset[str]) -> bool:
        """Whether the call graph has a path from a step to the current unit that avoids the others."""
        found, waiting = {step}, [step]
        while waiting:
            for unit in self.calls.leads.get(waiting.pop(), ()):
                if unit in self.units and unit not in others and unit not in found:
                    found.add(unit)
                    waiting.append(unit)
        return self.unit in found

    def _is_running(self, unit: Unit) -> ir.Expr:
        return apply(Op.AT_LEAST, (self.slot(unit.return_slot), constant(0, NUMBER, "0")), TRUTH)

    def test_end(self, rule: EndRule) -> None:
        step = self.units[f"steps.{rule.step}"]
        test = rule.test
        if self.unit != step.name and rule.step != "match":
            test = logic("and", (self._is_running(step), test), test.text)
        around = [self.units[unit] for unit in sorted(rule.waits) if self.unit in self.calls.reaches[unit]]
        for unit in around:
            test = logic("and", (logic("not", (self._is_running(unit),)), test), test.text)
        leave, on = self.new_block(), self.new_block()
        self.close(ir.Branch(test=test, yes=leave, no=on, clause=rule.clause))
        self.go_on(leave)
        self.leave(step, rule.clause)
        self.go_on(on)

    def leave(self, step: Unit, clause: int) -> None:
        """Jump to the exit of a step from anywhere inside it; a round abandoned this way counts as played."""
        self._count_round(step)
        inner = tuple(self.units[u].return_slot for u in sorted(self.calls.reaches[step.name]) if u in self.units)
        if inner:
            self.note(ir.Leave(clause=clause, slots=inner))
        self.close(ir.Jump(to=step.exit, clause=clause))

    def _count_round(self, step: Unit) -> None:
        """Count the round that is abandoned when a step around it is left."""
        played = self.units.get("steps.round")
        if played is None or played.name not in self.calls.reaches[step.name]:
            return
        if self.unit != played.name and self.unit not in self.calls.reaches[played.name]:
            return
        end = ir.EndRound(clause=self.env.clause(played.line))
        if not self._runs_without(step.name, frozenset({played.name})):
            self.note(end)
            return
        count, on = self.new_block(), self.new_block()
        self.close(ir.Branch(test=self._is_running(played), yes=count, no=on, clause=end.clause))
        self.go_on(count)
        self.note(end)
        self.close(ir.Jump(to=on))
        self.go_on(on)

    def note(self, instruction: ir.Instruction) -> None:
        """Append an instruction without testing end conditions."""
        spend(4)
        self.blocks[self.current].instructions.append(instruction)

    def counted(self, counter: int, limit: ir.Expr, clause: int) -> tuple[int, int, int]:
        """Open a counted loop, which runs while the counter is below the limit: its head, body and continuation
        blocks."""
        head, body, after = self.new_block(), self.new_block(), self.new_block()
        self.emit(ir.Let(slot=counter, value=constant(0, NUMBER, "0"), clause=clause))
        self.close(ir.Jump(to=head))
        self.go_on(head)
        more = apply(Op.LESS, (self.slot(counter), limit), TRUTH)
        self.close(ir.Branch(test=more, yes=body, no=after, clause=clause))
        return head, body, after

    def count_up(self, counter: int, clause: int) -> None:
        more = apply(Op.ADD, (self.slot(counter), constant(1, NUMBER, "1")), NUMBER)
        self.emit(ir.Let(slot=counter, value=more, clause=clause))

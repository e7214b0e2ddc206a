"""Definite assignment: states that may be read before they are set.

In: a finished program. Out: a `Finding` for each state that starts as none, although its type does not admit it, and
that a rule reads where it is not definitely assigned. The facts are the states assigned on all paths.
"""

from __future__ import annotations

from collections.abc import Iterator

from hoyle.language.analyse.findings import Finding
from hoyle.language.analyse.sure_facts import NO_FACTS, Change, Facts, SureFacts
from hoyle.program.effects import written_by
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.instructions import touches_states
from hoyle.program.ir.parts import NOTHING, Part


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


class _Assignment(SureFacts):
    def __init__(self, program: ir.Program, awaited: Facts) -> None:
        self.awaited = awaited
        super().__init__(program, NO_FACTS)

    def change_by(self, node: ir.Instruction) -> Change:
        written = written_by(node, self.program.states) if touches_states(node) else NOTHING
        states = (region.index for region in written if region.part is Part.STATES)
        touched = frozenset(state for state in states if state in self.awaited)
        sets = isinstance(node, ir.SetState) and node.value is not None
        return Change(touched, NO_FACTS) if sets else Change(NO_FACTS, touched)

    def find(self) -> Iterator[Finding]:
        self.flow()
        told: set[int] = set()
        for clause, exprs, known in self.list_reads():
            if known >= self.awaited:
                continue
            for region in (region for expr in exprs for region in self.effects.reads(expr)):
                state = region.index
                if region.part is Part.STATES and state in self.awaited - known - told:
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

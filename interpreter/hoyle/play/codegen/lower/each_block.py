"""Per-block lowering, for stepping from an arbitrary position: no facts flow between blocks.

In: a program. Out: a `Module` whose blocks assume nothing but the declared facts, because the caller may have edited
the position. `AT` marks map statements back to instructions, where the reference resumes after a fault.
"""

from __future__ import annotations

from itertools import accumulate

from hoyle.play.codegen.low.facts import between
from hoyle.play.codegen.low.program import Do, Module, Statement
from hoyle.play.codegen.lower.delegation import Delegation
from hoyle.play.codegen.lower.refine import Known
from hoyle.play.codegen.lower.whole_program import ProgramLowering
from hoyle.play.codegen.target import PYTHON
from hoyle.program.ir import nodes as ir

AT = "at"  # opcode of a mark: an instruction begins here


def lower_each_block(program: ir.Program) -> Module:
    """The low form of a program, or `Unsupported`."""
    lowering = _EachBlock(program, (len(program.cards),) * sum(zone.size for zone in program.zones), PYTHON)
    lowering.instructions = Delegation(lowering.low, lowering.control)
    return lowering.lower()


class _EachBlock(ProgramLowering):
    """Lowers each block in isolation."""

    instructions: Delegation

    def lower(self) -> Module:
        block = between(-1, len(self.program.blocks) - 1)
        self.declared = self.low.declare() | {("slot", slot): block for slot in self.control.return_slots}
        self.instructions.declared = self.declared
        self._first = [0, *accumulate(len(block.instructions) for block in self.program.blocks)]
        numbers = range(len(self.program.blocks))  # decisions first: a `Perform` needs what they store
        for number in sorted(numbers, key=lambda at: not isinstance(self.program.blocks[at].end, ir.Decide)):
            self._lower_block(number, dict(self.declared))
        return self._make_module(self.declared)

    def _flow(self, source: object, to: int, known: Known) -> None:
        """Nothing: every block starts from the declared facts."""

    def _lower_instructions(self, number: int) -> list[Statement]:
        body: list[Statement] = []
        for place, instruction in enumerate(self.program.blocks[number].instructions):
            self.instructions.number = self._first[number] + place
            body += [Do(AT, (), (place,)), *self.instructions.lower(instruction)]
        return body

"""Instructions delegated to the reference executor, in stepping.

In: an instruction and its number in the program. Out: statements. What is rare becomes a call of the reference's
effects: with operands computed here, where these are expensive, or as a whole. Instructions are atomic with respect to
faults, faulting before the first write or not at all, so that the reference can execute one again.
"""

from __future__ import annotations

from collections.abc import Iterator

from hoyle.play.codegen.low.facts import Fact
from hoyle.play.codegen.low.program import Do, Statement, When
from hoyle.play.codegen.lower.control_flow import ControlFlow, Place
from hoyle.play.codegen.lower.lowering import Lowering
from hoyle.play.codegen.lower.transfer import Instructions
from hoyle.play.codegen.unsupported import Unsupported
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.parts import Part

# Instructions that are inlined: their writes come after everything that can fault.
AT_ONCE = (
    ir.Gather, ir.Shuffle, ir.Cut, ir.Deal, ir.Move, ir.TurnOver, ir.Swap, ir.Show, ir.SetState, ir.AddTo,
    ir.ShuffleList, ir.Let, ir.Draw, ir.Score, ir.Announce, ir.BeginRound, ir.EndRound, ir.Leave,
)  # fmt: skip


class Delegation(Instructions):
    """Lowers instructions or delegates them; `number` is that of the next."""

    def __init__(self, low: Lowering, control: ControlFlow) -> None:
        super().__init__(low)
        self.control = control
        self.declared: dict[Place, Fact] = {}
        self.number = 0

    def lower(self, instruction: ir.Instruction) -> list[Statement]:
        try:
            if self._is_own(instruction):
                return super().lower(instruction)
            with self.low.within(instruction.clause):
                made = list(self._hand_over(instruction))
        except Unsupported:
            made = [self._carry_out(instruction)]
        for place in self.control.list_changes(instruction):
            self.low.places[place] = self.declared[place]
        return made

    def bound_growth(self, place: Place, fact: Fact, grown: Fact | None) -> Fact:
        """No bound on counters: the position may have been edited."""
        return fact

    def _is_own(self, instruction: ir.Instruction) -> bool:
        """Whether an instruction is inlined rather than delegated."""
        if isinstance(instruction, ir.Score) and self.program.keeps_lines:
            return False
        if isinstance(instruction, ir.Pay):
            return instruction.source != instruction.target
        turns = any(touch.part is Part.FACES for touch in instruction.writes or ())
        return isinstance(instruction, AT_ONCE) and not (turns and self.program.keeps_faces)

    def _carry_out(self, node: ir.Instruction) -> Do:
        """The whole instruction, delegated; the flag tells whether it replaces the list objects of the position."""
        return self.do("carry_out", data=(self.number, isinstance(node, ir.TakeBack)))

    def _hand_over(self, node: ir.Instruction) -> Iterator[Statement]:
        build, low = self.build, self.low
        if not isinstance(node, ir.Score):
            yield self._carry_out(node)
            return
        amount = yield from self.let(low.need(node.amount))
        seat = yield from self.let(low.need(node.seat))
        score = self.do("score", amount, seat, build.none, data=(node.column, self.number))
        yield When(build.negate(build.equal(amount, build.false)), (score,)) if node.table else score

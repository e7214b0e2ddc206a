"""Instructions delegated to the reference executor, in stepping.

In: an instruction and its number in the program. Out: statements. What emits events, or is rare, becomes a call of the
reference's effects: with operands computed here, where these are expensive, or as a whole. Instructions are atomic with
respect to faults, faulting before the first write or not at all, so that the reference can execute one again.
"""

from __future__ import annotations

from collections.abc import Iterator

from hoyle.codegen.low.facts import Fact
from hoyle.codegen.low.program import Do, Statement, When
from hoyle.codegen.lower.control_flow import ControlFlow, Place
from hoyle.codegen.lower.lowering import Lowering
from hoyle.codegen.lower.statements import Instructions
from hoyle.codegen.unsupported import Unsupported
from hoyle.ir import nodes as ir
from hoyle.ir.parts import Part
from hoyle.ir.types import certain

# Instructions that are inlined: their writes come after everything that can fault.
AT_ONCE = (
    ir.Gather, ir.Shuffle, ir.Cut, ir.Deal, ir.Move, ir.TurnOver, ir.Swap, ir.Show, ir.SetState, ir.AddTo,
    ir.ShuffleList, ir.Let, ir.Draw, ir.Score, ir.Announce, ir.BeginRound, ir.EndRound, ir.Leave,
)  # fmt: skip


class Delegation(Instructions):
    """Lowers instructions or delegates them; `number` is that of the next. `told`: events are reported."""

    def __init__(self, low: Lowering, control: ControlFlow, *, told: bool) -> None:
        super().__init__(low)
        self.control = control
        self.told = told
        self.declared: dict[Place, Fact] = {}
        self.number = 0
        sees = any(zone.cases for zone in low.program.zones)  # then the reference must find out who sees an event
        piles = any(certain(state.type).kind == "zone" for state in low.program.states)
        self._moves = told and not sees and not piles
        self._sets = told and not sees

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
        if self.told:
            return isinstance(instruction, ir.Let | ir.Leave)
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
        match node:
            case ir.Move() if self._moves:
                cards = self._each_once(low.lower(node.cards))
                yield self.do("tell_move", cards, low.need(node.zone), data=(self.number,))
            case ir.SetState() if self._sets:
                owner = self._owner(node.state, node.owner)
                value = low.start_of(self.program.states[node.state]) if node.value is None else low.lower(node.value)
                yield self.do("tell_state", value, *owner, data=(node.state, self.number))
            case ir.Score() if self._sets or not self.told:
                amount = yield from self.let(low.need(node.amount))
                seat = yield from self.let(low.need(node.seat))
                parts = build.none if node.parts is None or not self.told else low.lower(node.parts)
                told = self.do("tell_score", amount, seat, parts, data=(node.column, self.number))
                yield When(build.negate(build.equal(amount, build.false)), (told,)) if node.table else told
            case _:
                yield self._carry_out(node)

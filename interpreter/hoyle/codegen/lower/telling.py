"""Instructions that are told of: what they change, and who learns what of it, is left to the reference's effects.

In: an instruction and its number in the program. Out: statements that work out the values it is given, where it is
carried out often or they take long to work out, and hand them over; elsewhere the instruction as it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from hoyle.codegen.low.facts import Fact
from hoyle.codegen.low.program import Do, Statement, When
from hoyle.codegen.lower.control import Control
from hoyle.codegen.lower.lowering import Lowering, Place
from hoyle.codegen.lower.statements import Instructions, NewRegister
from hoyle.codegen.unsupported import Unsupported
from hoyle.ir import nodes as ir
from hoyle.ir.types import certain


class Telling(Instructions):
    """Lowers instructions one after the other; `number` is that of the next."""

    def __init__(self, low: Lowering, register: NewRegister, control: Control) -> None:
        super().__init__(low, register)
        self.control = control
        self.declared: dict[Place, Fact] = {}
        self.number = 0
        sees = any(zone.cases for zone in low.program.zones)  # who sees what then, the reference works out
        piles = any(certain(state.type).kind == "zone" for state in low.program.states)
        self._moves = not sees and not piles
        self._sets = not sees

    def lower(self, instruction: ir.Instruction) -> list[Statement]:
        if isinstance(instruction, ir.Let | ir.Leave):
            return super().lower(instruction)
        try:
            with self.low.within(instruction.clause):
                made = list(self._tell(instruction))
        except Unsupported:
            made = [self._carry_out()]
        for place in self.control.list_changes(instruction):
            self.low.places[place] = self.declared[place]
        return made

    def _carry_out(self) -> Do:
        return self.do("carry_out", data=(self.number,))

    def _tell(self, node: ir.Instruction) -> Iterator[Statement]:
        build, low = self.build, self.low
        match node:
            case ir.Move() if self._moves:
                cards = self._each_once(low.lower(node.cards))
                yield self.do("tell_move", cards, low.need(node.zone), data=(self.number,))
            case ir.SetState() if self._sets:
                owner = self._owner(node.state, node.owner)
                value = self.start_of(self.program.states[node.state]) if node.value is None else low.lower(node.value)
                yield self.do("tell_state", value, *owner, data=(node.state, self.number))
            case ir.Score() if self._sets:
                amount, statements = self.let(low.need(node.amount))
                yield from statements
                seat, statements = self.let(low.need(node.seat))
                yield from statements
                parts = build.none if node.parts is None else low.lower(node.parts)
                told = self.do("tell_score", amount, seat, parts, data=(self.number,))
                yield When(build.negate(build.equal(amount, build.false)), (told,)) if node.table else told
            case _:
                yield self._carry_out()

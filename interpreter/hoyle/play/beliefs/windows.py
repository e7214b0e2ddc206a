"""Windows: where seats are asked in secret, and none is told who else is.

In: a program. Out: for each decision block of a window, the local values that keep whom it asks and how far it has got.
"""

from __future__ import annotations

from collections.abc import Mapping

from hoyle.base.dataclass import dataclass
from hoyle.play.codegen.lower.liveness import list_slots_read
from hoyle.program.ir import nodes as ir
from hoyle.program.words import Op, op_of


@dataclass(frozen=True, slots=True)
class Window:
    """The slots of those who are asked, of the place of the one asked now, and of the answers; how those who are asked
    are listed, and the slots that this reads."""

    asked: int
    counter: int
    store: int
    listed: ir.Expr
    read: frozenset[int]


def find_windows(program: ir.Program) -> Mapping[int, Window]:
    lets = [one for block in program.blocks for one in block.instructions if isinstance(one, ir.Let)]
    values, found = {one.slot: one.value for one in lets}, {}
    for number, block in enumerate(program.blocks):
        end = block.end
        if isinstance(end, ir.Decide) and end.store is not None and program.decisions[end.decision].window:
            one = values.get(end.seat.index) if isinstance(end.seat, ir.Slot) else None
            match one:
                case ir.Apply(args=(ir.Slot(index=asked), ir.Slot(index=counter))) if op_of(one) is Op.ELEMENT:
                    listed = values[asked]
                    found[number] = Window(asked, counter, end.store, listed, list_slots_read(program, listed))
    return found

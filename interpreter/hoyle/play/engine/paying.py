"""The instructions `pay` and `retire`: chips, and seats that leave the match.

In: an instruction, a position, and what evaluates and records. Out: the position changed, one event recorded.
"""

from __future__ import annotations

from typing import Any, Protocol

from hoyle.play.engine.evaluate import Evaluator
from hoyle.play.engine.faults import Fault
from hoyle.play.view.names import Names
from hoyle.program.ir import nodes as ir
from hoyle.program.model.position import Position
from hoyle.program.words.bounds import LARGEST_NUMBER


class Telling(Protocol):
    """What evaluates the operands of an instruction and records its event."""

    program: ir.Program
    names: Names
    evaluator: Evaluator

    def need(self, expr: ir.Expr, position: Position, what: str) -> Any: ...

    def tell(self, name: str, data: dict[str, Any], clause: int | None, *, seat: int | None = None) -> None: ...


def pay(effects: Telling, node: ir.Pay, position: Position) -> None:
    """Move chips from one pot to another; without an amount, all that the source holds."""
    source = find_pot(effects, node.source, node.source_owner, position)
    target = find_pot(effects, node.target, node.target_owner, position)
    held: int = position.states[source]
    amount: int = max(0, held) if node.amount is None else effects.need(node.amount, position, "how much is paid")
    name = effects.names.name_state(source)
    if amount < 0:
        raise Fault("out-of-range", f"{amount} cannot be paid from `{name}`")
    if amount > held and not effects.program.states[node.source].debt:
        raise Fault("no-chips", f"{amount} cannot be paid from `{name}`, which holds {held}")
    if abs(held - amount) >= LARGEST_NUMBER:
        raise Fault("too-large", f"`{name}` grows beyond all bounds")
    if amount == 0 or source == target:
        return
    position.states[source] -= amount
    position.states[target] += amount
    effects.tell("paid", {"amount": amount, "payer": source, "payee": target}, node.clause)


def find_pot(effects: Telling, pot: int, owner: ir.Expr | None, position: Position) -> int:
    """The index of a pot among the states of the position."""
    effects.evaluator.begin()
    index = effects.evaluator.state_index(pot, owner, position, [None] * effects.program.frame)
    if index is None:
        raise Fault("no-value", f"`{effects.program.states[pot].name}` of nobody takes no part in a payment")
    return index


def retire(effects: Telling, node: ir.Retire, position: Position) -> None:
    """Remove a seat from the match for good."""
    seat: int = effects.need(node.seat, position, "who leaves the match")
    if seat not in position.retired:
        position.retired = sorted((*position.retired, seat))
        effects.tell("retired", {}, node.clause, seat=seat)

"""The cost of a choice, in chips.

In: a match, an action offered there. Out: the first payment that the action makes. To leak nothing, a cost is shown
only if no hidden information can influence it: the code that leads to the payment reads picks and public values, no
cards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hoyle.engine.faults import Fault
from hoyle.ir import nodes as ir
from hoyle.ir.types import Type
from hoyle.ir.walk import list_following, walk, walk_into
from hoyle.words import Op, applies

if TYPE_CHECKING:
    from hoyle.engine.game import Match

_HIDING = (ir.ZoneRef, ir.Piles, ir.Attribute, ir.Division, ir.CanDo)
_SIZES = (Op.NO_CARDS, Op.SIZE)  # the number of cards in a zone is public


class Costs:
    """Finds the costs of actions; which actions have a cost that may be shown is analysed once per program."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        pots = (each for each in program.states if each.pot and [part.kind for part in each.of] == ["seat"])
        self._purse = next(pots, None)  # the players' chips: the first pot declared `of: seat`
        self._payments: dict[str, frozenset[int]] = {}

    def find(self, match: Match, place: int) -> int:
        """Return what the deciding seat pays for the offered action at index `place`; 0 if it pays nothing or the
        cost must not be shown. Found by applying the action to a copy of the match."""
        decision = match.decision
        if self._purse is None or decision is None:
            return 0
        name = decision.actions[place].name
        if name not in self._payments:
            self._payments[name] = _list_payments(self.program, name)
        if not self._payments[name]:
            return 0
        trial = match.copy()
        try:
            trial.apply(place)
        except Fault:
            return 0
        for event in trial.events[len(match.events) + 1 :]:
            if event.name in ("chose", "round_began"):
                break
            if event.name == "paid" and event.clause in self._payments[name]:
                return int(event.data["amount"]) if event.data["payer"] == self._purse.base + decision.seat else 0
        return 0


def _list_payments(program: ir.Program, name: str) -> frozenset[int]:
    """Return the clauses of an action's first payments, one per path through its blocks; none if hidden information
    may decide whether or how much it pays."""
    action = next(each for each in program.actions if each.name == name)
    known = {action.seat_slot, *action.pick_slots}
    found: set[int] = set()
    entered: set[int] = set()
    waiting = [action.entry]
    while waiting:
        number = waiting.pop()
        if number in entered:
            continue
        entered.add(number)
        block = program.blocks[number]
        paid = False
        for each in block.instructions:
            if isinstance(each, ir.Pay | ir.Let | ir.SetState) and not _is_known(program, each, known):
                return frozenset()
            if isinstance(each, ir.Let):
                known.add(each.slot)
            if isinstance(each, ir.Pay):
                found.add(each.clause)
                paid = True
                break
        if paid:
            continue
        if isinstance(block.end, ir.Branch) and not _is_known(program, block.end.test, known):
            return frozenset()
        if isinstance(block.end, ir.Jump | ir.Branch | ir.Enter):  # stops at decisions
            waiting += list_following(program, block.end)
    return frozenset(found)


def _is_known(program: ir.Program, node: object, slots: set[int]) -> bool:
    """Whether all expressions in a node depend only on public values."""
    inside = [each for part in walk(node) if isinstance(part, ir.Expr) for each in walk_into(program, part)]
    sizes = [each.args[0] for each in inside if applies(each, *_SIZES)]
    counted = {id(each) for each in sizes if isinstance(each, ir.ZoneRef) and each.owner is None}
    return not any(
        isinstance(each, _HIDING)
        or _is_about_cards(each.type)
        or (isinstance(each, ir.StateRef) and program.states[each.state].shows != "all")
        or (isinstance(each, ir.Slot) and each.index not in slots)
        for each in inside
        if id(each) not in counted
    )


def _is_about_cards(kind: Type) -> bool:
    return kind.kind in ("card", "zone") or (kind.of is not None and _is_about_cards(kind.of))

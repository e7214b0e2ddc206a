"""Static analysis: which clauses of a rule file can move cards as an effect of an action.

In: a program, the name of an action. Out: the clauses of its effects that move cards, including those of the steps it
calls; and whether the action is ever chosen secretly, at the same time as by other seats.
"""

from __future__ import annotations

from hoyle.program.ir.instructions import Deal, Move
from hoyle.program.ir.nodes import Program
from hoyle.program.ir.walk import list_following


def list_moving_clauses(program: Program, action: str) -> frozenset[str]:
    """Return the clauses by which an action can move cards: those of all blocks reachable from its entry.

    This over-approximates: an action that ends a step continues into the code that follows the step."""
    declared = next(each for each in program.actions if each.name == action)
    found: set[str] = set()
    entered: set[int] = set()
    waiting = [declared.entry]
    while waiting:
        number = waiting.pop()
        if number in entered:
            continue
        entered.add(number)
        block = program.blocks[number]
        for each in block.instructions:
            if isinstance(each, Move | Deal):
                found.add(program.clauses[each.clause].path)
        waiting += list_following(program, block.end)
    return frozenset(found)


def is_chosen_unseen(program: Program, action: str) -> bool:
    """Whether an action is offered in a secret decision, whose choices are not told at once."""
    number = next(at for at, each in enumerate(program.actions) if each.name == action)
    return any(
        item.action == number
        for decision in program.decisions
        if decision.secret and not decision.window
        for tier in decision.tiers
        for item in tier.items
    )
